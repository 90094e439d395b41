#include "models/spec/spec.hpp"

#include "base/check.hpp"
#include "models/spec/head_width.hpp"
#include "text/vocabulary.hpp"

namespace heed::models {

namespace {

using base::ErrorKind;
using base::fail;

// Numbers in the weights of a layer's attention modules, its scores' parameters (three d_k × d_k a
// head) and its feed-forward network, about.
double layer_size(const ModelSpec& s, int attentions) {
    const double features = 1.0 * s.n_heads * head_width(s);
    const double maps = s.feed_forward.gated ? 3.0 : 2.0;
    const double shared = 2.0 + 2.0 * n_kv_heads(s) / s.n_heads; // of four maps
    return attentions * features * (shared * s.d_model + 3.0 * head_width(s)) +
           maps * s.d_model * s.d_ff;
}

double size_of(const ModelSpec& s) {
    double size = (2.0 * s.vocabulary + s.max_positions + 2.0 * s.d_model) * s.d_model;
    if (has_encoder(s)) size += s.n_encoder_layers * layer_size(s, 1);
    if (has_decoder(s)) size += s.n_decoder_layers * layer_size(s, has_cross(s) ? 2 : 1);
    return size;
}

base::Result<void> check_size(const ModelSpec& s) {
    const double dense = is_classifier(s) ? 1.0 * pooled_width(s) * s.dense : 0;
    if (dense > kMaxParameters) {
        return fail(ErrorKind::out_of_range, "max_positions",
                    fmt::format("is {}, which gives the dense layer {:.2g} weights; pool by mean, "
                                "or choose a shorter one",
                                s.max_positions, dense));
    }
    const double size = size_of(s) + dense;
    const double most = reads_words(s) ? kMaxParameters : kMaxCheckpointParameters;
    if (size <= most) return {};
    return fail(ErrorKind::out_of_range, "d_model",
                fmt::format("is {}, which with these layers makes a model of {:.3g} parameters; "
                            "at most {:.3g} are allowed",
                            s.d_model, size, most));
}

// Parts that only fit together: a classifier reads an encoder, and knows its words; a layer that is
// its attention alone is the only one.
base::Result<void> check_parts(const ModelSpec& s) {
    const auto refuse = [](const char* field, const char* why) {
        return fail(ErrorKind::mismatch, field, why);
    };
    if (is_classifier(s) && has_decoder(s)) {
        return refuse("architecture", "has a decoder; classes are read off an encoder alone");
    }
    if (s.one_text && has_encoder(s)) {
        return refuse("one_text", "is read by a decoder alone");
    }
    if (is_classifier(s) && !s.has_vocabulary && reads_words(s)) {
        return refuse("vocabulary", "lists no words, which a classifier knows by name");
    }
    if (s.layers == LayerKind::attention &&
        (!is_classifier(s) || has_decoder(s) || s.n_encoder_layers != 1)) {
        return refuse("layers", "are attention alone, which one layer of a classifier can be");
    }
    if (s.layers == LayerKind::attention && s.join != nn::Join::add) {
        return refuse("join", "reads a matrix, which a layer of attention alone has not");
    }
    const bool pre = s.norm == NormOrder::pre;
    if (s.feed_forward.parallel && (!pre || has_cross(s))) {
        return refuse("feed_forward.parallel",
                      "stands beside one attention, whose norm comes first: norm pre, one stack");
    }
    if (s.norms.shared && !s.feed_forward.parallel) {
        return refuse("norms.shared", "is of a parallel feed-forward");
    }
    if (s.positions == nn::Positions::learned && learned_length(s) < 1) {
        return refuse("embedding.position_offset", "leaves no row of max_positions");
    }
    if (s.norms.after && !pre)
        return refuse("norms.after", "stands beside a norm that comes first");
    if (s.embedding.pad >= 0 && s.embedding.position_offset < 1) {
        return refuse("embedding.pad", "reads a row of the positions before the first token's");
    }
    if (s.reads == Reads::patches && s.patches.image % s.patches.size != 0) {
        return refuse("patches.size", "does not divide the image");
    }
    if (s.reads == Reads::patches && has_decoder(s)) {
        return refuse("reads", "patches, which an encoder alone can");
    }
    if (s.pooling == Pooling::leading &&
        (s.reads != Reads::patches || s.patches.leading != 2 || s.dense != 0)) {
        return refuse("pooling", "is of an image's two leading tokens, without a dense layer");
    }
    const int first = static_cast<int>(text::Vocabulary::kFirstWord);
    if (s.has_vocabulary && s.vocabulary <= first) {
        return fail(ErrorKind::out_of_range, "vocabulary",
                    fmt::format("is {}; allowed are {} to {}", s.vocabulary, first + 1, 1 << 20));
    }
    return {};
}

base::Result<void> check_heads(const ModelSpec& s) {
    if (s.attention.head_width == 0) {
        const auto positions = s.attention.rotary_width > 0 ? nn::Positions::none : s.positions;
        if (auto ok = check_head_width(s.d_model, s.n_heads, positions); !ok) return ok;
    }
    if (s.n_heads % n_kv_heads(s) != 0) {
        return fail(
            ErrorKind::mismatch, "attention.n_kv_heads",
            fmt::format("is {}, which {} heads cannot share alike", n_kv_heads(s), s.n_heads));
    }
    const int turned = s.attention.rotary_width > 0 ? s.attention.rotary_width : head_width(s);
    if (turned > head_width(s) || (s.positions == nn::Positions::rotary && turned % 2 != 0)) {
        return fail(ErrorKind::mismatch, "attention.rotary_width",
                    fmt::format("is {}; an even number of a head's {} features is rotated", turned,
                                head_width(s)));
    }
    if (s.attention.relative_distance <= s.attention.relative_buckets / 2) {
        return fail(ErrorKind::mismatch, "attention.relative_distance",
                    fmt::format("is {}; it is more than half of the {} buckets",
                                s.attention.relative_distance, s.attention.relative_buckets));
    }
    return {};
}

} // namespace

nn::PositionSettings position_settings(const AttentionSpec& a) {
    nn::PositionSettings settings;
    settings.rotary = {a.rotary_pairs, a.rotary_base, a.rotary_width, std::nullopt};
    if (a.rotary_factor != 1) {
        settings.rotary.scaling = {a.rotary_factor, a.rotary_low, a.rotary_high,
                                   static_cast<double>(a.rotary_length)};
    }
    settings.relative = {a.relative_buckets, a.relative_distance};
    return settings;
}

const std::vector<NamedSize>& named_sizes() {
    static const std::vector<NamedSize> sizes = {{"tiny", 64, 4, 2, 128},
                                                 {"small", 128, 4, 3, 512},
                                                 {"medium", 256, 8, 4, 1024},
                                                 {"base", 512, 8, 6, 2048}};
    return sizes;
}

ModelSpec transformer_spec(const NamedSize& size, Architecture architecture) {
    ModelSpec s;
    s.architecture = architecture;
    set_size(s, size);
    return s;
}

void set_size(ModelSpec& s, const NamedSize& size) {
    s.d_model = size.d_model;
    s.n_heads = size.n_heads;
    s.n_encoder_layers = s.n_decoder_layers = size.n_layers;
    s.d_ff = size.d_ff;
}

ModelSpec classifier_spec() {
    static const int everyday = static_cast<int>(text::everyday_words().size());
    constexpr int kOtherRows = 61;
    ModelSpec s;
    s.architecture = Architecture::encoder_only;
    s.d_model = 64;
    s.n_heads = 1;
    s.n_encoder_layers = 1;
    s.n_decoder_layers = s.d_ff = 0;
    s.layers = LayerKind::attention;
    s.has_vocabulary = true;
    s.vocabulary = static_cast<int>(text::Vocabulary::kFirstWord) + everyday + kOtherRows;
    s.max_positions = 200;
    s.logits = Logits::classes;
    return s;
}

ModelSpec narrowest() { return transformer_spec({"narrowest", 64, 4, 1, 64}); }

base::Result<void> check(const ModelSpec& s) {
    if (auto ok = check_ranges(s); !ok) return ok;
    if (auto ok = check_parts(s); !ok) return ok;
    if (auto ok = check_heads(s); !ok) return ok;
    return check_size(s);
}

std::string_view name(Architecture architecture) { return word_of(architecture); }
std::string_view name(Pooling pooling) { return word_of(pooling); }

template <> Words<Architecture> words_of() {
    return {{"encoder-decoder", Architecture::encoder_decoder},
            {"encoder-only", Architecture::encoder_only},
            {"decoder-only", Architecture::decoder_only}};
}
template <> Words<LayerKind> words_of() {
    return {{"full", LayerKind::full}, {"attention", LayerKind::attention}};
}
template <> Words<Logits> words_of() {
    return {{"words", Logits::words}, {"classes", Logits::classes}, {"none", Logits::none}};
}
template <> Words<Pooling> words_of() {
    return {{"mean", Pooling::mean},
            {"flatten", Pooling::flatten},
            {"first", Pooling::first},
            {"leading", Pooling::leading}};
}
template <> Words<Reads> words_of() {
    return {{"words", Reads::words}, {"ids", Reads::ids}, {"patches", Reads::patches}};
}
template <> Words<Activation> words_of() {
    Words<Activation> words;
    for (const auto& row : nn::kActivationInfos) words.push_back({row.name, row.activation});
    return words;
}
template <> Words<nn::NormKind> words_of() {
    return {{"layer", nn::NormKind::layer}, {"rms", nn::NormKind::rms}};
}
template <> Words<nn::RotarySettings::Pairs> words_of() {
    using Pairs = nn::RotarySettings::Pairs;
    return {{"adjacent", Pairs::adjacent}, {"halves", Pairs::halves}};
}
template <> Words<NormOrder> words_of() {
    return {{"post", NormOrder::post}, {"pre", NormOrder::pre}};
}
template <> Words<nn::Join> words_of() {
    return {{"add", nn::Join::add}, {"concat", nn::Join::concatenate}};
}
template <> Words<nn::Positions> words_of() {
    Words<nn::Positions> words;
    for (const nn::Positions p : nn::kPositions) words.push_back({nn::name(p), p});
    return words;
}

} // namespace heed::models
