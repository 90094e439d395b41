// The cards that open files and save the session.
#include "app/open_file.hpp"
#include "ui/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heed::ui {

namespace {

constexpr float kPad = 22, kRow = kPathRow;

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

void title(Panel& p, const Box& line, std::string_view words, std::string_view what) {
    p.ui.canvas.text(line, Face::title, p.ui.theme().text, words);
    p.ui.canvas.text(line, Face::control, p.ui.theme().muted, what, AlignX::right);
}

std::string proposed_session() { return app::whole_path("heed-session.json"); }

/// The path with the ending by which a session is known again.
std::string session_path(const std::string& typed) {
    return app::whole_path(typed.ends_with(".json") ? typed : typed + ".json");
}

bool names_a_file(const std::string& typed) {
    return !typed.empty() && !typed.ends_with('/') && !file_name(typed).empty();
}

/// True when it is to be opened.
bool recent_row(Panel& p, const Box& row, std::size_t index) {
    const std::filesystem::path path(p.state.recent_files[index]);
    const figure::Theme& t = p.ui.theme();
    const Press press = p.ui.area(row, fmt::format("open/recent/{}", index), path.string(),
                                  Widget::Kind::button, false, true);
    if (press.hovered) p.ui.canvas.fill(row, t.raised, 5);
    const Box inside = inset(row, 10, 0);
    const float name =
        std::min(p.ui.canvas.width_of(Face::body, path.filename().string()) + 2, inside.w * 0.6f);
    p.ui.canvas.text({inside.x, row.y, name, row.h}, Face::body, t.text, path.filename().string());
    p.ui.canvas.text({inside.x + name + 14, row.y, inside.w - name - 14, row.h}, Face::control,
                     t.faint, path.parent_path().string(), AlignX::right);
    return press.clicked;
}

/// True when it is chosen.
bool entry_row(Panel& p, const Box& row, const std::string& id, const app::PathEntry& entry) {
    const figure::Theme& t = p.ui.theme();
    const Press press = p.ui.area(row, id, entry.name, Widget::Kind::button, false, true);
    if (press.hovered) p.ui.canvas.fill(row, t.raised, 5);
    p.ui.canvas.text(inset(row, 10, 0), Face::body, entry.folder ? t.muted : t.text, entry.name);
    return press.clicked;
}

} // namespace

std::optional<std::string> path_rows(Panel& p, const std::string& id, PathList& list,
                                     std::string& typed, const std::string& field, float x,
                                     float& y, float width) {
    constexpr std::size_t kMost = 6;
    if (list.listed_for != typed) {
        list.listed_for = typed;
        list.entries = app::path_entries(typed, kMost);
    }
    std::optional<std::string> asked;
    for (std::size_t i = 0; i < list.entries.size(); ++i, y += kPathRow) {
        const app::PathEntry& entry = list.entries[i];
        if (!entry_row(p, {x - 10, y, width + 20, kPathRow}, fmt::format("{}/{}", id, i), entry)) {
            continue;
        }
        if (entry.folder) {
            typed = entry.path;
            p.ui.focus(field);
        } else {
            asked = entry.path;
        }
    }
    return asked;
}

float card_remark(Panel& p, Point at, float width, const std::string& replaces, bool draw) {
    const figure::Theme& t = p.ui.theme();
    const std::string words =
        replaces.empty() ? p.work.notice.text
                         : file_name(replaces) + " is there already. Replace writes over it.";
    const bool bad = !replaces.empty() || p.work.notice.bad;
    return p.ui.canvas.paragraph(at, width, Face::control, bad ? t.bad : t.accent, words, draw);
}

bool may_write(const std::string& path, std::string& replaces) {
    std::error_code failed;
    const bool there = std::filesystem::is_regular_file(path, failed);
    if (!there || replaces == path) {
        replaces.clear();
        return true;
    }
    replaces = path;
    return false;
}

