// Traits say of every form of a model what its configuration means.
#include "catch.hpp"
#include "models/model/model.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>

using namespace heed::models;
using Kind = heed::trace::AttentionKind;

namespace {

Traits of_transformer(Architecture architecture, bool speaks) {
    ModelSpec config;
    config.architecture = architecture;
    config.n_encoder_layers = 2;
    config.n_decoder_layers = 3;
    config.has_vocabulary = speaks;
    return traits(config);
}

Traits of_recurrent(Shape shape, Context context = Context::attention) {
    RecurrentConfig config;
    config.shape = shape;
    config.context = context;
    return traits(config);
}

std::array<int, 3> layers(int encoder, int decoder, int cross) { return {encoder, decoder, cross}; }

} // namespace

TEST_CASE("an encoder-decoder has three kinds of attention, aligns by cross-attention") {
    const Traits t = of_transformer(Architecture::encoder_decoder, true);
    CHECK(t.attention_layers == layers(2, 3, 3));
    CHECK((t.encodes && t.decodes && t.reads_source && t.says_freely()));
    CHECK_FALSE((t.source_leads || t.is_stepwise() || t.classifies() || t.fills_masks));
    CHECK(t.has_beam);
    CHECK_FALSE(of_transformer(Architecture::encoder_decoder, false).has_beam);
    CHECK(t.output == Output::sentence);
    CHECK(t.aligning_attention() == Kind::cross);
    CHECK(t.norm == NormOrder::post);
    CHECK(t.join == heed::nn::Join::add);
    CHECK((t.has_positions && t.has_dropout));
    CHECK(t.usual_positions == heed::nn::Positions::sinusoidal);
    CHECK(t.width == 512);
    CHECK(t.n_heads == 8);
    CHECK(t.form == "encoder-decoder");
    CHECK(t.architecture == Architecture::encoder_decoder);
    CHECK((t.has_feed_forward && !t.places && !t.reads_pictures));
}

TEST_CASE("traits say where a model itself ends a sentence, and what else only some have") {
    ModelSpec config;
    config.positions = heed::nn::Positions::learned;
    config.max_positions = 40;
    config.embedding.position_offset = 2;
    CHECK(traits(config).places == 38);
    config.reads = Reads::patches;
    config.patches = {.image = 32, .size = 8, .channels = 1, .leading = 2};
    CHECK(traits(config).reads_pictures);
    CHECK(traits(config).patches == config.patches);
    CHECK(traits(StoredConfig{.layers = {1, 0, 0}, .n_heads = 2, .sentences = 3}).sentences == 3);
}

TEST_CASE("traits say the factor of a layer, and which positions a kind of attention has") {
    ModelSpec config;
    config.d_model = 18;
    config.n_heads = 3;
    CHECK(traits(config).scale_factor(1) == Approx(1 / std::sqrt(6.0f)));
    config.attention.scale_by_layer = true; // GPT-2's scale_attn_by_inverse_layer_idx
    CHECK(traits(config).scale_factor(0) == Approx(1 / std::sqrt(6.0f)));
    CHECK(traits(config).scale_factor(1) == Approx(0.5f / std::sqrt(6.0f)));
    config.attention.scale = 1; // T5
    config.attention.scale_by_layer = false;
    CHECK(traits(config).scale_factor(3) == 1);

    config.positions = heed::nn::Positions::relative;
    config.attention.cross_positions = false;
    config.attention.relative_buckets = 8;
    const Traits t5 = traits(config);
    CHECK(t5.positions(Kind::cross) == heed::nn::Positions::none);
    CHECK(t5.positions(Kind::encoder_self) == heed::nn::Positions::relative);
    CHECK(t5.position_settings.relative.buckets == 8);
    config.positions = heed::nn::Positions::learned; // which join the embedding of the decoder, too
    CHECK(traits(config).positions(Kind::cross) == heed::nn::Positions::learned);
}

