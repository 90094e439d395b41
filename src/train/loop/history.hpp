// What a training has been through, as a plain value: curves, held-out measures and the film.
#pragma once

#include "train/loop/evaluation.hpp"
#include "train/loop/training.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heed::train {

/// Means over some steps in a row, so that a long training stays a short list.
struct LossPoint {
    std::uint64_t step = 0; // the last of them
    double loss = 0;        // nats a token
    double gradient_norm = 0;
    float rate = 0;
};

struct HeldOutPoint {
    std::uint64_t step = 0;
    Measures measures;
};

/// How one sentence was aligned when the model was so old.
struct Frame {
    std::uint64_t step = 0;
    std::shared_ptr<const models::Model> model;
    std::size_t pair = 0;                              // of the dataset's held-out ones
    std::optional<trace::HeadId> head;                 // whose weights; none: a mean
    std::shared_ptr<const num::Matrix<float>> weights; // target words and ⟨end⟩ × source words
};

/// One step as a point.
LossPoint point_of(const Progress& progress);

class History {
  public:
    /// A point in `losses` is a mean of `stride()` steps; when there are more than kMostPoints,
    /// two become one.
    static constexpr std::size_t kMostPoints = 512;
    void add(const Progress& progress);
    /// Instead of an earlier measure at the same step. Of more than kMostMeasures half stay, evenly
    /// spaced, the first and the last two among them: a checkpoint holds them all, and a figure
    /// shows no more.
    static constexpr std::size_t kMostMeasures = 2048;
    void add(HeldOutPoint measured);

    /// What add() made so far, as one value.
    struct Curve {
        std::vector<LossPoint> losses{};
        std::uint64_t stride = 1;
        LossPoint open{}; // sums over the steps since the last point
        std::uint64_t in_open = 0;
    };
    History() = default;
    /// Goes on from there.
    explicit History(Curve curve) : curve_(std::move(curve)) {}
    const Curve& curve() const { return curve_; }
    const std::vector<LossPoint>& losses() const { return curve_.losses; }
    std::uint64_t stride() const { return curve_.stride; }

    std::vector<HeldOutPoint> held_out;
    std::vector<Frame> film;

  private:
    Curve curve_;
};

/// Whether the film has a frame of a training at this step: the first steps often, later ones at
/// growing distances: 0, 10, 20, 50, 100, 200, 500, …
bool is_film_step(std::uint64_t step);

/// Whether a training of so many steps is measured at this one while it is watched: at the film's
/// and at evenly spaced ones, never by the clock, so that the same seed gives the same curves.
bool is_measured_step(std::uint64_t step, std::uint64_t steps);

/// One line a point: step, rate, training and held-out loss, gradient norm, held-out measures, with
/// a header. Cells that were not measured are empty.
std::string csv(const History& history);
/// Its header, and one line of it; cells of what is null are empty.
std::string csv_header();
std::string csv_line(std::uint64_t step, const LossPoint* learned, const Measures* held_out);

} // namespace heed::train
