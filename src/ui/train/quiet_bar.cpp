// Questions of the Train room that can wait: a bar above the pictures, never a card over them.
#include "app/training/training_room.hpp"
#include "train/tasks/task_info.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_room.hpp"
#include "ui/train/train_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

struct QuietButton {
    std::string id, label, tip;
    bool loud = false;
};

struct QuietBar {
    Box rest{};                           // of the room
    std::optional<std::size_t> pressed{}; // of the buttons
};

/// What a bar says, and the longest that it may come to: its height is that of the longer one, so
/// that steps that are counted move nothing below.
struct QuietWords {
    std::string now, longest;
};

/// Words at the left, in as many lines as they need, and buttons at the right, the last one
/// outermost; below the words where there is no room beside them.
QuietBar quiet_bar(Panel& p, const Box& box, const QuietWords& words,
                   const std::vector<QuietButton>& buttons) {
    constexpr float kBarPad = 12, kHigh = 30, kBetween = 8, kLeastWords = 200;
    Ui& ui = p.ui;
    Canvas& c = ui.canvas;
    float row = 0;
    std::vector<float> widths;
    for (const QuietButton& button : buttons) {
        widths.push_back(std::ceil(c.width_of(Face::strong, button.label)) + 26);
        row += widths.back() + kBetween;
    }
    const Box bar{box.x + 24, box.y + 12, std::max(box.w - 48, 1.f), 0};
    const float beside = bar.w - row - 2 * kBarPad, all = bar.w - 2 * kBarPad;
    const bool below = beside < kLeastWords;
    const float room = below ? all : beside;
    const Color ink = ui.theme().text;
    const float text = c.paragraph({}, room, Face::body, ink, words.now, false);
    const float longest = c.paragraph({}, room, Face::body, ink, words.longest, false);
    const float kept = std::max(text, longest);
    const float inner = below ? kept + kBetween + kHigh : std::max(kept, kHigh);
    const Box card{bar.x, bar.y, bar.w, inner + 2 * 8};
    c.fill(box, ui.theme().ground);
    c.fill(card, ui.theme().panel, 8);
    c.outline(card, ui.theme().border, 8);
    const float text_y = below ? card.y + 8 : card.y + (card.h - text) / 2;
    c.paragraph({card.x + kBarPad, text_y}, room, Face::body, ink, words.now);
    QuietBar done;
    float x = card.x + card.w - kBarPad - row + kBetween;
    const float y = below ? card.y + 8 + kept + kBetween : card.y + (card.h - kHigh) / 2;
    for (std::size_t i = 0; i < buttons.size(); ++i) {
        if (ui.button({x, y, widths[i], kHigh}, buttons[i].id, buttons[i].label,
                      buttons[i].loud ? Ui::ButtonLook::accent : Ui::ButtonLook::plain)) {
            done.pressed = i;
        }
        ui.tip(buttons[i].tip);
        x += widths[i] + kBetween;
    }
    const float bottom = card.y + card.h;
    done.rest = {box.x, bottom, box.w, std::max(box.y + box.h - bottom, 1.f)};
    return done;
}

struct Question {
    std::string words, keep, start;
};

/// "Start Headlines → topic".
Question of_another_task(const Panel& p, const app::ExperimentForm& asked) {
    const bool left = p.experiment.runs().of_task(app::task_word(asked)) != nullptr;
    return {"", "Keep " + sentences_title(p, app::task_word(*p.experiment.opened())),
            (left ? "Go back to " : "Start ") + sentences_title(p, app::task_word(asked))};
}

/// "Training mean state beside it starts over."
Question of_other_models(const app::ExperimentForm& opened, const app::ExperimentForm& asked) {
    for (std::size_t i = 0; i < app::kTraineeKinds.size(); ++i) {
        if (asked.learns[i] == opened.learns[i]) continue;
        const std::string name = app::name(app::kTraineeKinds[i]);
        if (asked.learns[i]) {
            return {" Training " + name + " beside it starts over.", "Keep this run",
                    "Start over with it"};
        }
        return {" Training without " + name + " starts over.", "Keep this run",
                "Start over without it"};
    }
    return {" This starts over.", "Keep this run", "Start over"};
}

/// "Copy is at step 7", or that it has ended since it was asked; and what follows.
QuietWords run_words(const Panel& p, const std::string& task, const std::string& rest) {
    const bool over = p.experiment.seen().state == app::ExperimentSnapshot::State::finished;
    std::uint64_t steps = steps_done(p);
    for (const app::Trainee& trainee : p.experiment.seen().trainees) {
        steps = std::max(steps, trainee.plan.steps);
    }
    constexpr const char* kOver = "finished at";
    return {fmt::format("{} {} step {}{}", task, over ? kOver : "is at", steps_done(p), rest),
            fmt::format("{} {} step {}{}", task, kOver, steps, rest)};
}

/// Words for what becomes of the present run once another is started.
std::string fate_words(bool kept, const std::string& task) {
    return kept ? " Its steps are kept; choose " + task + " again to go back to them."
                : " Its steps would be lost.";
}

