// The sentences that a beam search found, one below the other.
#pragma once

#include "figure/base/sheet.hpp"
#include "trace/beam.hpp"

namespace heed::figure {

/// Draws them with rank and ln p, whole or their first and last words: as many as have room, the
/// followed one among them. Targets: nodes, of their ends.
void draw_hypotheses(Sheet& sheet, const trace::Beam& beam, float top, float bottom);
/// The least height of all of them, with the space above.
float hypotheses_height(const trace::Beam& beam);

} // namespace heed::figure
