#include "trace/combined.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace heed::trace {

std::vector<HeadId> heads_in(const Trace& trace, AttentionKind kind, const std::vector<int>& layers,
                             const std::vector<int>& heads) {
    const auto wanted = [](const std::vector<int>& list, int i) {
        return list.empty() || std::find(list.begin(), list.end(), i) != list.end();
    };
    std::vector<HeadId> ids;
    for (int layer = 0; layer < trace.n_layers(kind); ++layer) {
        for (int head = 0; head < trace.n_heads(kind); ++head) {
            if (wanted(layers, layer) && wanted(heads, head)) ids.push_back({kind, layer, head});
        }
    }
    return ids;
}

Matrix<float> combined_weights(const Trace& trace, const std::vector<HeadId>& heads, Combine how,
                               num::ThreadPool& pool, const std::stop_token& stop) {
    constexpr Index kBlock = 16;
    std::vector<AttentionMap> maps;
    for (const HeadId& id : heads) {
        auto map = trace.map(id);
        HEED_CHECK(map && id.kind == heads.front().kind, "{} layer {} head {} is none of these",
                   name(id.kind), id.layer, id.head);
        maps.push_back(*std::move(map));
    }
    if (maps.empty()) return {};
    const Index n = maps[0].rows(Stage::weights), m = maps[0].cols(Stage::weights);
    Matrix<float> all = Matrix<float>::Zero(n, m);
    pool.for_each((n + kBlock - 1) / kBlock, [&](Index block) {
        const Index row = block * kBlock, rows = std::min(kBlock, n - row);
        auto here = all.middleRows(row, rows);
        for (const AttentionMap& map : maps) {
            if (stop.stop_requested()) return;
            const Matrix<float> weights = map.rectangle(Stage::weights, {row, 0, rows, m});
            if (how == Combine::maximum) {
                here = here.cwiseMax(weights);
            } else {
                here += weights;
            }
        }
        if (how == Combine::mean) here /= static_cast<float>(maps.size());
    });
    return all;
}

} // namespace heed::trace
