#include "models/model/record.hpp"

#include <memory>
#include <utility>

namespace heed::models {

namespace {

using trace::AttentionKind;
using trace::Axis;

// In either norm order the tensor before it is what the sublayer read: a norm. One that is shared
// with attention is the layer's first tensor.
void record_first_linear(trace::Layer& layer, FeedForwardParams params, bool shared, Axis rows) {
    const auto& read = shared ? layer.tensors.front() : layer.tensors.back();
    auto make = [params = std::move(params), x = read] {
        num::ThreadPool pool(1);
        return nn::first_linear(pool, *params, *x->values.matrix());
    };
    layer.remade.push_back({layer.name + ".linear1", std::move(make), rows});
}

// A feed-forward sublayer with its norm and residual, in the order in which they were computed:
// pre-norm has a residual, and its norm comes first.
void record_feed_forward(trace::Layer& layer, int number, nn::FeedForwardCache<float>&& cache,
                         num::Matrix<float>&& norm, num::Matrix<float>&& residual,
                         FeedForwardParams params, Axis rows) {
    const std::string norm_name = layer.name + ".norm" + std::to_string(number);
    const bool pre = residual.size() != 0;
    const bool shared = pre && norm.size() == 0;
    if (pre) record(layer, norm_name, std::move(norm), rows);
    if (cache.linear.size() == 0) {
        record_first_linear(layer, std::move(params), shared, rows);
    } else {
        record(layer, layer.name + ".linear1", std::move(cache.linear), rows);
    }
    record(layer, layer.name + ".gate", std::move(cache.gate), rows);
    record(layer, layer.name + ".activation", std::move(cache.hidden), rows);
    record(layer, layer.name + ".linear2", std::move(cache.output), rows);
    if (!pre) record(layer, norm_name, std::move(norm), rows);
    record(layer, layer.name + ".residual" + std::to_string(number), std::move(residual), rows);
}

} // namespace

void record(trace::Layer& layer, int index, AttentionKind kind, nn::AttentionCache<float>&& cache) {
    auto attention = std::make_shared<trace::Attention>();
    static_cast<nn::AttentionCache<float>&>(*attention) = std::move(cache);
    attention->output.resize(0, 0); // a part of the sum that follows: nobody looks at it
    attention->kind = kind;
    attention->layer = index;
    layer.attentions.push_back(std::move(attention));
}

void record(trace::Layer& layer, std::string name, num::Matrix<float>&& values, Axis rows) {
    if (values.size() == 0) return;
    layer.tensors.push_back(std::make_shared<const trace::Tensor>(
        trace::Tensor{std::move(name), std::move(values), rows, Axis::features}));
}

void record(trace::Layer& layer, int index, nn::EncoderLayerCache<float>&& cache,
            FeedForwardParams params) {
    constexpr Axis kRows = Axis::source_tokens;
    record(layer, index, AttentionKind::encoder_self, std::move(cache.self_attention));
    record(layer, layer.name + ".norm1", std::move(cache.norm1.y), kRows);
    record(layer, layer.name + ".residual1", std::move(cache.residual1), kRows);
    record_feed_forward(layer, 2, std::move(cache.feed_forward), std::move(cache.norm2.y),
                        std::move(cache.residual2), std::move(params), kRows);
}

void record(trace::Layer& layer, int index, nn::DecoderLayerCache<float>&& cache,
            FeedForwardParams params) {
    constexpr Axis kRows = Axis::target_tokens;
    record(layer, index, AttentionKind::decoder_self, std::move(cache.self_attention));
    record(layer, layer.name + ".norm1", std::move(cache.norm1.y), kRows);
    record(layer, layer.name + ".residual1", std::move(cache.residual1), kRows);
    if (!cache.cross_attention.heads.empty()) {
        record(layer, index, AttentionKind::cross, std::move(cache.cross_attention));
        record(layer, layer.name + ".norm2", std::move(cache.norm2.y), kRows);
        record(layer, layer.name + ".residual2", std::move(cache.residual2), kRows);
    }
    record_feed_forward(layer, 3, std::move(cache.feed_forward), std::move(cache.norm3.y),
                        std::move(cache.residual3), std::move(params), kRows);
}

} // namespace heed::models
