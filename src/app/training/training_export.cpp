#include "app/training/training_export.hpp"

#include "base/file.hpp"
#include "files/animation.hpp"
#include "files/gif.hpp"
#include "files/painter.hpp"
#include "files/tables.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace heed::app {

namespace {

using base::ErrorKind;
using base::fail;
using base::Result;

constexpr Named<TrainingPart> kParts[] = {{"room", TrainingPart::room},
                                          {"film", TrainingPart::film},
                                          {"film-moving", TrainingPart::gif},
                                          {"film-frames", TrainingPart::animation}};

/// The film of the trainee that is shown.
const train::Film& film_of(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    return watched_trainee(snapshot, wish.view)->history->film;
}

bool dark_in(const TrainingExport& wish) { return prints_dark(wish.options, wish.dark); }

/// A sheet has as many columns as let it be about as wide as high, and what tells it from another.
figure::Figure film_sheet(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    constexpr float kTitles = 90, kLeast = 420;
    const auto frames = film_of(snapshot, wish).size();
    const float columns = std::ceil(std::sqrt(static_cast<float>(frames) * 1.3f));
    const float rows = std::ceil(static_cast<float>(frames) / columns);
    return film_figure(snapshot, wish.view, dark_in(wish), std::max(28 + columns * 190, kLeast),
                       28 + rows * 230 + kTitles, true);
}

/// The pictures of the film, the last one for longer.
Result<std::vector<files::AnimationFrame>> moving(const ExperimentSnapshot& snapshot,
                                                  const TrainingExport& wish,
                                                  const files::PaintOptions& paint) {
    const train::Film& film = film_of(snapshot, wish);
    std::vector<files::AnimationFrame> frames;
    for (const train::FilmFrame& frame : film) {
        const auto picture = frame_figure(snapshot, {wish.view.trainee, frame.step}, dark_in(wish),
                                          kFilmPace.width, kFilmPace.height);
        auto png = files::paint(picture, files::Format::png, paint);
        if (!png) return tl::make_unexpected(png.error());
        frames.push_back(
            {*std::move(png), &frame == &film.back() ? kFilmPace.last : kFilmPace.each});
    }
    return frames;
}

Result<std::string> animation(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    files::PaintOptions paint;
    paint.scale = wish.options.png_scale;
    const bool gif = is_gif(wish.path);
    paint.transparent = wish.options.ground == Ground::none && !gif;
    const auto frames = moving(snapshot, wish, paint);
    if (!frames) return tl::make_unexpected(frames.error());
    return gif ? files::write_gif(*frames) : files::animate(*frames);
}

Result<void> check_film(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    if (!film_of(snapshot, wish).empty()) return {};
    return fail(ErrorKind::not_found, "film", "it has no frames yet");
}

/// The tables of a training: the curves, as far as they were measured.
files::Tables curves_of(const train::History& history) {
    files::Table learned{"losses", {}, {"step", "loss", "gradient norm", "rate"}, nullptr};
    auto losses = std::make_shared<num::Matrix<float>>(std::ssize(history.losses()), 4);
    for (std::size_t i = 0; i < history.losses().size(); ++i) {
        const train::LossPoint& point = history.losses()[i];
        losses->row(static_cast<num::Index>(i)) << static_cast<float>(point.step),
            static_cast<float>(point.loss), static_cast<float>(point.gradient_norm), point.rate;
    }
    learned.values = std::move(losses);
    files::Table judged{"held out",
                        {},
                        {"step", "loss", "token accuracy", "sentence accuracy", "sentences"},
                        nullptr};
    auto measures = std::make_shared<num::Matrix<float>>(std::ssize(history.held_out), 5);
    for (std::size_t i = 0; i < history.held_out.size(); ++i) {
        const train::HeldOutPoint& point = history.held_out[i];
        const train::Measures& m = point.measures;
        measures->row(static_cast<num::Index>(i)) << static_cast<float>(point.step),
            static_cast<float>(m.loss), static_cast<float>(m.token_accuracy),
            static_cast<float>(m.exact_match), static_cast<float>(train::sentences_of(m));
    }
    judged.values = std::move(measures);
    return {{std::move(learned), std::move(judged)}};
}

Result<std::string> numbers(const ExperimentSnapshot& snapshot, const TrainingExport& wish,
                            ExportFormat format) {
    if (format == ExportFormat::csv) {
        return train::csv(*snapshot.trainees[wish.view.trainee].history);
    }
    const train::FilmFrame* frame = frame_of(snapshot, wish.view);
    const Trainee& watched = *watched_trainee(snapshot, wish.view);
    const auto& weights = frame ? frame->weights : watched.alignment;
    if (format == ExportFormat::npz) {
        files::Tables tables = curves_of(*snapshot.trainees[wish.view.trainee].history);
        if (weights) tables.all.push_back({"alignment", {}, {}, weights});
        return files::write_npz(tables, {});
    }
    if (!weights) return fail(ErrorKind::not_found, "alignment", "no attention in this model");
    return tensors::write_npy(
        {{weights->rows(), weights->cols()}, {weights->data(), weights->data() + weights->size()}});
}

Result<std::string> bytes_of(const ExperimentSnapshot& snapshot, const TrainingExport& wish,
                             ExportFormat format) {
    if (!is_picture(format)) return numbers(snapshot, wish, format);
    files::PaintOptions paint;
    paint.scale = wish.options.png_scale;
    paint.transparent = wish.options.ground == Ground::none;
    const auto painted = format == ExportFormat::png   ? files::Format::png
                         : format == ExportFormat::svg ? files::Format::svg
                                                       : files::Format::pdf;
    if (wish.part != TrainingPart::room) {
        if (auto ok = check_film(snapshot, wish); !ok) return tl::make_unexpected(ok.error());
    }
    if (!moves(wish.part)) return files::paint(training_picture(snapshot, wish), painted, paint);
    if (format == ExportFormat::png) return animation(snapshot, wish);
    return fail(ErrorKind::unsupported, wish.path, "an animation needs the suffix .gif or .png");
}

} // namespace

template <> std::span<const Named<TrainingPart>> names() { return kParts; }

bool is_gif(const std::string& path) {
    std::string end = path.size() < 4 ? "" : path.substr(path.size() - 4);
    for (char& c : end) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    return end == ".gif";
}

figure::Figure training_picture(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    if (moves(wish.part)) {
        return frame_figure(snapshot, wish.view, dark_in(wish), kFilmPace.width, kFilmPace.height);
    }
    return for_page(wish.options, [&](float width, float height) {
        return wish.part == TrainingPart::film
                   ? film_sheet(snapshot, wish)
                   : training_figure(snapshot, wish.view, dark_in(wish), width, height);
    });
}

Result<void> export_training(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    const bool gif = is_gif(wish.path);
    const Result<ExportFormat> format = gif ? ExportFormat::png : read_export_format(wish.path);
    if (!format) return tl::make_unexpected(format.error());
    if (wish.view.trainee >= snapshot.trainees.size() || !snapshot.dataset) {
        return fail(ErrorKind::not_found, "export", "there is no experiment to export yet");
    }
    Result<std::string> bytes;
    if (gif) {
        const auto ok = check_film(snapshot, wish);
        bytes = ok ? animation(snapshot, wish) : tl::make_unexpected(ok.error());
    } else {
        bytes = bytes_of(snapshot, wish, *format);
    }
    if (!bytes) return tl::make_unexpected(bytes.error());
    return base::write_file_atomic(wish.path, *bytes);
}

} // namespace heed::app
