#include "nn/layers/cell_rows.hpp"

#include "base/check.hpp"
#include "num/rows.hpp"

namespace heed::nn {

namespace {

/// The sums that x and h give to block `gate` of the weights.
template <class S> struct Sums {
    const S *from_input, *from_state;
    Index hidden;
    num::ConstRowArray<S> input(Index gate) const { return {from_input + gate * hidden, hidden}; }
    num::ConstRowArray<S> state(Index gate) const { return {from_state + gate * hidden, hidden}; }
    void add(Index gate, num::RowArray<S>& to) const { to = input(gate) + state(gate); }
};

template <class S> void advance_rnn(const Sums<S>& sums, num::RowArray<S> h) {
    sums.add(0, h);
    num::tanh_row(num::row_span(h));
}

template <class S>
void advance_lstm(const Sums<S>& sums, Index row, num::ConstRowArray<S> c_before,
                  CellState<S>& states, Gates<S>& gates) {
    num::RowArray<S> i = num::row_array(gates.i, row), f = num::row_array(gates.f, row),
                     g = num::row_array(gates.g, row), o = num::row_array(gates.o, row),
                     c = num::row_array(states.c, row), h = num::row_array(states.h, row);
    sums.add(0, i);
    sums.add(1, f);
    sums.add(2, g);
    sums.add(3, o);
    for (num::RowArray<S>* gate : {&i, &f, &o}) num::sigmoid_row(num::row_span(*gate));
    num::tanh_row(num::row_span(g));
    c = f * c_before + i * g;
    h = c;
    num::tanh_row(num::row_span(h));
    h *= o;
}

template <class S>
void advance_gru(const Sums<S>& sums, Index row, num::ConstRowArray<S> h_before,
                 CellState<S>& states, Gates<S>& gates) {
    num::RowArray<S> r = num::row_array(gates.r, row), z = num::row_array(gates.z, row),
                     n = num::row_array(gates.n, row);
    sums.add(0, r);
    sums.add(1, z);
    num::sigmoid_row(num::row_span(r));
    num::sigmoid_row(num::row_span(z));
    num::row_array(gates.n_state, row) = sums.state(2);
    n = sums.input(2) + r * sums.state(2);
    num::tanh_row(num::row_span(n));
    num::row_array(states.h, row) = (1 - z) * n + z * h_before;
}

} // namespace

template <class S> void check_params(const CellParams<S>& p) {
    const Index width = n_gates(p.cell) * p.hidden();
    HEED_CHECK(p.hidden() > 0, "a {} of {} hidden numbers", name(p.cell), p.hidden());
    HEED_CHECK(p.state.out() == width, "{}: weights of the state make {} numbers of {}",
               name(p.cell), p.state.out(), width);
    HEED_CHECK(p.input.out() == width, "{}: weights of the input make {} numbers of {}",
               name(p.cell), p.input.out(), width);
    for (const Index size : {p.input_bias.size(), p.state_bias.size()}) {
        HEED_CHECK(size == 0 || size == width, "{}: a bias of {} numbers for {}", name(p.cell),
                   size, width);
    }
}

template <class S> void check_input(const CellParams<S>& p, const Matrix<S>& x) {
    HEED_CHECK(x.cols() == p.in(), "{}: the input is {} wide, the weights take {}", name(p.cell),
               x.cols(), p.in());
}

template <class S> void check_state(const CellParams<S>& p, const CellState<S>& state, Index rows) {
    HEED_CHECK(state.h.rows() == rows && state.h.cols() == p.hidden(),
               "{}: a state h of {} x {} for {} x {}", name(p.cell), state.h.rows(), state.h.cols(),
               rows, p.hidden());
    if (p.cell != Cell::lstm) return;
    HEED_CHECK(state.c.rows() == rows && state.c.cols() == p.hidden(),
               "{}: a state c of {} x {} for {} x {}", name(p.cell), state.c.rows(), state.c.cols(),
               rows, p.hidden());
}

template <class S>
void resize(Cell cell, Index rows, Index hidden, CellState<S>& states, Gates<S>& gates) {
    states.h.resize(rows, hidden);
    if (cell == Cell::lstm) {
        states.c.resize(rows, hidden);
        for (auto* gate : {&gates.i, &gates.f, &gates.g, &gates.o}) gate->resize(rows, hidden);
    } else if (cell == Cell::gru) {
        for (auto* gate : {&gates.r, &gates.z, &gates.n, &gates.n_state}) {
            gate->resize(rows, hidden);
        }
    }
}

template <class S>
void advance(Cell cell, Index row, const S* from_input, const S* from_state, const S* h, const S* c,
             CellState<S>& states, Gates<S>& gates) {
    const Index hidden = states.h.cols();
    const Sums<S> sums{from_input, from_state, hidden};
    switch (cell) {
    case Cell::rnn: return advance_rnn(sums, num::row_array(states.h, row));
    case Cell::lstm:
        return advance_lstm(sums, row, num::ConstRowArray<S>(c, hidden), states, gates);
    case Cell::gru: return advance_gru(sums, row, num::ConstRowArray<S>(h, hidden), states, gates);
    }
}

#define HEED_CELL_ROWS(S)                                                                          \
    template void check_params(const CellParams<S>&);                                              \
    template void check_input(const CellParams<S>&, const Matrix<S>&);                             \
    template void check_state(const CellParams<S>&, const CellState<S>&, Index);                   \
    template void resize(Cell, Index, Index, CellState<S>&, Gates<S>&);                            \
    template void advance(Cell, Index, const S*, const S*, const S*, const S*, CellState<S>&,      \
                          Gates<S>&);
HEED_CELL_ROWS(float)
HEED_CELL_ROWS(double)
#undef HEED_CELL_ROWS

} // namespace heed::nn
