// What the colours of a map mean: which palette, and what it spans.
#include "app/names.hpp"
#include "ui/panel.hpp"

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

} // namespace

void colours_section(Panel& p, float x, float w, float& y, const std::string& ids) {
    constexpr std::optional<PaletteId> kChoices[] = {std::nullopt, PaletteId::amber,
                                                     PaletteId::ember, PaletteId::grey};
    constexpr float kBetween = 6;
    const float wide = (w - 3 * kBetween) / 4;
    for (int i = 0; i < 4; ++i) {
        swatch(p, {x + static_cast<float>(i) * (wide + kBetween), y, wide, 28}, kChoices[i], ids);
    }
    y += 38;
    const std::string ranges[] = {"0 to 1", "map", "row"};
    constexpr figure::RangeMode modes[] = {figure::RangeMode::fixed, figure::RangeMode::map,
                                           figure::RangeMode::row};
    unsigned on = 0;
    while (on < 2 && modes[on] != p.state.view.range) ++on;
    if (const auto i = p.ui.segments({x, y, w, 28}, ids + "range", ranges, 1u << on)) {
        p.state.view.range = modes[*i];
    }
    y += 36;
    p.ui.canvas.text({x, y, w * 0.6f, 26}, Face::body, p.ui.theme().muted, "numbers in cells");
    if (p.ui.toggle({x, y, w, 26}, ids + "numbers", "numbers in cells", p.state.view.numbers)) {
        p.state.view.numbers = !p.state.view.numbers;
    }
    y += 40;
}

void colours_dialog(Panel& p) {
    constexpr float kWidth = 268, kHeight = 166, kPad = 16;
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
