// Rows of the sinusoidal table, kept once they are made: sines cost more than a layer norm, and
// rows for every position that a run can have more memory than a layer.
#pragma once

#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <mutex>
#include <vector>

namespace heed::models {

class SineRows {
  public:
    /// `sines_first`: a row is all its sines, then all its cosines.
    SineRows(num::Index width, bool sines_first) : width_(width), sines_first_(sines_first) {}

    /// Rows of the positions first, first + 1, …; n × width. Any thread may call.
    num::Matrix<float> rows(num::ThreadPool& pool, num::Index first, num::Index n) const;

  private:
    num::Matrix<float> made(num::Index block) const;

    num::Index width_;
    bool sines_first_;
    mutable std::mutex lock_;
    mutable std::vector<num::Matrix<float>> blocks_; // one after another; empty until asked for
};

} // namespace heed::models
