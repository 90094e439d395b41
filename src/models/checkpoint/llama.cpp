// LLaMA 1 to 3 (Touvron et al. 2023, Grattafiori et al. 2024), Mistral (Jiang et al. 2023), Qwen2
// and Qwen3 (Yang et al. 2024, 2025): what they have in common, and in what they differ.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

// Layers from "max_window_layers" on have a window, where the file asks for windows at all.
void read_qwen_windows(Checkpoint& c, ModelSpec& s) {
    const bool slides = c.config.flag("use_sliding_window", false);
    const int window = c.config.size("sliding_window", 4096);
    const int first = c.config.id("max_window_layers", 28);
    read_windows(c, s, 0);
    if (!slides || c.config.has("layer_types")) return;
    for (int i = 0; i < s.n_decoder_layers; ++i) {
        s.attention.windows.push_back(i >= first ? window : 0);
    }
}

ModelSpec llama_spec(Checkpoint& c) {
    const bool mistral = c.type == "mistral", qwen2 = c.type == "qwen2", qwen3 = c.type == "qwen3";
    ModelSpec s = decoder_spec(c);
    s.d_model = c.config.size("hidden_size");
    s.n_heads = c.config.size("num_attention_heads");
    s.n_decoder_layers = c.config.size("num_hidden_layers");
    s.d_ff = c.config.size("intermediate_size");
    s.activation = c.config.activation("hidden_act", "silu");
    s.norm_epsilon = static_cast<float>(c.config.number("rms_norm_eps", 1e-6));
    s.norms.kind = nn::NormKind::rms;
    s.feed_forward.gated = true;
    s.feed_forward.bias = !mistral && !qwen2 && !qwen3 && c.config.flag("mlp_bias", false);
    AttentionSpec& a = s.attention;
    const int kv = mistral ? 8 : qwen2 || qwen3 ? 32 : s.n_heads; // where files leave it out
    a.n_kv_heads = c.config.size("num_key_value_heads", kv);
    a.head_width = c.config.size("head_dim", qwen3 ? 128 : s.d_model / s.n_heads);
    a.bias = qwen2 || (!mistral && c.config.flag("attention_bias", false));
    a.output_bias = !qwen2 && a.bias;
    a.head_norm = qwen3;
    read_rotary(c, s);
    if (mistral) {
        const bool none = c.config.mentions("sliding_window") && !c.config.has("sliding_window");
        const int window = c.config.size("sliding_window", 4096); // where the file leaves it out
        read_windows(c, s, none ? 0 : window);
    }
    if (qwen2 || qwen3) read_qwen_windows(c, s);
    // Said by files of this family, and read by no code of theirs.
    for (const char* key : {"rope_interleaved", "use_mrope"}) c.config.only(key, false);
    if (mistral) c.config.only("attention_bias", false);
    if (mistral || qwen2 || qwen3) c.config.only("mlp_bias", false);
    c.config.harmless({"is_llama_config", "attention_bias"});
    read_tied(c, s, false, "model.embed_tokens.weight", "lm_head.weight");
    return s;
}

TensorMap llama_map(const ModelSpec& s, const Checkpoint&) {
    TensorMap map;
    map.prefix = "model.";
    map.rows = {
        {"embedding", {"model.embed_tokens"}},
        {"decoder.layers.#.self_attn.in_proj",
         {"model.layers.#.self_attn.q_proj", "model.layers.#.self_attn.k_proj",
          "model.layers.#.self_attn.v_proj"}},
        {"decoder.layers.#.self_attn.out_proj", {"model.layers.#.self_attn.o_proj"}},
        {"decoder.layers.#.self_attn.query_norm", {"model.layers.#.self_attn.q_norm"}},
        {"decoder.layers.#.self_attn.key_norm", {"model.layers.#.self_attn.k_norm"}},
        {"decoder.layers.#.linear1", {"model.layers.#.mlp.gate_proj"}},
        {"decoder.layers.#.gate", {"model.layers.#.mlp.up_proj"}},
        {"decoder.layers.#.linear2", {"model.layers.#.mlp.down_proj"}},
        {"decoder.layers.#.norm1", {"model.layers.#.input_layernorm"}},
        {"decoder.layers.#.norm3", {"model.layers.#.post_attention_layernorm"}},
        {"decoder.norm", {"model.norm"}},
        {"output", {"lm_head"}},
    };
    map.ignored = {"model.layers.#.self_attn.rotary_emb.inv_freq", "score.weight"};
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family llama_family() {
    return {{"llama", "mistral", "qwen2", "qwen3"}, "model.", llama_spec, llama_map};
}

} // namespace heed::models
