#include "figure/parts/layer_grid.hpp"

#include "figure/base/number_text.hpp"
#include "figure/base/palette.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/parts/arrow.hpp"
#include "figure/parts/chart.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kLayerLabels = 34; // points, for the numbers of the layers
constexpr float kNumberWide = 40, kNumberHigh = 20; // cells that have room for their numbers
constexpr float kMostRowLabels = 120, kAcrossHigh = 15, kLowForAcross = 90;
constexpr float kLargestColumnLabel = 12;
constexpr float kWordHigh = 48; // of a slanted label: a word of seven letters
constexpr float kMostOfHeight = 0.42f; // of a card's picture, for names that would be cut

/// "layer 12", "12".
std::string row_name(const InsideGrid& grid, Index layer) {
    const auto at = static_cast<std::size_t>(layer);
    if (at < grid.rows.size()) return grid.rows[at];
    const Index shown = at < grid.layers.size() ? grid.layers[at] : layer;
    return (grid.numbers ? "" : "layer ") + std::to_string(shown + 1);
}

/// Points from the names of rows to the grid, past the arrow of layers.
float beside_rows(const InsideGrid& grid) { return grid.rows.empty() ? 17 : 12; }

void name_layers(Sheet& sheet, const Box& box, const InsideGrid& grid) {
    const Index layers = grid.values->rows();
    const float pitch = box.h / static_cast<float>(layers);
    const int step = thinning(pitch, 10);
    for (Index layer = 0; layer < layers; ++layer) {
        if ((layer + 1) % step != 0 && step > 1) continue;
        const float y = box.y + box.h - (static_cast<float>(layer) + 0.5f) * pitch;
        const bool chosen = grid.row == static_cast<int>(layer) && grid.col;
        TextStyle style = kMonoNote;
        if (chosen) style.weight = Weight::bold;
        sheet.text(sheet.fitted(row_name(grid, layer), style, kMostRowLabels - beside_rows(grid)),
                   {box.x - beside_rows(grid) + 4, y}, style,
                   chosen ? sheet.theme().accent : sheet.theme().muted, AlignX::right,
                   AlignY::middle);
    }
    if (layers < 2 || !grid.rows.empty()) return;
    const float x = std::round(box.x - 7); // layers rise, elsewhere they go down
    draw_arrow(sheet, {{x, box.y + box.h}, {x, box.y + 1}}, sheet.theme().muted, 1);
}

/// Short labels, such as numbers of heads, stand level where they would slant: some of them.
void level_short(const Sheet& sheet, LabelPlan& plan, const InsideGrid& grid, float pitch) {
    constexpr float kShort = 20, kSize = 10, kApart = 4;
    if (!plan.slanted) return;
    const TextStyle style{kSize, Font::sans, Weight::bold};
    float widest = 0;
    for (const std::string& name : grid.columns) {
        widest = std::max(widest, sheet.width_of(name, style));
    }
    if (widest > kShort) return;
    plan.slanted = false;
    plan.style.size = kSize;
    plan.step = thinning(pitch, widest + kApart);
    plan.longest = widest + 1;
    plan.size = kSize + kLabelsFromGrid + 4;
}

/// Words that would slant stand level where all of them are whole so, a little smaller.
void level_words(const Sheet& sheet, LabelPlan& plan, const std::vector<std::string>& names,
                 float pitch) {
    constexpr float kSmallestLevelWord = 0.75f * kLargestColumnLabel, kApart = 3;
    if (!plan.slanted) return;
    TextStyle strong{kLargestColumnLabel, Font::sans, Weight::bold};
    for (; strong.size >= kSmallestLevelWord; strong.size -= 0.5f) {
        float widest = 0;
        for (const std::string& name : names) {
            widest = std::max(widest, sheet.width_of(name, strong));
        }
        if (widest + kApart > pitch) continue;
        plan = {};
        plan.style.size = strong.size;
        plan.longest = pitch;
        plan.size = strong.size + kLabelsFromGrid + 4;
        return;
    }
}

