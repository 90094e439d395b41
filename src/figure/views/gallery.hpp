// Maps that stand for choices, not for steps: cards in columns, one of them selected.
#pragma once

#include "figure/views/plots.hpp"

#include <vector>

namespace heed::figure {

/// Cards in as many rows as needed; the columns share frame.width, the height follows. They are
/// tagged as the stages of a strip are; the colours of all unsigned ones span the same range.
Figure gallery(const std::vector<StageThumbnail>& cards, int selected, int columns,
               const Frame& frame);

} // namespace heed::figure
