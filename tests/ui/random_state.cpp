#include "ui/random_state.hpp"

#include "app/document/names.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace heed::ui::test {

namespace {

template <class E> E any(TaskRng& rng) { return rng.of(app::names<E>()).value; }

template <class E> std::optional<E> perhaps(TaskRng& rng, int one_in) {
    return rng.one_in(one_in) ? std::optional(any<E>(rng)) : std::nullopt;
}

models::ModelSpec some_transformer(TaskRng& rng) {
    models::ModelSpec model = *models::spec_of(Driver::tiny().document.model);
    model.vocabulary = 200 + rng.roll(100);
    model.seed = static_cast<std::uint64_t>(rng.roll(1000));
    if (rng.one_in(2)) return model;
    model.architecture = any<models::Architecture>(rng);
    model.activation = any<models::Activation>(rng);
    model.norm = any<models::NormOrder>(rng);
    model.positions = any<nn::Positions>(rng);
    model.join = any<nn::Join>(rng);
    model.n_heads = 1 << rng.roll(4);
    model.d_model = model.n_heads * 2 * (1 + rng.roll(4));
    model.n_encoder_layers = 1 + rng.roll(3);
    model.n_decoder_layers = 1 + rng.roll(3);
    return model;
}

models::RecurrentConfig some_recurrent(TaskRng& rng) {
    models::RecurrentConfig model;
    if (rng.one_in(3)) model.shape = any<models::Shape>(rng);
    model.cell = any<nn::Cell>(rng);
    model.n_layers = 1 + rng.roll(2);
    model.bidirectional = rng.one_in(2);
    model.hidden = 4 + rng.roll(20);
    model.embedding = 4 + rng.roll(20);
    model.context = any<models::Context>(rng);
    model.order = any<models::StepOrder>(rng);
    model.projection = any<models::Projection>(rng);
    model.seed = static_cast<std::uint64_t>(rng.roll(1000));
    return model;
}

models::Config some_model(TaskRng& rng) {
    if (rng.one_in(4)) return some_recurrent(rng);
    return some_transformer(rng);
}

models::Decoding some_decoding(TaskRng& rng) {
    return {any<models::Decoding::Rule>(rng), 1 + rng.roll(5), rng.roll(8), rng.roll(3)};
}

models::Scope some_scope(TaskRng& rng, const models::Config& model) {
    models::Scope scope;
    if (rng.one_in(4)) return scope;
    scope.kind = any<trace::AttentionKind>(rng);
    const int layers = models::traits(model).layers(*scope.kind);
    if (layers == 0) return {};
    if (rng.one_in(4)) return scope;
    scope.layer = rng.roll(layers);
    if (!rng.one_in(4)) scope.head = rng.roll(models::traits(model).n_heads);
    return scope;
}

nn::Mask some_mask(TaskRng& rng) {
    nn::Mask mask;
    mask.causal = rng.one_in(2);
    mask.padding = rng.one_in(2);
    if (rng.one_in(2)) mask.window = rng.roll(4);
    for (int i = rng.one_in(2) ? rng.roll(12) : 0; i > 0; --i) {
        mask.painted.emplace_back(rng.roll(8), rng.roll(8));
    }
    std::sort(mask.painted.begin(), mask.painted.end());
    mask.painted.erase(std::unique(mask.painted.begin(), mask.painted.end()), mask.painted.end());
    return mask;
}

models::HeadControls some_head_controls(TaskRng& rng) {
    models::HeadControls c;
    c.score = perhaps<nn::Score>(rng, 3);
    if (rng.one_in(3)) {
        constexpr models::Scale::Kind kinds[] = {models::Scale::Kind::on, models::Scale::Kind::off,
                                                 models::Scale::Kind::factor};
        c.scale = models::Scale{rng.of(kinds), 1};
        if (c.scale->kind == models::Scale::Kind::factor) c.scale->factor = rng.between(-4, 4);
    }
    if (rng.one_in(4)) c.temperature = rng.between(0.05f, 8);
    if (rng.one_in(3)) c.mask = some_mask(rng);
    c.positions = perhaps<nn::Positions>(rng, 4);
    if (rng.one_in(3)) c.gain = rng.between(0, 2);
    if (rng.one_in(4)) c.edits = {{rng.roll(6), rng.roll(6), rng.between(0, 1)}};
    return c;
}

models::Controls some_controls(TaskRng& rng, const models::Config& model) {
    models::Controls controls;
    for (int i = rng.roll(4); i > 0; --i) {
        controls.set(some_scope(rng, model), some_head_controls(rng));
    }
    controls.norm = perhaps<models::NormOrder>(rng, 4);
    controls.join = perhaps<nn::Join>(rng, 6);
    if (rng.one_in(6)) controls.dropout.rate = rng.between(0, 0.9f);
    return controls;
}

app::Focus some_focus(TaskRng& rng) {
    app::Focus focus;
    focus.head.kind = any<trace::AttentionKind>(rng);
    focus.head.layer = rng.roll(3); // past the last one as well: a focus moves to what exists
    focus.head.head = rng.roll(6);
    if (rng.one_in(3)) focus.stage = any<trace::Stage>(rng);
    if (rng.one_in(5)) {
        focus.combine = any<trace::Combine>(rng);
        if (rng.one_in(2)) focus.layers = {rng.roll(2)};
        if (rng.one_in(2)) focus.heads = {rng.roll(2), 2 + rng.roll(2)};
    }
    focus.merge_words = rng.one_in(4);
    return focus;
}

app::ViewState some_view(TaskRng& rng) {
    app::ViewState view;
    view.view = any<app::View>(rng);
    if (rng.one_in(2)) view.selected = {rng.roll(12), rng.roll(12)};
    view.range = any<figure::RangeMode>(rng);
    if (rng.one_in(3)) view.scale = figure::ColourScale::logarithmic;
    view.palette = perhaps<figure::PaletteId>(rng, 3);
    if (rng.one_in(3)) view.compare = any<app::Compare>(rng);
    view.head_order = any<app::HeadOrder>(rng);
    view.heads_as = any<app::HeadsAs>(rng);
    view.inside_cards = any<app::InsideCards>(rng);
    view.head_colour = perhaps<inside::HeadScore>(rng, 3);
    view.head_least = rng.between(0, 1);
    view.scatter_x = any<inside::HeadScore>(rng);
    view.scatter_y = any<inside::HeadScore>(rng);
    if (rng.one_in(3)) view.overlay = {rng.roll(2), 2 + rng.roll(3)};
    view.threshold = rng.between(0, 1);
    view.columns = rng.one_in(2);
    view.position_room.kind = perhaps<nn::Positions>(rng, 3);
    if (rng.one_in(3)) view.position_room.d_model = 2 + rng.roll(100);
    view.position_room.length = 8 + rng.roll(249);
    if (rng.one_in(3)) view.position_room.base = static_cast<float>(10 + rng.roll(100000));
    view.softmax_factor = rng.between(1.0f / 64, 64);
    view.feature_order = any<figure::FeatureOrder>(rng);
    view.flow_rule = any<trace::FlowRule>(rng);
    view.against = any<app::Against>(rng);
    if (rng.one_in(5)) {
        view.viewport = {rng.between(0, 9), rng.between(0, 9), rng.between(0.1f, 9),
                         rng.between(0.1f, 9)};
    }
    view.numbers = !rng.one_in(3);
    view.dark = rng.one_in(2);
    return view;
}

} // namespace

