// The card that exports what the Train room shows.
#include "ui/export_card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace heed::ui {

namespace {

using app::ExportFormat;
using app::TrainingPart;

/// "heed-reverse-additive-attention-film".
std::string proposed_name(const Panel& p, const ExportForm& form) {
    const app::ClassSnapshot& now = p.classroom.seen();
    const app::Pupil& pupil = now.pupils[p.state.training.pupil];
    const std::string_view part = form.format == ExportFormat::csv   ? "curves"
                                  : form.format == ExportFormat::npy ? "alignment"
                                                                     : app::name_of(form.part);
    std::string name = fmt::format("heed-{}-{}-{}", now.lesson->schooling.task,
                                   models::short_title(pupil.plan.model), part);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '+' || c == '/'; }, '-');
    return name;
}

const char* what_words(const ExportForm& form) {
    if (form.format == ExportFormat::csv) return "losses and measures of the chosen model";
    if (form.format == ExportFormat::npy) return "the alignment that is shown";
    return form.part == TrainingPart::room   ? "what is on the screen"
           : form.part == TrainingPart::film ? "every frame, beside one another"
                                             : "every frame, one after another";
}

void export_parts(ExportCard& card, bool picture) {
    const std::array<std::string, 3> parts{"The room", "The film", "The film, moving"};
    const auto chosen =
        card.p.ui.segments(card.row(30, 38), "export/part", parts,
                           picture ? 1u << static_cast<unsigned>(card.form.part) : 0u);
    if (!chosen) return;
    card.form.part = static_cast<TrainingPart>(*chosen);
    if (!picture) choose_format(card.form, ExportFormat::png);
}

} // namespace

void class_export_dialog(Panel& p) {
    ExportForm& form = p.state.class_export_form;
    auto card = begin_export_card(p, form, 38);
    if (!card) return;
    if (p.classroom.seen().pupils.empty() || !p.classroom.seen().lesson) {
        p.ui.close_popup();
        p.ui.end_popup();
        return;
    }
    const bool picture = is_picture(form.format);
    const bool moves = picture && form.part == TrainingPart::animation;
    if (moves && form.format != ExportFormat::png) choose_format(form, ExportFormat::png);
    export_title(*card, what_words(form));
    export_parts(*card, picture);
    export_formats(*card, form.part == TrainingPart::animation ? 0b11001u : ~0u);
    export_path(*card, proposed_name(p, form));
    export_scale(*card);
    if (!end_export_card(*card)) return;
    ExportClass command{p.classroom.shared(), {}};
    command.wish = {form.path, form.part, p.state.training, p.state.view.dark, {}};
    command.wish.options.png_scale = static_cast<float>(form.scale);
    command.wish.options.width = p.state.picture_width;
    command.wish.options.height = p.state.picture_height;
    p.commands.push_back(std::move(command));
}

} // namespace heed::ui
