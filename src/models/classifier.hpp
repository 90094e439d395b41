// A classifier of sentences by one layer of self-attention (spec of Heed, section 5): which topic
// is a headline about?
//
// With X the embedded tokens, times sqrt(d_model), plus positions where they join:
//   A = MultiHead(X, X, X)                     as torch.nn.MultiheadAttention
//   r = the mean of A's rows, or all of them   (Pooling), padding left out
//   u = max(0, r W + b)                        dense
//   p = softmax(u O + c)                       one probability a class
// There is no residual and no norm: what the classes see of a word went through attention. Padding
// is a key like any other where no mask forbids it, as in a transformer.
#pragma once

#include "models/model.hpp"
#include "tensors/named.hpp"
#include "text/vocabulary.hpp"

namespace heed::models {

/// The trace's layers, and the names of their tensors:
///   encoder.embedding   encoder.embedding and encoder.positions where positions join it,
///                       encoder_input (tokens × d_model)
///   self_attn           attended (tokens × d_model)
///   classifier          pooled (1 × what the dense layer reads), dense, class_probabilities and
///                       class_logits (1 × classes)
/// The target of the trace is one token, the most probable class.
class Classifier final : public Model {
  public:
    /// Of everyday words and ten classes that mean nothing. Errors: those of check(config).
    static base::Result<std::shared_ptr<const Classifier>> draw(const ClassifierConfig& config,
                                                                num::Team& team);
    /// self_attn.… as in torch.nn.MultiheadAttention, dense.… and output.… as in torch.nn.Linear,
    /// embedding.weight, and what torch has not under positions.… and scores.…; words and classes
    /// are in the metadata. Errors: those of load_model but for reading.
    static base::Result<std::shared_ptr<const Classifier>>
    read(const tensors::Archive& archive, const std::string& path, num::Team& team);
    tensors::Archive archive() const override;

    const ClassifierConfig& config() const;
    ~Classifier() override;

    const std::vector<std::string>& classes() const override;
    const text::Vocabulary& vocabulary() const;
    const text::Vocabulary* words() const override { return &vocabulary(); }
    const num::Matrix<float>* learned_positions() const override;
    const num::Matrix<float>* relative_biases(trace::AttentionKind kind) const override;
    /// p of the classes.
    num::RowVector<float> next_token_probabilities(const Run& run, num::Team& team) const override;

    struct Parameters;
    const Parameters& parameters() const { return *parameters_; }
    /// A model of these parameters, whose sizes must be those of their configuration.
    static std::shared_ptr<const Classifier> of(std::unique_ptr<const Parameters> parameters,
                                                std::optional<Schooling> schooling = {});

  private:
    Classifier(std::unique_ptr<const Parameters> parameters, std::optional<Schooling> schooling);
    base::Result<void> compute(Run& run, num::Team& team, const RunOptions& options) const override;
    std::unique_ptr<const Parameters> parameters_;
};

/// Null where the model is of another kind.
inline const Classifier* classifier(const Model& model) {
    return dynamic_cast<const Classifier*>(&model);
}

} // namespace heed::models
