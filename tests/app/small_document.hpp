// A document whose model runs in a millisecond.
#pragma once

#include "app/document/document.hpp"

inline heed::app::Document small_document() {
    heed::app::Document document;
    heed::models::spec_of(document.model)->d_model = 32;
    heed::models::spec_of(document.model)->n_heads = 4;
    heed::models::spec_of(document.model)->n_encoder_layers =
        heed::models::spec_of(document.model)->n_decoder_layers = 2;
    heed::models::spec_of(document.model)->d_ff = 64;
    heed::models::spec_of(document.model)->vocabulary = 256;
    heed::models::spec_of(document.model)->max_positions = 2048;
    document.source = "The cat sat on the mat";
    document.target = "Le chat";
    return document;
}

/// Switches the scale off in one layer of one kind of attention.
inline void scale_off(heed::app::Document& document, heed::trace::AttentionKind kind, int layer) {
    heed::models::HeadControls controls;
    controls.scale = heed::models::Scale{heed::models::Scale::Kind::off, 1};
    document.controls.set({kind, layer, std::nullopt}, controls);
}
