// Gemma 1 and 2 (Gemma Team 2024): gains are stored less 1, embeddings multiplied with sqrt(d).
#include "models/checkpoint/family.hpp"

#include <cmath>

namespace heed::models {

namespace {

void read_second(Checkpoint& c, ModelSpec& s) {
    s.norms.after = true;
    s.attention.scale =
        static_cast<float>(1 / std::sqrt(c.config.number("query_pre_attn_scalar", 256)));
    const auto softcap = [&](const char* key, double usual) {
        if (c.config.mentions(key) && !c.config.has(key)) return 0.f;
        return static_cast<float>(c.config.number(key, usual));
    };
    s.attention.softcap = softcap("attn_logit_softcapping", 50);
    s.word_logits.softcap = softcap("final_logit_softcapping", 30);
    const int window = c.config.size("sliding_window", 4096);
    c.config.only_equal("sliding_window_size", window, "sliding_window");
    read_windows(c, s, 0);
    if (!c.config.has("layer_types")) s.attention.windows = {window, 0};
}

ModelSpec gemma_spec(Checkpoint& c) {
    ModelSpec s = decoder_spec(c);
    s.d_model = c.config.size("hidden_size");
    s.n_heads = c.config.size("num_attention_heads");
    s.n_decoder_layers = c.config.size("num_hidden_layers");
    s.d_ff = c.config.size("intermediate_size");
    const char* act = c.config.has("hidden_activation") ? "hidden_activation" : "hidden_act";
    s.activation = c.config.activation(act, "gelu_pytorch_tanh");
    c.config.harmless({"hidden_act", "hidden_activation"});
    s.norm_epsilon = static_cast<float>(c.config.number("rms_norm_eps", 1e-6));
    s.norms.kind = nn::NormKind::rms;
    s.feed_forward.gated = true;
    s.feed_forward.bias = false;
    s.attention.n_kv_heads = c.config.size("num_key_value_heads", c.type == "gemma2" ? 4 : 16);
    s.attention.head_width = c.config.size("head_dim", 256);
    s.attention.bias = s.attention.output_bias = c.config.flag("attention_bias", false);
    s.embedding.factor = static_cast<float>(std::sqrt(s.d_model));
    c.config.only("use_bidirectional_attention", false);
    read_rotary(c, s);
    if (c.type == "gemma2") read_second(c, s);
    read_tied(c, s, true, "model.embed_tokens.weight", "lm_head.weight");
    return s;
}

TensorMap gemma_map(const ModelSpec& s, const Checkpoint&) {
    TensorMap map;
    map.prefix = "model.";
    const bool second = s.norms.after;
    const std::string layer = "model.layers.#.";
    map.rows = {
        {"embedding", {"model.embed_tokens"}},
        {"decoder.layers.#.self_attn.in_proj",
         {layer + "self_attn.q_proj", layer + "self_attn.k_proj", layer + "self_attn.v_proj"}},
        {"decoder.layers.#.self_attn.out_proj", {layer + "self_attn.o_proj"}},
        {"decoder.layers.#.linear1", {layer + "mlp.gate_proj"}},
        {"decoder.layers.#.gate", {layer + "mlp.up_proj"}},
        {"decoder.layers.#.linear2", {layer + "mlp.down_proj"}},
        {"decoder.layers.#.norm1", {layer + "input_layernorm"}, Layout::plus_one},
        {"decoder.layers.#.after1", {layer + "post_attention_layernorm"}, Layout::plus_one},
        {"decoder.layers.#.norm3",
         {layer + (second ? "pre_feedforward_layernorm" : "post_attention_layernorm")},
         Layout::plus_one},
        {"decoder.layers.#.after3", {layer + "post_feedforward_layernorm"}, Layout::plus_one},
        {"decoder.norm", {"model.norm"}, Layout::plus_one},
        {"output", {"lm_head"}},
    };
    map.ignored = {"model.layers.#.self_attn.rotary_emb.inv_freq", "score.weight"};
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family gemma_family() { return {{"gemma", "gemma2"}, "model.", gemma_spec, gemma_map}; }

} // namespace heed::models
