// Alignment: where a model that is learned with gold links looks for the source's words.
#pragma once

#include "models/model/model.hpp"
#include "num/matrix.hpp"

namespace heed::train {

/// The part of a map of the attention that aligns (models::Traits) whose rows say the target's
/// words, and ⟨end⟩ where it is said, and whose columns are the source's words. Of a decoder alone
/// the rest of a row, which is about what was said before, is left out, so that rows sum to less
/// than 1.
num::Rect aligning_part(const models::Run& run, const trace::AttentionMap& map);

} // namespace heed::train
