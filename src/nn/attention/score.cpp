#include "nn/attention/score.hpp"

#include "base/check.hpp"
#include "nn/attention/score_info.hpp"
#include "num/product.hpp"
#include "num/random.hpp"
#include "num/row_gradients.hpp"
#include "num/rows.hpp"
#include "num/transposed.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace heed::nn {

namespace {

using num::Store;

template <class S> Matrix<S> times(ConstView<S> a, const Matrix<S>& b) {
    Matrix<S> c(a.rows(), b.cols());
    num::product(a, num::view(b), num::view(c));
    return c;
}

/// Rows of length 1; a row without length stays 0.
template <class S> Matrix<S> unit_rows(ConstView<S> x) {
    Matrix<S> unit = x;
    for (Index i = 0; i < unit.rows(); ++i) {
        // Squares of very large or small features would leave the range of a float.
        const S length = unit.row(i).stableNorm();
        if (length > 0) unit.row(i) /= length;
    }
    return unit;
}

/// Gradient through the division of each row by its length: (d − (d · u) u) / |x|, u = x / |x|.
template <class S> void unit_rows_backward(ConstView<S> x, ConstView<S> d_unit, View<S> dx) {
    for (Index i = 0; i < x.rows(); ++i) {
        const S length = x.row(i).stableNorm();
        if (!(length > 0)) {
            dx.row(i).setZero();
            continue;
        }
        const RowVector<S> unit = x.row(i) / length, d = d_unit.row(i);
        dx.row(i) = (d - d.dot(unit) * unit) / length;
    }
}

/// Rows behind which stand 1 and −½‖x‖², or these the other way round: the product of one of each
/// kind is q · k − ½‖q‖² − ½‖k‖² = −½‖q − k‖².
template <class S> Matrix<S> rows_with_squares(ConstView<S> x, bool square_last) {
    Matrix<S> rows(x.rows(), x.cols() + 2);
    rows.leftCols(x.cols()) = x;
    rows.col(x.cols() + (square_last ? 0 : 1)).setOnes();
    rows.col(x.cols() + (square_last ? 1 : 0)) = x.rowwise().squaredNorm() / S(-2);
    return rows;
}

template <class S>
void rows_with_squares_backward(ConstView<S> x, ConstView<S> d_rows, bool square_last, View<S> dx) {
    const auto d_square = d_rows.col(x.cols() + (square_last ? 1 : 0));
    dx = d_rows.leftCols(x.cols());
    dx.array() -= x.array().colwise() * d_square.array();
}

/// Gradients through y = x W: dx = dy Wᵀ, and dW, which is added to.
template <class S>
void map_backward(ConstView<S> x, const Matrix<S>& w, ConstView<S> dy, View<S> dx, S* dw) {
    HEED_CHECK(dw, "no place for the gradient of {} x {} score parameters", w.rows(), w.cols());
    num::product_transposed(dy, num::view(w), S(1), dx);
    num::product_of_transpose<S>(x, dy, Store::add,
                                 View<S>(dw, w.rows(), w.cols(), Eigen::OuterStride<>(w.cols())));
}

Score product(Score score) {
    HEED_CHECK(has_dot_form(score), "the score {} is no product of vectors", name(score));
    return score;
}

template <class S> ConstView<S> own_or(const Matrix<S>& own, ConstView<S> given) {
    return own.cols() > 0 ? num::view(own) : given;
}

template <class S>
Matrix<S> draw(std::uint64_t seed, const std::string& place, Index rows, Index cols, S bound) {
    const num::Rng draws(seed, place);
    Matrix<S> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = static_cast<S>(draws.symmetric(static_cast<std::uint64_t>(i), 1)) * bound;
    }
    return m;
}

} // namespace

base::Result<void> check_widths(Score score, Index d_q, Index d_k) {
    if (!needs_equal_widths(score) || d_q == d_k) return {};
    return base::fail(
        base::ErrorKind::mismatch, std::string(name(score)),
        fmt::format("queries are {} wide and keys {}, and this score compares vectors "
                    "of one width; additive, concat and bilinear take both",
                    d_q, d_k));
}

