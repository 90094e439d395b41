#include "ui/train/experiment_dialogs.hpp"

#include "ui/frame/experiment_desk.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

/// A title, a paragraph, what failed, and the row that the buttons are in.
Line question(Form& f, const std::string& title, const std::string& words,
              const std::string& bad = "") {
    f.title(title);
    f.paragraph(words);
    f.paragraph(bad, f.ui.theme().bad);
    f.space(18);
    return f.line(34);
}

std::string where(const std::string& name, std::uint64_t step, std::uint64_t steps) {
    return fmt::format("{} at step {} of {}", name, step, steps);
}

} // namespace

void leave_dialog(Panel& p) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const bool learning = p.experiment.learning();
    std::string list;
    for (const app::Trainee& trainee : now.trainees) {
        list += fmt::format(
            "{}{}", list.empty() ? "" : ", ",
            where(models::short_title(trainee.plan.model), trainee.step, trainee.plan.steps));
    }
    const bool saving = p.experiment.saving();
    const bool open = modal_card(p.ui, CardId::leave_experiment, {540, "leave/"}, [&](Form& f) {
        Line line = question(f, learning ? "Training in progress" : "Training run not saved",
                             list + ". Save to resume next time.",
                             now.save_error ? base::describe(*now.save_error) : "");
        const Box save = line.right(140), discard = line.right(176);
        if (f.button(line.left(126), "stay", learning ? "Keep training" : "Cancel",
                     Ui::ButtonLook::plain, !saving)) {
            p.ui.close_popup();
        }
        f.tip("Goes back to the window (Esc)");
        if (f.button(discard, "discard", "Close without saving", Ui::ButtonLook::plain, !saving)) {
            p.experiment.discard();
            p.state.leaving.granted = true;
        }
        f.tip("Closes Heed; steps since the last automatic save are lost");
        if (f.button(save, "save", saving ? "Saving \u2026" : "Save and close",
                     Ui::ButtonLook::accent, !saving)) {
            p.experiment.save();
            p.state.leaving.when_saved = true;
        }
        f.tip("Saves the training run and closes Heed; the Train room has it beside its task at "
              "the next start");
    });
    if (!open)
        p.state.leaving.when_saved = false; // Esc closes it while the experiment is saved, too
}

} // namespace heed::ui
