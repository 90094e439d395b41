#include "app/views/filter.hpp"

#include "app/engine/merging.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace heed::app {

using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

/// The list's entries, or all.
template <class Take> int take_each(const std::vector<int>& list, int count, Take take) {
    if (list.empty()) {
        for (int i = 0; i < count; ++i) take(i);
        return count;
    }
    for (const int i : list) take(i);
    return static_cast<int>(list.size());
}

/// “cat”, “the” at position 5 and 2 more. `first`: the first token of a unit.
template <class First>
std::string names_of(const std::vector<int>& chosen, const std::vector<text::Token>& tokens,
                     const First& first) {
    constexpr std::size_t kMost = 3;
    std::string words;
    for (std::size_t i = 0; i < std::min(chosen.size(), kMost); ++i)
        words += (i == 0 ? "" : ", ") + quoted_token(tokens, chosen[i], first(chosen[i]));
    if (chosen.size() > kMost) words += fmt::format(" and {} more", chosen.size() - kMost);
    return words;
}

} // namespace

figure::Strip layer_strip(const Snapshot& snapshot, int layers, int heads) {
    const bool known = snapshot.strips && snapshot.strips->heads;
    Matrix<float> values = Matrix<float>::Ones(layers, 1);
    for (int layer = 0; known && layer < layers; ++layer) {
        float sum = 0;
        const int count = take_each(chosen_heads(snapshot.focus), heads, [&](int head) {
            sum += (*snapshot.strips->heads)(layer, head);
        });
        values(layer, 0) = sum / static_cast<float>(count);
    }
    return {num::shared_matrix(std::move(values)), known};
}

figure::Strip head_strip(const Snapshot& snapshot, int layers, int heads) {
    const bool known = snapshot.strips && snapshot.strips->heads;
    Matrix<float> values = Matrix<float>::Ones(1, heads);
    for (int head = 0; known && head < heads; ++head) {
        float sum = 0;
        const int count = take_each(chosen_layers(snapshot.focus), layers, [&](int layer) {
            sum += (*snapshot.strips->heads)(layer, head);
        });
        values(0, head) = sum / static_cast<float>(count);
    }
    return {num::shared_matrix(std::move(values)), known};
}

std::string strips_scale(const figure::Strip& layers, const figure::Strip& heads) {
    const auto most = [](const figure::Strip& strip) {
        const float largest = figure::largest_size(*strip.shares);
        return figure::weight_text(largest, figure::decimals_for(largest));
    };
    return fmt::format(", max {} of layers, {} of heads", most(layers), most(heads));
}

const std::vector<int>& chosen_layers(const Focus& focus) {
    static const std::vector<int> none;
    return focus.combine ? focus.layers : none;
}
const std::vector<int>& chosen_heads(const Focus& focus) {
    static const std::vector<int> none;
    return focus.combine ? focus.heads : none;
}

std::string filter_phrase(const std::vector<std::string>& words) {
    std::string phrase;
    for (const std::string& part : words) {
        phrase += (phrase.empty() ? " · filtered: " : " · ") + part;
    }
    return phrase;
}

std::vector<std::string> filter_words(const Focus& focus) {
    std::vector<std::string> words;
    const auto add = [&](const char* what, const std::vector<int>& list) {
        if (list.empty()) return;
        std::string numbers;
        for (const int i : list)
            numbers += fmt::format("{}{}", numbers.empty() ? " " : ", ", i + 1);
        words.push_back(fmt::format("{}{}{}", what, list.size() == 1 ? "" : "s", numbers));
    };
    add("layer", chosen_layers(focus));
    add("head", chosen_heads(focus));
    return words;
}

std::vector<std::string> filter_words(const ViewState& state, const Units& units) {
    std::vector<std::string> words;
    const std::vector<int> queries = chosen_queries(units, state.pinned_queries);
    const std::vector<int> keys = chosen_keys(units, state.pinned_keys);
    const auto query = [&](int unit) { return units.first_query(unit); };
    const auto key = [&](int unit) { return units.first_key(unit); };
    if (!queries.empty()) {
        words.push_back(fmt::format("{} {}", queries.size() == 1 ? "query" : "queries",
                                    names_of(queries, units.queries(), query)));
    }
    if (!keys.empty()) {
        words.push_back(fmt::format("{} {}", keys.size() == 1 ? "key" : "keys",
                                    names_of(keys, units.keys(), key)));
    }
    return words;
}

