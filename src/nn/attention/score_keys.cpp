#include "nn/attention/score_keys.hpp"

#include "base/check.hpp"
#include "nn/attention/score_info.hpp"

#include <utility>

namespace heed::nn {

namespace {

/// x w
template <class S>
Matrix<S> product(num::ThreadPool& pool, const Matrix<S>& x, const num::Weights<S>& w) {
    Matrix<S> y(x.rows(), w.out());
    num::linear<S>(pool, num::view(x), w, {}, num::view(y));
    return y;
}

} // namespace

template <class S>
ScoreKeys<S>::ScoreKeys(Score score, std::shared_ptr<const ScoreParams<S>> params,
                        const Matrix<S>& k)
    : score_(score), params_(std::move(params)), d_k_(k.cols()) {
    if (const Matrix<S>* w = query_matrix(score, params_.get())) {
        check_queries(score, params_.get(), w->rows(), d_k_);
        query_ = num::Weights<S>(*w);
    }
    Matrix<S> read = read_keys(score, params_.get(), num::view(k));
    if (!has_dot_form(score)) {
        hidden_ = std::make_shared<const Matrix<S>>(std::move(read));
        return;
    }
    keys_ = num::Weights<S>(Matrix<S>((read.cols() > 0 ? read : k).transpose()));
    factor_ = score_factor<S>(score, d_k_);
}

template <class S>
void ScoreKeys<S>::scores(num::ThreadPool& pool, const Matrix<S>& q, View<S> out) const {
    check_queries(score_, params_.get(), q.cols(), d_k_);
    const Matrix<S> read = query_.in() > 0
                               ? product(pool, q, query_)
                               : read_queries(score_, params_.get(), num::view(q), d_k_);
    if (hidden_) {
        HEED_CHECK(out.rows() == q.rows() && out.cols() == hidden_->rows(),
                   "scores of {} queries and {} keys do not fit {} x {}", q.rows(), hidden_->rows(),
                   out.rows(), out.cols());
        additive_scores(read, *hidden_, params_->hidden, S(1), out);
        return;
    }
    num::linear<S>(pool, num::view(read.cols() > 0 ? read : q), keys_, {}, out);
}

template class ScoreKeys<float>;
template class ScoreKeys<double>;

} // namespace heed::nn
