#include "figure/views/line_columns.hpp"
#include "figure/parts/heat_marks.hpp"

#include "figure/base/head_color.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

namespace heed::figure {

namespace {

constexpr float kWidestLink = 9; // points, of a link of weight 1

}

float beside_heads(const LinesData& data, int head, float pitch) {
    constexpr float kMostOfPitch = 0.6f, kHair = 0.7f; // of all heads; between two links
    const auto heads = static_cast<float>(data.heads.size());
    if (heads < 2) return 0;
    const float apart = std::min(kWidestLink / heads + kHair, kMostOfPitch * pitch / heads);
    return (static_cast<float>(head) - 0.5f * (heads - 1)) * apart;
}

LineMarks line_marks(const LinesData& data, const LinksOptions& options) {
    LineMarks marks;
    marks.queries.chosen = chosen_queries(data, options);
    marks.keys.chosen = chosen_keys(data, options);
    if (options.selected) {
        std::tie(marks.queries.selected, marks.keys.selected) = *options.selected;
    }
    if (has_filter(options)) {
        for (AxisMarks* side : {&marks.queries, &marks.keys}) light_filter_alone(*side);
    }
    if (options.hovered) {
        marks.queries.hovered = options.hovered->first;
        marks.keys.hovered = options.hovered->second;
    }
    if (options.isolated_query) marks.queries.hovered = options.isolated_query;
    if (options.isolated_key) marks.keys.hovered = options.isolated_key;
    marks.queries.unknown = data.unknown_rows;
    marks.keys.unknown = data.unknown_cols;
    return marks;
}

void draw_ribbons(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                  const std::vector<Link>& links,
                  const std::function<Curve(const Link&, const LinkLook&)>& ribbon_of) {
    const std::vector<Link> others = other_links(data, options, most_links(data));
    for (const Link& link : others) {
        const LinkLook look = look_of(sheet, data, link, options, kWidestLink);
        sheet.figure.items.emplace_back(ribbon_of(link, faint_look(sheet, look, others.size())));
    }
    for (const bool strong : {false, true}) {
        for (const Link& link : links) {
            if (is_of_query(link, options) != strong) continue;
            const Curve curve = ribbon_of(link, look_of(sheet, data, link, options, kWidestLink));
            const Point middle{(curve.a.x + curve.b.x) / 2, (curve.a.y + curve.b.y) / 2};
            sheet.link(curve, {middle.x - 6, middle.y - 6, 12, 12}, link.query, link.key,
                       link.head);
        }
    }
}

namespace {

constexpr TextStyle kNumber{10.5f, Font::mono};
constexpr float kHighestToken = 104, kReadableToken = 18; // points
constexpr float kLabelGap = 10;
constexpr float kHeadingHeight = 48; // its words, with air above them

/// One side: its labels, and outside them one square a head.
struct WordColumn {
    bool keys = false; // at the right; queries stand at the left
    int count = 0;
    const std::vector<std::string>* labels = nullptr;
    AxisMarks marks;
    Matrix<float> squares; // tokens × heads
    float largest = 0;     // of squares
    float edge = 0;        // where links end
    float label_width = 0;
    float squares_left = 0;
    TextStyle style;
    int step = 1; // every how manieth label is drawn
    float top = 0, pitch = 1;

    float sign() const { return keys ? 1.f : -1.f; }
    float y(int token) const { return top + (static_cast<float>(token) + 0.5f) * pitch; }
};

struct ColumnPlaces {
    float top = 0, square = 0, square_pitch = 0;
    float pitch = 1; // of the longer side
};

/// Both sides, and where they stand, in the middle between the sheet's margins.
struct LineColumns {
    WordColumn queries, keys;
    ColumnPlaces places;
    float from = 0, to = 0; // the sheet's margins
    float left = 0, right = 0;
    float strip = 0;        // what the squares of a side take; 0: too narrow to be drawn
    float number_width = 0; // of a sum, outside the squares

