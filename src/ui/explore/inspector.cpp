#include "ui/explore/inspector.hpp"

#include "app/document/kinds.hpp"
#include "app/document/names.hpp"
#include "figure/base/number_text.hpp"
#include "nn/attention/score_info.hpp"
#include "ui/explore/changes_section.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/explore/filter_section.hpp"
#include "ui/explore/selection_section.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/tips.hpp"
#include "ui/frame/trained_words.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

using app::UndoTag;
using models::HeadControls;
using nn::Positions;
using nn::Score;
using ScaleKind = models::Scale::Kind;

constexpr float kInspectorPad = 14, kControlRow = 26;

void score_menu(Panel& p, const Box& button, Score now) {
    constexpr float kWidth = 250;
    const CardPlace place{
        {button.x + button.w - kWidth, button.y + button.h + 4}, kWidth, "score/", 6, 6, 6};
    card_at(p.ui, CardId::score, place, [&](Form& f) {
        for (const Score choice : nn::kScores) {
            if (f.entry(fmt::format("{}", static_cast<int>(choice)),
                        {.label = std::string(nn::info(choice).label),
                         .detail = nn::formula(nn::info(choice).row_formula, "q", "k"),
                         .on = choice == now})) {
                choose_score(p, choice);
                p.ui.close_popup();
            }
            f.tip(tip_of_score(p, choice));
        }
    });
}

void score_row(Panel& p, Form& f) {
    const Score score = score_now(p);
    const Box button = f.drop_down(
        "Score", "score", std::string(nn::info(score).label),
        "How well a query and a key fit, as one number.\n" + tip_of_score(p, score), CardId::score);
    score_menu(p, button, score);
}

void scale_rows(Panel& p, Form& f) {
    const models::Scale scale = scale_now(p);
    const models::Traits traits = models::traits(chosen_config(p));
    const int layer = p.focus().head.layer;
    const float usual = traits.scale_factor(layer);
    const float factor = scale.kind == ScaleKind::on    ? usual
                         : scale.kind == ScaleKind::off ? 1.0f
                                                        : scale.factor;
    const bool own =
        !never_divides(traits) && (traits.own_scale > 0 || (traits.scale_by_layer && layer > 0));
    const std::string label = own ? fmt::format("Scale {:.3g}", usual) : "Scale 1/\u221ad\u2096";
    const bool on = is_scaled(p);
    if (f.toggle(label, "scale", "Scale", on)) toggle_scale(p);
    f.tip(scale_tip() + trained_words(p, app::Control::scale));
    if (on && score_now(p) == Score::scaled_dot) {
        f.note("Scaled dot divides already: this is once more");
    }
    if (never_divides(traits)) f.note("This model was trained without a factor");
    const std::string shown = factor < 0.01f || factor >= 100
                                  ? figure::significant_text(static_cast<double>(factor), 3)
                                  : fmt::format("{:.3f}", factor);
    // 0.01 to 10, a decade a third.
    float place = std::clamp((std::log10(std::max(factor, 1e-6f)) + 2) / 3, 0.0f, 1.0f);
    const auto slid = f.slider("Scale factor", "factor", shown, place, 0.01f);
    f.tip(kFactorTip + trained_words(p, app::Control::scale));
    if (slid.reset) {
        set_controls(p, UndoTag::Of::factor, "factor", true,
                     [](HeadControls& h) { h.scale.reset(); });
    } else if (slid.changed) {
        float next = std::pow(10.0f, place * 3 - 2);
        if (std::abs(next - 1) < 0.03f) next = 1;
        set_controls(p, UndoTag::Of::factor, "factor", false, [&](HeadControls& h) {
            h.scale = models::Scale{ScaleKind::factor, next};
        });
    }
    if (slid.released) p.seal();
}

