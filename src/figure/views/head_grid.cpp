#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/heat_marks.hpp"
#include "figure/parts/strip.hpp"
#include "figure/views/plots.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kLargestThumbnail = 440, kNaturalThumbnail = 64;
constexpr TextStyle kNumbers{10.5f, Font::mono};

struct HeadPlaces {
    float left = 0, top = 0, size = 0, gap = 0;
    float high = 0; // of a thumbnail, where it is not as high as wide

    float caption = 0; // above each thumbnail
    float strip = 0;   // between the numbers on the edges and the thumbnails
    int columns = 1, rows = 1;

    Box thumbnail(int row, int col) const {
        return {left + static_cast<float>(col) * (size + gap),
                top + caption + static_cast<float>(row) * (high + gap + caption), size, high};
    }
    Box thumbnail(int at) const { return thumbnail(at / columns, at % columns); }
    float bottom() const { return thumbnail(rows - 1, 0).y + high; }
};

bool is_sorted(const HeadGrid& grid) { return !grid.order.empty(); }

/// True where strips are drawn: only where heads stand in their places.
bool has_strips(const HeadGrid& grid) {
    return !is_sorted(grid) && (grid.layer_strip || grid.head_strip);
}

/// True of a large grid, which has words of its own beside the window's, and of a picture.
bool stands_alone(const Frame& frame) { return frame.beside_title > 0 || !frame.caption.empty(); }

/// The ranges that bars beside the heads are of: of weights, and of the score in whose colours the
/// frames are.
std::vector<ValueRange> bar_ranges(const HeadGrid& grid, const Frame& frame, const Theme& theme) {
    const bool told = grid.colours.scale == ColourScale::linear && grid.pictures.empty() &&
                      grid.range == RangeMode::fixed && stands_alone(frame);
    std::vector<ValueRange> ranges;
    if (told) {
        ranges.push_back(range_between(nullptr, grid.colours.palette.value_or(theme.weights),
                                       {0, 1}, "weights"));
    }
    if (grid.shade_range) ranges.push_back(*grid.shade_range);
    return ranges;
}

/// True where the edges say which of them counts what.
bool has_edge_words(const Sheet& sheet) { return sheet.width() - 2 * sheet.margin() >= 320; }

void check_counts(const HeadGrid& grid) {
    HEED_CHECK(grid.layers >= 0 && grid.heads >= 0, "a grid of {} layers and {} heads", grid.layers,
               grid.heads);
    HEED_CHECK(grid.maps.size() ==
                   static_cast<std::size_t>(grid.layers) * static_cast<std::size_t>(grid.heads),
               "{} maps for {} layers of {} heads", grid.maps.size(), grid.layers, grid.heads);
    HEED_CHECK(grid.order.empty() ||
                   (grid.order.size() == grid.maps.size() && grid.notes.size() == grid.maps.size()),
               "{} places and {} notes for {} heads", grid.order.size(), grid.notes.size(),
               grid.maps.size());
}

/// Wider where it is coloured.
float gap_for(float size, bool shaded) {
    if (shaded) return std::clamp(std::round(size * 0.22f), 3.f, 14.f);
    return std::clamp(std::round(size * 0.1f), 2.f, 12.f);
}

/// The largest square thumbnail of which `count` fit beside each other, `more` points apart.
float thumbnail_size(float room, int count, bool shaded, float more = 0) {
    room -= static_cast<float>(count) * more;
    float size = kLargestThumbnail;
    for (int round = 0; round < 4; ++round) {
        size = std::min(kLargestThumbnail,
                        (room - static_cast<float>(count - 1) * gap_for(size, shaded)) /
                            static_cast<float>(count));
    }
    return std::max(size >= 8 ? std::floor(size) : size, 0.5f);
}

/// Sorted heads follow each other like words: as many in a row as let them be largest, or one
/// layer's number of them where that is nearly as good.
int sorted_columns(const HeadGrid& grid, float width, float height, float caption) {
    const int heads = grid.heads, count = grid.layers * heads;
    const bool shaded = grid.shade_range.has_value();
    const auto size_of = [&](int columns) {
        const int rows = (count + columns - 1) / columns;
        return std::min(thumbnail_size(width, columns, shaded),
                        thumbnail_size(height, rows, shaded, caption));
    };
    int best = heads;
    float size = 1.15f * size_of(heads);
    for (int columns = 1; columns <= count; ++columns) {
        if (size_of(columns) > size) {
            size = size_of(columns);
            best = columns;
        }
    }
    return best;
}

