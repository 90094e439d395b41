#include "nn/layers/recurrent_batch.hpp"

#include "central_differences.hpp"
#include "nn/attention/batch_attention.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/step_attention.hpp"
#include "nn/layers/recurrent.hpp"

#include <memory>
#include <utility>
#include <vector>

using namespace heed;
using namespace heed::tests;
using nn::Cell;
using num::Matrix;
using num::view;

namespace {

using Real = double;
using Mat = Matrix<Real>;

constexpr Index kIn = 3, kHidden = 4;

/// A cell's parameters, and the two forms of it.
struct Drawn {
    Cell cell;
    Mat w, u, b, d;

    explicit Drawn(Cell c)
        : cell(c), w(drawn(kIn, nn::n_gates(c) * kHidden, "W")),
          u(drawn(kHidden, nn::n_gates(c) * kHidden, "U")),
          b(drawn(1, nn::n_gates(c) * kHidden, "b")), d(drawn(1, nn::n_gates(c) * kHidden, "d")) {}

    nn::BatchCell<Real> batch() const {
        nn::BatchCell<Real> made;
        made.cell = cell;
        made.input.set(view(w), {b.data(), std::size_t(b.size())});
        made.state.set(view(u), {d.data(), std::size_t(d.size())});
        return made;
    }
    nn::CellParams<Real> live() const {
        return {cell, num::Weights<Real>(w), num::Weights<Real>(u), b, d};
    }
};

const nn::TimeMajor& time_of_four() {
    static const nn::TimeMajor time({4, 3, 3, 1});
    return time;
}

} // namespace

TEST_CASE("words of a batch lie step after step, the longest sentence first") {
    const auto& time = time_of_four();
    CHECK(time.steps() == 4);
    CHECK(time.rows() == 11);
    CHECK(time.size(0) == 4);
    CHECK(time.size(1) == 3);
    CHECK(time.size(3) == 1);
    CHECK(time.row(2, 1) == 6);
    CHECK_THROWS(nn::TimeMajor({1, 2}));
    CHECK(nn::TimeMajor(std::vector<Index>{}).rows() == 0);
}

TEST_CASE("a batch of sentences has the states of each sentence alone, in both directions") {
    num::ThreadPool pool(1);
    const auto& time = time_of_four();
    const Mat x = drawn(time.rows(), kIn, "x");
    for (const Cell cell : nn::kCells) {
        const Drawn p(cell);
        for (const bool reversed : {false, true}) {
            INFO(nn::name(cell) << (reversed ? " backwards" : " forwards"));
            nn::BatchCellCache<Real> cache;
            nn::recurrent_batch_forward(p.batch(), time, x, reversed, cache);
            for (Index s = 0; s < time.sentences(); ++s) {
                const Index n = time.lengths[std::size_t(s)];
                Mat one(n, kIn);
                for (Index t = 0; t < n; ++t) one.row(t) = x.row(time.row(s, t));
                const auto live = nn::recurrent_forward(pool, p.live(), one, {reversed, nullptr});
                for (Index t = 0; t < n; ++t) {
                    const Mat found = cache.states.h.row(time.row(s, t));
                    CHECK((found - live.states.h.row(t)).cwiseAbs().maxCoeff() < 1e-14);
                }
            }
        }
    }
}

TEST_CASE("RNN, LSTM and GRU over a batch pass back what central differences say") {
    const auto& time = time_of_four();
    const Mat direction = drawn(time.rows(), kHidden, "direction");
    for (const Cell cell : nn::kCells) {
        for (const bool reversed : {false, true}) {
            INFO(nn::name(cell) << (reversed ? " backwards" : " forwards"));
            Drawn p(cell);
            Mat x = drawn(time.rows(), kIn, "x");
            nn::BatchCellCache<Real> cache;
            const auto loss = [&] {
                nn::recurrent_batch_forward(p.batch(), time, x, reversed, cache);
                return cache.states.h.cwiseProduct(direction).sum();
            };
            loss();
            Mat dx = Mat::Zero(x.rows(), x.cols()), dw(p.w.rows(), p.w.cols()),
                du(p.u.rows(), p.u.cols()), db(1, p.b.cols()), dd(1, p.d.cols());
            nn::recurrent_batch_backward<Real>(p.batch(), time, x, reversed, cache, view(direction),
                                               {{dw.data(), db.data()}, {du.data(), dd.data()}},
                                               dx);
            check_gradient("x", x, dx, loss);
            check_gradient("W", p.w, dw, loss);
            check_gradient("U", p.u, du, loss);
            check_gradient("b", p.b, db, loss);
            check_gradient("d", p.d, dd, loss);
        }
    }
}

