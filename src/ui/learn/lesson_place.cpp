#include "ui/learn/lesson_place.hpp"

#include "ui/frame/choices.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"

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
};
constexpr PointedWidgets kPointed[] = {
    {LessonPlace::sentence, "source"}, {LessonPlace::model, "model"},
    {LessonPlace::views, "view"},      {LessonPlace::map, "picture"},
    {LessonPlace::heads, "heads"},     {LessonPlace::attention, "kind"},
    {LessonPlace::scale, "scale"},     {LessonPlace::temperature, "temperature"},
    {LessonPlace::mask, "mask"},       {LessonPlace::positions, "positions"},
    {LessonPlace::weight, "weight"},   {LessonPlace::train, "room/train"},
    {LessonPlace::play, "train/play"}};

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
    return around;
}

Box grown_by(const Box& box, float by) {
    return {box.x - by, box.y - by, box.w + 2 * by, box.h + 2 * by};
}

bool is_of_inspector(LessonPlace place) {
    constexpr LessonPlace kOfInspector[] = {LessonPlace::scale, LessonPlace::temperature,
                                            LessonPlace::mask, LessonPlace::positions,
                                            LessonPlace::weight};
    return std::ranges::find(kOfInspector, place) != std::end(kOfInspector);
}

/// A control of the inspector that is scrolled away, upwards or downwards, once.
void bring_into_view(Panel& p, LessonPlace place, const Box& around) {
    constexpr float kBeside = 12;
    if (!is_of_inspector(place) || std::exchange(p.state.learn->brought, true)) return;
    const float below = around.y + around.h + kBeside - p.ui.height();
    const float above = p.state.learn->card_top + kBeside - around.y;
    if (below <= 0 && above <= 0) return;
    float& offset = p.state.inspector_scroll.offset;
    offset = std::max(offset + (above > 0 ? -above : below), 0.0f);
    p.ui.wake_in(0);
}

/// Whether a cell of the map is chosen in it.
bool needs_map(const app::Lesson& lesson) {
    constexpr LessonPlace kOfMap[] = {LessonPlace::map, LessonPlace::weight};
    return std::ranges::find_first_of(lesson.points, kOfMap) != lesson.points.end();
}

/// Where the lesson points to: first to what is to be done next, then as it names them, the last
/// that can be seen.
std::vector<LessonPlace> points_now(const app::LessonRun& run) {
    std::vector<LessonPlace> points(run.lesson().points.rbegin(), run.lesson().points.rend());
    if (run.next() == run.lesson().checks.size()) return points;
    const auto wanted = app::place_for(run.lesson().checks[run.next()]);
    if (!wanted) return points;
    const auto at = std::ranges::find(points, *wanted);
    if (at != points.end()) std::rotate(points.begin(), at, at + 1);
    return points;
}

} // namespace

void go_to_lesson(Panel& p) {
    const app::Lesson& lesson = p.state.learn->run->lesson();
    if (!app::is_of_map(lesson) || !view_fits(p, app::View::heatmap)) return;
    p.state.view.view = p.state.explore_view = app::View::heatmap;
    p.state.view.compare = app::Compare::off;
    app::Focus focus = p.focus();
    clear_head_filter(p, focus);
    focus.stage = trace::Stage::weights;
    focus.times = app::Times::nothing;
    focus.combine.reset();
    if (!(focus == p.focus())) p.commands.push_back(ChangeFocus{std::move(focus)});
    p.ui.wake_in(0);
}

std::string lesson_elsewhere(const Panel& p) {
    const app::Lesson& lesson = p.state.learn->run->lesson();
    if (!app::is_of_map(lesson) || !view_fits(p, app::View::heatmap)) return {};
    if (!app::in_explore(p.state.view.view)) return "The task of this card is in Explore.";
    const bool there = !needs_map(lesson) || p.state.view.view == app::View::heatmap;
    return there ? "" : "The task of this card is in the view Heatmap.";
}

void point_for_lesson(Panel& p) {
    if (!follows_lesson(p.state)) return;
    p.state.learn->pointed.reset();
    if (p.ui.any_popup() || p.state.view.view == app::View::learn) return;
    const app::LessonRun& run = *p.state.learn->run;
    if (run.seen() || !run.cannot().empty() || !lesson_elsewhere(p).empty()) return;
    for (const LessonPlace place : points_now(run)) {
        const std::optional<Box> around = place_of(p, place);
        if (!around) continue;
        bring_into_view(p, place, *around);
        // What is scrolled away lies under something else.
        if (is_of_inspector(place) && around->y < p.state.learn->card_top) return;
        p.state.learn->pointed = around;
        p.ui.canvas.outline(grown_by(*around, 3), p.ui.theme().accent, 6, 2);
        return;
    }
}

} // namespace heed::ui
