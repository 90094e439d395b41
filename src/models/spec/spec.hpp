// The specification of a transformer as one plain value: an encoder, a decoder or both, what their
// layers are made of, and what is read off in the end. Everything that a model is, but its numbers
// and its words, follows from it.
#pragma once

#include "base/result.hpp"
#include "models/spec/controls.hpp"
#include "models/spec/fields.hpp"
#include "nn/attention/position_info.hpp"
#include "nn/layers/activation.hpp"
#include "nn/layers/norm_order.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::models {

/// The stacks of a model. Layers of both are alike, but for cross-attention.
enum class Architecture { encoder_decoder, encoder_only, decoder_only };
using nn::Activation;

enum class LayerKind {
    full,      // attention and feed-forward, each with its norm and residual sum
    attention, // one layer that is its attention alone: no norm, no residual sum, no feed-forward
};

/// The kind of logits, which are read off the last layer.
enum class Logits {
    words,   // every row of the vocabulary, at each token
    classes, // every class, by a dense layer with ReLU, from one vector of the sentence
    none,    // nothing is read off
};

/// The way from the encoder's tokens to what the dense layer of a classifier reads, padding left
/// out.
enum class Pooling {
    mean,    // their mean: d_model numbers
    flatten, // all, one after another, zeros up to max_positions: max_positions · d_model numbers
    first,   // the first: d_model numbers
    leading, // each before an image's patches, by an output of its own, whose logits are meaned
};

/// The input that a model reads.
enum class Reads {
    words,   // a word finds its row of the embedding by its text
    ids,     // rows of the embedding themselves, which a tokeniser tells
    patches, // squares of an image, each by one linear map
};

/// The vector of a token before the first layer: its row of the table times the factor, its type's
/// row and its position's, which are added, normalised, and mapped to d_model where it is narrower.
struct EmbeddingSpec {
    float factor = 0;        // 0: sqrt(d_model)
    int width = 0;           // of these rows; 0: d_model
    int token_types = 0;     // rows of a table of types, such as the two sentences of BERT
    int position_offset = 0; // the row of the learned position table that the first token reads
    /// Tokens of this row of the table are padding wherever they stand: they read row
    /// position_offset − 1 of the positions, and the others count on without them. −1: none.
    int pad = -1;
    bool own_positions = false; // the decoder has a table of learned positions of its own
    bool sines_first = false;   // sinusoidal rows are all sines, then all cosines
    bool norm = false;
    bool operator==(const EmbeddingSpec&) const = default;
};

struct AttentionSpec {
    int n_kv_heads = 0;          // heads of keys and values, which heads share; 0: as many as heads
    int head_width = 0;          // features of a query of one head; 0: d_model / n_heads
    bool bias = true;            // of queries, keys and values
    bool output_bias = true;     // of the map that joins the heads
    bool head_norm = false;      // an RMS norm of each head's query and key, before rotation
    float scale = 0;             // factor on the scores; 0: 1/sqrt(head width)
    float softcap = 0;           // bounds them: nn::HeadSettings; 0: no bound
    bool scale_by_layer = false; // divided by the number of the layer, counted from 1
    /// Sliding windows of the layers in turn: queries of self-attention reach keys less than so
    /// many tokens away. 0: all keys.
    std::vector<int> windows;
    bool cross_positions = true; // cross-attention has the positions of heads as well
    nn::RotarySettings::Pairs rotary_pairs = nn::RotarySettings::Pairs::adjacent;
    double rotary_base = nn::kPositionBase;
    int rotary_width = 0; // first features of a head that are rotated; 0: all
    /// LLaMA 3's scaling (nn::RotaryScaling); a factor of 1: none.
    double rotary_factor = 1, rotary_low = 1, rotary_high = 4;
    int rotary_length = 8192;
    int relative_buckets = nn::kRelativeBuckets, relative_distance = 128;
    bool operator==(const AttentionSpec&) const = default;
};

struct FeedForwardSpec {
    bool gated = false;    // (f(x W1) ∘ x V) W2, Shazeer 2020
    bool bias = true;      // of its linear maps
    bool parallel = false; // it reads the layer's input, beside attention; pre-norm alone
    bool operator==(const FeedForwardSpec&) const = default;
};

struct NormSpec {
    nn::NormKind kind = nn::NormKind::layer;
    bool bias = true;    // of a layer norm
    bool shared = false; // a parallel feed-forward reads what attention reads
    bool last = true;    // a norm stands after the last layer of a stack
    bool after = false;  // pre-norm alone: what a sublayer gives is normalised as well
    bool operator==(const NormSpec&) const = default;
};

