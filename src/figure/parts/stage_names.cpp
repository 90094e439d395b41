#include "figure/parts/stage_names.hpp"

#include "figure/base/script.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr float kLargestName = 10.5f, kSmallestName = 7; // smaller is not read
constexpr float kEasyColumn = 8, kColumnByRow = 0.85f; // type of column names, by that of rows'
constexpr float kLeastPitch = 7.6f, kLeastThinned = 5.5f; // of rows that have names, all or some
constexpr float kLetters = 0.925f;  // of a line: letters are as high at most
constexpr float kNameGap = 5, kTurnedGap = 6; // between names, or such as are stacks, and cells
constexpr float kLevelDrop = 8;    // of level names, which stand nearer to the grid than elsewhere
constexpr float kBetweenNames = 4, kBetweenLetters = 2; // of columns
constexpr int kMostApart = 3;                           // columns that have names
constexpr float kMostOfWidth = 0.45f, kMostOfHeight = 0.4f;
constexpr float kLeastShown = 34; // points of a name that is cut
constexpr float kLeastCard = 94, kAboveCells = 3; // the latter of a name that stands alone
constexpr float kLowestThinned = 4.35f; // of rows, every second of which has a name

float size_within(float space) {
    return std::min(std::floor(2 * kLetters * space) / 2, kLargestName);
}

/// The widest of the names; the one that is chosen is strong.
float widest_name(const Sheet& sheet, const std::vector<std::string>& names, const TextStyle& style,
                  std::optional<int> chosen = {}) {
    float widest = 0;
    for (const std::string& name : names) widest = std::max(widest, sheet.width_of(name, style));
    if (!chosen || *chosen < 0 || *chosen >= std::ssize(names)) return widest;
    const TextStyle strong{style.size, style.font, Weight::bold};
    return std::max(widest, sheet.width_of(names[static_cast<std::size_t>(*chosen)], strong));
}

/// Level names, where each has room so.
std::optional<LabelPlan> level_names(const Sheet& sheet, const std::vector<std::string>& names,
                                     float pitch) {
    constexpr float kSmallestLevel = 9;
    LabelPlan plan;
    for (plan.style.size = kLargestName; plan.style.size >= kSmallestLevel;
         plan.style.size -= 0.5f) {
        if (widest_name(sheet, names, plan.style) + kBetweenNames > pitch) continue;
        plan.longest = pitch;
        plan.size = plan.style.size + kLabelsFromGrid - kLevelDrop;
        return plan;
    }
    return {};
}

/// Letters above columns, level: of all columns or of some.
std::optional<LabelPlan> letters_above(const Sheet& sheet, const std::vector<std::string>& names,
                                       float pitch, float smallest, float largest) {
    if (!std::ranges::all_of(names, is_one_letter)) return std::nullopt;
    LabelPlan plan;
    for (plan.step = 1; plan.step <= kMostApart; ++plan.step) {
        plan.longest = static_cast<float>(plan.step) * pitch;
        plan.style.size = plan.step == 1 ? largest : smallest; // beside small rows
        for (; plan.style.size >= smallest; plan.style.size -= 0.5f) {
            if (widest_name(sheet, names, plan.style) + kBetweenLetters > plan.longest) continue;
            plan.size = plan.style.size + kLabelsFromGrid - kLevelDrop;
            return plan;
        }
    }
    return std::nullopt;
}

/// The name of the column that is chosen alone, level above any of them.
std::optional<LabelPlan> chosen_above(const std::vector<std::string>& names, float room,
                                      std::optional<int> chosen) {
    const auto count = static_cast<int>(names.size());
    LabelPlan plan;
    plan.style.size = kEasyColumn;
    plan.size = kEasyColumn + kAboveCells;
    plan.step = std::max(count, 2);
    if (!chosen || *chosen < 0 || *chosen >= count || plan.size > room) return std::nullopt;
    return plan;
}

bool is_alone(const LabelPlan& above, std::size_t columns) {
    return above.step >= std::max(static_cast<int>(columns), 2);
}

