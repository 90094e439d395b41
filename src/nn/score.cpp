#include "nn/score.hpp"

#include "base/check.hpp"
#include "nn/score_parts.hpp"
#include "num/product.hpp"
#include "num/random.hpp"
#include "num/rows.hpp"

#include <cmath>
#include <span>
#include <string>
#include <utility>

namespace heed::nn {

template <class S> Matrix<S> times(ConstView<S> a, const Matrix<S>& b) {
    Matrix<S> c(a.rows(), b.cols());
    num::product(a, num::view(b), num::view(c));
    return c;
}

template <class S> Matrix<S> unit_rows(ConstView<S> x) {
    Matrix<S> unit = x;
    for (Index i = 0; i < unit.rows(); ++i) {
        // Squares of very large or small features would leave the range of a float.
        const S length = unit.row(i).stableNorm();
        if (length > 0) unit.row(i) /= length;
    }
    return unit;
}

template <class S> const ScoreParams<S>& required(Score score, const ScoreParams<S>* params) {
    HEED_CHECK(params, "the score {} needs parameters, and none were given", name(score));
    return *params;
}

template <class S> void check_additive_query(const ScoreParams<S>& params, Index d_q) {
    HEED_CHECK(params.query.rows() == d_q, "additive scores: queries are {} wide, W takes {}", d_q,
               params.query.rows());
}

template <class S> Matrix<S> additive_keys(const ScoreParams<S>& params, ConstView<S> k) {
    HEED_CHECK(params.key.rows() == k.cols(), "additive scores: keys are {} wide, U takes {}",
               k.cols(), params.key.rows());
    HEED_CHECK(params.query.cols() == params.hidden.cols() &&
                   params.key.cols() == params.hidden.cols(),
               "additive scores: W makes {}, U {} and v takes {} hidden values",
               params.query.cols(), params.key.cols(), params.hidden.cols());
    return times(k, params.key);
}

template <class S>
void additive_scores_of(const Matrix<S>& queries, const Matrix<S>& keys, const RowVector<S>& v,
                        S factor, View<S> out) {
    const auto row = [](const Matrix<S>& m, Index i) {
        return std::span<const S>(m.data() + i * m.cols(), static_cast<std::size_t>(m.cols()));
    };
    const std::span<const S> hidden(v.data(), static_cast<std::size_t>(v.size()));
    for (Index i = 0; i < queries.rows(); ++i) {
        for (Index j = 0; j < keys.rows(); ++j) {
            out(i, j) = num::tanh_dot(row(queries, i), row(keys, j), hidden) * factor;
        }
    }
}

namespace {

template <class S>
Matrix<S> draw(std::uint64_t seed, const std::string& place, Index rows, Index cols, S bound) {
    const num::Draws draws(seed, place);
    Matrix<S> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = static_cast<S>(draws.symmetric(static_cast<std::uint64_t>(i), 1)) * bound;
    }
    return m;
}

// v · tanh(q W + k U), with q W and k U made once for all pairs.
template <class S>
void additive_scores(const ScoreParams<S>& params, ConstView<S> q, ConstView<S> k, S factor,
                     View<S> out) {
    check_additive_query(params, q.cols());
    additive_scores_of(times(q, params.query), additive_keys(params, k), params.hidden, factor,
                       out);
}

template <class S>
Matrix<S> dot_query(Score score, const ScoreParams<S>* params, ConstView<S> q, Index d_k) {
    if (score == Score::cosine) return unit_rows(q);
    if (score != Score::bilinear) return {};
    const Matrix<S>& w = required(score, params).bilinear;
    HEED_CHECK(w.rows() == q.cols() && w.cols() == d_k,
               "bilinear score: queries are {} wide and keys {}, W is {} x {}", q.cols(), d_k,
               w.rows(), w.cols());
    return times(q, w);
}

template <class S> ConstView<S> own_or(const Matrix<S>& own, ConstView<S> given) {
    return own.size() ? num::view(own) : given;
}

} // namespace

std::string_view name(Score score) {
    switch (score) {
    case Score::additive: return "additive";
    case Score::concat: return "concat";
    case Score::dot: return "dot";
    case Score::scaled_dot: return "scaled";
    case Score::bilinear: return "bilinear";
    case Score::cosine: return "cosine";
    }
    return "";
}

std::optional<Score> score_named(std::string_view wanted) {
    for (const Score score : kScores) {
        if (name(score) == wanted) return score;
    }
    return std::nullopt;
}

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

template <class S>
void scores(Score score, const ScoreParams<S>* params, ConstView<S> q, ConstView<S> k, S factor,
            View<S> out) {
    HEED_CHECK(out.rows() == q.rows() && out.cols() == k.rows(),
               "scores of {} queries and {} keys do not fit {} x {}", q.rows(), k.rows(),
               out.rows(), out.cols());
    if (!has_dot_form(score)) {
        additive_scores(required(score, params), q, k, factor, out);
        return;
    }
    const DotForm<S> form(score, params, q, k);
    num::product_transposed(form.q, form.k, form.factor * factor, out);
}

template <class S>
DotForm<S>::DotForm(Score score, const ScoreParams<S>* params, ConstView<S> q_in, ConstView<S> k_in)
    : own_q_(dot_query(score, params, q_in, k_in.cols())),
      own_k_(score == Score::cosine ? unit_rows(k_in) : Matrix<S>()), q(own_or(own_q_, q_in)),
      k(own_or(own_k_, k_in)) {
    HEED_CHECK(has_dot_form(score), "the score {} is no product of vectors", name(score));
    HEED_CHECK(q.cols() == k.cols(), "{} score: queries are {} wide, keys {}", name(score),
               q.cols(), k.cols());
    if (score == Score::scaled_dot) factor = 1 / std::sqrt(static_cast<S>(k.cols()));
}

#define HEED_SCORE_PARTS(S)                                                                        \
    template Matrix<S> times(ConstView<S>, const Matrix<S>&);                                      \
    template Matrix<S> unit_rows(ConstView<S>);                                                    \
    template const ScoreParams<S>& required(Score, const ScoreParams<S>*);                         \
    template void check_additive_query(const ScoreParams<S>&, Index);                              \
    template Matrix<S> additive_keys(const ScoreParams<S>&, ConstView<S>);                         \
    template void additive_scores_of(const Matrix<S>&, const Matrix<S>&, const RowVector<S>&, S,   \
                                     View<S>);
HEED_SCORE_PARTS(float)
HEED_SCORE_PARTS(double)
#undef HEED_SCORE_PARTS
template struct DotForm<float>;
template struct DotForm<double>;
template ScoreParams<float> draw_score_params(std::uint64_t, std::string_view, Index, Index, Index);
template ScoreParams<double> draw_score_params(std::uint64_t, std::string_view, Index, Index,
                                               Index);
template Matrix<float> concat_matrix(const ScoreParams<float>&);
template Matrix<double> concat_matrix(const ScoreParams<double>&);
template void scores(Score, const ScoreParams<float>*, ConstView<float>, ConstView<float>, float,
                     View<float>);
template void scores(Score, const ScoreParams<double>*, ConstView<double>, ConstView<double>,
                     double, View<double>);

} // namespace heed::nn
