// The heads of one module by the fused kernel of num, which never writes a whole map.
#pragma once

#include "nn/attention/attention.hpp"

namespace heed::nn {

/// Fills the context of `cache`, whose q, k, v and heads are ready, and each head's row_max and
/// row_sum, of the queries from `begin` on; all_weights is null or takes the weights, as in
/// AttentionOptions. A head whose score is no product or is bounded, or whose weights are dropped,
/// writes its scores and weights out: a few queries at a time in each thread, since heads × n × m
/// of them would be gigabytes for a long text.
void attend_fused(num::ThreadPool& pool, AttentionCache<float>& cache, Index begin,
                  float* all_weights);

} // namespace heed::nn