/// Logits of the vocabulary: x · Wᵀ · factor + bias.
struct LogitSpec {
    bool tied = false; // W is the embedding
    float factor = 1;
    bool bias = false;
    /// x is norm(f(x T + t)) of the last layer's x, as wide as the embedding, with f the model's
    /// activation and a layer norm (BERT).
    bool transform = false;
    float softcap = 0; // bounds the logits z: softcap · tanh(z / softcap); 0: no bound
    bool operator==(const LogitSpec&) const = default;
};

/// The tokens of an image: `leading` learned vectors, then its patches, row by row.
struct PatchSpec {
    int image = 224; // pixels a side
    int size = 16;   // of a patch
    int channels = 3;
    int leading = 1; // the token that classes are read off, and that of a distillation
    bool operator==(const PatchSpec&) const = default;
};

struct ModelSpec {
    Architecture architecture = Architecture::encoder_decoder;
    int d_model = 512;
    int n_heads = 8;
    int n_encoder_layers = 6; // not read where there is no encoder
    int n_decoder_layers = 6; // not read where there is no decoder
    LayerKind layers = LayerKind::full;
    bool shared_layers = false; // all layers of a stack have the same weights
    Reads reads = Reads::words;
    int d_ff = 2048;
    Activation activation = Activation::relu;
    NormOrder norm = NormOrder::post;
    nn::Positions positions = nn::Positions::sinusoidal;
    nn::Join join = nn::Join::add;
    int vocabulary = 8192; // rows of the embedding; a token finds its row by a hash, unless
    /// those rows are a list of words that the model knows: then a decoder reads ⟨start⟩ before the
    /// target, and can say what follows.
    bool has_vocabulary = false;
    /// One text, of a decoder alone that speaks: no ⟨start⟩ stands between the source and the
    /// target, which goes on from it. It is a language model of one text, and says what follows a
    /// text that it is given where it is asked to.
    bool one_text = false;
    /// Rows of the learned position table. A classifier reads no more tokens: the rest is cut.
    int max_positions = 4096;
    std::uint64_t seed = 1; // of the draws that the weights are
    float norm_epsilon = 1e-5f;
    Logits logits = Logits::words;
    Pooling pooling = Pooling::mean; // of classes, as is
    int dense = 256;                 // the width of the dense layer; 0: there is none
    EmbeddingSpec embedding{};
    AttentionSpec attention{};
    FeedForwardSpec feed_forward{};
    NormSpec norms{};
    LogitSpec word_logits{};
    PatchSpec patches{}; // of a model that reads them
    bool operator==(const ModelSpec&) const = default;
};

constexpr bool has_encoder(const ModelSpec& s) {
    return s.architecture != Architecture::decoder_only;
}
constexpr bool has_decoder(const ModelSpec& s) {
    return s.architecture != Architecture::encoder_only;
}
constexpr bool has_cross(const ModelSpec& s) {
    return s.architecture == Architecture::encoder_decoder;
}
constexpr bool is_classifier(const ModelSpec& s) { return s.logits == Logits::classes; }
/// True where it comes from elsewhere, with a reader of its own in place of Heed's words.
constexpr bool reads_words(const ModelSpec& s) { return s.reads == Reads::words; }
/// Layers of the stack that holds this kind of attention; 0 where the model has none of it.
constexpr int n_layers(const ModelSpec& s, trace::AttentionKind kind) {
    if (kind == trace::AttentionKind::encoder_self) return has_encoder(s) ? s.n_encoder_layers : 0;
    if (kind == trace::AttentionKind::cross && !has_cross(s)) return 0;
    return has_decoder(s) ? s.n_decoder_layers : 0;
}
/// Features of a query, a key and a value of one head.
constexpr int head_width(const ModelSpec& s) {
    return s.attention.head_width > 0 ? s.attention.head_width : s.d_model / s.n_heads;
}
constexpr int n_kv_heads(const ModelSpec& s) {
    return s.attention.n_kv_heads > 0 ? s.attention.n_kv_heads : s.n_heads;
}
/// Features of a row of the embedding.
constexpr int embedding_width(const ModelSpec& s) {
    return s.embedding.width > 0 ? s.embedding.width : s.d_model;
}
constexpr int n_patches(const ModelSpec& s) {
    const int a_side = s.patches.image / s.patches.size;
    return a_side * a_side;
}
/// Tokens that a table of learned positions has rows for.
constexpr int learned_length(const ModelSpec& s) {
    return s.max_positions - s.embedding.position_offset;
}
nn::PositionSettings position_settings(const AttentionSpec& attention);
/// Features of a sentence that a classifier's dense layer reads.
constexpr int pooled_width(const ModelSpec& s) {
    if (s.pooling == Pooling::leading) return s.patches.leading * s.d_model;
    return s.pooling == Pooling::flatten ? s.max_positions * s.d_model : s.d_model;
}