/// `bar`: the width of what stands at the right. `centred`: few layers stand in the middle of the
/// height, higher than wide where it has room.
HeadPlaces head_places(const Sheet& sheet, const HeadGrid& grid, float bar, float top, float bottom,
                       bool centred) {
    constexpr float kOpen = 1e8f; // beyond it the height is what the content takes
    constexpr float kNumbersHeight = 20, kTallest = 1.6f;
    const bool sorted = is_sorted(grid);
    const float word_width = has_edge_words(sheet) ? sheet.width_of("layer ↓", kNote) + 10 : 0;
    const float edge =
        sorted ? 2
               : std::max(word_width, sheet.width_of(std::to_string(grid.layers), kNumbers) + 10);
    HeadPlaces places;
    // Two points at the far sides leave room for the frame of the selected one.
    constexpr float kForFrame = 1, kForShade = 5; // one in the colour of a score
    places.strip = has_strips(grid) ? kStripRoom + (grid.shade_range ? kForShade : kForFrame) : 0;
    places.left = sheet.margin() + edge + places.strip;
    places.top = top + (sorted ? 0 : kNumbersHeight) + places.strip;
    places.caption = sorted ? kNumbersHeight - 3 : 0;
    const float across = sheet.width() - sheet.margin() - 2 - places.left - bar;
    const float down = std::max(bottom - 2 - places.top, 1.f);
    places.columns =
        sorted && bottom < kOpen ? sorted_columns(grid, across, down, places.caption) : grid.heads;
    places.rows = (grid.layers * grid.heads + places.columns - 1) / places.columns;
    const bool shaded = grid.shade_range.has_value();
    places.size = std::min(thumbnail_size(across, places.columns, shaded),
                           thumbnail_size(down, places.rows, shaded, places.caption));
    if (bottom >= kOpen) { // many layers of few heads push away nothing that stands below
        constexpr float kTallestGrid = 1.5f, kEasy = 40;
        places.size =
            std::min(places.size, std::max(kEasy, thumbnail_size(kTallestGrid * across, places.rows,
                                                                 shaded, places.caption)));
    }
    places.gap = gap_for(places.size, shaded);
    places.high = places.size;
    if (centred && bottom < kOpen) {
        const auto rows = static_cast<float>(places.rows);
        const float room = (down - (rows - 1) * places.gap) / rows - places.caption;
        if (grid.pictures.empty() && places.size >= 8) {
            places.high =
                std::clamp(std::floor(room), places.size, std::floor(kTallest * places.size));
        }
        const float used = rows * (places.high + places.caption) + (rows - 1) * places.gap;
        places.top += std::max(down - used, 0.f) / 2;
    }
    places.left = std::round(places.left);
    places.top = std::round(places.top);
    return places;
}

ValueRange range_of(const HeadGrid& grid, std::size_t place, const Theme& theme) {
    auto map = grid.maps[place];
    const float size = grid.range == RangeMode::map ? largest_size(*map) : 1;
    if (grid.range == RangeMode::row) {
        map = place < grid.by_row.size() ? grid.by_row[place] : by_row(*map);
    }
    return thumbnail_range(map, false, size > 0 ? size : 1, grid.colours, theme);
}

