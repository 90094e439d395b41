#include "nn/score_keys.hpp"

#include "base/check.hpp"
#include "nn/score_parts.hpp"

#include <cmath>
#include <utility>

namespace heed::nn {

namespace {

/// x w
template <class S>
Matrix<S> product(num::Team& team, const Matrix<S>& x, const num::Weights<S>& w) {
    Matrix<S> y(x.rows(), w.out());
    num::linear<S>(team, num::view(x), w, {}, num::view(y));
    return y;
}

} // namespace

template <class S>
ScoreKeys<S>::ScoreKeys(Score score, std::shared_ptr<const ScoreParams<S>> params,
                        const Matrix<S>& k)
    : score_(score), params_(std::move(params)), d_k_(k.cols()) {
    if (!has_dot_form(score)) {
        const ScoreParams<S>& p = required(score, params_.get());
        hidden_ = std::make_shared<const Matrix<S>>(additive_keys(p, num::view(k)));
        query_ = num::Weights<S>(p.query);
        return;
    }
    if (score == Score::bilinear) {
        const Matrix<S>& w = required(score, params_.get()).bilinear;
        HEED_CHECK(w.cols() == d_k_, "bilinear score: keys are {} wide, W is {} x {}", d_k_,
                   w.rows(), w.cols());
        query_ = num::Weights<S>(w);
    }
    const Matrix<S> read = score == Score::cosine ? unit_rows(num::view(k)) : k;
    keys_ = num::Weights<S>(Matrix<S>(read.transpose()));
    if (score == Score::scaled_dot) factor_ = 1 / std::sqrt(static_cast<S>(d_k_));
}

template <class S>
void ScoreKeys<S>::scores(num::Team& team, const Matrix<S>& q, View<S> out) const {
    if (hidden_) {
        check_additive_query(*params_, q.cols());
        HEED_CHECK(out.rows() == q.rows() && out.cols() == hidden_->rows(),
                   "scores of {} queries and {} keys do not fit {} x {}", q.rows(), hidden_->rows(),
                   out.rows(), out.cols());
        additive_scores_of(product(team, q, query_), *hidden_, params_->hidden, S(1), out);
        return;
    }
    Matrix<S> read;
    if (score_ == Score::bilinear) {
        HEED_CHECK(q.cols() == query_.in(), "bilinear score: queries are {} wide, W is {} x {}",
                   q.cols(), query_.in(), query_.out());
        read = product(team, q, query_);
    } else {
        HEED_CHECK(q.cols() == d_k_, "{} score: queries are {} wide, keys {}", name(score_),
                   q.cols(), d_k_);
        if (score_ == Score::cosine) read = unit_rows(num::view(q));
    }
    num::linear<S>(team, num::view(read.size() ? std::as_const(read) : q), keys_, {}, out);
}

template class ScoreKeys<float>;
template class ScoreKeys<double>;

} // namespace heed::nn
