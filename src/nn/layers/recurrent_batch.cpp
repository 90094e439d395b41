#include "nn/layers/recurrent_batch.hpp"

#include "base/check.hpp"
#include "nn/layers/cell_rows.hpp"
#include "num/rows.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace heed::nn {

namespace {

template <class S> num::RowArray<S> gate_of(Matrix<S>& m, Index row, Index gate, Index hidden) {
    return {m.data() + row * m.cols() + gate * hidden, hidden};
}

template <class S>
void rnn_row(Index row, const BatchCellCache<S>& c, num::RowArray<S> dh, GateGradients<S>& gates) {
    const auto h = num::row_array(c.states.h, row);
    num::row_array(gates.input, row) = dh * (1 - h * h);
    dh.setZero();
}

template <class S>
void lstm_row(Index row, const BatchCellCache<S>& c, num::RowArray<S> dh, num::RowArray<S> dc,
              GateGradients<S>& gates) {
    const Index hidden = dh.size();
    const auto i = num::row_array(c.gates.i, row), f = num::row_array(c.gates.f, row),
               g = num::row_array(c.gates.g, row), o = num::row_array(c.gates.o, row);
    // tanh c' = h' / o would lose its digits where o is small.
    Eigen::Array<S, 1, Eigen::Dynamic> t = num::row_array(c.states.c, row);
    num::tanh_row(std::span<S>(t.data(), static_cast<std::size_t>(hidden)));
    dc += dh * o * (1 - t * t);
    gate_of(gates.input, row, 0, hidden) = dc * g * i * (1 - i);
    gate_of(gates.input, row, 1, hidden) = dc * num::row_array(c.before.c, row) * f * (1 - f);
    gate_of(gates.input, row, 2, hidden) = dc * i * (1 - g * g);
    gate_of(gates.input, row, 3, hidden) = dh * t * o * (1 - o);
    dc *= f;
    dh.setZero();
}

template <class S>
void gru_row(Index row, const BatchCellCache<S>& c, num::RowArray<S> dh, GateGradients<S>& gates) {
    const Index hidden = dh.size();
    const auto r = num::row_array(c.gates.r, row), z = num::row_array(c.gates.z, row),
               n = num::row_array(c.gates.n, row);
    num::RowArray<S> dr = gate_of(gates.input, row, 0, hidden),
                     dz = gate_of(gates.input, row, 1, hidden),
                     dn = gate_of(gates.input, row, 2, hidden);
    dn = dh * (1 - z) * (1 - n * n);
    dr = dn * num::row_array(c.gates.n_state, row) * r * (1 - r);
    dz = dh * (num::row_array(c.before.h, row) - n) * z * (1 - z);
    gate_of(gates.state, row, 0, hidden) = dr;
    gate_of(gates.state, row, 1, hidden) = dz;
    gate_of(gates.state, row, 2, hidden) = dn * r;
    dh *= z;
}

} // namespace

TimeMajor::TimeMajor(std::vector<Index> given) : lengths(std::move(given)) {
    const auto n = lengths.size();
    for (std::size_t i = 1; i < n; ++i) {
        HEED_CHECK(lengths[i] <= lengths[i - 1], "a sentence of {} words after one of {}",
                   lengths[i], lengths[i - 1]);
    }
    std::size_t going = n;
    for (Index step = 0; n > 0 && step < lengths[0]; ++step) {
        while (going > 0 && lengths[going - 1] <= step) --going;
        starts.push_back(starts.back() + static_cast<Index>(going));
    }
}

template <class S> void BatchCellCache<S>::resize(Cell cell, Index rows, Index hidden) {
    nn::resize(cell, rows, hidden, states, gates);
    before.h.resize(rows, hidden);
    if (cell == Cell::lstm) before.c.resize(rows, hidden);
    from_input.resize(rows, n_gates(cell) * hidden);
}

template <class S> void GateGradients<S>::resize(Cell cell, Index rows, Index hidden) {
    input.resize(rows, n_gates(cell) * hidden);
    if (cell == Cell::gru) state.resize(rows, n_gates(cell) * hidden);
}

template <class S>
void batch_cell_forward(const BatchCell<S>& cell, Index row, Index rows, BatchCellCache<S>& cache) {
    const Index hidden = cell.hidden();
    thread_local Matrix<S> from_state;
    linear_forward<S>(cell.state, num::view(std::as_const(cache.before.h), row, 0, rows, hidden),
                      {}, from_state);
    for (Index i = 0; i < rows; ++i) {
        const Index at = row + i;
        advance<S>(cell.cell, at, cache.from_input.row(at).data(), from_state.row(i).data(),
                   cache.before.h.row(at).data(),
                   cell.cell == Cell::lstm ? cache.before.c.row(at).data() : nullptr, cache.states,
                   cache.gates);
    }
}

