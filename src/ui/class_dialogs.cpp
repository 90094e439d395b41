// The cards about a class that would be lost: when the window closes, and at the next start.
#include "ui/choices.hpp"
#include "ui/panel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::ui {

namespace {

constexpr float kPad = 22, kButton = 34;

struct Card {
    Box box;
    float x, width, y; // of what comes next
};

/// A modal card with a title and a paragraph, and room for a row of buttons below.
std::optional<Card> begin_card(Panel& p, const std::string& id, const std::string& title,
                               const std::string& words, const std::string& bad = "") {
    Ui& ui = p.ui;
    const float w = std::min(540.0f, ui.width() - 40), width = w - 2 * kPad;
    const auto paragraph = [&](Point at, const std::string& text, Color color, bool draw) {
        return text.empty() ? 0 : ui.canvas.paragraph(at, width, Face::control, color, text, draw);
    };
    const float said = paragraph({}, words, ui.theme().muted, false);
    const float failed = paragraph({}, bad, ui.theme().bad, false);
    const float h = 62 + said + failed + 22 + kButton + 20;
    const Box box{(ui.width() - w) / 2, std::max(60.0f, (ui.height() - h) * 0.35f), w, h};
    if (!ui.begin_popup(id, box, true)) return std::nullopt;
    const float x = box.x + kPad;
    ui.canvas.text({x, box.y + 18, width, 26}, Face::title, ui.theme().text, title);
    paragraph({x, box.y + 58}, words, ui.theme().muted, true);
    paragraph({x, box.y + 58 + said}, bad, ui.theme().bad, true);
    return Card{box, x, width, box.y + h - 20 - kButton};
}

std::string where(const std::string& name, std::uint64_t step, std::uint64_t steps) {
    return fmt::format("{} at step {} of {}", name, step, steps);
}

} // namespace

void leave_dialog(Panel& p) {
    const app::ClassSnapshot& now = p.classroom.seen();
    const bool learning = p.classroom.learning();
    std::string list;
    for (const app::Pupil& pupil : now.pupils) {
        list +=
            fmt::format("{}{}", list.empty() ? "" : ", ",
                        where(models::short_title(pupil.plan.model), pupil.step, pupil.plan.steps));
    }
    const auto card =
        begin_card(p, "leave-dialog", learning ? "A class is learning" : "A class has learned",
                   list + ". Saved, it goes on at the next start.",
                   now.save_error ? base::describe(*now.save_error) : "");
    if (!card) { // Esc closes it while the class is saved, too
        p.state.leaves_when_saved = false;
        return;
    }
    Ui& ui = p.ui;
    const bool saving = p.classroom.saving();
    const float right = card->x + card->width;
    if (ui.button({card->x, card->y, 126, kButton}, "leave/stay",
                  learning ? "Keep training" : "Stay", Ui::ButtonLook::plain, !saving)) {
        ui.close_popup();
    }
    ui.tip("Esc");
    if (ui.button({right - 140 - 8 - 176, card->y, 176, kButton}, "leave/discard",
                  "Close without saving", Ui::ButtonLook::plain, !saving)) {
        p.classroom.discard();
        p.state.leaves = true;
    }
    ui.tip("What was saved by itself stays");
    if (ui.button({right - 140, card->y, 140, kButton}, "leave/save",
                  saving ? "Saving \u2026" : "Save and close", Ui::ButtonLook::accent, !saving)) {
        p.classroom.save();
        p.state.leaves_when_saved = true;
    }
    ui.end_popup();
}

void go_on_dialog(Panel& p) {
    const auto& saved = p.classroom.offered();
    std::string learners;
    for (std::size_t i = 0; saved && i < saved->learners.size(); ++i) {
        learners += (i == 0 ? "" : ", ") + saved->learners[i];
    }
    const auto card = begin_card(
        p, "go-on-dialog", "Go on with the class of last time?",
        saved ? fmt::format("{}: {}.", saved->task, where(learners, saved->step, saved->steps))
              : "");
    if (!card) return;
    Ui& ui = p.ui;
    const float right = card->x + card->width;
    if (ui.button({card->x, card->y, 100, kButton}, "go-on/later", "Later")) ui.close_popup();
    ui.tip("It is asked again before another class takes its first step (Esc)");
    if (p.classroom.has_another()) {
        const Box box{right - 3 * 100 - 2 * 8, card->y, 100, kButton};
        if (ui.button(box, "go-on/another", "Another")) p.classroom.offer_another();
        ui.tip("Several classes are saved; this one stays");
    }
    if (ui.button({right - 100 - 8 - 100, card->y, 100, kButton}, "go-on/forget", "Let it go")) {
        p.classroom.forget_offered();
        if (!p.classroom.offered()) ui.close_popup();
    }
    if (ui.button({right - 100, card->y, 100, kButton}, "go-on/go-on", "Go on",
                  Ui::ButtonLook::accent)) {
        choose_room(p, app::View::train);
        p.classroom.go_on();
        ui.close_popup();
    }
    ui.end_popup();
}

} // namespace heed::ui
