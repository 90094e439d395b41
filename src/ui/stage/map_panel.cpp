#include "ui/stage/map_panel.hpp"

#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/reading.hpp"
#include "figure/base/fitted.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/figure_cache.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/cell_words.hpp"
#include "ui/stage/filter.hpp"
#include "ui/stage/links_below.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/stage/patch_pointing.hpp"
#include "ui/stage/pinning.hpp"
#include "ui/stage/scatter_pointing.hpp"
#include "ui/stage/slots.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/stage/tall_picture.hpp"
#include "ui/stage/thumbnail_words.hpp"
#include "ui/stage/view_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace heed::ui {

using app::View;

namespace {

float tabs_width(float available) { return available < 860 ? 404.0f : 440.0f; }
/// True where the tabs lie above the picture, in two rows: in one they are wider than it.
bool tabs_above(float available) { return available < tabs_width(available) + 2 * kMapPad; }
constexpr float kTabsAbove = 76; // their height, with what is free around them

/// `first`: of how many tabs, in rows above, these are the next.
void row_of_tabs(Panel& p, const Box& box, std::span<const View> views, std::size_t first = 0) {
    std::vector<std::string> labels, tips;
    std::uint32_t on = 0;
    for (const View view : views) {
        tips.push_back(fmt::format("{} ({})", app::info(view).tip, key_of_tab(view)));
        if (view == p.state.view.view) on = 1u << labels.size();
        labels.emplace_back(app::info(view).label);
    }
    // Few tabs stay as narrow as many.
    constexpr float kWidest = 96;
    const float w = std::min(box.w, kWidest * static_cast<float>(labels.size()));
    const Box place{box.x + box.w - w, box.y, w, box.h};
    const auto i = p.ui.segments(place, "view", labels, on, ~0u, static_cast<int>(first));
    p.ui.tips(tips);
    if (i) choose_view(p, views[static_cast<std::size_t>(*i)]);
}

void tell(Panel& p, const std::string& words) {
    if (!words.empty()) p.ui.tip_now(words);
}

/// True where the map's rows are keys: those of K and V.
bool rows_are_keys(const Panel& p) { return app::has_key_rows(p.snapshot().focus.stage); }

void point_at_thumbnail(Panel& p, const Pointing& to) {
    const auto [layer, head] = std::get<figure::tag::Head>(to.hit.tag);
    p.ui.tip_now(fmt::format("{}\n{}\n{}: view side by side",
                             head_words(p, to.figure, to.at, to.hit),
                             field_word_tip(FieldWord::head), keys_of(ActionId::keep_head)));
    p.state.stage->pointed_head = trace::HeadId{p.snapshot().focus.head.kind, layer, head};
    if (to.clicked && shim::shift_down()) {
        keep_head(p, *p.state.stage->pointed_head);
        const auto& slots = p.state.view.slots;
        if (std::find(slots.begin(), slots.end(), *p.state.stage->pointed_head) != slots.end()) {
            p.commands.push_back(Say{{"Shown large once the pointer leaves the grid", false}});
        }
    } else if (to.clicked) {
        app::Focus focus = p.focus();
        focus.head.layer = layer;
        focus.head.head = head;
        clear_head_filter(p, focus);
        p.commands.push_back(ChangeFocus{focus});
        p.state.view.view = View::heatmap;
    }
}

void point_at_stage(Panel& p, const Pointing& to) {
    const auto& strip = p.snapshot().strip;
    const int stage = std::get<figure::tag::Stage>(to.hit.tag).id;
    if (stage < 0 || stage >= static_cast<int>(strip.size())) return;
    const auto& item = strip[static_cast<std::size_t>(stage)];
    p.ui.tip_now(stage_words(p, to.figure, to.at, item));
    if (to.clicked && item.stage) choose_stage(p, *item.stage);
}

/// The square of one of several heads in Lines: its head is looked into.
void point_at_square(Panel& p, const Pointing& to) {
    const auto& square = std::get<figure::tag::Square>(to.hit.tag);
    const auto& overlay = p.snapshot().overlay;
    tell(p, square_words(p, square));
    const auto which = static_cast<std::size_t>(square.head);
    if (!to.clicked || square.head < 0 || which >= overlay.size()) return;
    app::Focus focus = p.focus();
    focus.head.head = overlay[which].first;
    p.commands.push_back(ChangeFocus{focus});
}

/// The chosen query and key or, where none are, the first that are shown.
std::pair<int, int> selected_or_first(const Panel& p, const app::Units& units) {
    return p.selected().value_or(std::pair(units.first_query(0), units.first_key(0)));
}

/// True where rows are queries and columns keys.
bool is_map_shown(const Panel& p) {
    const app::Focus& focus = p.snapshot().focus;
    return focus.combine || trace::is_map(focus.stage);
}

void note_token_strip(Panel& p, const figure::Hit& hit) {
    const auto of = std::get<figure::tag::Strip>(hit.tag).of;
    const bool keys = of == figure::StripOf::keys;
    if (!keys && of != figure::StripOf::queries) return;
    p.state.stage->pointed_word = {std::max(hit.row, hit.col), keys};
}

/// The word of a row or, `of_key`, of a column.
void point_at_word(Panel& p, const Pointing& to, int unit, bool of_key, bool links) {
    const bool of_map = shown_in(p) == app::Shows::map && is_map_shown(p);
    if (links || of_map) p.state.stage->pointed_word = {unit, of_key};
    if (links) {
        tell(p, token_words(p, unit, of_key));
        if (to.clicked) pin_token(p, unit, of_key);
        return;
    }
    if (shown_in(p) == app::Shows::map) {
        p.ui.tip_now(
            of_key
                ? "A key: what this token offers. Click to select the largest weight of its column"
                : "A query: what this token is looking for. Click to select the largest weight of "
                  "its row");
    }
    if (!to.clicked) return;
    choose_line(p, app::Units(p.snapshot(), units_shown(p)), unit, of_key);
}

void point_at_colour_bar(Panel& p, const Pointing& to) {
    tell(p, "Colours and range: click to choose");
    if (!to.clicked) return;
    p.state.stage->colours_at = p.ui.mouse();
    p.state.open_dialog = CardId::colours;
}

/// Says what a hit is, and does what a click on it does; `links`: of a picture of links, be it the
/// large one.
void point_at(Panel& p, const Pointing& to, bool links) {
    const auto own = row_of(p.state.view.view).point;
    if (!links && own && own(p, to)) return;
    const figure::Hit& hit = to.hit;
    if (hit.as<figure::tag::Head>()) return point_at_thumbnail(p, to);
    if (hit.as<figure::tag::Stage>()) return point_at_stage(p, to);
    if (hit.as<figure::tag::Square>()) return point_at_square(p, to);
    if (hit.as<figure::tag::Control>()) return point_at_colour_bar(p, to);
    if (hit.as<figure::tag::Slot>()) return;
    if (const auto* row = hit.as<figure::tag::RowLabel>()) {
        return point_at_word(p, to, row->query, false, links);
    }
    if (const auto* col = hit.as<figure::tag::ColLabel>()) {
        return point_at_word(p, to, col->key, true, links);
    }
    if (hit.as<figure::tag::Strip>()) {
        tell(p, strip_words(p, to.figure, hit));
        note_token_strip(p, hit);
        if (to.clicked) click_strip(p, hit);
        return;
    }
    tell(p, value_words(p, to.figure, to.at, hit));
    if (!to.clicked) return;
    if (const auto* link = hit.as<figure::tag::Link>()) {
        const app::Units units(p.snapshot(), units_shown(p, links));
        choose_cell(p, units, {link->query, link->key});
    } else if (const auto* bar = hit.as<figure::tag::Bar>()) {
        const int query = p.selected().value_or(std::pair(0, 0)).first;
        p.state.view.selected = {query, bar->place};
    }
}

/// Tip of a picture as a whole.
std::string picture_tip(const Panel& p, bool of_links) {
    const View view = of_links ? View::lines : p.state.view.view;
    const app::Focus& focus = p.snapshot().focus;
    const bool stage = view == View::heatmap && focus.stage != trace::Stage::weights;
    return stage ? stage_tip(focus.stage) : std::string(app::info(view).tip);
}

/// True of a place in the grid of all heads, be it between two of them.
bool within_heads(const figure::Figure& figure, Point at) {
    bool left = false, right = false, above = false, below = false;
    for (const figure::Target& t : figure.targets) {
        if (!t.as<figure::tag::Head>()) continue;
        left |= t.box.x <= at.x;
        right |= t.box.x + t.box.w > at.x;
        above |= t.box.y <= at.y;
        below |= t.box.y + t.box.h > at.y;
    }
    return left && right && above && below;
}

void picture(Panel& p, const figure::Figure& figure, const Box& box, const char* id,
             bool of_links = false) {
    const app::Shows shows = of_links ? app::Shows::links : shown_in(p);
    const bool heads = shows == app::Shows::heads;
    std::optional<SlotButtons> buttons; // they lie upon the picture
    if (heads) buttons.emplace(p, figure, box);
    const Box pressed{box.x, box.y, box.w - (is_tall(figure, box) ? Scroll::kThumb : 0), box.h};
    const Press press = p.ui.area(pressed, id, id, Widget::Kind::area, false, true);
    p.ui.tip(picture_tip(p, of_links));
    const Point corner = paint_picture(p, figure, box);
    if (!of_links) {
        const bool near = press.hovered || (p.ui.keyboard_visible() && p.ui.keyboard_at() == id);
        fade_handles(p, figure, corner, p.ui.theme().ground, near,
                     p.state.stage->handles_of_picture);
    }
    draw_scroll_hints(p, figure, box);
    const bool links = shows == app::Shows::links, map = shows == app::Shows::map;
    if (map || links || heads) draw_pointed(p, figure, box, links);
    if (buttons) buttons->draw();
    const bool strokes = map && stroke_on_map(p, figure, box, press);
    const bool looks = strokes || ((map || heads) && look_around(p, figure, box, press));
    const Point mouse = p.ui.mouse();
    const Point at{mouse.x - corner.x, mouse.y - corner.y};
    p.state.stage->over_heads |= heads && within_heads(figure, at);
    if (!press.hovered) return;
    const auto hit = figure::pick(figure, at);
    if (!hit) {
        if (links && press.clicked) let_go_of_tokens(p);
        if (p.state.view.view == View::inside) p.ui.tip_now({}); // what the room is, its rail says
        return;
    }
    if (map || links) point_out(p, *hit, links);
    point_at(p, {figure, at, *hit, press.clicked && !looks}, links);
}

bool has_strips(const figure::Figure& map) {
    return std::ranges::any_of(map.targets, [](const figure::Target& target) {
        return target.as<figure::tag::Strip>() != nullptr;
    });
}

/// On the way into a comparison a selected cell that did not change gives way to the one that
/// changed most.
void select_changed(Panel& p) {
    const app::Snapshot& s = p.snapshot();
    std::optional<bool>& compared = p.state.stage->compared;
    const bool compares =
        p.state.view.compare != app::Compare::off && shown_in(p) == app::Shows::map;
    if (!compares) {
        compared = false;
        return;
    }
    if (compared.value_or(true) || !s.reference || !s.reference->map) return;
    compared = true;
    const auto cell = app::shows_pairs(s) ? app::most_changed(s) : std::nullopt;
    if (!cell) return;
    const app::Units units(s, units_shown(p));
    const auto shown = app::shown_cell(s, p.state.view, units);
    const num::Matrix<float>& difference = *s.reference->difference;
    const bool changed = shown && shown->first < difference.rows() &&
                         shown->second < difference.cols() &&
                         difference(shown->first, shown->second) != 0;
    if (!changed) choose_cell(p, units, *cell);
}

} // namespace