// As every configuration tells them (models/model.hpp).
constexpr int n_heads(const ModelSpec& s) { return s.n_heads; }
constexpr int width(const ModelSpec& s) { return s.d_model; }
constexpr nn::Score usual_score(const ModelSpec&) { return nn::kDotScore; }
constexpr nn::Positions usual_positions(const ModelSpec& s) { return s.positions; }

/// Named sizes, smallest first: "tiny", "small", "medium", "base" (the 2017 paper's).
struct NamedSize {
    const char* name;
    int d_model, n_heads, n_layers, d_ff;
};
const std::vector<NamedSize>& named_sizes();

/// The transformer of Vaswani et al. 2017 in one of these sizes.
ModelSpec transformer_spec(const NamedSize& size,
                           Architecture architecture = Architecture::encoder_decoder);
/// Width, heads, layers of both stacks and feed-forward; the rest stays.
void set_size(ModelSpec& spec, const NamedSize& size);
/// One layer of self-attention, pooled, whose words are everyday ones: which topic is a headline
/// about?
ModelSpec classifier_spec();
/// One narrow layer a stack, for measuring what lies outside of the model.
ModelSpec narrowest();

/// The most tokens a side that a run takes.
inline constexpr std::size_t kMaxTokens = 2048;
/// The largest model that is made or read: 4 GiB of float32.
inline constexpr double kMaxParameters = 1024.0 * 1024 * 1024;
/// The largest from elsewhere: no more than a slip of the pen is refused here, since the file has
/// to be as large.
inline constexpr double kMaxCheckpointParameters = 256 * kMaxParameters;

/// Errors, each with the field as its subject: mismatch where d_model is not divisible by n_heads
/// (both numbers named) or rotary positions meet an odd head width; out_of_range.
base::Result<void> check(const ModelSpec& spec);

/// "encoder-decoder", "encoder-only", "decoder-only".
std::string_view name(Architecture architecture);
/// "mean", "flatten", "first", "leading".
std::string_view name(Pooling pooling);
/// The architecture's name, or "classifier".
inline std::string_view form(const ModelSpec& s) {
    return is_classifier(s) ? "classifier" : name(s.architecture);
}

template <> Words<Architecture> words_of();
template <> Words<LayerKind> words_of();
template <> Words<Logits> words_of();
template <> Words<Pooling> words_of();
template <> Words<Reads> words_of();
template <> Words<Activation> words_of();
template <> Words<NormOrder> words_of();
template <> Words<nn::Positions> words_of();
template <> Words<nn::Join> words_of();
template <> Words<nn::NormKind> words_of();
template <> Words<nn::RotarySettings::Pairs> words_of();

