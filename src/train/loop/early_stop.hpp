// The early stop of a training, once it has learned what it will learn.
#pragma once

#include <cstdint>
#include <limits>

namespace heed::train {

/// Stops when the held-out loss has not fallen by `least` for `patience` measurements in a row
/// (Prechelt 1998). A plain value, so that a checkpoint keeps it.
struct EarlyStop {
    int patience = 0; // 0: never stops
    double least = 0;

    double best = std::numeric_limits<double>::infinity();
    std::uint64_t best_step = 0;
    int since = 0; // measurements since the best

    /// Takes note of a measurement; whether it is the best so far, and worth keeping.
    bool observe(std::uint64_t step, double loss) {
        // A loss that is NaN is no better than anything.
        const bool better = loss < best - least;
        since = better ? 0 : since + 1;
        if (better) {
            best = loss;
            best_step = step;
        }
        return better;
    }
    bool should_stop() const { return patience > 0 && since >= patience; }
    bool operator==(const EarlyStop&) const = default;
};

} // namespace heed::train
