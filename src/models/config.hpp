// The shape of a transformer: how wide, how deep, in which of its forms.
#pragma once

#include "base/result.hpp"
#include "models/controls.hpp"
#include "nn/activation.hpp"
#include "nn/position_info.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

enum class Architecture { encoder_decoder, encoder_only, decoder_only };
using nn::Activation;

struct TransformerConfig {
    Architecture architecture = Architecture::encoder_decoder;
    int d_model = 512;
    int n_heads = 8;
    int n_encoder_layers = 6; // not read where there is no encoder
    int n_decoder_layers = 6; // not read where there is no decoder
    int d_ff = 2048;
    Activation activation = Activation::relu;
    NormOrder norm = NormOrder::post;
    nn::Positions positions = nn::Positions::sinusoidal;
    nn::Join join = nn::Join::add;
    int vocabulary =
        8192; // rows of the embedding; where none is listed, a token finds its by a hash
    /// Whether those rows are a list of words that the model knows: then its decoder reads ⟨start⟩
    /// before the target, and can say what follows.
    bool speaks = false;
    int max_positions = 4096; // rows of the learned position table
    std::uint64_t seed = 1;   // of the draws that the weights are
    float norm_epsilon = 1e-5f;
    bool operator==(const TransformerConfig&) const = default;
};

constexpr bool has_encoder(const TransformerConfig& c) {
    return c.architecture != Architecture::decoder_only;
}
constexpr bool has_decoder(const TransformerConfig& c) {
    return c.architecture != Architecture::encoder_only;
}
constexpr bool has_cross(const TransformerConfig& c) {
    return c.architecture == Architecture::encoder_decoder;
}
/// Layers of the stack that holds this kind of attention; 0 where the model has none of it.
constexpr int n_layers(const TransformerConfig& c, trace::AttentionKind kind) {
    if (kind == trace::AttentionKind::encoder_self) return has_encoder(c) ? c.n_encoder_layers : 0;
    if (kind == trace::AttentionKind::cross && !has_cross(c)) return 0;
    return has_decoder(c) ? c.n_decoder_layers : 0;
}

constexpr int n_heads(const TransformerConfig& c) { return c.n_heads; }
constexpr int width(const TransformerConfig& c) { return c.d_model; }
constexpr nn::Score usual_score(const TransformerConfig&) { return nn::kDotScore; }
constexpr nn::Positions usual_positions(const TransformerConfig& c) { return c.positions; }

/// Named sizes, smallest first: "tiny", "small", "medium", "base" (the 2017 paper's).
struct NamedSize {
    const char* name;
    int d_model, n_heads, n_layers, d_ff;
};
const std::vector<NamedSize>& named_sizes();
/// One narrow layer a stack, for measuring what lies outside of the model.
TransformerConfig narrowest();

/// The largest model that is made or read: 4 GiB of float32.
inline constexpr double kMaxParameters = 1024.0 * 1024 * 1024;

/// Errors, each with the field as its subject: mismatch where d_model is not divisible by n_heads
/// (both numbers named) or rotary positions meet an odd head width; out_of_range.
base::Result<void> check(const TransformerConfig& config);

/// "encoder-decoder", "encoder-only", "decoder-only".
std::string_view name(Architecture architecture);
inline std::string_view form(const TransformerConfig& c) { return name(c.architecture); }

} // namespace heed::models
