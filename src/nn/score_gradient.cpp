#include "nn/score_gradient.hpp"

#include "base/check.hpp"
#include "nn/score_parts.hpp"
#include "num/row_gradients.hpp"
#include "num/transposed.hpp"

#include <cmath>

namespace heed::nn {

namespace {

using num::Store;

template <class S> View<S> parameter_view(S* data, Index rows, Index cols) {
    HEED_CHECK(data, "no place for the gradient of {} x {} score parameters", rows, cols);
    return View<S>(data, rows, cols, Eigen::OuterStride<>(cols));
}

template <class S> std::span<const S> row_of(ConstView<S> m, Index row) {
    return {m.data() + row * m.outerStride(), static_cast<std::size_t>(m.cols())};
}
template <class S> std::span<S> row_of(View<S> m, Index row) {
    return {m.data() + row * m.outerStride(), static_cast<std::size_t>(m.cols())};
}

/// Of a bᵀ · factor.
template <class S>
void dot_backward(ConstView<S> a, ConstView<S> b, S factor, ConstView<S> dz, View<S> da,
                  View<S> db) {
    num::product(dz, b, da);
    num::product_of_transpose<S>(dz, a, Store::set, db);
    if (factor == 1) return;
    da *= factor;
    db *= factor;
}

template <class S>
void cosine_backward(ConstView<S> q, ConstView<S> k, S factor, ConstView<S> dz, View<S> dq,
                     View<S> dk) {
    const Matrix<S> unit_q = unit_rows(q), unit_k = unit_rows(k);
    Matrix<S> d_unit_q(q.rows(), q.cols()), d_unit_k(k.rows(), k.cols());
    dot_backward<S>(num::view(unit_q), num::view(unit_k), factor, dz, num::view(d_unit_q),
                    num::view(d_unit_k));
    const auto pass = [](ConstView<S> x, const Matrix<S>& d_unit, View<S> dx) {
        for (Index i = 0; i < x.rows(); ++i) {
            unit_row_backward<S>(row_of(x, i), row_of(num::view(d_unit), i), row_of(dx, i));
        }
    };
    pass(q, d_unit_q, dq);
    pass(k, d_unit_k, dk);
}

template <class S>
void additive_backward(const ScoreParams<S>& p, ConstView<S> q, ConstView<S> k, S factor,
                       ConstView<S> dz, View<S> dq, View<S> dk, const ScoreGradient<S>& to) {
    check_additive_query(p, q.cols());
    const Matrix<S> queries = times(q, p.query), keys = additive_keys(p, k);
    const Index hidden = p.hidden.size();
    const auto size = static_cast<std::size_t>(hidden);
    Matrix<S> d_queries = Matrix<S>::Zero(q.rows(), hidden);
    Matrix<S> d_keys = Matrix<S>::Zero(k.rows(), hidden);
    const Matrix<S> ds = dz * factor;
    HEED_CHECK(to.hidden, "no place for the gradient of {} hidden score parameters", hidden);
    for (Index i = 0; i < q.rows(); ++i) {
        num::additive_backward(num::AdditiveScores<S>{row_of(num::view(queries), i),
                                                      {p.hidden.data(), size},
                                                      keys.data(),
                                                      row_of(num::view(ds), i),
                                                      row_of(num::view(d_queries), i),
                                                      {to.hidden, size},
                                                      d_keys.data()});
    }
    const ConstView<S> dqs = num::view(std::as_const(d_queries));
    const ConstView<S> dks = num::view(std::as_const(d_keys));
    num::product_transposed(dqs, num::view(p.query), S(1), dq);
    num::product_transposed(dks, num::view(p.key), S(1), dk);
    num::product_of_transpose<S>(q, dqs, Store::add,
                                 parameter_view(to.query, p.query.rows(), hidden));
    num::product_of_transpose<S>(k, dks, Store::add, parameter_view(to.key, p.key.rows(), hidden));
}

template <class S>
void bilinear_backward(const ScoreParams<S>& p, ConstView<S> q, ConstView<S> k, S factor,
                       ConstView<S> dz, View<S> dq, View<S> dk, const ScoreGradient<S>& to) {
    const Matrix<S> turned = times(q, p.bilinear);
    Matrix<S> d_turned(turned.rows(), turned.cols());
    dot_backward<S>(num::view(turned), k, factor, dz, num::view(d_turned), dk);
    const ConstView<S> d = num::view(std::as_const(d_turned));
    num::product_transposed(d, num::view(p.bilinear), S(1), dq);
    num::product_of_transpose<S>(q, d, Store::add,
                                 parameter_view(to.bilinear, p.bilinear.rows(), p.bilinear.cols()));
}

} // namespace

template <class S>
void unit_row_backward(std::span<const S> x, std::span<const S> d_unit, std::span<S> dx) {
    using Row = Eigen::Map<const RowVector<S>>;
    const auto n = static_cast<Index>(x.size());
    const Row given(x.data(), n), d(d_unit.data(), n);
    Eigen::Map<RowVector<S>> out(dx.data(), n);
    const S length = given.stableNorm();
    if (!(length > 0)) {
        out.setZero();
        return;
    }
    const RowVector<S> unit = given / length;
    out = (d - d.dot(unit) * unit) / length;
}

template <class S>
void scores_backward(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k,
                     S factor, ConstView<S> dz, View<S> dq, View<S> dk,
                     const ScoreGradient<S>& gradient) {
    HEED_CHECK(dz.rows() == q.rows() && dz.cols() == k.rows(),
               "gradients of {} x {} scores for {} queries and {} keys", dz.rows(), dz.cols(),
               q.rows(), k.rows());
    switch (score) {
    case Score::additive:
    case Score::concat:
        return additive_backward(required(score, params), q, k, factor, dz, dq, dk, gradient);
    case Score::dot: return dot_backward(q, k, factor, dz, dq, dk);
    case Score::scaled_dot:
        return dot_backward<S>(q, k, factor / std::sqrt(static_cast<S>(k.cols())), dz, dq, dk);
    case Score::bilinear:
        return bilinear_backward(required(score, params), q, k, factor, dz, dq, dk, gradient);
    case Score::cosine: return cosine_backward(q, k, factor, dz, dq, dk);
    }
}

#define HEED_SCORE_GRADIENT(S)                                                                     \
    template void unit_row_backward(std::span<const S>, std::span<const S>, std::span<S>);         \
    template void scores_backward(Score, const ScoreParams<S>*, ConstView<S>, ConstView<S>, S,     \
                                  ConstView<S>, View<S>, View<S>, const ScoreGradient<S>&);
HEED_SCORE_GRADIENT(float)
HEED_SCORE_GRADIENT(double)
#undef HEED_SCORE_GRADIENT

} // namespace heed::nn
