// Where a model that is learned with gold alignments looks for the source's words.
#pragma once

#include "models/model.hpp"
#include "num/matrix.hpp"

#include <optional>

namespace heed::train {

/// The attention from words of the target to those of the source: a decoder's to its encoder, or,
/// of a decoder alone that speaks, its own. Nothing where a model has none, or does not choose what
/// it reads.
std::optional<trace::AttentionKind> aligning_attention(const models::Config& config);

/// The part of a map of that attention whose rows say the target's words, and ⟨end⟩ where it is
/// said, and whose columns are the source's words. Of a decoder alone the rest of a row, which is
/// about what was said before, is left out, so that rows sum to less than 1.
num::Rect aligning_part(const models::Run& run, const trace::AttentionMap& map);

} // namespace heed::train
