// The Train room: what a class of models has come to, as figures.
#pragma once

#include "app/training/classroom.hpp"
#include "figure/base/figure.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// What is looked at in the Train room.
struct TrainingView {
    std::size_t pupil = 0;              // whose alignment, film and samples
    std::optional<std::size_t> frame{}; // of its film, that is replayed; none: now
    bool operator==(const TrainingView&) const = default;
};

/// What became of the lines of a user's file; empty where the class learns a task.
std::string own_data_words(const ClassSnapshot& snapshot);

/// Curves, alignment and accuracy by length of all pupils.
figure::Figure training_figure(const ClassSnapshot& snapshot, const TrainingView& view, bool dark,
                               float width, float height);
/// The alignment alone, of the replayed frame or now.
figure::Figure frame_figure(const ClassSnapshot& snapshot, const TrainingView& view, bool dark,
                            float width, float height);
/// The film of the chosen pupil: a thumbnail a frame, the replayed one marked; titled, with its
/// task, model and sentence. Targets: stages.
figure::Figure film_figure(const ClassSnapshot& snapshot, const TrainingView& view, bool dark,
                           float width, float height, bool titled = false);
/// The replayed frame; null where there is none.
const train::Frame* frame_of(const ClassSnapshot& snapshot, const TrainingView& view);

} // namespace heed::app
