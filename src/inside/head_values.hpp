// Sizes of what heads pass on, beside how much they look: norms of values, before and after the map
// that joins the heads (Kobayashi et al. 2020), and what layers write into the stream.
#pragma once

#include "models/model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace heed::inside {

/// The head's rows of the output map, d_v × d_model. Nothing where a model's heads are joined by no
/// linear map.
std::optional<num::Matrix<float>> head_output_map(const models::Model& model,
                                                  const trace::HeadId& head);

/// ‖v_j‖ of every key, 1 × m. The head must be there.
num::RowVector<float> value_norms(const models::Run& run, const trace::HeadId& head);
/// ‖v_j W_O‖, 1 × m: f(x) of Kobayashi et al. 2020. Nothing as of head_output_map().
std::optional<num::RowVector<float>> transformed_norms(const models::Run& run,
                                                       const trace::HeadId& head);

/// Norms of one layer's rows, meaned over its tokens.
struct LayerNorms {
    std::string name; // "decoder.layers.0"
    trace::AttentionKind stack = trace::AttentionKind::decoder_self;
    int layer = 0;     // of the stack
    double stream = 0; // ‖x‖ of what the layer passes on
    double update = 0; // ‖x − x'‖, x' what it read
};
/// Norms of every layer of a transformer's stacks, in the order of the run; empty of other models.
std::vector<LayerNorms> layer_norms(const models::Run& run);

/// Copying of the heads of one module, of a run: z = W_U W_O v_t, centred over the different tokens
/// of the text, r = max(0, z); the mean over these tokens t of r_t / Σ r, 0 where nothing rises.
/// The final norm counts by its gain. Values of the first occurrence of each token. Empty where the
/// stream of the module does not lead to the logits by sums (post-norm, an encoder beside a
/// decoder), where there is no readout, and of cross-attention.
std::vector<float> copying_scores(const models::Run& run, trace::AttentionKind kind, int layer);

} // namespace heed::inside
