// The right panel: the controls of a head, a layer, a kind of attention or the whole model.
#include "app/kinds.hpp"
#include "app/names.hpp"
#include "ui/actions.hpp"
#include "ui/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::ui {

namespace {

using models::HeadControls;
using nn::Positions;
using nn::Score;
using ScaleKind = models::Scale::Kind;

constexpr float kPad = 14;
constexpr float kRow = 26;

/// A cursor down the panel, with what every control needs.
struct Column {
    Panel& p;
    float x, y, w;
    HeadControls now; // what holds where they apply
    std::string where;

    void label(std::string_view words) const {
        p.ui.canvas.text({x, y, w * 0.7f, kRow}, Face::body, p.ui.theme().muted, words);
    }
    void value(const std::string& words) const {
        p.ui.canvas.text({x, y, w, kRow}, Face::mono, p.ui.theme().text, words, AlignX::right);
    }
    void section(std::string_view name) {
        y += 12;
        p.ui.canvas.rule(x, y, w);
        y += 14;
        p.ui.canvas.heading({x, y, w, 16}, p.ui.theme().muted, name);
        y += 20;
    }
    void set(const std::string& what, bool seal,
             const std::function<void(HeadControls&)>& edit) const {
        set_controls(p, what, seal, edit);
    }
};

std::string_view score_formula(Score score) {
    switch (score) {
    case Score::additive: return "v \u00b7 tanh(qW + kU)";
    case Score::concat: return "w \u00b7 tanh([q; k]W)";
    case Score::dot: return "q \u00b7 k";
    case Score::scaled_dot: return "q \u00b7 k / \u221ad, Scale off";
    case Score::bilinear: return "q W k\u1d40";
    case Score::cosine: return "q \u00b7 k / |q||k|";
    }
    return "";
}

void score_row(Column& c) {
    Ui& ui = c.p.ui;
    const Score score = score_now(c.p);
    c.label("Score");
    const std::string words(score_words(score));
    const float w = ui.canvas.width_of(Face::mono, words) + 30;
    const Box button{c.x + c.w - w, c.y, w, kRow};
    const Press press = ui.area(button, "score", "Score", Widget::Kind::button, false, true);
    if (press.hovered) ui.canvas.fill(button, ui.theme().raised, 5);
    ui.canvas.text({button.x, c.y, w - 16, kRow}, Face::mono, ui.theme().text, words,
                   AlignX::right);
    const ImVec2 tick = ui.canvas.pixels({c.x + c.w - 6, c.y + kRow / 2});
    const float s = ui.canvas.scale();
    ui.canvas.list().AddTriangleFilled({tick.x - 4 * s, tick.y - 2 * s},
                                       {tick.x + 4 * s, tick.y - 2 * s}, {tick.x, tick.y + 3 * s},
                                       packed(ui.theme().muted));
    if (press.clicked) ui.open_popup("score");
    const Box menu{c.x + c.w - 250, c.y + kRow + 4, 250, 6 * 30 + 12};
    if (ui.begin_popup("score", menu)) {
        float y = menu.y + 6;
        for (const Score choice : nn::kScores) {
            const Box row{menu.x + 6, y, menu.w - 12, 30};
            const std::string name(score_words(choice));
            const Press pick =
                ui.area(row, "score/" + name, name, Widget::Kind::choice, choice == score, true);
            if (pick.hovered || choice == score) ui.canvas.fill(row, ui.theme().raised, 5);
            ui.canvas.text({row.x + 10, y, 90, 30}, Face::body,
                           choice == score ? ui.theme().accent : ui.theme().text, name);
            ui.canvas.text({row.x + 100, y, row.w - 110, 30}, Face::control, ui.theme().muted,
                           score_formula(choice), AlignX::right);
            if (pick.clicked) {
                choose_score(c.p, choice);
                ui.close_popup();
            }
            y += 30;
        }
        ui.end_popup();
    }
    c.y += kRow;
}

void scale_rows(Column& c, float d_k) {
    Ui& ui = c.p.ui;
    const models::Scale scale = scale_now(c.p);
    const float on_factor = 1 / std::sqrt(d_k);
    const float factor = scale.kind == ScaleKind::on    ? on_factor
                         : scale.kind == ScaleKind::off ? 1.0f
                                                        : scale.factor;
    const float drawn =
        ui.canvas.text({c.x, c.y, c.w, kRow}, Face::body, ui.theme().muted, "Scale 1/\u221ad");
    ui.canvas.text({c.x + drawn + 1, c.y + 4, 20, kRow}, Face::small, ui.theme().muted, "k");
    const bool on = scale.kind == ScaleKind::on;
    if (ui.toggle({c.x, c.y, c.w, kRow}, "scale", "Scale", on)) {
        toggle_scale(c.p);
    }
    ui.tip(
        "Divides any score by the root of the head's width, so that softmax does not saturate. On "
        "by default for dot and bilinear; scaled dot has the division inside");
    c.y += kRow;
    if (on && score_now(c.p) == Score::scaled_dot) {
        ui.canvas.text({c.x, c.y - 4, c.w, 18}, Face::small, ui.theme().muted,
                       "scaled dot divides already: this is once more");
        c.y += 16;
    }
    c.label("Factor");
    c.value(factor < 0.01f || factor >= 100 ? fmt::format("{:.2e}", factor)
                                            : fmt::format("{:.3f}", factor));
    c.y += kRow - 4;
    // 0.01 to 10, a decade a third.
    float place = std::clamp((std::log10(std::max(factor, 1e-6f)) + 2) / 3, 0.0f, 1.0f);
    const auto slid = ui.slider({c.x, c.y, c.w, 20}, "factor", "Factor", place, 0.01f);
    if (slid.reset) {
        c.set("factor", true, [](HeadControls& h) { h.scale.reset(); });
    } else if (slid.changed) {
        float next = std::pow(10.0f, place * 3 - 2);
        if (std::abs(next - 1) < 0.03f) next = 1;
        c.set("factor", false, [&](HeadControls& h) {
            h.scale = models::Scale{ScaleKind::factor, next};
        });
    }
    if (slid.released) c.p.seal();
    c.y += 24;
}

void temperature_rows(Column& c) {
    const float temperature = c.now.temperature.value_or(1);
    c.label("Temperature");
    c.value(fmt::format("{:.2f}", temperature));
    c.y += kRow - 4;
    // 0.1 to 10, one in the middle.
    float place = std::clamp((std::log10(temperature) + 1) / 2, 0.0f, 1.0f);
    const auto slid = c.p.ui.slider({c.x, c.y, c.w, 20}, "temperature", "Temperature", place);
    if (slid.reset) {
        c.set("temperature", true, [](HeadControls& h) { h.temperature.reset(); });
    } else if (slid.changed) {
        float next = std::pow(10.0f, place * 2 - 1);
        if (std::abs(next - 1) < 0.025f) next = 1;
        c.set("temperature", false, [&](HeadControls& h) { h.temperature = next; });
    }
    if (slid.released) c.p.seal();
    c.y += 24;
}

void mask_rows(Column& c) {
    const nn::Mask mask = mask_now(c.p);
    c.label("Mask");
    c.y += kRow;
    const std::string labels[] = {"none", "padding", "causal", "window", "paint"};
    std::uint32_t on = 0;
    for (unsigned i = 0; i < std::size(labels); ++i) {
        if (mask_has(c.p, static_cast<MaskPart>(i))) on |= 1u << i;
    }
    if (const auto i = c.p.ui.segments({c.x, c.y, c.w, 28}, "mask", labels, on)) {
        choose_mask(c.p, static_cast<MaskPart>(*i));
    }
    c.y += 34;
    if (mask.window) {
        c.label("Window");
        c.value(fmt::format("\u00b1 {}", *mask.window));
        c.y += kRow - 4;
        float place = static_cast<float>(*mask.window) / 16;
        const auto slid = c.p.ui.slider({c.x, c.y, c.w, 20}, "window", "Window", place, 1.0f / 16);
        if (slid.changed) {
            nn::Mask next = mask;
            next.window = static_cast<num::Index>(std::lround(place * 16));
            c.set("window", false, [&](HeadControls& h) { h.mask = next; });
        }
        if (slid.released) c.p.seal();
        c.y += 26;
    }
    if (c.p.state.painting) {
        c.p.ui.canvas.text({c.x, c.y, c.w, 20}, Face::small, c.p.ui.theme().accent,
                           "Drag over cells: forbid or allow; " +
                               keys_of(ActionGroup::window, "Let go") + " ends");
        c.y += 24;
    }
}

void position_rows(Column& c) {
    constexpr Positions order[] = {Positions::sinusoidal, Positions::learned,  Positions::rotary,
                                   Positions::alibi,      Positions::relative, Positions::none};
    const std::string labels[] = {"sinus", "learned", "RoPE", "ALiBi", "relative", "off"};
    const Positions now = positions_now(c.p);
    c.label("Positions");
    c.y += kRow;
    std::uint32_t on = 0;
    for (std::size_t i = 0; i < std::size(order); ++i) {
        if (order[i] == now) on = 1u << i;
    }
    if (const auto i = c.p.ui.segments({c.x, c.y, c.w, 28}, "positions", labels, on)) {
        choose_positions(c.p, order[*i], labels[*i]);
    }
    c.y += 32;
}

void apply_row(Column& c) {
    c.label("Apply to");
    c.y += kRow;
    const std::string labels[] = {"head", "layer", "attention", "model"};
    const auto on = 1u << static_cast<unsigned>(c.p.state.apply_to);
    if (const auto i = c.p.ui.segments({c.x, c.y, c.w, 28}, "apply", labels, on)) {
        c.p.state.apply_to = static_cast<ApplyTo>(*i);
    }
    c.y += 32;
}

/// What only the whole model has.
void model_rows(Column& c) {
    Ui& ui = c.p.ui;
    const models::Controls& controls = c.p.document().controls;
    const models::ModelSpec* transformer = models::transformer_of(config_now(c.p));
    if (!transformer || !models::transformer_of(c.p.document().model)) return;
    const models::ModelSpec& config = *transformer;
    c.section("Whole model");
    const auto pair = [&](std::string_view label, const std::string& id, const std::string& a,
                          const std::string& b, bool second) {
        c.label(label);
        const std::string labels[] = {a, b};
        const auto i =
            ui.segments({c.x + c.w - 156, c.y, 156, kRow}, id, labels, second ? 0b10u : 0b01u);
        c.y += kRow + 6;
        return i;
    };
    const bool pre = controls.norm.value_or(config.norm) == models::NormOrder::pre;
    if (const auto i = pair("Norm", "norm", "post", "pre", pre)) {
        choose_norm(c.p, *i == 1 ? models::NormOrder::pre : models::NormOrder::post);
    }
    const bool joined = controls.join.value_or(config.join) == nn::Join::concatenate;
    if (const auto i = pair("Join positions", "join", "add", "concat", joined)) {
        choose_join(c.p, *i == 1 ? nn::Join::concatenate : nn::Join::add);
    }
    const float rate = controls.dropout.rate;
    c.label("Dropout");
    if (ui.toggle({c.x, c.y, c.w, kRow}, "dropout", "Dropout", rate > 0)) {
        toggle_dropout(c.p);
    }
    ui.tip("What training sees: parts of the embedding, the weights and the sublayers set to 0");
    c.y += kRow;
    if (rate <= 0) return;
    c.label("Rate");
    if (ui.button({c.x + c.w - 150, c.y + 2, 90, kRow - 4}, "dropout/again", "Draw again",
                  Ui::ButtonLook::quiet)) {
        draw_dropout_again(c.p);
    }
    c.value(fmt::format("{:.2f}", rate));
    c.y += kRow - 4;
    float place = rate / 0.9f;
    const auto slid = ui.slider({c.x, c.y, c.w, 20}, "dropout/rate", "Rate", place, 0.05f / 0.9f);
    if (slid.changed && place > 0) {
        c.p.change("dropout rate", false, [&](app::Document& d) {
            d.controls.dropout.rate = std::round(place * 90) / 100;
        });
    }
    if (slid.released) c.p.seal();
    c.y += 24;
}

} // namespace

