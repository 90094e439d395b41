// The film of a training as a strip: one small map a moment, in one row, however many there are.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/base/map_data.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heed::figure {

struct FilmFrame {
    std::uint64_t step = 0;
    std::shared_ptr<const Matrix<float>> weights{}; // null: nothing attends
};

/// A weight has the colour that it has in the alignment. `selected`: the frame that is shown large.
/// Steps stand above the frames where there is room for them. Targets: stages, counted from 0.
Figure film_strip(const std::vector<FilmFrame>& frames, std::optional<std::size_t> selected,
                  const Frame& frame);

/// The middles of the first and the last of so many frames, from the left of a strip.
struct FilmSpan {
    float first = 0, last = 0;
};
FilmSpan film_span(std::size_t frames, float width);

} // namespace heed::figure
