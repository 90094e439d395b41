#include "app/views/head_slots.hpp"

#include "app/engine/merging.hpp"
#include "app/views/filter.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"
#include "base/check.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/parts/side_by_side.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace heed::app {

using figure::Box;
using figure::Frame;

namespace {

constexpr float kMostMaps = 0.62f; // of the height; the grid has the rest
constexpr float kOnPage = 4000;    // points, of maps and grid: more than they take
constexpr float kSmallestDigits = 9;
constexpr float kBeforeBar = 10;
constexpr float kOwnBar = 260; // from this width on a single map has a bar of its own

/// Places of one size, as many as `count`, in so many columns or, of 0, those that fill a box best:
/// as near to squares as they can be.
std::vector<Box> places_in(const Box& whole, std::size_t count, std::size_t columns_asked) {
    std::size_t best_columns = std::max<std::size_t>(columns_asked, 1);
    float best = 0;
    for (std::size_t columns = 1; columns <= count && columns_asked == 0; ++columns) {
        const auto rows = static_cast<float>((count + columns - 1) / columns);
        const float side = std::min(whole.w / static_cast<float>(columns), whole.h / rows);
        if (side > best) {
            best = side;
            best_columns = columns;
        }
    }
    const std::size_t rows = (count + best_columns - 1) / best_columns;
    const float w = whole.w / static_cast<float>(best_columns);
    const float h = whole.h / static_cast<float>(rows);
    std::vector<Box> places;
    for (std::size_t i = 0; i < count; ++i) {
        places.push_back({whole.x + static_cast<float>(i % best_columns) * w,
                          whole.y + static_cast<float>(i / best_columns) * h, w, h});
    }
    return places;
}

/// The height that maps of square cells can fill where each is so wide; more would lie blank.
float fillable(const Snapshot& snapshot, float width) {
    constexpr float kAround = 100, kLabels = 0.25f; // title and slanted labels; of the width
    float tallest = 0;
    for (const SlotPicture& slot : snapshot.slots) {
        const auto rows = static_cast<float>(slot.map->rows());
        tallest =
            std::max(tallest, rows / static_cast<float>(std::max<num::Index>(slot.map->cols(), 1)));
    }
    return kAround + (1 - kLabels) * width * tallest;
}

/// The maps that stand beside each other on a page: as many as have room for every column's name.
std::size_t columns_on_page(const Snapshot& snapshot, float width) {
    constexpr float kNarrowest = 180, kSides = 70, kNamed = 10.5f; // labels of rows; of a column
    float least = kNarrowest;
    for (const SlotPicture& slot : snapshot.slots) {
        least = std::max(least, kSides + kNamed * static_cast<float>(slot.map->cols()));
    }
    return std::clamp<std::size_t>(static_cast<std::size_t>(width / least), 1,
                                   std::min<std::size_t>(snapshot.slots.size(), 4));
}

/// The kept maps, their titles alike and so short that each leaves the corner to its button.
std::vector<figure::MapData> slot_maps(const Snapshot& snapshot, const Frame& frame, float width) {
    constexpr float kButton = 26;
    Frame words = frame;
    words.width = width - kButton;
    std::vector<figure::MapData> maps;
    for (const SlotPicture& slot : snapshot.slots) maps.push_back(slot_data(snapshot, slot));
    const bool fit = std::ranges::all_of(maps, [&](const figure::MapData& map) {
        return figure::has_room_for_title(words, map.title);
    });
    for (std::size_t i = 0; i < maps.size() && !fit; ++i) {
        const trace::HeadId& head = snapshot.slots[i].head;
        maps[i].title = fmt::format("{} {}", trace::info(head.kind).label,
                                    trace::head_number(head.layer, head.head));
    }
    return maps;
}

/// The range of the colours of all these maps, where it is one, and not that of a single map that
/// is so wide that it has a bar of its own.
std::optional<figure::ValueRange> bar_of_all(const Snapshot& snapshot, const ViewState& state,
                                             const figure::Sheet& sheet, float width) {
    std::optional<figure::ValueRange> all;
    const bool own = snapshot.slots.size() == 1 && width >= kOwnBar;
    if (own || sheet.width() < kOwnBar) return all;
    for (const SlotPicture& slot : snapshot.slots) {
        const figure::MapData map = slot_data(snapshot, slot);
        const figure::HeatmapOptions options = map_options(map, state);
        if (!options.colour_bar) return std::nullopt;
        const auto range =
            figure::value_range(map, options.range, options.palette, sheet.theme(), options.scale);
        const auto said = [](const figure::ValueRange& r) {
            return std::tie(r.low, r.high, r.low_text, r.high_text, r.meaning);
        };
        if (all && said(*all) != said(range)) return std::nullopt;
        all = range;
    }
    return all;
}

/// The bar at the right of the first map's cells.
void draw_bar_of_all(figure::Sheet& sheet, const figure::ValueRange& range) {
    const auto cells = std::ranges::find_if(sheet.figure.targets, [](const figure::Target& t) {
        return t.as<figure::tag::Cells>() != nullptr;
    });
    if (cells == sheet.figure.targets.end()) return;
    const float left = sheet.width() - sheet.margin() - figure::colour_bar_width(sheet, range);
    figure::draw_colour_bar(sheet, range, left, cells->box.y, cells->box.h);
}

/// Words for what the colours of all these maps span, which not each of them has room to say.
std::string colours_words(const ViewState& state) {
    std::string words = state.range == figure::RangeMode::fixed ? "colours 0 to 1"
                        : state.range == figure::RangeMode::map ? "colours 0 to each map's max"
                                                                : "colours 0 to each row's max";
    if (state.scale == figure::ColourScale::logarithmic) words += ", logarithmic";
    return words;
}

} // namespace

