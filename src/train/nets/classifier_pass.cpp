#include "train/nets/classifier_pass.hpp"

#include "base/check.hpp"
#include "nn/attention/position.hpp"
#include "nn/layers/embedding.hpp"
#include "train/nets/embedded_rows.hpp"

#include <algorithm>
#include <cmath>

namespace heed::train {

using num::ConstView;
using num::Matrix;
using num::Store;
using num::view;

template <class S>
CrossEntropy ClassifierPass<S>::run(std::span<const Example* const> examples,
                                    const PassSettings& settings) {
    dropout_ = {settings.regularization.dropout, settings.seed};
    read(examples);
    embed();
    const ClassifierLayers<S>& l = net_.layers_;
    nn::segment_attention_forward<S>(l.attention, x_, segments_, x_, segments_, dropout_, nullptr,
                                     attention_, attended_);
    pool();
    nn::linear_forward<S>(l.dense, view(std::as_const(pooled_)), {num::Epilogue::relu}, dense_);
    dropped_ = dense_;
    drop(dropout_, "dense.dropout", dropped_, dense_factors_);
    nn::linear_forward<S>(l.output, view(std::as_const(dropped_)), {}, logits_);
    const auto result = nn::cross_entropy<S>(
        logits_, labels_, static_cast<S>(settings.regularization.label_smoothing),
        static_cast<S>(settings.factor));
    if (settings.factor != 0) backward();
    return result;
}

template <class S> void ClassifierPass<S>::read(std::span<const Example* const> examples) {
    source_.clear();
    labels_.clear();
    segments_ = {};
    for (const Example* e : examples) {
        HEED_CHECK(!e->source.empty(), "a sentence of {} words", 0);
        HEED_CHECK(e->label >= 0 && e->label < net_.classes_, "the label {} of {} classes",
                   e->label, net_.classes_);
        const Index n = std::min<Index>(std::ssize(e->source), c_.max_positions);
        source_.insert(source_.end(), e->source.begin(), e->source.begin() + n);
        segments_.add(n);
        labels_.push_back(e->label);
    }
}

template <class S> void ClassifierPass<S>::embed() {
    const Index d = c_.d_model, longest = segments_.longest();
    x_.resize(std::ssize(source_), d);
    rows_of<S>(net_.values_ + net_.embedding_, net_.words_, source_, std::sqrt(static_cast<S>(d)),
               0, x_);
    if (net_.positions_ != nn::Positions::none) {
        const bool learned = net_.positions_ == nn::Positions::learned;
        if (!learned && sinusoidal_.rows() < longest) {
            sinusoidal_ = nn::sinusoidal_table<S>(longest, d);
        }
        const S* table =
            learned ? net_.values_ + net_.learned_positions_ : std::as_const(sinusoidal_).data();
        for (Index s = 0; s < segments_.count(); ++s) {
            x_.middleRows(segments_.begin(s), segments_.size(s)) +=
                Eigen::Map<const Matrix<S>>(table, segments_.size(s), d);
        }
    }
    drop(dropout_, "encoder.embedding.dropout", x_, x_factors_);
}

template <class S> void ClassifierPass<S>::pool() {
    const Index width = models::pooled_width(c_);
    pooled_.setZero(segments_.count(), width);
    for (Index s = 0; s < segments_.count(); ++s) {
        const auto rows = attended_.middleRows(segments_.begin(s), segments_.size(s));
        if (c_.pooling == models::Pooling::mean) {
            pooled_.row(s) = rows.colwise().mean();
        } else {
            pooled_.row(s).head(rows.size()) =
                Eigen::Map<const num::RowVector<S>>(rows.data(), rows.size());
        }
    }
}

template <class S> void ClassifierPass<S>::backward() {
    for (const auto& [offset, size] : net_.added_) std::fill_n(base_ + offset, size, S(0));
    const ClassifierLayers<S>& l = net_.layers_;
    const ConstView<S> d_logits = view(std::as_const(logits_));
    nn::linear_gradient<S>(view(std::as_const(dropped_)), d_logits, Store::set, true, g_.output);
    Matrix<S> d_dense(dense_.rows(), dense_.cols());
    nn::linear_backward<S>(l.output, d_logits, Store::set, d_dense);
    drop_back(dense_factors_, d_dense);
    d_dense.array() *= (dense_.array() > 0).template cast<S>();
    nn::linear_gradient<S>(view(std::as_const(pooled_)), view(std::as_const(d_dense)), Store::set,
                           true, g_.dense);
    Matrix<S> d_pooled(pooled_.rows(), pooled_.cols());
    nn::linear_backward<S>(l.dense, view(std::as_const(d_dense)), Store::set, d_pooled);
    const Matrix<S> d_attended = pool_back(d_pooled);
    Matrix<S> dx = Matrix<S>::Zero(x_.rows(), x_.cols());
    nn::segment_attention_backward<S>(l.attention, attention_, x_, segments_, x_, segments_,
                                      d_attended, g_.attention, dx, dx);
    embed_back(dx);
}

template <class S> Matrix<S> ClassifierPass<S>::pool_back(const Matrix<S>& d_pooled) const {
    Matrix<S> d_attended(attended_.rows(), attended_.cols());
    for (Index s = 0; s < segments_.count(); ++s) {
        const Index n = segments_.size(s);
        auto rows = d_attended.middleRows(segments_.begin(s), n);
        if (c_.pooling == models::Pooling::mean) {
            rows.rowwise() = d_pooled.row(s) / static_cast<S>(n);
        } else {
            rows = Eigen::Map<const Matrix<S>>(d_pooled.row(s).data(), n, rows.cols());
        }
    }
    return d_attended;
}

template <class S> void ClassifierPass<S>::embed_back(Matrix<S>& dx) {
    const Index d = c_.d_model;
    drop_back(x_factors_, dx);
    if (g_.learned_positions) positions_back<S>(dx, segments_, g_.learned_positions);
    nn::embedding_backward<S>(source_, dx, std::sqrt(static_cast<S>(d)), g_.embedding);
}

template class ClassifierPass<float>;
template class ClassifierPass<double>;

} // namespace heed::train