    bool sums_of_keys() const { return !queries.marks.chosen.empty(); }
    bool sums_of_queries() const { return !keys.marks.chosen.empty(); }
};

LinesData only(const LinesData& data, const LinkHead& head) {
    LinesData one;
    one.heads = {head};
    one.n_heads = data.n_heads;
    return one;
}

/// One column of squares a head, each from the numbers that `of` gives for that head alone.
template <class Of> Matrix<float> squares_of(const LinesData& data, int tokens, Of of) {
    Matrix<float> squares = Matrix<float>::Zero(tokens, static_cast<Index>(data.heads.size()));
    for (std::size_t h = 0; h < data.heads.size(); ++h) {
        const std::vector<float> values = of(only(data, data.heads[h]));
        for (std::size_t i = 0; i < values.size(); ++i) {
            squares(static_cast<Index>(i), static_cast<Index>(h)) = values[i];
        }
    }
    return squares;
}

} // namespace

Matrix<float> squares_of_queries(const LinesData& data, const LinksOptions& options) {
    const int n = size_of(data).first;
    if (!chosen_keys(data, options).empty()) {
        return squares_of(data, n,
                          [&](const LinesData& head) { return out_of_queries(head, options); });
    }
    return squares_of(data, n, [](const LinesData& head) { return largest_out(head); });
}

Matrix<float> squares_of_keys(const LinesData& data, const LinksOptions& options) {
    return squares_of(data, size_of(data).second,
                      [&](const LinesData& head) { return into_keys(head, options); });
}

namespace {

Color hue_of(const Sheet& sheet, const LinesData& data, std::size_t head) {
    if (data.heads.size() == 1) return sheet.theme().link;
    return head_color(data.heads[head].head, data.n_heads, sheet.theme().dark);
}

LineColumns columns_of(const LinesData& data, const LinksOptions& options) {
    LineColumns columns;
    WordColumn &queries = columns.queries, &keys = columns.keys;
    keys.keys = true;
    std::tie(queries.count, keys.count) = size_of(data);
    queries.labels = &data.row_labels;
    keys.labels = &data.col_labels;
    const LineMarks marks = line_marks(data, options);
    queries.marks = marks.queries;
    keys.marks = marks.keys;
    queries.squares = squares_of_queries(data, options);
    keys.squares = squares_of_keys(data, options);
    for (WordColumn* column : {&queries, &keys}) {
        column->largest = column->squares.size() > 0 ? column->squares.maxCoeff() : 0;
    }
    return columns;
}

void place_tokens(LineColumns& columns, float top, float bottom) {
    const int longer = std::max(columns.queries.count, columns.keys.count);
    const float room = std::max(bottom - top - kHeadingHeight - kNoteHeight, 1.f);
    ColumnPlaces& places = columns.places;
    places.top = top + kHeadingHeight;
    places.pitch = std::min(room / static_cast<float>(longer), kHighestToken);
    if (places.pitch >= 9) places.pitch = std::floor(places.pitch);
    for (WordColumn* column : {&columns.queries, &columns.keys}) {
        // Tokens of equal number stand level; a few beside very many keep a height to be read at.
        const float own = room / static_cast<float>(std::max(column->count, 1));
        column->top = places.top;
        column->pitch = std::max(places.pitch, std::min(own, kReadableToken));
    }
}

/// Places columns from the margins inwards: sums, squares, labels, and the channel of the links.
void place_columns(const Sheet& sheet, LineColumns& columns, std::size_t n_heads) {
    WordColumn &queries = columns.queries, &keys = columns.keys;
    ColumnPlaces& places = columns.places;
    columns.from = sheet.margin();
    columns.to = sheet.width() - sheet.margin();
    columns.number_width = sheet.width_of("0.000", kNumber) + 10;
    const float heads = static_cast<float>(n_heads);
    const float width = columns.to - columns.from;
    places.square_pitch = std::min({std::max(places.pitch, 6.f), 14.f, 0.16f * width / heads});
    places.square = places.square_pitch - (places.square_pitch >= 6 ? 2.f : 0.5f);
    columns.strip = places.square >= 2.5f ? heads * places.square_pitch + kLabelGap : 0;
    for (WordColumn* column : {&queries, &keys}) {
        const LabelPlan plan = plan_rows(sheet, *column->labels, column->count, column->pitch,
                                         0.2f * width, column->marks.always());
        column->style = plan.style;
        column->step = plan.step;
        column->label_width = plan.size;
    }
    // Links that are much longer than the columns are high would only look flat.
    const float outer = columns.strip + columns.number_width;
    const float longer = static_cast<float>(std::max(queries.count, keys.count));
    const float beside = 2 * outer + queries.label_width + keys.label_width + 2 * kLabelGap;
    const float channel = std::min(width - beside, std::max(320.f, 1.6f * places.pitch * longer));
    const float spare = std::floor(std::max(width - beside - channel, 0.f) / 2);
    columns.left = columns.from + spare;
    columns.right = columns.to - spare;
    queries.edge = columns.left + outer + queries.label_width + kLabelGap;
    queries.squares_left = columns.left + columns.number_width;
    keys.edge = queries.edge + std::max(channel, 1.f);
    keys.squares_left = keys.edge + 2 * kLabelGap + keys.label_width;
}

Curve ribbon_between(const LineColumns& columns, const LinesData& data, const Link& link,
                     const LinkLook& look) {
    const float aside = beside_heads(data, link.head, columns.places.pitch);
    const Point a{columns.queries.edge, columns.queries.y(link.query) + aside};
    const Point b{columns.keys.edge, columns.keys.y(link.key) + aside};
    const float middle = (a.x + b.x) / 2, widest = std::max(1.f, 0.8f * columns.places.pitch);
    return Curve{a, {middle, a.y}, {middle, b.y}, b, look.color, std::min(look.width, widest)};
}

void draw_tokens(Sheet& sheet, const WordColumn& column) {
    const AlignX align = column.keys ? AlignX::left : AlignX::right;
    const float x = column.edge + column.sign() * kLabelGap;
    const int n = std::min(column.count, static_cast<int>(column.labels->size()));
    const auto always = column.marks.always() ? column.marks.always() : column.marks.hovered;
    for (const int i : thinned(n, column.step, always)) {
        TextStyle style = column.style;
        const bool accent = is_marked(column.marks, i);
        if (accent || column.marks.hovered == i) style.weight = Weight::bold;
        const std::string text =
            sheet.fitted((*column.labels)[static_cast<std::size_t>(i)], style, column.label_width);
        sheet.text(text, {x, column.y(i)}, style,
                   accent ? sheet.theme().accent : sheet.theme().text, align, AlignY::middle);
        draw_underline(sheet, column.marks, i, text, {x, column.y(i)}, style, align);
    }
    const float width = column.label_width + 2 * kLabelGap;
    const float left = column.keys ? column.edge : column.edge - width;
    for (int i = 0; i < column.count; ++i) {
        sheet.target({left, column.y(i) - column.pitch / 2, width, column.pitch},
                     column.keys ? Tag(tag::ColLabel{i}) : tag::RowLabel{i});
    }
}

void draw_squares(Sheet& sheet, const ColumnPlaces& places, const LinesData& data,
                  const WordColumn& column) {
    if (places.square < 2.5f) return;
    const float high = std::min(places.square, column.pitch - std::min(2.f, 0.2f * column.pitch));
    for (std::size_t h = 0; h < data.heads.size(); ++h) {
        const Color hue = hue_of(sheet, data, h);
        const float x = column.squares_left + static_cast<float>(h) * places.square_pitch;
        for (int i = 0; i < column.count; ++i) {
            const float value = column.squares(i, static_cast<Index>(h));
            const float share = column.largest > 0 ? value / column.largest : 0;
            const Box box{x, column.y(i) - high / 2, places.square, high};
            sheet.fill(box, mixed(sheet.theme().raised, hue, share), high >= 7 ? 2.f : 0.f);
            sheet.target({x, column.y(i) - column.pitch / 2, places.square_pitch, column.pitch},
                         tag::Square{i, static_cast<int>(h), column.keys});
        }
    }
}

/// Numbers of the heads over their squares: in their hues they are the legend of the links.
void draw_head_numbers(Sheet& sheet, const ColumnPlaces& places, const LinesData& data,
                       const WordColumn& column) {
    if (places.square < 2.5f || data.heads.size() < 2) return;
    TextStyle style = kNumber;
    style.weight = Weight::bold;
    float free_from = -1e9f;
    for (std::size_t h = 0; h < data.heads.size(); ++h) {
        const std::string number = std::to_string(data.heads[h].head + 1);
        const float left = column.squares_left + static_cast<float>(h) * places.square_pitch;
        const float x = left + places.square / 2, half = sheet.width_of(number, style) / 2;
        sheet.target({left, places.top - 20, places.square_pitch, 18},
                     tag::Square{-1, static_cast<int>(h), column.keys});
        if (x - half < free_from) continue;
        sheet.text(number, {x, places.top - 6}, style, hue_of(sheet, data, h), AlignX::centre);
        free_from = x + half + 2;
    }
}

/// Sums of the chosen tokens' weights: the mean over the heads, at the outer side.
void draw_sums(Sheet& sheet, const WordColumn& column, float x, float width) {
    if (column.pitch < 11) return;
    const auto texts = [&](auto text_of) {
        std::vector<std::string> all;
        for (int i = 0; i < column.count; ++i) {
            all.push_back(text_of(column.squares.row(i).mean(), 3));
        }
        return all;
    };
    const auto too_wide = [&](const std::string& text) {
        return sheet.width_of(text, kNumber) > width;
    };
    std::vector<std::string> sums = texts(weight_text);
    if (std::ranges::any_of(sums, too_wide)) sums = texts(short_weight_text);
    if (std::ranges::any_of(sums, too_wide)) return; // all or none
    for (int i = 0; i < column.count; ++i) {
        sheet.text(sums[static_cast<std::size_t>(i)], {x, column.y(i)}, kNumber,
                   sheet.theme().muted, column.keys ? AlignX::left : AlignX::right, AlignY::middle);
    }
}

constexpr std::string_view kMean = "average ";

/// The words above a column: of its tokens, and of its squares where those have any.
struct ColumnHeading {
    std::string name, meaning{};
    float x = 0, meaning_x = 0;
    bool level = true; // both have room in one line
};

ColumnHeading heading_of(const Sheet& sheet, const WordColumn& column, const std::string& axis,
                         const std::string& meaning, float width, float outer, float squares_right,
                         float room) {
    ColumnHeading heading{sheet.fitted(axis, kNote, width)};
    heading.x = column.edge + column.sign() * kLabelGap;
    // The squares' meaning begins at them and reaches outward or, beyond the margin, inward.
    const float labels_end = heading.x + column.sign() * sheet.width_of(heading.name, kNote);
    const std::string brief = meaning.starts_with(kMean) ? meaning.substr(kMean.size()) : meaning;
    for (const std::string& words : {meaning, brief, brief.substr(0, brief.find(','))}) {
        const float wide = sheet.width_of(words, kNote);
        if (words.empty() || wide > std::max(width, room)) continue;
        const float at = column.keys ? std::min(column.squares_left, outer - wide)
                                     : std::max(squares_right, outer + wide);
        heading.meaning = words;
        heading.meaning_x = at;
        heading.level = column.sign() * (at - labels_end) >= kLabelGap;
        break;
    }
    return heading;
}

void draw_heading(Sheet& sheet, const ColumnHeading& heading, AlignX align, float name_y,
                  float meaning_y) {
    const Color ink = sheet.theme().muted;
    sheet.text(heading.name, {heading.x, name_y}, kNote, ink, align);
    if (!heading.meaning.empty())
        sheet.text(heading.meaning, {heading.meaning_x, meaning_y}, kNote, ink, align);
}

/// The meaning of a side's squares, up to the weight at which they are full.
std::string meaning_of_squares(const LineColumns& columns, const LinksOptions& options,
                               const WordColumn& column) {
    if (columns.strip <= 0) return "";
    const bool sums = column.keys ? columns.sums_of_keys() : columns.sums_of_queries();
    const std::string what = sums          ? name_of_sum(options, column.keys)
                             : column.keys ? "average attention received"
                                           : "strongest link";
    return what + ", max " + weight_text(column.largest, std::max(decimals_for(column.largest), 2));
}

ColumnHeading heading_of(const Sheet& sheet, const LineColumns& columns, const LinesData& data,
                         const LinksOptions& options, const WordColumn& column) {
    const float width =
        column.keys ? columns.to - column.edge - kLabelGap : column.edge - kLabelGap - columns.from;
    return heading_of(sheet, column, column.keys ? data.col_axis : data.row_axis,
                      meaning_of_squares(columns, options, column), width,
                      column.keys ? columns.to : columns.from,
                      column.squares_left + columns.strip - kLabelGap,
                      (columns.right - columns.left) / 2 - kLabelGap);
}

/// What the squares of both sides mean stands in one line.
void draw_sides(Sheet& sheet, const LineColumns& columns, const LinesData& data,
                const LinksOptions& options) {
    const ColumnHeading headings[] = {heading_of(sheet, columns, data, options, columns.queries),
                                      heading_of(sheet, columns, data, options, columns.keys)};
    const bool level = headings[0].level && headings[1].level;
    const float top = columns.places.top, meaning_y = top - (level ? 24.f : 38.f);
    // Apart from what is of the squares, but above the numbers of heads.
    const float name_y = top - (level || data.heads.size() > 1 ? 24.f : 12.f);
    for (const WordColumn* column : {&columns.queries, &columns.keys}) {
        draw_tokens(sheet, *column);
        draw_squares(sheet, columns.places, data, *column);
        draw_head_numbers(sheet, columns.places, data, *column);
        draw_heading(sheet, headings[column->keys ? 1 : 0],
                     column->keys ? AlignX::left : AlignX::right, name_y, meaning_y);
    }
}

} // namespace

constexpr float kLowestColumns = 160, kLowestByWidth = 0.28f;

bool columns_fit(float width, float top, float bottom) {
    const float room = bottom - top - kHeadingHeight - kNoteHeight;
    return width >= 240 && room >= kLowestColumns && room >= kLowestByWidth * width;
}

float columns_height(float width, int tokens) {
    constexpr float kEasyToken = 30, kHair = 1;
    return kHeadingHeight + kNoteHeight + kHair +
           std::max(
               {kLowestColumns, kLowestByWidth * width, kEasyToken * static_cast<float>(tokens)});
}

void draw_line_columns(Sheet& sheet, const LinesData& data, const LinksOptions& options, float top,
                       float bottom) {
    LineColumns columns = columns_of(data, options);
    place_tokens(columns, top, bottom);
    place_columns(sheet, columns, data.heads.size());
    const std::vector<Link> links = strongest_links(data, options, most_links(data));
    draw_ribbons(sheet, data, options, links, [&](const Link& link, const LinkLook& look) {
        return ribbon_between(columns, data, link, look);
    });
    const WordColumn &queries = columns.queries, &keys = columns.keys;
    draw_sides(sheet, columns, data, options);
    const float strip = columns.strip;
    if (columns.sums_of_keys()) {
        const float x = keys.squares_left + (strip > 0 ? strip - kLabelGap : 0) + 8;
        draw_sums(sheet, keys, x, columns.right - x);
    }
    if (columns.sums_of_queries()) {
        const float width = columns.number_width;
        draw_sums(sheet, queries, columns.left + width - 8, width);
    }
    // Below the columns, not below what they leave.
    const float end = std::max(queries.y(queries.count - 1) + queries.pitch / 2,
                               keys.y(keys.count - 1) + keys.pitch / 2);
    const bool means =
        data.heads.size() > 1 && (columns.sums_of_keys() || columns.sums_of_queries());
    draw_links_note(sheet, data, options, links.size(), std::min(bottom - 4, end + kNoteHeight),
                    columns.places.square < 2.5f, means ? "numbers: mean of the heads" : "");
}

} // namespace heed::figure
