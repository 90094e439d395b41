#include "ui/explore/changes_section.hpp"

#include "app/document/changes.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

namespace heed::ui {

namespace {

constexpr float kChangeRow = 24, kTick = 15, kRemove = 22, kShow = 50;

/// The head that a change is about; of a layer or a kind the first of its heads. Nothing where it is
/// of the whole model, or the head is looked at already.
std::optional<trace::HeadId> head_of(const Panel& p, const app::Change& change) {
    const models::Scope& scope = change.scope;
    const trace::HeadId& now = p.focus().head;
    if (!scope.kind || scope.holds_for(now)) return std::nullopt;
    const trace::HeadId head{*scope.kind, scope.layer.value_or(0), scope.head.value_or(0)};
    const models::Traits traits = traits_now(p);
    const bool there = head.layer < traits.layers(head.kind) && head.head < traits.n_heads;
    return there && !traits.is_stepwise() ? std::optional(head) : std::nullopt;
}

void tick(Panel& p, const Box& box, bool on, bool hovered) {
    const figure::Theme& t = p.ui.theme();
    Canvas& c = p.ui.canvas;
    c.fill(box, on ? t.accent : t.ground, 3);
    if (!on) c.outline(box, hovered ? t.muted : t.border, 3);
    if (!on) return;
    const float s = c.scale();
    const ImVec2 at = c.pixels({box.x, box.y});
    const ImVec2 points[] = {{at.x + 3.5f * s, at.y + 7.5f * s},
                             {at.x + 6.5f * s, at.y + 10.5f * s},
                             {at.x + 11.5f * s, at.y + 4.5f * s}};
    shim::polyline(c.list(), points, packed(t.on_accent), false, 1.8f * s);
}

/// The words of a change are read whole: what does not fit in one line takes two.
void change_row(Panel& p, const app::Change& change, std::size_t index, Form& f) {
    Ui& ui = p.ui;
    const auto head = head_of(p, change);
    const float beside = kRemove + 4 + (head ? kShow + 4 : 0);
    const float room = f.w - beside - kTick - 8;
    const bool one_line = ui.canvas.width_of(Face::control, change.words) <= room;
    const auto words = [&](Point at, Color ink, bool draw) {
        return ui.canvas.paragraph(at, room, Face::control, ink, change.words, draw);
    };
    const Box row = f.row(one_line ? kChangeRow : words({}, {}, false) + 6);
    const figure::Theme& t = ui.theme();
    const std::string id = fmt::format("change/{}", index);
    const Box line{row.x, row.y, row.w - beside, row.h};
    const Press press = ui.area(line, id, change.words, Widget::Kind::toggle, change.on, true);
    ui.tip(change.words +
           (change.on ? ". Click to switch it off" : ". It is off; click to switch it on"));
    tick(p, {row.x, row.y + (row.h - kTick) / 2, kTick, kTick}, change.on, press.hovered);
    const Color ink = change.on ? t.text : t.muted;
    if (one_line) {
        ui.canvas.text({row.x + kTick + 8, row.y, room, row.h}, Face::control, ink, change.words);
    } else {
        words({row.x + kTick + 8, row.y + 3}, ink, true);
    }
    if (press.clicked) {
        p.change((change.on ? "off: " : "on: ") + change.words,
                 [&](app::Document& d) { d = app::toggled(std::move(d), change); });
    }
    if (head) {
        const Box show{row.x + row.w - kRemove - 4 - kShow, row.y + 1, kShow, row.h - 2};
        if (ui.button(show, id + "/show", "Show", Ui::ButtonLook::quiet)) go_to_head(p, *head);
        ui.tip("Goes to what was changed: " + app::scope_words(change.scope));
    }
    if (ui.button({row.x + row.w - kRemove, row.y + 1, kRemove, row.h - 2}, id + "/remove",
                  "\u00d7", Ui::ButtonLook::quiet)) {
        p.change("removed: " + change.words,
                 [&](app::Document& d) { d = app::without(std::move(d), change); });
    }
    ui.tip("Removes this change; " + keys_of(ActionId::undo) + " brings it back");
}

/// Clear all, undo and redo beside the heading, where no change moves them: a second click at the
/// place of another button never clears.
void changes_buttons(Panel& p, Form& f, const Box& row, bool any) {
    const Workspace& work = p.work;
    constexpr float kEach = 48;
    const Box left{row.x, row.y, row.w - kEach, row.h};
    const Box far{left.x, left.y, left.w - kEach, left.h};
    if (any && f.aside(far, "changes/clear", "Clear all")) clear_changes(p);
    if (any)
        f.tip("Brings the original model back, as it was trained or drawn; " +
              keys_of(ActionId::undo) + " undoes this");
    if (f.aside(left, "undo", "Undo", work.can_undo())) p.commands.push_back(Undo{});
    f.tip(work.can_undo() ? "Undo (" + keys_of(ActionId::undo) + "): " + work.undo_words()
                          : "Nothing has been changed yet (" + keys_of(ActionId::undo) + ")");
    if (f.aside(row, "redo", "Redo", work.can_redo())) p.commands.push_back(Redo{});
    f.tip(work.can_redo() ? "Redo (" + keys_of(ActionId::redo) + "): " + work.redo_words()
                          : "Nothing has been undone (" + keys_of(ActionId::redo) + ")");
}

} // namespace

void clear_changes(Panel& p) {
    p.state.choices.painting = false;
    p.change("cleared all changes", [](app::Document& d) { d.controls = d.resting = {}; });
}

void changes_section(Panel& p, Form& f) {
    const std::vector<app::Change> list = app::changes(p.document(), traits_now(p).is_stepwise());
    const Box head =
        f.section("Changes", 12, "What you changed of the model; each can be switched off.");
    changes_buttons(p, f, head, !list.empty());
    if (list.empty()) {
        // Undo may still take back a text, or lead to the model before.
        f.text(f.row(kChangeRow), Face::control, p.ui.theme().muted,
               p.work.history().can_undo() ? "No changes to this model" : "No changes yet");
        return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) change_row(p, list[i], i, f);
}

} // namespace heed::ui
