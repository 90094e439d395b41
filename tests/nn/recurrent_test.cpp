#include "nn/layers/recurrent.hpp"

#include "base/check.hpp"
#include "recurrent_params.hpp"

#include <cmath>
#include <string>

using namespace heed;
using namespace heed::tests;
using nn::Cell;
using nn::Index;

namespace {

std::string message_of(auto&& call) {
    try {
        call();
    } catch (const base::ContractError& error) {
        return error.what();
    }
    return "no error";
}

template <class S> nn::CellState<S> row_of(const nn::CellState<S>& states, Index row) {
    nn::CellState<S> one;
    one.h = states.h.row(row);
    if (states.c.rows() > 0) one.c = states.c.row(row);
    return one;
}

/// Weights and biases all 0, of one input and one hidden number.
nn::CellParams<double> nothing(Cell cell) {
    const Index width = nn::n_gates(cell);
    const num::Weights<double> zero(num::Matrix<double>::Zero(1, width));
    return {cell, zero, zero, num::RowVector<double>::Zero(width), {}};
}

void set_bias(nn::CellParams<double>& params, std::initializer_list<double> values) {
    Index at = 0;
    for (const double value : values) params.input_bias(at++) = value;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

} // namespace

TEST_CASE("every cell, layer and direction agrees with PyTorch") {
    const auto& a = recurrent_arrays();
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        const auto x = a.at<S>("x");
        for (const int threads : {1, 2}) {
            num::ThreadPool pool(threads);
            for (const Cell cell : nn::kCells) {
                for (const Index layers : {1, 2}) {
                    for (const Index directions : {1, 2}) {
                        const std::string prefix = std::string(nn::name(cell)) + "_" +
                                                   std::to_string(layers) + "x" +
                                                   std::to_string(directions) + "/";
                        const auto params = stack_params<S>(cell, prefix, layers, directions);
                        nn::CellState<S> start{a.at<S>(prefix + "h_0"), {}};
                        if (cell == Cell::lstm) start.c = a.at<S>(prefix + "c_0");
                        for (const bool given : {false, true}) {
                            INFO(prefix << (given ? " from a state" : ""));
                            const std::string tag = given ? "_from_state" : "";
                            const auto cache = nn::recurrent_stack_forward(
                                pool, params, x, given ? &start : nullptr);
                            check_close(cache.output(), a.at(prefix + "output" + tag),
                                        kTolerance<S>);
                            check_close(cache.last.h, a.at(prefix + "h_n" + tag), kTolerance<S>);
                            if (cell == Cell::lstm) {
                                check_close(cache.last.c, a.at(prefix + "c_n" + tag),
                                            kTolerance<S>);
                            } else {
                                CHECK(cache.last.c.size() == 0);
                            }
                        }
                    }
                }
            }
        }
    });
}

TEST_CASE("every gate and cell state has the numbers of its equation, under its usual name") {
    const auto& a = recurrent_arrays();
    num::ThreadPool pool(2);
    for_float_and_double([&](auto zero) {
        using S = decltype(zero);
        for (const Cell cell : nn::kCells) {
            const std::string prefix = std::string(nn::name(cell)) + "_2x2/";
            nn::CellState<S> start{a.at<S>(prefix + "h_0"), {}};
            if (cell == Cell::lstm) start.c = a.at<S>(prefix + "c_0");
            const auto cache = nn::recurrent_stack_forward(
                pool, stack_params<S>(cell, prefix, 2, 2), a.at<S>("x"), &start);
            for (Index layer = 0; layer < 2; ++layer) {
                for (Index d = 0; d < 2; ++d) {
                    const nn::RecurrentCache<S>& own = cache.at(layer, d);
                    const std::string at = prefix + suffix_of(layer, d) + ".";
                    INFO(at);
                    CHECK(own.reversed == (d == 1));
                    check_close(own.states.h, a.at(at + "h"), kTolerance<S>);
                    if (cell == Cell::lstm) {
                        check_close(own.states.c, a.at(at + "c"), kTolerance<S>);
                    }
                    if (cell == Cell::gru) {
                        check_close(own.gates.n_state, a.at(at + "n_state"), kTolerance<S>);
                    }
                    const auto gates = nn::named_gates(cell, own.gates);
                    CHECK(gates.size() == (cell == Cell::rnn ? 0u : cell == Cell::lstm ? 4u : 3u));
                    for (const auto& gate : gates) {
                        check_close(*gate.values, a.at(at + std::string(gate.name)), kTolerance<S>);
                    }
                }
            }
        }
    });
}

