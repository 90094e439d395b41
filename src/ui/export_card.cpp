#include "ui/export_card.hpp"

#include "app/open_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace heed::ui {

namespace {

using app::ExportFormat;

constexpr float kPad = 22;

/// "PNG", "SVG", …, in the order of the enum.
std::array<std::string, 5> labels() {
    std::array<std::string, 5> words;
    for (const auto& format : app::names<ExportFormat>()) {
        std::string& word = words[static_cast<std::size_t>(format.value)];
        for (const char c : format.name) word += static_cast<char>(std::toupper(c));
    }
    return words;
}

std::string suffix(ExportFormat format) { return "." + std::string(app::name_of(format)); }

} // namespace

Box ExportCard::row(float height, float step) {
    const Box next{rest.x, rest.y, rest.w, height};
    rest.y += step;
    return next;
}

Color ExportCard::ink() const {
    return is_picture(form.format) ? p.ui.theme().muted : p.ui.theme().faint;
}

void choose_format(ExportForm& form, ExportFormat format) {
    form.format = format;
    if (!form.edited) return; // another one is proposed
    std::filesystem::path path(form.path);
    path.replace_extension(suffix(format));
    form.path = path.string();
}

std::optional<ExportCard> begin_export_card(Panel& p, ExportForm& form, float own_rows) {
    Ui& ui = p.ui;
    const float w = 480, width = w - 2 * kPad;
    const float remark = card_remark(p, {}, width, form.replaces, false);
    const float h = 236 + own_rows + std::max(28.0f, 8 + remark);
    const Box box{(ui.width() - w) / 2, std::max(60.0f, (ui.height() - h) * 0.4f), w, h};
    if (!ui.begin_popup("export-dialog", box, true)) return std::nullopt;
    if (ui.popup_appears()) {
        form.replaces.clear();
        if (form.path.empty()) form.edited = false;
    }
    return ExportCard{p, form, {box.x + kPad, box.y + 18, width, h - 18}};
}

void export_title(ExportCard& card, const char* holds) {
    const Box line = card.row(26, 42);
    card.p.ui.canvas.text(line, Face::title, card.p.ui.theme().text, "Export");
    card.p.ui.canvas.text(line, Face::control, card.p.ui.theme().muted, holds, AlignX::right);
}

void export_formats(ExportCard& card, unsigned allowed) {
    const auto chosen = card.p.ui.segments(card.row(30, 42), "export/format", labels(),
                                           1u << static_cast<unsigned>(card.form.format), allowed);
    if (chosen) choose_format(card.form, static_cast<ExportFormat>(*chosen));
}

void export_path(ExportCard& card, const std::string& name) {
    ExportForm& form = card.form;
    if (!form.edited) form.path = app::whole_path(name + suffix(form.format));
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "a path; its ending says the format";
    const auto typed = card.p.ui.field(card.row(34, 48), "export/path", "path", form.path, options);
    card.entered = typed.entered;
    if (!typed.changed) return;
    form.edited = true;
    form.replaces.clear();
    if (const auto format = app::export_format_of(form.path)) form.format = *format;
}

void export_scale(ExportCard& card) {
    const Box line = card.row(28, 36);
    card.p.ui.canvas.text({line.x, line.y, 200, line.h}, Face::body, card.ink(),
                          "Pixels a point (PNG)");
    const std::array<std::string, 4> scales{"1", "2", "3", "4"};
    const auto chosen = card.p.ui.segments({line.x + line.w - 160, line.y, 160, line.h},
                                           "export/scale", scales, 1u << (card.form.scale - 1),
                                           card.form.format == ExportFormat::png ? ~0u : 0u);
    if (chosen) card.form.scale = *chosen + 1;
}

bool end_export_card(ExportCard& card) {
    Ui& ui = card.p.ui;
    ExportForm& form = card.form;
    card.rest.y += 6;
    const Box line = card.row(34, 44);
    const float right = line.x + line.w;
    if (ui.button({right - 210, line.y, 100, line.h}, "export/close", "Close")) ui.close_popup();
    const bool replaces = !form.replaces.empty() && form.replaces == form.path;
    const bool saves =
        ui.button({right - 100, line.y, 100, line.h}, "export/save", replaces ? "Replace" : "Save",
                  Ui::ButtonLook::accent, !form.path.empty());
    const bool writes =
        (saves || card.entered) && !form.path.empty() && may_write(form.path, form.replaces);
    card_remark(card.p, {card.rest.x, card.rest.y}, card.rest.w, replaces ? form.replaces : "");
    ui.end_popup();
    return writes;
}

} // namespace heed::ui
