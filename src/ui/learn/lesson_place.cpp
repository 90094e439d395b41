#include "ui/learn/lesson_place.hpp"

#include "app/learn/scaled_head.hpp"
#include "app/views/map_views.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/train/train_state.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::ui {

namespace {

using app::LessonPlace;

/// A place's widgets: one of this id, or all whose ids go on behind it with a slash.
struct PointedWidgets {
    LessonPlace place;
    std::string_view id;
    // So far inside of it its frame lies, where other words and handles are beside it.
    float across = 0, down = 0;
};
constexpr PointedWidgets kPointed[] = {
    {LessonPlace::sentence, "source"},     {LessonPlace::model, "model"},
    {LessonPlace::views, "view"},          {LessonPlace::map, "picture", 21, 8},
    {LessonPlace::heads, "heads", 10, 8},  {LessonPlace::attention, "kind"},
    {LessonPlace::scale, "scale"},         {LessonPlace::temperature, "temperature"},
    {LessonPlace::mask, "mask"},           {LessonPlace::positions, "positions"},
    {LessonPlace::apply, "apply"},         {LessonPlace::weight, "weight"},
    {LessonPlace::train, "room/train", 2}, {LessonPlace::tasks, "train/task"},
    {LessonPlace::play, "train/play"}};

Box grown_by(const Box& box, float across, float down) {
    return {box.x - across, box.y - down, box.w + 2 * across, box.h + 2 * down};
}

/// Around all widgets of a place; nothing where none is on the screen.
std::optional<Box> place_of(const Panel& p, LessonPlace place) {
    const auto* at = std::ranges::find(kPointed, place, &PointedWidgets::place);
    std::optional<Box> around;
    for (const Widget& w : p.ui.widgets()) {
        const bool goes_on =
            w.id.starts_with(at->id) && w.id.size() > at->id.size() && w.id[at->id.size()] == '/';
        // A scrolled panel's bar bears the name of what is in it.
        if ((w.id != at->id && !goes_on) || w.id.ends_with("/scroll")) continue;
        const Box& now = around ? *around : w.box;
        const float right = std::max(now.x + now.w, w.box.x + w.box.w);
        const float low = std::max(now.y + now.h, w.box.y + w.box.h);
        const float x = std::min(now.x, w.box.x), y = std::min(now.y, w.box.y);
        around = Box{x, y, right - x, low - y};
    }
    return around ? std::optional(grown_by(*around, -at->across, -at->down)) : std::nullopt;
}

constexpr float kRingAcross = 5, kRingDown = 3; // of its frame, around what it points to

constexpr LessonPlace kOfInspector[] = {LessonPlace::scale, LessonPlace::temperature,
                                        LessonPlace::mask,  LessonPlace::positions,
                                        LessonPlace::apply, LessonPlace::weight};
constexpr LessonPlace kOfLeft[] = {LessonPlace::attention, LessonPlace::heads, LessonPlace::tasks};

bool is_of_inspector(LessonPlace place) {
    return std::ranges::find(kOfInspector, place) != std::end(kOfInspector);
}

bool is_of_left(LessonPlace place) {
    return std::ranges::find(kOfLeft, place) != std::end(kOfLeft);
}

/// True while a panel is put away that the lesson points into.
bool lacks_panel(const Panel& p, const app::Lesson& lesson) {
    return std::ranges::any_of(lesson.points, [&](LessonPlace place) {
        return (is_of_left(place) && !p.state.layout.panels.shows_left) ||
               (is_of_inspector(place) && !p.state.layout.panels.shows_right);
    });
}

/// How far the panel is scrolled that a place is in.
Scroll& scroll_of(Panel& p, LessonPlace place) {
    if (is_of_inspector(place)) return p.state.explore->inspector_scroll;
    if (place == LessonPlace::tasks) return p.state.train->left_scroll;
    const app::View view = p.state.view.view;
    return app::in_explore(view) ? p.state.explore->left_scroll
                                 : p.state.explore->left_scroll_of[view];
}

/// A control of a panel that is scrolled away, upwards or downwards: once, when `next` becomes the
/// next, which is the control or what is chosen for it.
void bring_into_view(Panel& p, LessonPlace place, const Box& around, LessonPlace next) {
    constexpr float kBeside = 12, kLabel = 26; // the label of a choice stands above it
    if (!is_of_inspector(place) && !is_of_left(place)) return;
    if (std::exchange(p.state.learn->brought, next) == next) return;
    const float below = around.y + around.h + kBeside - p.ui.height();
    const float line = is_of_inspector(place) ? kLabel : 0;
    const float above = p.state.learn->card_top + kBeside + line - around.y;
    if (below <= 0 && above <= 0) return;
    float& offset = scroll_of(p, place).offset;
    offset = std::max(offset + (above > 0 ? -above : std::min(below, -above)), 0.0f);
    p.ui.wake_in(0);
}

/// True where a cell of the map is chosen in it.
bool needs_map(const app::Lesson& lesson) {
    constexpr LessonPlace kOfMap[] = {LessonPlace::map, LessonPlace::weight};
    return std::ranges::find_first_of(lesson.points, kOfMap) != lesson.points.end();
}

/// True where a cell with a small weight is chosen, as a lesson on edits asks for.
bool chose_little(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    const auto cell = app::selected_cell(s, p.state.view);
    const auto map = s.run ? s.run->trace.map(s.focus.head) : std::nullopt;
    return cell && map && app::has_little(*map, cell->first, cell->second);
}

/// True while the next thing to do is to set a cell's weight.
bool sets_weight(const app::LessonRun& run) {
    const auto& checks = run.lesson().checks;
    return run.next() < checks.size() && app::place_for(checks[run.next()]) == LessonPlace::weight;
}

/// Places that the lesson points to: first what is to be done next, then as it names them, the last
/// that can be seen.
std::vector<LessonPlace> points_now(const Panel& p, const app::LessonRun& run) {
    std::vector<LessonPlace> points(run.lesson().points.rbegin(), run.lesson().points.rend());
    const auto first = [&](LessonPlace place) {
        const auto at = std::ranges::find(points, place);
        if (at != points.end()) std::rotate(points.begin(), at, at + 1);
    };
    const bool asks = run.next() < run.lesson().checks.size();
    if (const auto next = asks ? app::place_for(run.lesson().checks[run.next()]) : std::nullopt) {
        first(*next);
        if (*next == LessonPlace::weight && !chose_little(p)) first(LessonPlace::map);
    }
    // What a control is for is chosen before it.
    if (p.state.choices.apply_to == ApplyTo::model) {
        std::erase(points, LessonPlace::apply);
    } else {
        first(LessonPlace::apply);
    }
    return points;
}

/// The edge whose panel the next thing is in.
std::optional<Edge> edge_of_next(const Panel& p, const app::LessonRun& run) {
    const std::vector<LessonPlace> points = points_now(p, run);
    if (points.empty()) return std::nullopt;
    if (is_of_inspector(points.front())) return Edge::right;
    const bool trains = p.state.view.view == app::View::train;
    if (points.front() == LessonPlace::tasks && !trains) return std::nullopt;
    return is_of_left(points.front()) ? std::optional(Edge::left) : std::nullopt;
}

/// True where a panel is not on the screen: the window is too narrow for it.
bool has_no_room(const Panel& p, Edge edge) {
    return p.snapshot().run && !p.state.layout.seen_panels[index_of(edge)];
}

/// Words for where the task is, if not on the screen; the width of the window aside.
std::string elsewhere(const Panel& p) {
    const app::Lesson& lesson = p.state.learn->run->lesson();
    if (!app::is_of_map(lesson) || !view_fits(p, app::View::heatmap)) return {};
    if (!app::in_explore(p.state.view.view)) return "The task of this card is in Explore.";
    const bool there = !needs_map(lesson) || p.state.view.view == app::View::heatmap;
    if (!there) return "The task of this card is in the view Heatmap.";
    return lacks_panel(p, lesson) ? "The task of this card is in a panel that is hidden." : "";
}

} // namespace

