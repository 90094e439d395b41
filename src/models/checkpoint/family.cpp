#include "models/checkpoint/family.hpp"

#include "models/checkpoint/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace heed::models {

namespace {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        gpt2_family(), llama_family(),   gemma_family(),      phi3_family(),   neox_family(),
        bert_family(), roberta_family(), distilbert_family(), albert_family(), bart_family(),
        t5_family(),   vit_family(),     deit_family()};
    return all;
}

/// The rule by which rotary angles are scaled, "rope_type" of `given`.
void read_scaling(ConfigFile& config, ConfigFile& given, const char* key, AttentionSpec& a) {
    const std::string type = given.text("rope_type", given.text("type", "default"));
    given.harmless({"type"});
    if (type == "default") return;
    a.rotary_factor = given.number("factor", 1);
    if (type == "linear") {
        // Every wavelength is longer than one token: all angles are divided.
        a.rotary_low = 1;
        a.rotary_length = 1;
    } else if (type == "llama3") {
        a.rotary_low = given.number("low_freq_factor", 1);
        a.rotary_high = given.number("high_freq_factor", 4);
        a.rotary_length = given.size("original_max_position_embeddings", 8192);
    } else {
        config.refuse(key, "Heed knows the rope_type default, linear and llama3");
    }
}

} // namespace

bool Checkpoint::has(const std::string& name) const {
    return find_tensor(files, prefix, name).file != nullptr;
}

bool Checkpoint::differ(const std::string& name, const std::string& other) const {
    const auto first = find_tensor(files, prefix, name), second = find_tensor(files, prefix, other);
    if (!first.file || !second.file) return false;
    const auto size = first.entry->end - first.entry->begin;
    if (first.entry->element != second.entry->element || first.entry->shape != second.entry->shape)
        return true;
    constexpr std::uint64_t kBlock = 1 << 20;
    std::string theirs(kBlock, '\0'), others(kBlock, '\0');
    for (std::uint64_t at = 0; at < size; at += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, size - at));
        const std::span<char> left(theirs.data(), count), right(others.data(), count);
        // What cannot be read is said when the weights are.
        if (!first.file->read(*first.entry, left, at)) return false;
        if (!second.file->read(*second.entry, right, at)) return false;
        if (!std::equal(left.begin(), left.end(), right.begin())) return true;
    }
    return false;
}

const Family* family_of(std::string_view type) {
    for (const Family& family : families()) {
        if (std::find(family.types.begin(), family.types.end(), type) != family.types.end()) {
            return &family;
        }
    }
    return nullptr;
}

std::string known_types() {
    std::string text;
    for (const Family& family : families()) {
        for (const auto type : family.types) text += (text.empty() ? "" : ", ") + std::string(type);
    }
    return text;
}

ModelSpec decoder_spec(Checkpoint& c) {
    ModelSpec s;
    s.architecture = Architecture::decoder_only;
    s.reads = Reads::ids;
    s.n_encoder_layers = 0;
    s.norm = NormOrder::pre;
    s.embedding.factor = 1;
    s.vocabulary = c.config.size("vocab_size");
    c.config.only("is_encoder_decoder", false);
    c.config.only("add_cross_attention", false);
    c.config.harmless({"is_decoder", "pruned_heads"});
    if (const auto* pruned = c.config.object("pruned_heads"); pruned && !pruned->empty()) {
        c.config.refuse("pruned_heads", "Heed keeps all heads of a layer");
    }
    if (c.config.has("quantization_config")) {
        c.config.refuse("quantization_config", "Heed reads F32, F16 and BF16");
    }
    return s;
}

ModelSpec encoder_spec(Checkpoint& c) {
    ModelSpec s = decoder_spec(c);
    c.config.only("is_decoder", false);
    s.architecture = Architecture::encoder_only;
    s.n_decoder_layers = 0;
    s.norm = NormOrder::post;
    s.norms.last = false;
    s.embedding.norm = true;
    s.positions = nn::Positions::learned;
    return s;
}

void read_rotary(Checkpoint& c, ModelSpec& s, double share) {
    AttentionSpec& a = s.attention;
    s.positions = nn::Positions::rotary;
    a.rotary_pairs = nn::RotarySettings::Pairs::halves;
    a.rotary_base = c.config.number("rope_theta", c.config.number("rotary_emb_base", 10000));
    share = c.config.number("partial_rotary_factor", c.config.number("rotary_pct", share));
    c.config.harmless({"rotary_emb_base", "rotary_pct"});
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
        const auto* object = c.config.object(key);
        if (!object) continue;
        ConfigFile given(*object, fmt::format("{}: \"{}\"", c.config.path(), key));
        a.rotary_base = given.number("rope_theta", a.rotary_base);
        share = given.number("partial_rotary_factor", share);
        read_scaling(c.config, given, key, a);
        if (auto ok = given.finish(); !ok) c.config.refuse(key, ok.error().message);
    }
    if (!(share > 0 && share <= 1)) {
        c.config.refuse("partial_rotary_factor", "a share above 0, up to 1, is expected");
    } else if (share < 1) {
        a.rotary_width = static_cast<int>(head_width(s) * share);
    }
    // Its table of learned positions is one that a person can switch on.
    s.max_positions =
        std::min(c.config.size("max_position_embeddings", 2048), static_cast<int>(kMaxTokens));
}

void read_windows(Checkpoint& c, ModelSpec& s, int window) {
    const auto* types = c.config.list("layer_types");
    if (!types) {
        if (window > 0) s.attention.windows = {window};
        return;
    }
    const int span = c.config.size("sliding_window", 1);
    s.attention.windows.clear();
    for (const auto& type : *types) {
        const bool sliding = type == "sliding_attention";
        if (!sliding && type != "full_attention") {
            c.config.refuse("layer_types", "Heed knows full_attention and sliding_attention");
        }
        if (sliding && !c.config.has("sliding_window")) {
            c.config.refuse("layer_types", "\"sliding_window\" lacks");
        }
        s.attention.windows.push_back(sliding ? span : 0);
    }
    if (std::ssize(*types) != s.n_decoder_layers) {
        c.config.refuse("layer_types", fmt::format("{} layers are expected", s.n_decoder_layers));
    }
    const auto& windows = s.attention.windows;
    if (std::all_of(windows.begin(), windows.end(), [](int w) { return w == 0; })) {
        s.attention.windows.clear();
    }
}

void read_tied(Checkpoint& c, ModelSpec& s, bool usual, const std::string& embedding,
               const std::string& head) {
    s.word_logits.tied = c.config.flag("tie_word_embeddings", usual) && !c.differ(embedding, head);
    if (!s.word_logits.tied && !c.has(head)) s.logits = Logits::none;
}

void ignore_copies(const Checkpoint& c, TensorMap& map, const std::string& of,
                   std::initializer_list<const char*> names) {
    for (const char* name : names) {
        if (!c.differ(of, name)) map.ignored.emplace_back(name);
    }
}

} // namespace heed::models
