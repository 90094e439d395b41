// ViT (Dosovitskiy et al. 2021) and DeiT (Touvron et al. 2021): patches of an image as tokens, a
// class read off the first, or off the first two (DeiT with a teacher), whose logits are meaned.
#include "models/checkpoint/family.hpp"

namespace heed::models {

namespace {

ModelSpec vit_spec(Checkpoint& c) {
    ModelSpec s;
    s.architecture = Architecture::encoder_only;
    s.reads = Reads::patches;
    s.vocabulary = 1;
    s.n_decoder_layers = 0;
    s.d_model = c.config.size("hidden_size", 768);
    s.n_heads = c.config.size("num_attention_heads", 12);
    s.n_encoder_layers = c.config.size("num_hidden_layers", 12);
    s.d_ff = c.config.size("intermediate_size", 3072);
    s.activation = c.config.activation("hidden_act", "gelu");
    s.norm = NormOrder::pre;
    s.norm_epsilon = static_cast<float>(c.config.number("layer_norm_eps", 1e-12));
    s.embedding.factor = 1;
    s.attention.bias = c.config.flag("qkv_bias", true);
    s.positions = nn::Positions::learned;
    s.patches.image = c.config.size("image_size", 224);
    s.patches.size = c.config.size("patch_size", 16);
    s.patches.channels = c.config.size("num_channels", 3);
    s.patches.leading = c.type == "deit" ? 2 : 1;
    s.max_positions = s.patches.leading + n_patches(s);
    c.config.harmless({"encoder_stride", "num_labels", "is_decoder"});
    const bool two = c.has("distillation_classifier.weight") && c.has("cls_classifier.weight");
    s.pooling = two ? Pooling::leading : Pooling::first;
    s.dense = 0;
    s.logits = two || c.has("classifier.weight") ? Logits::classes : Logits::none;
    return s;
}

TensorMap vit_map(const ModelSpec& s, const Checkpoint& c) {
    TensorMap map;
    map.prefix = c.prefix;
    const std::string from = c.prefix + "embeddings.", layer = c.prefix + "encoder.layer.#.";
    const std::string attention = layer + "attention.attention.";
    std::vector<std::string> leading = {"=" + from + "cls_token"};
    if (s.patches.leading == 2) leading.push_back("=" + from + "distillation_token");
    map.rows = {
        {"=patches.leading.weight", leading, Layout::stacked},
        {"patches", {from + "patch_embeddings.projection"}},
        {"=positions.learned.weight", {"=" + from + "position_embeddings"}},
        {"encoder.layers.#.self_attn.in_proj",
         {attention + "query", attention + "key", attention + "value"}},
        {"encoder.layers.#.self_attn.out_proj", {layer + "attention.output.dense"}},
        {"encoder.layers.#.norm1", {layer + "layernorm_before"}},
        {"encoder.layers.#.linear1", {layer + "intermediate.dense"}},
        {"encoder.layers.#.linear2", {layer + "output.dense"}},
        {"encoder.layers.#.norm2", {layer + "layernorm_after"}},
        {"encoder.norm", {c.prefix + "layernorm"}},
        {"output", {s.pooling == Pooling::leading ? "cls_classifier" : "classifier"}},
        {"distilled", {"distillation_classifier"}},
    };
    map.ignored = {"pooler.*", from + "mask_token", "decoder.*"};
    if (s.logits == Logits::none) {
        for (const char* head : {"classifier.*", "cls_classifier.*", "distillation_classifier.*"}) {
            map.ignored.push_back(head);
        }
    }
    return map;
}

} // namespace

Family vit_family() { return {{"vit"}, "vit.", vit_spec, vit_map}; }
Family deit_family() { return {{"deit"}, "deit.", vit_spec, vit_map}; }

} // namespace heed::models