template <class S>
void batch_cell_backward(const BatchCell<S>& cell, Index row, const BatchCellCache<S>& cache,
                         Matrix<S>& dh, Matrix<S>& dc, GateGradients<S>& gates) {
    const Index rows = dh.rows();
    for (Index i = 0; i < rows; ++i) {
        switch (cell.cell) {
        case Cell::rnn: rnn_row(row + i, cache, num::row_array(dh, i), gates); break;
        case Cell::lstm:
            lstm_row(row + i, cache, num::row_array(dh, i), num::row_array(dc, i), gates);
            break;
        case Cell::gru: gru_row(row + i, cache, num::row_array(dh, i), gates); break;
        }
    }
    const Matrix<S>& d_state = gates.of_state(cell.cell);
    linear_backward<S>(cell.state, num::view(d_state, row, 0, rows, d_state.cols()),
                       num::Store::add, dh);
}

template <class S>
void recurrent_batch_forward(const BatchCell<S>& cell, const TimeMajor& time, const Matrix<S>& x,
                             bool reversed, BatchCellCache<S>& cache) {
    HEED_CHECK(x.rows() == time.rows(), "{} rows for {} words", x.rows(), time.rows());
    const bool lstm = cell.cell == Cell::lstm;
    cache.resize(cell.cell, x.rows(), cell.hidden());
    linear_forward<S>(cell.input, num::view(x), {}, num::view(cache.from_input));
    for (Index i = 0; i < time.steps(); ++i) {
        const Index step = reversed ? time.steps() - 1 - i : i;
        const Index from = reversed ? step + 1 : step - 1, row = time.begin(step),
                    rows = time.size(step);
        // Sentences that begin here begin with 0.
        const Index going = i == 0 ? 0 : std::min(rows, time.size(from));
        const auto carry = [&](Matrix<S>& before, const Matrix<S>& states) {
            if (going > 0) {
                before.middleRows(row, going) = states.middleRows(time.begin(from), going);
            }
            before.middleRows(row + going, rows - going).setZero();
        };
        carry(cache.before.h, cache.states.h);
        if (lstm) carry(cache.before.c, cache.states.c);
        batch_cell_forward(cell, row, rows, cache);
    }
}

template <class S>
void recurrent_batch_backward(const BatchCell<S>& cell, const TimeMajor& time, const Matrix<S>& x,
                              bool reversed, const BatchCellCache<S>& cache, ConstView<S> d_states,
                              const CellGradient<S>& gradient, Matrix<S>& dx) {
    const Index hidden = cell.hidden();
    const bool lstm = cell.cell == Cell::lstm;
    GateGradients<S> gates;
    gates.resize(cell.cell, x.rows(), hidden);
    Matrix<S> dh(0, hidden), dc(0, lstm ? hidden : 0);
    for (Index i = 0; i < time.steps(); ++i) {
        const Index step = reversed ? i : time.steps() - 1 - i;
        const Index row = time.begin(step), rows = time.size(step);
        // What came from the step that followed, of the sentences that had one; what is passed to
        // states that a sentence began with is nobody's.
        const Index passed = std::min(rows, dh.rows());
        dh.conservativeResize(rows, hidden);
        dh.bottomRows(rows - passed).setZero();
        dh += d_states.middleRows(row, rows);
        if (lstm) {
            dc.conservativeResize(rows, hidden);
            dc.bottomRows(rows - passed).setZero();
        }
        batch_cell_backward(cell, row, cache, dh, dc, gates);
    }
    const ConstView<S> d_input = num::view(std::as_const(gates.input));
    linear_gradient<S>(num::view(x), d_input, num::Store::set, !cell.input.bias.empty(),
                       gradient.input);
    linear_gradient<S>(num::view(cache.before.h), num::view(gates.of_state(cell.cell)),
                       num::Store::set, !cell.state.bias.empty(), gradient.state);
    linear_backward<S>(cell.input, d_input, num::Store::add, dx);
}

#define HEED_RECURRENT_BATCH(S)                                                                    \
    template struct BatchCellCache<S>;                                                             \
    template struct GateGradients<S>;                                                              \
    template void batch_cell_forward(const BatchCell<S>&, Index, Index, BatchCellCache<S>&);       \
    template void batch_cell_backward(const BatchCell<S>&, Index, const BatchCellCache<S>&,        \
                                      Matrix<S>&, Matrix<S>&, GateGradients<S>&);                  \
    template void recurrent_batch_forward(const BatchCell<S>&, const TimeMajor&, const Matrix<S>&, \
                                          bool, BatchCellCache<S>&);                               \
    template void recurrent_batch_backward(const BatchCell<S>&, const TimeMajor&,                  \
                                           const Matrix<S>&, bool, const BatchCellCache<S>&,       \
                                           ConstView<S>, const CellGradient<S>&, Matrix<S>&);
HEED_RECURRENT_BATCH(float)
HEED_RECURRENT_BATCH(double)
#undef HEED_RECURRENT_BATCH

} // namespace heed::nn