/// `frame_out`: how far out the frame of a selected one lies.
void draw_thumbnail(Sheet& sheet, const Box& box, const HeadGrid& grid, std::size_t place,
                    bool selected, float frame_out) {
    const Theme& theme = sheet.theme();
    const float radius = box.w >= 16 ? 3.f : 0.f;
    const auto& map = grid.maps[place];
    const Box inside = selected ? box : under_frame(box);
    if (place < grid.pictures.size()) {
        sheet.figure.items.push_back(Image{inside, grid.pictures[place], true});
    } else if (map && map->size() > 0) {
        const ValueRange range = range_of(grid, place, theme);
        Heat heat{inside, range.values, range.palette, range.low, range.high, {}};
        heat.veils = veils_of(theme, grid.chosen_rows, static_cast<int>(range.values->rows()),
                              grid.chosen_cols, static_cast<int>(range.values->cols()));
        sheet.figure.items.emplace_back(std::move(heat));
        if (grid.cell) mark_cell(sheet, inside, *map, *grid.cell);
    } else {
        sheet.fill(box, theme.raised, radius);
    }
    if (selected) {
        sheet.stroke(
            {box.x - frame_out, box.y - frame_out, box.w + 2 * frame_out, box.h + 2 * frame_out},
            theme.accent, 2, radius);
    } else {
        sheet.stroke(box, theme.border, 1);
    }
}

void draw_edges(Sheet& sheet, const HeadGrid& grid, const HeadPlaces& places) {
    const float pitch = places.size + places.gap, down = places.high + places.gap;
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
        sheet.text(std::to_string(i + 1), {box.x + box.w / 2, box.y - 6 - places.strip},
                   style(head, i), ink(head, i), AlignX::centre);
    }
    for (const int i : thinned(grid.layers, thinning(down, 13), layer)) {
        const Box box = places.thumbnail(i, 0);
        sheet.text(std::to_string(i + 1), {box.x - 7 - places.strip, box.y + box.h / 2},
                   style(layer, i), ink(layer, i), AlignX::right, AlignY::middle);
    }
}

void draw_edge_words(Sheet& sheet, const HeadPlaces& places) {
    const Color muted = sheet.theme().muted;
    const float x = places.left - 7 - places.strip, high = places.bottom() - places.top;
    sheet.text("head →", {x, places.top - 6 - places.strip}, kNote, muted, AlignX::right);
    if (places.high >= 40) { // above the number
        return sheet.text("layer ↓", {x, places.top + 9}, kNote, muted, AlignX::right);
    }
    const float turned = x - sheet.width_of("layer ↓", kNote) + 4; // beside all of them
    if (sheet.width_of("← layer", kNote) > high) return;
    sheet.text("← layer", {turned, places.top + high / 2}, kNote, muted, AlignX::centre,
               AlignY::middle, -90);
}

/// A strip cell is as long as a thumbnail and its gap; the ends keep to the thumbnails and the
/// frame of a selected one.
void draw_strips(Sheet& sheet, const HeadGrid& grid, const HeadPlaces& places) {
    const float pitch = places.size + places.gap, down = places.high + places.gap;
    const float end = std::min(places.gap / 2, 2.f);
    const float spare = places.gap - 2 * end;
    const auto layers = static_cast<float>(grid.layers), heads = static_cast<float>(grid.heads);
    if (grid.layer_strip) {
        draw_strip(
            sheet,
            {places.left - places.strip, places.top - end, kStripThickness, layers * down - spare},
            *grid.layer_strip, StripOf::layers, grid.chosen_layers, {0, 0, layers, 1});
    }
    if (grid.head_strip) {
        draw_strip(
            sheet,
            {places.left - end, places.top - places.strip, heads * pitch - spare, kStripThickness},
            *grid.head_strip, StripOf::heads, grid.chosen_heads, {0, 0, 1, heads});
    }
}

/// A bar above the heads that read the same keys and values.
void draw_groups(Sheet& sheet, const HeadGrid& grid, const HeadPlaces& places) {
    constexpr float kBar = 1.5f, kAbove = 4;
    for (int first = 0; first < grid.heads; first += grid.heads_per_key) {
        const int last = std::min(first + grid.heads_per_key, grid.heads) - 1;
        const Box from = places.thumbnail(0, first), to = places.thumbnail(0, last);
        sheet.fill({from.x, from.y - places.strip - kAbove, to.x + to.w - from.x, kBar},
                   faded(sheet.theme().muted, 0.55f));
    }
}

bool passed_over(const HeadGrid& grid, int layer, int head) {
    const auto out = [](const std::vector<int>& chosen, int i) {
        return !chosen.empty() && !std::binary_search(chosen.begin(), chosen.end(), i);
    };
    return out(grid.chosen_layers, layer) || out(grid.chosen_heads, head);
}

