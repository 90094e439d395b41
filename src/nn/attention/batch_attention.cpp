#include "nn/attention/batch_attention.hpp"

#include "base/check.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "num/row_gradients.hpp"
#include "num/rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::nn {

namespace {

void add_row(std::span<float> row, float factor, std::span<const float> other) {
    num::add_row(row, factor, other);
}
void add_row(std::span<double> row, double factor, std::span<const double> other) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] += factor * other[i];
}

} // namespace

template <class S> S BatchAttentionPass<S>::factor() const {
    return layer_->gamma * score_factor<S>(layer_->score, keys_->cols());
}

template <class S> bool BatchAttentionPass<S>::additive() const {
    return layer_->mode == AttentionMode::softmax && !has_dot_form(layer_->score);
}

template <class S>
void BatchAttentionPass<S>::start(const BatchAttention<S>& layer, const Segments& segments,
                                  const Matrix<S>& keys, const Matrix<S>& values, Index queries) {
    HEED_CHECK(keys.rows() == segments.rows() && values.rows() == segments.rows(),
               "{} keys and {} values of {} words", keys.rows(), values.rows(), segments.rows());
    layer_ = &layer;
    segments_ = &segments;
    keys_ = &keys;
    values_ = &values;
    weights_.resize(queries, segments.longest());
    context_.resize(queries, values.cols());
    if (layer.mode != AttentionMode::softmax) return;
    if (additive()) {
        linear_forward<S>(layer.key, num::view(keys), {}, read_keys_);
    } else {
        read_keys_ = read_keys<S>(layer.score, nullptr, num::view(keys));
        if (read_keys_.cols() == 0) read_keys_ = keys;
    }
    read_queries_.resize(queries, read_keys_.cols());
}

template <class S> void BatchAttentionPass<S>::weigh(Index row, Index sentence) {
    const Index first = segments_->begin(sentence), m = segments_->size(sentence);
    const std::span<S> weights = num::row_span(weights_, row).first(static_cast<std::size_t>(m));
    if (layer_->mode == AttentionMode::mean) {
        std::fill(weights.begin(), weights.end(), 1 / static_cast<S>(m));
        return;
    }
    if (layer_->mode == AttentionMode::last) {
        std::fill(weights.begin(), weights.end(), S(0));
        weights.back() = 1;
        return;
    }
    const auto query = num::row_span(std::as_const(read_queries_), row);
    const S by = factor();
    for (Index j = 0; j < m; ++j) {
        const auto key = num::row_span(std::as_const(read_keys_), first + j);
        const S score =
            additive() ? num::tanh_dot(query, key, layer_->hidden) : num::dot(query, key);
        weights[static_cast<std::size_t>(j)] = score * by;
    }
    softmax_row(weights);
}

template <class S> void BatchAttentionPass<S>::step(Index row, ConstView<S> queries) {
    const Index n = queries.rows();
    if (layer_->mode == AttentionMode::softmax) {
        const View<S> read = num::view(read_queries_, row, 0, n, read_queries_.cols());
        if (has_parameters(layer_->score)) {
            linear_forward<S>(layer_->query, queries, {}, read);
        } else {
            const Matrix<S> own = read_queries<S>(layer_->score, nullptr, queries, keys_->cols());
            if (own.cols() > 0) {
                read_queries_.middleRows(row, n) = own;
            } else {
                read_queries_.middleRows(row, n) = queries;
            }
        }
    }
    for (Index s = 0; s < n; ++s) {
        weigh(row + s, s);
        const std::span<S> context = num::row_span(context_, row + s);
        std::fill(context.begin(), context.end(), S(0));
        for (Index j = 0; j < segments_->size(s); ++j) {
            add_row(context, weights_(row + s, j),
                    num::row_span(*values_, segments_->begin(s) + j));
        }
    }
}

