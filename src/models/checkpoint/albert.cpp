// ALBERT (Lan et al. 2020): all layers share their weights, and rows of the embedding are narrower
// than the model.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec albert_spec(Checkpoint& c) {
    ModelSpec s = encoder_spec(c);
    s.d_model = c.config.size("hidden_size", 4096);
    s.embedding.width = c.config.size("embedding_size", 128);
    s.n_heads = c.config.size("num_attention_heads", 64);
    s.n_encoder_layers = c.config.size("num_hidden_layers", 12);
    s.d_ff = c.config.size("intermediate_size", 16384);
    s.activation = c.config.activation("hidden_act", "gelu_new");
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_eps", 1e-12));
    s.max_positions = c.config.size("max_position_embeddings", 512);
    s.embedding.token_types = c.config.size("type_vocab_size", 2);
    s.shared_layers = true;
    c.config.only_text("position_embedding_type", "absolute");
    for (const char* key : {"num_hidden_groups", "inner_group_num"}) {
        if (c.config.size(key, 1) != 1) c.config.refuse(key, "Heed knows 1");
    }
    c.config.harmless({"net_structure_type", "num_memory_blocks", "gap_size", "down_scale_factor"});
    s.word_logits.tied =
        c.config.flag("tie_word_embeddings", true) &&
        !c.differ(c.prefix + "embeddings.word_embeddings.weight", "predictions.decoder.weight");
    if (c.has("predictions.dense.weight")) {
        s.word_logits.transform = s.word_logits.bias = true;
    } else {
        s.logits = Logits::none;
    }
    return s;
}

TensorMap albert_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.prefix = c.prefix;
    const std::string from = c.prefix + "embeddings.";
    const std::string layer = c.prefix + "encoder.albert_layer_groups.0.albert_layers.0.";
    const std::string widen = c.prefix + "encoder.embedding_hidden_mapping_in";
    map.rows = {
        {"embedding", {from + "word_embeddings"}},
        {"embedding.widen", {widen}},
        {"token_types", {from + "token_type_embeddings"}},
        {"positions.learned", {from + "position_embeddings"}},
        {"encoder.embedding.norm", {from + "LayerNorm"}},
        {"encoder.layers.#.self_attn.in_proj",
         {layer + "attention.query", layer + "attention.key", layer + "attention.value"}},
        {"encoder.layers.#.self_attn.out_proj", {layer + "attention.dense"}},
        {"encoder.layers.#.norm1", {layer + "attention.LayerNorm"}},
        {"encoder.layers.#.linear1", {layer + "ffn"}},
        {"encoder.layers.#.linear2", {layer + "ffn_output"}},
        {"encoder.layers.#.norm2", {layer + "full_layer_layer_norm"}},
        {"transform", {"predictions.dense"}},
        {"transform.norm", {"predictions.LayerNorm"}},
        {"=output.weight", {"=predictions.decoder.weight"}},
        {"=output.bias",
         {c.has("predictions.decoder.bias") ? "=predictions.decoder.bias" : "=predictions.bias"}},
    };
    map.ignored = {from + "position_ids", "pooler.*",     "sop_classifier.*",
                   "classifier.*",        "qa_outputs.*", "predictions.decoder.bias",
                   "predictions.bias"};
    if (s.word_logits.tied) map.ignored.push_back("predictions.decoder.weight");
    return map;
}

} // namespace

Family albert_family() { return {{"albert"}, "albert.", albert_spec, albert_map}; }

} // namespace heed::models
