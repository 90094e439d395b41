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

/// The trainee and the moment that are looked at in the Train room.
struct TrainingView {
    std::size_t trainee = 0;             // whose samples and measures
    std::optional<std::uint64_t> step{}; // that is replayed; none: now
    bool operator==(const TrainingView&) const = default;
};

/// The trainee whose alignment and film are shown: the chosen one or, where it does not attend, the
/// first that does. Null without any.
const Trainee* watched_trainee(const ExperimentSnapshot& snapshot, const TrainingView& view);
/// The measures of the chosen one at the replayed step, or the last; null before.
const train::HeldOutPoint* measured(const ExperimentSnapshot& snapshot, const TrainingView& view);

/// "Headlines → topic", or the name of a user's file.
std::string task_title(const train::Plan& plan);
/// "中文 → English · additive attention"; empty where there is no experiment.
std::string training_name(const ExperimentSnapshot& snapshot, const TrainingView& view);
/// The title of the room: "中文 → English · additive attention · step 576"; replayed, "… · step 200
/// of 3000". Empty where there is no experiment.
std::string training_title(const ExperimentSnapshot& snapshot, const TrainingView& view);

/// A sentence on the lines of a user's file; empty where the experiment learns a task.
std::string own_data_words(const ExperimentSnapshot& snapshot);

/// The step at which the axis of the curves ends: the last of all plans or, of a training that has
/// hardly begun, one so early that every step is seen.
std::uint64_t steps_drawn(const ExperimentSnapshot& snapshot);
/// Curves, alignment and accuracy by length of all trainees.
figure::Figure training_figure(const ExperimentSnapshot& snapshot, const TrainingView& view,
                               bool dark, float width, float height);
/// "chat → cat: 0.9312": a cell of the map that is watched, its row, its column and its weight.
/// Empty where there is none.
std::string link_words(const ExperimentSnapshot& snapshot, const TrainingView& view, int row,
                       int col);
/// The alignment alone, of the replayed frame or now.
figure::Figure frame_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                            float width, float height);
/// The film of the watched one: a small map a frame, the replayed one marked; titled, as a sheet
/// with its task, model and sentence. Targets: stages.
figure::Figure film_figure(const ExperimentSnapshot& snapshot, const TrainingView& view, bool dark,
                           float width, float height, bool titled = false);
/// The frame of the watched one that shows the replayed step; null where nothing is replayed.
const train::FilmFrame* frame_of(const ExperimentSnapshot& snapshot, const TrainingView& view);

} // namespace heed::app
