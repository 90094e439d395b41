// The card of a lesson that is followed.
#include "app/files/shipped_models.hpp"
#include "app/training/training_room.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/learn/before_card.hpp"
#include "ui/learn/card_hint.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/learn/learn_state.hpp"
#include "ui/learn/lesson_place.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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

/// The farthest model's steps, without those that were taken when the card was begun, and how well
/// the one does whose map is shown.
std::optional<app::TrainingFact> training_of(const Panel& p, LearnState& state) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.trainees.empty()) return std::nullopt;
    const std::uint64_t step = farthest_step(now);
    if (!state.begun_at || state.begun_at->first != now.number || step < state.begun_at->second) {
        const bool first = !state.begun_at; // later ones begin while the card is there
        state.begun_at = {now.number, first ? step : 0};
    }
    app::TrainingFact fact{step - state.begun_at->second, 0, std::nullopt,
                           now.dataset ? now.dataset->provenance.task : std::string()};
    const app::Trainee* shown = app::watched_trainee(now, p.state.train->view);
    if (!shown) shown = &now.trainees.front(); // none attends
    if (!shown->history->held_out.empty()) {
        const train::HeldOutPoint& point = shown->history->held_out.back();
        fact.measured_at = point.step;
        fact.accuracy = point.measures.label_accuracy.value_or(point.measures.exact_match);
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

/// Another card lies under the pointer, which nobody has moved to a button of it: nothing is said.
void hush(Panel& p, LearnState& state) {
    constexpr float kMoved = 3; // points
    if (!state.turned_at) return;
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
        begin_lesson(p.state, to);
        state.turned_at = p.ui.mouse();
        p.ui.wake_in(0);
    };
    if (f.aside(line, "next", "Next", at < last)) turn(at + 1);
    f.tip(at < last ? state.lessons[at + 1].lesson.title : "This is the last card");
    if (f.aside(line, "back", "Back", at > 0)) turn(at - 1);
    f.tip(at > 0 ? state.lessons[at - 1].lesson.title : "This is the first card");
    if (f.draws()) hush(p, state);
    f.text(line.rest, Face::brand, p.ui.theme().text,
           fmt::format("{} · {}", at + 1, state.lessons[at].lesson.title));
}

void take_guess(Panel& p, LearnState& state) {
    state.refused = state.run->why_no_guess(state.guess, p.snapshot());
    if (state.refused.empty()) state.run->guess(state.guess);
}

void guess_field(Panel& p, Form& f, LearnState& state) {
    Line line = f.line(28, 6);
    const Box field = line.left(std::clamp(line.rest.w - 160, 60.0f, 260.0f));
    const Box send = line.left(70), skip = line.left(60);
    const auto typed = f.field(field, "guess", "your guess", state.guess);
    f.tip("What you think; the card tells what was measured when it is done");
    if (f.button(send, "send", "Guess", Ui::ButtonLook::plain, !state.guess.empty()) ||
        (typed.entered && !state.guess.empty())) {
        take_guess(p, state);
    }
    f.tip("Keeps your guess until it is measured");
    if (f.button(skip, "skip", "Skip", Ui::ButtonLook::quiet)) {
        state.refused.clear();
        state.run->guess("");
    }
    f.tip("Goes on without a guess");
}

/// The guess that was made, in the field's place, and a way back to it.
void guessed_row(Panel& p, Form& f, LearnState& state) {
    const std::string words = state.run->guessed().value_or("");
    Line line = f.line(28, 6);
    const Box back = line.right(80);
    if (f.button(back, "change", words.empty() ? "Guess" : "Change", Ui::ButtonLook::quiet)) {
        state.run->take_guess_back();
    }
    f.tip("Lets you guess again before it is measured");
    f.text(line.rest, Face::body, p.ui.theme().text,
           words.empty() ? "You made no guess." : fmt::format("You guessed {}.", words));
}

