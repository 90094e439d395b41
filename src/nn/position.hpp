// How a model knows the order of its tokens.
#pragma once

#include "num/matrix.hpp"
#include "num/product.hpp"
#include "num/threads.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::View;

enum class Positions {
    none,
    sinusoidal, // joined to the embedding: Vaswani et al. 2017, section 3.5
    learned,    // joined to the embedding, a table of parameters
    rotary,     // turns q and k in every head: Su et al. 2021
    alibi,      // adds −m (i − j), |i − j| in an encoder, to the scaled scores: Press et al. 2022
    relative,   // adds a learned bias a bucket of j − i to the scaled scores: Raffel et al. 2020
};

inline constexpr Positions kPositions[] = {Positions::none,    Positions::sinusoidal,
                                           Positions::learned, Positions::rotary,
                                           Positions::alibi,   Positions::relative};

/// Sinusoidal and learned positions join the embedding; the others act inside an attention head.
constexpr bool joins_embedding(Positions p) {
    return p == Positions::sinusoidal || p == Positions::learned;
}

/// How positions join the embedding. Concatenated: [embedding; position] W, of which adding is the
/// case that W is one identity above another.
enum class Join { add, concatenate };

std::string_view name(Positions positions);
std::optional<Positions> positions_named(std::string_view name);

/// What the wavelengths of sinusoidal and rotary positions grow to, over 2π (Vaswani et al. 2017).
inline constexpr double kPositionBase = 10000;

/// PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same: rows are the positions
/// first, first + 1, …; n × d_model. An odd d_model ends in a sine.
template <class S>
Matrix<S> sinusoidal_table(Index n, Index d_model, Index first = 0, double base = kPositionBase);

/// The first n rows of a table of learned positions. ContractError when it has fewer.
template <class S> Matrix<S> learned_positions(const Matrix<S>& table, Index n);

/// embedding + positions, or [embedding; positions] W with W (`join_weights`) 2·d_model × d_model,
/// which is read for Join::concatenate alone. embedding, positions and result: n × d_model.
template <class S>
Matrix<S> join_positions(num::Team& team, Join join, const num::Weights<S>& join_weights,
                         const Matrix<S>& embedding, const Matrix<S>& positions);

/// One identity above another, 2·d × d: concatenating with it is adding.
template <class S> Matrix<S> adding_matrix(Index d);

/// Cosines and sines of rotary positions: row r, column c is of the angle
/// (first + r) / base^(2c/d_k); n × floor(d_k / 2).
template <class S> struct RotaryTable {
    Matrix<S> cosine, sine;
};
template <class S>
RotaryTable<S> rotary_table(Index n, Index d_k, Index first = 0, double base = kPositionBase);

/// Rotary positions of one head: in row r the pair of features (2c, 2c+1), interleaved as in
/// eq. 15 of Su et al. 2021, is turned by the angle of row r, column c of the table. So q_i · k_j
/// after turning depends on j − i alone. from, to: rows × d_k, at most as many rows as the table
/// has; `to` may be `from`. Of an odd d_k the last feature stays.
template <class S> void turn(const RotaryTable<S>& table, ConstView<S> from, View<S> to);
/// The same with the table of the positions first, first + 1, …
template <class S> void turn(ConstView<S> from, Index first, View<S> to);

/// ALiBi's slope of each head: 2^(−8 (h+1)/n) where n is a power of two; otherwise the slopes of
/// the next lower power of two p, followed by every second slope of 2 p (Press et al. 2022, their
/// published rule).
template <class S> std::vector<S> alibi_slopes(Index n_heads);

inline constexpr Index kRelativeBuckets = 32;
inline constexpr Index kRelativeMaxDistance = 128;

/// The bucket of an offset j − i (Raffel et al. 2020, section 2.1). Directed: 32 buckets for keys
/// up to the query, later keys share bucket 0. Otherwise 16 for keys up to the query and 16 for
/// later ones. Near offsets have one each, then they widen logarithmically up to 128.
Index relative_bucket(Index offset, bool directed);

/// What a head adds to its scaled scores for the offset j − i: element (j − i) + (n_queries − 1),
/// n_queries + n_keys − 1 of them. Empty for positions that add nothing.
/// `directed`: decoder self-attention. ALiBi is −m (i − j) there, so that a later key, which only a
/// lifted causal mask lets in, gains; −m |i − j| elsewhere. `relative_table`: buckets × heads, read
/// for Positions::relative alone.
template <class S>
std::vector<S> position_bias(Positions positions, Index head, Index n_heads, bool directed,
                             const Matrix<S>* relative_table, Index n_queries, Index n_keys);

} // namespace heed::nn
