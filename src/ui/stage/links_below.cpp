#include "ui/stage/links_below.hpp"

#include "app/engine/merging.hpp"
#include "app/views/map_views.hpp"
#include "figure/base/fitted.hpp"
#include "figure/views/links.hpp"
#include "ui/frame/shown_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace heed::ui {

namespace {

constexpr float kForSlanted = 170;

/// True where words stand upright in lines below a map, or slanted without being cut.
bool words_fit_below(const Panel& p, float width, float height) {
    constexpr float kAxis = 90;
    if (height >= kForSlanted) return true;
    const app::Units units(p.snapshot(), units_shown(p, true));
    for (const auto* tokens : {&units.queries(), &units.keys()}) {
        float widest = 0;
        for (const text::Token& token : *tokens) {
            widest = std::max(widest, p.ui.canvas.width_of(Face::small, token.text));
        }
        if ((widest + 6) * static_cast<float>(tokens->size()) > width - kAxis) return false;
    }
    return true;
}

/// False where links below a map would be no more than a scrap between the words of their tokens.
bool links_are_seen(const Panel& p, float height) {
    constexpr float kLeast = 40;             // of the links
    constexpr float kWords = 34, kNote = 16; // of a line of tokens, of the words above
    const bool between = p.snapshot().focus.head.kind == trace::AttentionKind::cross ||
                         p.state.view.columns; // two lines of tokens
    const bool compares = p.state.view.compare != app::Compare::off && p.snapshot().reference;
    return height >= kLeast + (between ? 2 : 1) * kWords + (compares ? kNote : 0);
}

/// False where links below a map would leave its rows no room for their names, or, below the card
/// of a lesson, for cells to click.
bool rows_stay_named(num::Index rows, const LayoutState& layout, float height, float for_links) {
    const float around = layout.presenting ? 270 : 230; // titles, names of columns and margins
    constexpr float kName = 11, kCell = 22;
    const float needed = around + (layout.with_card ? kCell : kName) * static_cast<float>(rows);
    return needed <= height - for_links || needed > height;
}

/// The size of the names of a map's columns; 0 where it has none.
float type_of_columns(const figure::Figure& map) {
    Point from{1e9f, 1e9f}, to{-1e9f, -1e9f}; // around the columns' labels
    for (const figure::Target& target : map.targets) {
        if (!target.as<figure::tag::ColLabel>()) continue;
        const Box& box = target.box;
        from = {std::min(from.x, box.x), std::min(from.y, box.y)};
        to = {std::max(to.x, box.x + box.w), std::max(to.y, box.y + box.h)};
    }
    float size = 0;
    for (const figure::Primitive& item : map.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        const bool inside = text && text->at.x >= from.x && text->at.x <= to.x &&
                            text->at.y >= from.y && text->at.y <= to.y;
        if (inside) size = std::max(size, text->style.size);
    }
    return size;
}

} // namespace

bool is_read(const LayoutState& layout, float height) {
    constexpr float kLow = 420;
    return !layout.with_card || height >= kLow;
}

float height_of_links(const Panel& p, float width, float height) {
    const auto& snapshot = p.snapshot();
    const bool small = shown_in(p) == app::Shows::map && snapshot.map &&
                       snapshot.map->rows() <= 64 && snapshot.map->cols() <= 64 &&
                       trace::is_map(snapshot.focus.stage);
    float for_links = std::clamp(height * 0.26f, 110.0f, 260.0f);
    // Two maps beside each other are narrow, and leave height below them.
    constexpr float kTwoMaps = 430;
    const bool two = small && app::shows_beside(snapshot, p.state.view);
    if (two && height >= kTwoMaps + kForSlanted) for_links = std::max(for_links, kForSlanted);
    const bool fit = small && height > 430 && is_read(p.state.layout, height - for_links) &&
                     rows_stay_named(snapshot.map->rows(), p.state.layout, height, for_links) &&
                     links_are_seen(p, for_links) && words_fit_below(p, width, for_links);
    return fit ? for_links : 0;
}

void name_links(Panel& p, const Box& below, const figure::Figure& map, bool compares) {
    const app::Snapshot& now = p.snapshot();
    const app::ViewState& view = p.state.view;
    const bool compared = compares && now.reference;
    const bool of_weights =
        now.focus.stage == trace::Stage::weights && now.focus.times == app::Times::nothing;
    const bool filtered = !view.pinned_queries.empty() || !view.pinned_keys.empty();
    std::string words = !of_weights ? "Links of the weights"
                        : compared  ? "Links of the current map"
                                    : "";
    if (!filtered && view.threshold < 1) {
        words += words.empty() ? "Top links" : " \u00b7 top links";
        // Of a large map there are no more than so many.
        if (static_cast<std::size_t>(now.map->size()) <= figure::kMostLinksBelow)
            words += fmt::format(" ({:.0f} % of attention)", 100 * view.threshold);
    }
    const float left = std::max(figure::drawn_box(map).x, kMapPad); // of a centred picture
    constexpr float kAbove = 5; // clear of the words of the links, in the free foot of the map
    p.ui.canvas.text({below.x + left, below.y - kAbove, below.w - left - kMapPad, 16}, Face::small,
                     p.ui.theme().muted, words);
}

app::Place links_place(float width, float height, const figure::Figure& map) {
    app::Place place{width, height};
    place.titled = false;
    place.links_of_map = true;
    int maps = 0;
    for (const figure::Target& target : map.targets) {
        if (!target.as<figure::tag::Cells>()) continue;
        ++maps;
        place.above = {target.box.x, target.box.w, type_of_columns(map)};
    }
    if (maps > 1) place.above.reset();
    return place;
}

float foot_of_screen(const LayoutState& layout) {
    constexpr float kAsTheTitle = 12;
    return layout.presenting ? kAsTheTitle : 0;
}

app::Place narrowed(app::Place place, float width) {
    const float beside = (place.width - width) / 2; // lies right of the picture
    place.width = width;
    if (place.beside_title > 0) place.beside_title = std::max(place.beside_title - beside, 1.f);
    return place;
}

} // namespace heed::ui
