#include "ui/frame/shown_cell.hpp"

#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "text/word_names.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace heed::ui {

const app::TokenWords* units_shown(const Panel& p, bool links) {
    const app::Snapshot& s = p.snapshot();
    return links ? s.units.get() : app::view_kind(p.state.view.view).units(s);
}

namespace {

/// Words of these units, ascending; one that comes again has its position behind it.
template <class FirstToken>
std::vector<std::string> names_of(const std::vector<text::Token>& all,
                                  const std::vector<int>& units, FirstToken first) {
    std::vector<std::string_view> words;
    for (const text::Token& unit : all) words.push_back(unit.text);
    return text::word_names(words, units, [&](int unit) { return first(unit) + 1; });
}

} // namespace

std::vector<std::string> names_of_keys(const app::Units& units, const std::vector<int>& keys) {
    return names_of(units.keys(), keys, [&](int key) { return units.first_key(key); });
}

std::string name_of_key(const app::Units& units, int key) {
    const bool is_one = key >= 0 && key < std::ssize(units.keys());
    return is_one ? names_of_keys(units, {key})[0] : std::string();
}

std::string name_of_query(const app::Units& units, int query) {
    if (query < 0 || query >= std::ssize(units.queries())) return {};
    return names_of(units.queries(), {query}, [&](int unit) { return units.first_query(unit); })[0];
}

std::optional<int> largest_of_line(const num::Matrix<float>& map, int unit, bool of_key,
                                   const std::function<bool(int)>& shown) {
    if (unit < 0 || unit >= (of_key ? map.cols() : map.rows())) return std::nullopt;
    std::optional<int> best;
    float largest = -std::numeric_limits<float>::infinity();
    const auto count = static_cast<int>(of_key ? map.rows() : map.cols());
    for (int i = 0; i < count; ++i) {
        const float value = of_key ? map(i, unit) : map(unit, i);
        if (!(value > largest) || (shown && !shown(i))) continue;
        largest = value;
        best = i;
    }
    return best;
}

namespace {

/// True where no filter of this side leaves the unit out.
bool passes(const std::vector<int>& pinned, int first, int end) {
    const auto within = [&](int token) { return token >= first && token < end; };
    return pinned.empty() || std::ranges::any_of(pinned, within);
}

} // namespace

void choose_line(Panel& p, const app::Units& units, int unit, bool of_key) {
    const app::Snapshot& s = p.snapshot();
    const app::ViewState& view = p.state.view;
    auto [query, key] = p.selected().value_or(std::pair(units.first_query(0), units.first_key(0)));
    if (s.map && app::shows_pairs(s)) {
        const auto other = largest_of_line(*s.map, unit, of_key, [&](int i) {
            return of_key ? passes(view.pinned_queries, units.first_query(i), units.end_query(i))
                          : passes(view.pinned_keys, units.first_key(i), units.end_key(i));
        });
        if (other)
            return choose_cell(p, units,
                               of_key ? std::pair(*other, unit) : std::pair(unit, *other));
    }
    (of_key ? key : query) = of_key ? units.first_key(unit) : units.first_query(unit);
    p.state.view.selected = std::pair(query, key);
}

std::optional<app::MapPlace> selected_in_map(const Panel& p) {
    return app::place_in_map(p.snapshot(), p.state.view);
}

void choose_cell(Panel& p, const app::Units& units, std::pair<int, int> cell) {
    p.state.view.selected = app::strongest_token_cell(p.snapshot(), units, cell);
}

void show_part(Panel& p, const figure::Viewport& part, num::Index rows, num::Index cols) {
    auto& now = p.state.view.viewport;
    now = part;
    if (*now == figure::whole(rows, cols)) now.reset();
}

void look_at_cell(Panel& p) {
    const auto& map = p.snapshot().map;
    const auto place = selected_in_map(p);
    if (!p.state.view.viewport || !map || !place) return;
    figure::Viewport v = figure::inside(*p.state.view.viewport, map->rows(), map->cols());
    const auto move_into = [](float& from, float count, int at) {
        const auto first = static_cast<float>(at);
        from = std::clamp(from, first + 1 - count, first);
    };
    move_into(v.row, v.rows, place->row);
    if (place->col) move_into(v.col, v.cols, *place->col);
    show_part(p, figure::inside(v, map->rows(), map->cols()), map->rows(), map->cols());
}

} // namespace heed::ui