void temperature_row(Panel& p, Form& f) {
    const float temperature = controls_now(p).temperature.value_or(1);
    // 0.1 to 10, one in the middle.
    float place = std::clamp((std::log10(temperature) + 1) / 2, 0.0f, 1.0f);
    const auto slid =
        f.slider("Temperature", "temperature", fmt::format("{:.2f}", temperature), place);
    f.tip(field_word_tip(FieldWord::temperature) + trained_words(p, app::Control::temperature));
    if (slid.reset) {
        set_controls(p, UndoTag::Of::temperature, "temperature", true,
                     [](HeadControls& h) { h.temperature.reset(); });
    } else if (slid.changed) {
        float next = std::pow(10.0f, place * 2 - 1);
        if (std::abs(next - 1) < 0.025f) next = 1;
        set_controls(p, UndoTag::Of::temperature, "temperature", false,
                     [&](HeadControls& h) { h.temperature = next; });
    }
    if (slid.released) p.seal();
}

void mask_rows(Panel& p, Form& f) {
    constexpr int kMostWindow = 16;
    const nn::Mask mask = mask_now(p);
    std::vector<std::string> labels, tips;
    std::uint32_t on = 0;
    for (const MaskPartInfo& row : kMaskParts) {
        if (mask_has(p, row.part)) on |= 1u << labels.size();
        labels.emplace_back(row.label);
        tips.emplace_back(row.tip);
    }
    f.label("Mask", "", field_word_tip(FieldWord::mask) + trained_words(p, app::Control::mask));
    const auto part = f.choice("mask", labels, on);
    f.tips(tips);
    if (part) choose_mask(p, static_cast<MaskPart>(*part));
    if (mask.window) {
        float place = std::min(static_cast<float>(*mask.window) / kMostWindow, 1.0f);
        const auto slid = f.slider("Window", "window", fmt::format("\u00b1 {}", *mask.window),
                                   place, 1.0f / kMostWindow);
        f.tip("How many words to each side can be seen");
        if (slid.changed) {
            nn::Mask next = mask;
            next.window = static_cast<num::Index>(std::lround(place * kMostWindow));
            set_controls(p, UndoTag::Of::window, "window", false,
                         [&](HeadControls& h) { h.mask = next; });
        }
        if (slid.released) p.seal();
    }
    if (p.state.choices.painting) {
        f.note("Drag over cells to forbid or allow them. " + keys_of(ActionId::let_go) + ": done",
               p.ui.theme().accent);
    }
}

void positions_rows(Panel& p, Form& f) {
    const std::string trained = trained_words(p, app::Control::positions);
    f.label("Positions", "",
            "How the model is told the order of the words: attention alone does not see it.\n"
            "Vaswani et al. 2017, section 3.5" +
                trained);
    if (const auto kind = position_choice(f, "positions", positions_now(p), trained))
        choose_positions(p, *kind);
}

void apply_row(Panel& p, Form& f) {
    std::vector<std::string> labels, tips;
    for (const ApplyToInfo& row : kApplyTo) {
        labels.emplace_back(row.apply_to == ApplyTo::kind
                                ? fmt::format("all {} heads", trace::name(p.focus().head.kind))
                                : std::string(row.label));
        tips.emplace_back(row.tip);
    }
    f.label("Apply to", "", "What the controls above are for.");
    if (const auto i =
            f.choice("apply", labels, 1u << static_cast<unsigned>(p.state.choices.apply_to))) {
        p.state.choices.apply_to = kApplyTo[*i].apply_to;
    }
    f.tips(tips);
}

/// Row that chooses how positions join the embedding of each word.
void join_row(Panel& p, Form& f, nn::Join join) {
    constexpr nn::Join kJoinings[] = {nn::Join::add, nn::Join::concatenate};
    const std::string joins[] = {"add", "concat"};
    f.label("Combine with embeddings", "", kJoinTip + trained_words(p, app::Control::join));
    if (const auto i = f.choice("join", joins, join == nn::Join::concatenate ? 0b10u : 0b01u)) {
        choose_join(p, kJoinings[*i]);
    }
    f.tips(tips_of(kJoinings));
    const auto& run = p.snapshot().run;
    const bool adds =
        !run || run->trace.tensor("encoder.embedding") || run->trace.tensor("decoder.embedding");
    if (!adds) f.note("Nothing to combine: no positions are added to embeddings");
}

