// Activations of a run that others take the place of (RunOptions::replaced).
#pragma once

#include "models/model/model.hpp"
#include "nn/layers/decoder_layer.hpp"
#include "nn/layers/encoder_layer.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace heed::models {

/// Errors: out_of_range (a layer, head or token that is not there), mismatch (values that are not
/// as wide as the place, a target that the model finds by itself, a place that it has not).
base::Result<void> check(const std::vector<Replacement>& replaced, const ModelSpec& spec,
                         const Input& input);

/// Reads `replaced`, which passed the check, as long as it lives.
class Replacing {
  public:
    explicit Replacing(const std::vector<Replacement>& replaced) : all_(replaced) {}

    /// The first token at which something inside this layer is replaced; nothing where none is.
    /// `stack`: as Replacement::kind.
    std::optional<num::Index> layer(trace::AttentionKind stack, int layer) const;
    nn::Change<float> context(trace::AttentionKind kind, int layer, num::Index kept = 0) const;
    /// Requires options whose kept rows are set, none of them replaced.
    void tell(int layer, nn::EncoderLayerOptions<float>& options) const;
    void tell(int layer, nn::DecoderLayerOptions<float>& options) const;

    /// The layer with another output; null where that stays.
    std::shared_ptr<const trace::Layer> residual(const trace::Layer& layer) const;
    num::Index first_of_residual(const trace::Layer& layer) const;

  private:
    using Place = Replacement::Place;
    nn::Change<float> output(Place place, trace::AttentionKind kind, int layer,
                             num::Index kept) const;
    std::vector<const Replacement*> at(Place place, trace::AttentionKind kind, int layer) const;
    std::vector<const Replacement*> after(const trace::Layer& layer) const;
    const std::vector<Replacement>& all_;
};

} // namespace heed::models
