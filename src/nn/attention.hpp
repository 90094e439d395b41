// Multi-head attention (Vaswani et al. 2017, section 3.2): every head turns rows of q and k into
// weights by its own settings, the weights sum rows of v, and one matrix joins the heads.
#pragma once

#include "nn/dropout.hpp"
#include "nn/mask.hpp"
#include "nn/position.hpp"
#include "nn/score.hpp"
#include "nn/weight_edit.hpp"
#include "num/product.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heed::nn {

using num::Rect;

/// How one head turns its q and k into weights.
template <class S> struct HeadSettings {
    Score score = Score::dot;
    S gamma = 1;       // factor on the scores; 1/sqrt(d_k) when scaling is on
    S temperature = 1; // > 0
    SharedMask mask;
    Positions positions = Positions::none; // rotary, ALiBi, relative; anything else adds nothing
    S gain = 1;                            // factor on the head's context
    float dropout = 0;                     // share of weights dropped, 0 in evaluation
    std::uint64_t dropout_seed = 0;
    std::vector<WeightEdit> edits = {}; // by query, then key; each cell once
    bool operator==(const HeadSettings&) const = default;
};

/// One head: what it was told, and what makes its weights again.
template <class S> struct Head {
    HeadSettings<S> settings;
    std::shared_ptr<const ScoreParams<S>> score_params; // null when the score has none
    std::vector<S> bias;    // by j − i + (n_queries − 1), added to scaled; empty when none
    std::vector<S> row_max; // of masked / temperature; −inf where every key is masked
    std::vector<S> row_sum; // of exp(masked / temperature − row_max); 0 where all masked
};

/// Linear maps of one attention module. W of query, key and value are packed each for itself, so
/// that each product lands in a matrix of its own, which the trace then keeps without a copy; in a
/// file they are one in_proj_weight, stacked in this order.
template <class S> struct AttentionParams {
    num::Weights<S> query, key, value; // d_model × h·d_k, d_model × h·d_k, d_model × h·d_v
    num::Weights<S> output;            // h·d_v × d_model
    RowVector<S> query_bias, key_bias, value_bias, output_bias; // each may be empty

    bool empty() const { return query.out() == 0; }
};

/// What one call computed, all heads. Matrices hold the heads side by side.
template <class S> struct AttentionCache {
    std::string name;             // as in torch.nn.Transformer: "encoder.layers.0.self_attn"
    Matrix<S> q, k, v;            // n × h·d_q, m × h·d_k, m × h·d_v, as projected
    Matrix<S> q_turned, k_turned; // after rotary positions; empty when no head is rotary
    Matrix<S> context;            // n × h·d_v
    Matrix<S> output;             // n × d_model, after the output projection
    Index valid_keys = 0;         // keys that are no padding
    std::vector<Head<S>> heads;

    Index n_queries() const { return q.rows(); }
    Index n_keys() const { return k.rows(); }
    Index d_q() const { return q.cols() / static_cast<Index>(heads.size()); }
    Index d_k() const { return k.cols() / static_cast<Index>(heads.size()); }
    Index d_v() const { return v.cols() / static_cast<Index>(heads.size()); }
};

template <class S> struct AttentionOptions {
    std::string name = {}; // kept in the cache, and the place of the weights' dropout
    Index valid_keys = -1; // keys that are no padding; −1: all of them
    bool directed = false; // decoder self-attention: positions tell before from after
    const Matrix<S>* relative_table = nullptr; // buckets × heads, for Positions::relative
    /// When given, the weights of every head, after dropout: h blocks of n × m.
    S* all_weights = nullptr;
    /// Caches of a call with the same parameters, from which q (same queries' input), or k and v
    /// (same keys' input) are taken instead of being projected again. The result is the same.
    const AttentionCache<S>* same_queries = nullptr;
    const AttentionCache<S>* same_keys = nullptr;
    /// The weights that are read next, as in num::LinearOptions.
    const num::Weights<S>* next = nullptr;
};

/// `heads` bring their settings and score parameters; bias, row_max and row_sum are filled here.
/// x_queries: n × d_model, x_keys: m × d_model (the same matrix in self-attention).
/// A row whose keys are all masked has weights 0 and context 0; one with an allowed score that is
/// no finite number, an overflow to −inf among them, has a row_sum and a context of NaN. Throws
/// ContractError when widths do not fit, naming both.
template <class S>
AttentionCache<S> attention_forward(num::Team& team, const AttentionParams<S>& params,
                                    const Matrix<S>& x_queries, const Matrix<S>& x_keys,
                                    std::vector<Head<S>> heads, const AttentionOptions<S>& options);

// Rectangles of one head's n × m maps, made from the cache: `out` is rect.rows × rect.cols.
// The run and whoever looks at it later use the same ones.

/// s(q_i, k_j), of turned q and k when the head is rotary.
template <class S>
void head_scores(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// scores · gamma.
template <class S>
void head_scaled(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// scaled + position bias where allowed, −inf where not.
template <class S>
void head_masked(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// exp(masked / temperature − row_max) / row_sum, 0 in rows without a key; then the head's edits,
/// then dropout.
template <class S>
void head_weights(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);

/// q, or k, of one head as its scores read it: turned when the head is rotary.
template <class S>
ConstView<S> head_query(const AttentionCache<S>& cache, Index head, Index row, Index rows);
template <class S>
ConstView<S> head_key(const AttentionCache<S>& cache, Index head, Index row, Index rows);
/// Factor of dropout on one weight: 1 when the head has none.
template <class S>
S weight_dropout(const AttentionCache<S>& cache, Index head, Index query, Index key);

} // namespace heed::nn