void view_tabs(Panel& p, const Box& box, float top) {
    std::vector<View> all;
    for (const View view : app::kExploreViews) {
        if (view_fits(p, view)) all.push_back(view);
    }
    const std::span<const View> views(all);
    if (!tabs_above(box.w)) {
        const float tabs = tabs_width(box.w);
        row_of_tabs(p, {box.x + box.w - kMapPad - tabs, top + 14, tabs, 28}, views);
        return;
    }
    const std::size_t half = (views.size() + 1) / 2;
    row_of_tabs(p, {box.x + 10, top + 10, box.w - 20, 28}, views.first(half));
    row_of_tabs(p, {box.x + 10, top + 42, box.w - 20, 28}, views.subspan(half), half);
}

namespace {

void click_cell(Panel& p, const figure::Hit& hit) {
    const auto& snapshot = p.snapshot();
    if (!snapshot.map || hit.row < 0 || hit.col < 0 || hit.row >= snapshot.map->rows() ||
        hit.col >= snapshot.map->cols()) {
        return;
    }
    auto& selected = p.state.view.selected;
    const app::Units units(snapshot, units_shown(p));
    const auto [query, key] = selected_or_first(p, units);
    if (!trace::is_map(snapshot.focus.stage)) { // its row is a query or a key, its column a feature
        selected = rows_are_keys(p) ? std::pair(query, units.first_key(hit.row))
                                    : std::pair(units.first_query(hit.row), key);
    } else if (app::shown_cell(snapshot, p.state.view, units) == std::pair(hit.row, hit.col)) {
        selected.reset();
    } else {
        choose_cell(p, units, {hit.row, hit.col});
    }
}

} // namespace

