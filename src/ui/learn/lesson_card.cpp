// The card of a lesson that is followed, and what it points to.
#include "app/files/shipped_models.hpp"
#include "ui/frame/choices.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

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

std::uint64_t farthest_step(const app::ExperimentSnapshot& now) {
    std::uint64_t step = 0;
    for (const app::Trainee& trainee : now.trainees) step = std::max(step, trainee.step);
    return step;
}

/// Of the farthest model. Steps that an experiment had taken when the card was begun do not count.
std::optional<app::TrainingFact> training_of(const Panel& p, LearnState& state) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.trainees.empty()) return std::nullopt;
    const std::uint64_t step = farthest_step(now);
    if (!state.begun_at || state.begun_at->first != now.number || step < state.begun_at->second) {
        const bool first = !state.begun_at; // later ones begin while the card is there
        state.begun_at = {now.number, first ? step : 0};
    }
    app::TrainingFact fact{step - state.begun_at->second, 0, std::nullopt};
    for (const app::Trainee& trainee : now.trainees) {
        if (trainee.step != step || trainee.history->held_out.empty()) continue;
        const train::HeldOutPoint& point = trainee.history->held_out.back();
        fact.measured_at = point.step;
        fact.accuracy = point.measures.label_accuracy.value_or(point.measures.exact_match);
        break;
    }
    return fact;
}

/// Looks at the live state where it is another one than before.
void watch(Panel& p, LearnState& state) {
    const auto training = training_of(p, state);
    const auto& snapshot = p.work.shared_snapshot();
    if (state.watched == snapshot && state.watched_view == p.state.view &&
        state.watched_training == training) {
        return;
    }
    state.watched = snapshot;
    state.watched_view = p.state.view;
    state.watched_training = training;
    state.run->watch({*snapshot, p.state.view, training, state.patterns});
    if (state.run->seen()) state.note_card(state.lessons[*state.lesson].name);
}

void top_row(Panel& p, Form& f, const LearnState& state) {
    const std::size_t at = *state.lesson, last = state.lessons.size() - 1;
    Line line = f.line(26, 4);
    if (f.aside(line, "close", "Close")) close_lesson(p);
    f.tip("Puts the card away; the Learn room has it again");
    if (f.aside(line, "next", "Next", at < last)) begin_lesson(p.state, at + 1);
    f.tip(at < last ? state.lessons[at + 1].lesson.title : "This is the last card");
    if (f.aside(line, "back", "Back", at > 0)) begin_lesson(p.state, at - 1);
    f.tip(at > 0 ? state.lessons[at - 1].lesson.title : "This is the first card");
    f.text(line.rest, Face::brand, p.ui.theme().text,
           fmt::format("{} · {}", at + 1, state.lessons[at].lesson.title));
}

void guess_rows(Panel& p, Form& f, LearnState& state) {
    f.paragraph("Guess first: " + state.run->lesson().guess->question, p.ui.theme().accent);
    f.space(2);
    Line line = f.line(28, 6);
    const Box field = line.left(std::clamp(line.rest.w - 160, 60.0f, 260.0f));
    const Box send = line.left(70), skip = line.left(60);
    const auto typed = f.field(field, "guess", "your guess", state.guess);
    f.tip("What you think; the card tells what was measured when it is done");
    if (f.button(send, "send", "Guess", Ui::ButtonLook::plain, !state.guess.empty()) ||
        (typed.entered && !state.guess.empty())) {
        state.run->guess(state.guess);
    }
    f.tip("Keeps your guess until it is measured");
    if (f.button(skip, "skip", "Skip", Ui::ButtonLook::quiet)) state.run->guess("");
    f.tip("Goes on without a guess");
}

/// The conditions in words, as many lines as they take.
void check_rows(Panel& p, Form& f, const app::LessonRun& run) {
    constexpr float kBetween = 18, kHigh = 20;
    const figure::Theme& t = p.ui.theme();
    const auto& checks = run.lesson().checks;
    float x = f.x;
    Box row = f.row(kHigh, 2);
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const bool held = run.held(i);
        const std::string words = fmt::format("{} {}", held ? "✓" : "○", in_words(checks[i]));
        const float wide = std::min(p.ui.canvas.width_of(Face::small, words) + 2, f.w);
        if (x > f.x && x + wide > f.x + f.w) {
            row = f.row(kHigh, 2);
            x = f.x;
        }
        if (f.draws()) {
            const Box box{x, row.y, wide, row.h};
            p.ui.area(box, fmt::format("lesson/check/{}", i), checks[i].written);
            p.ui.tip(held             ? "This holds"
                     : checks[i].once ? "This has to hold at some time"
                                      : "This does not hold yet");
            p.ui.canvas.text(box, Face::small, held ? t.good : t.muted, words);
        }
        x += wide + kBetween;
    }
}

