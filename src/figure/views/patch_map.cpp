#include "figure/views/patch_map.hpp"

#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::figure {

namespace {

constexpr float kDimmed = 0.55f; // of the picture, that the ground takes
// Of a patch, that its colour takes: what lies below is still seen, but in a thumbnail.
constexpr float kMostCover = 0.62f, kCoverOfThumbnail = 0.92f;
constexpr float kBeside = 200, kApart = 22, kChip = 26;
constexpr float kClassHead = 18, kClassRow = 20, kBetweenClasses = 4;
constexpr TextStyle kChipText{12.5f}, kChosenChip{12.5f, Font::sans, Weight::bold};

/// The share of a patch that its colour covers.
float cover(float weight, float full) {
    return full > 0 && weight > 0 ? std::min(weight / full, 1.f) : 0.f;
}

Color covering(PaletteId palette, float weight, float full, float most) {
    Color color = colour_of(palette, weight, 0, full);
    color.a = static_cast<std::uint8_t>(std::lround(255 * most * cover(weight, full)));
    return color;
}

float largest(const std::vector<float>& weights, std::size_t from) {
    float most = 0;
    for (std::size_t i = from; i < weights.size(); ++i) {
        if (std::isfinite(weights[i])) most = std::max(most, weights[i]);
    }
    return most;
}

struct PatchSheet {
    Sheet& sheet;
    const PatchMapData& data;
    PaletteId palette;
    float full; // the weight of the full colour

    const Theme& theme() const { return sheet.theme(); }
    int leading() const { return static_cast<int>(data.leading.size()); }

    Box patch(const Box& box, int token) const {
        const int at = token - leading();
        const float w = box.w / static_cast<float>(data.cols);
        const float h = box.h / static_cast<float>(data.rows);
        return {box.x + static_cast<float>(at % data.cols) * w,
                box.y + static_cast<float>(at / data.cols) * h, w, h};
    }

    void draw_picture(const Box& box) const {
        sheet.figure.items.push_back(Image{box, data.picture, true});
        sheet.fill(box, faded(theme().ground, kDimmed));
        auto cells = std::make_shared<Pixels>(Pixels{data.cols, data.rows, {}});
        for (std::size_t i = data.leading.size(); i < data.weights.size(); ++i) {
            const Color c = covering(palette, data.weights[i], full, kMostCover);
            cells->rgba.insert(cells->rgba.end(), {c.r, c.g, c.b, c.a});
        }
        sheet.figure.items.push_back(Image{box, std::move(cells), false});
        sheet.stroke(box, theme().border);
        sheet.target(box, tag::Cells{data.rows, data.cols});
        if (data.query < leading()) return;
        const Box own = patch(box, data.query);
        sheet.stroke({own.x - 2, own.y - 2, own.w + 4, own.h + 4}, theme().ground, 1);
        sheet.stroke({own.x - 1, own.y - 1, own.w + 2, own.h + 2}, theme().accent, 2);
    }

    /// A leading token, with what the query gives to it. Returns where the next begins.
    float draw_chip(float x, float y, float w, int token) const {
        const Box box{x, y, w, kChip};
        const auto index = static_cast<std::size_t>(token);
        const float weight = data.weights[index];
        const bool chosen = token == data.query;
        sheet.fill(box, theme().raised, 5);
        sheet.fill({x + 8, y + kChip - 4, (w - 16) * std::clamp(weight, 0.f, 1.f), 2},
                   theme().accent);
        sheet.stroke(box, chosen ? theme().accent : theme().border, chosen ? 2.f : 1.f, 5);
        const float middle = y + kChip / 2 - 1;
        sheet.text(sheet.fitted(data.leading[index], kChipText, w - 70), {x + 9, middle},
                   chosen ? kChosenChip : kChipText, chosen ? theme().accent : theme().text,
                   AlignX::left, AlignY::middle);
        sheet.text(row_weight_text(weight, data.weights), {x + w - 8, middle}, kMonoNote,
                   theme().muted, AlignX::right, AlignY::middle);
        sheet.target(box, tag::RowLabel{token});
        return y + kChip + 6;
    }

    float classes_height() const {
        return data.classes.empty() ? 0
                                    : kClassHead + static_cast<float>(data.classes.size()) *
                                                       (kClassRow + kBetweenClasses);
    }

