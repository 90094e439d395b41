// One thread's walk through a classifier, there and back, over sentences of its own.
#pragma once

#include "nn/attention/dropout.hpp"
#include "train/nets/classifier_layers.hpp"

#include <span>
#include <utility>
#include <vector>

namespace heed::train {

template <class S> class ClassifierPass final : public Pass<S> {
  public:
    ClassifierPass(const ClassifierNet<S>& net, S* base, ClassifierGradients<S> gradients)
        : net_(net), c_(net.config_), base_(base), g_(std::move(gradients)) {}

    CrossEntropy run(std::span<const Example* const> examples,
                     const PassSettings& settings) override;

  private:
    void read(std::span<const Example* const> examples);
    void embed();
    /// Picks, of each sentence's attended rows, the one that the dense layer reads.
    void pool();

    void backward();
    num::Matrix<S> pool_back(const num::Matrix<S>& d_pooled) const;
    void embed_back(num::Matrix<S>& dx);

    const ClassifierNet<S>& net_;
    const models::ModelSpec& c_;
    S* base_;
    ClassifierGradients<S> g_;
    nn::DropoutSettings dropout_;
    std::vector<Index> source_, labels_; // words of all sentences, and a label of each
    nn::Segments segments_;
    nn::SegmentAttentionCache<S> attention_;
    num::Matrix<S> x_, x_factors_, sinusoidal_; // rows × d_model
    num::Matrix<S> attended_;                   // rows × d_model
    num::Matrix<S> pooled_;                     // sentences × read_width
    num::Matrix<S> dense_, dropped_, dense_factors_, logits_;
};

} // namespace heed::train
