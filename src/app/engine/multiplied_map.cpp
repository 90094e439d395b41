#include "app/engine/multiplied_map.hpp"

#include "app/engine/merging.hpp"
#include "inside/head_values.hpp"
#include "trace/merged.hpp"

namespace heed::app {

bool has_norms(const models::Run& run, const trace::HeadId& head, Times times) {
    const auto map = run.trace.map(head);
    if (!map || map->head().stored) return false;
    return times != Times::transformed || inside::transformed_norms(run, head).has_value();
}

std::shared_ptr<const Matrix<float>> multiplied_map(const models::Run& run, const Focus& focus,
                                                    const TokenWords* words) {
    const bool asked =
        focus.times != Times::nothing && !focus.combine && focus.stage == trace::Stage::weights;
    if (!asked || !has_norms(run, focus.head, focus.times)) return nullptr;
    const num::RowVector<float> norms = focus.times == Times::value
                                            ? inside::value_norms(run, focus.head)
                                            : *inside::transformed_norms(run, focus.head);
    Matrix<float> map = run.trace.map(focus.head)->whole(trace::Stage::weights);
    map.array().rowwise() *= norms.array();
    if (!words) return std::make_shared<const Matrix<float>>(std::move(map));
    const trace::AttentionKind kind = focus.head.kind;
    return std::make_shared<const Matrix<float>>(
        trace::merged_weights(map, words->queries(kind), words->keys(kind)));
}

} // namespace heed::app
