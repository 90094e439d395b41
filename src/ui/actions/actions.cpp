#include "ui/actions/actions.hpp"

#include "app/files/shipped_models.hpp"
#include "app/learn/lessons.hpp"
#include "lab/page.hpp"
#include "ui/actions/action_table.hpp"
#include "ui/explore/changes_section.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/kept_section.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/stage/pinning.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

namespace heed::ui {

using shim::Key;
using Group = ActionGroup;
using Table = ActionTable;

namespace {

/// True where an entry of the history changed the text of the field that is edited, or no field is.
bool is_of_field(const Panel& p, std::size_t entry) {
    if (!p.ui.typing() || p.ui.any_popup()) return true;
    if (p.ui.offers_any()) return true; // nobody chose it
    if (entry == 0 || p.work.can_bring_back()) return false; // which is of no field
    const app::Document& before = p.work.history().document(entry - 1);
    const app::Document& after = p.work.history().document(entry);
    const app::Document& now = p.document();
    if (after.model_file != before.model_file) return false;
    // A field holds what it edits: of the texts the one that it shows.
    const auto text = p.ui.edited_text();
    const auto changed = [&](auto text_in) {
        return text == text_in(now) && text_in(before) != text_in(after);
    };
    return changed([](const app::Document& d) { return d.source; }) ||
           changed([](const app::Document& d) { return d.target; }) ||
           changed([](const app::Document& d) { return d.inside.other; });
}

/// Goes one step, of which `entry` is. What happens beside a field that is edited may be out of
/// sight: it is told.
void go_through_history(Panel& p, std::size_t entry, bool back) {
    const bool beside = back ? p.work.can_bring_back() : p.work.can_go_again(); // which is told
    const bool tells = !beside && !is_of_field(p, entry);
    const std::string words = tells ? p.work.history().words(entry) : std::string();
    // A name that is edited is of a row by its number.
    if (beside) p.state.explore->renaming.reset();
    p.commands.push_back(back ? Command(Undo{}) : Command(Redo{}));
    if (!tells) return;
    p.commands.push_back(Say{{fmt::format("{}: {}", back ? "Undone" : "Redone", words), false}});
}

void add_changes(Table& table) {
    table.push_back({.id = ActionId::undo,
                     .group = Group::changes,
                     .name = "Undo",
                     .run = [](Panel& p) { go_through_history(p, p.work.history().at(), true); },
                     .keys = chords_of(ActionId::undo),
                     .scope = ShortcutScope::in_window,
                     .repeats = true,
                     .usable = [](const Panel& p) { return p.work.can_undo(); },
                     .tip = "Takes the last change back",
                     .refusal = [](const Panel&) { return "There is nothing to undo"; }});
    table.push_back(
        {.id = ActionId::redo,
         .group = Group::changes,
         .name = "Redo",
         .run = [](Panel& p) { go_through_history(p, p.work.history().at() + 1, false); },
         .keys = chords_of(ActionId::redo),
         .scope = ShortcutScope::in_window,
         .repeats = true,
         .usable = [](const Panel& p) { return p.work.can_redo(); },
         .tip = "Makes the change again that was taken back",
         .refusal = [](const Panel&) { return "There is nothing to redo"; }});
    table.push_back({.group = Group::changes,
                     .name = "Clear all",
                     .run = clear_changes,
                     .keywords = "reset original",
                     .usable =
                         [](const Panel& p) {
                             return !(p.document().controls == models::Controls{} &&
                                      p.document().resting == models::Controls{});
                         },
                     .tip = "Brings the original model back"});
    table.push_back({.id = ActionId::keep_state,
                     .group = Group::kept,
                     .name = "Save snapshot",
                     .run = keep_state,
                     .keys = chords_of(ActionId::keep_state),
                     .scope = ShortcutScope::in_window,
                     .keywords = "keep state name",
                     .usable = [](const Panel& p) { return p.work.kept().size() < app::kMaxKept; },
                     .tip = "Saves this state as a snapshot, to come back to it",
                     .refusal =
                         [](const Panel&) {
                             return fmt::format("There are {} snapshots: delete one first",
                                                app::kMaxKept);
                         }});
}

void save(Panel& p) {
    if (p.state.files.session_file.empty()) {
        open_card(p, CardId::save_session);
    } else {
        p.commands.push_back(SaveFile{p.state.files.session_file});
    }
}

void add_files(Table& table) {
    table.push_back({.id = ActionId::open,
                     .group = Group::file,
                     .name = "Open \u2026",
                     .run = [](Panel& p) { open_card(p, CardId::open_file); },
                     .keys = chords_of(ActionId::open),
                     .scope = ShortcutScope::in_window,
                     .keywords = "load session model text recent",
                     .tip = "Opens a model, a session, a picture, attention or a text"});
    table.push_back({.id = ActionId::model,
                     .group = Group::file,
                     .name = "Choose a model \u2026",
                     .run = [](Panel& p) { open_card(p, CardId::model); },
                     .keys = chords_of(ActionId::model),
                     .scope = ShortcutScope::in_window,
                     .keywords = "gallery trained untrained random weights size",
                     .usable =
                         [](const Panel& p) {
                             return !p.state.layout.presenting &&
                                    p.state.view.view != app::View::train;
                         },
                     .tip = "Trained models, your own, and those with random weights",
                     .refusal =
                         [](const Panel& p) {
                             return p.state.layout.presenting
                                        ? "Leave the presenter mode first (" +
                                              keys_of(ActionId::present) + ")"
                                        : std::string("Models to train are chosen at the left; "
                                                      "those to look at, in Explore");
                         }});
    table.push_back({.group = Group::file,
                     .name = "Save the session",
                     .run = save,
                     .keys = {ctrl(Key::s)},
                     .scope = ShortcutScope::in_window,
                     .tip = "Saves text, controls, view and snapshots in one file"});
    table.push_back({.group = Group::file,
                     .name = "Save the session as \u2026",
                     .run = [](Panel& p) { open_card(p, CardId::save_session); },
                     .keys = {ctrl_shift(Key::s)},
                     .scope = ShortcutScope::in_window,
                     .tip = "Saves the session in another file"});
    table.push_back({.id = ActionId::export_picture,
                     .group = Group::file,
                     .name = "Export \u2026",
                     .run = [](Panel& p) { open_card(p, CardId::export_picture); },
                     .keys = chords_of(ActionId::export_picture),
                     .scope = ShortcutScope::in_window,
                     .in_training = true,
                     .keywords = "save picture png svg pdf csv npy",
                     .usable = can_export,
                     .tip = "Writes the picture or its numbers to a file",
                     .refusal =
                         [](const Panel& p) {
                             return p.state.view.view == app::View::learn
                                        ? "Open a page first: this list has no picture to export"
                                        : "There is nothing to export yet";
                         }});
    table.push_back({.id = ActionId::copy_numbers,
                     .group = Group::file,
                     .name = "Copy numbers",
                     .run = [](Panel& p) { p.commands.push_back(CopyNumbers{p.state.view}); },
                     .keys = chords_of(ActionId::copy_numbers),
                     .scope = ShortcutScope::in_window,
                     .keywords = "clipboard table",
                     .usable = has_run,
                     .tip = "Puts the numbers of this view on the clipboard, for a spreadsheet",
                     .refusal = [](const Panel&) { return kNotRunYet; }});
}

constexpr const char* kEdgesHint = "Panels slide in at the edges. Esc: back";

void stop_presenting(Panel& p) {
    p.state.layout.presenting = false;
    if (p.work.notice.text == kEdgesHint) p.commands.push_back(Say{});
}

void let_go(Panel& p) {
    if (p.work.reading()) {
        p.commands.push_back(StopReading{});
    } else if (p.state.player.playing) {
        p.state.player.playing = false;
    } else if (p.work.notice.bad && !p.work.notice.text.empty()) {
        p.commands.push_back(Say{});
    } else if (p.ui.keyboard_visible()) {
        p.ui.hide_keyboard_ring();
    } else if (p.state.choices.painting) {
        p.state.choices.painting = false;
    } else if (p.state.layout.presenting) {
        stop_presenting(p);
    } else {
        let_go_of_tokens(p);
    }
}

void add_window(Table& table) {
    constexpr float kUsualSize = 1e9f; // more steps than there are
    const auto add = [&](const char* name, std::vector<Chord> chords, ShortcutScope scope,
                         std::function<void(Panel&)> run, const char* tip) {
        table.push_back({.group = Group::window,
                         .name = name,
                         .run = std::move(run),
                         .keys = std::move(chords),
                         .scope = scope,
                         .tip = tip});
    };
    add(
        "Command palette", chords_of(ActionId::palette), ShortcutScope::in_window,
        [](Panel& p) { open_card(p, CardId::search); }, "Finds a command by its name");
    table.back().keywords = "search over commands";
    table.back().id = ActionId::palette;
    add(
        "List of keys", {typed('?'), key(Key::f1)}, ShortcutScope::in_window,
        [](Panel& p) { open_card(p, CardId::keys); }, "Lists all keyboard shortcuts");
    table.back().keywords = "shortcuts help";
    add("Close, clear selection", chords_of(ActionId::let_go), ShortcutScope::at_rest, let_go,
        "Stops reading a model or going on, closes a card, ends painting, or clears what is "
        "selected");
    table.back().listed = false;
    table.back().id = ActionId::let_go;
    add(
        "Zoom in", {ctrl(Key::equal), secondary(ctrl_shift(Key::equal))}, ShortcutScope::everywhere,
        [](Panel& p) { p.state.layout.zoom_steps += 1; }, "Makes the whole window larger");
    table.back().keywords = "larger";
    add(
        "Zoom out", {ctrl(Key::minus)}, ShortcutScope::everywhere,
        [](Panel& p) { p.state.layout.zoom_steps -= 1; }, "Makes the whole window smaller");
    table.back().keywords = "smaller";
    add(
        "Reset zoom", {ctrl(Key::zero)}, ShortcutScope::everywhere,
        [](Panel& p) { p.state.layout.zoom_steps = kUsualSize; },
        "Gives the window its first size back");
    table.back().keywords = "usual size";
    add(
        "Quit", {ctrl(Key::q)}, ShortcutScope::everywhere,
        [](Panel& p) { p.state.leaving.asked = true; },
        "Closes Heed; it asks where something would be lost");
    table.back().keywords = "leave exit close";
}

void present(Panel& p) {
    if (p.state.layout.presenting) return stop_presenting(p);
    p.state.layout.presenting = true;
    p.commands.push_back(Say{{kEdgesHint, false}});
}

void add_panels(Table& table) {
    table.push_back({.id = ActionId::present,
                     .group = Group::window,
                     .name = "Presenter mode",
                     .run = present,
                     .keys = chords_of(ActionId::present),
                     .scope = ShortcutScope::everywhere,
                     .in_training = true,
                     .keywords = "full screen present projector stage alone",
                     .on = [](const Panel& p) { return p.state.layout.presenting; },
                     .tip = "The picture alone, larger, on the whole screen; panels slide in at "
                            "the edges"});
    const auto add = [&](ActionId id, const char* name, Edge edge, std::vector<Chord> chords) {
        table.push_back({.id = id,
                         .group = Group::window,
                         .name = name,
                         .run = [edge](Panel& p) { p.state.layout.wanted_panel = edge; },
                         .keys = std::move(chords),
                         .scope = ShortcutScope::in_window,
                         .in_training = true,
                         .keywords = "hide show collapse dock side",
                         .tip = "Puts the panel away, or brings it back"});
    };
    add(ActionId::left_panel, "Left panel", Edge::left, chords_of(ActionId::left_panel));
    add(ActionId::right_panel, "Right panel", Edge::right, chords_of(ActionId::right_panel));
    add(ActionId::other, "Strip of stages", Edge::bottom, {});
}

Table make_table() {
    Table table;
    add_look_actions(table);
    add_model_actions(table);
    add_changes(table);
    add_files(table);
    add_window(table);
    add_panels(table);
    add_word_actions(table);
    return table;
}

} // namespace

std::string_view group_words(ActionGroup group) {
    switch (group) {
    case Group::view: return "View";
    case Group::room: return "Room";
    case Group::attention: return "Attention";
    case Group::head: return "Head";
    case Group::stage: return "Stage";
    case Group::cell: return "Cell";
    case Group::map: return "Map";
    case Group::compare: return "Compare";
    case Group::colours: return "Colours";
    case Group::controls: return "Controls";
    case Group::model: return "Model";
    case Group::changes: return "Changes";
    case Group::kept: return "Snapshot";
    case Group::file: return "File";
    case Group::recent: return "Open";
    case Group::window: return "Window";
    case Group::learn: return "Learn";
    case Group::word: return "Word";
    }
    return "";
}

const std::vector<Action>& actions() {
    static const Table table = make_table();
    return table;
}

namespace {

void add_learn(Table& table) {
    for (const app::ListedLesson& card : app::shipped_lessons()) {
        table.push_back({.group = Group::learn,
                         .name = card.lesson.title,
                         .run = [name = card.name](Panel& p) { p.state.asked_card = name; },
                         .keywords = "card lesson " + card.name,
                         .tip = card.lesson.task});
    }
    for (const lab::Page& page : lab::pages()) {
        table.push_back({.group = Group::learn,
                         .name = lab::plain(page.title),
                         .run =
                             [&page](Panel& p) {
                                 choose_room(p, app::View::learn);
                                 p.state.asked_page = page.name;
                             },
                         .keywords = "page " + page.name,
                         .tip = lab::plain(page.claim)});
    }
}

} // namespace

std::vector<Action> named_actions(const Panel& p) {
    Table table;
    add_learn(table);
    const auto& all = p.work.kept();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string& name = all[i].name;
        table.push_back(
            {.group = Group::kept,
             .name = name.empty() ? "without a name" : name,
             .run = [i](Panel& panel) { return_to(panel, panel.work.kept()[i]); },
             .on = [i](const Panel& panel) { return is_here(panel, panel.work.kept()[i]); },
             .tip = "Goes back to this snapshot"});
    }
    for (const std::string& name : app::shipped_models()) {
        const app::ShippedTitle title = app::shipped_title(name);
        table.push_back(
            {.group = Group::model,
             .name = "Open " + title.task + " \u00b7 " + title.kind,
             .run = [path = app::shipped_model(name)](
                        Panel& panel) { panel.commands.push_back(OpenFile{path}); },
             .keywords = "trained model " + app::task_keywords(title.task) + " " + name});
    }
    for (const std::string& path : p.state.files.recent_files) {
        const std::filesystem::path file(path);
        const app::ShippedTitle title = app::file_title(path);
        table.push_back({.group = Group::recent,
                         .name = title.kind.empty() ? file.filename().string() + " \u00b7 " +
                                                          file.parent_path().string()
                                                    : title.task + " \u00b7 " + title.kind,
                         .run = [path](Panel& panel) { panel.commands.push_back(OpenFile{path}); },
                         .keywords = "recent file",
                         .tip = "Opens this file again"});
    }
    return table;
}

} // namespace heed::ui