bool toggle_slot(std::vector<trace::HeadId>& slots, const trace::HeadId& head) {
    if (std::erase(slots, head) > 0) return true;
    if (slots.size() >= kMostSlots) return false;
    slots.push_back(head);
    return true;
}

std::vector<bool> kept_heads(const std::vector<trace::HeadId>& slots, trace::AttentionKind kind,
                             int layers, int heads) {
    std::vector<bool> kept(static_cast<std::size_t>(layers) * static_cast<std::size_t>(heads));
    for (const trace::HeadId& id : slots) {
        if (id.kind != kind || id.layer >= layers || id.head >= heads) continue;
        kept[static_cast<std::size_t>(id.layer * heads + id.head)] = true;
    }
    return kept;
}

figure::Figure slots_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::HeadGrid& grid, const Frame& frame) {
    HEED_CHECK(!snapshot.slots.empty(), "no head is kept");
    const std::size_t count = snapshot.slots.size();
    figure::Sheet sheet(frame, 960, 860);
    sheet.figure.title = fmt::format("{} heads side by side, above {}", count, grid.title);
    const auto others =
        std::count_if(snapshot.slots.begin(), snapshot.slots.end(), [&](const SlotPicture& slot) {
            return slot.head.kind != snapshot.focus.head.kind;
        });
    std::string words = colours_words(state);
    if (!grid.order_words.empty()) words += " · below: " + grid.order_words;
    if (others > 0) {
        words += fmt::format(" · {} from another attention than the heads below", others);
    }
    const float top = sheet.header(
        count == 1 ? "1 head open" : fmt::format("{} heads side by side", count), words);
    // On a page all is as high as it needs to be.
    const bool open = sheet.height_is_open();
    const std::size_t columns = open ? columns_on_page(snapshot, sheet.width()) : 0;
    const float height = open ? kOnPage : std::max(sheet.footer() - top, 1.f);

    Box maps{0, top, sheet.width(), height * kMostMaps};
    const auto bar = bar_of_all(snapshot, state, sheet, places_in(maps, count, columns).front().w);
    if (bar) maps.w -= figure::colour_bar_width(sheet, *bar) + sheet.margin() + kBeforeBar;
    // Titles of maps begin under the title of all.
    const float aside =
        sheet.margin() - figure::margin_of(places_in(maps, count, columns).front().w);
    maps.x = std::max(aside, 0.f);
    maps.w -= (bar ? 1 : 2) * maps.x;
    const Box place = places_in(maps, count, columns).front();
    maps.h = std::min(maps.h, std::round(maps.h / place.h) * fillable(snapshot, place.w));
    const std::vector<Box> places = places_in(maps, count, columns);
    const std::vector<figure::MapData> data = slot_maps(snapshot, frame, places.front().w);
    for (std::size_t i = 0; i < count; ++i) {
        const SlotPicture& slot = snapshot.slots[i];
        const Box& box = places[i];
        sheet.target(box, figure::tag::Slot{static_cast<int>(i)});
        Frame inside = frame;
        inside.width = box.w;
        inside.height = box.h;
        inside.caption.clear();
        inside.beside_title = 0;
        inside.reading_lines = 0; // it is of all heads
        inside.titled = true;
        // A cell is one of this attention's queries and keys, and of no other's.
        figure::HeatmapOptions options = map_options(data[i], state);
        options.smallest_digits = kSmallestDigits;
        options.bar_elsewhere = bar.has_value();
        if (slot.head.kind == snapshot.focus.head.kind) {
            const Units units(snapshot, merges(snapshot));
            options.selected = shown_cell(snapshot, state, units);
            options.chosen_rows = chosen_queries(units, state.pinned_queries);
            options.chosen_cols = chosen_keys(units, state.pinned_keys);
        }
        figure::put(sheet.figure, figure::heatmap(data[i], options, inside), {box.x, box.y},
                    static_cast<int>(i));
    }

    if (bar) draw_bar_of_all(sheet, *bar);

    Frame below = frame;
    below.height = open ? 0 : height - maps.h;
    below.width = sheet.width();
    below.caption.clear();
    below.beside_title = 0;
    below.titled = false;
    const figure::Figure heads = figure::head_grid(grid, below);
    figure::put(sheet.figure, heads, {0, top + maps.h});
    sheet.close_at(top + maps.h + heads.height - sheet.margin_y());
    return std::move(sheet.figure);
}

