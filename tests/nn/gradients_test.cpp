#include "central_differences.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "nn/layers/cross_entropy.hpp"
#include "nn/layers/embedding.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"
#include "num/softmax.hpp"

#include <limits>
#include <utility>
#include <vector>

using namespace heed;
using namespace heed::tests;
using num::Matrix;
using num::view;

namespace {

using Real = double;
using Mat = Matrix<Real>;

Real along(const Mat& y, const Mat& direction) { return y.cwiseProduct(direction).sum(); }

nn::ScoreParams<Real> score_params(Index d_q, Index d_k, Index hidden) {
    return {drawn(d_q, hidden, "W"), drawn(d_k, hidden, "U"), drawn(1, hidden, "v"),
            drawn(d_q, d_k, "bilinear")};
}

} // namespace

TEST_CASE("a masked softmax passes back what central differences say, and nothing to masked keys") {
    constexpr Real kMasked = -std::numeric_limits<Real>::infinity();
    Mat z = drawn(1, 6, "z") * 3;
    const Mat direction = drawn(1, 6, "direction");
    const auto softmax = [&] {
        Mat y = z;
        y(2) = y(5) = kMasked;
        nn::softmax_row({y.data(), 6});
        return y;
    };
    const Mat y = softmax();
    CHECK(y(2) == 0);
    Mat dz(1, 6);
    nn::softmax_row_backward<Real>({y.data(), 6}, {direction.data(), 6}, {dz.data(), 6});
    CHECK(dz(2) == 0);
    CHECK(dz(5) == 0);
    check_gradient("z", z, dz, [&] { return along(softmax(), direction); });
    Mat jacobian_says = direction * num::softmax_jacobian<Real>(y);
    CHECK((jacobian_says - dz).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("a row without keys has no weights and passes nothing back") {
    std::vector<float> row(5, -std::numeric_limits<float>::infinity()), d(5, 1.f);
    nn::softmax_row(row);
    nn::softmax_row_backward<float>(row, d, d);
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(row[i] == 0);
        CHECK(d[i] == 0);
    }
}

TEST_CASE("all scores pass back what central differences say") {
    const Index n = 3, m = 4, hidden = 5;
    for (const nn::Score score : nn::kScores) {
        const Index d_k = 6, d_q = nn::needs_equal_widths(score) ? d_k : 7;
        INFO(nn::name(score));
        Mat q = drawn(n, d_q, "q"), k = drawn(m, d_k, "k");
        const Mat dz = drawn(n, m, "dz");
        auto p = score_params(d_q, d_k, hidden);
        const Real factor = 0.7;
        const auto loss = [&] {
            Mat z(n, m);
            nn::scores<Real>(score, &p, view(std::as_const(q)), view(std::as_const(k)), factor,
                             view(z));
            return along(z, dz);
        };
        Mat dq(n, d_q), dk(m, d_k), dW = Mat::Zero(d_q, hidden), dU = Mat::Zero(d_k, hidden),
                                    dv = Mat::Zero(1, hidden), db = Mat::Zero(d_q, d_k);
        nn::scores_backward<Real>(score, &p, view(std::as_const(q)), view(std::as_const(k)), factor,
                                  view(dz), view(dq), view(dk),
                                  {dW.data(), dU.data(), dv.data(), db.data()});
        check_gradient("q", q, dq, loss);
        check_gradient("k", k, dk, loss);
        check_gradient("W", p.query, dW, loss);
        check_gradient("U", p.key, dU, loss);
        check_gradient("v", p.hidden.data(), hidden, dv.data(), loss);
        check_gradient("bilinear", p.bilinear, db, loss);
    }
}

TEST_CASE("the cosine of a vector without length passes nothing back to it") {
    const Mat q = Mat::Zero(1, 4), k = drawn(2, 4, "k"), dz = drawn(1, 2, "dz");
    Mat dq(1, 4), dk(2, 4);
    nn::scores_backward<Real>(nn::Score::cosine, nullptr, view(q), view(k), Real(1), view(dz),
                              view(dq), view(dk), {});
    CHECK(dq.isZero());
    CHECK(dk.isZero());
}

TEST_CASE("layer norm passes back what central differences say") {
    const Index n = 3, d = 5;
    Mat x = drawn(n, d, "x");
    const Mat dy = drawn(n, d, "dy");
    nn::LayerNormParams<Real> p{drawn(1, d, "gain"), drawn(1, d, "shift"), 1e-5};
    num::ThreadPool pool(1);
    const auto loss = [&] { return along(nn::layer_norm_forward(pool, p, x).y, dy); };
    Mat dx, dgain = Mat::Zero(1, d), dshift = Mat::Zero(1, d);
    nn::layer_norm_backward(p, nn::layer_norm_forward(pool, p, x).cache, x, dy, dgain.data(),
                            dshift.data(), dx);
    check_gradient("x", x, dx, loss);
    check_gradient("gain", p.gain.data(), d, dgain.data(), loss);
    check_gradient("shift", p.shift.data(), d, dshift.data(), loss);
}

TEST_CASE("feed-forward passes back what central differences say, with ReLU and GELU") {
    const Index n = 4, d = 3, d_ff = 6;
    for (const auto activation : {nn::Activation::relu, nn::Activation::gelu}) {
        INFO(nn::name(activation));
        Mat x = drawn(n, d, "x"), w1 = drawn(d, d_ff, "w1"), w2 = drawn(d_ff, d, "w2"),
            b1 = drawn(1, d_ff, "b1"), b2 = drawn(1, d, "b2");
        const Mat dy = drawn(n, d, "dy"), residual = drawn(n, d, "residual");
        nn::LearnedFeedForward<Real> layer;
        layer.activation = activation;
        nn::FeedForwardCache<Real> cache;
        const auto loss = [&] {
            layer.linear1.set(view(std::as_const(w1)), {b1.data(), std::size_t(d_ff)});
            layer.linear2.set(view(std::as_const(w2)), {b2.data(), std::size_t(d)});
            Mat y;
            nn::feed_forward_forward(layer, x, &residual, cache, y);
            return along(y, dy);
        };
        loss();
        Mat dx = Mat::Zero(n, d), dw1(d, d_ff), dw2(d_ff, d), db1(1, d_ff), db2(1, d);
        nn::feed_forward_backward(layer, cache, x, dy,
                                  {{dw1.data(), db1.data()}, {dw2.data(), db2.data()}, {}}, dx);
        check_gradient("x", x, dx, loss);
        check_gradient("W1", w1, dw1, loss);
        check_gradient("b1", b1, db1, loss);
        check_gradient("W2", w2, dw2, loss);
        check_gradient("b2", b2, db2, loss);
    }
}

TEST_CASE("cross entropy with label smoothing passes back what central differences say") {
    const Index n = 4, words = 6;
    Mat x = drawn(n, words, "logits") * 2;
    const std::vector<Index> targets{2, nn::kNotCounted, 0, 5};
    for (const Real smoothing : {0.0, 0.1}) {
        const auto loss = [&] {
            Mat logits = x;
            return nn::cross_entropy<Real>(logits, targets, smoothing, 1).smoothed * 0.25;
        };
        Mat dx = x;
        const auto result = nn::cross_entropy<Real>(dx, targets, smoothing, 0.25);
        CHECK(result.counted == 3);
        CHECK(dx.row(1).isZero());
        check_gradient("logits", x, dx, loss);
        // The slow way: −Σ q ln p.
        double expected = 0;
        for (Index i = 0; i < n; ++i) {
            if (targets[std::size_t(i)] < 0) continue;
            const num::RowVector<Real> p = num::softmax<Real>(x.row(i));
            for (Index v = 0; v < words; ++v) {
                const Real q =
                    (v == targets[std::size_t(i)] ? 1 - smoothing : 0) + smoothing / words;
                expected -= q * std::log(p(v));
            }
        }
        CHECK(result.smoothed == Approx(expected));
        if (smoothing == 0) CHECK(result.loss == Approx(expected));
    }
    Mat sure = Mat::Zero(n, words);
    sure(0, 2) = sure(2, 1) = sure(3, 5) = 9;
    CHECK(nn::cross_entropy<Real>(sure, targets, 0, 1).right == 2);
}

TEST_CASE("an embedding's rows get the sums of what their tokens got") {
    const Mat d = drawn(4, 3, "d");
    Mat table = Mat::Zero(5, 3);
    const std::vector<Index> rows{1, 4, 1, 0};
    nn::embedding_backward<Real>(rows, d, 2, table.data());
    CHECK((table.row(1) - 2 * (d.row(0) + d.row(2))).cwiseAbs().maxCoeff() < 1e-15);
    CHECK((table.row(4) - 2 * d.row(1)).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(table.row(2).isZero());
}
