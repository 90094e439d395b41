#include "figure/parts/hypothesis_list.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace heed::figure {

namespace {

constexpr float kLowLine = 20, kHighLine = 24, kAboveLines = 12;

/// The places of at most so many hypotheses: the best, and the followed one.
std::vector<std::size_t> shown_hypotheses(const trace::Beam& beam, std::size_t most) {
    std::vector<std::size_t> shown;
    for (std::size_t h = 0; h < std::min(most, beam.hypotheses.size()); ++h) shown.push_back(h);
    const auto followed = static_cast<std::size_t>(std::max(beam.followed, 0));
    if (!shown.empty() && followed < beam.hypotheses.size()) {
        shown.back() = std::max(shown.back(), followed);
    }
    return shown;
}

/// The sentence, or as many words of both its ends as fit.
std::string fitted_words(const Sheet& sheet, const std::vector<std::string>& words,
                         const TextStyle& style, float room) {
    std::string text;
    for (std::size_t kept = words.size(); kept > 0; --kept) {
        const std::size_t front = (kept + 1) / 2, behind = words.size() - kept / 2;
        text.clear();
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i >= front && i < behind) continue;
            text += (i > 0 ? " " : "") + words[i];
            if (i + 1 == front && front < behind) text += " …";
        }
        if (sheet.width_of(text, style) <= room) return text;
    }
    return sheet.fitted(text, style, room);
}

} // namespace

void draw_hypotheses(Sheet& sheet, const trace::Beam& beam, float top, float bottom) {
    constexpr float kRank = 26, kTotal = 64;
    const float high = bottom - top - kAboveLines;
    if (high < kLowLine || beam.hypotheses.empty()) return;
    const auto count = static_cast<float>(beam.hypotheses.size());
    const float line = std::clamp(std::floor(high / count), kLowLine, kHighLine);
    const auto most = static_cast<std::size_t>(std::min(high / line, count));
    const Theme& theme = sheet.theme();
    const float left = sheet.margin(), room = sheet.width() - 2 * left;
    float y = top + kAboveLines - line / 2;
    for (const std::size_t h : shown_hypotheses(beam, most)) {
        const std::vector<int> path = beam.path(static_cast<int>(h));
        if (path.empty()) continue;
        const bool followed = static_cast<int>(h) == beam.followed;
        y += line;
        std::vector<std::string> words;
        for (const int node : path) {
            words.push_back(beam.nodes[static_cast<std::size_t>(node)].word);
        }
        const trace::BeamNode& end = beam.nodes[static_cast<std::size_t>(path.back())];
        TextStyle style = kWord;
        style.weight = followed ? Weight::bold : Weight::regular;
        const Color ink = followed ? theme.accent : theme.text;
        sheet.text(std::to_string(h + 1), {left + kRank - 10, y}, kMonoNote, theme.muted,
                   AlignX::right, AlignY::middle);
        sheet.text(number_text(end.total, 2), {left + kRank + kTotal - 12, y}, kMonoNote,
                   theme.muted, AlignX::right, AlignY::middle);
        sheet.text(fitted_words(sheet, words, style, room - kRank - kTotal),
                   {left + kRank + kTotal, y}, style, ink, AlignX::left, AlignY::middle);
        sheet.target({left, y - line / 2, room, line}, tag::Node{end.step, path.back()});
    }
}

float hypotheses_height(const trace::Beam& beam) {
    constexpr float kUnderNotes = 2;
    return kUnderNotes + kAboveLines + kLowLine * static_cast<float>(beam.hypotheses.size());
}

} // namespace heed::figure
