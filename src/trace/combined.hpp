// The weights of several heads as one map.
#pragma once

#include "num/threads.hpp"
#include "trace/trace.hpp"

#include <stop_token>
#include <vector>

namespace heed::trace {

enum class Combine { mean, maximum, sum };

/// The heads of one kind that stand in `layers` and have one of the numbers `heads`, layer by
/// layer; both count from 0, what the trace has not is left out, and an empty list means all.
std::vector<HeadId> heads_in(const Trace& trace, AttentionKind kind, const std::vector<int>& layers,
                             const std::vector<int>& heads);

/// n × m, cell by cell over the heads' weights; all of one kind. A row of the mean sums to one
/// where each head has a distribution there. 0 × 0 for no heads. When `stop` is requested, the rest
/// is left as it is.
Matrix<float> combined_weights(const Trace& trace, const std::vector<HeadId>& heads, Combine how,
                               num::ThreadPool& pool, const std::stop_token& stop = {});

} // namespace heed::trace
