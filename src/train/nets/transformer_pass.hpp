// One thread's walk through a transformer, there and back, over sentences of its own.
#pragma once

#include "nn/attention/dropout.hpp"
#include "train/nets/transformer_layers.hpp"

#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::train {

template <class S> class TransformerPass final : public Pass<S> {
  public:
    TransformerPass(const TransformerNet<S>& net, S* base, TransformerGradients<S> gradients)
        : net_(net), base_(base), gradients_(std::move(gradients)),
          encoder_(net.layers_.encoder.size()), decoder_(net.layers_.decoder.size()) {}

    CrossEntropy run(std::span<const Example* const> examples,
                     const PassSettings& settings) override;

  private:
    /// A stack's memory besides its layers.
    struct Side {
        num::Matrix<S> joined;  // [embedding; positions], where they are concatenated
        num::Matrix<S> factors; // of dropout; empty where there is none
        num::Matrix<S> x;       // what the first layer reads
        nn::LayerNorm<S> norm;
    };
    using Caches = std::vector<nn::TransformerLayerCache<S>>;
    void read(std::span<const Example* const> examples);
    const num::Matrix<S>& forward(const std::string& stack, const std::vector<Index>& rows,
                                  const nn::Segments& segments,
                                  const std::deque<nn::TransformerLayer<S>>& layers,
                                  const nn::LayerNormParams<S>& norm, const nn::Memory<S>& memory,
                                  Caches& caches, Side& side);
    void embed(const std::string& stack, const std::vector<Index>& rows,
               const nn::Segments& segments, Side& side);
    void add_positions(const nn::Segments& segments, Side& side);
    void backward(const num::Matrix<S>& output);
    void back(const std::vector<Index>& rows, const nn::Segments& segments,
              const std::deque<nn::TransformerLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
              const nn::Memory<S>& memory, const Caches& caches, const Side& side,
              const std::vector<nn::TransformerLayerGradient<S>>& gradients,
              const nn::NormGradient<S>& norm_gradient, num::Matrix<S>& dx,
              num::Matrix<S>* d_memory);
    void embed_back(const std::vector<Index>& rows, const nn::Segments& segments, const Side& side,
                    num::Matrix<S>& dx);

    const TransformerNet<S>& net_;
    S* base_;
    TransformerGradients<S> gradients_;
    nn::DropoutSettings dropout_;
    std::vector<Index> source_, target_, labels_;
    nn::Segments source_segments_, target_segments_;
    Side encoder_side_, decoder_side_;
    Caches encoder_, decoder_;
    num::Matrix<S> logits_, sinusoidal_;
};

} // namespace heed::train