std::string name_of(const HeadGrid& grid, int place) {
    return std::to_string(place / grid.heads + 1) + "." + std::to_string(place % grid.heads + 1);
}

/// The type of names and notes above thumbnails.
struct Captions {
    TextStyle name = kNumbers, note{9.5f};
    bool notes = false, units = false;

    std::string words(const HeadGrid& grid, int place) const {
        const std::string& all = grid.notes[static_cast<std::size_t>(place)];
        return units ? all : all.substr(0, all.find(' '));
    }
};

/// The largest type in which every head has its name and its note above it: with its unit, else
/// without, since the title says what it is.
Captions captions_for(const Sheet& sheet, const HeadGrid& grid, float width) {
    constexpr float kApart = 4;
    const Captions ways[] = {{kNumbers, {9.5f}, true, true},
                             {kNumbers, {9.5f}, true, false},
                             {{9, Font::mono}, {8.5f}, true, false},
                             {{8.5f, Font::mono}, {8}, true, false}};
    for (const Captions& way : ways) {
        bool fits = true;
        for (int place = 0; place < grid.layers * grid.heads && fits; ++place) {
            fits = sheet.width_of(name_of(grid, place), way.name) + kApart +
                       sheet.width_of(way.words(grid, place), way.note) <=
                   width;
        }
        if (fits) return way;
    }
    return {};
}

/// A frame in the colour of a score.
struct ShadeFrame {
    float width = 0, out = 0; // its outer edge, from the thumbnail's
};

/// The frame leaves space to the frame of the selected head, and to the neighbours'.
ShadeFrame shade_frame(float gap) {
    const bool roomy = gap >= 12;
    const float width = roomy ? 3.f : std::max(gap / 3, 1.f);
    return {width, width + (roomy ? 2.f : 0.f)};
}

/// "3.4" and, where there is room, its note; above the frame in the colour of a score.
void draw_caption(Sheet& sheet, const HeadGrid& grid, const Captions& captions, int place,
                  const Box& box, float gap) {
    const bool selected = grid.selected == std::pair(place / grid.heads, place % grid.heads);
    const std::string name = name_of(grid, place);
    const Theme& theme = sheet.theme();
    if (sheet.width_of(name, captions.name) > box.w) return;
    const float above = grid.shade_range ? std::max(5.f, shade_frame(gap).out + 3) : 5;
    const float baseline = box.y - above;
    sheet.text(name, {box.x, baseline}, captions.name, selected ? theme.accent : theme.text);
    if (!captions.notes) return;
    sheet.text(captions.words(grid, place), {box.x + box.w, baseline}, captions.note, theme.muted,
               AlignX::right);
}

/// A frame about a thumbnail in the colour of a number.
void draw_shade(Sheet& sheet, const Box& box, float gap, float value, const ValueRange& range) {
    if (!std::isfinite(value)) return;
    const auto [width, out] = shade_frame(gap);
    sheet.stroke({box.x - out, box.y - out, box.w + 2 * out, box.h + 2 * out},
                 colour_of(range.palette, value, range.low, range.high), width);
}

/// The thumbnail, what is told of its head, and the place where it is picked.
void draw_head(Sheet& sheet, const HeadGrid& grid, const HeadPlaces& places, int place,
               const Box& box) {
    const int layer = place / grid.heads, head = place % grid.heads;
    const auto index = static_cast<std::size_t>(place);
    const auto is = [&](const std::vector<bool>& told) {
        return told.size() == grid.maps.size() && told[index];
    };
    if (index < grid.shades.size() && grid.shade_range && !is(grid.faded)) {
        draw_shade(sheet, box, places.gap, grid.shades[index], *grid.shade_range);
    }
    // Of a narrow gap, the selected one's frame lies around that of its score.
    const float shaded_out = shade_frame(places.gap).out;
    const bool around = grid.shade_range && shaded_out < 5;
    draw_thumbnail(sheet, box, grid, index, grid.selected == std::pair(layer, head),
                   around ? shaded_out + 1.5f : 2);
    if (is(grid.silent)) strike_through(sheet, box);
    if (is(grid.faulty)) mark_faulty(sheet, box);
    if (passed_over(grid, layer, head) || is(grid.faded)) sheet.fill(box, veil(sheet.theme()));
    if (is(grid.kept)) mark_kept(sheet, box);
    sheet.target({box.x - places.gap / 2, box.y - places.gap / 2 - places.caption,
                  box.w + places.gap, box.h + places.gap + places.caption},
                 tag::Head{layer, head});
}