/// True where a name that is drawn has no room for all of its letters.
bool cuts_names(const Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& names,
                std::optional<int> kept) {
    TextStyle strong = plan.style;
    strong.weight = Weight::bold;
    const auto drawn = thinned(static_cast<int>(names.size()), plan.step, kept, plan.phase);
    return std::ranges::any_of(drawn, [&](int i) {
        return sheet.width_of(names[static_cast<std::size_t>(i)], strong) > plan.longest;
    });
}

/// Names that stand aslant and would be cut: in smaller letters, else on their side, else with more
/// room, the first in which they are whole; as they are where none is.
LabelPlan whole_names(const Sheet& sheet, const LabelPlan& plan,
                      const std::vector<std::string>& names, float pitch, float room,
                      float most_room, std::optional<int> kept) {
    constexpr float kSmallestWhole = 9;
    if (!plan.slanted || !cuts_names(sheet, plan, names, kept)) return plan;
    for (const float high : {room, most_room}) {
        for (LabelPlan aslant = plan; aslant.style.size >= kSmallestWhole;
             aslant.style.size -= 0.5f) {
            const float half = aslant.style.size * kLabelLine / 2;
            aslant.longest = (high - kLabelsFromGrid) / kSlantSine - half;
            aslant.size = (aslant.longest + half) * kSlantSine + kLabelsFromGrid;
            if (!cuts_names(sheet, aslant, names, kept)) return aslant;
        }
        const LabelPlan turned =
            plan_columns_turned(sheet, names, static_cast<int>(names.size()), pitch, high, kept,
                                kSmallestWhole, kLargestColumnLabel);
        if (!cuts_names(sheet, turned, names, kept)) return turned;
    }
    return plan;
}

/// The column whose name stays where names are thinned: the first marked one, else that of the
/// largest value.
std::optional<int> kept_column(const InsideGrid& grid) {
    if (grid.col) return grid.col;
    if (!grid.marked.empty()) return grid.marked.front();
    std::optional<int> kept;
    float most = 0;
    for (Index i = 0; i < grid.values->size(); ++i) {
        const float value = std::abs(grid.values->data()[i]);
        if (!(value > most) || !std::isfinite(value)) continue;
        most = value;
        kept = static_cast<int>(i % grid.values->cols());
    }
    return kept;
}

/// What the columns are, without the last of its parts while all have no room.
std::string across_to_fit(const Sheet& sheet, const InsideGrid& grid, float room) {
    constexpr std::string_view kBetween = " · ";
    const bool fits = sheet.width_of(grid.across, kNote) <= room;
    std::string across = fits || grid.across_short.empty() ? grid.across : grid.across_short;
    while (sheet.width_of(across, kNote) > room && across.find(kBetween) != across.npos) {
        across.erase(across.rfind(kBetween));
    }
    return sheet.fitted(across, kNote, room);
}

