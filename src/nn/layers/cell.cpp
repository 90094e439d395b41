#include "nn/layers/cell.hpp"

#include "base/check.hpp"
#include "nn/layers/cell_rows.hpp"

namespace heed::nn {

std::string_view name(Cell cell) {
    switch (cell) {
    case Cell::rnn: return "rnn";
    case Cell::lstm: return "lstm";
    case Cell::gru: return "gru";
    }
    return "";
}

std::optional<Cell> cell_named(std::string_view wanted) {
    for (const Cell cell : kCells) {
        if (name(cell) == wanted) return cell;
    }
    return std::nullopt;
}

template <class S> CellState<S> zero_state(Cell cell, Index rows, Index hidden) {
    CellState<S> state;
    state.h.setZero(rows, hidden);
    if (cell == Cell::lstm) state.c.setZero(rows, hidden);
    return state;
}

template <class S> std::vector<NamedGate<S>> named_gates(Cell cell, const Gates<S>& gates) {
    switch (cell) {
    case Cell::rnn: return {};
    case Cell::lstm: return {{"i", &gates.i}, {"f", &gates.f}, {"g", &gates.g}, {"o", &gates.o}};
    case Cell::gru: return {{"r", &gates.r}, {"z", &gates.z}, {"n", &gates.n}};
    }
    return {};
}

template <class S>
CellStep<S> cell_step(num::ThreadPool& pool, const CellParams<S>& params, const Matrix<S>& x,
                      const CellState<S>& before) {
    check_params(params);
    check_input(params, x);
    check_state(params, before, x.rows());
    const Index rows = x.rows(), width = n_gates(params.cell) * params.hidden();
    Matrix<S> from_input(rows, width), from_state(rows, width);
    num::LinearOptions<S> options;
    options.bias = num::row_span(params.input_bias);
    options.next = &params.state;
    num::linear<S>(pool, num::view(x), params.input, options, num::view(from_input));
    options.bias = num::row_span(params.state_bias);
    options.next = nullptr;
    num::linear<S>(pool, num::view(before.h), params.state, options, num::view(from_state));
    CellStep<S> step;
    resize(params.cell, rows, params.hidden(), step.state, step.gates);
    for (Index row = 0; row < rows; ++row) {
        const S* c = params.cell == Cell::lstm ? before.c.row(row).data() : nullptr;
        advance<S>(params.cell, row, from_input.row(row).data(), from_state.row(row).data(),
                   before.h.row(row).data(), c, step.state, step.gates);
    }
    return step;
}

#define HEED_CELL(S)                                                                               \
    template CellState<S> zero_state(Cell, Index, Index);                                          \
    template std::vector<NamedGate<S>> named_gates(Cell, const Gates<S>&);                         \
    template CellStep<S> cell_step(num::ThreadPool&, const CellParams<S>&, const Matrix<S>&,       \
                                   const CellState<S>&);
HEED_CELL(float)
HEED_CELL(double)
#undef HEED_CELL

} // namespace heed::nn