void inspector(Panel& p, const Box& box) {
    Ui& ui = p.ui;
    ui.canvas.fill(box, ui.theme().panel);
    ui.canvas.rule_down(box.x, box.y, box.h);
    ui.begin_scroll({box.x + 1, box.y, box.w - 1, box.h}, "inspector", p.state.inspector_scroll);
    Column c{p,
             box.x + kPad + 1,
             box.y + kPad - p.state.inspector_scroll.offset,
             box.w - 2 * kPad - 1,
             controls_now(p),
             models::recurrent_of(config_now(p)) ? "attention"
                                                 : scope_words(p.state.apply_to, p.focus().head)};
    ui.canvas.heading({c.x, c.y, c.w - 50, 16}, ui.theme().muted, "Controls \u00b7 " + c.where);
    if (has_controls(p)) {
        if (ui.button({c.x + c.w - 48, c.y - 3, 52, 22}, "reset", "Reset", Ui::ButtonLook::quiet)) {
            reset_controls(p);
        }
        ui.tip("Back to what wider scopes and the model say");
    }
    c.y += 20;
    const models::Config& config = config_now(p);
    const float d_k = static_cast<float>(
        std::max(1, models::width(config) / std::max(1, models::n_heads(config))));
    if (models::recurrent_of(config) && !models::attends(*models::recurrent_of(config))) {
        c.y += 4 + ui.canvas.paragraph(
                       {c.x, c.y}, c.w, Face::control, ui.theme().muted,
                       "This model has no attention. The model card's shape N to M has.");
    } else {
        score_row(c);
        scale_rows(c, d_k);
        temperature_rows(c);
        mask_rows(c);
    }
    if (!models::recurrent_of(config)) {
        position_rows(c);
        apply_row(c);
    }
    changes_section(p, {c.x, c.y, c.w, 0}, c.y);
    kept_section(p, {c.x, c.y, c.w, 0}, c.y);
    filter_section(p, {c.x, c.y, c.w, 0}, c.y);
    faults_section(p, {c.x, c.y, c.w, 0}, c.y);
    selection_section(p, {c.x, c.y, c.w, 0}, c.y);
    model_rows(c);
    c.y += 16;
    ui.end_scroll(c.y + p.state.inspector_scroll.offset);
}

} // namespace heed::ui
