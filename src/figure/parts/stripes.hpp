// Rows of numbers as bare stripes, without labels: what a panel writes beside them is its own.
#pragma once

#include "figure/base/frame.hpp"
#include "num/matrix.hpp"

#include <vector>

namespace heed::figure {

struct Stripes {
    std::vector<num::RowVector<float>> rows{}; // signed; each has the colours of its own size
    float above = 0, below = 0;                // points left free around each row
};
/// The rows share the frame's height evenly.
Figure stripes(const Stripes& stripes, const Frame& frame);

} // namespace heed::figure