void offer_default(Panel& p, Form& f, const app::LessonRun& run) {
    f.paragraph(run.cannot(), p.ui.theme().bad);
    const std::string name = app::default_model();
    if (name.empty()) return;
    const app::ShippedTitle title = app::shipped_title(name);
    Line line = f.line(28, 4);
    if (f.button(line.left(std::min(line.rest.w, 280.0f)), "default",
                 fmt::format("Open {} ({})", title.task, title.kind), Ui::ButtonLook::accent)) {
        p.commands.push_back(OpenFile{app::shipped_model(name)});
    }
    f.tip("Opens the model that Heed starts with, in which this card can be followed");
}

void card_rows(Panel& p, Form& f, LearnState& state) {
    const figure::Theme& t = p.ui.theme();
    top_row(p, f, state);
    app::LessonRun& run = *state.run;
    for (const std::string& paragraph : run.lesson().words) f.paragraph(paragraph);
    f.space(4);
    if (!run.cannot().empty()) return offer_default(p, f, run);
    if (run.asks()) guess_rows(p, f, state);
    f.paragraph("→ " + run.lesson().task, t.text);
    f.space(2);
    check_rows(p, f, run);
    if (run.seen()) f.paragraph("✓ " + run.said(), t.good);
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
    if (std::exchange(p.state.learn->brought, true)) return;
    if (!is_of_inspector(place)) return;
    const float below = around.y + around.h + kBeside - p.ui.height();
    const float above = p.state.learn->card_top + kBeside - around.y;
    if (below <= 0 && above <= 0) return;
    float& offset = p.state.inspector_scroll.offset;
    offset = std::max(offset + (above > 0 ? -above : below), 0.0f);
    p.ui.wake_in(0);
}

} // namespace

void begin_lesson(WindowState& window, std::size_t lesson) {
    LearnState& state = learn_state(window);
    if (lesson >= state.lessons.size()) return;
    state.lesson = lesson;
    state.run.emplace(state.lessons[lesson].lesson);
    state.guess.clear();
    state.watched.reset();
    state.brought = false;
    state.begun_at.reset();
    if (window.view.view == app::View::learn) window.view.view = window.explore_view;
}

void follow_lesson(WindowState& window, std::string_view name) {
    const auto& lessons = learn_state(window).lessons;
    const auto at = std::ranges::find(lessons, name, &app::ListedLesson::name);
    if (at != lessons.end()) begin_lesson(window, static_cast<std::size_t>(at - lessons.begin()));
}

bool take_lesson(WindowState& window, Notice& notice, const std::string& path) {
    app::ReadLesson read = app::read_lesson(path);
    if (read.lesson.task.empty() && read.lesson.checks.empty()) return false;
    if (!read.wrong.empty()) {
        notice = {base::describe(read.wrong.front()), true};
        return true;
    }
    LearnState& state = learn_state(window);
    std::erase_if(state.lessons, [&](const auto& entry) { return entry.lesson.file == path; });
    const std::string name = std::filesystem::path(path).stem().string();
    state.lessons.push_back({name, std::move(read.lesson), true});
    begin_lesson(window, state.lessons.size() - 1);
    return true;
}

void close_lesson(Panel& p) {
    LearnState& state = learn_state(p);
    state.lesson.reset();
    p.ui.wake_in(0);
}

Box lesson_card(Panel& p, const Box& box) {
    if (!p.state.learn || !p.state.learn->lesson || p.state.view.view == app::View::learn) {
        return box;
    }
    LearnState& state = *p.state.learn;
    state.card_top = box.y;
    watch(p, state);
    constexpr float kBeside = 12, kInside = 14, kAbove = 8;
    const float width = box.w - 2 * kBeside - 2 * kInside;
    const float high = height_of(p.ui, width, [&](Form& f) { card_rows(p, f, state); });
    const Box card{box.x + kBeside, box.y + kAbove, box.w - 2 * kBeside, high + 2 * kAbove + 4};
    p.ui.canvas.fill({box.x, box.y, box.w, card.h + 2 * kAbove}, p.ui.theme().ground);
    p.ui.canvas.fill(card, p.ui.theme().panel, 8);
    p.ui.canvas.outline(card, p.ui.theme().accent, 8);
    Form form(p.ui, card.x + kInside, card.y + kAbove, width, "lesson/");
    card_rows(p, form, state);
    const float taken = card.h + 2 * kAbove;
    return {box.x, box.y + taken, box.w, std::max(box.h - taken, 1.0f)};
}

void point_for_lesson(Panel& p) {
    if (!follows_lesson(p.state)) return;
    p.state.learn->pointed.reset();
    if (p.ui.any_popup()) return;
    const app::LessonRun& run = *p.state.learn->run;
    if (run.seen() || !run.cannot().empty()) return;
    const auto& points = run.lesson().points;
    for (auto place = points.rbegin(); place != points.rend(); ++place) {
        const std::optional<Box> around = place_of(p, *place);
        if (!around) continue;
        bring_into_view(p, *place, *around);
        // What is scrolled away lies under something else.
        if (is_of_inspector(*place) && around->y < p.state.learn->card_top) return;
        p.state.learn->pointed = around;
        p.ui.canvas.outline(grown_by(*around, 3), p.ui.theme().accent, 6, 2);
        return;
    }
}

} // namespace heed::ui
