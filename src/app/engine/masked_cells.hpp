// The cells of a picture of attention that a mask forbids, for the eye to tell them from zeros.
#pragma once

#include "figure/base/figure.hpp"
#include "text/words.hpp"
#include "trace/trace.hpp"

#include <span>
#include <vector>

namespace heed::app {

/// Runs by row, ascending, without rows that have no key: they are marked as a whole. Where words
/// are given (both or none), rows and columns are words, masked where all their pieces are.
std::vector<figure::CellRun> masked_cells(const trace::AttentionMap& map,
                                          const text::Words* queries = nullptr,
                                          const text::Words* keys = nullptr);
/// The cells that are masked in every one of these heads, where all have the same mask; else
/// nothing.
std::vector<figure::CellRun> masked_cells(const trace::Trace& trace,
                                          std::span<const trace::HeadId> heads,
                                          const text::Words* queries, const text::Words* keys);
/// True where all of these cells, given in tokens, are masked.
bool is_masked(const trace::AttentionMap& map, const num::Rect& tokens);

} // namespace heed::app
