// The cells of recurrent networks: how one token changes a state. Weights, biases and the order of
// gates are those of torch.nn.RNN (tanh), LSTM and GRU; a matrix here is the transpose of
// PyTorch's, in × out. With x the input, h and c the state before and h', c' after, W_ the columns
// of `input` and U_ those of `state`, b_ and d_ the parts of their biases, ∘ by element:
//
//   rnn   h' = tanh(x W + b + h U + d)                              Elman 1990
//   lstm  i = σ(x W_i + b_i + h U_i + d_i), f and o alike,
//         g = tanh(x W_g + b_g + h U_g + d_g)
//         c' = f ∘ c + i ∘ g,  h' = o ∘ tanh(c')                    Hochreiter and Schmidhuber
//                                                     1997, with the forget gate of Gers et al.
//                                                     2000
//   gru   r = σ(x W_r + b_r + h U_r + d_r), z alike,
//         n = tanh(x W_n + b_n + r ∘ (h U_n + d_n))
//         h' = (1 − z) ∘ n + z ∘ h                                  Cho et al. 2014
#pragma once

#include "num/product.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace heed::nn {

using num::ConstView;
using num::Index;
using num::Matrix;
using num::RowVector;
using num::View;

enum class Cell { rnn, lstm, gru };

inline constexpr Cell kCells[] = {Cell::rnn, Cell::lstm, Cell::gru};

/// "rnn", "lstm", "gru": the names of flags and files.
std::string_view name(Cell cell);
std::optional<Cell> cell_named(std::string_view name);

/// Blocks of `hidden` columns in the weights: 1, 4 (i, f, g, o) and 3 (r, z, n), in this order.
constexpr Index n_gates(Cell cell) { return cell == Cell::lstm ? 4 : cell == Cell::gru ? 3 : 1; }

/// One layer and direction. The biases stay two, because that of the state stands inside r ∘ (…)
/// of a GRU.
template <class S> struct CellParams {
    Cell cell = Cell::gru;
    num::Weights<S> input;               // in × n_gates·hidden: weight_ih transposed
    num::Weights<S> state;               // hidden × n_gates·hidden: weight_hh transposed
    RowVector<S> input_bias, state_bias; // n_gates·hidden, each may be empty: bias_ih, bias_hh

    Index in() const { return input.in(); }
    Index hidden() const { return state.in(); }
};

/// A row is a hypothesis, or a sentence: rows know nothing of each other.
template <class S> struct CellState {
    Matrix<S> h; // rows × hidden
    Matrix<S> c; // rows × hidden in an LSTM, else empty
};
/// All 0.
template <class S> CellState<S> zero_state(Cell cell, Index rows, Index hidden);

/// Each rows × hidden, after its σ or tanh; those of other cells are empty.
template <class S> struct Gates {
    Matrix<S> i, f, g, o; // LSTM
    Matrix<S> r, z, n;    // GRU
    Matrix<S> n_state;    // GRU: h U_n + d_n, which r multiplies
};

/// A gate by the name that papers and torch give it: "i", "f", "g", "o"; "r", "z", "n".
template <class S> struct NamedGate {
    std::string_view name;
    const Matrix<S>* values;
};
/// Gates in the order of the weights; n_state is not among them. Points into `gates`.
template <class S> std::vector<NamedGate<S>> named_gates(Cell cell, const Gates<S>& gates);

template <class S> struct CellStep {
    CellState<S> state; // after the step
    Gates<S> gates;
};

/// One step for every row: x is rows × in, `before` has as many rows. In float a row's numbers do
/// not depend on how many rows there are, and are those of recurrent_forward(). Throws
/// ContractError when widths or rows do not fit, naming both.
template <class S>
CellStep<S> cell_step(num::ThreadPool& pool, const CellParams<S>& params, const Matrix<S>& x,
                      const CellState<S>& before);

} // namespace heed::nn
