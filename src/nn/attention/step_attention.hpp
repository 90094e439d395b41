// Attention whose queries come one after another, as those of a recurrent decoder do (Bahdanau et
// al. 2015, section 3.1): keys and values stand still, and what is made of them alone is made once.
#pragma once

#include "nn/attention/attention.hpp"
#include "nn/attention/score_keys.hpp"

#include <span>
#include <string>
#include <vector>

namespace heed::nn {

/// The contexts that some queries got.
template <class S> struct Attended {
    Matrix<S> q;                     // rows × d_q, as they were asked
    Matrix<S> weights;               // rows × m, after edits and dropout
    Matrix<S> context;               // rows × d_v, times the head's gain
    std::vector<S> row_max, row_sum; // as in Head, one a row
};

/// One row of what some queries got.
template <class S> struct AttendedRow {
    const Attended<S>* of;
    Index row;
};

/// One head over keys and values that stay. Nothing changes after construction, so that the
/// hypotheses of a beam search share it.
template <class S> class StepAttention {
  public:
    /// keys: m × d_k, values: m × d_v. `head` brings its settings and score parameters; its
    /// positions must add nothing to scores. `valid_keys`: keys that are no padding, −1 for all.
    /// `name` is kept in the cache, and the place of the weights' dropout. Throws ContractError
    /// when keys, values and parameters do not fit, naming both numbers.
    StepAttention(std::string name, Matrix<S> keys, Matrix<S> values, Head<S> head,
                  Index valid_keys = -1);

    Index n_keys() const { return keys_.rows(); }

    /// queries: rows × d_q, of which d_k may differ where the score allows it. Row r is asked as
    /// query index[r] of the map: mask, edits and dropout are those of that row. The rules are
    /// attention_forward's: a row without a key has weights and context 0, an allowed score that is
    /// no finite number makes the row's sum, weights and context NaN. Throws ContractError when
    /// widths do not fit.
    Attended<S> attend(num::ThreadPool& pool, const Matrix<S>& queries,
                       std::span<const Index> index) const;

    /// The cache of a call with all these queries, row i having been asked as query i, from which
    /// every stage is made again: one head, `output` empty. The d_q of its q may differ from d_k.
    AttentionCache<S> cache(std::span<const AttendedRow<S>> rows) const;

  private:
    /// Edits, then dropout.
    void change_weights(std::span<const Index> index, Matrix<S>& weights) const;

    std::string name_;
    Matrix<S> keys_, values_;
    num::Weights<S> packed_values_; // m × d_v
    Head<S> head_;
    Index valid_keys_;
    ScoreKeys<S> score_keys_;
};

} // namespace heed::nn
