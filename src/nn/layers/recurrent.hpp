// Recurrent layers over a whole sentence: one direction, and stacks of layers of one or two.
// Numbers and layouts are those of torch.nn.RNN, LSTM and GRU; two directions after Schuster and
// Paliwal 1997. See cell.hpp for the equations.
#pragma once

#include "nn/layers/cell.hpp"

#include <vector>

namespace heed::nn {

template <class S> struct RecurrentOptions {
    bool reversed = false;                 // reads the last token first
    const CellState<S>* initial = nullptr; // one row; null: all 0
};

/// One layer and direction over n tokens. Row t of every matrix belongs to token t, whatever the
/// direction. With x and the parameters, this is all that a backward pass needs.
template <class S> struct RecurrentCache {
    Cell cell = Cell::gru;
    bool reversed = false;
    CellState<S> initial; // 1 × hidden: before the first step
    CellState<S> states;  // n × hidden: after the step that read the token
    Gates<S> gates;       // n × hidden

    Index n_tokens() const { return states.h.rows(); }
};

/// x: n × in; n may be 0. The projection of all tokens is one product; the states come one after
/// another. Throws ContractError when widths do not fit, naming both.
template <class S>
RecurrentCache<S> recurrent_forward(num::ThreadPool& pool, const CellParams<S>& params,
                                    const Matrix<S>& x, const RecurrentOptions<S>& options = {});

/// The state when the last token in reading order was read, 1 × hidden: the initial state when
/// there is none.
template <class S> CellState<S> last_state(const RecurrentCache<S>& cache);

/// Layers of one or two directions. cells[layer · directions + direction], direction 1 reads
/// backwards; from layer 1 on a cell reads directions · hidden features.
template <class S> struct RecurrentStackParams {
    Index directions = 1; // or 2
    std::vector<CellParams<S>> cells;

    Index layers() const { return static_cast<Index>(cells.size()) / directions; }
    const CellParams<S>& at(Index layer, Index direction) const {
        return cells[static_cast<std::size_t>(layer * directions + direction)];
    }
};

template <class S> struct RecurrentStackCache {
    Index directions = 1;
    std::vector<RecurrentCache<S>> cells; // as in the parameters
    /// The states of each layer, n × directions·hidden: forwards, then backwards. A layer reads
    /// that of the layer before it.
    std::vector<Matrix<S>> outputs;
    /// torch's h_n and c_n: row layer · directions + direction.
    CellState<S> last;

    const RecurrentCache<S>& at(Index layer, Index direction) const {
        return cells[static_cast<std::size_t>(layer * directions + direction)];
    }
    const Matrix<S>& output() const { return outputs.back(); }
};

/// x: n × in. `initial` has layers · directions rows, as torch's h_0 and c_0; null: all 0. The two
/// directions of a layer run at once when the pool has two threads. Throws ContractError for no
/// layer, for directions other than 1 and 2, and when widths do not fit.
template <class S>
RecurrentStackCache<S>
recurrent_stack_forward(num::ThreadPool& pool, const RecurrentStackParams<S>& params,
                        const Matrix<S>& x, const CellState<S>* initial = nullptr);

} // namespace heed::nn