/// Names of Han characters that stand upright as stacks, others beside them on their side.
std::optional<LabelPlan> stacked_names(const Sheet& sheet, const std::vector<std::string>& names,
                                       float pitch, float room) {
    // Stacks that lie apart from each other are not read across; of narrow columns they are close.
    constexpr float kApart = 0.66f, kClose = 0.8f, kStackLine = 1.08f, kSmallestStack = 7.5f;
    const float close = std::floor(2 * kClose * pitch) / 2;
    if (close < kSmallestStack) return std::nullopt;
    LabelPlan plan;
    plan.slanted = plan.turned = plan.stacked = plan.letters_stand = true;
    plan.style.size = std::min({std::max(kApart * pitch, kSmallestStack), close, kLargestName});
    float reach = 0;
    for (const std::string& name : names) {
        const auto stack = wide_characters(name);
        reach = std::max(reach, stack.empty() ? sheet.width_of(name, plan.style)
                                              : static_cast<float>(stack.size()) * plan.style.size *
                                                    kStackLine);
    }
    plan.longest = std::min(reach, room - kTurnedGap);
    if (plan.longest < std::min(reach, kLeastShown)) return std::nullopt;
    plan.size = kTurnedGap + plan.longest;
    return plan;
}

/// Names on their side, in the largest type in which none is cut, within these sizes.
std::optional<LabelPlan> turned_names(const Sheet& sheet, const std::vector<std::string>& names,
                                      float pitch, float room, float smallest, float largest,
                                      std::optional<int> chosen) {
    const auto m = static_cast<int>(names.size());
    for (float size = largest; size >= smallest; size -= 0.5f) {
        LabelPlan plan = plan_columns_turned(sheet, names, m, pitch, room, {}, smallest, size);
        if (plan.step > 1) return std::nullopt;
        plan.letters_stand = true;
        const float reach = widest_name(sheet, names, plan.style, chosen);
        const bool cut = size - 0.5f < kSmallestName && plan.longest >= kLeastShown;
        if (reach <= plan.longest || cut) return plan;
    }
    return std::nullopt;
}

float widest_of(const Sheet& sheet, const std::vector<std::string>& names,
                const std::vector<int>& drawn, std::optional<int> chosen) {
    float widest = 0;
    for (const int i : drawn) {
        const Weight weight = i == chosen ? Weight::bold : Weight::regular;
        const TextStyle style{kEasyColumn, Font::sans, weight};
        widest = std::max(widest, sheet.width_of(names[static_cast<std::size_t>(i)], style));
    }
    return widest;
}

/// Names on their side of as many columns as have room for whole ones, if these are few, the chosen
/// one among them; else cut ones beside it.
std::optional<LabelPlan> some_above(const Sheet& sheet, const std::vector<std::string>& names,
                                    float pitch, float room, std::optional<int> chosen) {
    constexpr float kLeastCut = 16, kHair = 0.1f; // points of a name that is cut
    const auto m = static_cast<int>(names.size());
    const auto plan_of = [&](int step, int phase, float longest) {
        LabelPlan plan;
        plan.slanted = plan.turned = plan.letters_stand = true;
        plan.style.size = kEasyColumn;
        plan.step = step;
        plan.phase = phase;
        plan.longest = longest + kHair;
        plan.size = kTurnedGap + longest;
        return plan;
    };
    const int most = std::min(kMostApart + 1, m - 1);
    const int least = std::max(2, static_cast<int>(std::ceil(kEasyColumn * kLabelLine / pitch)));
    for (int step = least; step <= most; ++step) {
        for (int moved = 0; moved < step; ++moved) {
            const int phase = (chosen.value_or(0) + moved) % step;
            const float widest = widest_of(sheet, names, thinned(m, step, chosen, phase), chosen);
            if (kTurnedGap + widest <= room) return plan_of(step, phase, widest);
        }
    }
    const float longest = room - kTurnedGap;
    const bool cut = chosen && *chosen >= 0 && *chosen < m &&
                     widest_of(sheet, names, {*chosen}, chosen) > longest;
    if (cut || longest < kLeastCut || least > most) return std::nullopt;
    return plan_of(least, chosen.value_or(0) % least, longest);
}

/// Stacks above every second or third column.
std::optional<LabelPlan> some_stacks(const Sheet& sheet, const std::vector<std::string>& names,
                                     float pitch, float room) {
    for (int step = 1; step <= kMostApart; ++step) {
        auto plan = stacked_names(sheet, names, static_cast<float>(step) * pitch, room);
        if (!plan) continue;
        plan->step = step;
        return plan;
    }
    return std::nullopt;
}

/// The room above columns, for names that are read with ease, and for smaller ones.
struct RoomAbove {
    float easy, small, last; // last: beside the lowest rows that have names
};