TEST_CASE("one step at a time has the states and gates of the whole sentence") {
    // 300 hidden numbers: the product of a step is large enough to be shared between threads.
    for (const Index hidden : {5, 300}) {
        num::ThreadPool pool(2);
        const num::Matrix<float> x = wave(9, 7, 0.5).cast<float>();
        for (const Cell cell : nn::kCells) {
            for (const bool reversed : {false, true}) {
                INFO(nn::name(cell) << " of " << hidden << (reversed ? ", reversed" : ""));
                const auto params = wave_params<float>(cell, 7, hidden);
                const auto whole = nn::recurrent_forward(pool, params, x, {.reversed = reversed});
                auto state = nn::zero_state<float>(cell, 1, hidden);
                for (Index step = 0; step < x.rows(); ++step) {
                    const Index t = reversed ? x.rows() - 1 - step : step;
                    const auto one =
                        nn::cell_step(pool, params, num::Matrix<float>(x.row(t)), state);
                    CHECK(one.state.h == whole.states.h.row(t));
                    if (cell == Cell::lstm) CHECK(one.state.c == whole.states.c.row(t));
                    const auto gates = nn::named_gates(cell, one.gates);
                    const auto expected = nn::named_gates(cell, whole.gates);
                    for (std::size_t g = 0; g < gates.size(); ++g) {
                        CHECK(*gates[g].values == expected[g].values->row(t));
                    }
                    if (cell == Cell::gru) {
                        CHECK(one.gates.n_state == whole.gates.n_state.row(t));
                    }
                    state = one.state;
                }
                CHECK(nn::last_state(whole).h == state.h);
            }
        }
    }
}

TEST_CASE("rows of one step know nothing of each other") {
    num::ThreadPool pool(2);
    for (const Cell cell : nn::kCells) {
        INFO(nn::name(cell));
        const auto params = wave_params<float>(cell, 6, 130);
        const num::Matrix<float> x = wave(17, 6, 0.5).cast<float>();
        nn::CellState<float> before{wave(17, 130, 0.3).cast<float>(), {}};
        if (cell == Cell::lstm) before.c = wave(17, 130, 0.4).cast<float>();
        const auto all = nn::cell_step(pool, params, x, before);
        for (Index row = 0; row < x.rows(); ++row) {
            const auto one =
                nn::cell_step(pool, params, num::Matrix<float>(x.row(row)), row_of(before, row));
            CHECK(one.state.h == all.state.h.row(row));
            if (cell == Cell::lstm) CHECK(one.state.c == all.state.c.row(row));
        }
    }
}

TEST_CASE("reading backwards is reading the reversed sentence") {
    num::ThreadPool pool(1);
    const auto params = wave_params<double>(Cell::lstm, 4, 6);
    const num::Matrix<double> x = wave(8, 4, 0.5), mirrored = x.colwise().reverse();
    const auto backwards = nn::recurrent_forward(pool, params, x, {.reversed = true});
    const auto forwards = nn::recurrent_forward(pool, params, mirrored);
    CHECK(backwards.states.h == forwards.states.h.colwise().reverse());
    CHECK(backwards.states.c == forwards.states.c.colwise().reverse());
    CHECK(nn::last_state(backwards).c == nn::last_state(forwards).c);
}

TEST_CASE("gates that stand open or shut do what their equations say") {
    num::ThreadPool pool(1);
    const num::Matrix<double> x = num::Matrix<double>::Zero(1, 1);
    const double open = 1000, shut = -1000, some = 0.3;
    nn::CellState<double> before{num::Matrix<double>::Constant(1, 1, 0.5), {}};

    auto rnn = nothing(Cell::rnn);
    set_bias(rnn, {some});
    CHECK(nn::cell_step(pool, rnn, x, before).state.h(0, 0) == std::tanh(some));

    auto gru = nothing(Cell::gru); // r, z, n
    set_bias(gru, {open, open, some});
    CHECK(nn::cell_step(pool, gru, x, before).state.h(0, 0) == 0.5); // z keeps the state
    set_bias(gru, {open, shut, some});
    CHECK(nn::cell_step(pool, gru, x, before).state.h(0, 0) == std::tanh(some));
    gru.state_bias = num::RowVector<double>::Zero(3);
    gru.state_bias(2) = 5;
    CHECK(nn::cell_step(pool, gru, x, before).state.h(0, 0) == std::tanh(some + 5));
    set_bias(gru, {shut, shut, some}); // r takes the state's share away, its bias too
    CHECK(nn::cell_step(pool, gru, x, before).state.h(0, 0) == std::tanh(some));

    before.c = num::Matrix<double>::Constant(1, 1, 2.0);
    auto lstm = nothing(Cell::lstm); // i, f, g, o
    set_bias(lstm, {shut, open, some, open});
    auto step = nn::cell_step(pool, lstm, x, before);
    CHECK(step.state.c(0, 0) == 2.0);
    CHECK(step.state.h(0, 0) == std::tanh(2.0));
    set_bias(lstm, {open, shut, some, 0.7});
    step = nn::cell_step(pool, lstm, x, before);
    CHECK(step.state.c(0, 0) == std::tanh(some));
    CHECK(step.state.h(0, 0) == Approx(sigmoid(0.7) * std::tanh(std::tanh(some))));
}