/// The question, or what there is to say in its place, and below it the guess.
void guess_rows(Panel& p, Form& f, LearnState& state, bool asks) {
    const figure::Theme& t = p.ui.theme();
    const std::string& question = state.run->lesson().guess->question;
    // A cell that is worth a try would tell the answer.
    const std::string hint = asks ? state.run->hint() : card_hint(state);
    if (asks && !state.refused.empty()) {
        f.paragraph(state.refused, t.bad);
    } else if (!hint.empty()) {
        f.paragraph(hint, t.accent);
    } else if (asks) {
        f.paragraph("Guess first: " + question, t.accent);
    } else {
        f.paragraph(question);
    }
    f.space(2);
    if (asks) {
        guess_field(p, f, state);
    } else {
        guessed_row(p, f, state);
    }
}

/// The rows of its conditions, one after the other, in as many lines as they take.
void check_rows(Panel& p, Form& f, const app::LessonRun& run) {
    constexpr float kBetween = 18, kHigh = 20;
    const figure::Theme& t = p.ui.theme();
    const auto& checks = run.lesson().checks;
    float x = f.x;
    Box row = f.row(kHigh, 2);
    for (std::size_t i = 0; i < checks.size(); ++i) {
        const bool held = run.held(i);
        const std::string asked = in_words(checks[i]);
        const auto wide_as = [&](const char* mark) {
            return p.ui.canvas.width_of(Face::small, fmt::format("{} {}", mark, asked));
        };
        const std::string words = fmt::format("{} {}", held ? "✓" : "○", asked);
        const float wide = std::min(std::max(wide_as("✓"), wide_as("○")) + 2, f.w);
        if (x > f.x && x + wide > f.x + f.w) {
            row = f.row(kHigh, 2);
            x = f.x;
        }
        if (f.draws()) {
            const Box box{x, row.y, wide, row.h};
            p.ui.area(box, fmt::format("lesson/check/{}", i), checks[i].written);
            const bool next = i == run.next();
            p.ui.tip(held ? "Done" : next ? "This is next" : "After what stands before it");
            p.ui.canvas.text(box, Face::small, held ? t.good : next ? t.text : t.muted, words);
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

void elsewhere_row(Panel& p, Form& f) {
    const std::string where = lesson_elsewhere(p);
    if (where.empty()) return;
    constexpr float kButton = 96, kHigh = 26, kBetween = 12;
    Canvas& c = p.ui.canvas;
    const Color ink = p.ui.theme().muted;
    const bool opens = p.state.learn->unfit.has_value();
    const float width = f.w - kButton - kBetween;
    const float high = c.paragraph({}, width, Face::small, ink, where, false);
    Line line{f.row(std::max(kHigh, high), 2)};
    Box button = line.right(kButton);
    button.h = kHigh;
    if (f.button(button, "there", opens ? "Open panel" : "Go there", Ui::ButtonLook::plain)) {
        if (opens) p.state.layout.wanted_panel = p.state.learn->unfit;
        go_to_lesson(p);
    }
    f.tip("Shows what the task of this card is about");
    const float above = (line.rest.h - high) / 2;
    if (f.draws()) c.paragraph({f.x, line.rest.y + above}, width, Face::small, ink, where);
}

/// About what is said of it once it is done: how long that is, not what.
std::string likely_words(const app::LessonRun& run) {
    const app::Lesson& lesson = run.lesson();
    const auto likely = [](const app::FilledText& text) {
        std::string words = "✓ ";
        for (const auto& part : text.parts) {
            words += !part.fact ? part.words : part.fact->is_number ? "0.00" : "a word or two";
        }
        return words;
    };
    const std::string seen = likely(lesson.seen), same = likely(lesson.same);
    std::string words = seen.size() < same.size() ? same : seen;
    if (lesson.guess && run.guessed() && !run.guessed()->empty()) {
        words += fmt::format(" You guessed {}; it is 0.00.", *run.guessed());
    }
    return words;
}

/// States of the card: each has room in it, so that nothing moves when one follows the other.
enum class CardState { asks, asked, seen };

CardState state_of(const app::LessonRun& run) {
    return run.seen() ? CardState::seen : run.asks() ? CardState::asks : CardState::asked;
}

void card_rows(Panel& p, Form& f, LearnState& state, CardState as) {
    const figure::Theme& t = p.ui.theme();
    const app::LessonRun& run = *state.run;
    if (run.cannot().empty()) elsewhere_row(p, f); // first: a low card is scrolled
    for (const std::string& paragraph : run.lesson().words) f.paragraph(paragraph);
    f.space(4);
    if (!run.cannot().empty()) return offer_default(p, f, run);
    const bool seen = as == CardState::seen;
    const bool has_guess = run.lesson().guess.has_value();
    if (has_guess && !seen) guess_rows(p, f, state, as == CardState::asks);
    // Without a guess what came of it takes the place of the task: no line is left empty before.
    if (has_guess || !seen) f.paragraph("→ " + run.lesson().task, t.text);
    f.space(2);
    check_rows(p, f, run);
    const bool looks_on = run.seen() ? run.looks_on() : !run.lesson().same.parts.empty();
    if (can_hint(run.lesson()) && (seen ? looks_on : !has_guess)) {
        const std::string hint = card_hint(state);
        f.paragraph(hint.empty() ? " " : hint, t.accent); // its place is there before it
    }
    if (seen) f.paragraph(run.seen() ? "✓ " + run.said() : likely_words(run), t.good);
}

/// The card's words are scrolled where they have not the height that they need; what came of it,
/// and then what is asked, is brought into sight once.
void draw_card(Panel& p, Form& f, LearnState& state, const Box& inside, bool whole) {
    top_row(p, f, state);
    if (!state.lesson) return;
    const CardState as = state_of(*state.run);
    if (whole) return card_rows(p, f, state, as);
    const Box rows{inside.x, f.y, inside.w, inside.y + inside.h - f.y};
    Scroll& scroll = state.card_scroll;
    if (state.card_scrolled_for != static_cast<int>(as)) {
        state.card_scrolled_for = static_cast<int>(as);
        scroll.content =
            height_of(p.ui, f.w - Scroll::kThumb, [&](Form& all) { card_rows(p, all, state, as); });
        scroll.offset = as == CardState::seen ? scroll.content : 0;
    }
    p.ui.begin_scroll(rows, "lesson/card", scroll);
    Form in_scroll(p.ui, f.x, rows.y - scroll.offset, f.w - Scroll::kThumb, "lesson/");
    card_rows(p, in_scroll, state, as);
    p.ui.end_scroll(in_scroll.y + scroll.offset);
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
    const std::string words =
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}", run.cannot(), lesson_elsewhere(p), run.said(),
                    run.guessed().value_or(""), card_hint(state), state.refused);
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
        choose_task_of(p, state.run->lesson());
        p.ui.wake_in(0);
        return go_to_lesson(p);
    }
    // A run on its way is of before the card, as long as nothing of the card was looked at.
    if (state.watched || p.work.up_to_date()) watch(p, state);
}

} // namespace

void begin_lesson(WindowState& window, std::size_t lesson) {
    LearnState& state = learn_state(window);
    if (lesson >= state.lessons.size()) return;
    leave_card(window);
    state.lesson = lesson;
    state.run.emplace(state.lessons[lesson].lesson);
    state.guess.clear();
    state.refused.clear();
    state.watched.reset();
    state.brought = false;
    state.unfit.reset();
    state.needs.reset();
    state.went_with.reset();
    state.turned_at.reset();
    state.begun_at.reset();
    state.card_height = {};
    state.card_scroll = {};
    state.card_scrolled_for.reset();
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
    constexpr float kPicture = 360, kLeast = 120;
    const float needed = height_of_card(p, state, width);
    const float most = std::max(box.h - kPicture - 4 * kAbove - 4, kLeast);
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
