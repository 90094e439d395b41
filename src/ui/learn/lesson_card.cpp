// The card of a lesson that is followed.
#include "app/training/training_room.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/learn/before_card.hpp"
#include "ui/learn/card_hint.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/learn/lesson_place.hpp"
#include "ui/learn/lesson_rows.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <string_view>
#include <utility>

namespace heed::ui {

namespace {

/// Chooses the task that the card asks for in the Train room, where nothing is learned yet.
void choose_task_of(Panel& p, const app::Lesson& lesson) {
    if (p.experiment.opened() || p.experiment.resuming()) return;
    for (const app::Condition& check : lesson.checks) {
        if (!check.fact || check.fact->name != "training task") continue;
        for (const train::TaskInfo& task : train::task_infos()) {
            if (check.word == task.name) app::choose_task(p.state.train->form, task.task);
        }
    }
}

std::uint64_t farthest_step(const app::ExperimentSnapshot& now) {
    std::uint64_t step = 0;
    for (const app::Trainee& trainee : now.trainees) step = std::max(step, trainee.step);
    return step;
}

/// Notes whether the run began while the card was there: its curves tell nothing before.
void note_run(const Panel& p, LearnState& state, std::uint64_t step) {
    const std::uint64_t number = p.experiment.seen().number;
    if (state.looked_run == number) return;
    const bool later = state.looked_run.has_value() && !p.experiment.resumed();
    if (step == 0 || later) state.fresh_run = number;
    state.looked_run = number;
    state.brought_map = false; // its map is watched
}

/// The measures by which the model is watched, up to the first one behind so many steps.
std::vector<const train::HeldOutPoint*> measured_up_to(const train::History& history,
                                                       std::optional<std::uint64_t> steps) {
    std::vector<const train::HeldOutPoint*> points;
    for (const train::HeldOutPoint& point : history.held_out) {
        if (point.of_all) continue;
        points.push_back(&point);
        if (steps && point.step >= *steps) break;
    }
    return points;
}

/// The farthest model's steps, of a run that began with the card where that asks for some, and how
/// well the one does whose map is shown.
std::optional<app::TrainingFact> training_of(const Panel& p, LearnState& state) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.trainees.empty()) return std::nullopt;
    const std::uint64_t step = farthest_step(now);
    const auto asked = app::steps_asked(state.run->lesson());
    if (asked) note_run(p, state, step);
    const bool before = asked && state.fresh_run != now.number;
    app::TrainingFact fact{before ? 0 : step,
                           0,
                           std::nullopt,
                           std::nullopt,
                           now.dataset ? now.dataset->provenance.task : std::string(),
                           before};
    const app::Trainee* shown = app::watched_trainee(now, p.state.train->view);
    if (!shown) shown = &now.trainees.front(); // none attends
    const auto points = measured_up_to(*shown->history, asked);
    if (!points.empty()) {
        const auto share = [](const train::HeldOutPoint* point) {
            return point->measures.accuracy();
        };
        fact.measured_at = points.back()->step;
        fact.accuracy = share(points.back());
        fact.best = std::ranges::max(points | std::views::transform(share));
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
    // A guess that stands in its field when the task is done counts as sent.
    const bool unsent = state.run->asks() && !state.guess.empty() &&
                        state.run->why_no_guess(state.guess, *snapshot).empty();
    state.run->watch({*snapshot, p.state.view, training, state.patterns});
    if (unsent && state.run->seen()) state.run->guess(state.guess);
    if (state.run->seen()) state.note_card(state.lessons[*state.lesson].name);
}

/// Another card lies under the pointer, which nobody has moved to a button of it: nothing is said.
void hush(Panel& p, LearnState& state) {
    constexpr float kMoved = 3; // points
    if (!state.turned_at) return;
    if (shim::any_key_pressed()) { // it goes on by keys
        state.turned_at.reset();
        return;
    }
    const Point at = p.ui.mouse();
    const bool rests = std::abs(at.x - state.turned_at->x) <= kMoved &&
                       std::abs(at.y - state.turned_at->y) <= kMoved;
    if (rests) {
        p.ui.tip_now({});
    } else {
        state.turned_at.reset();
    }
}

void top_row(Panel& p, Form& f, LearnState& state) {
    const std::size_t at = *state.lesson, last = state.lessons.size() - 1;
    Line line = f.line(26, 4);
    if (f.aside(line, "close", "Close")) close_lesson(p);
    f.tip("Puts the card away; the Learn room has it again");
    const auto turn = [&](std::size_t to) {
        const std::optional<Edge> shown = state.needs;
        begin_lesson(p.state, to);
        state.needs = shown; // until the pointer leaves the button, which a panel would move
        state.turned_at = p.ui.mouse();
        p.ui.wake_in(0);
    };
    if (f.aside(line, "next", "Next", at < last)) turn(at + 1);
    f.tip(at < last ? state.lessons[at + 1].lesson.title : "This is the last card");
    if (f.aside(line, "back", "Back", at > 0)) turn(at - 1);
    f.tip(at > 0 ? state.lessons[at - 1].lesson.title : "This is the first card");
    if (f.draws()) hush(p, state);
    const std::string title = fmt::format("{} · {}", at + 1, state.lessons[at].lesson.title);
    f.text(line.rest, Face::brand, p.ui.theme().text, title);
    const std::string of = fmt::format("card {} of {}", at + 1, state.lessons.size());
    const float behind = std::ceil(p.ui.canvas.width_of(Face::brand, title)) + 12;
    if (behind + p.ui.canvas.width_of(Face::small, of) > line.rest.w) return;
    f.text({line.rest.x + behind, line.rest.y + 1, line.rest.w - behind, line.rest.h}, Face::small,
           p.ui.theme().muted, of);
}

/// All in one scroll, the step before the words: in a card with no room for both.
void draw_scrolled(Panel& p, const Form& f, LearnState& state, const Box& rows, CardState as) {
    Scroll& scroll = state.card_scroll;
    if (state.card_scrolled_for != static_cast<int>(as)) {
        state.card_scrolled_for = static_cast<int>(as);
        scroll.offset = 0;
    }
    p.ui.begin_scroll(rows, "lesson/card", scroll);
    Form in_scroll(p.ui, f.x, rows.y - scroll.offset, f.w - Scroll::kThumb, "lesson/");
    low_step(p, in_scroll, state, as);
    in_scroll.space(4);
    low_words(p, in_scroll, *state.run);
    p.ui.end_scroll_at_rows(in_scroll.y + scroll.offset, p.ui.theme().panel);
}

/// Where the card has not the height that it needs, its words are scrolled above the step that is
/// taken now, which stays in sight.
void draw_card(Panel& p, Form& f, LearnState& state, const Box& inside, bool whole) {
    constexpr float kLeastWords = 36, kBetween = 6;
    top_row(p, f, state);
    if (!state.lesson) return;
    const CardState as = state_of(*state.run);
    if (whole) return card_rows(p, f, state, as);
    const Box rows{inside.x, f.y, inside.w, inside.y + inside.h - f.y};
    const float step =
        height_of(p.ui, f.w, [&](Form& all) { low_step(p, all, state, as); }) + kBetween;
    if (rows.h - step < kLeastWords) return draw_scrolled(p, f, state, rows, as);
    const Box words{rows.x, rows.y, rows.w, rows.h - step};
    Scroll& scroll = state.card_scroll;
    p.ui.begin_scroll(words, "lesson/card", scroll);
    Form in_scroll(p.ui, f.x, words.y - scroll.offset, f.w - Scroll::kThumb, "lesson/");
    low_words(p, in_scroll, *state.run);
    p.ui.end_scroll_at_rows(in_scroll.y + scroll.offset, p.ui.theme().panel);
    Form below(p.ui, f.x, words.y + words.h + kBetween, f.w, "lesson/");
    low_step(p, below, state, as);
}

/// The height of the highest of its states.
float measured_height(Panel& p, LearnState& state, float width) {
    float high = 0;
    for (const CardState as : {CardState::asks, CardState::asked, CardState::seen}) {
        if (as == CardState::asks && !state.run->lesson().guess) continue;
        high = std::max(high, height_of(p.ui, width, [&](Form& f) {
                            top_row(p, f, state);
                            card_rows(p, f, state, as);
                        }));
    }
    return high;
}

/// Height of the card, measured again when something that decides it has changed.
float height_of_card(Panel& p, LearnState& state, float width) {
    const app::LessonRun& run = *state.run;
    const float scale = p.ui.canvas.scale();
    const std::string words = fmt::format(
        "{}\n{}\n{}\n{}\n{}\n{}\n{}", run.cannot(), lesson_elsewhere(p), run.said(),
        run.guessed().value_or(""), card_hint(state), state.refused, run.needs_fresh_run());
    CardHeight& known = state.card_height;
    const bool same = known.height > 0 && known.lesson == *state.lesson && known.width == width &&
                      known.scale == scale && known.words == words;
    if (!same) known = {*state.lesson, width, scale, words, measured_height(p, state, width)};
    return known.height;
}

/// Goes where the task is, and looks at what is done from there on.
void go_on(Panel& p, LearnState& state) {
    if (!p.snapshot().run) return;
    const std::string& model = p.snapshot().document.model_file;
    if (state.went_with != model) {
        state.went_with = model;
        state.brought.reset();
        choose_task_of(p, state.run->lesson());
        p.ui.wake_in(0);
        return go_to_lesson(p);
    }
    const auto& points = state.run->lesson().points;
    const bool trains = std::ranges::find(points, app::LessonPlace::play) != points.end();
    const bool in_room = p.state.view.view == app::View::train;
    const bool there = in_room && !p.experiment.seen().trainees.empty();
    const bool brings = trains && there && !state.run->needs_fresh_run();
    if (brings && !std::exchange(state.brought_map, true)) {
        p.state.train->brings_map = true; // before Play, which moves nothing then
        p.ui.wake_in(0);
    }
    // A run on its way is of before the card, as long as nothing of the card was looked at.
    if (state.watched || p.work.up_to_date()) watch(p, state);
}

} // namespace

