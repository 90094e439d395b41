#include "base/check.hpp"
#include "figure/axis_labels.hpp"
#include "figure/plots.hpp"
#include "figure/sheet.hpp"
#include "figure/value_range.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kLargestThumbnail = 132, kNaturalThumbnail = 64;
constexpr TextStyle kNumbers{10.5f, Font::mono};

struct Places {
    float left, top, size, gap;

    Box thumbnail(int layer, int head) const {
        return {left + static_cast<float>(head) * (size + gap),
                top + static_cast<float>(layer) * (size + gap), size, size};
    }
};

float gap_for(float size) { return std::clamp(std::round(size * 0.1f), 2.f, 12.f); }

/// The largest square thumbnail of which `count` fit beside each other.
float thumbnail_size(float room, int count) {
    float size = kLargestThumbnail;
    for (int round = 0; round < 4; ++round) {
        size = std::min(kLargestThumbnail, (room - static_cast<float>(count - 1) * gap_for(size)) /
                                               static_cast<float>(count));
    }
    return std::max(size >= 8 ? std::floor(size) : size, 0.5f);
}

void draw_thumbnail(Sheet& sheet, const Box& box, const std::shared_ptr<const Matrix<float>>& map,
                    bool signed_values, bool selected) {
    const Theme& theme = sheet.theme();
    const float radius = box.w >= 16 ? 3.f : 0.f;
    if (map && map->size() > 0) {
        if (signed_values) {
            const ValueRange range = signed_range(map, theme.stripes);
            sheet.heat(box, map, range.palette, range.low, range.high);
        } else {
            sheet.heat(box, map, theme.weights, 0, 1);
        }
    } else {
        sheet.fill(box, theme.raised, radius);
    }
    if (selected) {
        sheet.stroke({box.x - 2, box.y - 2, box.w + 4, box.h + 4}, theme.accent, 2, radius);
    } else {
        sheet.stroke(box, theme.border, 1);
    }
}

void draw_edges(Sheet& sheet, const HeadGrid& grid, const Places& places) {
    const float pitch = places.size + places.gap;
    const auto ink = [&](std::optional<int> selected, int i) {
        return selected == i ? sheet.theme().accent : sheet.theme().muted;
    };
    const auto style = [&](std::optional<int> selected, int i) {
        TextStyle result = kNumbers;
        if (selected == i) result.weight = Weight::bold;
        return result;
    };
    std::optional<int> layer, head;
    if (grid.selected) {
        layer = grid.selected->first;
        head = grid.selected->second;
    }
    for (const int i : thinned(grid.heads, thinning(pitch, 16), head)) {
        const Box box = places.thumbnail(0, i);
        sheet.text(std::to_string(i + 1), {box.x + box.w / 2, box.y - 6}, style(head, i),
                   ink(head, i), AlignX::centre);
    }
    for (const int i : thinned(grid.layers, thinning(pitch, 13), layer)) {
        const Box box = places.thumbnail(i, 0);
        sheet.text(std::to_string(i + 1), {box.x - 7, box.y + box.h / 2}, style(layer, i),
                   ink(layer, i), AlignX::right, AlignY::middle);
    }
}

} // namespace

Figure head_grid(const HeadGrid& grid, const Frame& frame) {
    HEED_CHECK(grid.layers >= 0 && grid.heads >= 0, "a grid of {} layers and {} heads", grid.layers,
               grid.heads);
    HEED_CHECK(grid.maps.size() ==
                   static_cast<std::size_t>(grid.layers) * static_cast<std::size_t>(grid.heads),
               "{} maps for {} layers of {} heads", grid.maps.size(), grid.layers, grid.heads);
    const float natural_pitch = kNaturalThumbnail + gap_for(kNaturalThumbnail);
    Sheet sheet(frame, static_cast<float>(grid.heads) * natural_pitch + 90, 0);
    sheet.figure.title = "Attention of " + std::to_string(grid.heads) + " heads in each of " +
                         std::to_string(grid.layers) + " layers" +
                         (grid.title.empty() ? "" : ": " + grid.title);
    const float wide = sheet.width() - 2 * sheet.margin();
    const bool words = wide >= 320;
    const float top = sheet.header(grid.title, "");
    if (grid.layers == 0 || grid.heads == 0) {
        sheet.text("No heads of this kind", {sheet.margin(), top + 20}, {type_size::kSubtitle},
                   sheet.theme().muted);
        sheet.close_at(top + 28);
        return std::move(sheet.figure);
    }
    const float bottom = sheet.footer();
    constexpr TextStyle word_style{type_size::kNote};
    const float word_width = words ? sheet.width_of("layer ↓", word_style) + 10 : 0;
    const float edge =
        std::max(word_width, sheet.width_of(std::to_string(grid.layers), kNumbers) + 10);
    constexpr float kNumbersHeight = 20;
    // Two points at the far sides leave room for the frame of the selected one.
    Places places{sheet.margin() + edge, top + kNumbersHeight, 0, 0};
    places.size =
        std::min(thumbnail_size(sheet.width() - sheet.margin() - 2 - places.left, grid.heads),
                 thumbnail_size(std::max(bottom - 2 - places.top, 1.f), grid.layers));
    places.gap = gap_for(places.size);
    places.left = std::round(places.left);
    places.top = std::round(places.top);

    draw_edges(sheet, grid, places);
    if (words) {
        const float x = places.left - 7;
        sheet.text("head →", {x, places.top - 6}, word_style, sheet.theme().muted, AlignX::right);
        if (places.size >= 40) {
            sheet.text("layer ↓", {x, places.top + 9}, word_style, sheet.theme().muted,
                       AlignX::right);
        }
    }
    for (int layer = 0; layer < grid.layers; ++layer) {
        for (int head = 0; head < grid.heads; ++head) {
            const Box box = places.thumbnail(layer, head);
            draw_thumbnail(sheet, box,
                           grid.maps[static_cast<std::size_t>(layer * grid.heads + head)],
                           grid.signed_values, grid.selected == std::pair(layer, head));
            sheet.target({box.x - places.gap / 2, box.y - places.gap / 2, box.w + places.gap,
                          box.h + places.gap},
                         Tag::Kind::head, layer, head);
        }
    }
    const Box last = places.thumbnail(grid.layers - 1, grid.heads - 1);
    sheet.close_at(last.y + last.h + 2);
    return std::move(sheet.figure);
}

} // namespace heed::figure