/// Names above columns: of all, else of every second or third one, before they are hard to read;
/// else of as many as have room, or of the one that is chosen.
/// `rows`: the type of rows' names; `largest`: of these, where they are on their side.
std::optional<LabelPlan> names_above(const Sheet& sheet, const std::vector<std::string>& names,
                                     float pitch, const RoomAbove& rooms, float rows,
                                     float largest = kLargestName, const StageChoice& choice = {}) {
    if (names.empty()) return std::nullopt;
    if (const auto level = level_names(sheet, names, pitch)) return level;
    const float easy = std::max(choice.easy, std::ceil(2 * kColumnByRow * rows) / 2);
    if (const auto letters = letters_above(sheet, names, pitch, easy, std::max(rows, easy))) {
        return letters;
    }
    const auto is_stack = [](const auto& name) { return !wide_characters(name).empty(); };
    const bool stacks = std::ranges::any_of(names, is_stack);
    for (const auto& [smallest, room] :
         {std::pair(easy, rooms.easy), std::pair(kSmallestName, rooms.small)}) {
        for (int step = 1; step <= kMostApart; ++step) {
            const float wide = static_cast<float>(step) * pitch;
            auto plan =
                stacks ? stacked_names(sheet, names, wide, room)
                       : turned_names(sheet, names, wide, room, smallest,
                                      step == 1 ? std::max(largest, smallest) : easy, choice.col);
            if (!plan) continue;
            plan->step = step;
            return plan;
        }
    }
    const auto some = stacks ? some_stacks(sheet, names, pitch, rooms.last)
                             : some_above(sheet, names, pitch, rooms.last, choice.col);
    return some ? some : chosen_above(names, rooms.last, choice.col);
}

/// The names of every step-th row, no larger than `largest` and as wide as their place is at most:
/// smaller before they are cut.
std::optional<LabelPlan> names_of_rows(const Sheet& sheet, const std::vector<std::string>& names,
                                       float pitch, float room, int step, float largest,
                                       std::optional<int> chosen) {
    std::vector<std::string> drawn;
    std::optional<int> strong;
    for (const int i : thinned(static_cast<int>(names.size()), step, chosen)) {
        if (i == chosen) strong = static_cast<int>(drawn.size());
        drawn.push_back(names[static_cast<std::size_t>(i)]);
    }
    const float high = static_cast<float>(step) * pitch;
    LabelPlan plan;
    plan.step = step;
    plan.style.size = std::min(size_within(std::max(high, kSmallestName / kLetters)), largest);
    while (widest_name(sheet, drawn, plan.style, strong) > room &&
           plan.style.size - 0.5f >= kSmallestName) {
        plan.style.size -= 0.5f;
    }
    const float widest = widest_name(sheet, drawn, plan.style, strong);
    if (room < std::min(widest, kLeastShown)) return std::nullopt;
    plan.longest = plan.size = std::min(widest, room);
    return plan;
}

/// The names of rows so high, no larger than `largest`: of all, else of every second one, before
/// they are hard to read.
std::optional<LabelPlan> names_before(const Sheet& sheet, const std::vector<std::string>& names,
                                      float pitch, float room, const StageChoice& choice = {},
                                      float largest = kLargestName) {
    std::optional<LabelPlan> all;
    if (pitch >= kLeastPitch)
        all = names_of_rows(sheet, names, pitch, room, 1, largest, choice.row);
    if (all || pitch < kLowestThinned) return all;
    const auto some = names_of_rows(sheet, names, pitch, room, 2, choice.easy, choice.row);
    return some && some->style.size >= choice.easy ? some : std::nullopt;
}

