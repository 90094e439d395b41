// What a lesson's card says, and what is done in it.
#include "ui/learn/lesson_rows.hpp"

#include "app/files/shipped_models.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/learn/card_hint.hpp"
#include "ui/learn/lesson_place.hpp"
#include "ui/train/train_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace heed::ui {

namespace {

void take_guess(Panel& p, LearnState& state) {
    state.refused = state.run->why_no_guess(state.guess, p.snapshot());
    if (state.refused.empty()) return state.run->guess(state.guess);
    p.ui.focus_all("lesson/guess"); // to be written again
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

/// True once the accuracy that the guess is about stands on the screen, though the card is not
/// done.
bool tells_already(const LearnState& state) {
    const app::Guess& guess = *state.run->lesson().guess;
    const auto& training = state.watched_training;
    return guess.fact->name == "training accuracy" && training && !training->before_card &&
           training->measured_at > 0;
}

/// The guess that was made, in the field's place, and a way back to it until it is measured.
void guessed_row(Panel& p, Form& f, LearnState& state) {
    const std::string words = state.run->guessed().value_or("");
    Line line = f.line(28, 6);
    const Box back = line.right(80);
    const bool told = tells_already(state);
    if (f.button(back, "change", words.empty() ? "Guess" : "Change", Ui::ButtonLook::quiet,
                 !told)) {
        state.run->take_guess_back();
    }
    f.tip(told ? "It is being measured: the curves tell the answer"
               : "Lets you guess again before it is measured");
    f.text(line.rest, Face::body, p.ui.theme().text,
           words.empty() ? "You made no guess." : fmt::format("You guessed {}.", words));
}

/// The question and what there is to say to it, and below them the guess.
void guess_rows(Panel& p, Form& f, LearnState& state, bool asks) {
    const figure::Theme& t = p.ui.theme();
    const std::string& question = state.run->lesson().guess->question;
    // A cell that is worth a try would tell the answer.
    const std::string hint = asks ? state.run->hint() : card_hint(state);
    if (asks) {
        f.paragraph("Guess first: " + question, t.accent);
    } else if (hint.empty()) {
        f.paragraph(question);
    }
    if (asks && !state.refused.empty()) {
        f.paragraph(state.refused, t.text);
    } else if (!hint.empty()) {
        f.paragraph(hint, asks ? t.text : t.accent);
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
        const std::string words = fmt::format("{} {}", held ? "✓" : "•", asked);
        const float wide = std::min(std::max(wide_as("✓"), wide_as("•")) + 2, f.w);
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

void empty_target(Panel& p, Form& f) {
    f.space(6);
    Line line = f.line(28, 4);
    if (f.button(line.left(std::min(line.rest.w, 160.0f)), "empty", "Empty the target",
                 Ui::ButtonLook::accent)) {
        p.change_text({}, "target", true, [](app::Document& d) { d.target.clear(); });
    }
    f.tip("Takes what is typed away, so that the model says words of its own");
}

void offer_default(Panel& p, Form& f, const app::LessonRun& run) {
    f.paragraph(run.cannot(), p.ui.theme().text); // nothing went wrong
    if (run.lacks_words()) return empty_target(p, f);
    const std::string name = app::default_model();
    if (name.empty()) return;
    const app::ShippedTitle title = app::shipped_title(name);
    f.space(6);
    Line line = f.line(28, 4);
    if (f.button(line.left(std::min(line.rest.w, 280.0f)), "default",
                 fmt::format("Open {} · {}", title.task, title.kind), Ui::ButtonLook::accent)) {
        p.commands.push_back(OpenFile{app::shipped_model(name)});
    }
    f.tip("Opens the model that Heed starts with, in which this card can be followed");
}

/// In the guess's place, where the curves tell it already.
void offer_fresh_run(Panel& p, Form& f) {
    const auto& opened = p.experiment.opened();
    const std::string task = opened ? sentences_title(p, app::task_word(*opened)) : "The run";
    f.paragraph(
        fmt::format("{} was trained before this card: its curves tell the answer already.", task),
        p.ui.theme().text);
    f.space(6);
    Line line = f.line(28, 4);
    const bool can = opened && !is_asked(p);
    if (f.button(line.left(std::min(line.rest.w, 160.0f)), "fresh", "Start a fresh run",
                 Ui::ButtonLook::accent, can)) {
        p.state.view.view = app::View::train;
        prepare_fresh_run(p);
    }
    f.tip(!can ? "Answer the question above the pictures first"
          : p.experiment.can_come_back()
              ? "From step 0, once you press Play. The present run is kept; choose " + task +
                    " again to go back to it"
              : std::string("From step 0. The present run is not saved: you are asked first"));
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

} // namespace

CardState state_of(const app::LessonRun& run) {
    return run.seen() ? CardState::seen : run.asks() ? CardState::asks : CardState::asked;
}

namespace {

void lesson_words(Form& f, const app::LessonRun& run) {
    for (const std::string& paragraph : run.lesson().words) f.paragraph(paragraph);
}

/// `low`: in a card that has the task among its words.
void step_rows(Panel& p, Form& f, LearnState& state, CardState as, bool low) {
    const figure::Theme& t = p.ui.theme();
    const app::LessonRun& run = *state.run;
    if (!run.cannot().empty()) return offer_default(p, f, run);
    if (run.needs_fresh_run()) return offer_fresh_run(p, f);
    const bool seen = as == CardState::seen;
    const bool has_guess = run.lesson().guess.has_value();
    if (has_guess && !seen) guess_rows(p, f, state, as == CardState::asks);
    // Without a guess what came of it takes the place of the task: no line is left empty before.
    if ((has_guess || !seen) && !low) f.paragraph("→ " + run.lesson().task, t.text);
    f.space(2);
    check_rows(p, f, run);
    const bool looks_on = run.seen() ? run.looks_on() : !run.lesson().same.parts.empty();
    if (can_hint(run.lesson()) && (seen ? looks_on : !has_guess)) {
        const std::string hint = card_hint(state);
        // Its place is there before it, where there is room.
        if (!low || !hint.empty()) f.paragraph(hint.empty() ? " " : hint, t.accent);
    }
    if (seen) f.paragraph(run.seen() ? "✓ " + run.said() : likely_words(run), t.good);
}

} // namespace

void card_rows(Panel& p, Form& f, LearnState& state, CardState as) {
    const app::LessonRun& run = *state.run;
    if (run.cannot().empty()) elsewhere_row(p, f);
    lesson_words(f, run);
    f.space(4);
    step_rows(p, f, state, as, false);
}

void low_words(Panel& p, Form& f, const app::LessonRun& run) {
    f.paragraph("→ " + run.lesson().task, p.ui.theme().text);
    lesson_words(f, run);
}

void low_step(Panel& p, Form& f, LearnState& state, CardState as) {
    if (state.run->cannot().empty()) elsewhere_row(p, f);
    step_rows(p, f, state, as, true);
}

} // namespace heed::ui
