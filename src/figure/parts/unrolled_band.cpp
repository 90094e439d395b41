#include "figure/parts/unrolled_band.hpp"

#include <cmath>

namespace heed::figure {

namespace {

using Band = UnrolledBand;

constexpr float kWidestPitch = 200; // of a step
constexpr float kBehindNames = 14;
constexpr float kSmallStepWord = 10, kSmallestStepWord = 8.5f, kLeastBetweenWords = 6;

} // namespace

void place_unrolled(UnrolledBand& band, float left, float right, bool starts) {
    const int n = band.side.steps();
    // A state before the first step takes the place of a step.
    const float start = starts ? 1 : 0;
    const float room = right - left;
    const bool all = (static_cast<float>(n) + start) * kTightestPitch <= room;
    const float least = all ? kTightestPitch : kNarrowestPitch;
    const int fit = std::clamp(static_cast<int>(room / least - start), 1, std::max(n, 1));
    band.first = std::clamp(band.chosen.value_or(0) - fit / 2, 0, std::max(n - fit, 0));
    band.last = std::min(band.first + fit, n);
    band.pitch = std::min(room / (static_cast<float>(fit) + start), kWidestPitch);
    band.left = left + start * band.pitch;
}

float names_width(const Sheet& sheet, const std::vector<const UnrolledSide*>& sides, float room) {
    float width = 0, steps = 0;
    for (const UnrolledSide* side : sides) {
        steps = std::max(steps, static_cast<float>(side->steps() + 1));
        for (const UnrolledCells& row : side->rows) {
            width = std::max(width, sheet.width_of(row.name, kNote));
        }
        if (side->contexts) width = std::max(width, sheet.width_of("cᵢ", kNote));
    }
    width = std::min(std::ceil(width) + kBehindNames, Band::kNames);
    // Beside a part of the steps stands which part it is.
    return steps * kTightestPitch > room - width ? Band::kNames : width;
}

float StepWords::room(std::size_t i) const {
    const float own = pitch - 5;
    if (widths[i] <= own) return own;
    const auto reach = [&](std::size_t other) {
        return pitch - std::min(widths[other], own) / 2 - between;
    };
    const float left = i == 0 ? before : reach(i - 1);
    const float right = i + 1 == widths.size() ? behind : reach(i + 1);
    return std::max(2 * std::min(left, right), own);
}

StepWords words_at(const Sheet& sheet, const UnrolledBand& band,
                   const std::vector<std::string>& texts, bool below, float size) {
    constexpr float kOutside = 10;
    StepWords words;
    words.pitch = band.pitch;
    words.between = band.between;
    // Below a state before the first step there is the way into it.
    const bool starts = band.decoder && band.side.rows[0].start.size() > 0 && band.first == 0;
    words.before = !starts ? band.pitch / 2 - 2 : band.pitch - (below ? 14 : band.between);
    words.behind = band.pitch / 2 + kOutside;
    const TextStyle style{size, Font::sans, Weight::bold};
    for (int step = band.first; step < band.last; ++step) {
        const auto at = static_cast<std::size_t>(step);
        words.widths.push_back(at < texts.size() ? sheet.width_of(texts[at], style) : 0);
    }
    return words;
}

void size_words(const Sheet& sheet, UnrolledBand& band) {
    const auto whole = [&](const std::vector<std::string>& texts, bool below, float size) {
        const StepWords words = words_at(sheet, band, texts, below, size);
        for (std::size_t i = 0; i < words.widths.size(); ++i) {
            if (words.widths[i] > words.room(i)) return false;
        }
        return true;
    };
    // Where small words would be cut they stand closer together, before they are tiny.
    constexpr float kSteps[][3] = {{kWord.size, kSmallStepWord, Band::kBetweenWords},
                                   {kWord.size, kSmallStepWord, kLeastBetweenWords},
                                   {kSmallStepWord, kSmallestStepWord, kLeastBetweenWords}};
    for (const auto& [largest, smallest, between] : kSteps) {
        band.between = between;
        for (band.word = largest; band.word > smallest; band.word -= 0.5f) {
            const bool said = !band.side.says_each() || whole(band.side.said, false, band.word);
            if (said && whole(band.side.read, true, band.word)) return;
        }
    }
}

} // namespace heed::figure
