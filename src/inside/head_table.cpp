#include "inside/head_table.hpp"

namespace heed::inside {

using trace::AttentionKind;

std::vector<trace::HeadId> all_heads(const models::Traits& traits) {
    std::vector<trace::HeadId> heads;
    for (const AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < traits.layers(kind); ++layer) {
            for (int head = 0; head < traits.n_heads; ++head) heads.push_back({kind, layer, head});
        }
    }
    return heads;
}

MapTokens map_tokens(const trace::Trace& trace, AttentionKind kind) {
    return {trace.queries(kind), trace.keys(kind), kind != AttentionKind::cross,
            kind == AttentionKind::decoder_self, models::kPadToken};
}

base::Result<std::vector<HeadRow>> head_scores(const models::Run& run, num::ThreadPool& pool,
                                               const std::stop_token& stop) {
    std::vector<HeadRow> rows;
    for (const trace::HeadId& head : all_heads(run.model->traits())) rows.push_back({head, {}});
    pool.for_each(std::ssize(rows), [&](num::Index i) {
        HeadRow& row = rows[static_cast<std::size_t>(i)];
        const auto map = run.trace.map(row.head);
        if (!map || stop.stop_requested()) return;
        row.scores =
            map_scores(map->whole(trace::Stage::weights), map_tokens(run.trace, row.head.kind));
    });
    if (stop.stop_requested()) {
        return base::fail(base::ErrorKind::cancelled, "head scores", "stopped");
    }
    return rows;
}

} // namespace heed::inside
