#include "ui/train/experiment_export.hpp"

#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_state.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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
                                "The film as an animated PNG, of all its colours, which browsers "
                                "play; its name ends in .png"};
    f.tips(tips);
    f.space(2);
    if (!chosen) return;
    form.part = static_cast<TrainingPart>(*chosen);
    choose_format(form, picture ? form.format : ExportFormat::png,
                  form.part == TrainingPart::gif ? ".gif" : "");
}

/// Goes on with the film of the preview. Its frame of now, and how long that stands yet.
std::pair<std::size_t, double> frame_playing(ExportForm& form, std::size_t frames, float passed) {
    const app::FilmPace& pace = app::kFilmPace;
    const double until_last = static_cast<double>(frames - 1) * pace.each;
    form.played = static_cast<float>(
        std::fmod(static_cast<double>(form.played + passed), until_last + pace.last));
    const auto played = static_cast<double>(form.played);
    if (played >= until_last) return {frames - 1, until_last + pace.last - played};
    const auto at = static_cast<std::size_t>(played / pace.each);
    return {at, static_cast<double>(at + 1) * pace.each - played};
}

ExportTask::Moving moving_words(std::size_t frames, bool gif) {
    const app::FilmPace& pace = app::kFilmPace;
    const double all = static_cast<double>(frames - 1) * pace.each + pace.last;
    return {fmt::format("{} in {:.1f} s, looping", frames, all),
            fmt::format("{:.1f} s a frame, the last {:.1f} s", pace.each, pace.last), !gif};
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
    const train::Film& film = watched->history->film;
    const bool shows = form.part == TrainingPart::room || !film.empty();
    app::TrainingView view = p.state.train->view;
    std::optional<ExportTask::Moving> moving;
    if (picture && moves && !film.empty()) {
        const auto [at, rest] = frame_playing(form, film.size(), p.ui.seconds_passed());
        view.step = film[at].step;
        p.ui.wake_in(static_cast<float>(rest));
        moving = moving_words(film.size(), gif);
    }
    const auto shown = [&] {
        app::TrainingExport now_shown = wish();
        now_shown.view = view;
        return now_shown;
    };
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
         .training = view,
         .picture = shows ? std::function([&] { return training_picture(now, shown()); }) : nullptr,
         .moving = moving,
         .command =
             [&] {
                 return ExportExperiment{p.experiment.shared(), wish()};
             }});
}

} // namespace heed::ui
