// BART (Lewis et al. 2020) and Marian (Junczys-Dowmunt et al. 2018; the opus-mt models).
#include "models/checkpoint/family.hpp"

#include <algorithm>

namespace heed::models {

namespace {

/// Name of the table of words: some files keep it under a stack's name alone.
std::string bart_words(const Checkpoint& c) {
    return c.has("model.shared.weight") ? "model.shared" : "model.encoder.embed_tokens";
}

ModelSpec bart_spec(Checkpoint& c) {
    const bool marian = c.type == "marian";
    c.config.only("is_encoder_decoder", true);
    ModelSpec s;
    s.reads = Reads::ids;
    s.vocabulary = c.config.size("vocab_size");
    s.d_model = c.config.size("d_model");
    s.n_encoder_layers = c.config.size("encoder_layers");
    s.n_decoder_layers = c.config.size("decoder_layers");
    s.n_heads = c.config.size("encoder_attention_heads");
    c.config.only_equal("decoder_attention_heads", s.n_heads, "encoder_attention_heads");
    s.d_ff = c.config.size("encoder_ffn_dim");
    c.config.only_equal("decoder_ffn_dim", s.d_ff, "encoder_ffn_dim");
    s.activation = c.config.activation("activation_function", "gelu");
    s.norm_epsilon = 1e-5f; // fixed in its code
    s.norms.last = false;
    s.embedding.factor = c.config.flag("scale_embedding", false) ? 0 : 1;
    const int positions = c.config.size("max_position_embeddings", 1024);
    if (marian) {
        s.positions = nn::Positions::sinusoidal;
        s.embedding.sines_first = true;
        s.max_positions = std::min(positions, static_cast<int>(kMaxTokens));
        c.config.only("share_encoder_decoder_embeddings", true);
        c.config.only_equal("decoder_vocab_size", s.vocabulary, "vocab_size");
    } else {
        s.positions = nn::Positions::learned;
        s.embedding.position_offset = 2;
        s.embedding.own_positions = s.embedding.norm = true;
        s.max_positions = positions + 2;
    }
    c.config.only("normalize_embedding", !marian);
    c.config.only("static_position_embeddings", marian);
    for (const char* key : {"normalize_before", "add_final_layer_norm", "add_bias_logits"}) {
        c.config.only(key, false);
    }
    c.config.harmless({"num_hidden_layers", "extra_pos_embeddings",
                       "force_bos_token_to_be_generated", "classif_dropout", "is_decoder",
                       "pruned_heads"});
    s.word_logits.bias = c.has("final_logits_bias");
    read_tied(c, s, true, bart_words(c) + ".weight", "lm_head.weight");
    return s;
}

TensorMap bart_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.prefix = c.prefix;
    map.rows = {
        {"embedding", {bart_words(c)}},
        {"=output.weight", {"=lm_head.weight"}},
        {"=output.bias", {"=final_logits_bias"}},
    };
    if (s.positions == nn::Positions::learned) {
        map.rows.push_back({"positions.learned", {"model.encoder.embed_positions"}});
        map.rows.push_back({"positions.learned.decoder", {"model.decoder.embed_positions"}});
    }
    for (const std::string stack : {"encoder", "decoder"}) {
        const std::string ours = stack + ".layers.#.", layer = "model." + ours;
        const bool decodes = stack == "decoder";
        const auto attention = [&](const std::string& module, const std::string& theirs) {
            const std::string at = layer + theirs;
            map.rows.push_back(
                {ours + module + ".in_proj", {at + ".q_proj", at + ".k_proj", at + ".v_proj"}});
            map.rows.push_back({ours + module + ".out_proj", {at + ".out_proj"}});
        };
        attention("self_attn", "self_attn");
        if (decodes) attention("multihead_attn", "encoder_attn");
        map.rows.push_back(
            {stack + ".embedding.norm", {"model." + stack + ".layernorm_embedding"}});
        map.rows.push_back({ours + "norm1", {layer + "self_attn_layer_norm"}});
        if (decodes) map.rows.push_back({ours + "norm2", {layer + "encoder_attn_layer_norm"}});
        map.rows.push_back({ours + (decodes ? "norm3" : "norm2"), {layer + "final_layer_norm"}});
        map.rows.push_back({ours + "linear1", {layer + "fc1"}});
        map.rows.push_back({ours + "linear2", {layer + "fc2"}});
    }
    map.ignored = {"model.shared.weight",  "classification_head.*", "qa_outputs.*",
                   "encoder.version",      "decoder.version",       "model.encoder.version",
                   "model.decoder.version"};
    ignore_copies(c, map, bart_words(c) + ".weight",
                  {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"});
    if (s.positions == nn::Positions::sinusoidal) {
        map.ignored.push_back("model.encoder.embed_positions.weight");
        map.ignored.push_back("model.decoder.embed_positions.weight");
    }
    if (s.word_logits.tied) map.ignored.push_back("lm_head.weight");
    return map;
}

} // namespace

Family bart_family() { return {{"bart", "marian"}, "model.", bart_spec, bart_map}; }

} // namespace heed::models