/// The names, those of rows no larger than `largest`: names of columns are no smaller than these by
/// much, and so are of all columns sooner.
std::optional<StageNames> plan_names_within(const Sheet& sheet,
                                            const std::vector<std::string>& rows,
                                            const std::vector<std::string>& cols, const Box& room,
                                            const StageChoice& choice, float largest_row) {
    const auto n = static_cast<float>(rows.size()), m = static_cast<float>(cols.size());
    StageNames names;
    const auto rough =
        names_before(sheet, rows, room.h / n, kMostOfWidth * room.w, choice, largest_row);
    if (!rough) return std::nullopt;
    names.cells = room;
    const auto place_cells = [&](float before) {
        names.cells.x = std::round(room.x + before + kNameGap);
        names.cells.w = room.x + room.w - names.cells.x;
    };
    place_cells(rough->size);
    const auto most = [&](float row) { // so that rows keep their names
        return std::min(kMostOfHeight * room.h, room.h - row * n - 4);
    };
    const auto put_above = [&](float type_of_rows, float largest) {
        names.cells.y = room.y;
        names.cells.h = room.h;
        names.above =
            names_above(sheet, cols, names.cells.w / std::max(m, 1.f),
                        {most(kLeastThinned), most(kLeastPitch), room.h - kLowestThinned * n - 2},
                        type_of_rows, largest, choice);
        const float above = names.above ? std::round(names.above->size + 1) : 0;
        const bool last = names.above && (is_alone(*names.above, cols.size()) ||
                                          (names.above->turned && names.above->step > 1));
        if ((room.h - above) / n < (last ? kLowestThinned : kLeastThinned))
            return names.above.reset();
        names.cells.y += above;
        names.cells.h -= above;
    };
    put_above(rough->style.size, kLargestName);
    float width = rough->size;
    const auto rows_left = [&] {
        return names_before(sheet, rows, names.cells.h / n, width, choice, largest_row);
    };
    auto before = rows_left();
    if (!before) { // every second one is of larger type, and wider
        width = kMostOfWidth * room.w;
        if (before = rows_left(); !before) return std::nullopt;
        place_cells(width = std::max(before->size, rough->size));
        put_above(before->style.size, kLargestName);
        before = rows_left();
    }
    if (before && names.above && names.above->style.size > before->style.size) {
        put_above(before->style.size, before->style.size); // what they leave is the rows'
        before = rows_left();
    }
    if (!before) return std::nullopt;
    names.before = *before;
    return names;
}

/// How much the names of a plan say: one that is hard to read is worth less.
float worth_of(const LabelPlan& plan, const std::vector<std::string>& names,
               std::optional<int> chosen, float easy) {
    const auto seen = thinned(static_cast<int>(names.size()), plan.step, chosen, plan.phase).size();
    const float ease = std::min(plan.style.size / easy, 1.f);
    return static_cast<float>(seen) * ease * ease;
}

/// Draws the name of the chosen column alone, which may reach beside it.
void draw_chosen_above(Sheet& sheet, const StageNames& names, const std::vector<std::string>& cols,
                       int chosen) {
    const Box& cells = names.cells;
    const TextStyle style{names.above->style.size, Font::sans, Weight::bold};
    const std::string name = sheet.fitted(cols[static_cast<std::size_t>(chosen)], style, cells.w);
    const float half = sheet.width_of(name, style) / 2;
    const float middle =
        cells.x + (static_cast<float>(chosen) + 0.5f) * cells.w / static_cast<float>(cols.size());
    sheet.text(name,
               {std::min(std::max(middle, cells.x + half), cells.x + cells.w - half),
                cells.y - kAboveCells},
               style, sheet.theme().accent, AlignX::centre);
}

} // namespace

std::string stage_label(const Sheet& sheet, const std::string& label, const TextStyle& style,
                        float room) {
    constexpr std::pair<const char*, const char*> kShort[] = {{"embedding", "embed."},
                                                              {"+ positions", "+ pos."},
                                                              {"weights · V", "A · V"},
                                                              {"add & norm", "+ norm"},
                                                              {"h encoder", "h enc."},
                                                              {"s decoder", "s dec."},
                                                              {"attended", "attend."},
                                                              {"W s + U h", "Ws+Uh"},
                                                              {"W s + U k", "Ws+Uk"},
                                                              {"α softmax", "α"},
                                                              {"÷ τ, softmax", "softmax"},
                                                              {"÷ τ, α softmax", "α"},
                                                              {"c context", "c"},
                                                              {"t readout", "t"},
                                                              {"+ position bias", "+ bias"},
                                                              {"+ bias + mask", "masked"},
                                                              {"concat MLP", "concat"},
                                                              {"scaled dot", "scaled"},
                                                              {"squared distance", "distance"}};
    if (sheet.width_of(label, style) > room && label.starts_with("e ")) return "e"; // of a score
    for (const auto& [whole, brief] : kShort) {
        if (label == whole && sheet.width_of(label, style) > room) {
            return sheet.fitted(brief, style, room);
        }
    }
    return sheet.fitted(label, style, room);
}

