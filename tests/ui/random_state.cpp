#include "ui/random_state.hpp"

#include "app/document/names.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace heed::ui::test {

namespace {

template <class E> E any(Dice& dice) { return dice.of(app::names<E>()).value; }

template <class E> std::optional<E> perhaps(Dice& dice, int one_in) {
    return dice.one_in(one_in) ? std::optional(any<E>(dice)) : std::nullopt;
}

models::ModelSpec some_transformer(Dice& dice) {
    models::ModelSpec model = *models::transformer_of(Driver::tiny().document.model);
    model.vocabulary = 200 + dice.roll(100);
    model.seed = static_cast<std::uint64_t>(dice.roll(1000));
    if (dice.one_in(2)) return model;
    model.architecture = any<models::Architecture>(dice);
    model.activation = any<models::Activation>(dice);
    model.norm = any<models::NormOrder>(dice);
    model.positions = any<nn::Positions>(dice);
    model.join = any<nn::Join>(dice);
    model.n_heads = 1 << dice.roll(4);
    model.d_model = model.n_heads * 2 * (1 + dice.roll(4));
    model.n_encoder_layers = 1 + dice.roll(3);
    model.n_decoder_layers = 1 + dice.roll(3);
    return model;
}

models::RecurrentConfig some_recurrent(Dice& dice) {
    models::RecurrentConfig model;
    if (dice.one_in(3)) model.shape = any<models::Shape>(dice);
    model.cell = any<nn::Cell>(dice);
    model.n_layers = 1 + dice.roll(2);
    model.bidirectional = dice.one_in(2);
    model.hidden = 4 + dice.roll(20);
    model.embedding = 4 + dice.roll(20);
    model.context = any<models::Context>(dice);
    model.order = any<models::StepOrder>(dice);
    model.projection = any<models::Projection>(dice);
    model.seed = static_cast<std::uint64_t>(dice.roll(1000));
    return model;
}

models::Config some_model(Dice& dice) {
    if (dice.one_in(4)) return some_recurrent(dice);
    return some_transformer(dice);
}

models::Decoding some_decoding(Dice& dice) {
    return {any<models::Decoding::Rule>(dice), 1 + dice.roll(5), dice.roll(8), dice.roll(3)};
}

models::Scope some_scope(Dice& dice, const models::Config& model) {
    models::Scope scope;
    if (dice.one_in(4)) return scope;
    scope.kind = any<trace::AttentionKind>(dice);
    const int layers = models::traits(model).layers(*scope.kind);
    if (layers == 0) return {};
    if (dice.one_in(4)) return scope;
    scope.layer = dice.roll(layers);
    if (!dice.one_in(4)) scope.head = dice.roll(models::traits(model).n_heads);
    return scope;
}

nn::Mask some_mask(Dice& dice) {
    nn::Mask mask;
    mask.causal = dice.one_in(2);
    mask.padding = dice.one_in(2);
    if (dice.one_in(2)) mask.window = dice.roll(4);
    for (int i = dice.one_in(2) ? dice.roll(12) : 0; i > 0; --i) {
        mask.painted.emplace_back(dice.roll(8), dice.roll(8));
    }
    std::sort(mask.painted.begin(), mask.painted.end());
    mask.painted.erase(std::unique(mask.painted.begin(), mask.painted.end()), mask.painted.end());
    return mask;
}

models::HeadControls some_head_controls(Dice& dice) {
    models::HeadControls c;
    c.score = perhaps<nn::Score>(dice, 3);
    if (dice.one_in(3)) {
        constexpr models::Scale::Kind kinds[] = {models::Scale::Kind::on, models::Scale::Kind::off,
                                                 models::Scale::Kind::factor};
        c.scale = models::Scale{dice.of(kinds), 1};
        if (c.scale->kind == models::Scale::Kind::factor) c.scale->factor = dice.between(-4, 4);
    }
    if (dice.one_in(4)) c.temperature = dice.between(0.05f, 8);
    if (dice.one_in(3)) c.mask = some_mask(dice);
    c.positions = perhaps<nn::Positions>(dice, 4);
    if (dice.one_in(3)) c.gain = dice.between(0, 2);
    if (dice.one_in(4)) c.edits = {{dice.roll(6), dice.roll(6), dice.between(0, 1)}};
    return c;
}

models::Controls some_controls(Dice& dice, const models::Config& model) {
    models::Controls controls;
    for (int i = dice.roll(4); i > 0; --i) {
        controls.set(some_scope(dice, model), some_head_controls(dice));
    }
    controls.norm = perhaps<models::NormOrder>(dice, 4);
    controls.join = perhaps<nn::Join>(dice, 6);
    if (dice.one_in(6)) controls.dropout.rate = dice.between(0, 0.9f);
    return controls;
}

app::Focus some_focus(Dice& dice) {
    app::Focus focus;
    focus.head.kind = any<trace::AttentionKind>(dice);
    focus.head.layer = dice.roll(3); // past the last one as well: a focus moves to what exists
    focus.head.head = dice.roll(6);
    if (dice.one_in(3)) focus.stage = any<trace::Stage>(dice);
    if (dice.one_in(5)) {
        focus.combine = any<trace::Combine>(dice);
        if (dice.one_in(2)) focus.layers = {dice.roll(2)};
        if (dice.one_in(2)) focus.heads = {dice.roll(2), 2 + dice.roll(2)};
    }
    focus.merge_words = dice.one_in(4);
    return focus;
}

app::ViewState some_view(Dice& dice) {
    app::ViewState view;
    view.view = any<app::View>(dice);
    if (dice.one_in(2)) view.selected = {dice.roll(12), dice.roll(12)};
    view.range = any<figure::RangeMode>(dice);
    if (dice.one_in(3)) view.scale = figure::ColourScale::logarithmic;
    view.palette = perhaps<figure::PaletteId>(dice, 3);
    if (dice.one_in(3)) view.compare = any<app::Compare>(dice);
    view.head_order = any<app::HeadOrder>(dice);
    if (dice.one_in(3)) view.overlay = {dice.roll(2), 2 + dice.roll(3)};
    view.threshold = dice.between(0, 1);
    view.columns = dice.one_in(2);
    view.position_room.kind = perhaps<nn::Positions>(dice, 3);
    if (dice.one_in(3)) view.position_room.d_model = 2 + dice.roll(100);
    view.position_room.length = 8 + dice.roll(249);
    view.softmax_factor = dice.between(1.0f / 64, 64);
    view.feature_order = any<figure::FeatureOrder>(dice);
    view.flow_rule = any<trace::FlowRule>(dice);
    view.against = any<app::Against>(dice);
    if (dice.one_in(5)) {
        view.viewport = {dice.between(0, 9), dice.between(0, 9), dice.between(0.1f, 9),
                         dice.between(0.1f, 9)};
    }
    view.numbers = !dice.one_in(3);
    view.dark = dice.one_in(2);
    return view;
}

} // namespace

