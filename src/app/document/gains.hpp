// Heads as on a mixing desk: a gain for each, mute, and solo. Documents in, documents out.
#pragma once

#include "app/document/document.hpp"

#include <vector>

namespace heed::app {

/// The factor on what the head adds to its layer, 1 unless something sets it.
float gain_of(const models::Controls& controls, const trace::HeadId& head);
/// The most that a fader gives.
inline constexpr float kMostGain = 2;

/// The document with this gain for the head. 1 leaves the head as its model has it, unless a wider
/// scope says something else.
Document with_gain(Document document, const trace::HeadId& head, float gain);

inline bool muted(const models::Controls& controls, const trace::HeadId& head) {
    return gain_of(controls, head) == 0;
}
/// Silent, or heard again as loud as it was before: its former gain rests in the meantime.
Document with_mute(Document document, const trace::HeadId& head, bool on);

/// layers × heads of one kind: which are muted.
std::vector<bool> silent_heads(const models::Controls& controls, trace::AttentionKind kind,
                               int layers, int heads);

/// True where, of the heads of its kind and layer, it alone is heard.
bool soloed(const models::Controls& controls, const trace::HeadId& head, int n_heads);
/// The other heads of its kind and layer are silent, by the gain of that layer, or heard again.
Document with_solo(Document document, const trace::HeadId& head, int n_heads, bool on);

} // namespace heed::app
