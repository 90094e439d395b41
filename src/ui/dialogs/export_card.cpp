#include "ui/dialogs/export_card.hpp"

#include "app/files/open_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace heed::ui {

namespace {

using app::ExportFormat;

/// "PNG", "SVG", …, in the order of the enum.
std::array<std::string, 5> labels() {
    std::array<std::string, 5> words;
    for (const auto& format : app::names<ExportFormat>()) {
        std::string& word = words[static_cast<std::size_t>(format.value)];
        for (const char c : format.name) word += static_cast<char>(std::toupper(c));
    }
    return words;
}

/// In the order of the enum.
std::vector<std::string> format_tips() {
    std::vector<std::string> tips(app::names<ExportFormat>().size());
    const auto tip = [&](ExportFormat format, const char* words) {
        tips[static_cast<std::size_t>(format)] = words;
    };
    tip(ExportFormat::png, "An image of dots, for slides and web pages");
    tip(ExportFormat::svg, "A drawing that stays sharp at any size, for web pages");
    tip(ExportFormat::pdf, "A drawing that stays sharp at any size, for papers");
    tip(ExportFormat::csv, "The numbers as a table, for a spreadsheet");
    tip(ExportFormat::npy, "The numbers as an array, for NumPy");
    return tips;
}

std::string suffix(ExportFormat format) { return "." + std::string(app::name_of(format)); }

} // namespace

Color ink_of_picture(const Panel& p, const ExportForm& form) {
    return is_picture(form.format) ? p.ui.theme().muted : p.ui.theme().faint;
}

app::ExportOptions export_options(const Panel& p, const ExportForm& form) {
    app::ExportOptions options;
    options.png_scale = static_cast<float>(form.scale);
    options.width = p.state.picture_width;
    options.height = p.state.picture_height;
    return options;
}

void choose_format(ExportForm& form, ExportFormat format) {
    form.format = format;
    if (!form.edited) return; // another one is proposed
    std::filesystem::path path(form.path);
    path.replace_extension(suffix(format));
    form.path = path.string();
}

namespace {

/// True when Enter is pressed in the field.
bool path_row(Form& f, ExportForm& form, const ExportTask& task) {
    const std::string end = task.suffix.empty() ? suffix(form.format) : task.suffix;
    if (f.draws() && !form.edited) form.path = app::whole_path(task.name + end);
    Ui::FieldOptions options;
    options.mono = true;
    options.hint = "a path; its ending sets the format";
    const auto typed = f.field(f.row(34, 14), "path", "path", form.path, options);
    f.tip("Where the file is written; the ending of its name says the format.");
    if (typed.changed) {
        form.edited = true;
        form.replaces.clear();
        if (const auto format = app::export_format_of(form.path)) form.format = *format;
    }
    return typed.entered;
}

void scale_row(const Panel& p, Form& f, ExportForm& form) {
    Line line = f.line(28, 8);
    const Box choices = line.right(160);
    f.text(line.rest, Face::body, ink_of_picture(p, form), "Scale (PNG)");
    const std::array<std::string, 4> scales{"1", "2", "3", "4"};
    if (!f.draws()) return;
    const auto chosen = p.ui.segments(choices, "export/scale", scales, 1u << (form.scale - 1),
                                      form.format == ExportFormat::png ? ~0u : 0u);
    f.tip("How many pixels a point of the window becomes: 2 is sharp on most screens, 4 in print.");
    if (chosen) form.scale = *chosen + 1;
}

} // namespace

void export_card(Panel& p, ExportForm& form, const ExportTask& task) {
    modal_card(p.ui, CardId::export_picture, {480, "export/"}, [&](Form& f) {
        if (f.opens()) {
            form.replaces.clear();
            if (form.path.empty()) form.edited = false;
        }
        f.title("Export", task.holds);
        if (task.above) task.above(f);
        if (const auto i =
                f.choice("format", labels(),
                         task.suffix.empty() ? 1u << static_cast<unsigned>(form.format) : 0u,
                         task.formats)) {
            choose_format(form, static_cast<ExportFormat>(*i));
        }
        f.tips(format_tips());
        f.space(6);
        const bool entered = path_row(f, form, task);
        scale_row(p, f, form);
        if (task.below) task.below(f);
        f.space(6);
        const bool replaces = !form.replaces.empty() && form.replaces == form.path;
        const bool saves = end_buttons(
            f, "save", "Close", replaces ? "Replace" : "Save", !form.path.empty(),
            replaces ? "Writes over the file that is there" : "Writes the file (Enter)");
        if ((saves || entered) && !form.path.empty() && may_write(form.path, form.replaces)) {
            p.commands.push_back(task.command());
        }
        f.space(8);
        card_remark(p, f, replaces ? form.replaces : "");
    });
}

} // namespace heed::ui
