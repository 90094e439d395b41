// The score functions s(q, k) of an attention layer, rows of q against rows of k, and what they
// pass back: those of the table in score_info.hpp. Each is a reading of q, a reading of k, and one
// of two sums over their features: a product, q' · k', or an additive one, v · tanh(q' + k').
#pragma once

#include "base/result.hpp"
#include "nn/attention/score_kind.hpp"
#include "num/matrix.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::RowVector;
using num::View;

/// Parameters of the scores that have some, d_q and d_k the widths of a query and a key, a that of
/// the hidden layer. `concat` reads W1 as W stacked on U and w2 as v: both scores then agree.
template <class S> struct ScoreParams {
    Matrix<S> query;     // W, d_q × a
    Matrix<S> key;       // U, d_k × a
    RowVector<S> hidden; // v, a
    Matrix<S> bilinear;  // W of bilinear, d_q × d_k
};

/// Places that gradients of score parameters are added to; each as large as the parameter. Null
/// where the score has none.
template <class S> struct ScoreGradient {
    S *query = nullptr, *key = nullptr, *hidden = nullptr, *bilinear = nullptr;
};

/// Checks widths from outside, before a layer is asked. Error: mismatch, naming both widths.
base::Result<void> check_widths(Score score, Index d_q, Index d_k);

/// Parameters drawn from a seed. For q and k of unit variance, q W, k U and the additive scores
/// have a variance of about one, and bilinear scores that of a dot product, d_k. `place` names the
/// head that they are for ("encoder.layers.0.self_attn.0"); equal arguments give equal draws on
/// every machine, in float and in double.
template <class S>
ScoreParams<S> draw_score_params(std::uint64_t seed, std::string_view place, Index d_q, Index d_k,
                                 Index hidden);

/// W1 of `concat`, (d_q + d_k) × a: its upper rows are W of `additive`, its lower rows U.
template <class S> Matrix<S> concat_matrix(const ScoreParams<S>& params);

/// Parameters of a score that has some: ContractError when there are none.
template <class S> const ScoreParams<S>& required(Score score, const ScoreParams<S>* params);

/// W that the score multiplies queries with; null where it multiplies them with none.
template <class S> const Matrix<S>* query_matrix(Score score, const ScoreParams<S>* params);

/// q' and k', rows × features: q W and k U of the additive ones, q W of bilinear, rows of length 1
/// of cosine, [q, 1, −½‖q‖²] and [k, −½‖k‖², 1] of the squared distance. Empty where the score
/// reads them as they are. Throws ContractError when widths or parameters do not fit, naming both.
/// `d_k`: the width of the keys.
template <class S>
Matrix<S> read_queries(Score score, const ScoreParams<S>* params, ConstView<S> q, Index d_k);
template <class S> Matrix<S> read_keys(Score score, const ScoreParams<S>* params, ConstView<S> k);
/// The factor on the product: 1/sqrt(d_k) of scaled_dot, 1 of the others.
template <class S> S score_factor(Score score, Index d_k);
/// ContractError, with both widths, when keys of these parameters and such queries do not fit.
template <class S>
void check_queries(Score score, const ScoreParams<S>* params, Index d_q, Index d_k);

/// Gradients of the readings: dq and dk, of the sizes of q and k, are set, and gradients of the
/// parameters added to. A vector of no length has the gradient 0 under the cosine.
template <class S>
void read_queries_backward(Score score, const ScoreParams<S>* params, ConstView<S> q,
                           ConstView<S> d_read, View<S> dq, const ScoreGradient<S>& gradient);
template <class S>
void read_keys_backward(Score score, const ScoreParams<S>* params, ConstView<S> k,
                        ConstView<S> d_read, View<S> dk, const ScoreGradient<S>& gradient);

/// out(i, j) = s(q_i, k_j) · factor, for a block of queries against a block of keys.
/// q: rows × d_q, k: cols × d_k, out: rows × cols, already of its size. `params` may be null for a
/// score that has none. Throws ContractError when widths or parameters do not fit.
template <class S>
void scores(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k, S factor,
            View<S> out);

/// Gradients of z(i, j) = s(q_i, k_j) · factor: dq and dk, of the sizes of q and k, are set and
/// gradients of the parameters added to. dz: rows of q × rows of k. Throws ContractError when
/// widths or parameters do not fit.
template <class S>
void scores_backward(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k,
                     S factor, ConstView<S> dz, View<S> dq, View<S> dk,
                     const ScoreGradient<S>& gradient);

/// out(i, j) = v · tanh(queries_i + keys_j) · factor, of q', rows × a, and k', m × a.
template <class S>
void additive_scores(const Matrix<S>& queries, const Matrix<S>& keys, const RowVector<S>& v,
                     S factor, View<S> out);

/// No sum on the way to a score is larger; q and k are the norms of all their features.
template <class S>
double score_bound(Score score, const ScoreParams<S>* params, double q, double k);

/// q' and k' of a score that is a product: s(q_i, k_j) = q'_i · k'_j · factor, which is what a
/// fused attention kernel takes. The views show the given q and k, or the matrices that are kept
/// here: a value of this type is not to be copied. ContractError for another score.
template <class S> struct DotForm {
    DotForm(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k);
    DotForm(const DotForm&) = delete;
    DotForm& operator=(const DotForm&) = delete;

  private:
    Matrix<S> own_q_, own_k_;

  public:
    ConstView<S> q, k;
    S factor = 1;
};

} // namespace heed::nn
