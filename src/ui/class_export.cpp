// The card that exports what the Train room shows.
#include "ui/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace heed::ui {

namespace {

using app::ExportFormat;
using app::TrainingPart;

constexpr const char* kFormats[] = {"PNG", "SVG", "PDF", "CSV", "NPY"};
constexpr const char* kSuffixes[] = {".png", ".svg", ".pdf", ".csv", ".npy"};
constexpr const char* kParts[] = {"The room", "The film", "The film, moving"};
constexpr const char* kPartNames[] = {"room", "film", "film-moving"};

/// "heed-reverse-additive-attention-film.png".
std::string proposed_path(const Panel& p, const ExportForm& form) {
    const app::ClassSnapshot& now = p.classroom.seen();
    const app::Pupil& pupil = now.pupils[p.state.training.pupil];
    std::string name =
        fmt::format("heed-{}-{}", now.lesson->schooling.task, app::learner_name(pupil.plan.model));
    if (form.format == ExportFormat::csv) {
        name += "-curves";
    } else if (form.format == ExportFormat::npy) {
        name += "-alignment";
    } else {
        name += fmt::format("-{}", kPartNames[static_cast<std::size_t>(form.part)]);
    }
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '+' || c == '/'; }, '-');
    name += kSuffixes[static_cast<std::size_t>(form.format)];
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::current_path(failed);
    return failed ? name : (folder / name).string();
}

const char* what_words(const ExportForm& form) {
    if (form.format == ExportFormat::csv) return "losses and measures of the chosen model";
    if (form.format == ExportFormat::npy) return "the alignment that is shown";
    return form.part == TrainingPart::room   ? "what is on the screen"
           : form.part == TrainingPart::film ? "every frame, beside one another"
                                             : "every frame, one after another";
}

} // namespace

void class_export_dialog(Panel& p) {
    Ui& ui = p.ui;
    ExportForm& form = p.state.export_form;
    const float w = 480, x_in = 22, width = w - 2 * x_in;
    const float h = 278 + std::max(28.0f, 8 + card_remark(p, {}, width, form.replaces, false));
    const Box box{(ui.width() - w) / 2, std::max(60.0f, (ui.height() - h) * 0.4f), w, h};
    if (!ui.begin_popup("export-dialog", box, true)) return;
    Canvas& c = ui.canvas;
    const figure::Theme& t = ui.theme();
    if (ui.popup_appears()) {
        form.replaces.clear();
        form.edited = false;
    }
    if (p.classroom.seen().pupils.empty() || !p.classroom.seen().lesson) {
        ui.close_popup();
        ui.end_popup();
        return;
    }
    const bool picture = form.format != ExportFormat::csv && form.format != ExportFormat::npy;
    if (form.part == TrainingPart::animation && picture) form.format = ExportFormat::png;
    if (!form.edited) form.path = proposed_path(p, form);
    const float x = box.x + x_in;
    float y = box.y + 18;
    c.text({x, y, width, 26}, Face::title, t.text, "Export");
    c.text({x, y, width, 26}, Face::control, t.muted, what_words(form), AlignX::right);
    y += 42;
    const std::array<std::string, 3> parts{kParts[0], kParts[1], kParts[2]};
    if (const auto i = ui.segments({x, y, width, 30}, "export/part", parts,
                                   picture ? 1u << static_cast<unsigned>(form.part) : 0u)) {
        form.part = static_cast<TrainingPart>(*i);
        if (!picture) form.format = ExportFormat::png;
        form.edited = false;
    }
    y += 38;
    const std::array<std::string, 5> formats{kFormats[0], kFormats[1], kFormats[2], kFormats[3],
                                             kFormats[4]};
    const bool moves = form.part == TrainingPart::animation;
    if (const auto i =
            ui.segments({x, y, width, 30}, "export/format", formats,
                        1u << static_cast<unsigned>(form.format), moves ? 0b11001u : ~0u)) {
        form.format = static_cast<ExportFormat>(*i);
        form.edited = false;
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
    y += 46;
    c.text({x, y, 200, 28}, Face::body, picture ? t.muted : t.faint, "Pixels a point (PNG)");
    const std::array<std::string, 4> scales{"1", "2", "3", "4"};
    if (const auto i =
            ui.segments({x + width - 160, y, 160, 28}, "export/scale", scales,
                        1u << (form.scale - 1), form.format == ExportFormat::png ? ~0u : 0u)) {
        form.scale = *i + 1;
    }
    y += 42;
    if (ui.button({x + width - 210, y, 100, 34}, "export/close", "Close")) ui.close_popup();
    const bool replaces = !form.replaces.empty() && form.replaces == form.path;
    const bool saves =
        ui.button({x + width - 100, y, 100, 34}, "export/save", replaces ? "Replace" : "Save",
                  Ui::ButtonLook::accent, !form.path.empty());
    if ((saves || typed.entered) && !form.path.empty() && may_write(form.path, form.replaces)) {
        ExportClass command{p.classroom.shared(), {}};
        command.wish = {form.path, form.part, p.state.training, p.state.view.dark, {}};
        command.wish.options.png_scale = static_cast<float>(form.scale);
        command.wish.options.width = p.state.picture_width;
        command.wish.options.height = p.state.picture_height;
        p.commands.push_back(std::move(command));
    }
    y += 44;
    card_remark(p, {x, y}, width, replaces ? form.replaces : "");
    ui.end_popup();
}

} // namespace heed::ui
