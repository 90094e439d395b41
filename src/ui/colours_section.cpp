// What the colours of a map mean: which palette, and what it spans.
#include "app/names.hpp"
#include "ui/choices.hpp"

#include <algorithm>

namespace heed::ui {

namespace {

using figure::PaletteId;

/// A palette to choose: its colours from low to high, its name below.
void swatch(Panel& p, const Box& box, std::optional<PaletteId> palette, const std::string& ids) {
    constexpr int kSteps = 24;
    const figure::Theme& theme = p.ui.theme();
    const std::string name = palette ? std::string(figure::name(*palette)) : "theme";
    const bool on = p.state.view.palette == palette;
    const Press press =
        p.ui.area(box, ids + "palette/" + name, name, Widget::Kind::choice, on, true);
    if (press.clicked) p.state.view.palette = palette;
    const auto& colours = figure::table(palette.value_or(theme.weights));
    const Box strip{box.x, box.y, box.w, 12};
    for (int i = 0; i < kSteps; ++i) {
        const float from = strip.w * static_cast<float>(i) / kSteps;
        p.ui.canvas.fill({strip.x + from, strip.y, strip.w / kSteps + 0.5f, strip.h},
                         colours[static_cast<std::size_t>(i * 255 / (kSteps - 1))]);
    }
    p.ui.canvas.outline(strip, on ? theme.accent : theme.border, 0, on ? 2.0f : 1.0f);
    p.ui.canvas.text({box.x, box.y + 13, box.w, box.h - 13}, Face::small,
                     on ? theme.accent : theme.muted, name, AlignX::centre);
}

/// Numbers of either sign keep linear colours, in which equal sizes look equally strong.
void scale_choice(Panel& p, const Box& box, const std::string& ids) {
    using figure::ColourScale;
    const std::string scales[] = {"linear", "logarithmic"};
    const bool is_signed = app::shows_signed(p.state.view, p.snapshot().focus);
    const bool logs = !is_signed && p.state.view.scale == ColourScale::logarithmic;
    if (const auto i = p.ui.segments(box, ids + "colours", scales, logs ? 2u : 1u,
                                     is_signed ? 0b01u : 0b11u)) {
        p.state.view.scale = *i == 0 ? ColourScale::linear : ColourScale::logarithmic;
    }
    p.ui.tip(is_signed
                 ? "Numbers of either sign have linear colours"
                 : "Logarithmic: each step of colour is a ratio, so that small weights beside "
                   "a large one can be told apart");
}

} // namespace

void colours_section(Panel& p, float x, float w, float& y, const std::string& ids) {
    constexpr float kBetween = 6;
    constexpr int kInRow = 3;
    const float wide = (w - (kInRow - 1) * kBetween) / kInRow;
    float left = x;
    for (int i = 0; i < static_cast<int>(std::size(kPaletteChoices)); ++i) {
        swatch(p, {left, y, wide, 28}, kPaletteChoices[i], ids);
        left += wide + kBetween;
        if (i % kInRow == kInRow - 1) {
            left = x;
            y += 34;
        }
    }
    y += 4;
    const std::string ranges[] = {"0 to 1", "map", "row"};
    constexpr figure::RangeMode modes[] = {figure::RangeMode::fixed, figure::RangeMode::map,
                                           figure::RangeMode::row};
    unsigned on = 0;
    while (on < 2 && modes[on] != p.state.view.range) ++on;
    if (const auto i = p.ui.segments({x, y, w, 28}, ids + "range", ranges, 1u << on)) {
        p.state.view.range = modes[*i];
    }
    y += 36;
    scale_choice(p, {x, y, w, 28}, ids);
    y += 36;
    p.ui.canvas.text({x, y, w * 0.6f, 26}, Face::body, p.ui.theme().muted, "numbers in cells");
    if (p.ui.toggle({x, y, w, 26}, ids + "numbers", "numbers in cells", p.state.view.numbers)) {
        p.state.view.numbers = !p.state.view.numbers;
    }
    y += 40;
}

void colours_dialog(Panel& p) {
    constexpr float kWidth = 268, kHeight = 232, kPad = 16;
    const Point at = p.state.colours_at;
    const Box box{std::min(at.x + 8, p.ui.width() - kWidth - 8),
                  std::min(at.y, p.ui.height() - kHeight - 8), kWidth, kHeight};
    if (!p.ui.begin_popup("colours-dialog", box)) return;
    p.ui.canvas.heading({box.x + kPad, box.y + 14, kWidth, 16}, p.ui.theme().muted, "Colours");
    float y = box.y + 40;
    colours_section(p, box.x + kPad, kWidth - 2 * kPad, y, "colours/");
    p.ui.end_popup();
}

} // namespace heed::ui
