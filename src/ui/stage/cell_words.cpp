#include "ui/stage/cell_words.hpp"

#include "app/engine/masked_cells.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "trace/cell_terms.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/stage/pinning.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heed::ui {

namespace {

std::string exact(float value) { return figure::weight_digits(value); }

/// A map on the screen and the run that it is of.
struct Shown {
    const models::Run& run;
    const app::Focus& focus;
    const num::Matrix<float>& map;
    const app::TokenWords* words;         // the units of the map, or null
    const std::vector<text::Token>* said; // as Snapshot::said

    bool has(const figure::Hit& hit) const {
        return hit.row >= 0 && hit.col >= 0 && hit.row < map.rows() && hit.col < map.cols();
    }
    /// True of a stage that the mask has gone into, in one head.
    bool masks(const figure::Hit& hit) const {
        const auto head = run.trace.map(focus.head);
        const bool after =
            focus.stage == trace::Stage::masked || focus.stage == trace::Stage::weights;
        if (!head || focus.combine || !after) return false;
        num::Rect tokens{hit.row, hit.col, 1, 1};
        if (words != nullptr) {
            const auto &rows = words->queries(focus.head.kind),
                       &cols = words->keys(focus.head.kind);
            const auto row = static_cast<std::size_t>(hit.row),
                       col = static_cast<std::size_t>(hit.col);
            tokens = {static_cast<num::Index>(rows.first[row]),
                      static_cast<num::Index>(cols.first[col]),
                      static_cast<num::Index>(rows.end(row) - rows.first[row]),
                      static_cast<num::Index>(cols.end(col) - cols.first[col])};
        }
        return app::is_masked(*head, tokens);
    }
    std::string value(const figure::Hit& hit) const {
        if (masks(hit)) return "masked";
        const float value = map(hit.row, hit.col);
        const bool weighs = focus.combine || focus.stage == trace::Stage::weights;
        return exact(weighs ? figure::told_weight(value, figure::row_of(map, hit.row)) : value);
    }
};

std::string place_words(const Shown& shown, int row, int col) {
    const trace::AttentionKind kind = shown.focus.head.kind;
    const trace::Stage stage = shown.focus.combine ? trace::Stage::weights : shown.focus.stage;
    const bool of_keys = app::has_key_rows(stage);
    const auto& trace = shown.run.trace;
    const auto& queries = shown.words ? shown.words->queries(kind).words
                                      : app::row_tokens(shown.run, shown.focus, shown.said, kind);
    const auto& keys = shown.words ? shown.words->keys(kind).words : trace.keys(kind);
    return token_text(of_keys ? keys : queries, row) + " \u2192 " +
           (trace::is_map(stage) ? token_text(keys, col) : fmt::format("feature {}", col + 1));
}

} // namespace

bool is_at_reference(const Panel& p, const figure::Figure& picture, const figure::Hit& hit) {
    if (!app::shows_beside(p.snapshot(), p.state.view)) return false;
    if (picture.stacked) return hit.box.y < picture.height / 2;
    const auto cells = std::ranges::find_if(picture.targets, [](const figure::Target& target) {
        return target.as<figure::tag::Cells>() != nullptr;
    });
    return cells != picture.targets.end() && hit.box.x < cells->box.x + cells->box.w;
}

std::string cell_words(const Panel& p, const figure::Figure& picture, const figure::Hit& hit) {
    const app::Snapshot& s = p.snapshot();
    if (!s.run || !s.map) return {};
    const auto merged = [](const app::Focus& focus, const auto& words) {
        return app::map_units(focus, words.get());
    };
    const Shown present{*s.run, s.focus, *s.map, merged(s.focus, s.units), s.said.get()};
    const bool compares = p.state.view.compare != app::Compare::off && s.reference &&
                          s.reference->run && s.reference->map;
    if (!compares) {
        if (!present.has(hit)) return {};
        std::string words = place_words(present, hit.row, hit.col) + "   " + present.value(hit);
        if (app::shows_multiplied(s)) {
            words += fmt::format(" {} = {}", app::times_words(s.focus),
                                 exact((*s.multiplied)(hit.row, hit.col)));
        }
        const auto hidden =
            app::merges_weights(s) ? app::share_to_hidden(s, hit.row) : std::optional<float>();
        if (hidden) {
            words +=
                " \u00b7 " + figure::percent_text(*hidden) + " of this row goes to special tokens";
        }
        return words;
    }
    const app::ReferencePicture& r = *s.reference;
    const Shown reference{*r.run, r.focus, *r.map, merged(r.focus, r.units), r.said.get()};
    const Shown& pointed = is_at_reference(p, picture, hit) ? reference : present;
    if (!pointed.has(hit)) return {};
    const std::string place = place_words(pointed, hit.row, hit.col);
    if (present.map.rows() != reference.map.rows() || present.map.cols() != reference.map.cols()) {
        const std::string name = &pointed == &reference ? r.asked.name + " " : "";
        return place + "   " + name + pointed.value(hit); // no cell of the other is its own
    }
    const std::string here = place_words(present, hit.row, hit.col),
                      there = place_words(reference, hit.row, hit.col);
    std::string words =
        fmt::format("{}   {} \u00b7 {} {}{}", here, present.value(hit), r.asked.name,
                    there == here ? "" : there + " ", reference.value(hit));
    const float value = present.map(hit.row, hit.col), other = reference.map(hit.row, hit.col);
    if (value == other) return words + " \u00b7 no difference"; // of two masked cells too
    return words +
           fmt::format(" \u00b7 difference {}{}", value < other ? "" : "+", exact(value - other));
}