void some_size(TaskRng& rng, Driver::Options& options) {
    constexpr std::pair<int, int> kSizes[] = {{1280, 800}, {1600, 1000}, {2560, 1440},
                                              {720, 480},  {900, 600},   {480, 320}};
    const auto& [width, height] = rng.of(kSizes);
    options.width = rng.one_in(3) ? 720 + rng.roll(1800) : width;
    options.height = rng.one_in(3) ? 480 + rng.roll(900) : height;
    constexpr float kScales[] = {1, 1, 1.25f, 2};
    options.scale = rng.of(kScales);
}

Driver::Options some_state(TaskRng& rng) {
    Driver::Options options;
    options.document.model = some_model(rng);
    if (rng.one_in(2)) options.document.source = base::to_valid_utf8(some_text(rng));
    if (rng.one_in(2)) options.document.target = base::to_valid_utf8(some_text(rng));
    if (rng.one_in(4)) options.document.segmentation = any<text::Segmentation>(rng);
    if (rng.one_in(5)) options.document.pad_to = rng.roll(24);
    if (rng.one_in(2)) options.document.decoding = some_decoding(rng);
    options.document.controls = some_controls(rng, options.document.model);
    if (rng.one_in(4)) options.document.resting = some_controls(rng, options.document.model);
    if (rng.one_in(3)) {
        app::InsideFocus& asked = options.document.inside;
        asked.token = rng.roll(20);
        asked.word = rng.roll(400);
        asked.instead = any<inside::Instead>(rng);
        asked.patch = any<app::PatchBy>(rng);
        asked.to = rng.roll(6);
    }
    options.focus = some_focus(rng);
    options.view = some_view(rng);
    some_size(rng, options);
    return options;
}

} // namespace heed::ui::test