template <class S>
ScoreParams<S> draw_score_params(std::uint64_t seed, std::string_view place, Index d_q, Index d_k,
                                 Index hidden) {
    // Uniform in ±b has variance b²/3.
    const auto bound = [](double variance) { return static_cast<S>(std::sqrt(3 * variance)); };
    const std::string at(place);
    const auto q = static_cast<double>(d_q), k = static_cast<double>(d_k);
    ScoreParams<S> params;
    params.query = draw(seed, at + ".query", d_q, hidden, bound(1 / q));
    params.key = draw(seed, at + ".key", d_k, hidden, bound(1 / k));
    // The mean square of tanh of a normal number of variance 2 is about a half.
    params.hidden = draw(seed, at + ".hidden", 1, hidden, bound(2 / static_cast<double>(hidden)));
    params.bilinear = draw(seed, at + ".bilinear", d_q, d_k, bound(1 / q));
    return params;
}

template <class S> Matrix<S> concat_matrix(const ScoreParams<S>& params) {
    HEED_CHECK(params.query.cols() == params.key.cols(),
               "W makes {} hidden values and U {}: they cannot be stacked", params.query.cols(),
               params.key.cols());
    Matrix<S> w1(params.query.rows() + params.key.rows(), params.query.cols());
    w1 << params.query, params.key;
    return w1;
}

template <class S> const ScoreParams<S>& required(Score score, const ScoreParams<S>* params) {
    HEED_CHECK(params, "the score {} needs parameters, and none were given", name(score));
    return *params;
}

template <class S>
void check_queries(Score score, const ScoreParams<S>* params, Index d_q, Index d_k) {
    switch (score) {
    case Score::additive:
    case Score::concat: {
        const Matrix<S>& w = required(score, params).query;
        HEED_CHECK(w.rows() == d_q, "additive scores: queries are {} wide, W takes {}", d_q,
                   w.rows());
        return;
    }
    case Score::bilinear: {
        const Matrix<S>& w = required(score, params).bilinear;
        HEED_CHECK(w.rows() == d_q && w.cols() == d_k,
                   "bilinear score: queries are {} wide and keys {}, W is {} x {}", d_q, d_k,
                   w.rows(), w.cols());
        return;
    }
    case Score::dot:
    case Score::scaled_dot:
    case Score::cosine:
    case Score::squared_distance:
        HEED_CHECK(d_q == d_k, "{} score: queries are {} wide, keys {}", name(score), d_q, d_k);
        return;
    }
}

template <class S> const Matrix<S>* query_matrix(Score score, const ScoreParams<S>* params) {
    switch (score) {
    case Score::additive:
    case Score::concat: return &required(score, params).query;
    case Score::bilinear: return &required(score, params).bilinear;
    case Score::cosine:
    case Score::squared_distance:
    case Score::dot:
    case Score::scaled_dot: break;
    }
    return nullptr;
}

template <class S>
Matrix<S> read_queries(Score score, const ScoreParams<S>* params, ConstView<S> q, Index d_k) {
    check_queries(score, params, q.cols(), d_k);
    if (const Matrix<S>* w = query_matrix(score, params)) return times(q, *w);
    if (score == Score::squared_distance) return rows_with_squares(q, true);
    return score == Score::cosine ? unit_rows(q) : Matrix<S>();
}

template <class S> Matrix<S> read_keys(Score score, const ScoreParams<S>* params, ConstView<S> k) {
    switch (score) {
    case Score::additive:
    case Score::concat: {
        const ScoreParams<S>& p = required(score, params);
        HEED_CHECK(p.key.rows() == k.cols(), "additive scores: keys are {} wide, U takes {}",
                   k.cols(), p.key.rows());
        HEED_CHECK(p.query.cols() == p.hidden.cols() && p.key.cols() == p.hidden.cols(),
                   "additive scores: W makes {}, U {} and v takes {} hidden values", p.query.cols(),
                   p.key.cols(), p.hidden.cols());
        return times(k, p.key);
    }
    case Score::cosine: return unit_rows(k);
    case Score::squared_distance: return rows_with_squares(k, false);
    case Score::dot:
    case Score::scaled_dot:
    case Score::bilinear: break;
    }
    return {};
}