std::optional<StageNames> plan_stage_names(const Sheet& sheet, const std::vector<std::string>& rows,
                                           const std::vector<std::string>& cols, const Box& room,
                                           const StageChoice& choice) {
    constexpr float kLessByStep = 1;
    if (rows.empty() || room.w < kLeastCard) return std::nullopt;
    const float pitch = room.h / static_cast<float>(rows.size());
    const float tallest = size_within(std::max(pitch, kSmallestName / kLetters));
    const auto all = static_cast<float>(rows.size() + cols.size());
    std::optional<StageNames> best;
    float most = 0;
    for (float largest = kLargestName; largest >= choice.easy && most < all;
         largest -= kLessByStep) {
        const float next = largest - kLessByStep;
        if (tallest <= next && next >= choice.easy) continue; // rows bound both alike
        const auto names = plan_names_within(sheet, rows, cols, room, choice, largest);
        const float seen = names ? names_seen(*names, rows, cols, choice) : 0;
        if (seen <= most) continue;
        best = names;
        most = seen;
        if (cols.empty()) break; // smaller rows would give way to none
    }
    return best;
}

float names_seen(const StageNames& names, const std::vector<std::string>& rows,
                 const std::vector<std::string>& cols, const StageChoice& choice) {
    const float of_rows = worth_of(names.before, rows, choice.row, choice.easy);
    if (cols.empty()) return of_rows;
    // A map that names none of its columns is told less.
    constexpr float kNone = 3;
    return names.above ? of_rows + worth_of(*names.above, cols, choice.col, choice.easy)
                       : std::max(of_rows - kNone, 0.5f);
}

float stage_height(const Sheet& sheet, const std::vector<std::string>& rows,
                   const std::vector<std::string>& cols, float width, float row, float easy) {
    constexpr float kMostAbove = 90;
    const float of_rows = row * static_cast<float>(rows.size());
    const auto before = names_before(sheet, rows, row, kMostOfWidth * width, {{}, {}, easy});
    if (!before || cols.empty()) return of_rows;
    const float pitch = (width - before->size - kNameGap - 1) / static_cast<float>(cols.size());
    const auto above = names_above(sheet, cols, pitch, {kMostAbove, kMostAbove, 0},
                                   before->style.size, kLargestName, {{}, {}, easy});
    return of_rows + (above ? above->size + 2 : 0);
}

void draw_stage_names(Sheet& sheet, const StageNames& names, const std::vector<std::string>& rows,
                      const std::vector<std::string>& cols, const StageChoice& choice) {
    const auto n = static_cast<int>(rows.size()), m = static_cast<int>(cols.size());
    const Box& cells = names.cells;
    const auto targets = std::ssize(sheet.figure.targets);
    const AxisMarks of_rows{.selected = choice.row, .unknown = choice.unknown_rows};
    const AxisMarks of_columns{.selected = choice.col, .unknown = choice.unknown_cols};
    draw_rows(sheet, names.before, rows, n, cells.y, cells.h / static_cast<float>(n),
              cells.x - kNameGap, of_rows);
    if (names.above && is_alone(*names.above, cols.size()) && choice.col && *choice.col < m) {
        draw_chosen_above(sheet, names, cols, *choice.col);
    } else if (names.above) {
        draw_columns(sheet, *names.above, cols, m, cells.x, cells.w / static_cast<float>(m),
                     cells.y + (names.above->slanted ? 0 : kLevelDrop), Side::above,
                     cells.x + cells.w, of_columns, LabelOf::bar);
    }
    sheet.figure.targets.erase(sheet.figure.targets.begin() + targets, sheet.figure.targets.end());
}

void outline_choice(Sheet& sheet, const Box& cells, Index rows, Index cols,
                    const StageChoice& choice) {
    constexpr float kAccent = 1.5f, kGround = 1;
    if (!choice.row || !choice.col || *choice.row >= rows || *choice.col >= cols) return;
    const float w = cells.w / static_cast<float>(cols), h = cells.h / static_cast<float>(rows);
    const Box cell{cells.x + static_cast<float>(*choice.col) * w,
                   cells.y + static_cast<float>(*choice.row) * h, w, h};
    const auto around = [&](float by, Color color, float width) {
        sheet.stroke({cell.x - by, cell.y - by, w + 2 * by, h + 2 * by}, color, width);
    };
    around(kAccent + kGround, sheet.theme().panel, kGround);
    around(kAccent, sheet.theme().accent, kAccent);
}

} // namespace heed::figure
