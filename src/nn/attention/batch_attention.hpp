// Attention of recurrent decoders over a batch, for training: at every step each sentence asks one
// query of its own source (Bahdanau et al. 2015, section 3.1), and what that passes back. See
// step_attention.hpp for the formulas.
#pragma once

#include "nn/attention/linear_layer.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/segments.hpp"

namespace heed::nn {

/// The settings that decide the weights.
enum class AttentionMode {
    softmax, // softmax of scores
    mean,    // nothing: all keys alike
    last,    // nothing: the last key has all
};

template <class S> struct BatchAttention {
    AttentionMode mode = AttentionMode::softmax;
    Score score = kAdditiveScore;
    S gamma = 1;               // factor on the scores
    LinearLayer<S> query;      // W of additive, concat and bilinear
    LinearLayer<S> key;        // U of additive and concat
    std::span<const S> hidden; // v of additive and concat
};
template <class S> struct BatchAttentionGradient {
    LinearGradient<S> query, key; // set
    S* hidden = nullptr;          // added to
};

/// One pass over a batch. Sentence i of the keys answers query i of every step.
template <class S> class BatchAttentionPass {
  public:
    /// keys: rows × d_k, values: rows × d_v; both must stay. `queries` is how many there will be in
    /// all.
    void start(const BatchAttention<S>& layer, const Segments& segments, const Matrix<S>& keys,
               const Matrix<S>& values, Index queries);

    /// Queries of the rows [row, row + n) of all, n × d_q, of sentences 0 to n − 1; sets the same
    /// rows of context().
    void step(Index row, ConstView<S> queries);
    const Matrix<S>& context() const { return context_; }
    /// Rows of all × the longest source.
    const Matrix<S>& weights() const { return weights_; }

    /// Takes that step back: d_context, n × d_v, and dq, n × d_q, which is set. Steps go back from
    /// the last to the first.
    void step_back(Index row, ConstView<S> queries, const Matrix<S>& d_context, Matrix<S>& dq);
    /// Ends the way back, after the last of them. `queries`: all, rows of context() × d_q. d_keys
    /// and d_values are set.
    void finish_back(const Matrix<S>& queries, const BatchAttentionGradient<S>& gradient,
                     Matrix<S>& d_keys, Matrix<S>& d_values);

  private:
    bool additive() const;
    S factor() const;
    void weigh(Index row, Index sentence);
    void scores_back(Index row, Index sentence, std::span<const S> ds);

    const BatchAttention<S>* layer_ = nullptr;
    const Segments* segments_ = nullptr;
    const Matrix<S>*keys_ = nullptr, *values_ = nullptr;
    Matrix<S> read_keys_, read_queries_; // as the score reads them: k U, q W, unit vectors
    Matrix<S> weights_, context_;
    Matrix<S> d_read_keys_, d_read_queries_, d_values_;
    std::vector<S> d_hidden_;
};

} // namespace heed::nn
