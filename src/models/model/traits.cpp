#include "models/model/traits.hpp"

#include "models/model/model.hpp"
#include "models/model/sides.hpp"

#include <algorithm>

namespace heed::models {

using trace::AttentionKind;

namespace {

/// The traits that every kind of configuration answers for itself.
template <class C> Traits common(const C& c) {
    Traits t;
    t.form = form(c);
    t.width = width(c);
    t.n_heads = n_heads(c);
    t.head_width = t.width / t.n_heads;
    t.seed = c.seed;
    t.encodes = has_encoder(c);
    t.decodes = has_decoder(c);
    for (const AttentionKind kind : trace::kAttentionKinds) {
        t.attention_layers[static_cast<std::size_t>(kind)] = n_layers(c, kind);
    }
    t.usual_score = usual_score(c);
    t.usual_positions = usual_positions(c);
    return t;
}

Traits traits_of(const ModelSpec& c) {
    Traits t = common(c);
    t.output = is_classifier(c)                               ? Output::one_class
               : c.architecture == Architecture::encoder_only ? Output::word_at_each
                                                              : Output::sentence;
    t.has_vocabulary = reads_words(c) && (c.has_vocabulary || is_classifier(c));
    t.reads_ids = c.reads == Reads::ids;
    t.reads_pictures = c.reads == Reads::patches;
    t.patches = c.patches;
    t.has_feed_forward = c.layers == LayerKind::full;
    if (c.positions == nn::Positions::learned || is_classifier(c)) t.places = learned_length(c);
    t.one_text = c.one_text;
    t.reads_start = has_decoder(c) && reads_start(c);
    if (is_classifier(c)) t.pooling = c.pooling;
    if (!is_classifier(c)) t.architecture = c.architecture;
    t.head_width = head_width(c);
    t.heads_per_key = c.n_heads / n_kv_heads(c);
    const bool says_tokens = c.reads == Reads::ids && c.logits == Logits::words;
    t.has_beam = has_decoder(c) && (c.has_vocabulary || says_tokens);
    t.fills_masks = says_tokens && !has_decoder(c);
    t.own_scale = c.attention.scale;
    t.scale_by_layer = c.attention.scale_by_layer;
    t.cross_positions = c.attention.cross_positions;
    t.sines_first = c.embedding.sines_first;
    t.position_settings = position_settings(c.attention);
    t.source_leads = reads_source_first(c);
    t.reads_source = (has_encoder(c) && c.reads != Reads::patches) || t.source_leads;
    t.has_positions = t.has_dropout = true;
    if (c.layers == LayerKind::full) {
        t.norm = c.norm;
        t.join = c.join;
    }
    return t;
}

Traits traits_of(const StoredConfig& c) {
    Traits t;
    t.form = form(c);
    t.n_heads = c.n_heads;
    t.attention_layers = c.layers;
    t.encodes = t.weights_alone = true;
    t.sentences = c.sentences;
    t.output = Output::word_at_each;
    return t;
}

Traits traits_of(const RecurrentConfig& c) {
    Traits t = common(c);
    t.output = c.shape == Shape::n_to_n     ? Output::word_at_each
               : c.shape == Shape::n_to_one ? Output::one_word
                                            : Output::sentence;
    t.has_vocabulary = t.reads_source = true;
    t.reads_one_word = c.shape == Shape::one_to_n;
    t.has_beam = has_decoder(c);
    if (attends(c)) t.head_width = key_width(c);
    t.steps =
        Stepwise{c.shape, c.cell, c.n_layers, c.bidirectional, c.context, c.order, c.projection};
    return t;
}

} // namespace

Traits traits(const Config& config) {
    return std::visit([](const auto& c) { return traits_of(c); }, config);
}

bool Traits::attends() const {
    return std::any_of(attention_layers.begin(), attention_layers.end(),
                       [](int layers) { return layers > 0; });
}

float Traits::scale_factor(int layer) const {
    return models::scale_factor(own_scale, std::max(head_width, 1), scale_by_layer, layer);
}

nn::Positions Traits::positions(AttentionKind kind) const {
    const bool unplaced = kind == AttentionKind::cross && !cross_positions;
    return unplaced && !nn::joins_embedding(usual_positions) ? nn::Positions::none
                                                             : usual_positions;
}

std::optional<AttentionKind> Traits::aligning_attention() const {
    if (steps && steps->context != Context::attention) return std::nullopt;
    if (layers(AttentionKind::cross) > 0) return AttentionKind::cross;
    return source_leads ? std::optional(AttentionKind::decoder_self) : std::nullopt;
}

} // namespace heed::models