void fit_subtitle(std::string& subtitle, const figure::Frame& frame) {
    using namespace figure::type_size;
    constexpr std::string_view kDot = " · ";
    const figure::Sheet sheet(frame, frame.width, frame.height);
    if (sheet.height_is_open()) return; // in a file it is whole
    const figure::TextStyle style{frame.small_title ? kNote : kSubtitle};
    const float room = sheet.width() - 2 * sheet.margin();
    if (sheet.wrapped(subtitle, style, room, 3).size() <= 2) return;
    const auto axes = subtitle.find(" (rows)"), end = subtitle.find(kDot, axes);
    if (end == std::string::npos) return;
    const auto before = subtitle.rfind(kDot, axes);
    const auto from = before == std::string::npos ? 0 : before + kDot.size();
    subtitle.erase(from, end + kDot.size() - from);
}

std::optional<std::pair<int, int>> cell_of_filter(const Snapshot& s, const ViewState& state) {
    const bool pairs = s.run && s.map && s.map->size() > 0 && shows_pairs(s);
    if (!pairs) return std::nullopt;
    const Units units(s, map_units(s));
    auto rows = chosen_queries(units, state.pinned_queries);
    auto cols = chosen_keys(units, state.pinned_keys);
    if (rows.empty() && cols.empty()) return std::nullopt;
    const auto all_where_none = [](std::vector<int>& chosen, Index count) {
        std::erase_if(chosen, [&](int i) { return i < 0 || i >= count; });
        if (!chosen.empty()) return;
        chosen.resize(static_cast<std::size_t>(count));
        std::iota(chosen.begin(), chosen.end(), 0);
    };
    all_where_none(rows, s.map->rows());
    all_where_none(cols, s.map->cols());
    if (const auto cell = shown_cell(s, state, units)) {
        if (std::ranges::count(rows, cell->first) > 0 && std::ranges::count(cols, cell->second) > 0)
            return std::nullopt;
    }
    std::pair<int, int> best{rows.front(), cols.front()};
    for (const int row : rows) {
        for (const int col : cols) {
            if ((*s.map)(row, col) > (*s.map)(best.first, best.second)) best = {row, col};
        }
    }
    return strongest_token_cell(s, units, best);
}

std::optional<std::pair<int, int>> first_cell(const Snapshot& s, const ViewState& state) {
    if (const auto cell = cell_of_filter(s, state)) return cell;
    if (!s.map) return s.run->trace.target.empty() ? std::nullopt : std::optional(std::pair(0, 0));
    if (s.map->size() == 0 || !trace::is_map(s.focus.stage)) return std::nullopt;
    Index row = s.map->rows() - 1, col = 0;
    if (s.focus.head.kind == AttentionKind::decoder_self) {
        s.map->row(row).maxCoeff(&col); // the first looks at itself, the last says what comes next
    } else {
        s.map->maxCoeff(&row, &col);
    }
    return strongest_token_cell(s, Units(s, map_units(s)),
                                {static_cast<int>(row), static_cast<int>(col)});
}

std::optional<std::pair<int, int>> most_changed(const Snapshot& snapshot) {
    if (!snapshot.reference || !snapshot.reference->difference) return std::nullopt;
    const Matrix<float>& difference = *snapshot.reference->difference;
    std::optional<std::pair<int, int>> cell;
    float most = 0;
    for (Index row = 0; row < difference.rows(); ++row) {
        for (Index col = 0; col < difference.cols(); ++col) {
            const float size = std::abs(difference(row, col));
            if (!std::isfinite(size) || size <= most) continue;
            most = size;
            cell = {static_cast<int>(row), static_cast<int>(col)};
        }
    }
    return cell;
}

} // namespace heed::app