namespace {

/// " · 2nd of 10 keys": how strong a link is among those of its query.
std::string rank_words(const num::RowVector<float>& row, int key) {
    const auto stronger = (row.array() > row(key)).count();
    const auto place = static_cast<int>(stronger) + 1;
    const int tens = place % 100;
    const char* ending = tens >= 11 && tens <= 13 ? "th"
                         : place % 10 == 1        ? "st"
                         : place % 10 == 2        ? "nd"
                         : place % 10 == 3        ? "rd"
                                                  : "th";
    return fmt::format(" \u00b7 {}{} of {} keys", place, ending, row.size());
}

std::string exact_link(const num::Matrix<float>& weights, const figure::tag::Link& link) {
    return exact(
        figure::told_weight(weights(link.query, link.key), figure::row_of(weights, link.query)));
}

std::string link_words(const Panel& p, const figure::tag::Link& link) {
    const app::Snapshot& s = p.snapshot();
    const app::Units units(s, app::merges(s));
    const std::string ends =
        token_text(units.queries(), link.query) + " \u2192 " + token_text(units.keys(), link.key);
    const auto inside = [&](const num::Matrix<float>& m) {
        return link.query >= 0 && link.key >= 0 && link.query < m.rows() && link.key < m.cols();
    };
    if (!s.overlay.empty()) {
        const auto which = static_cast<std::size_t>(link.which);
        if (link.which < 0 || which >= s.overlay.size()) return {};
        const auto& [number, weights] = s.overlay[which];
        if (!weights || !inside(*weights)) return {};
        return fmt::format("{}   {} \u00b7 head {}{}", ends, exact_link(*weights, link), number + 1,
                           rank_words(weights->row(link.query), link.key));
    }
    const auto weights = shown_weights(p);
    if (app::shows_combined(s, p.state.view)) {
        if (!inside(*weights)) return {};
        return fmt::format("{}   {} \u00b7 {}{}", ends, exact_link(*weights, link),
                           app::focus_title(s.run->trace, s.focus),
                           rank_words(weights->row(link.query), link.key));
    }
    const auto map = s.run->trace.map(s.focus.head);
    const auto below = [](int i, const auto& list) {
        return i >= 0 && static_cast<std::size_t>(i) < list.size();
    };
    if (!map || !below(link.query, units.queries()) || !below(link.key, units.keys())) return {};
    std::string words = fmt::format("{}   {} \u00b7 head {}", ends,
                                    exact(app::merged_weight(s, units, link.query, link.key)),
                                    s.focus.head.head + 1);
    if (weights && inside(*weights)) words += rank_words(weights->row(link.query), link.key);
    return words;
}

/// A bar of the Softmax room: the score as its factor makes it, and the weight that comes of it.
std::string bar_words(const Panel& p, int key) {
    const app::Snapshot& s = p.snapshot();
    const auto map = s.run->trace.map(s.focus.head);
    if (!map || key < 0 || key >= map->cols(trace::Stage::weights)) return {};
    const int query = p.selected().value_or(std::pair(0, 0)).first;
    const auto [score, weight] =
        trace::softmax_of_scaled(*map, query, p.state.view.softmax_factor, key);
    return fmt::format("{} \u2192 {}   score {} \u00b7 weight {}",
                       token_text(app::row_tokens(s), query),
                       name_of_key(app::Units(s, nullptr), key), exact(score), exact(weight));
}

std::string node_words(const Panel& p, const figure::tag::Node& node) {
    const app::Snapshot& s = p.snapshot();
    if (!s.flow || node.level < 0 || node.level >= s.flow->reach.rows() || node.place < 0 ||
        node.place >= s.flow->reach.cols()) {
        return {};
    }
    return fmt::format("{}   {} of the flow, after {} layers",
                       token_text(app::Units(s, app::merges(s)).keys(), node.place),
                       exact(s.flow->reach(node.level, node.place)), node.level);
}

} // namespace

std::string value_words(const Panel& p, const figure::Figure& picture, Point at,
                        const figure::Hit& hit) {
    const app::Snapshot& s = p.snapshot();
    if (!s.run) return {};
    if (const auto* link = hit.as<figure::tag::Link>()) {
        const auto own = row_of(p.state.view.view).link;
        return own ? own(p, *link) : link_words(p, *link);
    }
    if (const auto* bar = hit.as<figure::tag::Bar>()) return bar_words(p, bar->place);
    if (const auto* node = hit.as<figure::tag::Node>()) return node_words(p, *node);
    if (!hit.as<figure::tag::Cells>() && !hit.as<figure::tag::Stripe>()) return {};
    const auto under = figure::heat_at(picture, at);
    const auto value = row_of(p.state.view.view).value;
    return under && value ? value(p, *under, hit) : std::string();
}

} // namespace heed::ui
