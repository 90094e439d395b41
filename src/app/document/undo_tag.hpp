// Tag of a change of the document: the act that it is part of.
#pragma once

#include "models/spec/controls.hpp"

namespace heed::app {

/// Tag of successive changes, where they are parts of one longer act (typing a word, dragging a
/// slider): those with equal tags become one entry of the history. A `choice` is an act of its
/// own.
struct UndoTag {
    enum class Of {
        choice,
        source,
        target,
        generation,
        padding,
        n_heads,
        n_layers,
        hidden,
        seed,
        factor,
        temperature,
        window,
        painted_mask,
        dropout_rate,
        dropout_draw,
        gain,
        weight,
        beam_width,
        sampling_temperature,
        top_k,
        top_p,
        sampling_seed,
        other_sentence
    } of = Of::choice;
    models::Scope scope{};    // of controls: where they hold
    int query = -1, key = -1; // of a weight
    bool operator==(const UndoTag&) const = default;
};

} // namespace heed::app
