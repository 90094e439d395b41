#include "ui/explore/colours_section.hpp"

#include "app/document/names.hpp"
#include "ui/frame/choices.hpp"
#include "ui/frame/tips.hpp"
#include "ui/stage/stage_state.hpp"
#include "ui/widgets/form.hpp"

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
    p.ui.tip(kPaletteTip);
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
void scale_choice(Panel& p, Form& f) {
    using figure::ColourScale;
    const std::string scales[] = {"linear", "logarithmic"};
    const bool is_signed = app::shows_signed(p.state.view, p.snapshot().focus);
    const bool logs = !is_signed && p.state.view.scale == ColourScale::logarithmic;
    if (const auto i = f.choice("colours", scales, logs ? 2u : 1u, is_signed ? 0b01u : 0b11u)) {
        p.state.view.scale = *i == 0 ? ColourScale::linear : ColourScale::logarithmic;
    }
    constexpr ColourScale kScales[] = {ColourScale::linear, ColourScale::logarithmic};
    f.tips(tips_of(kScales));
    if (is_signed) f.tip("Positive and negative numbers always have linear colours.");
}

} // namespace

void colours_section(Panel& p, Form& f) {
    constexpr float kBetween = 6;
    constexpr int kInRow = 3;
    const float wide = (f.w - (kInRow - 1) * kBetween) / kInRow;
    Line line{};
    for (int i = 0; i < static_cast<int>(std::size(kPaletteChoices)); ++i) {
        if (i % kInRow == 0) line = {f.row(28, kBetween), kBetween};
        const Box box = line.left(wide);
        if (f.draws()) swatch(p, box, kPaletteChoices[i], f.ids());
    }
    if (p.state.view.view == app::View::picture) {
        return f.note("The strongest patch has the full colour");
    }
    f.space(4);
    const std::string ranges[] = {"fixed", "map", "row"};
    constexpr figure::RangeMode modes[] = {figure::RangeMode::fixed, figure::RangeMode::map,
                                           figure::RangeMode::row};
    f.values("range", ranges, modes, p.state.view.range);
    f.tips(tips_of(modes));
    scale_choice(p, f);
    bool& numbers = p.state.view.numbers;
    if (f.toggle("Numbers in cells", "numbers", "numbers in cells", numbers)) numbers = !numbers;
    f.tip(kNumbersTip);
}

void colours_dialog(Panel& p) {
    const Point at = p.state.stage->colours_at;
    card_at(p.ui, CardId::colours, {{at.x + 8, at.y}, 268, "colours/"}, [&](Form& f) {
        f.heading("Colours");
        f.space(4);
        colours_section(p, f);
    });
}

} // namespace heed::ui
