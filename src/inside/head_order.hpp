// Heads whose maps are alike, beside each other.
#pragma once

#include "base/result.hpp"
#include "num/threads.hpp"
#include "trace/trace.hpp"

#include <stop_token>
#include <vector>

namespace heed::inside {

/// The mean over rows of the Jensen–Shannon divergence of two maps' rows, in bits: 0 for the same
/// ones, 1 for rows that share no key (Clark et al. 2019, section 6). Both maps are n × m; a row in
/// which either has no distribution is left out.
double map_distance(const num::Matrix<float>& a, const num::Matrix<float>& b);

/// Distances of all pairs, heads × heads. Maps are of one size. Of large ones at most 24 rows are
/// read, evenly spaced, and columns summed to at most 64. Incomplete when
/// stopped.
num::Matrix<double> map_distances(const std::vector<num::Matrix<float>>& maps,
                                  num::ThreadPool& pool, const std::stop_token& stop = {});

/// The leaves of average-linkage clustering (Sokal and Michener 1958) in the order of its tree. Of
/// two clusters that join, the one with the smallest number comes first, and of pairs equally near
/// the first is joined, so that equal distances give an equal order. distances: symmetric.
std::vector<int> clustered_order(const num::Matrix<double>& distances);

/// The heads of a kind, layer · n_heads + head, so that like maps stand together. Errors:
/// cancelled.
base::Result<std::vector<int>> head_order(const trace::Trace& trace, trace::AttentionKind kind,
                                          num::ThreadPool& pool, const std::stop_token& stop = {});

} // namespace heed::inside
