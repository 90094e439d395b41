// The mask that heads have where no control sets one.
#pragma once

#include "models/model/model.hpp"

namespace heed::models {

/// The mask of a layer whose model has these sliding windows (AttentionSpec::windows): causal in a
/// decoder's self-attention, and no window in cross-attention.
nn::Mask usual_mask(const std::vector<int>& windows, trace::AttentionKind kind, int layer);
/// The mask of every layer of a kind: with the window that all of them have, if there is one.
nn::Mask usual_mask(const Config& config, trace::AttentionKind kind);
nn::Mask usual_mask(const Config& config, trace::AttentionKind kind, int layer);

} // namespace heed::models
