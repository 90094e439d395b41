// The heads of one attention module as a run begins with them.
#pragma once

#include "models/model/model.hpp"
#include "models/model/resolve.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"

#include <memory>
#include <vector>

namespace heed::models {

/// `scores`: the parameters of the module's heads, one after another, which `model` keeps alive.
inline std::vector<trace::Head> make_heads(HeadResolver& resolver,
                                           const std::shared_ptr<const Model>& model,
                                           const nn::ScoreParams<float>* scores,
                                           trace::AttentionKind kind, int layer, int count,
                                           num::Index queries, num::Index keys) {
    std::vector<trace::Head> heads(static_cast<std::size_t>(count));
    for (int h = 0; h < count; ++h) {
        trace::Head& head = heads[static_cast<std::size_t>(h)];
        head.settings = resolver.settings({kind, layer, h}, queries, keys);
        if (nn::has_parameters(head.settings.score)) head.score_params = {model, scores + h};
    }
    return heads;
}

/// The weights of every head of a module, one n × m block after another. Returns where they end.
float* write_all_weights(num::ThreadPool& pool, const trace::Attention& attention, float* to);

} // namespace heed::models