/// Names of columns. Where numbers are thinned, the last column keeps a name that is none, such as
/// "FF": no number says what it is.
void name_columns(Sheet& sheet, const InsideGrid& grid, const GridPlace& place, float edge,
                  Side side, float right, AxisMarks marks) {
    constexpr float kApart = 3;
    const LabelPlan& plan = place.across;
    const int last = static_cast<int>(grid.values->cols()) - 1;
    const float left = place.box.x, pitch = place.box.w / static_cast<float>(last + 1);
    const auto draw = [&](const LabelPlan& labels, LabelRange range, float from) {
        draw_columns(sheet, labels, grid.columns, range, from, pitch, edge, side, right, marks,
                     LabelOf::column);
    };
    const bool named =
        last > 0 && last < static_cast<int>(grid.columns.size()) && !grid.columns.back().empty();
    const bool number = named && grid.columns.back()[0] >= '0' && grid.columns.back()[0] <= '9';
    if (plan.step < 2 || plan.slanted || !named || number) return draw(plan, last + 1, left);
    const auto middle = [&](int i) { return left + (static_cast<float>(i) + 0.5f) * pitch; };
    LabelPlan one = plan;
    one.step = 1;
    const auto draw_at = [&](int i, float at) {
        draw(one, {i, i + 1}, at - (static_cast<float>(i) + 0.5f) * pitch);
    };
    const auto half = [&](int i) {
        const TextStyle strong{plan.style.size, Font::sans, Weight::bold};
        return sheet.width_of(grid.columns[static_cast<std::size_t>(i)], strong) / 2;
    };
    const float at = std::min(middle(last), right - half(last));
    float free = at - half(last) - kApart; // up to where others may reach
    draw_at(last, at);
    const auto begins_behind = [&](int i) { return middle(i) + plan.longest / 2 > free; };
    const std::optional<int> always = marks.selected ? marks.selected : marks.kept;
    if (always && *always < last && begins_behind(*always)) { // beside it, if not quite in place
        const float beside = free - half(*always);
        draw_at(*always, beside);
        free = beside - half(*always) - kApart;
        marks.selected = marks.kept = {};
    }
    if (always == last) marks.selected = marks.kept = {};
    int end = last;
    while (end > 0 && begins_behind(end - 1)) --end;
    draw(plan, {0, end}, left);
}

/// What the names above and those at the left are, beside both. `items`: of the figure, before the
/// names above were drawn.
void name_corner(Sheet& sheet, const InsideGrid& grid, const GridPlace& place, std::size_t items) {
    constexpr float kLine = 12;  // points from the grid to the middle of words
    constexpr float kClear = 18; // between two that are not read as one
    const Color muted = sheet.theme().muted;
    const Point low{place.box.x - 8, place.box.y - kLine};
    Point high = low; // in one line with the names, where these stand level
    AlignY align = AlignY::middle;
    const Text* const name =
        items < sheet.figure.items.size() ? std::get_if<Text>(&sheet.figure.items[items]) : nullptr;
    if (name && !place.across.slanted && !place.across.turned) {
        high.y = name->at.y;
        align = name->align_y;
    }
    const bool counts = grid.numbers && grid.rows.empty();
    if (counts) sheet.text("layer", low, kNote, muted, AlignX::right, AlignY::middle);
    if (grid.corner.empty() || (counts && high.y > low.y - kClear)) return;
    sheet.text(grid.corner, high, kNote, muted, AlignX::right, align);
}

} // namespace

InsideGrid named_to_fit(const InsideGrid& grid, float width) {
    constexpr float kNamesFrom = 300;
    InsideGrid shown = grid;
    shown.numbers = width < kNamesFrom;
    return shown;
}

float note_below(Sheet& sheet, const Box& box, const std::string& words) {
    constexpr float kLowestWithNote = 90;
    if (box.h < kLowestWithNote) return box.h;
    sheet.text(sheet.fitted_end(words, kNote, box.w), {box.x, box.y + box.h - 2}, kNote,
               sheet.theme().muted);
    return box.h - kGridNote;
}

float row_labels(const Sheet& sheet, const InsideGrid& grid) {
    float widest = kLayerLabels;
    for (Index layer = 0; layer < grid.values->rows(); ++layer) {
        widest =
            std::max(widest, sheet.width_of(row_name(grid, layer), kMonoNote) + beside_rows(grid));
    }
    return std::min(widest, kMostRowLabels);
}

