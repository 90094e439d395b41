// Recurrent cells over a batch of sentences, for training: a step is one product for all sentences
// that are still going on. See cell.hpp for the equations.
#pragma once

#include "nn/attention/linear_layer.hpp"
#include "nn/layers/cell.hpp"

#include <vector>

namespace heed::nn {

/// Rows of a batch word after word: the first words of all sentences, then all second ones. The
/// longest sentence comes first, so that those that have a word `step` are the first of all.
struct TimeMajor {
    std::vector<Index> lengths;   // of each sentence, none longer than the one before
    std::vector<Index> starts{0}; // of each step, and behind the last

    /// ContractError when a sentence is longer than the one before.
    explicit TimeMajor(std::vector<Index> lengths);
    TimeMajor() = default;

    Index sentences() const { return static_cast<Index>(lengths.size()); }
    Index steps() const { return static_cast<Index>(starts.size()) - 1; }
    Index rows() const { return starts.back(); }
    Index begin(Index step) const { return starts[static_cast<std::size_t>(step)]; }
    Index size(Index step) const { return begin(step + 1) - begin(step); }
    Index row(Index sentence, Index step) const { return begin(step) + sentence; }
};

/// A cell that learns. `input` may be left out where the caller projects inputs of several kinds.
template <class S> struct BatchCell {
    Cell cell = Cell::gru;
    LinearLayer<S> input; // in × n_gates·hidden
    LinearLayer<S> state; // hidden × n_gates·hidden

    Index hidden() const { return state.weights.in(); }
};
template <class S> struct CellGradient {
    LinearGradient<S> input, state; // set
};

/// All rows of one cell: what each step found, and what it made of it.
template <class S> struct BatchCellCache {
    CellState<S> before, states; // rows × hidden
    Gates<S> gates;
    Matrix<S> from_input; // rows × n_gates·hidden: x W + b, which is the caller's to fill

    /// Gives everything its size.
    void resize(Cell cell, Index rows, Index hidden);
};

/// Steps of the rows [row, row + rows), whose `before` and `from_input` are there.
template <class S>
void batch_cell_forward(const BatchCell<S>& cell, Index row, Index rows, BatchCellCache<S>& cache);

/// Gradients of what goes into the gates, rows × n_gates·hidden each: for x W + b, and for
/// h U + d. They differ in a GRU's n alone.
template <class S> struct GateGradients {
    Matrix<S> input, state;
    void resize(Cell cell, Index rows, Index hidden);
    const Matrix<S>& of_state(Cell cell) const { return cell == Cell::gru ? state : input; }
};

/// Steps back. dh and dc: rows × hidden, gradients of the states after them (dc empty but in
/// an LSTM); they become those of the states before. Rows [row, row + rows) of `gates` are set.
template <class S>
void batch_cell_backward(const BatchCell<S>& cell, Index row, const BatchCellCache<S>& cache,
                         Matrix<S>& dh, Matrix<S>& dc, GateGradients<S>& gates);

/// A whole batch in one direction, from states of 0. x: rows × in. A reversed cell reads each
/// sentence from its own last word.
template <class S>
void recurrent_batch_forward(const BatchCell<S>& cell, const TimeMajor& time, const Matrix<S>& x,
                             bool reversed, BatchCellCache<S>& cache);

/// d_states: rows × hidden, or a part of a wider matrix. dx is added to.
template <class S>
void recurrent_batch_backward(const BatchCell<S>& cell, const TimeMajor& time, const Matrix<S>& x,
                              bool reversed, const BatchCellCache<S>& cache, ConstView<S> d_states,
                              const CellGradient<S>& gradient, Matrix<S>& dx);

} // namespace heed::nn
