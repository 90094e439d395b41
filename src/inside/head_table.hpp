// The scores of all heads of a run.
#pragma once

#include "inside/map_scores.hpp"
#include "models/model/model.hpp"

#include <optional>
#include <stop_token>
#include <vector>

namespace heed::inside {

struct HeadRow {
    trace::HeadId head;
    MapScores scores;
};

/// Every head of a model, kind after kind as trace::kAttentionKinds has them, layer after layer.
std::vector<trace::HeadId> all_heads(const models::Traits& traits);

/// One row a head, in the order of all_heads(), by what nothing but the run is needed for. Errors:
/// cancelled. Rows do not depend on the number of threads.
base::Result<std::vector<HeadRow>> head_scores(const models::Run& run, num::ThreadPool& pool,
                                               const std::stop_token& stop = {});

/// Tokens that the rows and columns of this kind's maps are in a run.
MapTokens map_tokens(const trace::Trace& trace, trace::AttentionKind kind);

} // namespace heed::inside