/// Rows of what only the whole model has; in the room Positions those of positions.
void model_rows(Panel& p, Form& f) {
    constexpr float kMost = 0.9f;
    const auto norm = norm_now(p);
    const auto join = join_now(p);
    if (!norm || !join) return;
    f.section("Whole model");
    if (p.state.view.view == app::View::positions) return join_row(p, f, *join);
    const std::string orders[] = {"post", "pre"};
    const bool pre = norm == models::NormOrder::pre;
    constexpr models::NormOrder kOrders[] = {models::NormOrder::post, models::NormOrder::pre};
    if (const auto i = f.choice("Norm", "norm", orders, pre ? 0b10u : 0b01u, 0.6f)) {
        choose_norm(p, kOrders[*i]);
    }
    f.tip("LayerNorm keeps the numbers of each word in a steady range: their mean 0, their spread "
          "1.\nBa et al. 2016" +
          trained_words(p, app::Control::norm));
    f.tips(tips_of(kOrders));
    join_row(p, f, *join);
    const float rate = p.document().controls.dropout.rate;
    if (f.toggle("Dropout", "dropout", "Dropout", rate > 0)) toggle_dropout(p);
    f.tip(kDropoutTip);
    if (rate <= 0) return;
    if (f.aside(Box{f.x, f.y, f.w - 60, kControlRow}, "dropout/again", "Draw again")) {
        draw_dropout_again(p);
    }
    f.tip(kDrawAgainTip);
    float place = rate / kMost;
    const auto slid =
        f.slider("Rate", "dropout/rate", fmt::format("{:.2f}", rate), place, 0.05f / kMost);
    f.tip("How much of the model is set to zero");
    if (slid.changed && place > 0) {
        p.change({UndoTag::Of::dropout_rate}, "dropout rate", false, [&](app::Document& d) {
            d.controls.dropout.rate = std::round(place * kMost * 100) / 100;
        });
    }
    if (slid.released) p.seal();
}

} // namespace

void inspector(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x, box.y, box.h);
    ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "inspector",
                    p.state.explore->inspector_scroll);
    Form f(ui, box.x + kInspectorPad + 1,
           box.y + kInspectorPad - p.state.explore->inspector_scroll.offset,
           box.w - 2 * kInspectorPad - 1);
    const models::Traits traits = models::traits(chosen_config(p));
    const app::View view = p.state.view.view;
    // The Positions room has its own choice of them, at the left.
    const bool chosen_at_left = view == app::View::positions && traits.has_positions;
    if (!chosen_at_left) {
        const Box top =
            f.heading("Controls \u00b7 " + scope_name(p, p.state.choices.apply_to, p.focus().head));
        if (has_controls(p)) {
            if (f.aside(top, "reset", "Reset")) reset_controls(p);
            f.tip(kResetTip);
        }
    }
    if (traits.weights_alone) {
        f.paragraph(
            "This file holds attention weights alone. Open the model that made them to change "
            "scale, temperature, mask or positions.");
    } else if (!traits.attends()) {
        f.paragraph("No attention in this model. In the model menu, choose the shape N→M.");
    } else if (view != app::View::positions) {
        score_row(p, f);
        scale_rows(p, f);
        temperature_row(p, f);
        mask_rows(p, f);
    }
    const bool rooms = view == app::View::softmax || view == app::View::positions;
    if (traits.has_positions && !rooms) positions_rows(p, f);
    if (traits.has_positions && view != app::View::positions) apply_row(p, f);
    if (!traits.has_positions && view == app::View::positions) {
        f.paragraph(traits_now(p).weights_alone
                        ? "Attention alone is open, without a model: what its positions were is "
                          "not in the file. The picture shows the formula alone."
                        : "This model adds no positions: it reads its tokens one after another. "
                          "The picture shows the formula alone.");
    }
    changes_section(p, f);
    kept_section(p, f);
    if (app::in_explore(view)) { // of maps
        filter_section(p, f);
        faults_section(p, f);
        const float top = f.y;
        selection_section(p, f);
        step_back(p, {box.x + 1, top, box.w - 1, f.y - top}, ui.theme().panel);
    }
    if (view != app::View::softmax) model_rows(p, f);
    f.space(16);
    ui.end_scroll(f.y + p.state.explore->inspector_scroll.offset);
}

} // namespace heed::ui
