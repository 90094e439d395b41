#include "ui/explore/head_section.hpp"

#include "app/document/gains.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "figure/base/number_text.hpp"
#include "lab/number_words.hpp"
#include "ui/frame/chords.hpp"
#include "ui/frame/field_words.hpp"
#include "ui/frame/player.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/map_notes.hpp"
#include "ui/widgets/form.hpp"

#include <fmt/format.h>

#include <cmath>

namespace heed::ui {

namespace {

constexpr float kHeadRow = 26;

/// Effect of the head, once it was measured: how far the output moves without it, and what the
/// model says then.
void effect(Panel& p, Form& f) {
    const trace::HeadId head = p.focus().head;
    const auto& effects = p.snapshot().effects;
    if (!effects || effects->kind != head.kind) return;
    const auto at =
        static_cast<std::size_t>(head.layer) * static_cast<std::size_t>(effects->heads) +
        static_cast<std::size_t>(head.head);
    if (at >= effects->relative_change.size() || !effects->relative_change[at]) return;
    f.label("Effect on output", figure::percent_text(*effects->relative_change[at]),
            "How far the output moves when this head is taken out, the target being what the model "
            "says now.\n‖output without it − output with it‖ / ‖output with it‖ · after Michel et "
            "al. 2019");
    if (const auto& says = effects->says[at]) {
        const bool off = p.snapshot().run->controls.resolved(head).gain == 0.0f;
        f.note(fmt::format("{} this {}{}: “{}”", off ? "With" : "Without",
                           is_stepwise(p) ? "attention" : "head",
                           app::hypothesis_words(*p.snapshot().run), *says));
    }
}

/// A word, lit while it holds.
bool lit_word(Panel& p, const Box& box, const std::string& id, const std::string& label, bool on) {
    const figure::Theme& t = p.ui.theme();
    const Press press = p.ui.area(box, id, label, Widget::Kind::toggle, on, true);
    Color ground = on ? t.accent : t.raised;
    if (press.hovered) ground = figure::mixed(ground, t.text, 0.08f);
    p.ui.canvas.fill(box, ground, 5);
    if (!on) p.ui.canvas.outline(box, t.border, 5);
    p.ui.canvas.text(box, Face::control, on ? t.on_accent : t.text, label, AlignX::centre);
    return press.clicked;
}

void fader(Panel& p, Form& f, float gain) {
    const trace::HeadId head = p.focus().head;
    constexpr float kUsual = 1, kCatch = 0.03f; // 100 % holds the knob that comes near
    float place = gain / app::kMostGain;
    const float notch =
        f.x + 7 + (f.w - 14) * kUsual / app::kMostGain; // where the knob's middle goes
    p.ui.canvas.fill({notch - 0.5f, f.y, 1, 20}, p.ui.theme().border);
    const auto slid = f.slider("head/gain", "gain", place, 0.05f);
    f.tip(kGainTip);
    if (slid.changed || slid.reset) {
        float next = slid.reset ? kUsual : place * app::kMostGain;
        next = std::round(next * 100) / 100;
        if (std::abs(next - kUsual) < kCatch) next = kUsual;
        p.change({app::UndoTag::Of::gain, scope_of(ApplyTo::head, head)},
                 "gain, " + scope_name(p, ApplyTo::head, head), slid.reset,
                 [&](app::Document& d) { d = app::with_gain(std::move(d), head, next); });
    }
    if (slid.released) p.seal();
}

} // namespace

void toggle_mute(Panel& p) {
    const trace::HeadId head = p.focus().head;
    const bool on = app::muted(p.document().controls, head);
    p.change((on ? "unmuted, " : "muted, ") + scope_name(p, ApplyTo::head, head),
             [&](app::Document& d) { d = app::with_mute(std::move(d), head, !on); });
}

void toggle_solo(Panel& p) {
    if (!p.snapshot().run) return;
    const trace::HeadId head = p.focus().head;
    const int n = p.snapshot().run->trace.n_heads(head.kind);
    const bool on = app::soloed(p.document().controls, head, n);
    if (n < 2) return;
    p.change((on ? "solo off, " : "solo, ") + scope_words(ApplyTo::head, head),
             [&](app::Document& d) { d = app::with_solo(std::move(d), head, n, !on); });
}

namespace {

void measures(Panel& p, Form& f) {
    const app::HeadSummary& summary = p.snapshot().summary;
    const auto bits = static_cast<double>(summary.mean_entropy_bits);
    f.label("Entropy", lab::fixed_text(bits, 2) + " bits", field_word_tip(FieldWord::entropy));
    const bool patches = traits_now(p).reads_pictures, one = traits_now(p).n_heads == 1;
    if (!patches) // of patches in reading order, it would say nothing of a picture
        f.label(
            "Mean distance", fmt::format("{:.1f} tokens", summary.mean_distance),
            "How far away the tokens are that this head looks at, on average, also where they are "
            "merged to words.\nΣ a |i − j|");
    if (const std::string label = summary.label(); !label.empty()) {
        // Inside may name it by other sentences.
        constexpr const char* kName = "Pattern";
        const float name = p.ui.canvas.width_of(Face::body, kName);
        const bool beside = name + 8 + p.ui.canvas.width_of(Face::mono, label) <= f.w;
        f.label(kName, beside ? label : "",
                fmt::format("What {} does most in this {}{}, and how much of its attention that "
                            "is.",
                            one ? "attention" : "this head", patches ? "picture" : "text",
                            one ? "" : ", of the measures that the Heads view sorts by"));
        if (!beside) {
            f.note(label, p.ui.theme().text);
            f.space(8);
        }
    }
    if (const auto share = p.snapshot().to_special) {
        f.label("On special tokens", figure::percent_text(*share),
                "How much of the attention of all other tokens goes to special ones, on average. "
                "Hide special tokens, under Tokens, leaves them out of the pictures.");
    }
}

} // namespace

void head_section(Panel& p, Form& f) {
    const float top = f.y;
    measures(p, f);
    step_back(p, f.since(top), p.ui.theme().panel);
    if (p.snapshot().run->model->traits().weights_alone) return f.space(8);

    const trace::HeadId& head = p.focus().head;
    const models::Controls& controls = p.document().controls;
    const int n = p.snapshot().run->trace.n_heads(head.kind);
    const float gain = app::gain_of(controls, head);
    const figure::Theme& t = p.ui.theme();
    Line line{f.row(kHeadRow), 6};
    const auto square = [&] {
        const Box box = line.right(42);
        return Box{box.x, box.y + 2, box.w, box.h - 4};
    };
    const bool alone = n == 1;
    const Box solo = alone ? Box{} : square(), mute = square();
    f.text(line.rest, Face::body, t.muted, "Gain");
    p.ui.area(line.rest, "head/gain/label", "Gain");
    f.tip(kGainTip);
    f.text({line.rest.x, line.rest.y, line.rest.w - 4, line.rest.h}, Face::mono,
           gain == 1 ? t.text : t.accent, fmt::format("{:.0f} %", gain * 100), AlignX::right);
    if (lit_word(p, mute, "head/mute", "Mute", app::muted(controls, head))) toggle_mute(p);
    f.tip("Mute (" + keys_of(ActionId::mute) +
          "): takes this head out of the sum that its layer passes on");
    if (!alone) {
        if (lit_word(p, solo, "head/solo", "Solo", app::soloed(controls, head, n))) toggle_solo(p);
        f.tip(fmt::format("Solo ({}): mutes the other {} heads of {}", keys_of(ActionId::solo),
                          n - 1, scope_words(ApplyTo::layer, head)));
    }
    fader(p, f, gain);
    const float below = f.y;
    effect(p, f);
    step_back(p, f.since(below), t.panel);
    f.space(8);
}

} // namespace heed::ui
