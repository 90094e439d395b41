#include "models/checkpoint/gguf.hpp"

#include "base/utf8.hpp"
#include "models/checkpoint/family.hpp"
#include "models/checkpoint/rotary_divisors.hpp"
#include "models/checkpoint/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace heed::models {

using base::ErrorKind;
using base::fail;
using tensors::Json;

namespace {

using Pairs = nn::RotarySettings::Pairs;

struct GgufArchitecture {
    std::string_view name;
    void (*read)(Checkpoint&, ModelSpec&);
};

/// A tensor's share of what rotary frequencies are divided by: LLaMA 3's scaling, worked out.
void read_divisors(Checkpoint& c, AttentionSpec& a) {
    const char* const name = "rope_freqs.weight";
    const auto found = find_tensor(c.files, c.prefix, name);
    if (!found.file) return;
    const auto count = tensors::element_count(found.entry->shape);
    if (!count || *count > kMaxTokens || a.rotary_factor != 1) {
        return c.config.refuse(name, "its numbers are not those of one head, or stand beside "
                                     "another scaling of rotary positions");
    }
    std::vector<float> divisors(*count);
    if (const auto ok = found.file->read(*found.entry, divisors); !ok) {
        return c.config.refuse(name, base::describe(ok.error()));
    }
    if (!fit_rotary_scaling(divisors, a)) {
        c.config.refuse(name, "Heed knows the scaling of LLaMA 3, and its numbers are others");
    }
}

void read_gguf_rotary(Checkpoint& c, ModelSpec& s, Pairs pairs) {
    AttentionSpec& a = s.attention;
    s.positions = nn::Positions::rotary;
    s.max_positions = std::min(s.max_positions, static_cast<int>(kMaxTokens));
    a.rotary_pairs = pairs;
    a.rotary_base = c.config.number("rope.freq_base", 10000);
    const int turned = c.config.size("rope.dimension_count", head_width(s));
    if (turned != head_width(s)) a.rotary_width = turned;
    const std::string type = c.config.text("rope.scaling.type", "linear");
    const double older = c.config.number("rope.scale_linear", 1);
    const double factor = c.config.number("rope.scaling.factor", older);
    if (type == "linear" && factor != 0 && factor != 1) {
        // Every wavelength is longer than one token: all angles are divided.
        a.rotary_factor = factor;
        a.rotary_low = 1;
        a.rotary_length = 1;
    } else if (type != "linear" && type != "none") {
        c.config.refuse("rope.scaling.type", "Heed knows none and linear");
    }
    if (c.config.number("rope.scaling.attn_factor", 1) != 1) {
        c.config.refuse("rope.scaling.attn_factor", "Heed knows 1");
    }
    c.config.harmless({"rope.scaling.original_context_length", "rope.scaling.finetuned"});
    read_divisors(c, a);
}

/// The settings that LLaMA and its kin have in common.
void read_rms_layers(Checkpoint& c, ModelSpec& s, Pairs pairs) {
    s.activation = Activation::silu;
    s.norms.kind = nn::NormKind::rms;
    s.norm_epsilon = static_cast<float>(c.config.number("attention.layer_norm_rms_epsilon", 1e-5));
    s.feed_forward.gated = true;
    s.feed_forward.bias = c.has("blk.0.ffn_down.bias");
    s.attention.bias = c.has("blk.0.attn_q.bias");
    s.attention.output_bias = c.has("blk.0.attn_output.bias");
    s.attention.head_norm = c.has("blk.0.attn_q_norm.weight");
    read_gguf_rotary(c, s, pairs);
}

void read_window(Checkpoint& c, ModelSpec& s) {
    const int window = c.config.id("attention.sliding_window", 0); // Phi-4's files say 0
    if (window > 0) s.attention.windows = {window};
}

// Rows of queries and keys were put in another order, so that those of a pair are neighbours. Both
// alike: scores are the same.
void read_llama(Checkpoint& c, ModelSpec& s) {
    read_rms_layers(c, s, Pairs::adjacent);
    read_window(c, s); // Mistral
}

void read_qwen(Checkpoint& c, ModelSpec& s) { read_rms_layers(c, s, Pairs::halves); }

void read_phi3(Checkpoint& c, ModelSpec& s) {
    read_rms_layers(c, s, Pairs::halves);
    read_window(c, s);
}

/// Gains have the 1 that a checkpoint's lack.
void read_gemma(Checkpoint& c, ModelSpec& s) {
    read_rms_layers(c, s, Pairs::halves);
    s.activation = Activation::gelu_tanh;
    s.embedding.factor = std::sqrt(static_cast<float>(s.d_model));
}

void read_gemma2(Checkpoint& c, ModelSpec& s) {
    read_gemma(c, s);
    s.norms.after = true;
    AttentionSpec& a = s.attention;
    a.softcap = static_cast<float>(c.config.number("attn_logit_softcapping", 50));
    s.word_logits.softcap = static_cast<float>(c.config.number("final_logit_softcapping", 30));
    a.windows = {c.config.size("attention.sliding_window", 4096), 0};
    // The file does not say what scores are divided by: only the model of 27 billion, which has 46
    // layers, takes d_model / n_heads for the width of a head.
    const int layers_of_27b = 46;
    const double width =
        s.n_decoder_layers == layers_of_27b ? 1.0 * s.d_model / s.n_heads : 1.0 * head_width(s);
    a.scale = static_cast<float>(1 / std::sqrt(width));
}

void read_gpt2(Checkpoint& c, ModelSpec& s) {
    s.activation = Activation::gelu_tanh;
    s.norm_epsilon = static_cast<float>(c.config.number("attention.layer_norm_epsilon", 1e-5));
    s.positions = nn::Positions::learned;
}

constexpr GgufArchitecture kArchitectures[] = {
    {"llama", read_llama},   {"qwen2", read_qwen}, {"qwen3", read_qwen}, {"gemma", read_gemma},
    {"gemma2", read_gemma2}, {"phi3", read_phi3},  {"gpt2", read_gpt2}};

const GgufArchitecture* architecture_of(std::string_view name) {
    const auto* found = std::find_if(std::begin(kArchitectures), std::end(kArchitectures),
                                     [&](const auto& a) { return a.name == name; });
    return found == std::end(kArchitectures) ? nullptr : found;
}

std::string known_architectures() {
    std::string text;
    for (const auto& a : kArchitectures) text += (text.empty() ? "" : ", ") + std::string(a.name);
    return text;
}

ModelSpec gguf_spec(Checkpoint& c) {
    ModelSpec s;
    s.architecture = Architecture::decoder_only;
    s.reads = Reads::ids;
    s.n_encoder_layers = 0;
    s.norm = NormOrder::pre;
    s.embedding.factor = 1;
    const auto table = find_tensor(c.files, c.prefix, "token_embd.weight");
    if (table.file) {
        s.vocabulary = static_cast<int>(std::min<std::int64_t>(table.entry->shape[0], 1 << 30));
    }
    s.d_model = c.config.size("embedding_length");
    s.n_heads = c.config.size("attention.head_count");
    s.n_decoder_layers = c.config.size("block_count");
    s.d_ff = c.config.size("feed_forward_length");
    s.max_positions = c.config.size("context_length");
    s.attention.n_kv_heads = c.config.size("attention.head_count_kv", s.n_heads);
    s.attention.head_width =
        c.config.size("attention.key_length", std::max(s.d_model / s.n_heads, 1));
    c.config.only_equal("attention.value_length", head_width(s), "attention.key_length");
    c.config.only("attention.causal", true);
    if (c.config.id("expert_count", 0) > 0) {
        c.config.refuse("expert_count", "Heed runs models without experts");
    }
    // What is as long as a tensor is, or is told of files alone.
    c.config.harmless({"vocab_size", "expert_used_count", "tensor_data_layout", "pooling_type"});
    s.word_logits.tied = !c.has("output.weight");
    architecture_of(c.type)->read(c, s);
    return s;
}

TensorMap gguf_map(const ModelSpec& s, const Checkpoint& c) {
    const std::string ours = "decoder.layers.#.", theirs = "blk.#.";
    TensorMap map;
    map.rows = {
        {"embedding", {"token_embd"}},
        {ours + "self_attn.out_proj", {theirs + "attn_output"}},
        {ours + "self_attn.query_norm", {theirs + "attn_q_norm"}},
        {ours + "self_attn.key_norm", {theirs + "attn_k_norm"}},
        {ours + "linear2", {theirs + "ffn_down"}},
        {ours + "norm1", {theirs + "attn_norm"}},
        {ours + "after1", {theirs + "post_attention_norm"}},
        {ours + "norm3", {theirs + "ffn_norm"}},
        {ours + "after3", {theirs + "post_ffw_norm"}},
        {"decoder.norm", {"output_norm"}},
        {"output", {"output"}},
    };
    if (s.positions == nn::Positions::learned) {
        map.rows.push_back({"positions.learned", {"position_embd"}});
    }
    if (c.has("blk.0.attn_qkv.weight")) {
        map.rows.push_back({ours + "self_attn.in_proj", {theirs + "attn_qkv"}});
    } else {
        map.rows.push_back({ours + "self_attn.in_proj",
                            {theirs + "attn_q", theirs + "attn_k", theirs + "attn_v"}});
    }
    const bool halves = s.feed_forward.gated && !c.has("blk.0.ffn_gate.weight"); // Phi-3
    if (halves) {
        map.rows.push_back({ours + "linear1", {theirs + "ffn_up"}, Layout::first_half});
        map.rows.push_back({ours + "gate", {theirs + "ffn_up"}, Layout::second_half});
    } else {
        const char* first = s.feed_forward.gated ? "ffn_gate" : "ffn_up";
        map.rows.push_back({ours + "linear1", {theirs + first}});
        map.rows.push_back({ours + "gate", {theirs + "ffn_up"}});
    }
    map.ignored = {"rope_freqs.weight"}; // read_divisors()
    return map;
}

/// A value as config.json would have it; a list's texts are no setting of a model.
Json json_of(const tensors::GgufValue& value) {
    return std::visit(
        [](const auto& v) -> Json {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_same_v<T, std::string>)
                return base::to_valid_utf8(v);
            else if constexpr (std::is_same_v<T, std::vector<std::string>>)
                return Json::array({""});
            else
                return v;
        },
        value);
}

} // namespace

