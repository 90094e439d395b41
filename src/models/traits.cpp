#include "models/traits.hpp"

#include "models/model.hpp"
#include "models/sides.hpp"

#include <algorithm>

namespace heed::models {

using trace::AttentionKind;

namespace {

Traits traits_of(const ModelSpec& c) {
    Traits t;
    t.output =
        c.architecture == Architecture::encoder_only ? Output::word_at_each : Output::sentence;
    t.has_vocabulary = c.speaks;
    t.source_leads = reads_source_first(c);
    t.reads_source = has_encoder(c) || t.source_leads;
    if (is_classifier(c)) t.output = Output::one_class;
    if (c.layers == LayerKind::full) {
        t.norm = c.norm;
        t.join = c.join;
    }
    return t;
}

Traits traits_of(const RecurrentConfig& c) {
    Traits t;
    t.output = c.shape == Shape::n_to_n     ? Output::word_at_each
               : c.shape == Shape::n_to_one ? Output::one_word
                                            : Output::sentence;
    t.has_vocabulary = t.reads_source = true;
    t.reads_one_word = c.shape == Shape::one_to_n;
    t.has_beam = has_decoder(c);
    t.steps = Stepwise{c.shape, c.cell, c.bidirectional, c.context, c.order, c.projection};
    return t;
}

} // namespace

Traits traits(const Config& config) {
    Traits t = std::visit([](const auto& c) { return traits_of(c); }, config);
    t.form = form(config);
    t.width = width(config);
    t.n_heads = n_heads(config);
    t.seed = seed(config);
    t.encodes = has_encoder(config);
    t.decodes = has_decoder(config);
    for (const AttentionKind kind : trace::kAttentionKinds) {
        t.attention_layers[static_cast<std::size_t>(kind)] = n_layers(config, kind);
    }
    t.usual_score = usual_score(config);
    t.usual_positions = usual_positions(config);
    t.has_positions = t.has_dropout = !t.is_stepwise();
    return t;
}

bool Traits::attends() const {
    return std::any_of(attention_layers.begin(), attention_layers.end(),
                       [](int layers) { return layers > 0; });
}

std::optional<AttentionKind> Traits::aligning_attention() const {
    if (steps && steps->context != Context::attention) return std::nullopt;
    if (layers(AttentionKind::cross) > 0) return AttentionKind::cross;
    return source_leads ? std::optional(AttentionKind::decoder_self) : std::nullopt;
}

} // namespace heed::models
