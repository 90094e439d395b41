// The rows that a run takes over from the run before it: where no token sees a later one, the
// rows before the first token that differs are the same in every tensor.
#pragma once

#include "num/threads.hpp"
#include "trace/trace.hpp"

#include <vector>

namespace heed::models {

/// True where these heads, on inputs that are those of `then`, make what they made then.
bool same_heads(const trace::Attention& then, const std::vector<trace::Head>& now,
                num::Index valid_keys);

/// The number of rows, of `rows` leading ones of queries that are those of `then`, that make what
/// they made then. Where `causal`, their keys are the same so far as well, and a head that looks
/// further keeps none; elsewhere all keys are those of then.
num::Index rows_kept(const trace::Attention& then, const std::vector<trace::Head>& now,
                     num::Index rows, bool causal);

/// `made` has the rows from `kept` on of each tensor; the others are those of `before`, which is
/// the same layer of another run. What the next layer reads, the last tensor, continues that of
/// `before`; the others are joined when they are looked at.
trace::Layer with_kept_rows(num::ThreadPool& pool, trace::Layer made, const trace::Layer& before,
                            num::Index kept);

/// The layer with room below its last tensor, for the first run that keeps its rows.
trace::Layer that_grows(trace::Layer layer);

} // namespace heed::models