namespace {

/// What was guessed waits for the card to come back, unless it was answered; so does a run that
/// began with it.
void keep_guess(LearnState& state) {
    if (!state.lesson || !state.run) return;
    const app::Lesson& lesson = state.run->lesson();
    if (!state.run->seen()) {
        state.guesses[lesson.title] = {state.guess, state.run->guessed().value_or("")};
    } else if (app::steps_asked(lesson)) {
        state.fresh_run.reset();
    }
}

void bring_guess_back(LearnState& state) {
    KeptGuess kept = std::exchange(state.guesses[state.run->lesson().title], {});
    state.guess = std::move(kept.typed);
    if (!kept.sent.empty()) state.run->guess(kept.sent); // who skipped it is asked again
}

} // namespace

void begin_lesson(WindowState& window, std::size_t lesson) {
    LearnState& state = learn_state(window);
    if (lesson >= state.lessons.size()) return;
    leave_card(window);
    keep_guess(state);
    state.lesson = lesson;
    state.run.emplace(state.lessons[lesson].lesson);
    bring_guess_back(state);
    state.refused.clear();
    state.watched.reset();
    state.brought.reset();
    state.brought_map = false;
    state.unfit.reset();
    state.needs.reset();
    state.went_with.reset();
    state.turned_at.reset();
    state.looked_run.reset();
    state.card_height = {};
    state.card_scroll = {};
    state.card_scrolled_for.reset();
    window.train->brings_map = false;
    if (window.view.view != app::View::learn) return;
    window.view.view = window.choices.explore_view;
    state.begun_in_list = true;
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
    leave_card(p.state);
    keep_guess(learn_state(p));
    learn_state(p).lesson.reset();
    p.ui.wake_in(0);
}

