// What the chosen head is like, and its place on the mixing desk: fader, mute, solo.
#include "app/gains.hpp"
#include "app/merging.hpp"
#include "ui/actions.hpp"

#include <fmt/format.h>

#include <cmath>

namespace heed::ui {

namespace {

constexpr float kRow = 26;

void fact(Panel& p, float x, float y, float w, std::string_view label, const std::string& value) {
    p.ui.canvas.text({x, y, w * 0.6f, kRow}, Face::body, p.ui.theme().muted, label);
    p.ui.canvas.text({x, y, w, kRow}, Face::mono, p.ui.theme().text, value, AlignX::right);
}

/// One letter, lit while it holds.
bool letter(Panel& p, const Box& box, const std::string& id, const std::string& label, bool on) {
    const figure::Theme& t = p.ui.theme();
    const Press press = p.ui.area(box, id, label, Widget::Kind::toggle, on, true);
    Color ground = on ? t.accent : t.raised;
    if (press.hovered) ground = figure::mixed(ground, t.text, 0.08f);
    p.ui.canvas.fill(box, ground, 5);
    if (!on) p.ui.canvas.outline(box, t.border, 5);
    p.ui.canvas.text(box, Face::strong, on ? t.on_accent : t.muted, label.substr(0, 1),
                     AlignX::centre);
    return press.clicked;
}

void fader(Panel& p, float x, float y, float w, float gain) {
    const trace::HeadId head = p.focus().head;
    constexpr float kUsual = 1, kCatch = 0.03f; // 100 % holds the knob that comes near
    float place = gain / app::kMostGain;
    const float notch = x + 7 + (w - 14) * kUsual / app::kMostGain; // where the knob's middle goes
    p.ui.canvas.fill({notch - 0.5f, y, 1, 20}, p.ui.theme().border);
    const auto slid = p.ui.slider({x, y, w, 20}, "head/gain", "gain", place, 0.05f);
    p.ui.tip("What this head adds to its layer, from 0 to 200 %. Double click: 100 %");
    if (slid.changed || slid.reset) {
        float next = slid.reset ? kUsual : place * app::kMostGain;
        next = std::round(next * 100) / 100;
        if (std::abs(next - kUsual) < kCatch) next = kUsual;
        p.change("gain, " + scope_words(ApplyTo::head, head), slid.reset,
                 [&](app::Document& d) { d = app::with_gain(std::move(d), head, next); });
    }
    if (slid.released) p.seal();
}

} // namespace

void toggle_mute(Panel& p) {
    const trace::HeadId head = p.focus().head;
    const bool on = app::muted(p.document().controls, head);
    p.change((on ? "heard again, " : "muted, ") + scope_words(ApplyTo::head, head), true,
             [&](app::Document& d) { d = app::with_mute(std::move(d), head, !on); });
}

void toggle_solo(Panel& p) {
    if (!p.snapshot().run) return;
    const trace::HeadId head = p.focus().head;
    const int n = p.snapshot().run->trace.n_heads(head.kind);
    const bool on = app::soloed(p.document().controls, head, n);
    if (n < 2) return;
    p.change((on ? "solo ended, " : "solo, ") + scope_words(ApplyTo::head, head), true,
             [&](app::Document& d) { d = app::with_solo(std::move(d), head, n, !on); });
}

void head_section(Panel& p, const Box& box, float& y) {
    const float x = box.x, w = box.w;
    const app::HeadSummary& summary = p.snapshot().summary;
    fact(p, x, y, w, "entropy", fmt::format("{:.2f} bits", summary.mean_entropy_bits));
    fact(p, x, y + kRow, w, "mean distance", fmt::format("{:.1f} tokens", summary.mean_distance));
    y += 2 * kRow;
    if (app::merges(p.snapshot())) {
        p.ui.canvas.text({x, y - 4, w, 18}, Face::small, p.ui.theme().muted,
                         "both between tokens, not words");
        y += 18;
    }

    const trace::HeadId& head = p.focus().head;
    const models::Controls& controls = p.document().controls;
    const int n = p.snapshot().run->trace.n_heads(head.kind);
    const float gain = app::gain_of(controls, head);
    constexpr float kLetter = 24;
    p.ui.canvas.text({x, y, 60, kRow}, Face::body, p.ui.theme().muted, "gain");
    const float letters = x + w - 2 * kLetter - 6;
    p.ui.canvas.text({x, y, letters - 10 - x, kRow}, Face::mono,
                     gain == 1 ? p.ui.theme().text : p.ui.theme().accent,
                     fmt::format("{:.0f} %", gain * 100), AlignX::right);
    if (letter(p, {letters, y + 2, kLetter, 22}, "head/mute", "Mute", app::muted(controls, head))) {
        toggle_mute(p);
    }
    p.ui.tip("Mute (" + keys_of(ActionGroup::head, "Mute") +
             "): takes this head's context out of the sum that the layer passes on");
    if (letter(p, {letters + kLetter + 6, y + 2, kLetter, 22}, "head/solo", "Solo",
               app::soloed(controls, head, n))) {
        toggle_solo(p);
    }
    p.ui.tip(fmt::format("Solo ({}): silences the other {} heads of {}",
                         keys_of(ActionGroup::head, "Solo"), n - 1,
                         scope_words(ApplyTo::layer, head)));
    y += kRow;
    fader(p, x, y, w, gain);
    y += 32;
}

} // namespace heed::ui