TEST_CASE("attention step by step over a batch weighs as a live run, and passes back what central "
          "differences say") {
    num::ThreadPool pool(1);
    const Index hidden = 5, d_v = 3, steps = 2;
    nn::Segments segments;
    for (const Index n : {3, 1, 4}) segments.add(n);
    const Index sentences = segments.count(), rows = steps * sentences;
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        const Index d_k = 4, d_q = nn::needs_equal_widths(score) ? d_k : 6;
        Mat keys = drawn(segments.rows(), d_k, "k"), values = drawn(segments.rows(), d_v, "values"),
            queries = drawn(rows, d_q, "q"), w = drawn(d_q, hidden, "W"),
            u = drawn(d_k, hidden, "U"), v = drawn(1, hidden, "v"),
            bilinear = drawn(d_q, d_k, "bilinear");
        const Mat direction = drawn(rows, d_v, "direction");
        const bool is_bilinear = score == nn::Score::bilinear;
        nn::BatchAttention<Real> layer;
        layer.score = score;
        layer.gamma = 0.8;
        nn::BatchAttentionPass<Real> pass;
        const auto loss = [&] {
            layer.query.set(view(std::as_const(is_bilinear ? bilinear : w)), {});
            layer.key.set(view(std::as_const(u)), {});
            layer.hidden = {v.data(), std::size_t(hidden)};
            pass.start(layer, segments, keys, values, rows);
            for (Index t = 0; t < steps; ++t) {
                pass.step(t * sentences,
                          view(std::as_const(queries), t * sentences, 0, sentences, d_q));
            }
            return pass.context().cwiseProduct(direction).sum();
        };
        loss();
        for (Index s = 0; s < sentences; ++s) {
            nn::Head<Real> head;
            head.settings.score = score;
            head.settings.gamma = layer.gamma;
            head.score_params =
                std::make_shared<nn::ScoreParams<Real>>(nn::ScoreParams<Real>{w, u, v, bilinear});
            const Index first = segments.begin(s), n = segments.size(s);
            const nn::StepAttention<Real> live("attention", keys.middleRows(first, n),
                                               values.middleRows(first, n), head);
            const std::vector<Index> index{0, 1};
            Mat asked(2, d_q);
            asked << queries.row(s), queries.row(sentences + s);
            const auto attended = live.attend(pool, asked, index);
            for (Index t = 0; t < steps; ++t) {
                const Mat found = pass.context().row(t * sentences + s);
                CHECK((found - attended.context.row(t)).cwiseAbs().maxCoeff() < 1e-13);
            }
        }
        Mat dq(rows, d_q), one, dk, dvalues, dw = Mat::Zero(d_q, hidden),
                                             du = Mat::Zero(d_k, hidden), dv = Mat::Zero(1, hidden),
                                             db = Mat::Zero(d_q, d_k);
        for (Index t = steps; t-- > 0;) {
            const Mat d_context = direction.middleRows(t * sentences, sentences);
            pass.step_back(t * sentences,
                           view(std::as_const(queries), t * sentences, 0, sentences, d_q),
                           d_context, one);
            dq.middleRows(t * sentences, sentences) = one;
        }
        pass.finish_back(
            queries,
            {{is_bilinear ? db.data() : dw.data(), nullptr}, {du.data(), nullptr}, dv.data()}, dk,
            dvalues);
        check_gradient("queries", queries, dq, loss);
        check_gradient("keys", keys, dk, loss);
        check_gradient("values", values, dvalues, loss);
        if (!nn::has_parameters(score)) continue;
        check_gradient("W", w, dw, loss);
        check_gradient("U", u, du, loss);
        check_gradient("v", v, dv, loss);
        check_gradient("bilinear", bilinear, db, loss);
    }
}
