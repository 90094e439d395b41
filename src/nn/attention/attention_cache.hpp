// The results of one call of attention, and rectangles of its maps: plain data and the formulas
// that show it, without the layers that made it.
#pragma once

#include "nn/attention/head_settings.hpp"
#include "num/matrix.hpp"
#include "num/shared_rows.hpp"

#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace heed::nn {

using num::ConstView;
using num::Matrix;
using num::Rect;
using num::RowVector;
using num::SharedRows;
using num::View;

template <class S> struct ScoreParams; // nn/score.hpp

/// One head: what it was told, and what makes its weights again.
template <class S> struct Head {
    HeadSettings<S> settings;
    std::shared_ptr<const ScoreParams<S>> score_params; // null when the score has none
    std::vector<S> bias;    // by j − i + (n_queries − 1), added to scaled; empty when none
    std::vector<S> row_max; // of masked / temperature; −inf where every key is masked
    std::vector<S> row_sum; // of exp(masked / temperature − row_max); 0 where all masked
    /// Weights that another program made, n × m: they stand for q and k, which have no features.
    std::shared_ptr<const Matrix<S>> stored = {};
};

/// The features of one module as heads share them: heads of queries side by side, and as many or
/// fewer of keys and values, each of which serves a group of query heads (Ainslie et al. 2023).
struct HeadLayout {
    Index n_heads = 1, n_kv_heads = 1;

    /// The head of keys and values that a query head reads.
    Index kv_head(Index head) const { return head * n_kv_heads / n_heads; }
};
/// `n_kv_heads`: 0 for as many as there are heads. ContractError when they do not divide.
HeadLayout head_layout(Index n_heads, Index n_kv_heads);

/// The results of one call, all heads. Matrices hold the heads side by side.
template <class S> struct AttentionCache {
    std::string name; // as in torch.nn.Transformer: "encoder.layers.0.self_attn"
    /// n × h·d_q, m × h_kv·d_k, m × h_kv·d_v: as projected, and normalised where heads are.
    SharedRows<S> q, k, v;
    SharedRows<S> q_rotated, k_rotated; // after rotary positions; empty when no head is rotary
    SharedRows<S> context;              // n × h·d_v
    Matrix<S> output;     // n × d_model, after the output projection; only where training asks
    Index valid_keys = 0; // keys that are no padding
    /// At least the sums of the squares of q and of k; infinite where nobody summed them.
    double q_squares = std::numeric_limits<double>::infinity(), k_squares = q_squares;
    std::vector<Head<S>> heads;
    Index n_kv_heads = 0; // heads of k and v; 0: as many as `heads`

    Index n_queries() const { return q.rows(); }
    Index n_keys() const { return k.rows(); }
    HeadLayout layout() const { return head_layout(std::ssize(heads), n_kv_heads); }
    Index d_q() const { return q.cols() / layout().n_heads; }
    Index d_k() const { return k.cols() / layout().n_kv_heads; }
    Index d_v() const { return v.cols() / layout().n_kv_heads; }
};

// Rectangles of one head's n × m maps, made from the cache: `out` is rect.rows × rect.cols.
// The run and whoever looks at it later use the same ones.

/// s(q_i, k_j), of rotated q and k when the head is rotary.
template <class S>
void head_scores(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// scores · gamma, bounded where the head has a softcap.
template <class S>
void head_scaled(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// scaled + position bias where allowed, −inf where not.
template <class S>
void head_masked(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);
/// exp(masked / temperature − row_max) / row_sum, 0 in rows without a key; then the head's edits,
/// then dropout.
template <class S>
void head_weights(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out);

/// q, or k, of one head as its scores read it: rotated when the head is rotary.
template <class S>
ConstView<S> head_query(const AttentionCache<S>& cache, Index head, Index row, Index rows);
template <class S>
ConstView<S> head_key(const AttentionCache<S>& cache, Index head, Index row, Index rows);
/// Factor of dropout on one weight: 1 when the head has none.
template <class S>
S weight_dropout(const AttentionCache<S>& cache, Index head, Index query, Index key);

} // namespace heed::nn
