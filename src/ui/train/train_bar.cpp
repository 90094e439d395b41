// The Train room's top: how far it is, and what makes it go on.
#include "app/training/training_room.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/icons.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace heed::ui {

namespace {

using State = app::ExperimentSnapshot::State;

/// What is likely to be done next: one button stands out.
enum class Next { other, play, again, explore };

constexpr const char* kAskedFirst =
    "Answer the question above the pictures first. Esc keeps the present run";

Ui::ButtonLook loud(bool is) { return is ? Ui::ButtonLook::accent : Ui::ButtonLook::plain; }

std::string time_words(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

/// ", best at 2400 is kept" of a model alone that got worse since.
std::string best_words(const app::ExperimentSnapshot& now) {
    if (now.trainees.size() != 1) return {};
    const std::uint64_t kept = app::result_step(now.trainees.front());
    return kept == now.trainees.front().step ? "" : fmt::format(", best at {} is kept", kept);
}

std::string progress_words(const app::ExperimentSnapshot& now, std::uint64_t step,
                           std::uint64_t steps) {
    switch (now.state) {
    case State::empty: return now.error ? "cannot start" : "choose a model";
    case State::preparing: return "generating data\u2026";
    case State::finished:
        return fmt::format("{} after {} steps{}", step < steps ? "stopped" : "done", step,
                           best_words(now));
    case State::paused: return fmt::format("step {} / {}", step, steps);
    case State::learning:
        if (step >= steps) return fmt::format("step {} / {} \u00b7 measuring\u2026", step, steps);
        return fmt::format("step {} / {} \u00b7 {:.{}f} steps/s \u00b7 {} left", step, steps,
                           now.steps_a_second, now.steps_a_second < 10 ? 1 : 0,
                           time_words(now.seconds_left));
    }
    return "";
}

/// Progress in words and as a bar.
void progress(Panel& p, const Box& bar) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (bar.w < 80) return;
    std::uint64_t step = 0, steps = 1;
    for (const app::Trainee& trainee : now.trainees) {
        step = std::max(step, trainee.step);
        steps = std::max(steps, trainee.plan.steps);
    }
    c.fill(bar, t.ground, 6);
    c.outline(bar, t.border, 6);
    ui.area(bar, "train/progress", "progress");
    ui.tip("How far training is: steps done, steps per second, and the time that is left.");
    std::string text = progress_words(now, step, steps);
    // What has no room, from its end.
    for (const char* part : {" \u00b7 ", " \u00b7 ", " / ", ", best", " after "}) {
        if (c.width_of(Face::mono, text) <= bar.w - 20) break;
        text = text.substr(0, text.rfind(part));
    }
    const float text_width =
        std::min(std::ceil((c.width_of(Face::mono, text) + 12) / 24) * 24, bar.w - 20);
    c.text({bar.x + bar.w - 12 - text_width, bar.y, text_width, bar.h - 6}, Face::mono, t.muted,
           text, AlignX::right);
    // As wide as the field: at its end all is done.
    const Box track{bar.x + 6, bar.y + bar.h - 7, bar.w - 12, 4};
    c.fill(track, t.border, 2);
    const float share = static_cast<float>(step) / static_cast<float>(steps);
    if (share > 0) c.fill({track.x, track.y, std::max(track.w * share, 4.f), 4}, t.accent, 2);
}

std::string task_of(const Panel& p) {
    const auto& opened = p.experiment.opened();
    return opened ? sentences_title(p, app::task_word(*opened)) : "watch attention appear";
}

/// The step that the button at the right opens, and what it is; nothing where no model is there.
struct OpenedStep {
    std::uint64_t step = 0;
    bool best = false, replayed = false;
    std::uint64_t best_so_far = 0; // another one, while it learns
};

std::optional<OpenedStep> opened_step(const Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const app::TrainingView& view = p.state.train->view;
    if (view.trainee >= now.trainees.size()) return std::nullopt;
    const app::Trainee& trainee = now.trainees[view.trainee];
    const auto& film = trainee.history->film;
    const train::FilmFrame* frame = view.step ? train::frame_at(film, *view.step) : nullptr;
    const std::uint64_t step = frame ? frame->step : app::result_step(trainee);
    const bool best = trainee.finished() && step == trainee.best_step;
    return OpenedStep{step, best, frame != nullptr, trainee.finished() ? 0 : trainee.best_step};
}

/// Labels of that button: for a wide bar, for others, and for a narrow one.
enum class OpenLabel { whole, step, word };

OpenLabel open_label_for(float bar) {
    constexpr float kWide = 1400, kNarrow = 800;
    return bar >= kWide ? OpenLabel::whole : bar >= kNarrow ? OpenLabel::step : OpenLabel::word;
}

std::string open_words(OpenLabel label, const std::optional<OpenedStep>& opened) {
    if (label == OpenLabel::word) return "Open";
    if (!opened) return "Open in Explore";
    const char* mark = opened->best ? " (best)" : "";
    return fmt::format("Open step {}{}{}", opened->step, mark,
                       label == OpenLabel::whole ? " in Explore" : "");
}

/// The width that the label takes at most: no step that is counted moves what is beside it.
float open_width_of(const Panel& p, OpenLabel label) {
    constexpr float kAround = 26, kOfWord = 60;
    if (label == OpenLabel::word) return kOfWord;
    std::uint64_t most = 1;
    for (const app::Trainee& trainee : p.experiment.seen().trainees)
        most = std::max(most, trainee.plan.steps);
    OpenedStep widest{.step = 0, .best = true}; // as many digits, all of them wide
    for (; most > 0; most /= 10) widest.step = 10 * widest.step + 8;
    return std::ceil(p.ui.canvas.width_of(Face::strong, open_words(label, widest))) + kAround;
}

std::string open_tip(const std::optional<OpenedStep>& opened) {
    if (!opened) return "Saves the chosen model and opens it in Explore.";
    const std::string what =
        fmt::format("Saves the chosen model as it was at step {}", opened->step);
    if (opened->replayed)
        return what + ", the frame that is replayed, and opens it in Explore. From the present, it "
                      "opens the present step or, once training has ended, the best.";
    if (opened->best) return what + ", its best, and opens it in Explore.";
    const std::string words = what + ", the present one, and opens it in Explore.";
    if (opened->best_so_far == 0 || opened->best_so_far == opened->step) return words;
    return words +
           fmt::format(" Its best so far is step {}: when training ends, the best is opened.",
                       opened->best_so_far);
}

constexpr float kBesideTask = 518; // points of the bar: its other controls and some progress

/// The task that is trained, at the left of what there is room for; its box.
Box task_name(Panel& p, const Box& room) {
    Canvas& c = p.ui.canvas;
    const figure::Theme& t = p.ui.theme();
    const std::string task = task_of(p);
    // In a narrow window, where the list of tasks may be put away, the task has the room alone.
    const bool roomy = room.w >= 454;
    const float wished = std::ceil(c.width_of(Face::control, task)) + 18;
    const Box name{room.x, room.y, roomy ? 200 : std::clamp(wished, 70.f, std::max(room.w, 70.f)),
                   room.h};
    c.fill(name, t.raised, 6);
    c.outline(name, t.border, 6);
    if (roomy) {
        c.text({name.x + 11, name.y, 50, name.h}, Face::field, t.text, "Train");
        c.text({name.x + 58, name.y + 1, 136, name.h}, Face::small, t.muted, task);
    } else {
        c.text(inset(name, 8, 0), Face::control, t.text, task);
    }
    p.ui.area(name, "train/name", task);
    p.ui.tip("The task that is trained now: " + task);
    return name;
}

} // namespace

