#include "ui/train/experiment_export.hpp"

#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace heed::ui {

namespace {

using app::ExportFormat;
using app::TrainingPart;

/// "heed-reverse-additive-attention-film".
std::string proposed_name(const Panel& p, const ExportForm& form) {
    const app::ExperimentSnapshot& now = p.experiment.seen();
    const app::Trainee& trainee = now.trainees[p.state.train->view.trainee];
    const std::string_view part = form.format == ExportFormat::csv   ? "curves"
                                  : form.format == ExportFormat::npz ? "numbers"
                                  : form.format == ExportFormat::npy ? "alignment"
                                                                     : app::name_of(form.part);
    std::string name = fmt::format("heed-{}-{}-{}", now.dataset->provenance.task,
                                   models::short_title(trainee.plan.model), part);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == ' ' || c == '+' || c == '/'; }, '-');
    return name;
}

const char* what_words(const ExportForm& form) {
    if (form.format == ExportFormat::csv) return "Losses and measures of this model";
    if (form.format == ExportFormat::npy) return "Values of this alignment";
    if (form.format == ExportFormat::npz) return "Losses, measures and this alignment";
    return form.part == TrainingPart::room   ? "Current view"
           : form.part == TrainingPart::film ? "All frames side by side"
                                             : "All frames, one after another";
}

void part_row(Form& f, ExportForm& form, bool picture) {
    const std::string parts[] = {"Page", "Film strip", "GIF", "APNG"};
    const auto chosen =
        f.choice("part", parts, picture ? 1u << static_cast<unsigned>(form.part) : 0u);
    const std::string tips[] = {"The whole page as you see it",
                                "Every frame of the film in one image",
                                "The film as a moving image, which slides and chats play",
                                "The film as a moving image of all its colours, which browsers "
                                "play"};
    f.tips(tips);
    f.space(2);
    if (!chosen) return;
    form.part = static_cast<TrainingPart>(*chosen);
    choose_format(form, picture ? form.format : ExportFormat::png);
    if (form.part == TrainingPart::gif && form.edited) {
        form.path = std::filesystem::path(form.path).replace_extension(".gif").string();
    }
}

} // namespace

void experiment_export_dialog(Panel& p) {
    ExportForm& form = p.state.train->export_form;
    const app::ExperimentSnapshot& now = p.experiment.seen();
    if (now.trainees.empty() || !now.dataset) { // nothing is left of what it was opened for
        modal_card(p.ui, CardId::export_picture, {480}, [&](Form& f) {
            if (f.draws()) p.ui.close_popup();
        });
        return;
    }
    const bool picture = is_picture(form.format);
    const bool gif = picture && form.part == TrainingPart::gif;
    const bool moves = gif || form.part == TrainingPart::animation;
    if (picture && moves && form.format != ExportFormat::png)
        choose_format(form, ExportFormat::png);
    const auto wish = [&] {
        app::TrainingExport asked{form.path, form.part, p.state.train->view, p.state.view.dark,
                                  export_options(p, form)};
        asked.options.crop = false; // it fills its page
        return asked;
    };
    const app::Trainee* watched = app::watched_trainee(now, p.state.train->view);
    const bool shows = form.part == TrainingPart::room || !watched->history->film.empty();
    export_card(
        p, form,
        {.holds = what_words(form),
         .name = proposed_name(p, form),
         .formats = gif     ? 0b11000u
                    : moves ? 0b11001u
                            : ~0u,
         .suffix = gif ? ".gif" : "",
         .above = [&](Form& f) { part_row(f, form, picture); },
         .pages = !moves,
         .version = static_cast<std::size_t>(form.part),
         .training = p.state.train->view,
         .picture = shows ? std::function([&] { return training_picture(now, wish()); }) : nullptr,
         .command =
             [&] {
                 return ExportExperiment{p.experiment.shared(), wish()};
             }});
}

} // namespace heed::ui
