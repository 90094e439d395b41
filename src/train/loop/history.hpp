// The history of a training, as a plain value: curves, held-out measures and the film.
#pragma once

#include "train/loop/evaluation.hpp"
#include "train/loop/film.hpp"
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

/// Measures at a step, and what the model said then of the first few sentences.
struct HeldOutPoint {
    static constexpr std::size_t kSamples = 10;
    std::uint64_t step = 0;
    Measures measures;
    std::shared_ptr<const std::vector<Sample>> samples{}; // null: nobody kept them
    /// Measured at the end on more sentences than those that the training was watched by: it is no
    /// part of their curve.
    bool of_all = false;
};
/// The point of an evaluation.
HeldOutPoint held_out_point(std::uint64_t step, const Evaluation& evaluation, bool of_all = false);

/// One step as a point.
LossPoint point_of(const Progress& progress);

class History {
  public:
    /// A point in `losses` is a mean of `stride()` steps; when there are more than kMostPoints,
    /// two become one.
    static constexpr std::size_t kMostPoints = 512;
    void add(const Progress& progress);
    /// The most measures that are kept; one takes the place of an earlier one at the same step
    /// unless it is of all. Of more half stay, evenly spaced, the first and the last two
    /// among them: a checkpoint holds them all, and a figure shows no more.
    static constexpr std::size_t kMostMeasures = 2048;
    void add(HeldOutPoint measured);

    /// Curve that add() made so far, as one value.
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
    Film film;

  private:
    Curve curve_;
};

/// The newest measure up to a step; null before the first.
const HeldOutPoint* measured_at(const History& history, std::uint64_t step);

/// True where a training of so many steps is measured at this one while it is watched, and may get
/// a frame of its film: often in the first quarter, where most is learned, then up to six times as
/// seldom. Never by the clock, so that the same seed gives the same curves.
bool is_measured_step(std::uint64_t step, std::uint64_t steps);

/// Count of the held-out sentences that measures are of.
std::size_t sentences_of(const Measures& measures);
/// The point of all; null before it is there, and where the curve is of all anyway.
const HeldOutPoint* measured_on_all(const History& history);

/// One line a point: step, rate, training and held-out loss, gradient norm, held-out measures, with
/// and the sentences that those are of, with a header. Cells that were not measured are empty.
std::string csv(const History& history);
/// The table's header, and one line of it; cells of what is null are empty.
std::string csv_header();
std::string csv_line(std::uint64_t step, const LossPoint* learned, const Measures* held_out);

} // namespace heed::train