TEST_CASE("a sentence without words leaves the state that it found") {
    num::ThreadPool pool(2);
    const num::Matrix<float> none(0, 3);
    for (const Cell cell : nn::kCells) {
        nn::RecurrentStackParams<float> params;
        params.directions = 2;
        params.cells = {wave_params<float>(cell, 3, 4), wave_params<float>(cell, 3, 4)};
        nn::CellState<float> start{wave(2, 4, 0.3).cast<float>(), {}};
        if (cell == Cell::lstm) start.c = wave(2, 4, 0.4).cast<float>();
        const auto cache = nn::recurrent_stack_forward(pool, params, none, &start);
        CHECK(cache.output().rows() == 0);
        CHECK(cache.output().cols() == 8);
        CHECK(cache.last.h == start.h);
        CHECK(cache.last.c == start.c);
    }
}

TEST_CASE("a number that is none stays visible in the states") {
    num::ThreadPool pool(1);
    num::Matrix<float> x = wave(4, 3, 0.5).cast<float>();
    x(2, 1) = std::nanf("");
    for (const Cell cell : nn::kCells) {
        INFO(nn::name(cell));
        const auto cache = nn::recurrent_forward(pool, wave_params<float>(cell, 3, 20), x);
        CHECK(cache.states.h.topRows(2).allFinite());
        CHECK(cache.states.h.bottomRows(2).array().isNaN().all());
    }
}

TEST_CASE("a recurrent layer names both numbers that do not fit") {
    num::ThreadPool pool(1);
    const auto params = wave_params<float>(Cell::gru, 3, 4);
    const auto holds = [](const std::string& message, const char* a, const char* b) {
        INFO(message);
        CHECK(message.find(a) != std::string::npos);
        CHECK(message.find(b) != std::string::npos);
    };
    const num::Matrix<float> x = num::Matrix<float>::Zero(2, 7), fits(2, 3);
    holds(message_of([&] { nn::recurrent_forward(pool, params, x); }), "7", "3");
    const auto wide = nn::zero_state<float>(Cell::gru, 1, 6);
    holds(message_of([&] { nn::recurrent_forward(pool, params, fits, {.initial = &wide}); }), "6",
          "4");
    holds(message_of(
              [&] { nn::cell_step(pool, params, fits, nn::zero_state<float>(Cell::gru, 5, 4)); }),
          "5", "2");
    auto wrong = params;
    wrong.cell = Cell::lstm; // 12 numbers of 3 gates
    holds(message_of([&] { nn::recurrent_forward(pool, wrong, fits); }), "12", "16");
    wrong = params;
    wrong.state_bias.resize(9);
    holds(message_of([&] { nn::recurrent_forward(pool, wrong, fits); }), "9", "12");
    nn::RecurrentStackParams<float> stack;
    CHECK_THROWS_AS(nn::recurrent_stack_forward(pool, stack, fits), base::ContractError);
    stack.cells = {params, params};
    holds(message_of([&] { nn::recurrent_stack_forward(pool, stack, fits); }), "4", "3");
    stack.cells = {params};
    holds(message_of([&] { nn::recurrent_stack_forward(pool, stack, fits, &wide); }), "6", "4");
    stack.directions = 3;
    CHECK_THROWS_AS(nn::recurrent_stack_forward(pool, stack, fits), base::ContractError);
}

TEST_CASE("every cell is found by its name") {
    for (const Cell cell : nn::kCells) CHECK(nn::cell_named(nn::name(cell)) == cell);
    CHECK(!nn::cell_named("GRU"));
}
