// The recurrent encoder-decoder with attention (Bahdanau et al. 2015), and what it grew out of: one
// that reads the last state alone (Cho et al. 2014; Sutskever et al. 2014), or their mean.
//
// With x_j the embedded source, y_i the target's words and E their embedding:
//   h_j  = encoder(x)_j                        of the last layer, directions side by side
//   k_j, v_j                                   h_j, or linear maps of it (Projection)
//   s_0  = tanh(→h_m, ←h_1 through bridge)     for each layer of the decoder; an LSTM's c_0 is 0
//   e_ij = score(s_{i−1}, k_j),  α_i = softmax(e_i),  c_i = Σ_j α_ij v_j
//   s_i  = decoder([E y_{i−1}; c_i], s_{i−1})
//   t_i  = tanh([s_i; c_i; E y_{i−1}] W + b)   (the paper has a maxout layer here, A.2.2)
//   p(y_i) = softmax(t_i O + b)
// With StepOrder::update_first the decoder reads c_{i−1} instead (c_0 = 0) and e_ij compares s_i:
// Luong et al. 2015, whose input feeding this is. The weights are the same.
//
// Other shapes have a part of this alone. One that says a word at each of the source's, or one of
// the whole, has no decoder: t_j = tanh(h_j W + b), or t of the last states, →h_m and ←h_1. One
// that speaks from a single word x has no encoder: s_0 = tanh(x through bridge), and no c.
#pragma once

#include "models/model/model.hpp"
#include "tensors/named.hpp"
#include "text/vocabulary.hpp"

namespace heed::models {

class Recurrent final : public Model {
  public:
    /// Errors: those of check(config).
    static base::Result<std::shared_ptr<const Recurrent>> draw(const RecurrentConfig& config,
                                                               num::ThreadPool& pool);
    /// Names, shapes and layouts of torch.nn.RNN, LSTM and GRU under encoder.… and decoder.…
    /// (encoder.weight_ih_l0, encoder.weight_ih_l0_reverse), and what torch has not under
    /// bridge.…, attention.…, readout.…; embeddings and output matrices. The vocabulary's words are
    /// in the metadata. Errors: those of load_model but for reading.
    static base::Result<std::shared_ptr<const Recurrent>>
    read(const tensors::Archive& archive, const std::string& path, num::ThreadPool& pool);
    tensors::Archive archive() const override;

    const RecurrentConfig& config() const;
    ~Recurrent() override;

    const text::Vocabulary& vocabulary() const;
    const text::Vocabulary* words() const override { return &vocabulary(); }
    /// p(y) of the last step: the one that said ⟨end⟩ where the target is given whole.
    num::Matrix<float> logits(const Run& run, num::ThreadPool& pool) const override;
    num::RowVector<float> next_token_probabilities(const Run& run,
                                                   num::ThreadPool& pool) const override;

    struct Parameters;
    const Parameters& parameters() const { return *parameters_; }
    /// A model of these parameters, whose sizes must be those of their configuration.
    static std::shared_ptr<const Recurrent> of(std::unique_ptr<const Parameters> parameters,
                                               std::optional<Provenance> provenance = {});

  private:
    Recurrent(std::unique_ptr<const Parameters> parameters, std::optional<Provenance> provenance);
    base::Result<void> compute(Run& run, num::ThreadPool& pool,
                               const RunOptions& options) const override;
    std::unique_ptr<const Parameters> parameters_;
};

/// Null where the model is of another kind.
inline const Recurrent* recurrent(const Model& model) {
    return dynamic_cast<const Recurrent*>(&model);
}

} // namespace heed::models