/// Below or beside the title: how the maps are sorted or changed; else what they show, where a line
/// is kept for it or the picture goes out on its own.
std::string words_of(const HeadGrid& grid, const Frame& frame) {
    const bool alone = stands_alone(frame), maps = grid.pictures.empty();
    std::string words = grid.order_words;
    if (words.empty() && alone && maps) {
        words = grid.meaning;
        if (grid.colours.scale != ColourScale::linear) words += " · logarithmic";
    }
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : " · ") + more; };
    if (maps && grid.range == RangeMode::map) add("colours 0 to each map's max");
    if (maps && grid.range == RangeMode::row) add("colours 0 to each row's max");
    if (alone && !is_sorted(grid) && grid.heads_per_key > 1) {
        add("bars above: heads that share keys and values");
    }
    return words;
}

} // namespace

Figure head_grid(const HeadGrid& grid, const Frame& frame) {
    check_counts(grid);
    const float natural_pitch =
        kNaturalThumbnail + gap_for(kNaturalThumbnail, grid.shade_range.has_value());
    const float maps = static_cast<float>(grid.heads) * natural_pitch + 90;
    const Sheet probe(frame, maps, 0);
    const TextStyle title{type_size::kTitle, Font::sans, Weight::bold};
    constexpr float kAround = 48; // the most that margins take
    Sheet sheet(frame, std::max(maps, probe.width_of(grid.title, title) + kAround), 0);
    sheet.figure.title = "Attention of " + std::to_string(grid.heads) + " heads in each of " +
                         std::to_string(grid.layers) + " layers" +
                         (grid.title.empty() ? "" : ": " + grid.title);
    const float top = sheet.header(grid.title, words_of(grid, frame));
    if (grid.layers == 0 || grid.heads == 0) {
        sheet.text("No heads of this kind", {sheet.margin(), top + 20}, {type_size::kSubtitle},
                   sheet.theme().muted);
        sheet.close_at(top + 28);
        return std::move(sheet.figure);
    }
    const float bottom = sheet.footer();
    const bool sorted = is_sorted(grid);
    const auto bars = bar_ranges(grid, frame, sheet.theme());
    HeadPlaces places;
    bool beside = false;
    for (const bool last : {false, true}) {
        places = head_places(sheet, grid, colour_bars_width(sheet, bars, beside), top, bottom,
                             frame.beside_title > 0);
        beside = bars_go_beside(bars.size(), places.bottom() - places.top - places.caption);
        if (!beside || last) break;
    }
    if (!sorted) draw_edges(sheet, grid, places);
    if (!sorted && has_edge_words(sheet)) draw_edge_words(sheet, places);
    if (!sorted && grid.heads_per_key > 1) draw_groups(sheet, grid, places);
    const Captions captions = sorted ? captions_for(sheet, grid, places.size) : Captions{};
    for (int at = 0; at < grid.layers * grid.heads; ++at) {
        const int place = sorted ? grid.order[static_cast<std::size_t>(at)] : at;
        const Box box = places.thumbnail(at);
        if (sorted) draw_caption(sheet, grid, captions, place, box, places.gap);
        draw_head(sheet, grid, places, place, box);
    }
    if (has_strips(grid)) draw_strips(sheet, grid, places);
    const Box corner = places.thumbnail(0, places.columns - 1);
    draw_colour_bars(sheet, bars, beside, corner.x + corner.w, corner.y,
                     places.bottom() - corner.y);
    const Box last = places.thumbnail(places.rows - 1, places.columns - 1);
    sheet.close_at(last.y + last.h + 2);
    return std::move(sheet.figure);
}

} // namespace heed::figure
