// One row of one step, which cell_step() and recurrent_forward() share, and what both refuse.
#pragma once

#include "nn/layers/cell.hpp"

#include <span>

namespace heed::nn {

/// ContractError, with both numbers, when weights and biases do not fit one another.
template <class S> void check_params(const CellParams<S>& params);
/// … when x is not as wide as the weights take.
template <class S> void check_input(const CellParams<S>& params, const Matrix<S>& x);
/// … when a state has not this many rows of the hidden width.
template <class S>
void check_state(const CellParams<S>& params, const CellState<S>& state, Index rows);

/// Gives what the cell has its size, rows × hidden.
template <class S>
void resize(Cell cell, Index rows, Index hidden, CellState<S>& states, Gates<S>& gates);

/// Fills row `row` of states and gates from x W + b and h U + d, n_gates·hidden each, and from the
/// state before, `hidden` each; c is null but in an LSTM.
template <class S>
void advance(Cell cell, Index row, const S* from_input, const S* from_state, const S* h, const S* c,
             CellState<S>& states, Gates<S>& gates);

} // namespace heed::nn
