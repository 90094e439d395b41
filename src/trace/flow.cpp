#include "trace/flow.hpp"

#include "base/check.hpp"

namespace heed::trace {

namespace {

void check_maps(const LayerMaps& layers) {
    for (const auto& map : layers) {
        HEED_CHECK(map, "a layer without a map");
        HEED_CHECK(map->rows() == map->cols() && map->rows() == layers.front()->rows(),
                   "a map of {} x {} among maps of {} tokens", map->rows(), map->cols(),
                   layers.front()->rows());
    }
}

} // namespace

Matrix<float> with_residual(const Matrix<float>& attention) {
    HEED_CHECK(attention.rows() == attention.cols(), "a residual connection around {} x {}",
               attention.rows(), attention.cols());
    Matrix<float> mixed = 0.5f * attention;
    mixed.diagonal().array() += 0.5f;
    for (Index i = 0; i < mixed.rows(); ++i) mixed.row(i) /= mixed.row(i).sum();
    return mixed;
}

Matrix<float> rollout(const LayerMaps& layers) {
    check_maps(layers);
    if (layers.empty()) return {};
    Matrix<float> product = with_residual(*layers.front());
    for (std::size_t layer = 1; layer < layers.size(); ++layer) {
        product = (with_residual(*layers[layer]) * product).eval();
    }
    return product;
}

Flow flow_to(const LayerMaps& layers, FlowRule rule, Index token) {
    check_maps(layers);
    const Index n = layers.empty() ? 0 : layers.front()->rows();
    HEED_CHECK(token >= 0 && token < n, "token {} of {}", token, n);
    Flow flow;
    flow.rule = rule;
    flow.token = token;
    for (const auto& map : layers) {
        flow.steps.push_back(
            rule == FlowRule::raw ? map : std::make_shared<Matrix<float>>(with_residual(*map)));
    }
    flow.reach = Matrix<float>::Zero(flow.n_layers() + 1, n);
    flow.reach(flow.n_layers(), token) = 1;
    for (Index layer = flow.n_layers() - 1; layer >= 0; --layer) {
        flow.reach.row(layer).noalias() =
            flow.reach.row(layer + 1) * *flow.steps[static_cast<std::size_t>(layer)];
    }
    return flow;
}

} // namespace heed::trace