void go_to_lesson(Panel& p) {
    const app::Lesson& lesson = p.state.learn->run->lesson();
    if (!app::is_of_map(lesson) || !view_fits(p, app::View::heatmap)) return;
    p.state.view.view = p.state.choices.explore_view = app::View::heatmap;
    p.state.view.compare = app::Compare::off;
    if (lacks_panel(p, lesson))
        p.state.layout.panels.shows_left = p.state.layout.panels.shows_right = true;
    app::Focus focus = p.focus();
    clear_head_filter(p, focus);
    focus.stage = trace::Stage::weights;
    focus.times = app::Times::nothing;
    focus.combine.reset();
    const auto& run = p.snapshot().run;
    const bool begins = p.state.learn->run->next() == 0; // later another head would be found
    const bool moves = lesson.at_head_of_scale && begins && run;
    if (const auto head = moves ? app::head_of_scale(*run) : std::nullopt) {
        if (head->kind != focus.head.kind) p.state.view.selected.reset();
        focus.head = *head;
    }
    if (!(focus == p.focus())) p.commands.push_back(ChangeFocus{std::move(focus)});
    p.ui.wake_in(0);
}

std::string lesson_elsewhere(const Panel& p) {
    std::string why = elsewhere(p);
    if (why.empty() && p.state.learn->unfit) {
        const std::string side = *p.state.learn->unfit == Edge::left ? "left" : "right";
        why = "This task is in the " + side +
              (p.state.layout.presenting
                   ? " panel, which slides in at the edge."
                   : " panel, which has no room here: open it, or widen the window.");
    }
    return why;
}

