#include "nn/layers/recurrent.hpp"

#include "base/check.hpp"
#include "nn/layers/cell_rows.hpp"

#include <utility>

namespace heed::nn {

namespace {

template <class S>
CellState<S> initial_state(const CellParams<S>& params, const CellState<S>* given) {
    if (!given) return zero_state<S>(params.cell, 1, params.hidden());
    check_state(params, *given, 1);
    return *given;
}

/// x W + b of all tokens, n × n_gates·hidden.
template <class S>
num::LinearMap<S> projection(const CellParams<S>& params, const Matrix<S>& x, Matrix<S>& y) {
    check_params(params);
    check_input(params, x);
    y.resize(x.rows(), params.input.out());
    num::LinearOptions<S> options;
    options.bias = num::row_span(params.input_bias);
    options.next = &params.state;
    return {&params.input, options, num::view(y)};
}

/// The states one after another. `initial` has one row.
template <class S>
RecurrentCache<S> run_states(num::ThreadPool& pool, const CellParams<S>& params,
                             const Matrix<S>& projected, bool reversed, CellState<S> initial) {
    const Index n = projected.rows(), hidden = params.hidden();
    RecurrentCache<S> cache;
    cache.cell = params.cell;
    cache.reversed = reversed;
    cache.initial = std::move(initial);
    resize(params.cell, n, hidden, cache.states, cache.gates);
    Matrix<S> from_state(1, projected.cols());
    num::LinearOptions<S> options;
    options.bias = num::row_span(params.state_bias);
    const S *h = cache.initial.h.data(), *c = cache.initial.c.data();
    for (Index step = 0; step < n; ++step) {
        const Index t = reversed ? n - 1 - step : step;
        num::linear<S>(pool, ConstView<S>(h, 1, hidden, Eigen::OuterStride<>(hidden)), params.state,
                       options, num::view(from_state));
        advance<S>(params.cell, t, projected.row(t).data(), from_state.data(), h, c, cache.states,
                   cache.gates);
        h = cache.states.h.row(t).data();
        if (params.cell == Cell::lstm) c = cache.states.c.row(t).data();
    }
    return cache;
}

template <class S> CellState<S> row_of(const CellState<S>& states, Index row) {
    CellState<S> state;
    state.h = states.h.row(row);
    if (states.c.rows() > 0) state.c = states.c.row(row);
    return state;
}

/// Both directions, or the one, of a layer.
template <class S>
std::vector<RecurrentCache<S>> run_layer(num::ThreadPool& pool,
                                         const RecurrentStackParams<S>& params, Index layer,
                                         const Matrix<S>& x, const CellState<S>* initial) {
    const Index directions = params.directions;
    std::vector<Matrix<S>> projected(static_cast<std::size_t>(directions));
    std::vector<num::LinearMap<S>> maps;
    std::vector<CellState<S>> starts;
    for (Index d = 0; d < directions; ++d) {
        const CellParams<S>& p = params.at(layer, d);
        maps.push_back(projection(p, x, projected[static_cast<std::size_t>(d)]));
        starts.push_back(initial ? row_of(*initial, layer * directions + d)
                                 : zero_state<S>(p.cell, 1, p.hidden()));
        check_state(p, starts.back(), 1);
    }
    num::linear<S>(pool, num::view(x), std::span<const num::LinearMap<S>>(maps));
    std::vector<RecurrentCache<S>> caches(projected.size());
    const auto run = [&](num::ThreadPool& in, Index d) {
        const auto at = static_cast<std::size_t>(d);
        caches[at] =
            run_states(in, params.at(layer, d), projected[at], d == 1, std::move(starts[at]));
    };
    if (directions == 1) {
        run(pool, 0);
    } else {
        // A step is too small to be shared, but a direction has a thread of its own.
        pool.for_each(directions, [&](Index d) {
            num::ThreadPool alone(1);
            run(alone, d);
        });
    }
    return caches;
}

template <class S>
void check_stack(const RecurrentStackParams<S>& params, const CellState<S>* initial) {
    const auto cells = static_cast<Index>(params.cells.size());
    HEED_CHECK(params.directions == 1 || params.directions == 2,
               "a recurrent layer of {} "
               "directions",
               params.directions);
    HEED_CHECK(cells > 0 && cells % params.directions == 0, "{} cells for layers of {} directions",
               cells, params.directions);
    for (const CellParams<S>& p : params.cells) {
        HEED_CHECK(p.cell == params.cells[0].cell && p.hidden() == params.cells[0].hidden(),
                   "a stack of {} {} and {} {}", name(params.cells[0].cell),
                   params.cells[0].hidden(), name(p.cell), p.hidden());
    }
    if (initial) {
        const bool lstm = params.cells[0].cell == Cell::lstm;
        HEED_CHECK(initial->h.rows() == cells && (!lstm || initial->c.rows() == cells),
                   "initial states of {} and {} rows for {} cells", initial->h.rows(),
                   initial->c.rows(), cells);
    }
}

} // namespace

template <class S>
RecurrentCache<S> recurrent_forward(num::ThreadPool& pool, const CellParams<S>& params,
                                    const Matrix<S>& x, const RecurrentOptions<S>& options) {
    Matrix<S> projected;
    const num::LinearMap<S> map = projection(params, x, projected);
    num::linear<S>(pool, num::view(x), {&map, 1});
    return run_states(pool, params, projected, options.reversed,
                      initial_state(params, options.initial));
}

template <class S> CellState<S> last_state(const RecurrentCache<S>& cache) {
    if (cache.n_tokens() == 0) return cache.initial;
    return row_of(cache.states, cache.reversed ? 0 : cache.n_tokens() - 1);
}

template <class S>
RecurrentStackCache<S> recurrent_stack_forward(num::ThreadPool& pool,
                                               const RecurrentStackParams<S>& params,
                                               const Matrix<S>& x, const CellState<S>* initial) {
    check_stack(params, initial);
    const Index hidden = params.cells[0].hidden(), directions = params.directions;
    const auto cells = static_cast<Index>(params.cells.size());
    RecurrentStackCache<S> cache;
    cache.directions = directions;
    cache.last = zero_state<S>(params.cells[0].cell, cells, hidden);
    for (Index layer = 0; layer < params.layers(); ++layer) {
        const Matrix<S>& input = layer == 0 ? x : cache.outputs.back();
        auto layer_caches = run_layer(pool, params, layer, input, initial);
        Matrix<S> output(x.rows(), directions * hidden);
        for (Index d = 0; d < directions; ++d) {
            RecurrentCache<S>& own = layer_caches[static_cast<std::size_t>(d)];
            output.middleCols(d * hidden, hidden) = own.states.h;
            const CellState<S> last = last_state(own);
            cache.last.h.row(layer * directions + d) = last.h;
            if (last.c.size() > 0) cache.last.c.row(layer * directions + d) = last.c;
            cache.cells.push_back(std::move(own));
        }
        cache.outputs.push_back(std::move(output));
    }
    return cache;
}

#define HEED_RECURRENT(S)                                                                          \
    template RecurrentCache<S> recurrent_forward(num::ThreadPool&, const CellParams<S>&,           \
                                                 const Matrix<S>&, const RecurrentOptions<S>&);    \
    template CellState<S> last_state(const RecurrentCache<S>&);                                    \
    template RecurrentStackCache<S> recurrent_stack_forward(                                       \
        num::ThreadPool&, const RecurrentStackParams<S>&, const Matrix<S>&, const CellState<S>*);
HEED_RECURRENT(float)
HEED_RECURRENT(double)
#undef HEED_RECURRENT

} // namespace heed::nn
