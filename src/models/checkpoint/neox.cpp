// GPT-NeoX (Black et al. 2022), which Pythia is: feed-forward beside attention, partial rotary
// positions, q, k and v of each head together.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec neox_spec(Checkpoint& c) {
    ModelSpec s = decoder_spec(c);
    s.d_model = c.config.size("hidden_size");
    s.n_heads = c.config.size("num_attention_heads");
    s.n_decoder_layers = c.config.size("num_hidden_layers");
    s.d_ff = c.config.size("intermediate_size");
    s.activation = c.config.activation("hidden_act", "gelu");
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_eps", 1e-5));
    s.attention.head_width = s.d_model / s.n_heads;
    s.attention.bias = s.attention.output_bias = c.config.flag("attention_bias", true);
    s.feed_forward.parallel = c.config.flag("use_parallel_residual", true);
    read_rotary(c, s, 0.25);
    read_tied(c, s, false, "gpt_neox.embed_in.weight", "embed_out.weight");
    return s;
}

TensorMap neox_map(const ModelSpec& s, const Checkpoint&) {
    TensorMap map;
    map.prefix = "gpt_neox.";
    map.head_width = head_width(s);
    const std::string layer = "gpt_neox.layers.#.";
    map.rows = {
        {"embedding", {"gpt_neox.embed_in"}},
        {"decoder.layers.#.self_attn.in_proj",
         {layer + "attention.query_key_value"},
         Layout::per_head},
        {"decoder.layers.#.self_attn.out_proj", {layer + "attention.dense"}},
        {"decoder.layers.#.linear1", {layer + "mlp.dense_h_to_4h"}},
        {"decoder.layers.#.linear2", {layer + "mlp.dense_4h_to_h"}},
        {"decoder.layers.#.norm1", {layer + "input_layernorm"}},
        {"decoder.layers.#.norm3", {layer + "post_attention_layernorm"}},
        {"decoder.norm", {"gpt_neox.final_layer_norm"}},
        {"output", {"embed_out"}},
    };
    map.ignored = {layer + "attention.bias", layer + "attention.masked_bias",
                   layer + "attention.rotary_emb.inv_freq"};
    if (s.word_logits.tied) map.ignored.push_back("embed_out.weight");
    return map;
}

} // namespace

Family neox_family() { return {{"gpt_neox"}, "gpt_neox.", neox_spec, neox_map}; }

} // namespace heed::models
