#include "figure/lab_words.hpp"

#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cstddef>

namespace heed::figure {

namespace {

constexpr TextStyle kLabTokens{11.5f};

/// The theme's ink, or the one of the two plain ones that a strong ground needs.
Color ink_on_tile(const Sheet& sheet, Color ground) {
    constexpr float kRead = 4.5f;
    const Color text = sheet.theme().text;
    return contrast(text, ground) >= kRead ? text : ink_on(ground);
}

} // namespace

void draw_lab_words(Sheet& sheet, const lab::Words& words, const Box& box) {
    constexpr float kRow = 24, kPad = 5;
    float labels = 0;
    for (const auto& row : words.rows) {
        labels = std::max(labels, sheet.width_of(row.label, kNote));
    }
    labels = std::min(labels, box.w / 3);
    const auto room = static_cast<std::size_t>(std::max((box.h + 1) / kRow, 1.f));
    const std::size_t shown = std::min(words.rows.size(), room);
    const bool all = shown == words.rows.size();
    const std::size_t first = words.last_rows ? words.rows.size() - shown : 0;
    float y = box.y;
    for (std::size_t i = first; i < first + shown; ++i) {
        const auto& row = words.rows[i];
        const bool left_out = words.last_rows ? i == first : i + 1 == first + shown;
        if (!all && left_out) {
            sheet.text("…", {box.x, y + 15}, kNote, sheet.theme().muted);
            y += kRow;
            continue;
        }
        sheet.text(sheet.fitted(row.label, kNote, labels), {box.x, y + 15}, kNote,
                   sheet.theme().muted);
        float x = box.x + labels + 12;
        for (const auto& token : row.tokens) {
            const float width = sheet.width_of(token.text, kLabTokens) + 2 * kPad;
            if (x + width > box.x + box.w) {
                sheet.text("…", {x, y + 15}, kLabTokens, sheet.theme().muted);
                break;
            }
            if (token.remark) {
                sheet.text(token.text, {x + kPad, y + 14}, kLabTokens, sheet.theme().muted);
                x += width + 3;
                continue;
            }
            const auto share = static_cast<float>(std::clamp(token.share, 0.0, 1.0));
            const Color ground = mixed(sheet.theme().raised, sheet.theme().accent, 0.7f * share);
            sheet.fill({x, y, width, kRow - 4}, ground, 4);
            sheet.stroke({x, y, width, kRow - 4}, sheet.theme().border, 1, 4);
            sheet.text(token.text, {x + kPad, y + 14}, kLabTokens, ink_on_tile(sheet, ground));
            x += width + 3;
        }
        y += kRow;
    }
}

} // namespace heed::figure
