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

/// Sets the temperature of the whole model.
inline void set_temperature(heed::app::Document& document, float temperature) {
    heed::models::HeadControls controls;
    controls.temperature = temperature;
    document.controls.set({}, controls);
}

/// Switches the heads of a scope off.
inline void switch_off(heed::app::Document& document, const heed::models::Scope& scope) {
    heed::models::HeadControls controls = document.controls.at(scope);
    controls.gain = 0.0f;
    document.controls.set(scope, controls);
}