Box switch_bar(Panel& p, const Box& box) {
    const app::ExperimentForm asked = asked_form(p);
    const std::string task = sentences_title(p, app::task_word(*p.experiment.opened()));
    const bool kept = p.experiment.can_come_back();
    const app::ExperimentForm& opened = *p.experiment.opened();
    const bool another = app::task_word(asked) != app::task_word(opened);
    const Question question = another ? of_another_task(p, asked) : of_other_models(opened, asked);
    const QuietBar bar =
        quiet_bar(p, box, run_words(p, task, "." + question.words + fate_words(kept, task)),
                  {{"switch/keep", question.keep, "Stays with the present run (Esc)"},
                   {"switch/start", question.start,
                    kept ? "The present run is saved; choose " + task + " again to go back to it"
                         : std::string("The present run ends, and is not saved"),
                    true}});
    const bool typed_no = !p.ui.any_popup() && !p.ui.typing() && p.ui.take_escape();
    if (bar.pressed == 0u || typed_no) {
        p.state.train->asked.reset();
        p.ui.wake_in(0);
    }
    if (bar.pressed == 1u) begin_run(p, asked);
    return bar.rest;
}

/// True while the settings beside the pictures are not those of the run.
bool has_other_settings(const Panel& p) {
    const auto& opened = p.experiment.opened();
    const bool disturbs = p.experiment.learning() || p.experiment.has_progress();
    return opened && disturbs && *opened != p.state.train->form;
}

/// "Copy is at step 7 with Adam, 3000 steps. The new settings start it over."
Box settings_bar(Panel& p, const Box& box) {
    const app::ExperimentForm opened = *p.experiment.opened(), wanted = p.state.train->form;
    const std::string task = sentences_title(p, app::task_word(opened));
    const std::string running = app::differing_settings(opened, wanted);
    std::string words = running.empty() ? "." : fmt::format(" with {}.", running);
    const bool kept = p.experiment.can_come_back();
    words += " The new settings start it over." + fate_words(kept, task);
    const QuietBar bar = quiet_bar(
        p, box, run_words(p, task, words),
        {{"settings/keep", "Keep this run", "Puts the settings back to those of the present run"},
         {"settings/start", "Start over with them",
          kept ? "The present run is saved; choose " + task + " again to go back to it"
               : std::string("The present run ends, and is not saved"),
          true}});
    if (bar.pressed == 0u) p.state.train->form = opened;
    if (bar.pressed == 1u) begin_run(p, wanted);
    return bar.rest;
}

std::string saved_words(const Panel& p, const app::SavedExperiment& saved) {
    std::string learners;
    for (const std::string& name : saved.learners)
        learners += (learners.empty() ? "" : ", ") + name;
    return fmt::format("Resume the last unfinished training run? {}: {}, step {} of {}.",
                       sentences_title(p, saved.task), learners, saved.step, saved.steps);
}

Box resume_bar(Panel& p, const Box& box, const app::SavedExperiment& saved) {
    bool& forgets = p.state.train->forgets;
    const int frame = ImGui::GetFrameCount(), before = p.state.train->offered_at;
    p.state.train->offered_at = frame;
    if (frame > before + 1) forgets = false; // it was out of sight
    std::vector<QuietButton> buttons = {
        {"go-on/later", "Not now", "Asks again at the next start"},
        {"go-on/forget", forgets ? "Delete for good" : "Delete",
         forgets ? "Cannot be undone" : "Deletes the saved training run, once you press it again"},
        {"go-on/go-on", "Resume", "Goes on at this step", true}};
    const bool others = p.experiment.runs().has_another();
    if (others) {
        buttons.insert(buttons.begin() + 1,
                       {"go-on/another", "Next saved run",
                        "Offers another saved training run; this one stays saved"});
    }
    const QuietBar bar = quiet_bar(p, box, {saved_words(p, saved), {}}, buttons);
    if (!bar.pressed) return bar.rest;
    const std::string& pressed = buttons[*bar.pressed].id;
    if (pressed == "go-on/later") p.experiment.put_off();
    if (pressed == "go-on/another") p.experiment.offer_another();
    const bool forget = pressed == "go-on/forget";
    if (forget && forgets) p.experiment.forget_offered();
    forgets = forget && !forgets;
    if (pressed == "go-on/go-on") p.experiment.go_on();
    return bar.rest;
}

/// The saved run that may be gone on with now; null where there is none.
const app::SavedExperiment* offered_run(const Panel& p) {
    return p.experiment.learning() || p.experiment.resuming() ? nullptr
                                                              : p.experiment.runs().resumable();
}

} // namespace

bool has_quiet_bar(const Panel& p) {
    return is_asked(p) || offered_run(p) != nullptr ||
           (has_other_settings(p) && !p.experiment.resuming());
}

Box quiet_bars(Panel& p, const Box& box) {
    if (is_asked(p)) return switch_bar(p, box);
    if (const app::SavedExperiment* offered = offered_run(p))
        return resume_bar(p, box, app::SavedExperiment(*offered));
    return has_quiet_bar(p) ? settings_bar(p, box) : box;
}

} // namespace heed::ui