GridPlace place_grid(const Sheet& sheet, const InsideGrid& grid, const Box& part, Side side,
                     float widest_cell, float between) {
    const auto cols = static_cast<float>(grid.values->cols());
    const float labels = row_labels(sheet, grid);
    GridPlace place{{part.x + labels, part.y, part.w - labels, part.h}, {}};
    place.box.w = std::min(place.box.w, cols * widest_cell);
    const std::optional<int> kept = kept_column(grid);
    const float labels_high = std::max(part.h / 4, std::min(part.h / 3, kWordHigh));
    const auto plan = [&] {
        place.across = plan_columns(sheet, grid.columns, static_cast<int>(grid.values->cols()),
                                    place.box.w / cols, labels_high, kept);
        place.across.style.size = std::min(place.across.style.size, kLargestColumnLabel);
        place.across =
            whole_names(sheet, place.across, grid.columns, place.box.w / cols, labels_high,
                        std::max(labels_high, kMostOfHeight * part.h), kept);
        level_short(sheet, place.across, grid, place.box.w / cols);
        if (side == Side::above) level_words(sheet, place.across, grid.columns, place.box.w / cols);
    };
    plan();
    if (side == Side::above) {
        const float free = part.x + part.w - place.box.x - place.box.w;
        const float reach = reach_right(sheet, place.across, grid.columns,
                                        static_cast<int>(grid.values->cols()), place.box.w / cols) -
                            free;
        if (reach > 0) {
            place.box.w -= std::min(reach, 0.2f * place.box.w);
            plan();
        }
    }
    place.between = between;
    const bool says_across = !grid.across.empty() && part.h >= kLowForAcross;
    const float label = place.across.size + 6 + between;
    place.box.h -= label;
    if (side == Side::above) {
        place.box.y += label;
    } else if (says_across) {
        place.box.h -= kAcrossHigh;
        place.title = part.y + part.h - kAcrossHigh / 2;
    }
    if (side == Side::below) { // few layers are not stretched over a high place
        const float most = kHighestCell * static_cast<float>(grid.values->rows());
        const float spare = std::max(place.box.h - most, 0.f);
        place.box.h -= spare;
        if (place.title) *place.title -= spare;
    }
    return place;
}

void name_grid(Sheet& sheet, const InsideGrid& grid, const GridPlace& place, Side side, float right,
               int part) {
    const Color muted = sheet.theme().muted;
    name_layers(sheet, place.box, grid);
    if (place.title) { // where its columns are too narrow, below the names of the layers too
        const float most = right - place.box.x + row_labels(sheet, grid);
        const std::string across = across_to_fit(sheet, grid, most);
        const float half = sheet.width_of(across, kNote) / 2;
        const float middle = std::min(place.box.x + place.box.w / 2, right - half);
        sheet.text(across, {middle, *place.title}, kNote, muted, AlignX::centre, AlignY::middle);
    }
    AxisMarks marks;
    marks.selected = grid.col;
    marks.kept = kept_column(grid);
    marks.chosen = grid.marked;
    const float away = 6 + place.between;
    const float edge = side == Side::above ? place.box.y - away : place.box.y + place.box.h + away;
    const std::size_t before = sheet.figure.targets.size(), items = sheet.figure.items.size();
    name_columns(sheet, grid, place, edge, side, right, marks);
    if (side == Side::above) name_corner(sheet, grid, place, items);
    for (std::size_t i = before; i < sheet.figure.targets.size(); ++i) {
        std::get<tag::ColLabel>(sheet.figure.targets[i].tag).part = part;
    }
}

namespace {

std::string cell_number(float value, const ValueRange& range) {
    return (range.low < 0 && value >= 0.005f ? "+" : "") + number_text(value, 2);
}

/// True where every cell has room for its number.
bool has_numbers(const Sheet& sheet, const Matrix<float>& values, const ValueRange& range, float w,
                 float h) {
    constexpr float kBeside = 6;
    if (w < kNumberWide || h < kNumberHigh) return false;
    return std::all_of(values.data(), values.data() + values.size(), [&](float value) {
        return !std::isfinite(value) ||
               sheet.width_of(cell_number(value, range), kMonoNote) + kBeside <= w;
    });
}

} // namespace

