// GPT-2 (Radford et al. 2019).
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec gpt2_spec(Checkpoint& c) {
    ModelSpec s = decoder_spec(c);
    s.d_model = c.config.size("n_embd");
    s.n_heads = c.config.size("n_head");
    s.n_decoder_layers = c.config.size("n_layer");
    s.max_positions = c.config.size("n_positions", 1024);
    s.d_ff = c.config.size("n_inner", 4 * s.d_model);
    s.activation = c.config.activation("activation_function", "gelu_new");
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_epsilon", 1e-5));
    s.positions = nn::Positions::learned;
    if (!c.config.flag("scale_attn_weights", true)) s.attention.scale = 1;
    s.attention.scale_by_layer = c.config.flag("scale_attn_by_inverse_layer_idx", false);
    c.config.harmless({"reorder_and_upcast_attn"}); // the order of the same sums
    read_tied(c, s, true, "transformer.wte.weight", "lm_head.weight");
    return s;
}

TensorMap gpt2_map(const ModelSpec& s, const Checkpoint&) {
    TensorMap map;
    map.prefix = "transformer.";
    map.rows = {
        {"embedding", {"transformer.wte"}},
        {"positions.learned", {"transformer.wpe"}},
        {"decoder.layers.#.self_attn.in_proj", {"transformer.h.#.attn.c_attn"}, Layout::conv1d},
        {"decoder.layers.#.self_attn.out_proj", {"transformer.h.#.attn.c_proj"}, Layout::conv1d},
        {"decoder.layers.#.linear1", {"transformer.h.#.mlp.c_fc"}, Layout::conv1d},
        {"decoder.layers.#.linear2", {"transformer.h.#.mlp.c_proj"}, Layout::conv1d},
        {"decoder.layers.#.norm1", {"transformer.h.#.ln_1"}},
        {"decoder.layers.#.norm3", {"transformer.h.#.ln_2"}},
        {"decoder.norm", {"transformer.ln_f"}},
        {"output", {"lm_head"}},
    };
    map.ignored = {"transformer.h.#.attn.bias",
                   "transformer.h.#.attn.masked_bias",
                   "h.#.attn.bias",
                   "h.#.attn.masked_bias",
                   "score.weight",
                   "multiple_choice_head.*"};
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family gpt2_family() { return {{"gpt2"}, "transformer.", gpt2_spec, gpt2_map}; }

} // namespace heed::models
