#include "figure/plots.hpp"
#include "figure/sheet.hpp"
#include "figure/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kCardWidth = 100, kCardHeight = 104, kGap = 21, kMargin = 14;
constexpr float kNarrow = 76, kWidest = 118;

void draw_thumbnail(Sheet& sheet, const Box& box, const StageThumbnail& stage) {
    const Theme& theme = sheet.theme();
    if (!stage.values || stage.values->size() == 0) {
        sheet.fill(box, theme.panel);
        return;
    }
    if (stage.signed_values) {
        const ValueRange range = signed_range(stage.values, theme.stripes);
        sheet.heat(box, stage.values, range.palette, range.low, range.high);
    } else {
        const float high = largest_size(*stage.values);
        sheet.heat(box, stage.values, theme.weights, 0, high > 0 ? high : 1);
    }
}

void draw_card(Sheet& sheet, const Box& card, const StageThumbnail& stage, bool selected) {
    const Theme& theme = sheet.theme();
    constexpr float kRadius = 6;
    sheet.fill(card, selected ? theme.panel : theme.raised, kRadius);
    sheet.stroke(card, selected ? theme.accent : theme.border, selected ? 1.5f : 1.f, kRadius);
    const float inset = card.w >= 80 ? 9.f : 6.f;
    const TextStyle style{card.w >= 80 ? 11.5f : 10.f};
    sheet.text(sheet.fitted(stage.label, style, card.w - 2 * inset),
               {card.x + inset, card.y + 5 + style.size}, style,
               selected ? theme.text : theme.muted);
    const float under = 5 + style.size * 1.75f;
    const Box picture{card.x + inset, std::round(card.y + under), card.w - 2 * inset,
                      std::floor(card.h - under - inset + 1)};
    if (picture.w > 2 && picture.h > 2) draw_thumbnail(sheet, picture, stage);
    sheet.target(card, Tag::Kind::stage, stage.id);
}

void draw_chevron(Sheet& sheet, Point centre) {
    constexpr float kReach = 3.5f;
    sheet.line({{centre.x - kReach / 2, centre.y - kReach},
                {centre.x + kReach / 2, centre.y},
                {centre.x - kReach / 2, centre.y + kReach}},
               sheet.theme().muted, 1.2f);
}

} // namespace

Figure stage_strip(const std::vector<StageThumbnail>& stages, int selected, const Frame& frame) {
    const auto n = static_cast<float>(stages.size());
    const float natural_width = 2 * kMargin + n * kCardWidth + std::max(n - 1, 0.f) * kGap;
    Sheet sheet(frame, natural_width, kCardHeight + 2 * kMargin);
    sheet.figure.background = sheet.theme().panel;
    sheet.figure.title = std::to_string(stages.size()) + " stages of one attention layer";
    if (stages.empty()) return std::move(sheet.figure);
    const float margin = std::min(kMargin, sheet.height() * 0.12f);
    const float room = sheet.width() - 2 * kMargin;
    // Gaps narrow first, then the cards.
    const float gap = std::clamp((room - n * kNarrow) / std::max(n - 1, 1.f), 10.f, kGap);
    const float width = std::clamp((room - (n - 1) * gap) / n, 1.f, kWidest);
    const float height = std::min(sheet.height() - 2 * margin, 1.25f * width + 10);
    const float top = std::round((sheet.height() - height) / 2);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const float x = std::round(kMargin + static_cast<float>(i) * (width + gap));
        const Box card{x, top, std::floor(width), std::floor(height)};
        draw_card(sheet, card, stages[i], stages[i].id == selected);
        if (i + 1 < stages.size() && gap >= 8) {
            draw_chevron(sheet, {card.x + width + gap / 2, top + height / 2});
        }
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
