#include "figure/parts/unrolled_band.hpp"

#include "figure/base/number_text.hpp"
#include "figure/parts/heat_marks.hpp"

#include <cmath>
#include <tuple>

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
    if (!moved.empty()) return widths[i];
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
    if (!band.moves) return words;
    const auto moved =
        moved_apart(words.widths, band.pitch, band.between, words.before, words.behind);
    words.moved = moved.value_or(std::vector<float>{});
    return words;
}

namespace {

/// Ways of placing words, the easiest to read first.
struct WordWay {
    float between;
    bool moves;
};
constexpr WordWay kWays[] = {
    {Band::kBetweenWords, false}, {kLeastBetweenWords, false}, {kLeastBetweenWords, true}};

/// True where each word of a band is whole in this type, in the first of so many ways that has room
/// for all; of none the band has the last one that moves no word.
bool words_are_whole(const Sheet& sheet, UnrolledBand& band, float size, std::size_t ways) {
    const auto whole = [&](const std::vector<std::string>& texts, bool below) {
        const StepWords words = words_at(sheet, band, texts, below, size);
        for (std::size_t i = 0; i < words.widths.size(); ++i) {
            if (words.widths[i] > words.room(i)) return false;
        }
        return true;
    };
    band.word = size;
    for (std::size_t way = 0; way < ways; ++way) {
        std::tie(band.between, band.moves) = std::pair(kWays[way].between, kWays[way].moves);
        const bool said = !band.side.says_each() || whole(band.side.said, false);
        if (said && whole(band.side.read, true)) return true;
    }
    band.moves = false;
    return false;
}

} // namespace

void size_words(const Sheet& sheet, std::vector<UnrolledBand>& bands) {
    // Where small words would be cut they stand closer together, before they are tiny.
    struct Sizes {
        float largest, smallest;
        std::size_t ways;
    };
    constexpr float kSmall = kSmallStepWord + 0.5f;
    constexpr Sizes kSizes[] = {{kWord.size, kSmall, 1},
                                {kWord.size, kSmall, 2},
                                {kWord.size, kSmall, 3},
                                {kSmallStepWord, kSmallestStepWord, 3}};
    for (const auto& [largest, smallest, ways] : kSizes) {
        for (float size = largest; size >= smallest; size -= 0.5f) {
            bool whole = true;
            for (UnrolledBand& band : bands)
                whole = words_are_whole(sheet, band, size, ways) && whole;
            if (whole) return;
        }
    }
}

std::string weights_name(int step) {
    std::string name = "α";
    for (const char digit : std::to_string(step + 1)) {
        name += std::string("₀₁₂₃₄₅₆₇₈₉").substr(3 * static_cast<std::size_t>(digit - '0'), 3);
    }
    return name + "ⱼ";
}

std::vector<std::string> link_numbers(const Sheet& sheet, const UnrolledBand& encoder,
                                      const num::RowVector<float>& weights) {
    constexpr float kBetween = 7;
    std::vector<std::string> numbers(static_cast<std::size_t>(weights.size()));
    // True where all have room.
    const auto write = [&](int decimals, bool bare) {
        bool fits = true;
        for (int word = encoder.first; word < encoder.last && word < weights.size(); ++word) {
            if (!(weights[word] >= kLeastBar)) continue;
            const float told = told_weight(weights[word], span_of(weights));
            std::string& number = numbers[static_cast<std::size_t>(word)];
            number = bare ? short_weight_text(told, decimals) : weight_text(told, decimals);
            if (bare && number.starts_with("0.")) number.erase(0, 1);
            fits = fits && sheet.width_of(number, kMonoNote) + kBetween <= encoder.pitch;
        }
        return fits;
    };
    if (!write(3, false) && !write(3, true)) write(2, true);
    return numbers;
}

} // namespace heed::figure