void mark_maps(figure::HeadGrid& grid, const Snapshot& snapshot, const ViewState& state) {
    const auto map =
        std::ranges::find_if(grid.maps, [](const auto& m) { return m && m->size() > 0; });
    if (map == grid.maps.end() || !grid.pictures.empty()) return;
    const Units units(snapshot, merges(snapshot));
    // The block, of as many as are shown, that a query or key is in.
    const auto block = [](int at, std::size_t count, num::Index shown) {
        const auto n = static_cast<num::Index>(count);
        return static_cast<int>(((at + 1) * shown - 1) / std::max<num::Index>(n, 1));
    };
    const auto row = [&](int at) { return block(at, units.queries().size(), (*map)->rows()); };
    const auto col = [&](int at) { return block(at, units.keys().size(), (*map)->cols()); };
    if (const auto cell = shown_cell(snapshot, state, units))
        grid.cell = std::pair(row(cell->first), col(cell->second));
    for (const int at : chosen_queries(units, state.pinned_queries))
        grid.chosen_rows.push_back(row(at));
    for (const int at : chosen_keys(units, state.pinned_keys)) grid.chosen_cols.push_back(col(at));
    for (std::vector<int>* chosen : {&grid.chosen_rows, &grid.chosen_cols}) {
        chosen->erase(std::ranges::unique(*chosen).begin(), chosen->end());
    }
}

figure::Figure one_head_figure(const Snapshot& snapshot, const ViewState& state,
                               const std::string& title, const figure::Frame& frame) {
    figure::MapData data = weights_data(snapshot);
    data.title = title;
    figure::HeatmapOptions options = map_options(data, state);
    options.viewport.reset();
    figure::Figure figure = figure::heatmap(data, options, frame);
    std::erase_if(figure.targets, [](const figure::Target& target) {
        return target.as<figure::tag::Cells>() == nullptr;
    });
    for (figure::Target& target : figure.targets) target.tag = figure::tag::Head{0, 0};
    return figure;
}

} // namespace heed::app