/// Parts of a specification: a file may leave out what is as usual.
template <class Spec, class Visitor> void part_fields(Spec& s, Visitor&& v) {
    constexpr double kMost = 1e6, kAny = -1e-30; // factors from 0 on
    v(Field{"embedding.factor", kAny, kMost, false}, s.embedding.factor);
    v(Field{"embedding.width", 0, 16384, false}, s.embedding.width);
    v(Field{"embedding.token_types", 0, 1024, false}, s.embedding.token_types);
    v(Field{"embedding.position_offset", 0, 1024, false}, s.embedding.position_offset);
    v(Field{"embedding.pad", -1, 1 << 20, false}, s.embedding.pad);
    v(Field{"embedding.own_positions", 0, 0, false}, s.embedding.own_positions);
    v(Field{"embedding.sines_first", 0, 0, false}, s.embedding.sines_first);
    v(Field{"embedding.norm", 0, 0, false}, s.embedding.norm);
    v(Field{"attention.n_kv_heads", 0, 256, false}, s.attention.n_kv_heads);
    v(Field{"attention.head_width", 0, 4096, false}, s.attention.head_width);
    v(Field{"attention.bias", 0, 0, false}, s.attention.bias);
    v(Field{"attention.output_bias", 0, 0, false}, s.attention.output_bias);
    v(Field{"attention.scale", kAny, kMost, false}, s.attention.scale);
    v(Field{"attention.head_norm", 0, 0, false}, s.attention.head_norm);
    v(Field{"attention.softcap", kAny, kMost, false}, s.attention.softcap);
    v(Field{"attention.scale_by_layer", 0, 0, false}, s.attention.scale_by_layer);
    v(Field{"attention.windows", 0, 1 << 20, false}, s.attention.windows);
    v(Field{"attention.cross_positions", 0, 0, false}, s.attention.cross_positions);
    v(Field{"attention.rotary_pairs", 0, 0, false}, s.attention.rotary_pairs);
    v(Field{"attention.rotary_base", 1, 1e12, false}, s.attention.rotary_base);
    v(Field{"attention.rotary_width", 0, 4096, false}, s.attention.rotary_width);
    v(Field{"attention.rotary_factor", 0, kMost, false}, s.attention.rotary_factor);
    v(Field{"attention.rotary_low", 0, kMost, false}, s.attention.rotary_low);
    v(Field{"attention.rotary_high", 0, kMost, false}, s.attention.rotary_high);
    v(Field{"attention.rotary_length", 1, 1 << 30, false}, s.attention.rotary_length);
    v(Field{"attention.relative_buckets", 4, 4096, false}, s.attention.relative_buckets);
    v(Field{"attention.relative_distance", 4, 1 << 20, false}, s.attention.relative_distance);
    v(Field{"feed_forward.gated", 0, 0, false}, s.feed_forward.gated);
    v(Field{"feed_forward.bias", 0, 0, false}, s.feed_forward.bias);
    v(Field{"feed_forward.parallel", 0, 0, false}, s.feed_forward.parallel);
    v(Field{"norms.kind", 0, 0, false}, s.norms.kind);
    v(Field{"norms.bias", 0, 0, false}, s.norms.bias);
    v(Field{"norms.shared", 0, 0, false}, s.norms.shared);
    v(Field{"norms.last", 0, 0, false}, s.norms.last);
    v(Field{"norms.after", 0, 0, false}, s.norms.after);
    v(Field{"word_logits.tied", 0, 0, false}, s.word_logits.tied);
    v(Field{"word_logits.factor", 0, kMost, false}, s.word_logits.factor);
    v(Field{"word_logits.bias", 0, 0, false}, s.word_logits.bias);
    v(Field{"word_logits.transform", 0, 0, false}, s.word_logits.transform);
    v(Field{"word_logits.softcap", kAny, kMost, false}, s.word_logits.softcap);
    v(Field{"patches.image", 1, 4096, false}, s.patches.image);
    v(Field{"patches.size", 1, 4096, false}, s.patches.size);
    v(Field{"patches.channels", 1, 64, false}, s.patches.channels);
    v(Field{"patches.leading", 0, 16, false}, s.patches.leading);
}

/// Every field but `has_vocabulary`, once (models/fields.hpp): in a file, a list of words tells
/// that. Ranges are wide enough for every published transformer that fits into this program's
/// memory, and narrow enough that a forged file cannot ask for terabytes.
template <class Spec, class Visitor>
requires std::is_same_v<std::remove_const_t<Spec>, ModelSpec>
void fields(Spec& s, Visitor&& v) {
    const double least_ff = s.layers == LayerKind::full ? 1 : 0;
    const double most_positions = is_classifier(s) ? kMaxTokens : 1 << 20;
    v(Field{"architecture"}, s.architecture);
    v(Field{"layers", 0, 0, false}, s.layers);
    v(Field{"logits", 0, 0, false}, s.logits);
    v(Field{"reads", 0, 0, false}, s.reads);
    v(Field{"shared_layers", 0, 0, false}, s.shared_layers);
    v(Field{"one_text", 0, 0, false}, s.one_text);
    v(Field{"d_model", 1, 16384}, s.d_model);
    v(Field{"n_heads", 1, 256}, s.n_heads);
    v(Field{"n_encoder_layers", has_encoder(s) ? 1.0 : 0.0, 128}, s.n_encoder_layers);
    v(Field{"n_decoder_layers", has_decoder(s) ? 1.0 : 0.0, 128}, s.n_decoder_layers);
    v(Field{"d_ff", least_ff, 65536}, s.d_ff);
    v(Field{"vocabulary", 1, 1 << 20}, s.vocabulary);
    v(Field{"max_positions", 1, most_positions}, s.max_positions);
    v(Field{"seed"}, s.seed);
    v(Field{"norm_epsilon", 0, 1}, s.norm_epsilon);
    v(Field{"activation"}, s.activation);
    v(Field{"norm"}, s.norm);
    v(Field{"join"}, s.join);
    v(Field{"positions"}, s.positions);
    v(Field{"pooling", 0, 0, false}, s.pooling);
    v(Field{"dense", reads_words(s) ? 1.0 : 0.0, 65536, false}, s.dense);
    part_fields(s, v);
}

} // namespace heed::models