void hold_pointer(Panel& p) {
    constexpr float kMoved = 3, kAround = 12; // points
    constexpr float kSecondClick = 0.6f;      // seconds
    if (!p.state.learn) return;
    LearnState& state = *p.state.learn;
    if (std::exchange(state.begun_in_list, false)) state.rests = {p.ui.mouse(), 0.0f};
    if (!state.rests) return;
    auto& [at, seconds] = *state.rests;
    const Point now = p.ui.mouse();
    const bool moved = std::abs(now.x - at.x) > kMoved || std::abs(now.y - at.y) > kMoved;
    if (moved || seconds > kSecondClick) return state.rests.reset();
    seconds += p.ui.seconds_passed();
    p.ui.begin_over("rests", {at.x - kAround, at.y - kAround, 2 * kAround, 2 * kAround});
    p.ui.end_over();
    p.ui.wake_in(kSecondClick / 8);
}

Box lesson_card(Panel& p, const Box& box) {
    p.state.layout.with_card = follows_lesson(p.state) && p.state.view.view != app::View::learn;
    if (!p.state.learn) return box;
    LearnState& state = *p.state.learn;
    const bool waits = put_back(p);
    if (!state.lesson) return box;
    if (!waits) keep_before_card(p);
    if (p.state.view.view == app::View::learn) return box;
    state.card_top = box.y;
    if (!waits) go_on(p, state);
    prepare_hint(p, state);
    constexpr float kBeside = 12, kInside = 14, kAbove = 8;
    const float width = box.w - 2 * kBeside - 2 * kInside;
    // A picture below its tabs and words; and of the card its first row and a few lines.
    constexpr float kPicture = 360, kLeast = 120, kShare = 0.46f; // of the height, with a guess
    const float needed = height_of_card(p, state, width), around = 4 * kAbove + 4;
    const bool guesses = state.run->lesson().guess.has_value();
    const float most =
        std::max({box.h - kPicture - around, kLeast, guesses ? kShare * box.h - around : 0.0f});
    const bool is_whole = needed <= most;
    const float high = std::min(needed, most);
    const Box card{box.x + kBeside, box.y + kAbove, box.w - 2 * kBeside, high + 2 * kAbove + 4};
    p.ui.canvas.fill({box.x, box.y, box.w, card.h + 2 * kAbove}, p.ui.theme().ground);
    p.ui.canvas.fill(card, p.ui.theme().panel, 8);
    p.ui.canvas.outline(card, p.ui.theme().accent, 8);
    Form form(p.ui, card.x + kInside, card.y + kAbove, width, "lesson/");
    draw_card(p, form, state, {card.x + kInside, card.y + kAbove, card.w - kInside, high},
              is_whole);
    const float taken = card.h + 2 * kAbove;
    return {box.x, box.y + taken, box.w, std::max(box.h - taken, 1.0f)};
}

} // namespace heed::ui
