#include "app/learn/head_patterns.hpp"

#include "models/model/model.hpp"

namespace heed::app {

using trace::Stage;

namespace {

std::vector<NamedPattern> patterns_of(const trace::Trace& trace, trace::AttentionKind kind) {
    std::vector<NamedPattern> heads;
    num::Index cells = 0;
    for (int layer = 0; layer < trace.n_layers(kind); ++layer) {
        for (int head = 0; head < trace.n_heads(kind); ++head) {
            const auto map = trace.map({kind, layer, head});
            if (!map) continue;
            cells += map->rows(Stage::weights) * map->cols(Stage::weights);
            if (cells > kMostPatternCells) return {};
            heads.push_back({{kind, layer, head},
                             trace::head_pattern(map->whole(Stage::weights), trace.queries(kind),
                                                 trace.keys(kind), models::kPadToken)});
        }
    }
    return heads;
}

} // namespace

const std::vector<NamedPattern>& HeadPatterns::of(const Snapshot& snapshot) {
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    if (run_ != snapshot.run || kind_ != kind) {
        run_ = snapshot.run;
        kind_ = kind;
        heads_ = run_ ? patterns_of(run_->trace, kind) : std::vector<NamedPattern>{};
    }
    return heads_;
}

} // namespace heed::app