void save_dialog(Panel& p) {
    Ui& ui = p.ui;
    const float w = std::min(520.0f, ui.width() - 40), width = w - 2 * kPad;
    const float said = card_remark(p, {}, width, p.state.files.replaces, false);
    const float h = 160 + said;
    const Box box{(ui.width() - w) / 2, std::max(60.0f, (ui.height() - h) * 0.35f), w, h};
    if (!ui.begin_popup("save-dialog", box, true)) return;
    FilesForm& form = p.state.files;
    if (ui.popup_appears()) {
        form.closes = form.failed = false;
        form.replaces.clear();
        form.save_path = p.state.session_file.empty() ? proposed_session() : p.state.session_file;
        ui.focus("save/path");
    }
    const float x = box.x + kPad;
    float y = box.y + 18;
    title(p, {x, y, width, 26}, "Save the session", "text, controls, view, kept states");
    y += 42;
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "a path; .json is added where it is missing";
    const auto typed = ui.field({x, y, width, 34}, "save/path", "path", form.save_path, options);
    if (typed.changed) form.replaces.clear();
    y += 44;
    y += card_remark(p, {x, y - 4}, width, form.replaces);
    if (ui.button({x + width - 210, y, 100, 34}, "save/close", "Cancel")) ui.close_popup();
    const bool possible = names_a_file(form.save_path);
    const bool pressed =
        ui.button({x + width - 100, y, 100, 34}, "save/save",
                  form.replaces.empty() ? "Save" : "Replace", Ui::ButtonLook::accent, possible);
    if ((pressed || typed.entered) && possible) {
        const std::string path = session_path(form.save_path);
        const bool own = path == p.state.session_file; // it is this session already
        if (own || may_write(path, form.replaces)) {
            form.replaces.clear();
            p.commands.push_back(SaveFile{path});
        } else {
            ui.focus("save/path"); // a second Enter replaces
        }
    }
    if (std::exchange(form.failed, false)) ui.focus("save/path");
    if (std::exchange(form.closes, false)) ui.close_popup();
    ui.end_popup();
}

void open_dialog(Panel& p) {
    Ui& ui = p.ui;
    const auto& recent = p.state.recent_files;
    FilesForm& form = p.state.files;
    const float listed = kRow * static_cast<float>(form.listed.entries.size());
    const float list =
        listed + (recent.empty() ? 0 : 30 + kRow * static_cast<float>(recent.size()));
    const float w = std::min(600.0f, ui.width() - 40), width = w - 2 * kPad;
    const float h = 162 + list + card_remark(p, {}, width, "", false);
    const Box box{(ui.width() - w) / 2, std::max(30.0f, (ui.height() - h) * 0.35f), w, h};
    if (!ui.begin_popup("open-dialog", box, true)) return;
    if (ui.popup_appears()) {
        form.listed.listed_for.reset(); // the folder may have changed since
        form.closes = form.failed = false;
        ui.focus("open/path");
    }
    const float x = box.x + kPad;
    float y = box.y + 18;
    title(p, {x, y, width, 26}, "Open", "a session, a model, or a text for the source");
    y += 42;
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "path of a .json, a .safetensors or a text file";
    const auto typed = ui.field({x, y, width, 34}, "open/path", "path", form.open_path, options);
    y += 40;
    std::string asked;
    if (auto file =
            path_rows(p, "open/entry", form.listed, form.open_path, "open/path", x, y, width)) {
        asked = *std::move(file);
    }
    y += 6;
    if (!recent.empty()) {
        ui.canvas.heading({x, y, width, 16}, ui.theme().muted, "Recent");
        y += 22;
        for (std::size_t i = 0; i < recent.size(); ++i, y += kRow) {
            if (recent_row(p, {x - 10, y, width + 20, kRow}, i)) asked = recent[i];
        }
        y += 8;
    }
    y += card_remark(p, {x, y - 4}, width, "");
    if (ui.button({x + width - 210, y, 100, 34}, "open/close", "Cancel")) ui.close_popup();
    const bool possible = names_a_file(form.open_path);
    const bool pressed = ui.button({x + width - 100, y, 100, 34}, "open/open", "Open",
                                   Ui::ButtonLook::accent, possible);
    if ((pressed || typed.entered) && possible) asked = form.open_path;
    if (!asked.empty()) p.commands.push_back(OpenFile{asked});
    if (std::exchange(form.failed, false)) ui.focus("open/path");
    if (std::exchange(form.closes, false)) ui.close_popup();
    ui.end_popup();
}

} // namespace heed::ui
