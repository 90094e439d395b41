// The shape of a classifier: how wide, how many heads, and how a sentence becomes one vector.
#pragma once

#include "base/result.hpp"
#include "models/controls.hpp"

#include <cstdint>
#include <string_view>

namespace heed::models {

/// What the dense layer reads of the attended tokens.
enum class Pooling {
    mean,    // their mean: d_model numbers
    flatten, // all of them, one after another, and zeros up to `length`: length · d_model numbers
};

struct ClassifierConfig {
    int d_model = 64;
    int n_heads = 1;
    int length = 200; // tokens that are read: a longer sentence is cut
    Pooling pooling = Pooling::mean;
    int dense = 256;
    nn::Positions positions = nn::Positions::sinusoidal; // added, where they join the embedding
    std::uint64_t seed = 1;                              // of the draws that the weights are
    bool operator==(const ClassifierConfig&) const = default;
};

/// Features that the dense layer reads.
constexpr int read_width(const ClassifierConfig& c) {
    return c.pooling == Pooling::mean ? c.d_model : c.length * c.d_model;
}

// As every kind of model tells them (models/model.hpp).
constexpr bool has_encoder(const ClassifierConfig&) { return true; }
constexpr bool has_decoder(const ClassifierConfig&) { return false; }
constexpr int n_layers(const ClassifierConfig&, trace::AttentionKind kind) {
    return kind == trace::AttentionKind::encoder_self ? 1 : 0;
}
constexpr int n_heads(const ClassifierConfig& c) { return c.n_heads; }
constexpr int width(const ClassifierConfig& c) { return c.d_model; }
constexpr nn::Score usual_score(const ClassifierConfig&) { return nn::kDotScore; }
constexpr nn::Positions usual_positions(const ClassifierConfig& c) { return c.positions; }
constexpr std::string_view form(const ClassifierConfig&) { return "classifier"; }

/// Errors: out_of_range or mismatch, each with the field as its subject.
base::Result<void> check(const ClassifierConfig& config);

/// "mean", "flatten".
std::string_view name(Pooling pooling);

} // namespace heed::models