bool point_at_map(Panel& p, const Pointing& to) {
    if (to.hit.as<figure::tag::Cells>()) {
        tell(p, cell_words(p, to.figure, to.hit));
        if (to.clicked) click_cell(p, to.hit);
        return true;
    }
    if (const auto* row = to.hit.as<figure::tag::RowLabel>()) {
        if (to.clicked && rows_are_keys(p)) {
            choose_line(p, app::Units(p.snapshot(), units_shown(p)), row->query, true);
        }
        return rows_are_keys(p);
    }
    return to.hit.as<figure::tag::ColLabel>() && !trace::is_map(p.snapshot().focus.stage);
}

bool point_at_heads(Panel& p, const Pointing& to) {
    if (point_at_scatter(p, to)) return true;
    const figure::Hit& hit = to.hit;
    const bool kept = hit.as<figure::tag::Cells>() || hit.as<figure::tag::Slot>() ||
                      hit.as<figure::tag::RowLabel>() || hit.as<figure::tag::ColLabel>();
    if (kept) point_at_slot(p, hit, to.clicked);
    return kept;
}

bool has_tabs(const WindowState& state) {
    return app::in_explore(state.view.view) && !state.layout.presenting;
}

app::Place main_place(float width, float height, const WindowState& state) {
    constexpr float kHint = 340; // of the words in the corner
    const bool tabs = has_tabs(state) && !tabs_above(width);
    const bool hint = state.layout.presenting && state.view.compare == app::Compare::off;
    const float beside = hint ? kHint : tabs ? tabs_width(width) + 8 : 0;
    app::Place place{width, height, beside, true, is_read(state.layout, height)};
    place.grows = !state.layout.presenting && !state.layout.with_card;
    return place;
}

