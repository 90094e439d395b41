// The binding of layers that learn to their places in the buffers of parameters and gradients.
#pragma once

#include "nn/attention/linear_layer.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/layers/norm.hpp"
#include "nn/layers/sublayer_gradient.hpp"
#include "num/threads.hpp"
#include "train/nets/parameter_layout.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace heed::train {

/// Work that is done whenever the parameters have changed.
template <class S> using Refresh = std::vector<std::function<void(const S*)>>;

template <class S>
void refresh_all(num::ThreadPool& pool, const Refresh<S>& refresh, const S* values) {
    pool.for_each(static_cast<Index>(refresh.size()),
                  [&](Index i) { refresh[static_cast<std::size_t>(i)](values); });
}

/// Goes along with the traversal of a model's parameters that makes layers (`refresh` given), the
/// gradients of one pass (`gradients` given), or finds out places alone.
template <class S> class Binding {
  public:
    Binding(ParameterLayout& places, Refresh<S>* refresh, S* gradients)
        : places_(places), refresh_(refresh), gradients_(gradients) {}

    /// Gradients that are added to, and so begin at 0, lie in these ranges.
    const std::vector<std::pair<Index, Index>>& added() const { return added_; }

    Index place(const void* parameter) const { return places_.of(parameter); }

    S* set_gradient(const void* parameter) {
        const Index at = places_.of(parameter);
        return gradients_ ? gradients_ + at : nullptr;
    }
    S* added_gradient(const void* parameter, Index size) {
        added_.emplace_back(places_.of(parameter), size);
        return set_gradient(parameter);
    }
    void on_move(std::function<void(const S*)> work) {
        if (refresh_) refresh_->push_back(std::move(work));
    }

    /// `bias` may be null.
    void linear(const num::Weights<float>& weights, const num::RowVector<float>* bias,
                nn::LinearLayer<S>& layer, nn::LinearGradient<S>& gradient) {
        linear_rows(weights, 0, weights.in(), bias, layer, gradient);
    }
    /// Binds the rows of W that read the features from `first` on.
    void linear_rows(const num::Weights<float>& weights, Index first, Index in,
                     const num::RowVector<float>* bias, nn::LinearLayer<S>& layer,
                     nn::LinearGradient<S>& gradient) {
        bind_linear(&weights, first, in, weights.out(), bias, layer, gradient);
    }
    /// A table whose rows are features of what is multiplied with it.
    void linear(const num::Matrix<float>& table, nn::LinearLayer<S>& layer,
                nn::LinearGradient<S>& gradient) {
        bind_linear(&table, 0, table.rows(), table.cols(), nullptr, layer, gradient);
    }

    void norm(const nn::LayerNormParams<float>& from, nn::LayerNormParams<S>& norm,
              nn::NormGradient<S>& gradient) {
        copy(from.gain, norm.gain, gradient.gain);
        if (from.shift.size() > 0) copy(from.shift, norm.shift, gradient.shift);
        if (!refresh_) return;
        norm.epsilon = static_cast<S>(from.epsilon);
        norm.kind = from.kind;
    }

    void score(nn::Score score, const nn::ScoreParams<float>& from, nn::ScoreParams<S>& to,
               nn::ScoreGradient<S>& gradient) {
        if (score == nn::Score::bilinear)
            return copy(from.bilinear, to.bilinear, gradient.bilinear);
        if (!nn::has_parameters(score)) return;
        copy(from.query, to.query, gradient.query);
        copy(from.key, to.key, gradient.key);
        copy(from.hidden, to.hidden, gradient.hidden);
    }

    /// A matrix that is read whole, and whose gradients are added to.
    template <class From, class To> void copy(const From& from, To& to, S*& gradient) {
        gradient = added_gradient(&from, from.size());
        const Index at = places_.of(&from), rows = from.rows(), cols = from.cols();
        on_move([&to, at, rows, cols](const S* values) {
            to = Eigen::Map<const num::Matrix<S>>(values + at, rows, cols);
        });
    }

  private:
    void bind_linear(const void* weights, Index first, Index in, Index out,
                     const num::RowVector<float>* bias, nn::LinearLayer<S>& layer,
                     nn::LinearGradient<S>& gradient) {
        gradient.weights = set_gradient(weights);
        if (gradient.weights) gradient.weights += first * out;
        const Index w = places_.of(weights) + first * out;
        const bool biased = bias && bias->size() > 0;
        if (biased) gradient.bias = set_gradient(bias);
        const Index b = biased ? places_.of(bias) : 0;
        on_move([&layer, w, b, in, out, biased](const S* values) {
            layer.set(num::ConstView<S>(values + w, in, out, Eigen::OuterStride<>(out)),
                      biased ? std::span<const S>(values + b, static_cast<std::size_t>(out))
                             : std::span<const S>());
        });
    }

    ParameterLayout& places_;
    Refresh<S>* refresh_;
    S* gradients_;
    std::vector<std::pair<Index, Index>> added_;
};

} // namespace heed::train