template <class S> S score_factor(Score score, Index d_k) {
    return score == Score::scaled_dot ? 1 / std::sqrt(static_cast<S>(d_k)) : S(1);
}

template <class S>
void read_queries_backward(Score score, const ScoreParams<S>* params, ConstView<S> q,
                           ConstView<S> d_read, View<S> dq, const ScoreGradient<S>& to) {
    switch (score) {
    case Score::additive:
    case Score::concat: return map_backward(q, params->query, d_read, dq, to.query);
    case Score::bilinear: return map_backward(q, params->bilinear, d_read, dq, to.bilinear);
    case Score::cosine: return unit_rows_backward(q, d_read, dq);
    case Score::squared_distance: return rows_with_squares_backward(q, d_read, true, dq);
    case Score::dot:
    case Score::scaled_dot: dq = d_read; return;
    }
}

template <class S>
void read_keys_backward(Score score, const ScoreParams<S>* params, ConstView<S> k,
                        ConstView<S> d_read, View<S> dk, const ScoreGradient<S>& to) {
    switch (score) {
    case Score::additive:
    case Score::concat: return map_backward(k, params->key, d_read, dk, to.key);
    case Score::cosine: return unit_rows_backward(k, d_read, dk);
    case Score::squared_distance: return rows_with_squares_backward(k, d_read, false, dk);
    case Score::dot:
    case Score::scaled_dot:
    case Score::bilinear: dk = d_read; return;
    }
}

template <class S>
double score_bound(Score score, const ScoreParams<S>* params, double q, double k) {
    const auto norm = [](const auto& x) { return static_cast<double>(x.norm()); };
    switch (score) {
    case Score::additive:
    case Score::concat:
        return std::max(q * norm(params->query) + k * norm(params->key),
                        std::sqrt(static_cast<double>(params->hidden.size())) *
                            norm(params->hidden));
    case Score::bilinear: return q * std::max(1.0, norm(params->bilinear)) * k;
    case Score::cosine: return 1;
    case Score::squared_distance: return (q + k) * (q + k) / 2;
    case Score::dot:
    case Score::scaled_dot: break;
    }
    return q * k;
}

template <class S>
void additive_scores(const Matrix<S>& queries, const Matrix<S>& keys, const RowVector<S>& v,
                     S factor, View<S> out) {
    const std::span<const S> hidden = num::row_span(v);
    for (Index i = 0; i < queries.rows(); ++i) {
        for (Index j = 0; j < keys.rows(); ++j) {
            out(i, j) =
                num::tanh_dot(num::row_span(queries, i), num::row_span(keys, j), hidden) * factor;
        }
    }
}

template <class S>
void scores(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k, S factor,
            View<S> out) {
    HEED_CHECK(out.rows() == q.rows() && out.cols() == k.rows(),
               "scores of {} queries and {} keys do not fit {} x {}", q.rows(), k.rows(),
               out.rows(), out.cols());
    if (!has_dot_form(score)) {
        const Matrix<S> queries = read_queries(score, params, q, k.cols());
        additive_scores(queries, read_keys(score, params, k), params->hidden, factor, out);
        return;
    }
    const DotForm<S> form(score, params, q, k);
    num::product_transposed(form.q, form.k, form.factor * factor, out);
}

template <class S>
DotForm<S>::DotForm(Score score, const ScoreParams<S>* params, ConstView<S> q_in, ConstView<S> k_in)
    : own_q_(read_queries(product(score), params, q_in, k_in.cols())),
      own_k_(read_keys(score, params, k_in)), q(own_or(own_q_, q_in)), k(own_or(own_k_, k_in)),
      factor(score_factor<S>(score, k_in.cols())) {}