void some_size(Dice& dice, Driver::Options& options) {
    constexpr std::pair<int, int> kSizes[] = {{1280, 800}, {1600, 1000}, {2560, 1440},
                                              {720, 480},  {900, 600},   {480, 320}};
    const auto& [width, height] = dice.of(kSizes);
    options.width = dice.one_in(3) ? 720 + dice.roll(1800) : width;
    options.height = dice.one_in(3) ? 480 + dice.roll(900) : height;
    constexpr float kScales[] = {1, 1, 1.25f, 2};
    options.scale = dice.of(kScales);
}

Driver::Options some_state(Dice& dice) {
    Driver::Options options;
    options.document.model = some_model(dice);
    if (dice.one_in(2)) options.document.source = base::to_valid_utf8(some_text(dice));
    if (dice.one_in(2)) options.document.target = base::to_valid_utf8(some_text(dice));
    if (dice.one_in(4)) options.document.segmentation = any<text::Segmentation>(dice);
    if (dice.one_in(5)) options.document.pad_to = dice.roll(24);
    if (dice.one_in(2)) options.document.decoding = some_decoding(dice);
    options.document.controls = some_controls(dice, options.document.model);
    if (dice.one_in(4)) options.document.resting = some_controls(dice, options.document.model);
    options.focus = some_focus(dice);
    options.view = some_view(dice);
    some_size(dice, options);
    return options;
}

} // namespace heed::ui::test