void train_bar(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    const app::ExperimentSnapshot& now = p.experiment.seen();
    c.fill(box, t.panel);
    c.rule(box.x, box.y + box.h - 1, box.w);
    c.text({box.x + 16, box.y, 48, box.h - 1}, Face::brand, t.accent, "heed");
    const float h = 32, y = box.y + (box.h - 1 - h) / 2;
    const OpenLabel open_label = open_label_for(box.w);
    const float open_width = open_width_of(p, open_label);
    const Box name = task_name(p, {box.x + 72, y, box.w - kBesideTask - open_width, h});

    const bool ready =
        now.state == State::paused || now.state == State::learning || now.state == State::finished;
    float right = box.x + box.w - 16;
    const Box explore{right - open_width, y, open_width, h};
    const bool can_explore = ready && !p.experiment.keeping();
    const bool learning = p.experiment.learning(), over = now.state == State::finished;
    const bool changed = p.experiment.opened() && p.experiment.opened() != p.state.train->form;
    // Asked for while sentences are written, it begins when they are there.
    const bool asked = is_asked(p);
    const bool can_play = !asked && ((ready && !over) || now.state == State::preparing);
    // A question above the pictures comes first.
    const Next next = has_quiet_bar(p)        ? Next::other
                      : changed               ? Next::again
                      : can_play && !learning ? Next::play
                      : can_explore           ? Next::explore
                      : over                  ? Next::again
                                              : Next::other;
    const auto opened = opened_step(p);
    if (ui.button(explore, "train/explore", open_words(open_label, opened),
                  loud(next == Next::explore), can_explore)) {
        explore_learner(p);
    }
    ui.tip(open_tip(opened));
    right = explore.x - 8;
    const Box out{right - 68, y, 68, h};
    if (ui.button(out, "train/export", "Export", Ui::ButtonLook::plain, ready)) {
        p.state.open_dialog = CardId::export_picture;
    }
    ui.tip("Export image, film or data (Ctrl+E)");
    right = out.x - 8;
    const Box again{right - 84, y, 84, h};
    const bool can_begin = p.experiment.has_progress() || changed || now.error;
    if (ui.button(again, "train/again", "Start over", loud(next == Next::again),
                  !asked && can_begin)) {
        start_experiment_over(p);
    }
    ui.tip(asked     ? kAskedFirst
           : changed ? "Trains from step 0 with the settings that were changed"
                     : "Trains once more from step 0");
    right = again.x - 8;
    const Box one{right - 56, y, 56, h};
    if (ui.button(one, "train/step", "Step", Ui::ButtonLook::plain,
                  ready && !learning && !over && !asked)) {
        step_experiment(p);
    }
    ui.tip(asked ? kAskedFirst : "Trains each model for one step (.)");
    right = one.x - 8;
    const Box play{right - 86, y, 86, h};
    if (ui.button(play, "train/play", learning ? "Pause" : "Play", loud(next == Next::play),
                  can_play, learning ? Icon::pause : Icon::play)) {
        toggle_experiment(p);
    }
    ui.tip(asked      ? kAskedFirst
           : learning ? "Pauses training (Space)"
           : over     ? "All steps are done. Start over trains once more from step 0"
                      : "Starts training (Space)");

    progress(p, {name.x + name.w + 12, y, play.x - 12 - (name.x + name.w + 12), h});
}

} // namespace heed::ui
