#include "ui/frame/choices.hpp"

#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/shown_cell.hpp"
#include "ui/frame/tips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heed::ui {

using app::UndoTag;
using models::HeadControls;
using ScaleKind = models::Scale::Kind;

namespace {

models::Scope scope_now(const Panel& p) {
    return scope_of(p.state.choices.apply_to, p.focus().head);
}

void change_focus(Panel& p, const std::function<void(app::Focus&)>& edit) {
    app::Focus focus = p.focus();
    edit(focus);
    p.commands.push_back(ChangeFocus{focus});
}

} // namespace

const models::Config& config_now(const Panel& p) {
    return p.snapshot().run ? p.snapshot().run->model->config() : p.document().model;
}

models::Traits traits_now(const Panel& p) { return models::traits(config_now(p)); }

const models::Config& chosen_config(const Panel& p) {
    return p.document().model_file.empty() ? p.document().model : config_now(p);
}

HeadControls controls_now(const Panel& p) { return effective(p.document().controls, scope_now(p)); }

void set_controls(Panel& p, UndoTag::Of of, const std::string& what, bool seal,
                  const std::function<void(HeadControls&)>& edit) {
    const models::Scope scope = scope_now(p);
    p.change({of, scope}, what + ", " + scope_words(p.state.choices.apply_to, p.focus().head), seal,
             [&](app::Document& d) {
                 HeadControls controls = d.controls.at(scope);
                 edit(controls);
                 d.controls.set(scope, controls);
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

void toggle_scale(Panel& p) {
    const bool on = scale_now(p).kind == ScaleKind::on;
    set_controls(p, on ? "scale off" : "scale on", [&](HeadControls& h) {
        h.scale = models::Scale{on ? ScaleKind::off : ScaleKind::on, 1};
    });
}

nn::Mask mask_now(const Panel& p) {
    return mask_in(config_now(p), p.document().controls, scope_now(p), p.focus().head.kind);
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
    if (!run || !(run->model->provenance() || run->model->reads_ids())) return std::nullopt;
    return run->model->traits().usual_score;
}

std::string tip_of_score(const Panel& p, nn::Score score) {
    const auto trained = trained_score(p);
    if (!trained || *trained == score) return score_tip(score);
    return score_tip(score) + "\nThis model was trained with " +
           std::string(nn::info(*trained).label) +
           "; with another score it does not know what to do";
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

void choose_norm(Panel& p, models::NormOrder order) {
    p.change(order == models::NormOrder::pre ? "norm before sublayers" : "norm after sublayers",
             [&](app::Document& d) { d.controls.norm = order; });
}

void choose_join(Panel& p, nn::Join join) {
    p.change(join == nn::Join::concatenate ? "positions concatenated" : "positions added",
             [&](app::Document& d) { d.controls.join = join; });
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

/// The document's transformer: where its model is of another kind, the usual one takes its place.
models::ModelSpec& transformer_in(app::Document& d) {
    if (!models::traits(d.model).architecture) d.model = models::ModelSpec{};
    return std::get<models::ModelSpec>(d.model);
}

} // namespace

void leave_model_file(Panel& p, app::Document& d) {
    if (d.model_file.empty()) return;
    d.model_file.clear();
    p.state.view.compare = app::Compare::off;
    d.controls = {};
    d.resting = {};
}

std::span<const DrawnKind> drawn_kinds() {
    static constexpr DrawnKind kinds[] = {
        {"Transformer", "transformer", "Attention alone, in layers of heads.\nVaswani et al. 2017",
         [] { return models::Config(models::ModelSpec{}); },
         [](const models::Traits& t) { return !t.is_stepwise() && !t.classifies(); }},
        {"Recurrent", "recurrent model",
         "A sequence-to-sequence model that reads word by word, with attention over what it "
         "read.\nBahdanau et al. 2015",
         [] { return models::Config(models::RecurrentConfig{}); },
         [](const models::Traits& t) { return t.is_stepwise(); }},
        {"Classifier", "classifier",
         "One layer of self-attention that sorts a sentence into a class.",
         [] { return models::Config(models::classifier_spec()); },
         [](const models::Traits& t) { return t.classifies(); }}};
    return kinds;
}

void choose_drawn_kind(Panel& p, const DrawnKind& kind) {
    const models::Traits now = models::traits(chosen_config(p));
    if (p.document().model_file.empty() && kind.fits(now)) return;
    const models::Config usual = kind.usual();
    p.change(kind.words, [&](app::Document& d) {
        leave_model_file(p, d);
        d.model = usual;
    });
    p.state.view.selected.reset();
    if (!app::in_explore(p.state.view.view)) return;
    if (models::traits(usual).is_stepwise()) p.state.view.view = app::View::heatmap;
}

bool has_size(const Panel& p, const models::NamedSize& size) {
    return p.document().model_file.empty() && models::has_size(p.document().model, size);
}

void choose_size(Panel& p, const models::NamedSize& size) {
    p.change(fmt::format("model {}", size.name), [&](app::Document& d) {
        leave_model_file(p, d);
        models::set_size(transformer_in(d), size);
    });
}

void choose_architecture(Panel& p, models::Architecture architecture, const std::string& words) {
    p.change(words + " model", [&](app::Document& d) {
        leave_model_file(p, d);
        transformer_in(d).architecture = architecture;
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
    return p.focus().hide_special || (run && app::has_special(*run));
}

void toggle_special(Panel& p) {
    change_focus(p, [](app::Focus& f) { f.hide_special = !f.hide_special; });
    p.state.view.viewport.reset(); // its cells are others
}

bool has_said_rows(const Panel& p) {
    const app::Snapshot& s = p.snapshot();
    return s.said && s.focus.head.kind == trace::AttentionKind::cross && !app::merges(s);
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

void choose_kind(Panel& p, trace::AttentionKind kind) {
    const trace::AttentionKind left = p.focus().head.kind;
    if (kind == left) return;
    change_focus(p, [&](app::Focus& f) { f.head.kind = kind; });
    SelectedByKind& known = p.state.choices.selected_by_kind;
    const app::Document& document = p.document();
    if (known.source != document.source || known.target != document.target) {
        known = {document.source, document.target, {}};
    }
    auto& selected = p.state.view.selected;
    known.cells.erase(left);
    if (selected) known.cells.emplace(left, *selected);
    const auto then = known.cells.find(kind);
    selected = then == known.cells.end() ? std::nullopt : std::optional(then->second);
    p.state.view.pinned_queries.clear();
    p.state.view.pinned_keys.clear();
}

void clear_head_filter(Panel& p, app::Focus& focus) {
    FilteredHeads& memory = p.state.choices.filtered_heads;
    if (!memory.on) return;
    focus.layers.clear();
    focus.heads.clear();
    if (memory.combined) focus.combine.reset();
    memory = {};
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

bool has_several_heads(const Panel& p) {
    const models::Traits traits = traits_now(p);
    return traits.n_heads * traits.layers(p.focus().head.kind) > 1;
}

void choose_combined(Panel& p, std::optional<trace::Combine> how) {
    change_focus(p, [&](app::Focus& f) {
        f.combine = how;
        if (how) f.stage = trace::Stage::weights;
    });
}

void choose_head(Panel& p, const trace::HeadId& head) {
    change_focus(p, [&](app::Focus& f) {
        clear_head_filter(p, f);
        f.combine.reset();
        f.head = head;
    });
}

void choose_combined_of_all_layers(Panel& p, bool all) {
    change_focus(p, [&](app::Focus& f) {
        f.layers.clear();
        if (!all) f.layers.push_back(f.head.layer);
    });
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

void move_head(Panel& p, int layers, int heads) {
    if (!p.snapshot().run) return;
    const auto& trace = p.snapshot().run->trace;
    const trace::HeadId& head = p.focus().head;
    const int n_layers = trace.n_layers(head.kind), n_heads = trace.n_heads(head.kind);
    if (n_layers == 0 || n_heads == 0) return;
    const int at =
        std::clamp((head.layer + layers) * n_heads + head.head + heads, 0, n_layers * n_heads - 1);
    change_focus(p, [&](app::Focus& f) {
        f.head.layer = at / n_heads;
        f.head.head = at % n_heads;
    });
}

void walk_heads(Panel& p, int rows, int heads) {
    const auto& s = p.snapshot();
    const trace::HeadId& head = p.focus().head;
    if (!s.run || head.kind != s.focus.head.kind) return;
    const int n_heads = s.run->trace.n_heads(head.kind);
    const auto order = app::heads_in_order(s, p.state.view.head_order);
    const auto now = std::find(order.begin(), order.end(), head.layer * n_heads + head.head);
    if (now == order.end()) return;
    const int in_row = p.state.picture.heads_in_row > 0 ? p.state.picture.heads_in_row : n_heads;
    const int at = std::clamp(static_cast<int>(now - order.begin()) + rows * in_row + heads, 0,
                              static_cast<int>(order.size()) - 1);
    const int place = order[static_cast<std::size_t>(at)];
    change_focus(p, [&](app::Focus& f) {
        f.head.layer = place / n_heads;
        f.head.head = place % n_heads;
    });
}

void move_stage(Panel& p, int by) {
    const auto* const now =
        std::find(std::begin(trace::kStages), std::end(trace::kStages), p.focus().stage);
    const auto last = static_cast<int>(std::size(trace::kStages)) - 1;
    const int at = static_cast<int>(now - std::begin(trace::kStages)) + by;
    choose_stage(p, trace::kStages[std::clamp(at, 0, last)]);
}

void move_cell(Panel& p, int down, int right) {
    const auto& snapshot = p.snapshot();
    const auto map = snapshot.run ? snapshot.run->trace.map(snapshot.focus.head) : std::nullopt;
    if (!map && snapshot.run && is_stepwise(p)) { // its steps stand in one line
        const int to = step_now(p).value_or(-1) + down + right;
        go_to_step(p, std::clamp(to, 0, std::max(n_steps(p) - 1, 0)));
    }
    if (!map) return;
    // Where a picture counts tokens, those that are hidden are stepped over.
    const app::TokenWords* shown = units_shown(p);
    const app::Units units(snapshot, shown ? shown : app::token_units(snapshot));
    const auto last_query = static_cast<int>(units.queries().size()) - 1;
    const auto last_key = static_cast<int>(units.keys().size()) - 1;
    if (last_query < 0 || last_key < 0) return;
    const auto from = app::shown_cell(snapshot, p.state.view, units);
    if (shown_in(p) == app::Shows::map && !app::shows_pairs(snapshot) &&
        app::has_key_rows(snapshot.focus.stage)) {
        std::swap(down, right); // its rows are keys
    }
    choose_cell(p, units,
                from ? std::pair(std::clamp(from->first + down, 0, last_query),
                                 std::clamp(from->second + right, 0, last_key))
                     : std::pair(0, 0));
    look_at_cell(p);
}

void open_card(Panel& p, CardId id) {
    p.ui.leave_field();
    p.state.open_dialog = id;
}

} // namespace heed::ui
