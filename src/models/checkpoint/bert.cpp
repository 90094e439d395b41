// BERT (Devlin et al. 2019) and RoBERTa (Liu et al. 2019) with its kin. A model without the head of
// masked words opens as well, and says nothing; heads of other tasks are left aside.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec bert_spec(Checkpoint& c) {
    const bool roberta = c.type != "bert";
    ModelSpec s = encoder_spec(c);
    s.d_model = c.config.size("hidden_size");
    s.n_heads = c.config.size("num_attention_heads");
    s.n_encoder_layers = c.config.size("num_hidden_layers");
    s.d_ff = c.config.size("intermediate_size");
    s.activation = c.config.activation("hidden_act", "gelu");
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_eps", 1e-12));
    s.max_positions = c.config.size("max_position_embeddings", 512);
    s.embedding.token_types = c.config.size("type_vocab_size", 2);
    c.config.only_text("position_embedding_type", "absolute");
    if (roberta) {
        s.embedding.pad = c.config.id("pad_token_id", 1);
        s.embedding.position_offset = s.embedding.pad + 1;
    }
    const std::string head = roberta ? "lm_head." : "cls.predictions.";
    s.word_logits.tied =
        c.config.flag("tie_word_embeddings", true) &&
        !c.differ(c.prefix + "embeddings.word_embeddings.weight", head + "decoder.weight");
    if (c.has(head + (roberta ? "dense.weight" : "transform.dense.weight"))) {
        s.word_logits.transform = s.word_logits.bias = true;
    } else {
        s.logits = Logits::none;
    }
    return s;
}

TensorMap bert_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.prefix = c.prefix;
    const bool roberta = c.type != "bert";
    const std::string from = c.prefix + "embeddings.", layer = c.prefix + "encoder.layer.#.";
    const std::string head = roberta ? "lm_head." : "cls.predictions.";
    const std::string dense = roberta ? "dense" : "transform.dense";
    const std::string norm = roberta ? "layer_norm" : "transform.LayerNorm";
    // Where a file has both and they differ, the library adds the second.
    const std::string bias = c.has(head + "decoder.bias") ? "decoder.bias" : "bias";
    map.rows = {
        {"embedding", {from + "word_embeddings"}},
        {"token_types", {from + "token_type_embeddings"}},
        {"positions.learned", {from + "position_embeddings"}},
        {"encoder.embedding.norm", {from + "LayerNorm"}},
        {"encoder.layers.#.self_attn.in_proj",
         {layer + "attention.self.query", layer + "attention.self.key",
          layer + "attention.self.value"}},
        {"encoder.layers.#.self_attn.out_proj", {layer + "attention.output.dense"}},
        {"encoder.layers.#.norm1", {layer + "attention.output.LayerNorm"}},
        {"encoder.layers.#.linear1", {layer + "intermediate.dense"}},
        {"encoder.layers.#.linear2", {layer + "output.dense"}},
        {"encoder.layers.#.norm2", {layer + "output.LayerNorm"}},
        {"transform", {head + dense}},
        {"transform.norm", {head + norm}},
        {"=output.weight", {"=" + head + "decoder.weight"}},
        {"=output.bias", {"=" + head + bias}},
    };
    map.ignored = {from + "position_ids", "pooler.*", "cls.seq_relationship.*", "classifier.*",
                   "qa_outputs.*"};
    if (s.logits != Logits::none) {
        map.ignored.push_back(head + "bias");
        map.ignored.push_back(head + "decoder.bias");
    }
    if (s.word_logits.tied) map.ignored.push_back(head + "decoder.weight");
    return map;
}

} // namespace

Family bert_family() { return {{"bert"}, "bert.", bert_spec, bert_map}; }
Family roberta_family() {
    return {{"roberta", "xlm-roberta", "camembert"}, "roberta.", bert_spec, bert_map};
}

} // namespace heed::models