figure::Figure main_figure(const app::Snapshot& snapshot, const app::ViewState& view,
                           const app::Place& place, bool presents) {
    const bool map = app::info(view.view).shows == app::Shows::map;
    if (!presents || !map) return app::make_figure(snapshot, view, place);
    return figure::centred(place.width, [&](float width) {
        return app::make_figure(snapshot, view, narrowed(place, width));
    });
}

void map_panel(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    c.fill(box, ui.theme().ground);
    const auto& snapshot = p.snapshot();
    if (!snapshot.run) {
        if (!snapshot.error) {
            c.text({box.x, box.y, box.w, box.h}, Face::body, ui.theme().muted,
                   "Preparing the model \u2026", AlignX::centre);
        }
        draw_remarks(p, inset(box, kMapPad, 0));
        tell_notice(p, box, tabs_above(box.w));
        return;
    }
    select_changed(p);
    float top = box.y;
    // Before the picture that they lie upon: who asks for the pointer first gets it.
    const bool with_tabs = has_tabs(p.state);
    if (with_tabs) {
        view_tabs(p, box, top);
        if (tabs_above(box.w)) top += kTabsAbove;
    }
    const float width = box.w, height = box.y + box.h - top;
    const float links_height = height_of_links(p, width, height);
    const bool with_links = links_height > 0;
    const float said = height_of_remarks(p, inset(box, kMapPad, 0).w);
    // Pictures have words at their foot too: what is said there lies below them. Links give way
    // first.
    const float foot = height_of_foot(p, box, tabs_above(box.w));
    const float of_links = with_links ? std::min(foot, links_height - kLeastLinksBelow) : 0;
    const float left = std::max(height - links_height - (foot - of_links), height * 0.4f);
    const Box main{box.x, top, width, left};
    app::Place place = main_place(main.w, height_of_picture(p, main), p.state);
    place.pixels = p.ui.canvas.scale();
    FigureCache::Key key = figure_key(p, place.width, place.height);
    key.view.caption = false;
    key.view.title = key.view.bar = true; // what a file leaves out the window shows
    key.extra = p.state.layout.presenting;
    const figure::Figure& map = p.figures.get(FigureCache::Slot::main, key, [&] {
        return main_figure(snapshot, key.view, place, p.state.layout.presenting);
    });
    p.state.stage->stacked = map.stacked;
    p.state.picture.heads_in_row = heads_in_row(map);
    p.state.picture.links = with_links;
    p.state.picture.strips = shown_in(p) == app::Shows::map && has_strips(map);
    p.state.picture.width = main.w;
    p.state.picture.height = place.height;
    if (!app::in_explore(p.state.view.view)) p.state.picture.drawn = figure::drawn_box(map);
    // A token under the pointer takes its links out of the others; going away is no work.
    key.hovered = shown_in(p) == app::Shows::links     ? hovered_unit(p)
                  : shown_in(p) == app::Shows::patches ? hovered_patch(p)
                                                       : app::Hovered{};
    const bool isolates = key.hovered != app::Hovered{};
    const auto isolated = [&] { return app::make_figure(snapshot, key.view, place, key.hovered); };
    offer_another(p, main, map);
    picture(p, isolates ? p.figures.get(FigureCache::Slot::hovered, key, isolated) : map, main,
            "picture");
    if (with_links) {
        const float high = links_height - of_links - foot_of_screen(p.state.layout);
        const Box below{box.x, main.y + main.h, width, high};
        FigureCache::Key links_key = figure_key(p, below.w, below.h);
        links_key.view.caption = false;
        links_key.view.viewport.reset();
        const app::Place links_at = links_place(below.w, below.h, map);
        links_key.above = links_at.above;
        const figure::Figure& links = p.figures.get(FigureCache::Slot::links, links_key, [&] {
            return app::make_figure(snapshot, links_key.view, links_at);
        });
        picture(p, links, below, "links", true);
        name_links(p, below, map, key.view.compare != app::Compare::off);
    }

    // Positions are of a model, whatever it reads.
    const bool of_run = p.state.view.view != app::View::positions || !p.work.ran_present_model();
    if (of_run) dim_former(p, {box.x, top, box.w, box.y + box.h - top - said}, map);
    draw_remarks(p, inset(box, kMapPad, 0));
    tell_notice(p, box, tabs_above(box.w));
}

} // namespace heed::ui
