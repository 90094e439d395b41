// Benchmarks of the window: the time for a frame, and from a drag to the map that answers it.
// Part of `heed bench`.
#pragma once

#include "app/bench/bench.hpp"
#include "base/result.hpp"

#include <vector>

namespace heed::ui {

/// Whole frames of the window, off-screen, from input to the last pixel drawn, by whatever OpenGL
/// the machine has. frame/explore: 1280 × 800, the base model's 48 heads and one large map, the
/// pointer on the way over it; frame/explore/idle: the same frame once more, which a window at rest
/// does not draw; frame/explore/whole: every pixel of it, as when all maps are new. frame/144: the
/// same three with 12 × 12 heads in the grid. map/2048/pan and /zoom: a map of 2 048 tokens moved,
/// and zoomed a little each frame; /lines and /columns: the pointer on its way over the tokens of
/// its links. slider/base/32 and weight/base/32: while a slider, and a cell's
/// weight, is dragged without a rest, 60 frames a second, the time for each new map on the screen;
/// with /latency: from a single move to its map on the screen, two frames and the run between
/// them. Errors: unavailable, where no off-screen frame can be had.
base::Result<std::vector<app::BenchCase>> bench_frames(const app::BenchOptions& options);

} // namespace heed::ui
