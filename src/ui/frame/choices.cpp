#include "ui/frame/choices.hpp"

#include "app/document/changes.hpp"
#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "app/document/session.hpp"
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/frame/tips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace heed::ui {

using app::UndoTag;
using models::HeadControls;
using ScaleKind = models::Scale::Kind;

namespace {

models::Scope scope_now(const Panel& p) {
    return scope_of(p.state.choices.apply_to, p.focus().head);
}

/// Controls of a scope but those that change nothing: what holds there without them is the same.
HeadControls without_usual(const Panel& p, models::Controls controls, const models::Scope& scope,
                           HeadControls own) {
    controls.set(scope, {});
    const HeadControls around = effective(controls, scope);
    const nn::Score usual_score =
        around.score.value_or(models::traits(chosen_config(p)).usual_score);
    if (own.score == usual_score) own.score.reset();
    const models::Scale usual =
        around.scale.value_or(models::usual_scale(own.score.value_or(usual_score)));
    const bool by_hand = usual.kind == ScaleKind::factor;
    if (own.scale && own.scale->kind == usual.kind && (!by_hand || own.scale == usual))
        own.scale.reset();
    if (own.temperature == around.temperature.value_or(1)) own.temperature.reset();
    // A mask for several kinds at once stands for none of what is usual for each.
    if (own.mask && scope.kind &&
        *own.mask == mask_in(chosen_config(p), controls, scope, *scope.kind)) {
        own.mask.reset();
    }
    return own;
}

} // namespace

const models::Config& config_now(const Panel& p) {
    return p.snapshot().run ? p.snapshot().run->model->config() : p.document().model;
}

models::Traits traits_now(const Panel& p) { return models::traits(config_now(p)); }

std::string scope_name(const Panel& p, ApplyTo apply_to, const trace::HeadId& head) {
    return models::traits(chosen_config(p)).is_stepwise() ? "attention"
                                                          : scope_words(apply_to, head);
}

const models::Config& chosen_config(const Panel& p) { return p.work.chosen_config(); }

HeadControls controls_now(const Panel& p) { return effective(p.document().controls, scope_now(p)); }

void set_controls(Panel& p, UndoTag::Of of, const std::string& what, bool seal,
                  const std::function<void(HeadControls&)>& edit) {
    const models::Scope scope = scope_now(p);
    p.change({of, scope}, what + ", " + scope_name(p, p.state.choices.apply_to, p.focus().head),
             seal, [&](app::Document& d) {
                 HeadControls controls = d.controls.at(scope);
                 edit(controls);
                 d.controls.set(scope, without_usual(p, d.controls, scope, controls));
             });
}

void reset_controls(Panel& p) {
    set_controls(p, "reset", [](HeadControls& h) { h = HeadControls{}; });
}

bool has_controls(const Panel& p) { return !p.document().controls.at(scope_now(p)).empty(); }

models::Scale scale_now(const Panel& p) {
    const HeadControls now = controls_now(p);
    return now.scale.value_or(models::usual_scale(score_now(p)));
}

namespace {

/// What the switch puts on: the model's own factor or, where it never divides, 1/√dₖ.
models::Scale switched_scale(const Panel& p) {
    const models::Traits traits = models::traits(chosen_config(p));
    if (!never_divides(traits)) return {ScaleKind::on, 1};
    return {ScaleKind::factor, 1 / std::sqrt(static_cast<float>(traits.head_width))};
}

} // namespace

bool never_divides(const models::Traits& traits) { return traits.own_scale == 1; }

bool is_scaled(const Panel& p) {
    const models::Scale now = scale_now(p), on = switched_scale(p);
    return now.kind == on.kind && (now.kind == ScaleKind::on || now.factor == on.factor);
}

void toggle_scale(Panel& p) {
    const bool on = is_scaled(p);
    set_controls(p, on ? "scale off" : "scale on", [&](HeadControls& h) {
        h.scale = on ? models::Scale{ScaleKind::off, 1} : switched_scale(p);
        if (on && never_divides(models::traits(chosen_config(p))))
            h.scale.reset(); // off is what it was trained with
    });
}

nn::Mask mask_now(const Panel& p) {
    return mask_in(chosen_config(p), p.document().controls, scope_now(p), p.focus().head.kind);
}

bool mask_has(const Panel& p, MaskPart part) {
    const nn::Mask mask = mask_now(p);
    switch (part) {
    case MaskPart::none: return mask.empty() && !p.state.choices.painting;
    case MaskPart::padding: return mask.padding;
    case MaskPart::causal: return mask.causal;
    case MaskPart::window: return mask.window.has_value();
    case MaskPart::paint: return !mask.painted.empty() || p.state.choices.painting;
    }
    return false;
}

void choose_mask(Panel& p, MaskPart part) {
    constexpr std::size_t kLongestName = 40;
    const nn::Mask mask = mask_now(p);
    nn::Mask next = mask;
    switch (part) {
    case MaskPart::none:
        next = nn::Mask{};
        p.state.choices.painting = false;
        break;
    case MaskPart::padding: next.padding = !mask.padding; break;
    case MaskPart::causal: next.causal = !mask.causal; break;
    case MaskPart::window:
        next.window = mask.window ? std::nullopt : std::optional<num::Index>(2);
        break;
    case MaskPart::paint:
        if (p.state.choices.painting) {
            p.state.choices.painting = false;
        } else if (!mask.painted.empty()) {
            next.painted.clear();
        } else {
            p.state.choices.painting = true;
            p.state.view.view = app::View::heatmap;
        }
        break;
    }
    if (next == mask) return;
    const std::string words = app::write_mask(next, app::Counting::from_1).substr(0, kLongestName);
    set_controls(p, "mask " + words, [&](HeadControls& h) { h.mask = next; });
}

nn::Score score_now(const Panel& p) {
    return controls_now(p).score.value_or(models::traits(chosen_config(p)).usual_score);
}

std::optional<nn::Score> trained_score(const Panel& p) {
    const auto& run = p.snapshot().run;
    if (!run || !p.work.ran_present_model()) return std::nullopt;
    if (!(run->model->provenance() || run->model->reads_ids())) return std::nullopt;
    return run->model->traits().usual_score;
}

std::string tip_of_score(const Panel& p, nn::Score score) {
    const auto trained = trained_score(p);
    std::string words = score_tip(score);
    if (models::usual_scale(score).kind == ScaleKind::on && !never_divides(traits_now(p)))
        words += "\nScale 1/√dₖ comes with it, until it is switched off";
    if (!trained || *trained == score) return words;
    return words + "\nThis model was trained with " + std::string(nn::info(*trained).label) +
           ": with another score its weights do not fit, and what it says is mostly wrong";
}

void choose_score(Panel& p, nn::Score score) {
    set_controls(p, "score " + std::string(nn::info(score).label),
                 [&](HeadControls& h) { h.score = score; });
}

std::optional<models::NormOrder> norm_now(const Panel& p) {
    const auto usual = models::traits(chosen_config(p)).norm;
    return usual ? std::optional(p.document().controls.norm.value_or(*usual)) : std::nullopt;
}

std::optional<nn::Join> join_now(const Panel& p) {
    const auto usual = models::traits(chosen_config(p)).join;
    return usual ? std::optional(p.document().controls.join.value_or(*usual)) : std::nullopt;
}

namespace {

/// A value that is chosen, or none where it is the model's own.
template <class Value>
std::optional<Value> unless(Value chosen, const std::optional<Value>& usual) {
    return chosen == usual ? std::nullopt : std::optional(chosen);
}

} // namespace

void choose_norm(Panel& p, models::NormOrder order) {
    p.change(order == models::NormOrder::pre ? "norm before sublayers" : "norm after sublayers",
             [&](app::Document& d) {
                 d.controls.norm = unless(order, models::traits(chosen_config(p)).norm);
             });
}

void choose_join(Panel& p, nn::Join join) {
    p.change(app::join_words(join), [&](app::Document& d) {
        d.controls.join = unless(join, models::traits(chosen_config(p)).join);
    });
}

void toggle_dropout(Panel& p) {
    const bool on = p.document().controls.dropout.rate > 0;
    p.change(on ? "dropout off" : "dropout on",
             [&](app::Document& d) { d.controls.dropout.rate = on ? 0 : 0.1f; });
}

void draw_dropout_again(Panel& p) {
    p.change({UndoTag::Of::dropout_draw}, "dropout drawn again", false,
             [](app::Document& d) { ++d.controls.dropout.seed; });
}

namespace {

/// The document's transformer, or that of its file's form: where its model is of another kind, the
/// usual one takes its place.
models::ModelSpec& transformer_in(const Panel& p, app::Document& d) {
    if (const auto form = form_of_file(p)) d.model = *form;
    if (!models::traits(d.model).architecture) d.model = models::ModelSpec{};
    return std::get<models::ModelSpec>(d.model);
}

/// The document's model becomes an untrained one; what was changed in a file's goes, and is told.
void leave_model_file(Panel& p, app::Document& d) {
    if (d.model_file.empty()) return;
    d.model_file.clear();
    p.state.view.compare = app::Compare::off;
    d.controls = {};
    d.resting = {};
}

/// What is read goes along to a model that reads it on the other side: a decoder alone reads the
/// target or, where that is empty, the source.
void take_text(const Panel& p, app::Document& d, const models::Config& config) {
    const models::Traits before = models::traits(chosen_config(p)), next = models::traits(config);
    if (before.weights_alone || before.reads_source == next.reads_source) return;
    if (next.reads_source) {
        if (!d.target.empty()) d.source = std::exchange(d.target, "");
    } else if (!before.decodes) {
        d.target.clear(); // which was not in sight
    }
}

models::Config drawn_transformer(models::Architecture architecture) {
    models::ModelSpec spec;
    spec.architecture = architecture;
    return spec;
}

models::Config drawn_recurrent(nn::Cell cell) {
    models::RecurrentConfig config;
    config.cell = cell;
    return config;
}

using models::Architecture;
constexpr DrawnForm kTransformers[] = {
    {"encoder-decoder", "seq2seq sequence-to-sequence translation vaswani t5 bart",
     [] { return drawn_transformer(Architecture::encoder_decoder); }},
    {"encoder", "bert encoder-only", [] { return drawn_transformer(Architecture::encoder_only); }},
    {"decoder", "gpt llama language model decoder-only causal",
     [] { return drawn_transformer(Architecture::decoder_only); }}};
constexpr DrawnForm kRecurrent[] = {
    {"GRU", "seq2seq sequence-to-sequence rnn encoder-decoder bahdanau luong",
     [] { return drawn_recurrent(nn::Cell::gru); }},
    {"LSTM", "seq2seq sequence-to-sequence rnn encoder-decoder bahdanau luong",
     [] { return drawn_recurrent(nn::Cell::lstm); }},
    {"RNN", "seq2seq sequence-to-sequence elman encoder-decoder bahdanau luong",
     [] { return drawn_recurrent(nn::Cell::rnn); }}};
constexpr DrawnForm kClassifiers[] = {{"one layer", "class topic sentiment pooling",
                                       [] { return models::Config(models::classifier_spec()); }}};

} // namespace

std::span<const DrawnKind> drawn_kinds() {
    static constexpr DrawnKind kinds[] = {
        {"Transformer", "transformer", "Attention alone, in layers of heads.\nVaswani et al. 2017",
         kTransformers,
         [](const models::Traits& t) { return !t.is_stepwise() && !t.classifies(); }},
        {"Recurrent", "recurrent model",
         "A sequence-to-sequence model that reads word by word, with attention over what it "
         "read.\nBahdanau et al. 2015",
         kRecurrent, [](const models::Traits& t) { return t.is_stepwise(); }},
        {"Classifier", "classifier",
         "One layer of self-attention that sorts a sentence into a class.", kClassifiers,
         [](const models::Traits& t) { return t.classifies(); }}};
    return kinds;
}

void draw_model(Panel& p, const std::string& words, const models::Config& config) {
    p.change(words, [&](app::Document& d) {
        take_text(p, d, config);
        leave_model_file(p, d);
        d.model = config;
    });
    if (!app::in_explore(p.state.view.view)) return;
    if (models::traits(config).is_stepwise()) p.state.view.view = app::View::heatmap;
}

std::optional<models::Config> form_of_file(const Panel& p) {
    const models::Config& config = chosen_config(p);
    const models::Traits traits = models::traits(config);
    const bool of_words = !traits.weights_alone && !traits.reads_ids && !traits.reads_pictures;
    return !p.document().model_file.empty() && of_words ? std::optional(app::kept_form(config))
                                                        : std::nullopt;
}

bool has_size(const Panel& p, const models::NamedSize& size) {
    return p.document().model_file.empty() && models::has_size(p.document().model, size);
}

void choose_size(Panel& p, const models::NamedSize& size) {
    p.change(fmt::format("model {}", size.name), [&](app::Document& d) {
        models::ModelSpec& transformer = transformer_in(p, d);
        transformer = resized(transformer, size);
        leave_model_file(p, d);
    });
}

models::ModelSpec resized(const models::ModelSpec& before, const models::NamedSize& size) {
    models::ModelSpec spec = models::transformer_spec(size, before.architecture);
    spec.activation = before.activation;
    spec.seed = before.seed;
    return spec;
}

void choose_architecture(Panel& p, models::Architecture architecture, const std::string& words) {
    p.change(words + " model", [&](app::Document& d) {
        models::ModelSpec& transformer = transformer_in(p, d);
        transformer.architecture = architecture;
        take_text(p, d, transformer);
        leave_model_file(p, d);
    });
}

void choose_segmentation(Panel& p, text::Segmentation segmentation, const std::string& words) {
    p.change_text({}, "tokens are " + words, true,
                  [&](app::Document& d) { d.segmentation = segmentation; });
}

bool has_pieces(const Panel& p) {
    return p.document().segmentation != text::Segmentation::words || traits_now(p).reads_ids;
}

void toggle_merging(Panel& p) {
    change_focus(p, [](app::Focus& f) { f.merge_words = !f.merge_words; });
    p.state.view.viewport.reset(); // its cells are others
}

bool has_special(const Panel& p) {
    const auto& run = p.snapshot().run;
    return run && app::has_special(*run);
}

void toggle_special(Panel& p) {
    change_focus(p, [](app::Focus& f) { f.hide_special = !f.hide_special; });
    p.state.view.viewport.reset(); // its cells are others
}

bool has_said_rows(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return s.said && s.focus.head.kind == trace::AttentionKind::cross;
}

void name_rows(Panel& p, bool read) {
    change_focus(p, [&](app::Focus& f) { f.rows_read = read; });
}

void choose_room(Panel& p, app::View room) {
    app::View& now = p.state.view.view;
    const bool to_explore = room == app::View::heatmap;
    if (to_explore ? app::in_explore(now) : now == room) return;
    if (app::in_explore(now)) p.state.choices.explore_view = now;
    now = to_explore ? p.state.choices.explore_view : room;
}

bool has_kind(const Panel& p, trace::AttentionKind kind) { return traits_now(p).layers(kind) > 0; }

void choose_view(Panel& p, app::View view) {
    p.state.view.view = view;
    const bool encodes = p.focus().head.kind == trace::AttentionKind::encoder_self;
    const models::Traits traits = traits_now(p);
    const bool crosses = traits.layers(trace::AttentionKind::cross) > 0 && !traits.is_stepwise();
    if (view == app::View::step && encodes && crosses) choose_kind(p, trace::AttentionKind::cross);
}

void choose_stage(Panel& p, trace::Stage stage) {
    change_focus(p, [&](app::Focus& f) {
        f.stage = stage;
        if (stage == trace::Stage::weights || !f.combine) return;
        clear_head_filter(p, f); // heads are combined by their weights alone
        f.combine.reset();
    });
    p.state.view.view = app::View::heatmap;
}

void choose_compare(Panel& p, app::Compare way) {
    p.state.view.compare = way;
    if (way != app::Compare::off) p.state.view.view = app::View::heatmap;
}

void pin(Panel& p) {
    p.commands.push_back(Pin{});
    p.state.view.against = app::Against::pinned;
}

void choose_against(Panel& p, app::Against against) {
    p.state.view.against = against;
    // With nothing pinned there is nothing to choose: from here on it is what is shown.
    if (against == app::Against::pinned && !p.work.pinned()) pin(p);
}

void open_card(Panel& p, CardId id) {
    p.ui.leave_field();
    p.state.open_dialog = id;
}

} // namespace heed::ui
