// Scores that leave the range of their numbers.
#pragma once

#include "nn/attention/attention.hpp"

namespace heed::nn {

/// The sum of the squares of the rows from `begin` on. Infinite where one overflows.
template <class S> double squares_of(num::ThreadPool& pool, const SharedRows<S>& x, Index begin);

/// Marks overflow after attention, in the queries from `begin` on: a row with an allowed key whose
/// masked score is no finite number becomes NaN in its row_sum, context and all_weights (null or as
/// in AttentionOptions). The softmax itself is made NaN by +inf and by NaN; but among finite scores
/// an overflow to −inf would pass for a masked key and quietly take its weight away. Every score is
/// looked at only where the largest numbers that it is made of could overflow at all.
template <class S>
void refuse_overflow(num::ThreadPool& pool, AttentionCache<S>& cache, Index begin, S* all_weights);

} // namespace heed::nn
