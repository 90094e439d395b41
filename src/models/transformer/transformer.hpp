// The transformer of Vaswani et al. 2017, and what a specification makes of it: encoder-decoder,
// encoder alone, decoder alone, classifier.
//
// It follows torch.nn.Transformer to the number: a final norm stands after each stack in both norm
// orders. (The 2017 paper has post-norm and no final norm; torch has one all the same, and a model
// that Heed writes must give the same numbers there.) A decoder-only layer is torch's decoder layer
// without cross-attention: its norms are norm1 and norm3.
//
// A classifier of sentences by one layer of self-attention, with X the embedded tokens, is:
//   A = MultiHead(X, X, X)                     as torch.nn.MultiheadAttention
//   r = the mean of A's rows, or all of them   (Pooling), padding left out
//   u = max(0, r W + b)                        dense
//   p = softmax(u O + c)                       one probability a class
// There is no residual and no norm: what the classes see of a word went through attention. Padding
// is a key like any other where no mask forbids it.
#pragma once

#include "models/model/model.hpp"
#include "num/half_weights.hpp"
#include "tensors/named.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace heed::models {

/// The trace's layers, in order, and the names of
/// their tensors (all tokens × d_model unless said); the last of each is the layer's output, and so
/// the next one's input:
///   encoder.embedding   encoder.embedding (times sqrt(d_model)) and encoder.positions where
///                       positions join it, encoder_input
///   encoder.layers.N    .self_attn; post-norm: .norm1, feed-forward, .norm2
///                       pre-norm: .norm1, .residual1, .norm2, feed-forward, .residual2
///   encoder.norm        memory
///   decoder.embedding   decoder.embedding, decoder.positions, decoder_input
///   decoder.layers.N    .self_attn, .multihead_attn; as above with .norm2 for cross-attention and
///                       .norm3 for feed-forward
///   decoder.norm        decoder_output
/// A model that speaks reads ⟨start⟩ before the target: row i of the decoder's side is where word
/// i, counted from 0, is said; decoder.probabilities (tokens × vocabulary) tells with which
/// probability. Without a target it says the most probable words up to ⟨end⟩. An encoder alone that
/// speaks says a word at each of the source's: encoder.probabilities. A decoder alone that speaks
/// reads the source before ⟨start⟩, so that its rows of the source come first.
/// Feed-forward is .linear1 (before the activation; for ReLU it is made again when it is looked at)
/// and .activation, both tokens × d_ff, and .linear2.
/// A layer that is its attention alone is
///   self_attn           attended
/// and a classifier ends in
///   classifier          pooled (1 × what the dense layer reads), dense, class_probabilities and
///                       class_logits (1 × classes)
/// The target of its trace is one token, the most probable class.
class Transformer final : public Model {
  public:
    /// Classes mean nothing. Errors: those of check(config). Linear maps in f32 or bf16.
    static base::Result<std::shared_ptr<const Transformer>>
    draw(const ModelSpec& config, num::ThreadPool& pool, num::Stored stored = num::Stored::f32);
    /// The names, shapes and layouts of torch.nn.Transformer's state dict (encoder.…, decoder.…),
    /// embedding.weight, output.weight, and what torch has not under positions.… and scores.… A
    /// classifier has dense.… and output.… as torch.nn.Linear, and its classes in the metadata.
    /// Errors: those of load_model but for reading.
    static base::Result<std::shared_ptr<const Transformer>>
    read(const tensors::Archive& archive, const std::string& path, num::ThreadPool& pool);
    tensors::Archive archive() const override;

    const ModelSpec& config() const;
    ~Transformer() override;

    num::Index vocabulary_row(std::string_view word) const override;
    num::Index vocabulary_size() const override;
    bool reads_ids() const override;
    const TextToIds* text_to_ids() const override;
    const text::Vocabulary* words() const override;
    const num::Matrix<float>* learned_positions(trace::AttentionKind kind) const override;
    const num::Matrix<float>* relative_biases(trace::AttentionKind kind) const override;
    const std::vector<std::string>& classes() const override;
    /// softmax(x · outputᵀ), where x is the decoder_output of that token (Vaswani et al. 2017,
    /// section 3.4); of a classifier, p of the classes.
    num::Matrix<float> logits(const Run& run, num::ThreadPool& pool) const override;
    num::RowVector<float> next_token_probabilities(const Run& run,
                                                   num::ThreadPool& pool) const override;

    struct Parameters;
    /// All of them; those that no control has asked for so far are drawn first.
    const Parameters& parameters() const;
    /// Parameters without those that nn::has_parameters() scores and Join::concatenate alone read,
    /// which may be empty or just being drawn.
    const Parameters& usual_parameters() const { return *parameters_; }
    /// A model of these parameters, whose sizes must be those of their configuration. `draw_rest`
    /// fills in, once, what usual_parameters() leaves out.
    static std::shared_ptr<const Transformer> of(std::unique_ptr<const Parameters> parameters,
                                                 std::optional<Provenance> provenance = {},
                                                 std::function<void()> draw_rest = {});

  private:
    Transformer(std::unique_ptr<const Parameters> parameters, std::optional<Provenance> provenance,
                std::function<void()> draw_rest);
    base::Result<void> compute(Run& run, num::ThreadPool& pool,
                               const RunOptions& options) const override;
    std::unique_ptr<const Parameters> parameters_;
    std::function<void()> draw_rest_;
    mutable std::once_flag drawn_;
};

/// Null where the model is of another kind.
inline const Transformer* transformer(const Model& model) {
    return dynamic_cast<const Transformer*>(&model);
}
/// Null where the model has no classes.
inline const Transformer* classifier(const Model& model) {
    const Transformer* t = transformer(model);
    return t && is_classifier(t->config()) ? t : nullptr;
}

/// The row of the embedding that a token reads: its text's FNV-1a hash, modulo the vocabulary.
num::Index embedding_row(std::string_view token, int vocabulary);

} // namespace heed::models