std::string gguf_architecture(const tensors::GgufFile& file) {
    const auto* name = file.header().find<std::string>("general.architecture");
    return name ? base::to_valid_utf8(*name) : std::string();
}

base::Result<ConfigFile> gguf_settings(const tensors::GgufFile& file) {
    const auto& header = file.header();
    const auto* type = header.find<std::string>("general.type");
    if (type && *type != "model") {
        return fail(ErrorKind::unsupported, file.path(),
                    fmt::format("holds no model, but \"{:.40}\" (\"general.type\")",
                                base::to_valid_utf8(*type)));
    }
    const std::string name = gguf_architecture(file), before = name + ".";
    if (!architecture_of(name)) {
        return fail(ErrorKind::unsupported, file.path(),
                    fmt::format("\"general.architecture\" is \"{:.40}\"; Heed knows {}", name,
                                known_architectures()));
    }
    const auto* parts = header.find<std::uint64_t>("split.count");
    if (parts && *parts > 1) {
        return fail(
            ErrorKind::unsupported, file.path(),
            fmt::format("is one of {} parts; join them with llama-gguf-split --merge", *parts));
    }
    Json settings = Json::object();
    auto& members = *settings.get_ptr<Json::object_t*>(); // appended: a look-up each is quadratic
    for (const auto& [key, value] : header.values) {
        if (key.starts_with(before)) {
            members.emplace_back(key.substr(before.size()), json_of(value));
        }
    }
    return ConfigFile(std::move(settings), file.path(), before);
}

Family gguf_family() { return {{}, "", gguf_spec, gguf_map}; }

} // namespace heed::models
