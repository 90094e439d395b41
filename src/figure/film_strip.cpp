#include "figure/film_strip.hpp"

#include "figure/base/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::figure {

namespace {

constexpr float kFilmGap = 5, kWidestFrame = 112, kStepHeight = 17;
constexpr float kBetweenStepNames = 4; // names of two frames
constexpr TextStyle kStep{10.5f, Font::mono};

float frame_width(std::size_t frames, float width) {
    const auto n = static_cast<float>(std::max<std::size_t>(frames, 1));
    return std::clamp(std::floor((width - (n - 1) * kFilmGap) / n), 2.f, kWidestFrame);
}

/// Every how many frames a step is named, so that no two of them touch.
std::size_t naming(const Sheet& sheet, const std::vector<FilmFrame>& frames, float pitch) {
    float widest = 0;
    for (const FilmFrame& each : frames) {
        widest = std::max(widest, sheet.width_of(std::to_string(each.step), kStep));
    }
    return static_cast<std::size_t>(std::max(std::ceil((widest + 6) / pitch), 1.f));
}

} // namespace

FilmSpan film_span(std::size_t frames, float width) {
    const float each = frame_width(frames, width);
    const auto others = static_cast<float>(std::max<std::size_t>(frames, 1) - 1);
    return {each / 2, each / 2 + others * (each + kFilmGap)};
}

Figure film_strip(const std::vector<FilmFrame>& frames, std::optional<std::size_t> selected,
                  const Frame& frame) {
    Sheet sheet(frame, 900, 80);
    const Theme& theme = sheet.theme();
    sheet.figure.background = theme.panel;
    sheet.figure.title = std::to_string(frames.size()) + " frames of a training";
    if (frames.empty()) return std::move(sheet.figure);
    const float width = frame_width(frames.size(), sheet.width()), pitch = width + kFilmGap;
    const float high = std::clamp(sheet.height() - kStepHeight, 2.f, 1.2f * kWidestFrame);
    const std::size_t every = naming(sheet, frames, pitch);
    float named_to = -kBetweenStepNames; // the right end of the name before
    const auto name_step = [&](std::size_t i, float middle) {
        const std::string number = std::to_string(frames[i].step), whole = "step " + number;
        // The first says what the numbers are, and the next ones give way to it; not the chosen
        // one.
        const float chosen = selected.value_or(0) > 0
                                 ? static_cast<float>(*selected) * pitch - kBetweenStepNames
                                 : sheet.width();
        const bool says = i == 0 && sheet.width_of(whole, kStep) <= chosen;
        const std::string& step = says ? whole : number;
        const float half = sheet.width_of(step, kStep) / 2;
        const float x = std::clamp(middle, half, std::max(sheet.width() - half, half));
        if (selected != i && x - half < named_to + kBetweenStepNames) return;
        named_to = x + half;
        sheet.text(step, {x, kStepHeight - 6}, kStep, selected == i ? theme.text : theme.muted,
                   AlignX::centre);
    };
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const Box box{static_cast<float>(i) * pitch, kStepHeight, width, high};
        const bool shown = selected == i;
        const bool beside = selected && i != *selected && // the chosen one's name comes first
                            (i > *selected ? i - *selected : *selected - i) < every;
        if (shown || (i % every == 0 && !beside)) {
            name_step(i, box.x + width / 2);
        }
        const bool has_map = frames[i].weights && frames[i].weights->size() > 0;
        const float corner = has_map ? 0.f : 3.f; // a map is square
        sheet.fill(box, theme.raised, corner);
        if (has_map) {
            sheet.heat(box, frames[i].weights, theme.weights, 0, 1);
        }
        const float out = shown ? 1.5f : 0;
        sheet.stroke({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out},
                     shown ? theme.accent : theme.border, shown ? 2.f : 1.f, shown ? 3.f : corner);
        sheet.target({box.x - kFilmGap / 2, 0, pitch, sheet.height()},
                     tag::Stage{static_cast<int>(i)});
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
