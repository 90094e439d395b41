// Layers of a classifier that learn, bound to their parameters.
#pragma once

#include "models/transformer/parameters.hpp"
#include "nn/attention/segment_attention.hpp"
#include "train/nets/binding.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace heed::train {

/// Everything that learns, by the names of Transformer::Parameters.
template <class S> struct ClassifierLayers {
    nn::SegmentAttention<S> attention;
    nn::LinearLayer<S> dense, output;
};
template <class S> struct ClassifierGradients {
    nn::SegmentAttentionGradient<S> attention;
    nn::LinearGradient<S> dense, output;
    S *embedding = nullptr, *learned_positions = nullptr;
};

template <class S> class ClassifierNet final : public Net<S> {
  public:
    ClassifierNet(const models::Transformer::Parameters& p, ParameterLayout& places);

    Index size() const override { return size_; }
    void set(num::ThreadPool& pool, const S* values) override {
        values_ = values;
        refresh_all(pool, refresh_, values);
    }
    std::unique_ptr<Pass<S>> pass(S* gradients) override;
    /// One label.
    Index judged(const Example&) const override { return 1; }

  private:
    template <class> friend class ClassifierPass;
    void bind(Binding<S>& binding, ClassifierGradients<S>& g);

    const models::Transformer::Parameters& p_;
    ParameterLayout& places_;
    const models::ModelSpec& config_;
    nn::Positions positions_; // those that join the embedding
    ClassifierLayers<S> layers_;
    Refresh<S> refresh_;
    std::vector<std::pair<Index, Index>> added_;
    Index words_, classes_, size_ = 0, embedding_ = 0, learned_positions_ = 0;
    const S* values_ = nullptr;
};

} // namespace heed::train