    void draw_classes(float x, float y, float w, float bottom) const {
        if (data.classes.empty() || y + 20 + kClassRow > bottom) return;
        sheet.text("class", {x, y + 10}, kNote, theme().muted);
        y += kClassHead;
        for (const ClassShare& one : data.classes) {
            if (y + kClassRow > bottom) return;
            const float base = y + 11;
            const std::string share = probability_text(one.probability);
            const float number = sheet.width_of(share, kMonoNote);
            sheet.text(sheet.fitted_end(one.name, kFormula, w - number - 10), {x, base}, kFormula,
                       theme().text);
            sheet.text(share, {x + w, base}, kMonoNote, theme().muted, AlignX::right);
            sheet.fill({x, y + 15, w, 3}, theme().raised, 1.5f);
            sheet.fill({x, y + 15, std::max(w * one.probability, 1.f), 3}, theme().accent, 1.5f);
            y += kClassRow + kBetweenClasses;
        }
    }
};

/// Beside the picture: leading tokens, what the colours mean, and the classes. Returns where they
/// end.
float draw_beside(const PatchSheet& parts, const Box& picture, float x, float bottom, bool bar) {
    Sheet& sheet = parts.sheet;
    float y = picture.y;
    for (int token = 0; token < static_cast<int>(parts.data.leading.size()); ++token) {
        y = parts.draw_chip(x, y, kBeside, token);
    }
    y += 10;
    // A shorter bar says as much as a long one, and every class has its line.
    constexpr float kBar = 110, kShortBar = 48, kAroundBar = 46;
    const float high = std::min(bottom - y - kAroundBar - parts.classes_height(), kBar);
    if (bar && y + std::max(high, kShortBar) + kAroundBar <= bottom) {
        draw_colour_bar(sheet, range_between(nullptr, parts.palette, {0, parts.full}, "of a patch"),
                        x, y + 6, std::max(high, kShortBar));
        y += std::max(high, kShortBar) + kAroundBar;
    }
    parts.draw_classes(x, y, kBeside, bottom);
    return y + parts.classes_height();
}

} // namespace

Figure patch_map(const PatchMapData& data, const PatchMapOptions& options, const Frame& frame) {
    constexpr float kNatural = 460;
    if (!data.picture) return sentence_instead(data.title, data.instead, frame);
    Sheet sheet(frame, kNatural + kApart + kBeside + 48, 0);
    sheet.figure.title = data.title;
    const float top = sheet.header(data.title, data.subtitle);
    const auto tokens = data.leading.size() +
                        static_cast<std::size_t>(data.rows) * static_cast<std::size_t>(data.cols);
    HEED_CHECK(data.rows > 0 && data.cols > 0 && data.weights.size() == tokens,
               "{} weights of {} tokens", data.weights.size(), tokens);
    const float bottom = sheet.footer();
    const float across = sheet.width() - 2 * sheet.margin() - kApart - kBeside;
    const float side = std::floor(
        std::max(std::min(across, sheet.height_is_open() ? across : bottom - top - 4), 40.f));
    const float pixel = static_cast<float>(std::max(data.rows, data.cols));
    const float even = side >= pixel ? side - std::fmod(side, pixel) : side; // whole points a patch
    const Box box{sheet.margin(), std::round(top + 2), even * static_cast<float>(data.cols) / pixel,
                  even * static_cast<float>(data.rows) / pixel};
    const PatchSheet parts{sheet, data, options.palette.value_or(sheet.theme().weights),
                           largest(data.weights, data.leading.size())};
    parts.draw_picture(box);
    const float end = draw_beside(parts, box, box.x + box.w + kApart, bottom,
                                  options.colour_bar && parts.full > 0);
    sheet.close_at(std::max(box.y + box.h, end) + 4);
    return std::move(sheet.figure);
}

std::shared_ptr<const Pixels> overlaid(const Pixels& picture, const Matrix<float>& weights,
                                       PaletteId palette, Color ground, int side) {
    const int longest = std::max(picture.width, picture.height);
    const int width = std::max(1, picture.width * std::min(side, longest) / longest);
    const int height = std::max(1, picture.height * std::min(side, longest) / longest);
    const float full = weights.size() > 0 ? weights.maxCoeff() : 0;
    auto pixels = std::make_shared<Pixels>(Pixels{width, height, {}});
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const auto at = static_cast<std::size_t>(y * picture.height / height * picture.width +
                                                     x * picture.width / width) *
                            4;
            const std::uint8_t* from = picture.rgba.data() + at;
            const Color dim = mixed({from[0], from[1], from[2]}, ground, kDimmed);
            const Color over =
                covering(palette, weights(y * weights.rows() / height, x * weights.cols() / width),
                         full, kCoverOfThumbnail);
            const Color c = mixed(dim, {over.r, over.g, over.b}, static_cast<float>(over.a) / 255);
            pixels->rgba.insert(pixels->rgba.end(), {c.r, c.g, c.b, 255});
        }
    }
    return pixels;
}

} // namespace heed::figure
