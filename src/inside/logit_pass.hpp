// The logit that is asked for as a function of what a model's stacks read, and its gradient: a run
// again, over variants of its sentence at once, and back.
#pragma once

#include "inside/pass_layers.hpp"

#include <functional>
#include <stop_token>

namespace heed::inside {

/// The pass from a stack's final states to the logit that is asked for, before any softcap.
template <class S> struct AskedLogit {
    AskedLogit() = default;
    AskedLogit(const Readout& readout, const Question& question);

    /// One logit a segment of the final states, rows × d_model; `z` gets what the activation before
    /// the logits reads, where there is one.
    std::vector<S> forward(const Matrix<S>& states, const nn::Segments& segments,
                           Matrix<S>& z) const;
    /// Gradient that one logit each passes back: rows × d_model.
    Matrix<S> backward(const nn::Segments& segments, const Matrix<S>& z) const;

  private:
    void read_word(const Readout& readout, const Question& question);
    void read_class(const Readout& readout, const Question& question);
    /// Numbers that the logit is read from, a row a segment.
    Matrix<S> gathered(const Matrix<S>& states, const nn::Segments& segments) const;
    /// Count of a segment's numbers that are read, one after another.
    Index numbers_of(const nn::Segments& segments, Index segment) const;

    Index width_ = 0, d_model_ = 0; // numbers that are read, and those of a token
    Index token_ = 0;               // the first that is read
    bool mean_ = false;             // over tokens
    num::RowVector<S> word_;        // as wide as what the logits read
    S bias_ = 0;
    bool transforms_ = false; // norm(f(x T + t)) is read, in place of x
    nn::LinearLayer<S> transform_;
    num::RowVector<S> transform_bias_;
    nn::LayerNormParams<S> norm_; // no gain: none
    nn::Activation activation_ = nn::Activation::relu;
};

/// Weights that variants and threads share.
template <class S> struct PassModel {
    /// Requires check_passes(run) and check(question, run). The run keeps what is read alive.
    PassModel(const models::Run& run, const Question& question);

    std::vector<PassLayer<S>> encoder, decoder;
    nn::LayerNormParams<S> encoder_norm, decoder_norm; // no gain: none stands there
    AskedLogit<S> asked;
    Index source_tokens = 0, target_tokens = 0;
};

/// Inputs of the stacks, or their gradient: variants · tokens × d_model, empty where there is no
/// such stack.
template <class S> struct StackInputs { Matrix<S> encoder, decoder; };

/// One pass, inside the calling thread. `model` has to stay.
template <class S> class LogitPass {
  public:
    explicit LogitPass(const PassModel<S>& model) : model_(model) {}

    /// One logit a variant. Each layer's input is kept, and what else the way back reads is made
    /// again there.
    std::vector<S> forward(StackInputs<S> inputs);

    /// Called with every module's weights and the gradient of the logits' sum with respect to them:
    /// head after head, in each variant after variant, queries × keys.
    using MapsSeen =
        std::function<void(AttentionKind kind, int layer, const std::vector<S>& weights,
                           const std::vector<S>& gradient)>;
    /// The gradient of the logits' sum with respect to the inputs, after forward(). Stopped, what
    /// it gives means nothing.
    StackInputs<S> backward(const MapsSeen& seen = {}, const std::stop_token& stop = {});

  private:
    struct Stack {
        std::vector<Matrix<S>> inputs; // of each layer, and what the last one passes on
        nn::Segments segments;
        nn::LayerNorm<S> norm;
        const Matrix<S>& output() const { return norm.y.size() > 0 ? norm.y : inputs.back(); }
    };
    void run(const std::vector<PassLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
             Matrix<S> x, const nn::Memory<S>& memory, Stack& stack);
    void back(const std::vector<PassLayer<S>>& layers, const nn::LayerNormParams<S>& norm,
              AttentionKind kind, const nn::Memory<S>& memory, const Stack& stack,
              const MapsSeen& seen, const std::stop_token& stop, Matrix<S>& dx,
              Matrix<S>* d_memory);
    nn::Memory<S> memory() const;

    const PassModel<S>& model_;
    Stack encoder_, decoder_;
    Matrix<S> z_;
};

} // namespace heed::inside