void point_for_lesson(Panel& p) {
    if (!follows_lesson(p.state)) return;
    p.state.learn->pointed.reset();
    if (p.ui.any_popup() || p.state.view.view == app::View::learn) return;
    const std::optional<Edge> unfit = std::exchange(p.state.learn->unfit, {});
    const app::LessonRun& run = *p.state.learn->run;
    const bool follows = !run.seen() && run.cannot().empty() && !run.needs_fresh_run();
    if (!follows || !elsewhere(p).empty()) return;
    const bool turns = p.state.learn->turned_at && !p.ui.keyboard_visible();
    if (!turns) p.state.learn->needs = edge_of_next(p, run);
    if (p.state.learn->needs && has_no_room(p, *p.state.learn->needs))
        p.state.learn->unfit = p.state.learn->needs;
    if (p.state.learn->unfit != unfit) p.ui.wake_in(0);
    for (const LessonPlace place : points_now(p, run)) {
        if (place == LessonPlace::play && p.experiment.learning()) return; // that would pause it
        const std::optional<Box> around = place_of(p, place);
        if (!around) continue;
        bring_into_view(p, place, *around, place);
        // What is set in the cell that is still to be chosen is seen beside it.
        const std::optional<Box> weight =
            place == LessonPlace::map ? place_of(p, LessonPlace::weight) : std::nullopt;
        if (weight && sets_weight(run)) bring_into_view(p, LessonPlace::weight, *weight, place);
        // A widget that is scrolled away lies under something else.
        const bool of_panel = is_of_inspector(place) || is_of_left(place);
        if (of_panel && around->y < p.state.learn->card_top) return;
        p.state.learn->pointed = around;
        Box ring = grown_by(*around, kRingAcross, kRingDown);
        const float cut = std::max(1 - ring.x, 0.0f); // at the window's edge
        ring.x += cut;
        ring.w -= cut;
        p.ui.canvas.outline(ring, p.ui.theme().accent, 6, 2);
        return;
    }
}

} // namespace heed::ui
