// Keys that stay while queries come one after another: what a score makes of the keys alone is made
// once.
#pragma once

#include "nn/attention/score.hpp"
#include "num/product.hpp"

#include <memory>

namespace heed::nn {

/// Rows of k as a score reads them: k U of the additive ones, unit vectors of cosine, packed for
/// products where the score is one. Copies share everything.
template <class S> class ScoreKeys {
  public:
    /// k: m × d_k. `params` may be null for a score that has none. Throws ContractError when they
    /// do not fit, naming both widths.
    ScoreKeys(Score score, std::shared_ptr<const ScoreParams<S>> params, const Matrix<S>& k);

    /// out(i, j) = s(q_i, k_j) / factor(). q: rows × d_q, out: rows × m, already of its size.
    /// Throws ContractError when widths do not fit.
    void scores(num::ThreadPool& pool, const Matrix<S>& q, View<S> out) const;

    /// 1/sqrt(d_k) of scaled_dot, 1 of the others: left to whoever multiplies the scores anyway, so
    /// that they are rounded once.
    S factor() const { return factor_; }
    /// The width of the queries that it takes.
    Index d_q() const { return query_.in() > 0 ? query_.in() : d_k_; }

  private:
    Score score_;
    std::shared_ptr<const ScoreParams<S>> params_;
    Index d_k_ = 0;
    num::Weights<S> query_;                   // W of additive, concat and bilinear
    num::Weights<S> keys_;                    // kᵀ, d_k × m, where the score is a product
    std::shared_ptr<const Matrix<S>> hidden_; // k U, m × a, where it is none
    S factor_ = 1;
};

} // namespace heed::nn
