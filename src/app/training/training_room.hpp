// The Train room: what an experiment of models has come to, as figures.
#pragma once

#include "app/training/experiment.hpp"
#include "figure/base/figure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// What is looked at in the Train room.
struct TrainingView {
    std::size_t trainee = 0;            // whose alignment, film and samples
    std::optional<std::size_t> frame{}; // of its film, that is replayed; none: now
    bool operator==(const TrainingView&) const = default;
};

/// What became of the lines of a user's file; empty where the experiment learns a task.
std::string own_data_words(const ExperimentSnapshot& snapshot);

/// Curves, alignment and accuracy by length of all trainees.
figure::Figure training_figure(const ExperimentSnapshot& snapshot, const TrainingView& view,
                               bool dark, float width, float height);
/// The alignment alone, of the replayed frame or now.
figure::Figure frame_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                            float width, float height);
/// The film of the chosen trainee: a thumbnail a frame, the replayed one marked; titled, with its
/// task, model and sentence. Targets: stages.
figure::Figure film_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                           float width, float height, bool titled = false);
/// The replayed frame; null where there is none.
const train::Frame* frame_of(const ExperimentSnapshot& snapshot, const TrainingView& view);

} // namespace heed::app
