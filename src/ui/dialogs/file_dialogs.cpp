#include "ui/dialogs/file_dialogs.hpp"

#include "app/files/open_file.hpp"
#include "app/files/shipped_models.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heed::ui {

namespace {

/// What a recent file is listed by: models that have titles by these, and what they are.
std::pair<std::string, std::string> recent_words(const std::string& path) {
    const std::filesystem::path file(path);
    const app::ShippedTitle title = app::file_title(path);
    if (!title.kind.empty()) return {title.task + " \u00b7 " + title.kind, "trained model"};
    const bool named = path.ends_with(".safetensors") && title.task != file.stem().string();
    return {named ? title.task : file.filename().string(), app::file_detail(path)};
}

/// Rows of the list that leave the card as high as the window has room for.
int rows_in(float height, std::size_t recent) {
    constexpr float kOthers = 246, kEntry = 30; // what lies around the list; a row of Recent
    const float listed = recent > 0 ? kEntry * static_cast<float>(recent + 1) : 0;
    return std::min(rows_of_list(height - kOthers - listed), FileList{}.rows);
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// The path with the ending by which a session is known again.
std::string session_path(const std::string& typed) {
    return app::whole_path(typed.ends_with(".json") ? typed : typed + ".json");
}

/// True of a folder that holds a checkpoint, which is opened as a whole.
bool lists_checkpoint(const FileList& list) {
    return std::ranges::any_of(list.all, [](const app::PathEntry& entry) {
        return entry.path.ends_with("/config.json");
    });
}

} // namespace

void card_remark(const Panel& p, Form& f, const std::string& replaces) {
    const figure::Theme& t = p.ui.theme();
    const bool bad = !replaces.empty() || p.work.notice.bad;
    f.paragraph(replaces.empty()
                    ? p.work.notice.text
                    : file_name(replaces) + " is there already. Replace writes over it.",
                bad ? t.bad : t.accent);
}

bool is_file(const std::string& path) {
    std::error_code failed;
    return std::filesystem::is_regular_file(app::whole_path(path), failed);
}

void ask_to_write(WriteQuestion& question, const std::string& path) {
    question.path = path;
    question.there.ask([look = question.look, path] { return look(path); });
}

std::optional<bool> may_write(WriteQuestion& question, std::string& replaces) {
    const std::optional<bool> there = question.there.take();
    if (!there) return std::nullopt;
    const bool may = !*there || replaces == question.path;
    replaces = may ? "" : question.path;
    return may;
}

namespace {

/// Writes the session once the disk has said what is there.
void write_session(Panel& p, FilesForm& form) {
    const auto may = may_write(form.write, form.replaces);
    if (!may) return;
    p.ui.wake_in(0);                           // the card says what came of it
    if (!*may) return p.ui.focus("save/path"); // a second Enter replaces
    remember_written(p, form.write.path);
    p.commands.push_back(SaveFile{form.write.path});
}

/// What the disk is asked is likely to be answered in the next frames.
void look_again(Panel& p, const FilesForm& form) {
    const auto& there = form.write.there;
    const bool soon = looks(form.listed) || (there.asks() && !there.waits());
    p.state.dialogs->looks_at_path = p.state.dialogs->looks_at_path || soon;
    constexpr float kLook = 0.02f; // seconds
    if (there.asks()) p.ui.wake_in(kLook);
}

} // namespace

void save_dialog(Panel& p) {
    Ui& ui = p.ui;
    FilesForm& form = p.state.dialogs->files;
    modal_card(ui, CardId::save_session, {680, "save/"}, [&](Form& f) {
        if (f.opens()) {
            form.closes = form.failed = false;
            form.replaces.clear();
            form.write.there.forget();
            form.save_path = p.state.files.session_file.empty()
                                 ? in_written_folder(p, "heed-session.json")
                                 : p.state.files.session_file;
            forget(form.listed);
            ui.focus("save/path");
        }
        f.title("Save the session", "text, controls, view, snapshots");
        Ui::FieldOptions options;
        options.mono = true;
        options.hint = "a path; .json is added where it is missing";
        const auto typed = f.field("path", "path", form.save_path, options);
        f.tip("Where the session is written; it can be opened again with all that you see.");
        const bool another = folder_list(f, form.listed, form.save_path, "path");
        if (typed.changed || another) {
            form.replaces.clear();
            form.write.there.forget();
        }
        if (form.write.there.waits()) {
            f.paragraph("Waiting for the folder to answer \u2026");
        } else {
            card_remark(p, f, form.replaces);
        }
        f.space(4);
        const bool possible = names_a_file(form.save_path);
        const bool pressed =
            end_buttons(f, "save", "Cancel", form.replaces.empty() ? "Save" : "Replace", possible,
                        "Writes the session to this file (Enter)");
        if ((pressed || typed.entered) && possible) {
            const std::string path = session_path(form.save_path);
            const bool own = path == p.state.files.session_file; // it is this session already
            if (own) form.replaces = path;
            ask_to_write(form.write, path);
        }
        if (!f.draws()) return;
        write_session(p, form);
        look_again(p, form);
        if (std::exchange(form.failed, false)) ui.focus("save/path");
        if (std::exchange(form.closes, false)) ui.close_popup();
    });
}

void open_dialog(Panel& p) {
    Ui& ui = p.ui;
    const auto& recent = p.state.files.recent_files;
    FilesForm& form = p.state.dialogs->files;
    modal_card(ui, CardId::open_file, {720, "open/"}, [&](Form& f) {
        if (f.opens()) {
            forget(form.listed);
            form.open_path = in_last_folder(p, "");
            form.listed.rows = rows_in(ui.height(), recent.size());
            form.closes = form.failed = false;
            ui.focus_end("open/path");
        }
        f.title("Open", "a session, a model, a picture, attention, or a text for the source");
        Ui::FieldOptions options;
        options.mono = true;
        options.hint = "path of a model, a session, a picture, attention or a text";
        const auto typed = f.field("path", "path", form.open_path, options);
        f.tip("The path of " + app::opened_kinds() + ". Matching files are listed below.");
        std::string asked;
        if (auto file = file_list(f, form.listed, form.open_path, "path")) {
            asked = *std::move(file);
        }
        if (!recent.empty()) {
            f.space(6);
            f.heading("Recent");
            for (std::size_t i = 0; i < recent.size(); ++i) {
                const std::string& path = recent[i];
                auto [label, detail] = recent_words(path);
                if (f.entry(fmt::format("recent/{}", i), {.label = std::move(label),
                                                          .detail = std::move(detail),
                                                          .name = path,
                                                          .outdent = 10})) {
                    asked = path;
                }
                f.tip(path + ": opens it again");
            }
        }
        f.space(6);
        card_remark(p, f, "");
        f.space(4);
        const bool folder = form.open_path.ends_with('/') && lists_checkpoint(form.listed);
        const bool possible = folder || names_a_file(form.open_path);
        const bool pressed =
            end_buttons(f, "open", "Cancel", "Open", possible,
                        folder ? "Reads this checkpoint (Enter)" : "Reads this file (Enter)");
        if ((pressed || typed.entered) && possible) {
            asked = form.open_path.substr(0, form.open_path.find_last_not_of('/') + 1);
        }
        if (!asked.empty()) {
            remember_folder(p, asked);
            p.commands.push_back(OpenFile{asked});
        }
        if (!f.draws()) return;
        look_again(p, form);
        if (std::exchange(form.failed, false)) ui.focus("open/path");
        if (std::exchange(form.closes, false)) ui.close_popup();
    });
}

} // namespace heed::ui
