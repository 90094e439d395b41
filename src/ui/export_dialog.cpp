// The card that exports.
#include "app/names.hpp"
#include "ui/panel.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace heed::ui {

namespace {

using app::ExportFormat;

struct FormatName {
    const char* label;
    const char* suffix;
};
constexpr FormatName kFormats[] = {
    {"PNG", ".png"}, {"SVG", ".svg"}, {"PDF", ".pdf"}, {"CSV", ".csv"}, {"NPY", ".npy"}};

bool is_picture(ExportFormat format) {
    return format == ExportFormat::png || format == ExportFormat::svg ||
           format == ExportFormat::pdf;
}

/// Named after what the file will hold: "heed-encoder-1-3.png", "heed-cross-2-1-lines.svg",
/// "heed-encoder-1-3-scores.csv".
std::string proposed_path(const Panel& p, ExportFormat format) {
    const trace::HeadId& head = p.focus().head;
    const app::View view = is_picture(format) ? p.state.view.view : app::View::heatmap;
    std::string name = fmt::format("heed-{}", trace::name(head.kind));
    if (view != app::View::heads) name += fmt::format("-{}-{}", head.layer + 1, head.head + 1);
    if (view != app::View::heatmap) {
        name += fmt::format("-{}", app::name_of(view));
    } else if (p.focus().stage != trace::Stage::weights) {
        name += fmt::format("-{}", trace::name(p.focus().stage));
    }
    name += kFormats[static_cast<std::size_t>(format)].suffix;
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::current_path(failed);
    return failed ? name : (folder / name).string();
}

} // namespace

void export_dialog(Panel& p) {
    if (p.state.view.view == app::View::train) return class_export_dialog(p);
    Ui& ui = p.ui;
    const float w = 480;
    const std::string& asks = p.state.export_form.replaces;
    const float h = 304 + std::max(28.0f, 8 + card_remark(p, {}, w - 44, asks, false));
    const Box box{(ui.width() - w) / 2, std::max(60.0f, (ui.height() - h) * 0.4f), w, h};
    if (!ui.begin_popup("export-dialog", box, true)) return;
    Canvas& c = ui.canvas;
    ExportForm& form = p.state.export_form;
    if (ui.popup_appears()) {
        form.replaces.clear();
        if (form.path.empty()) form.edited = false;
    }
    if (!form.edited) form.path = proposed_path(p, form.format);
    const float x = box.x + 22, width = w - 44;
    float y = box.y + 18;
    c.text({x, y, width, 26}, Face::title, ui.theme().text, "Export");
    c.text({x, y, width, 26}, Face::control, ui.theme().muted,
           is_picture(form.format) ? "what is on the screen" : "the numbers of the chosen map",
           AlignX::right);
    y += 42;
    std::array<std::string, std::size(kFormats)> labels;
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = kFormats[i].label;
    if (const auto i = ui.segments({x, y, width, 30}, "export/format", labels,
                                   1u << static_cast<unsigned>(form.format))) {
        form.format = static_cast<ExportFormat>(*i);
        if (form.edited) {
            std::filesystem::path path(form.path);
            path.replace_extension(kFormats[*i].suffix);
            form.path = path.string();
        }
    }
    y += 42;
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "a path; its ending says the format";
    const auto typed = ui.field({x, y, width, 34}, "export/path", "path", form.path, options);
    if (typed.changed) {
        form.edited = true;
        form.replaces.clear();
        if (const auto format = app::export_format_of(form.path)) form.format = *format;
    }
    y += 48;
    const bool picture = is_picture(form.format);
    c.text({x, y, 200, 28}, Face::body, picture ? ui.theme().muted : ui.theme().faint,
           "Pixels a point (PNG)");
    const std::string scales[] = {"1", "2", "3", "4"};
    if (const auto i =
            ui.segments({x + width - 160, y, 160, 28}, "export/scale", scales,
                        1u << (form.scale - 1), form.format == ExportFormat::png ? ~0u : 0u)) {
        form.scale = *i + 1;
    }
    y += 36;
    c.text({x, y, 320, 28}, Face::body, picture ? ui.theme().muted : ui.theme().faint,
           "A line with model, layer, head and controls");
    if (ui.toggle({x, y, width, 28}, "export/caption", "caption", p.state.view.caption, picture)) {
        p.state.view.caption = !p.state.view.caption;
    }
    y += 32;
    c.text({x, y, 320, 28}, Face::body, picture ? ui.theme().muted : ui.theme().faint,
           "Without a background");
    if (ui.toggle({x, y, width, 28}, "export/transparent", "transparent", form.transparent,
                  picture)) {
        form.transparent = !form.transparent;
    }
    y += 42;
    if (ui.button({x, y, 170, 34}, "export/copy", "Copy the numbers")) {
        p.commands.push_back(CopyNumbers{});
    }
    ui.tip("Tab-separated text, for a spreadsheet. Pictures cannot go to the clipboard from here.");
    if (ui.button({x + width - 210, y, 100, 34}, "export/close", "Close")) ui.close_popup();
    const bool replaces = !form.replaces.empty() && form.replaces == form.path;
    const bool saves =
        ui.button({x + width - 100, y, 100, 34}, "export/save", replaces ? "Replace" : "Save",
                  Ui::ButtonLook::accent, !form.path.empty());
    if ((saves || typed.entered) && !form.path.empty() && may_write(form.path, form.replaces)) {
        Export command;
        command.path = form.path;
        command.view = p.state.view;
        command.options.png_scale = static_cast<float>(form.scale);
        command.options.transparent = form.transparent;
        command.options.width = p.state.picture_width;
        command.options.height = p.state.picture_height;
        command.options.beside_title =
            main_place(p.state.picture_width, p.state.picture_height).beside_title;
        p.commands.push_back(std::move(command));
    }
    y += 44;
    card_remark(p, {x, y}, width, replaces ? form.replaces : "");
    ui.end_popup();
}

} // namespace heed::ui
