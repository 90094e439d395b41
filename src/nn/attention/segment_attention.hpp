// Multi-head attention as training needs it: over sentences that lie one after another, each
// attending to itself alone or to its own source, with the weights kept, and what it passes back.
// See attention.hpp for the formulas, which are the same.
#pragma once

#include "nn/attention/attention_cache.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/segments.hpp"

#include <string>
#include <vector>

namespace heed::nn {

template <class S> struct SegmentAttention {
    std::string name; // the place of the weights' dropout, as in torch
    LinearLayer<S> query, key, value, output;
    std::vector<HeadSettings<S>> heads; // softcap, dropout and edits are not read
    std::vector<ScoreParams<S>> scores; // one a head, or none where no score has parameters
    Matrix<S> relative;                 // buckets × heads, or empty
    bool directed = false;
    PositionSettings positions = {};

    /// Heads of keys and values follow from the widths, as in attention_forward.
    HeadLayout layout() const;
};

/// Settings of a head of a run as this module reads them.
template <class S> HeadSettings<S> trained_settings(const HeadSettings<float>& from) {
    HeadSettings<S> to;
    to.score = from.score;
    to.gamma = static_cast<S>(from.gamma);
    to.temperature = static_cast<S>(from.temperature);
    to.mask = from.mask;
    to.positions = from.positions;
    to.gain = static_cast<S>(from.gain);
    return to;
}

template <class S> struct SegmentAttentionGradient {
    LinearGradient<S> query, key, value, output; // one without a place is left out
    std::vector<ScoreGradient<S>> scores;        // one a head where there are parameters; added to
    S* relative = nullptr;                       // buckets × heads, or null; added to
    S* maps = nullptr; // of the weights, laid out as SegmentAttentionCache::weights, or null; set
};

template <class S> struct SegmentAttentionCache {
    Matrix<S> q, k,
        v; // rows × h·d, keys and values rows × h_kv·d; q and k rotated where a head is rotary
    std::vector<S> weights; // head after head, sentence after sentence: n × m each, not dropped
    std::vector<S> factors; // of dropout, alike; empty where there is none
    Matrix<S> context;      // n × h·d_v
};

/// Sentence i of the queries attends to sentence i of the keys. x_queries: rows of `queries` ×
/// d_model, x_keys alike (the same matrix in self-attention). `output` gets output + end.residual.
/// Throws ContractError when widths or sentences do not fit.
template <class S>
void segment_attention_forward(const SegmentAttention<S>& layer, const Matrix<S>& x_queries,
                               const Segments& queries, const Matrix<S>& x_keys,
                               const Segments& keys, const DropoutSettings& dropout,
                               const Matrix<S>* residual, SegmentAttentionCache<S>& cache,
                               Matrix<S>& output);

/// Adds to dx_queries and dx_keys, which are one matrix where x_queries and x_keys are. Gradients
/// of the linear maps are set.
template <class S>
void segment_attention_backward(const SegmentAttention<S>& layer,
                                const SegmentAttentionCache<S>& cache, const Matrix<S>& x_queries,
                                const Segments& queries, const Matrix<S>& x_keys,
                                const Segments& keys, const Matrix<S>& d_output,
                                const SegmentAttentionGradient<S>& gradient, Matrix<S>& dx_queries,
                                Matrix<S>& dx_keys);

} // namespace heed::nn