template <class S>
void BatchAttentionPass<S>::scores_back(Index row, Index sentence, std::span<const S> ds) {
    const Index first = segments_->begin(sentence);
    const auto query = num::row_span(std::as_const(read_queries_), row);
    const std::span<S> d_query = num::row_span(d_read_queries_, row);
    std::fill(d_query.begin(), d_query.end(), S(0));
    if (additive()) {
        num::additive_backward(num::AdditiveScores<S>{
            query, layer_->hidden, read_keys_.data() + first * read_keys_.cols(), ds, d_query,
            std::span<S>(d_hidden_), d_read_keys_.data() + first * d_read_keys_.cols()});
        return;
    }
    for (std::size_t j = 0; j < ds.size(); ++j) {
        const Index key = first + static_cast<Index>(j);
        add_row(d_query, ds[j], num::row_span(std::as_const(read_keys_), key));
        add_row(num::row_span(d_read_keys_, key), ds[j], query);
    }
}

template <class S>
void BatchAttentionPass<S>::step_back(Index row, ConstView<S> queries, const Matrix<S>& d_context,
                                      Matrix<S>& dq) {
    const Index n = queries.rows();
    const bool scored = layer_->mode == AttentionMode::softmax;
    if (d_values_.rows() == 0) { // the last step is the first to come
        d_values_ = Matrix<S>::Zero(values_->rows(), values_->cols());
        if (scored) {
            d_read_keys_ = Matrix<S>::Zero(read_keys_.rows(), read_keys_.cols());
            d_read_queries_.resize(read_queries_.rows(), read_queries_.cols());
            d_hidden_.assign(layer_->hidden.size(), S(0));
        }
    }
    std::vector<S> ds;
    for (Index s = 0; s < n; ++s) {
        const Index m = segments_->size(s), first = segments_->begin(s);
        const auto d = num::row_span(d_context, s);
        ds.resize(static_cast<std::size_t>(m));
        for (Index j = 0; j < m; ++j) {
            if (scored) {
                ds[static_cast<std::size_t>(j)] = num::dot(d, num::row_span(*values_, first + j));
            }
            add_row(num::row_span(d_values_, first + j), weights_(row + s, j), d);
        }
        if (!scored) continue;
        const auto weights =
            num::row_span(std::as_const(weights_), row + s).first(static_cast<std::size_t>(m));
        softmax_row_backward<S>(weights, ds, ds);
        for (S& x : ds) x *= factor();
        scores_back(row + s, s, ds);
    }
    dq.resize(n, queries.cols());
    if (!scored) {
        dq.setZero();
    } else if (has_parameters(layer_->score)) {
        linear_backward<S>(
            layer_->query,
            num::view(std::as_const(d_read_queries_), row, 0, n, d_read_queries_.cols()),
            num::Store::set, dq);
    } else {
        read_queries_backward<S>(
            layer_->score, nullptr, queries,
            num::view(std::as_const(d_read_queries_), row, 0, n, d_read_queries_.cols()),
            num::view(dq), {});
    }
}

template <class S>
void BatchAttentionPass<S>::finish_back(const Matrix<S>& queries,
                                        const BatchAttentionGradient<S>& gradient,
                                        Matrix<S>& d_keys, Matrix<S>& d_values) {
    d_values = std::move(d_values_);
    d_values_.resize(0, 0);
    if (layer_->mode != AttentionMode::softmax) {
        d_keys = Matrix<S>::Zero(keys_->rows(), keys_->cols());
        return;
    }
    if (has_parameters(layer_->score)) {
        linear_gradient<S>(num::view(queries), num::view(std::as_const(d_read_queries_)),
                           num::Store::set, false, gradient.query);
    }
    if (additive()) {
        linear_gradient<S>(num::view(*keys_), num::view(std::as_const(d_read_keys_)),
                           num::Store::set, false, gradient.key);
        for (std::size_t i = 0; i < d_hidden_.size(); ++i) gradient.hidden[i] += d_hidden_[i];
        d_keys.resize(keys_->rows(), keys_->cols());
        linear_backward<S>(layer_->key, num::view(std::as_const(d_read_keys_)), num::Store::set,
                           d_keys);
    } else {
        d_keys.resize(keys_->rows(), keys_->cols());
        read_keys_backward<S>(layer_->score, nullptr, num::view(*keys_),
                              num::view(std::as_const(d_read_keys_)), num::view(d_keys), {});
    }
}

template class BatchAttentionPass<float>;
template class BatchAttentionPass<double>;

} // namespace heed::nn
