// The six score functions s(q, k) of an attention layer: rows of q against rows of k.
#pragma once

#include "num/matrix.hpp"

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
template <class S>
struct ScoreParams {
    Matrix<S> query;     // W, d_q × a
    Matrix<S> key;       // U, d_k × a
    RowVector<S> hidden; // v, a
    Matrix<S> bilinear;  // W of bilinear, d_q × d_k
};

} // namespace heed::nn
