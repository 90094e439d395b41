// T5 in its versions 1.0 and 1.1 (Raffel et al. 2020), Flan-T5 and mT5: scores without a factor,
// one table of relative biases a stack.
#include "models/checkpoint/family.hpp"

#include <cmath>

namespace heed::models {

namespace {

void read_feed_forward(Checkpoint& c, ModelSpec& s) {
    const std::string kind =
        c.config.text("feed_forward_proj", c.type == "mt5" ? "gated-gelu" : "relu");
    s.feed_forward.bias = false;
    s.feed_forward.gated = kind.starts_with("gated-");
    if (kind == "relu") {
        s.activation = Activation::relu;
    } else if (kind == "gated-gelu") {
        s.activation = Activation::gelu_tanh;
    } else if (kind == "gated-silu" || kind == "silu") {
        s.activation = Activation::silu;
    } else {
        c.config.refuse("feed_forward_proj", "Heed knows relu, silu, gated-gelu and gated-silu");
    }
    c.config.harmless({"dense_act_fn", "is_gated_act"}); // told again
}

/// Name of the table of words: some files keep it under a stack's name alone.
std::string t5_words(const Checkpoint& c) {
    return c.has("shared.weight") ? "shared" : "encoder.embed_tokens";
}

ModelSpec t5_spec(Checkpoint& c) {
    c.config.only("is_decoder", false);
    ModelSpec s;
    s.reads = Reads::ids;
    s.vocabulary = c.config.size("vocab_size");
    s.d_model = c.config.size("d_model");
    s.n_heads = c.config.size("num_heads");
    s.n_encoder_layers = c.config.size("num_layers");
    s.n_decoder_layers = c.config.size("num_decoder_layers", s.n_encoder_layers);
    s.d_ff = c.config.size("d_ff");
    read_feed_forward(c, s);
    s.norm = NormOrder::pre;
    s.norms.kind = nn::NormKind::rms;
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_epsilon", 1e-6));
    s.embedding.factor = 1;
    s.positions = nn::Positions::relative;
    s.max_positions = 1; // it has no table of them
    AttentionSpec& a = s.attention;
    a.head_width = c.config.size("d_kv", 64);
    a.bias = a.output_bias = a.cross_positions = false;
    a.scale = 1;
    a.relative_buckets = c.config.size("relative_attention_num_buckets", 32);
    a.relative_distance = c.config.size("relative_attention_max_distance", 128);
    c.config.harmless({"n_positions", "pruned_heads"});
    // Version 1.1 says that nothing is tied: its logits are not scaled, even where W is.
    const bool told = c.config.flag("tie_word_embeddings", true);
    const bool scaled = c.config.flag("scale_decoder_outputs", told && c.type == "t5");
    s.word_logits.tied =
        !c.has("lm_head.weight") || (told && !c.config.has("scale_decoder_outputs") &&
                                     !c.differ(t5_words(c) + ".weight", "lm_head.weight"));
    if (scaled) s.word_logits.factor = static_cast<float>(1 / std::sqrt(s.d_model));
    if (!c.has("decoder.final_layer_norm.weight")) {
        s.architecture = Architecture::encoder_only;
        s.n_decoder_layers = 0;
        s.logits = Logits::none;
    }
    return s;
}

TensorMap t5_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.rows = {
        {"embedding", {t5_words(c)}},
        {"output", {"lm_head"}},
    };
    for (const std::string stack : {"encoder", "decoder"}) {
        const std::string ours = stack + ".layers.#.", block = stack + ".block.#.layer.";
        const bool decodes = stack == "decoder";
        const auto attention = [&](const std::string& module, const std::string& theirs) {
            map.rows.push_back(
                {ours + module + ".in_proj", {theirs + ".q", theirs + ".k", theirs + ".v"}});
            map.rows.push_back({ours + module + ".out_proj", {theirs + ".o"}});
        };
        attention("self_attn", block + "0.SelfAttention");
        if (decodes) attention("multihead_attn", block + "1.EncDecAttention");
        const std::string last = block + (decodes ? "2." : "1.");
        const std::string dense = last + "DenseReluDense.";
        map.rows.push_back({ours + "norm1", {block + "0.layer_norm"}});
        if (decodes) map.rows.push_back({ours + "norm2", {block + "1.layer_norm"}});
        map.rows.push_back({ours + (decodes ? "norm3" : "norm2"), {last + "layer_norm"}});
        map.rows.push_back({ours + "linear1", {dense + (s.feed_forward.gated ? "wi_0" : "wi")}});
        map.rows.push_back({ours + "gate", {dense + "wi_1"}});
        map.rows.push_back({ours + "linear2", {dense + "wo"}});
        map.rows.push_back({stack + ".norm", {stack + ".final_layer_norm"}});
        map.rows.push_back({"positions.relative." + stack,
                            {stack + ".block.0.layer.0.SelfAttention.relative_attention_bias"}});
    }
    map.ignored = {"shared.weight",
                   "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"};
    ignore_copies(c, map, t5_words(c) + ".weight",
                  {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"});
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family t5_family() { return {{"t5", "mt5"}, "", t5_spec, t5_map}; }

} // namespace heed::models