TEST_CASE("what is set of a model that has it not changes nothing") {
    const Config encodes = ModelSpec{}, recurs = RecurrentConfig{};
    Config changed = encodes;
    set_one_text(changed, true);
    set_context(changed, Context::mean);
    CHECK(changed == encodes);
    changed = recurs;
    set_one_text(changed, true);
    CHECK(changed == recurs);
    set_context(changed, Context::mean);
    CHECK(traits(changed).steps->context == Context::mean);

    ModelSpec spec;
    spec.architecture = Architecture::decoder_only;
    changed = spec;
    set_one_text(changed, true);
    CHECK(traits(changed).one_text);
    CHECK_FALSE(traits(changed).reads_start);
    CHECK_FALSE(has_size(changed, named_sizes()[0]));
    set_size(spec, named_sizes()[0]);
    CHECK(has_size(Config(spec), named_sizes()[0]));
    CHECK_FALSE(has_size(Config(classifier_spec()), named_sizes()[0]));
}

TEST_CASE("a decoder alone reads the source first where it knows words") {
    const Traits speaking = of_transformer(Architecture::decoder_only, true);
    CHECK(speaking.attention_layers == layers(0, 3, 0));
    CHECK((speaking.source_leads && speaking.reads_source && speaking.says_freely()));
    CHECK(speaking.aligning_attention() == Kind::decoder_self);
    const Traits drawn = of_transformer(Architecture::decoder_only, false);
    CHECK_FALSE((drawn.source_leads || drawn.reads_source || drawn.says_freely()));
    CHECK_FALSE(drawn.aligning_attention());
}

TEST_CASE("an encoder alone says a word at each of the source's") {
    const Traits t = of_transformer(Architecture::encoder_only, true);
    CHECK(t.attention_layers == layers(2, 0, 0));
    CHECK(t.output == Output::word_at_each);
    CHECK_FALSE((t.decodes || t.says_freely()));
    CHECK_FALSE(t.aligning_attention());
}

TEST_CASE("a classifier has one layer of encoder attention and says one class") {
    const Traits t = traits(classifier_spec());
    CHECK(t.attention_layers == layers(1, 0, 0));
    CHECK((t.classifies() && t.encodes && t.reads_source && t.has_positions && t.has_dropout));
    CHECK_FALSE((t.decodes || t.is_stepwise() || t.norm || t.join || t.architecture));
    CHECK_FALSE(t.has_feed_forward);
    CHECK(t.places == classifier_spec().max_positions);
    CHECK(t.pooling == Pooling::mean);
    CHECK_FALSE(of_transformer(Architecture::encoder_only, true).pooling);
}

TEST_CASE("a recurrent model is stepwise, and attends in the shape n-m alone") {
    const Traits t = of_recurrent(Shape::n_to_m);
    CHECK(t.attention_layers == layers(0, 0, 1));
    CHECK((t.is_stepwise() && t.attends() && t.encodes && t.decodes && t.says_freely()));
    CHECK((t.has_beam && t.has_vocabulary && t.reads_source));
    CHECK_FALSE((t.has_positions || t.has_dropout || t.norm || t.join || t.architecture));
    CHECK(t.aligning_attention() == Kind::cross);
    CHECK(t.usual_score == heed::nn::Score::additive);
    CHECK_FALSE(of_recurrent(Shape::n_to_m, Context::mean).aligning_attention());

    const Traits each = of_recurrent(Shape::n_to_n), one = of_recurrent(Shape::n_to_one),
                 from = of_recurrent(Shape::one_to_n);
    CHECK_FALSE((each.attends() || one.attends() || from.attends()));
    CHECK(each.output == Output::word_at_each);
    CHECK(one.output == Output::one_word);
    CHECK(from.output == Output::sentence);
    CHECK((from.reads_one_word && from.decodes && !from.encodes && from.reads_source));
    CHECK_FALSE((each.decodes || one.decodes || each.has_beam));
}
