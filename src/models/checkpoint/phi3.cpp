// Phi-3 (Abdin et al. 2024): LLaMA's layers with fused projections.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec phi3_spec(Checkpoint& c) {
    ModelSpec s = decoder_spec(c);
    s.d_model = c.config.size("hidden_size");
    s.n_heads = c.config.size("num_attention_heads");
    s.n_decoder_layers = c.config.size("num_hidden_layers");
    s.d_ff = c.config.size("intermediate_size");
    s.activation = c.config.activation("hidden_act", "silu");
    s.norm_epsilon = static_cast<float>(c.config.number("rms_norm_eps", 1e-5));
    s.norms.kind = nn::NormKind::rms;
    s.feed_forward.gated = true;
    s.feed_forward.bias = false;
    s.attention.n_kv_heads = c.config.size("num_key_value_heads", s.n_heads);
    s.attention.head_width = c.config.size("head_dim", s.d_model / s.n_heads);
    s.attention.bias = s.attention.output_bias = false;
    c.config.only("attention_bias", false);
    // What longer texts are scaled by, which read_rotary() refuses.
    c.config.harmless({"original_max_position_embeddings"});
    read_rotary(c, s);
    const bool slides = c.config.has("sliding_window");
    const int window = c.config.size("sliding_window", 1);
    read_windows(c, s, slides ? window : 0);
    read_tied(c, s, false, "model.embed_tokens.weight", "lm_head.weight");
    return s;
}

TensorMap phi3_map(const ModelSpec& s, const Checkpoint&) {
    TensorMap map;
    map.prefix = "model.";
    const std::string layer = "model.layers.#.";
    map.rows = {
        {"embedding", {"model.embed_tokens"}},
        {"decoder.layers.#.self_attn.in_proj", {layer + "self_attn.qkv_proj"}},
        {"decoder.layers.#.self_attn.out_proj", {layer + "self_attn.o_proj"}},
        {"decoder.layers.#.linear1", {layer + "mlp.gate_up_proj"}, Layout::first_half},
        {"decoder.layers.#.gate", {layer + "mlp.gate_up_proj"}, Layout::second_half},
        {"decoder.layers.#.linear2", {layer + "mlp.down_proj"}},
        {"decoder.layers.#.norm1", {layer + "input_layernorm"}},
        {"decoder.layers.#.norm3", {layer + "post_attention_layernorm"}},
        {"decoder.norm", {"model.norm"}},
        {"output", {"lm_head"}},
    };
    map.ignored = {"model.layers.#.self_attn.rotary_emb.inv_freq"};
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family phi3_family() { return {{"phi3"}, "model.", phi3_spec, phi3_map}; }

} // namespace heed::models
