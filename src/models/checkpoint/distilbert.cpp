// DistilBERT (Sanh et al. 2019): BERT without types of tokens, with names of its own.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec distilbert_spec(Checkpoint& c) {
    ModelSpec s = encoder_spec(c);
    s.d_model = c.config.size("dim", 768);
    s.n_heads = c.config.size("n_heads", 12);
    s.n_encoder_layers = c.config.size("n_layers", 6);
    s.d_ff = c.config.size("hidden_dim", 3072);
    s.activation = c.config.activation("activation", "gelu");
    s.norm_epsilon = 1e-12f; // fixed in its code
    s.max_positions = c.config.size("max_position_embeddings", 512);
    c.config.harmless({"sinusoidal_pos_embds", "tie_weights_"}); // its table is in the file
    s.word_logits.tied =
        c.config.flag("tie_word_embeddings", true) &&
        !c.differ(c.prefix + "embeddings.word_embeddings.weight", "vocab_projector.weight");
    if (c.has("vocab_transform.weight")) {
        s.word_logits.transform = s.word_logits.bias = true;
    } else {
        s.logits = Logits::none;
    }
    return s;
}

TensorMap distilbert_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.prefix = c.prefix;
    const std::string from = c.prefix + "embeddings.", layer = c.prefix + "transformer.layer.#.";
    map.rows = {
        {"embedding", {from + "word_embeddings"}},
        {"positions.learned", {from + "position_embeddings"}},
        {"encoder.embedding.norm", {from + "LayerNorm"}},
        {"encoder.layers.#.self_attn.in_proj",
         {layer + "attention.q_lin", layer + "attention.k_lin", layer + "attention.v_lin"}},
        {"encoder.layers.#.self_attn.out_proj", {layer + "attention.out_lin"}},
        {"encoder.layers.#.norm1", {layer + "sa_layer_norm"}},
        {"encoder.layers.#.linear1", {layer + "ffn.lin1"}},
        {"encoder.layers.#.linear2", {layer + "ffn.lin2"}},
        {"encoder.layers.#.norm2", {layer + "output_layer_norm"}},
        {"transform", {"vocab_transform"}},
        {"transform.norm", {"vocab_layer_norm"}},
        {"output", {"vocab_projector"}},
    };
    map.ignored = {from + "position_ids", "pre_classifier.*", "classifier.*", "qa_outputs.*"};
    if (s.word_logits.tied) map.ignored.push_back("vocab_projector.weight");
    return map;
}

} // namespace

Family distilbert_family() {
    return {{"distilbert"}, "distilbert.", distilbert_spec, distilbert_map};
}

} // namespace heed::models
