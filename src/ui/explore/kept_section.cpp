#include "ui/explore/kept_section.hpp"

#include "app/document/kept.hpp"
#include "app/views/titles.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <utility>

namespace heed::ui {

namespace {

constexpr float kKeptRow = 24, kModelRow = 16, kRemoveKept = 22, kRename = 64;

void edit_name(Panel& p, std::size_t index, const std::string& name) {
    p.state.explore->renaming = Renaming{index, name, false, p.work.history().id(), p.state.view};
}

/// The name that is being typed, if any, is the snapshot's.
void take_name(Panel& p) {
    const auto renaming = std::exchange(p.state.explore->renaming, {});
    if (renaming && renaming->typed && !renaming->name.empty())
        p.commands.push_back(RenameKept{renaming->index, renaming->name});
}

void rename_row(Panel& p, const Box& row) {
    Renaming& renaming = *p.state.explore->renaming;
    Ui::FieldOptions options;
    options.takes_back = renaming.typed; // before, Undo is the window's
    const auto field = p.ui.field(row, "kept/name", "name", renaming.name, options);
    p.ui.tip("The snapshot's name; Enter takes it, Esc leaves the former one");
    if (field.changed) renaming.typed = true;
    const bool covered = renaming.typed && p.ui.any_popup(); // which has the keys
    if (field.entered || field.left || covered) {
        const bool taken_back = shim::key_pressed(shim::Key::escape);
        if (taken_back) renaming.typed = false;
        if (field.entered) p.ui.leave_field(); // else something else has the pointer by now
        take_name(p);
    }
}

/// The model of a snapshot that was taken of another one than the present.
std::string other_model(const Panel& p, const app::Document& kept) {
    return app::same_model(kept, p.document()) ? "" : app::model_title(kept.model_file, kept.model);
}

/// `other`: the model of a snapshot of another one, which has a line of its own below the name.
void kept_row(Panel& p, const app::Bookmark& kept, std::size_t index, const Box& whole,
              const std::string& other) {
    Ui& ui = p.ui;
    const figure::Theme& t = ui.theme();
    const std::string id = fmt::format("kept/{}", index);
    const bool here = is_here(p, kept);
    const Box row{whole.x, whole.y, whole.w, kKeptRow};
    const Box line{row.x, row.y, row.w - kRemoveKept - kRename - 6, whole.h};
    const Press press = ui.area(line, id, kept.name, Widget::Kind::choice, here, true);
    ui.tip((other.empty() ? "Goes" : "Opens " + other + ", its model, and goes") +
           " back to \u201c" + kept.name + "\u201d. " + keys_of(ActionId::undo) + " undoes that");
    if (press.hovered) ui.canvas.fill({line.x - 6, line.y, line.w + 6, line.h}, t.raised, 5);
    ui.canvas.text({line.x, line.y, line.w, kKeptRow}, Face::control, here ? t.accent : t.text,
                   kept.name);
    if (!other.empty()) {
        ui.canvas.text({row.x, row.y + kKeptRow - 3, row.w, kModelRow}, Face::small, t.muted,
                       other);
    }
    if (press.clicked) return_to(p, kept);
    if (ui.button({line.x + line.w + 2, row.y + 1, kRename, row.h - 2}, id + "/rename", "Rename",
                  Ui::ButtonLook::quiet)) {
        edit_name(p, index, kept.name);
        ui.focus("kept/name");
    }
    ui.tip("Gives the snapshot another name");
    if (ui.button({row.x + row.w - kRemoveKept, row.y + 1, kRemoveKept, row.h - 2}, id + "/remove",
                  "\u00d7", Ui::ButtonLook::quiet)) {
        p.commands.push_back(RemoveKept{index});
    }
    ui.tip("Deletes the snapshot; " + keys_of(ActionId::undo) + " brings it back");
}

} // namespace

bool is_here(const Panel& p, const app::Bookmark& kept) {
    return kept.document == p.document() && kept.focus == p.focus();
}

void return_to(Panel& p, const app::Bookmark& kept) {
    p.change("the step to \u201c" + kept.name + "\u201d",
             [&](app::Document& d) { d = kept.document; });
    p.commands.push_back(ChangeFocus{kept.focus});
    const bool dark = p.state.view.dark;
    p.state.view = kept.view;
    p.state.view.dark = dark;
    p.state.choices.filtered_heads = {};
}

void close_name(Panel& p) {
    const auto& renaming = p.state.explore->renaming;
    if (!renaming || p.ui.awaits_field()) return;
    const bool edited = p.ui.edits("kept/name");
    const bool acted =
        renaming->entry != p.work.history().id() || !(renaming->view == p.state.view);
    if (edited && !acted) return;
    if (edited) p.ui.leave_field();
    take_name(p);
}

void keep_state(Panel& p) {
    const auto& kept = p.work.kept();
    if (kept.size() >= app::kMaxKept) return;
    take_name(p);
    const std::string name =
        app::proposed_name(p.document(), p.focus(), kept, traits_now(p).is_stepwise());
    p.commands.push_back(Keep{{name, p.document(), p.focus(), p.state.view}});
    edit_name(p, kept.size(), name);
    p.ui.focus_all("kept/name");
}

void kept_section(Panel& p, Form& f) {
    const auto& kept = p.work.kept();
    const Box head = f.section("Snapshots", 12, "States that you can come back to.");
    if (f.aside(head, "keep", "Save snapshot", kept.size() < app::kMaxKept)) keep_state(p);
    f.tip("Saves this state as a snapshot (" + keys_of(ActionId::keep_state) + ")");
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::string other = other_model(p, kept[i].document);
        const Box row = f.row(other.empty() ? kKeptRow : kKeptRow + kModelRow);
        if (p.state.explore->renaming && p.state.explore->renaming->index == i) {
            rename_row(p, {row.x, row.y, row.w, kKeptRow});
        } else {
            kept_row(p, kept[i], i, row, other);
        }
    }
}

} // namespace heed::ui
