// What a training leaves behind: numbers step by step, and how the alignment formed.
#pragma once

#include "num/matrix.hpp"
#include "train/measures.hpp"
#include "train/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heed::train {

struct StepRecord {
    std::uint64_t step = 0;   // counted from 1
    double loss = 0;          // nats a token, of its batch
    double rate = 0;          // of the schedule
    double gradient_norm = 0; // before clipping
    double seconds = 0;       // since the training began, pauses left out
    bool operator==(const StepRecord&) const = default;
};

/// Measured on held-out sentences after a step.
struct HeldOutRecord {
    std::uint64_t step = 0;
    Measures measures;
};

struct GradientRecord {
    std::uint64_t step = 0;
    std::vector<LayerGradient> layers;
};

/// Where a model looked after a step, for one sentence that was chosen.
struct AlignmentSnapshot {
    std::uint64_t step = 0;
    std::vector<std::string> source, target; // words
    num::Matrix<float> weights;              // target × source
};

/// A plain value, in the order of the steps; figures are drawn from copies of it.
struct TrainingHistory {
    std::vector<StepRecord> steps;
    std::vector<HeldOutRecord> held_out;
    std::vector<GradientRecord> gradients;
    std::vector<AlignmentSnapshot> snapshots;
};

/// Losses and measures, a row for each step that has any (RFC 4180, CRLF line ends); a field is
/// empty where nothing was measured. Columns: step, loss, rate, gradient_norm, seconds,
/// held_out_loss, token_accuracy, exact_match, bleu, alignment_error_rate, label_accuracy.
std::string write_csv(const TrainingHistory& history);

/// The mean loss of the last `steps` recorded steps: less noisy than one. 0 of none.
double recent_loss(const TrainingHistory& history, std::size_t steps);

} // namespace heed::train