void draw_layer_heat(Sheet& sheet, const InsideGrid& grid, const ValueRange& range, const Box& box,
                     int part) {
    const Matrix<float> turned = grid.values->colwise().reverse(); // the last layer is on top
    const Index rows = turned.rows(), cols = turned.cols();
    const float w = box.w / static_cast<float>(cols), h = box.h / static_cast<float>(rows);
    const float gap = std::min(w, h) > 8 ? 0.5f : 0;
    const bool numbered = has_numbers(sheet, turned, range, w, h);
    sheet.fill(box, sheet.theme().raised, 2);
    for (Index r = 0; r < rows; ++r) {
        for (Index c = 0; c < cols; ++c) {
            const float value = turned(r, c);
            if (!std::isfinite(value)) continue;
            const Box cell{box.x + static_cast<float>(c) * w + gap,
                           box.y + static_cast<float>(r) * h + gap, w - 2 * gap, h - 2 * gap};
            const Color ground = colour_of(range.palette, value, range.low, range.high);
            sheet.fill(cell, ground);
            if (!numbered) continue;
            sheet.text(cell_number(value, range), {cell.x + cell.w / 2, cell.y + cell.h / 2},
                       kMonoNote, ink_on(ground), AlignX::centre, AlignY::middle);
        }
    }
    sheet.target(box, tag::Cells{static_cast<int>(rows), static_cast<int>(cols), part});
}

void outline_cell(Sheet& sheet, const InsideGrid& grid, const Box& box) {
    if (!grid.row || !grid.col) return;
    const float w = box.w / static_cast<float>(grid.values->cols());
    const float h = box.h / static_cast<float>(grid.values->rows());
    const auto up = static_cast<float>(grid.values->rows() - 1 - *grid.row);
    constexpr float kFrame = 2, kHair = 1, kSetOff = 14; // points; a cell that has the hair
    const float x = box.x + static_cast<float>(*grid.col) * w, y = box.y + up * h;
    const auto around = [&](float by, Color color, float width) {
        sheet.stroke({x - by, y - by, w + 2 * by, h + 2 * by}, color, width, 2);
    };
    // A hair sets the frame off from a cell of nearly its own colour.
    const bool hair = std::min(w, h) >= kSetOff;
    if (hair) around(kHair / 2, sheet.theme().panel, kHair);
    around((hair ? kHair : 0) + kFrame / 2, sheet.theme().accent, kFrame);
}

float largest_below(const InsideGrid& grid) {
    float most = 1e-6f;
    for (const float share : grid.below)
        if (std::isfinite(share)) most = std::max(most, std::abs(share));
    return most;
}

void draw_row_below(Sheet& sheet, const InsideGrid& grid, const Box& box, float high, int part) {
    const auto row = std::make_shared<Matrix<float>>(1, std::ssize(grid.below));
    std::copy(grid.below.begin(), grid.below.end(), row->data());
    InsideGrid below;
    below.values = row;
    ValueRange range;
    range.palette = sheet.theme().weights;
    range.high = largest_below(grid);
    const float gap = 0.3f * high;
    draw_layer_heat(sheet, below, range, {box.x, box.y + box.h + gap, box.w, high - gap}, part);
}

bool has_two_lines(const Box& part) { return part.w >= 300 && part.h >= 130; }

ValueRange range_of_shares(const Matrix<float>& shares, PaletteId palette, bool roomy) {
    constexpr float kNothing = 0.005f, kNearTheWhole = 0.5f, kMoreThanAll = 1.05f;
    const Ends ends = finite_ends(shares.data(), shares.size());
    const float most = ends.high;
    const bool up_to_all = most < kNothing || (most >= kNearTheWhole && most < kMoreThanAll);
    if (up_to_all || !shares.allFinite()) {
        ValueRange range =
            range_between(nullptr, palette, {0, 1}, roomy ? "share\nbrought back" : "share");
        if (most >= 1 + kNothing) range.high_text = "≥ " + range.high_text;
        if (ends.low <= -kNothing) range.low_text = "≤ " + range.low_text;
        return range;
    }
    return range_between(nullptr, palette, {0, most}, "0 to max");
}

} // namespace heed::figure
