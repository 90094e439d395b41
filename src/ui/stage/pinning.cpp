#include "ui/stage/pinning.hpp"

#include "figure/base/number_text.hpp"
#include "figure/views/links.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::ui {

using trace::Stage;
using Weights = std::shared_ptr<const num::Matrix<float>>;

namespace {

/// The strongest of the drawn heads' links from a query, or to a key.
struct Strongest {
    int other = -1;
    float largest = 0, weight = 0; // as it is, and as it is told
    int head = 0;

    void look(const num::Matrix<float>& m, int number, int token, bool of_key) {
        if (token < 0 || token >= (of_key ? m.cols() : m.rows())) return;
        const num::Index count = of_key ? m.rows() : m.cols();
        for (num::Index i = 0; i < count; ++i) {
            const float found = of_key ? m(i, token) : m(token, i);
            if (found > largest) {
                largest = found;
                other = static_cast<int>(i);
                weight = figure::told_weight(found, figure::row_of(m, of_key ? i : token));
                head = number;
            }
        }
    }
};

Strongest strongest_of(const Panel& p, int token, bool of_key) {
    const app::Snapshot& s = p.snapshot();
    Strongest best;
    for (const auto& [head, weights] : s.overlay) {
        if (weights) best.look(*weights, head, token, of_key);
    }
    if (!s.overlay.empty()) return best;
    if (const Weights weights = shown_weights(p)) {
        best.look(*weights, s.focus.head.head, token, of_key);
    }
    return best;
}

} // namespace

std::shared_ptr<const num::Matrix<float>> shown_weights(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    const bool of_head = !s.focus.combine && s.focus.stage == Stage::weights;
    return of_head || app::shows_combined(s, p.state.view) ? s.map : nullptr;
}

void pin_token(Panel& p, int unit, bool of_key) {
    const app::Units units(p.snapshot(), units_shown(p, true));
    choose_token(p, units, of_key, unit);
    const app::ViewState& view = p.state.view;
    const int token = of_key ? units.first_key(unit) : units.first_query(unit);
    const int other = strongest_of(p, unit, of_key).other;
    const bool any = (of_key ? view.pinned_queries : view.pinned_keys).empty();
    if (any && other >= 0) {
        return choose_cell(p, units, of_key ? std::pair(other, unit) : std::pair(unit, other));
    }
    const auto [query, key] = p.selected().value_or(std::pair(0, 0));
    p.state.view.selected = of_key ? std::pair(query, token) : std::pair(token, key);
    select_in_filter(p);
}

void let_go_of_tokens(Panel& p) {
    if (strips_filter(p)) {
        clear_filter(p);
    } else {
        p.state.view.selected.reset();
    }
}

std::string token_words(const Panel& p, int unit, bool of_key) {
    const app::Snapshot& s = p.snapshot();
    if (!s.run) return {};
    const app::Units units(s, units_shown(p, true));
    const auto &own = of_key ? units.keys() : units.queries(),
               &others = of_key ? units.queries() : units.keys();
    std::string words = token_text(own, unit);
    const Strongest best = strongest_of(p, unit, of_key);
    if (best.other >= 0) {
        words += fmt::format("   {} {} ({})", of_key ? "is attended to most by" : "attends most to",
                             token_text(others, best.other), figure::weight_text(best.weight));
        if (s.overlay.size() > 1) words += fmt::format(" \u00b7 head {}", best.head + 1);
    }
    return words + ". Click to isolate, Shift+click to add";
}

std::string square_words(const Panel& p, const figure::tag::Square& square) {
    const app::Snapshot& s = p.snapshot();
    if (!s.run) return {};
    const auto which = static_cast<std::size_t>(std::max(square.head, 0));
    const bool several = which < s.overlay.size();
    std::string name =
        fmt::format("head {}", (several ? s.overlay[which].first : s.focus.head.head) + 1);
    const Weights weights = several ? s.overlay[which].second : shown_weights(p);
    if (square.token < 0 || !weights) return name;
    figure::LinesData data;
    data.heads = {{0, weights}};
    const figure::LinksOptions options = app::links_options(s, p.state.view);
    const app::Units units(s, units_shown(p, true));
    const auto told = [&](const auto& tokens, const char* what, const std::vector<float>& values) {
        const auto at = static_cast<std::size_t>(square.token);
        if (at >= values.size()) return name;
        return fmt::format("{}   {} {} \u00b7 {}", token_text(tokens, square.token), what,
                           figure::weight_digits(values[at]), name);
    };
    if (square.of_key) {
        return told(units.keys(),
                    options.queries.empty() ? "average attention received:"
                                            : "average from the isolated:",
                    figure::into_keys(data, options));
    }
    return options.keys.empty()
               ? told(units.queries(), "strongest link:", figure::largest_out(data))
               : told(units.queries(), "to the isolated:", figure::out_of_queries(data, options));
}

} // namespace heed::ui
