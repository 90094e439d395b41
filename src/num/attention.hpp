// One head's attention, fused: the scores of a block of queries are made, scaled, biased, masked,
// turned into weights and multiplied with the values while they are still in the cache. Nothing of
// size n × m is written unless it is asked for. Vaswani et al. 2017, eq. 1.
#pragma once

#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <span>
#include <utility>

namespace heed::num {

/// Inputs of one head and places for its results, n queries and m keys. Heads may lie together in
/// n × h·d_k matrices (see view()); nothing is copied. With
///     z_ij = (gamma · q_i·k_j + bias[j − i + n − 1]) / temperature   where allowed, −inf where not
/// row_max_i = max_j z_ij, row_sum_i = Σ_j exp(z_ij − row_max_i),
/// weights_ij = exp(z_ij − row_max_i) / row_sum_i, context_i = gain · Σ_j weights_ij v_j.
/// A query without any key has weights and context 0, row_max −inf and row_sum 0. A NaN score
/// makes its row NaN, and so do scores that overflow: to +inf, or all of them to −inf; NaN is then
/// the row's sum, and no other row's.
struct HeadAttention {
    ConstView<float> q;  // n × d_k
    ConstView<float> k;  // m × d_k
    ConstView<float> v;  // m × d_v
    View<float> context; // n × d_v

    std::span<float> row_max, row_sum; // n each
    /// n × m, rows one after another, or null when nobody wants them.
    float* weights = nullptr;
    /// n × m, rows one after another: read in place of q·k when the score is no product.
    const float* scores = nullptr;

    float gamma = 1;
    float temperature = 1; // > 0
    float gain = 1;
    /// n + m − 1 numbers by j − i + (n − 1), added after gamma. Empty: none.
    std::span<const float> bias = {};
    /// The half-open range of keys that each of the n queries may see. Empty: all keys.
    std::span<const std::pair<Index, Index>> ranges = {};
    /// Further forbidden cells (query, key), sorted and unique.
    std::span<const std::pair<Index, Index>> forbidden = {};
};

/// Inside the calling thread.
void attend(const HeadAttention& head);

/// Many heads, split over the pool by head and by blocks of queries. Outputs must not overlap.
void attend(ThreadPool& pool, std::span<const HeadAttention> heads);

} // namespace heed::num
