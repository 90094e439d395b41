// The six score functions s(q, k) of an attention layer: rows of q against rows of k.
#pragma once

#include "base/result.hpp"
#include "num/matrix.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::RowVector;
using num::View;

enum class Score {
    additive,   // v · tanh(q W + k U)          Bahdanau et al. 2015, A.1.2
    concat,     // w2 · tanh([q; k] W1)         the same family written as one matrix
    dot,        // q · k                        Luong et al. 2015, eq. 8
    scaled_dot, // q · k / sqrt(d_k)            Vaswani et al. 2017, eq. 1
    bilinear,   // q W k^T                      Luong et al. 2015, eq. 8, "general"
    cosine,     // q · k / (|q| |k|)            a zero vector scores 0
};

inline constexpr Score kScores[] = {Score::additive,   Score::concat,   Score::dot,
                                    Score::scaled_dot, Score::bilinear, Score::cosine};

/// "additive", "concat", "dot", "scaled", "bilinear", "cosine": the names of flags and files.
std::string_view name(Score score);
std::optional<Score> score_named(std::string_view name);

/// Parameters of the scores that have some, d_q and d_k the widths of a query and a key, a that of
/// the hidden layer. `concat` reads W1 as W stacked on U and w2 as v: both scores then agree.
template <class S> struct ScoreParams {
    Matrix<S> query;     // W, d_q × a
    Matrix<S> key;       // U, d_k × a
    RowVector<S> hidden; // v, a
    Matrix<S> bilinear;  // W of bilinear, d_q × d_k
};

/// Additive, concat and bilinear have parameters; the others have none.
constexpr bool has_parameters(Score s) {
    return s == Score::additive || s == Score::concat || s == Score::bilinear;
}
/// Additive, concat and bilinear compare vectors of different widths; the others cannot.
constexpr bool needs_equal_widths(Score s) { return !has_parameters(s); }

/// For what comes from outside, before a layer is asked. Error: mismatch, naming both widths.
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

/// out(i, j) = s(q_i, k_j) · factor, for a block of queries against a block of keys.
/// q: rows × d_q, k: cols × d_k, out: rows × cols, already of its size. `params` may be null for a
/// score that has none. Throws ContractError when widths or parameters do not fit.
template <class S>
void scores(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k, S factor,
            View<S> out);

/// q and k after what `dot` does not do: bilinear multiplies q by W, cosine makes rows of length 1,
/// scaled_dot has a factor. Then s(q_i, k_j) = q_i · k_j · factor, which is what a fused attention
/// kernel takes. The views show the given q and k, or the matrices that are kept here: a value of
/// this type is not to be copied.
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

/// Additive and concat are no product of vectors.
constexpr bool has_dot_form(Score s) { return s != Score::additive && s != Score::concat; }

} // namespace heed::nn
