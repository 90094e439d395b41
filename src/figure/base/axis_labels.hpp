// Labels along the sides of a grid: as large as fits, slanted where they are wider than their
// column, thinned where even that is too much.
#pragma once

#include "figure/base/round_ticks.hpp"
#include "figure/base/sheet.hpp"

#include <optional>
#include <vector>

namespace heed::figure {

inline constexpr float kSlantSine = 0.70710678f; // of the 45 degrees at which labels slant
inline constexpr float kLabelLine = 1.15f;       // a line of labels, in sizes of its letters
inline constexpr float kLabelsFromGrid = 14; // points between the labels of columns and the grid

/// The labels from first up to and without last; of a view of a part, those that can be seen.
struct LabelRange {
    LabelRange(int count) : last(count) {} // all of so many
    LabelRange(int from, int to) : first(from), last(to) {}
    int first = 0, last = 0;
};

/// The labels that are drawn: every step-th of all from `phase` on, and `always` in place of those
/// too near to it.
std::vector<int> thinned(LabelRange range, int step, std::optional<int> always, int phase = 0);

struct LabelPlan {
    TextStyle style;
    bool slanted = false, turned = false; // by 45 degrees, or where turned by 90
    bool stacked = false;    // and of these, Han characters stand upright above each other
    bool letters_stand = false; // and of these, names of one letter stand upright
    int step = 1, phase = 0; // where labels are thinned, those of place phase + k · step stand

    std::vector<float> moved{}; // level ones, from the middle of their columns; empty: none is
    float moved_by(int i) const { return moved.empty() ? 0 : moved[static_cast<std::size_t>(i)]; }

    float staggered = 0; // points that every second level one stands further from the grid
    float further(int i) const { return i % 2 == 1 ? staggered : 0; }

    float longest = 0; // points that a label may be wide
    float size = 0;    // how far the labels reach from the grid: a height for columns, else a width
};

/// The narrowest columns whose labels stay upright; beyond all bounds where they never do.
float upright_pitch(const Sheet& sheet, const std::vector<std::string>& labels, int count);

inline constexpr float kSmallestFlat = 11.5f; // of words; smaller ones slant

/// Labels above (or below) columns of width `pitch`, reaching at most `room` away from them. The
/// selected one is drawn even where labels are thinned. Labels of up to three letters lie flat in
/// smaller type than words, and numbers that count do always, thinned where not all fit.
LabelPlan plan_columns(const Sheet& sheet, const std::vector<std::string>& labels, LabelRange range,
                       float pitch, float room, std::optional<int> selected = {},
                       float smallest_flat = kSmallestFlat);
/// Labels of columns on their side, of letters as large as the columns have room for within these
/// sizes, thinned where not all fit.
LabelPlan plan_columns_turned(const Sheet& sheet, const std::vector<std::string>& labels,
                              LabelRange range, float pitch, float room,
                              std::optional<int> selected, float smallest, float largest);
/// Turns slanted labels of columns upright where more of them have room so.
void turn_columns(const Sheet& sheet, LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float pitch, float room, std::optional<int> selected);
/// Makes labels that are slanted or turned stacks of characters, where most of them are of Han
/// characters: those are read from top to bottom, and never aslant.
void stack_columns(const Sheet& sheet, LabelPlan& plan, const std::vector<std::string>& labels,
                   LabelRange range, float pitch, float room);
/// Level labels close above a grid: whole where they are narrower than their columns, else
/// shortened or, of narrow ones, every so many-th, the selected one among them.
LabelPlan plan_columns_level(const Sheet& sheet, const std::vector<std::string>& labels,
                             float pitch, std::optional<int> selected);
/// Labels to the left of rows of height `pitch`. `from_selected`: where labels are thinned, the
/// phase is the selected one's, so that it stands among the others.
LabelPlan plan_rows(const Sheet& sheet, const std::vector<std::string>& labels, LabelRange range,
                    float pitch, float room, std::optional<int> selected = {},
                    bool from_selected = false);

/// The reach of labels below columns, which slant down to the left, beyond the first column: 0
/// where they lie flat.
float reach_left(const Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                 LabelRange range, float pitch);

/// The reach of labels above columns, which slant up to the right, beyond the last column.
float reach_right(const Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float pitch);

struct AxisMarks {
    std::optional<int> selected{}; // strong, in accent; drawn even where labels are thinned
    std::optional<int> partner{};  // as strong: the other end of a selected link
    std::optional<int> hovered{};  // strong, in the colour of text
    std::optional<int> kept{}; // as others, but drawn where labels are thinned: none is selected
    std::vector<int> chosen{};     // as strong as a partner, in rising order
    std::vector<int> unknown{}; // words that the model does not know: dotted below, in rising order
    /// The one that is drawn where labels are thinned.
    std::optional<int> always() const { return selected ? selected : kept; }
};

/// True of a label that is drawn strong and in accent.
bool is_marked(const AxisMarks& marks, int i);

/// The line below a label whose `text` stands at `at`, level or as slanted or turned labels do:
/// dots of an unknown word, and accent of a marked emoji, which has colours of its own; else none.
void draw_underline(Sheet& sheet, const AxisMarks& marks, int i, const std::string& text, Point at,
                    const TextStyle& style, AlignX align, float degrees = 0);

enum class Side { above, below };
/// Tag of the labels along an axis.
enum class LabelOf { row, column, bar };

/// Draws the labels of columns centred at left + (i + ½) · pitch, ending at `edge`, and tags each
/// with its whole column. Slanted labels are kept left of `right_limit`.
void draw_columns(Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
                  LabelRange range, float left, float pitch, float edge, Side side,
                  float right_limit, const AxisMarks& marks, LabelOf of);
/// Draws the labels of rows, right-aligned at `edge`.
void draw_rows(Sheet& sheet, const LabelPlan& plan, const std::vector<std::string>& labels,
               LabelRange range, float top, float pitch, float edge, const AxisMarks& marks);
/// Brackets at `x`, right of the labels of rows: each joins neighbours that are pieces of one word.
/// `rows`: the tokens that have a row, ascending. `word_of`: every token's word; empty draws none.
void draw_word_brackets(Sheet& sheet, const std::vector<int>& rows, const std::vector<int>& word_of,
                        float x, float top, float pitch);

} // namespace heed::figure
