#include "app/training/training_export.hpp"

#include "base/file.hpp"
#include "files/animation.hpp"
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
                                          {"film-moving", TrainingPart::animation}};

/// A sheet has as many columns as let it be about as wide as high, and what tells it from another.
figure::Figure film_sheet(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    constexpr float kTitles = 90, kLeast = 420;
    const auto frames = snapshot.trainees[wish.view.trainee].history->film.size();
    const float columns = std::ceil(std::sqrt(static_cast<float>(frames) * 1.3f));
    const float rows = std::ceil(static_cast<float>(frames) / columns);
    return film_figure(snapshot, wish.view, wish.dark, std::max(28 + columns * 190, kLeast),
                       28 + rows * 230 + kTitles, true);
}

Result<std::string> animation(const ExperimentSnapshot& snapshot, const TrainingExport& wish,
                              const files::PaintOptions& paint) {
    const auto& film = snapshot.trainees[wish.view.trainee].history->film;
    std::vector<files::AnimationFrame> frames;
    for (std::size_t i = 0; i < film.size(); ++i) {
        const auto picture = frame_figure(snapshot, {wish.view.trainee, i}, wish.dark, 560, 520);
        auto png = files::paint(picture, files::Format::png, paint);
        if (!png) return png;
        frames.push_back({*std::move(png), i + 1 < film.size() ? 0.6 : 2.5});
    }
    return files::animate(frames);
}

/// Of a training under .npz: the curves, as far as they were measured, and the alignment.
files::Tables curves_of(const train::History& history) {
    files::Table learned{"losses", {}, {"step", "loss", "gradient norm", "rate"}, nullptr};
    auto losses = std::make_shared<num::Matrix<float>>(std::ssize(history.losses()), 4);
    for (std::size_t i = 0; i < history.losses().size(); ++i) {
        const train::LossPoint& point = history.losses()[i];
        losses->row(static_cast<num::Index>(i)) << static_cast<float>(point.step),
            static_cast<float>(point.loss), static_cast<float>(point.gradient_norm), point.rate;
    }
    learned.values = std::move(losses);
    files::Table judged{
        "held out", {}, {"step", "loss", "words right", "sentences right"}, nullptr};
    auto measures = std::make_shared<num::Matrix<float>>(std::ssize(history.held_out), 4);
    for (std::size_t i = 0; i < history.held_out.size(); ++i) {
        const auto& [step, m] = history.held_out[i];
        measures->row(static_cast<num::Index>(i)) << static_cast<float>(step),
            static_cast<float>(m.loss), static_cast<float>(m.token_accuracy),
            static_cast<float>(m.exact_match);
    }
    judged.values = std::move(measures);
    return {{std::move(learned), std::move(judged)}};
}

Result<std::string> numbers(const ExperimentSnapshot& snapshot, const TrainingExport& wish,
                            ExportFormat format) {
    const Trainee& trainee = snapshot.trainees[wish.view.trainee];
    if (format == ExportFormat::csv) return train::csv(*trainee.history);
    const train::Frame* frame = frame_of(snapshot, wish.view);
    const auto& weights = frame ? frame->weights : trainee.alignment;
    if (format == ExportFormat::npz) {
        files::Tables tables = curves_of(*trainee.history);
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
    const auto& film = snapshot.trainees[wish.view.trainee].history->film;
    if (wish.part != TrainingPart::room && film.empty()) {
        return fail(ErrorKind::not_found, "film", "it has no frames yet");
    }
    switch (wish.part) {
    case TrainingPart::film: return files::paint(film_sheet(snapshot, wish), painted, paint);
    case TrainingPart::animation:
        if (format == ExportFormat::png) return animation(snapshot, wish, paint);
        return fail(ErrorKind::unsupported, wish.path, "an animation needs the suffix .png");
    case TrainingPart::room: break;
    }
    const auto room = [&](float width, float height) {
        return training_figure(snapshot, wish.view, wish.dark, width, height);
    };
    return files::paint(for_page(wish.options, room), painted, paint);
}

} // namespace

template <> std::span<const Named<TrainingPart>> names() { return kParts; }

Result<void> export_training(const ExperimentSnapshot& snapshot, const TrainingExport& wish) {
    const auto format = read_export_format(wish.path);
    if (!format) return tl::make_unexpected(format.error());
    if (wish.view.trainee >= snapshot.trainees.size() || !snapshot.dataset) {
        return fail(ErrorKind::not_found, "export", "there is no experiment to export yet");
    }
    const auto bytes = bytes_of(snapshot, wish, *format);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return base::write_file_atomic(wish.path, *bytes);
}

} // namespace heed::app
