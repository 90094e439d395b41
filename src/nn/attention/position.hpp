// Positions, by which a model knows the order of its tokens.
#pragma once

#include "nn/attention/position_info.hpp"
#include "num/matrix.hpp"
#include "num/product.hpp"
#include "num/threads.hpp"

#include <vector>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::View;

/// PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same: rows are the positions
/// first, first + 1, …; n × d_model. An odd d_model ends in a sine.
template <class S>
Matrix<S> sinusoidal_table(Index n, Index d_model, Index first = 0, double base = kPositionBase);

/// Columns of sine and cosine in turn, put with all sines before all cosines (Marian); and where
/// column c of d_model then stands.
template <class S> Matrix<S> sines_first(const Matrix<S>& in_turn);
Index sines_first(Index c, Index d_model);

/// n rows of a table of learned positions, from `first` on: the first tokens of OPT read row 2.
/// ContractError when it has fewer.
template <class S> Matrix<S> learned_positions(const Matrix<S>& table, Index n, Index first = 0);

/// embedding + positions, or [embedding; positions] W with W (`join_weights`) 2·d_model × d_model,
/// which is read for Join::concatenate alone. embedding, positions and result: n × d_model.
template <class S>
Matrix<S> join_positions(num::ThreadPool& pool, Join join, const num::Weights<S>& join_weights,
                         const Matrix<S>& embedding, const Matrix<S>& positions);

/// One identity above another, 2·d × d: concatenating with it is adding.
template <class S> Matrix<S> adding_matrix(Index d);

/// Cosines and sines of rotary positions: row r, column c is of the angle
/// (first + r) · base^(−2c/width), scaled where the settings say so; n × floor(width / 2), with the
/// width of the settings or, where that is 0, d_k.
template <class S> struct RotaryTable {
    Matrix<S> cosine, sine;
    RotarySettings::Pairs pairs = RotarySettings::Pairs::adjacent;
};
/// ContractError where the settings rotate more features than a head has.
template <class S>
RotaryTable<S> rotary_table(Index n, Index d_k, Index first = 0,
                            const RotarySettings& settings = {});

/// Rotary positions of one head: in row r pair c of the features is rotated by the angle of row r,
/// column c of the table. So q_i · k_j after rotating depends on j − i alone. from, to: rows × d_k,
/// at most as many rows as the table has; `to` may be `from`. Features beyond the table's pairs
/// stay.
template <class S> void rotate(const RotaryTable<S>& table, ConstView<S> from, View<S> to);
/// Rotary positions by the table of the positions first, first + 1, …
template <class S> void rotate(ConstView<S> from, Index first, View<S> to);

/// ALiBi's slope of each head: 2^(−8 (h+1)/n) where n is a power of two; otherwise the slopes of
/// the next lower power of two p, followed by every second slope of 2 p (Press et al. 2022, their
/// published rule).
template <class S> std::vector<S> alibi_slopes(Index n_heads);

/// The bucket of an offset j − i (Raffel et al. 2020, section 2.1). Directed: all buckets for keys
/// up to the query, later keys share bucket 0. Otherwise half of them for keys up to the query and
/// half for later ones. Near offsets have one each, then they widen logarithmically up to the
/// largest distance.
Index relative_bucket(Index offset, bool directed, const RelativeSettings& settings = {});

/// The bias that a head adds to its scaled scores for the offset j − i: element (j − i) +
/// (n_queries − 1), n_queries + n_keys − 1 of them. Empty for positions that add nothing.
/// `directed`: decoder self-attention. ALiBi is −m (i − j) there, so that a later key, which only a
/// lifted causal mask lets in, gains; −m |i − j| elsewhere. `relative_table`: buckets × heads, read
/// for Positions::relative alone.
template <class S>
std::vector<S> position_bias(Positions positions, Index head, Index n_heads, bool directed,
                             const Matrix<S>* relative_table, Index n_queries, Index n_keys,
                             const RelativeSettings& relative = {});

} // namespace heed::nn
