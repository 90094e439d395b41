// What a run takes over from the run before it, row by row: where no token sees a later one, the
// rows before the first token that differs are the same in every tensor.
#pragma once

#include "trace/trace.hpp"

#include <vector>

namespace heed::models {

/// Whether these heads, on inputs that are those of `then`, make what they made then.
bool same_heads(const trace::Attention& then, const std::vector<trace::Head>& now,
                num::Index valid_keys);

/// Of `rows` leading rows of queries that are those of `then`, how many make what they made then.
/// Where `causal`, their keys are the same so far as well, and a head that looks further keeps
/// none; elsewhere all keys are those of then.
num::Index rows_kept(const trace::Attention& then, const std::vector<trace::Head>& now,
                     num::Index rows, bool causal);

/// `made` has the rows from `kept` on of each tensor, and of its attentions' outputs; the others
/// are those of `before`, which is the same layer of another run. What the next layer reads, the
/// last tensor, is joined here; the others when they are looked at.
trace::Layer with_kept_rows(trace::Layer made, const trace::Layer& before, num::Index kept);
/// The first `kept` rows, followed by others.
num::Matrix<float> joined(const num::Matrix<float>& before, num::Index kept,
                          const num::Matrix<float>& made);

} // namespace heed::models