template <class S>
void scores_backward(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k,
                     S factor, ConstView<S> dz, View<S> dq, View<S> dk,
                     const ScoreGradient<S>& gradient) {
    HEED_CHECK(dz.rows() == q.rows() && dz.cols() == k.rows(),
               "gradients of {} x {} scores for {} queries and {} keys", dz.rows(), dz.cols(),
               q.rows(), k.rows());
    const Matrix<S> own_q = read_queries(score, params, q, k.cols());
    const Matrix<S> own_k = read_keys(score, params, k);
    const ConstView<S> queries = own_or(own_q, q), keys = own_or(own_k, k);
    // A score that reads q or k as they are passes back to them without a copy.
    Matrix<S> own_dq = Matrix<S>::Zero(own_q.rows(), own_q.cols());
    Matrix<S> own_dk = Matrix<S>::Zero(own_k.rows(), own_k.cols());
    const View<S> d_queries = own_q.cols() > 0 ? num::view(own_dq) : dq;
    View<S> d_keys = own_k.cols() > 0 ? num::view(own_dk) : dk;
    factor *= score_factor<S>(score, k.cols());
    if (has_dot_form(score)) {
        num::product(dz, keys, d_queries);
        num::product_of_transpose<S>(dz, queries, Store::set, d_keys);
        if (factor != 1) {
            View<S>(d_queries) *= factor;
            d_keys *= factor;
        }
    } else {
        const Matrix<S> ds = dz * factor;
        const auto size = static_cast<std::size_t>(params->hidden.size());
        HEED_CHECK(gradient.hidden, "no place for the gradient of {} hidden score parameters",
                   size);
        for (Index i = 0; i < q.rows(); ++i) {
            num::additive_backward(num::AdditiveScores<S>{num::row_span(queries, i),
                                                          num::row_span(params->hidden),
                                                          keys.data(),
                                                          num::row_span(ds, i),
                                                          {own_dq.data() + i * own_dq.cols(), size},
                                                          {gradient.hidden, size},
                                                          own_dk.data()});
        }
    }
    if (own_q.cols() > 0) {
        read_queries_backward<S>(score, params, q, num::view(std::as_const(own_dq)), dq, gradient);
    }
    if (own_k.cols() > 0) {
        read_keys_backward<S>(score, params, k, num::view(std::as_const(own_dk)), dk, gradient);
    }
}

#define HEED_SCORES(S)                                                                             \
    template ScoreParams<S> draw_score_params(std::uint64_t, std::string_view, Index, Index,       \
                                              Index);                                              \
    template Matrix<S> concat_matrix(const ScoreParams<S>&);                                       \
    template const ScoreParams<S>& required(Score, const ScoreParams<S>*);                         \
    template void check_queries(Score, const ScoreParams<S>*, Index, Index);                       \
    template const Matrix<S>* query_matrix(Score, const ScoreParams<S>*);                          \
    template Matrix<S> read_queries(Score, const ScoreParams<S>*, ConstView<S>, Index);            \
    template Matrix<S> read_keys(Score, const ScoreParams<S>*, ConstView<S>);                      \
    template S score_factor(Score, Index);                                                         \
    template void read_queries_backward(Score, const ScoreParams<S>*, ConstView<S>, ConstView<S>,  \
                                        View<S>, const ScoreGradient<S>&);                         \
    template void read_keys_backward(Score, const ScoreParams<S>*, ConstView<S>, ConstView<S>,     \
                                     View<S>, const ScoreGradient<S>&);                            \
    template double score_bound(Score, const ScoreParams<S>*, double, double);                     \
    template void additive_scores(const Matrix<S>&, const Matrix<S>&, const RowVector<S>&, S,      \
                                  View<S>);                                                        \
    template void scores(Score, const ScoreParams<S>*, ConstView<S>, ConstView<S>, S, View<S>);    \
    template void scores_backward(Score, const ScoreParams<S>*, ConstView<S>, ConstView<S>, S,     \
                                  ConstView<S>, View<S>, View<S>, const ScoreGradient<S>&);        \
    template struct DotForm<S>;
HEED_SCORES(float)
HEED_SCORES(double)
#undef HEED_SCORES

} // namespace heed::nn
