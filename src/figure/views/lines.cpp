#include "figure/views/lines.hpp"

#include "figure/base/script.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/views/line_columns.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

struct TokenLine {
    float left = 0, pitch = 1, y = 0;

    float x(int token) const { return left + (static_cast<float>(token) + 0.5f) * pitch; }
};

/// Leaves both lines of tokens upright; a flat and thick one so far that its inner side has room to
/// turn.
Curve ribbon(const TokenLine& keys, const TokenLine& queries, const Link& link,
             const LinkLook& look, float aside) {
    const Point a{keys.x(link.key) + aside, keys.y}, b{queries.x(link.query) + aside, queries.y};
    const float high = b.y - a.y, wide = std::abs(b.x - a.x);
    // Where it begins a cubic's radius is 3/2 of its controls' distance squared, by the width.
    const float turn = std::sqrt(wide * (look.width / 2 + 1) * 2 / 3);
    constexpr float kMostReach = 0.7f; // with more the middles of several lie upon each other
    const float reach = std::max(std::min(turn, kMostReach * high), high / 2);
    return {a, {a.x, a.y + reach}, {b.x, b.y - reach}, b, look.color, look.width};
}

/// Keys above queries, each with its labels on the outer side.
struct LineRows {
    TokenLine keys, queries;
    LabelPlan key_plan, query_plan;
};

bool has_axis_words(const Sheet& sheet) { return sheet.width() >= 320; }

float left_of_rows(const Sheet& sheet, const LinesData& data) {
    if (!has_axis_words(sheet)) return sheet.margin();
    const float words =
        std::max(sheet.width_of(data.row_axis, kNote), sheet.width_of(data.col_axis, kNote));
    return sheet.margin() + (words + 12);
}

/// True where the words of n tokens stand upright in this width.
bool stand_upright(const Sheet& sheet, const std::vector<std::string>& labels, int n, float width) {
    return upright_pitch(sheet, labels, n) <= width / static_cast<float>(n);
}

/// True where each of these words is whole in so much room, slanted or not.
bool stand_whole(const Sheet& sheet, const std::vector<std::string>& labels, int n, float width,
                 float room) {
    const LabelPlan plan = plan_columns(sheet, labels, n, width / static_cast<float>(n), room);
    return plan.step == 1 && std::ranges::all_of(labels, [&](const std::string& label) {
               return sheet.width_of(label, plan.style) <= plan.longest;
           });
}

/// True where level words are smaller than such that are read with ease.
bool stand_small(const Sheet& sheet, const std::vector<std::string>& labels, int n, float width,
                 float room) {
    const LabelPlan plan = plan_columns(sheet, labels, n, width / static_cast<float>(n), room);
    return !plan.slanted && plan.style.size < kSmallestFlat;
}

/// Words on their side, each of them or every second one whole within this width; none where they
/// have no room so, or are of Han characters, which are never read on their side.
std::optional<LabelPlan> turned_within(const Sheet& sheet, const std::vector<std::string>& labels,
                                       int n, float width, float room,
                                       std::optional<int> selected) {
    constexpr float kSmallest = 9, kLargest = 13;
    constexpr int kMostApart = 2;
    const auto han = [](const std::string& label) { return han_forms(label) != Han::none; };
    if (std::ranges::any_of(labels, han)) return std::nullopt;
    for (int step = 1; step <= kMostApart; ++step) {
        const float pitch = static_cast<float>(step) * width / static_cast<float>(n);
        for (float size = kLargest; size >= kSmallest; size -= 0.5f) {
            LabelPlan plan =
                plan_columns_turned(sheet, labels, n, pitch, room, selected, kSmallest, size);
            const TextStyle strong{plan.style.size, Font::sans, Weight::bold};
            const bool whole = std::ranges::all_of(labels, [&](const std::string& label) {
                return sheet.width_of(label, strong) <= plan.longest;
            });
            if (plan.step > 1 || !whole) continue;
            plan.step = step;
            return plan;
        }
    }
    return std::nullopt;
}

/// Level words of this size or nearly, whole and within this width: long ones may take the room of
/// short neighbours.
std::optional<LabelPlan> level_within(const Sheet& sheet, const std::vector<std::string>& labels,
                                      int n, float width, float largest) {
    constexpr float kApart = 10, kClose = 6;
    constexpr float kBeyond = 8; // the first and the last reach beyond the width
    const float pitch = width / static_cast<float>(n), side = pitch / 2 + kBeyond;
    for (float size = largest; size >= kSmallestFlat; size -= 0.5f) {
        const TextStyle strong{size, Font::sans, Weight::bold};
        std::vector<float> widths;
        for (const std::string& label : labels) widths.push_back(sheet.width_of(label, strong));
        auto moved = moved_apart(widths, pitch, kApart, side, side);
        if (!moved) moved = moved_apart(widths, pitch, kClose, side, side);
        if (!moved) continue;
        LabelPlan plan;
        plan.style.size = size;
        plan.moved = *std::move(moved);
        plan.longest = *std::ranges::max_element(widths);
        plan.size = size + kLabelsFromGrid + 4;
        return plan;
    }
    return std::nullopt;
}

/// Level words that would be cut in two lines in turn, of letters of this size or smaller, where
/// each is whole so.
LabelPlan staggered(const Sheet& sheet, const std::vector<std::string>& labels, int n, float pitch,
                    const LabelPlan& plan) {
    constexpr float kSmallest = 9, kBetween = 6, kBeyond = 8; // the first and the last
    const int count = std::min(n, static_cast<int>(labels.size()));
    if (plan.slanted || !plan.moved.empty()) return plan;
    const auto whole = [&](float size, float wide, float at_ends) {
        const TextStyle strong{size, Font::sans, Weight::bold};
        for (int i = 0; i < count; ++i) {
            const float room = i == 0 || i + 1 == count ? std::min(wide, at_ends) : wide;
            if (sheet.width_of(labels[static_cast<std::size_t>(i)], strong) > room) return false;
        }
        return true;
    };
    if (plan.step == 1 && whole(plan.style.size, plan.longest, plan.longest)) return plan;
    for (float size = plan.style.size; size >= kSmallest; size -= 0.5f) {
        const float wide = 2 * pitch - kBetween;
        if (!whole(size, wide, pitch + 2 * kBeyond)) continue;
        LabelPlan in_turn;
        in_turn.style.size = size;
        in_turn.longest = wide;
        in_turn.staggered = std::ceil(size * kLabelLine);
        in_turn.size = size + kLabelsFromGrid + 4 + in_turn.staggered;
        return in_turn;
    }
    return plan;
}

LineRows line_rows(const Sheet& sheet, const LinesData& data, const LineMarks& marks,
                   const std::optional<Columns>& above, float top, float bottom) {
    const auto [n, m] = size_of(data);
    const int longer = std::max({n, m, 1});
    const auto width_from = [&](float x) {
        return std::min(sheet.width() - sheet.margin() - x, static_cast<float>(longer) * 168);
    };
    const std::optional<int> query_selected = marks.queries.always();
    const float room = std::max(bottom - top, 1.f);
    // Slanted labels below hang down to the left of their tokens.
    float left = left_of_rows(sheet, data);
    const float rough = width_from(left) / static_cast<float>(n);
    const float reach = reach_left(
        sheet, plan_columns(sheet, data.row_labels, n, rough, 0.3f * room, query_selected),
        data.row_labels, n, rough);
    left = std::clamp(reach + sheet.margin() / 2, left, std::max(left, 0.2f * sheet.width()));
    float width = width_from(left);
    if (!above) left += std::max(sheet.width() - sheet.margin() - left - width, 0.f) / 2;
    float left_of_queries = left, of_queries = width;
    std::optional<LabelPlan> placed;
    if (above && above->left >= left_of_rows(sheet, data) &&
        stand_upright(sheet, data.col_labels, m, above->width)) {
        // Queries that have no room below the map's columns, neither slanted nor on their side nor
        // a little aside, go on beyond them, or have a line of their own.
        const float upright = std::max(above->width, upright_pitch(sheet, data.row_labels, n) *
                                                         static_cast<float>(n));
        const bool beyond = upright <= sheet.width() - sheet.margin() - above->left;
        const bool whole = stand_whole(sheet, data.row_labels, n, above->width, 0.3f * room);
        const bool small = stand_small(sheet, data.row_labels, n, above->width, 0.3f * room);
        if (!whole || small) {
            const LabelPlan keys = plan_columns(sheet, data.col_labels, m,
                                                above->width / static_cast<float>(m), 0.3f * room);
            placed = level_within(sheet, data.row_labels, n, above->width, keys.style.size);
        }
        // Small words are the last resort of what has no room beyond either.
        const bool within = whole && !(small && beyond);
        if (!whole && !placed) {
            placed = turned_within(sheet, data.row_labels, n, above->width, 0.36f * room,
                                   query_selected);
        }
        const float wide = within || placed ? above->width : upright;
        left = above->left;
        width = above->width;
        if (wide <= sheet.width() - sheet.margin() - left) {
            left_of_queries = left;
            of_queries = wide;
        }
    }
    LineRows rows;
    rows.keys = {left, width / static_cast<float>(m), 0};
    rows.queries = {left_of_queries, of_queries / static_cast<float>(n), 0};
    rows.key_plan =
        plan_columns(sheet, data.col_labels, m, rows.keys.pitch, 0.3f * room, marks.keys.always());
    rows.query_plan = placed ? *placed
                             : plan_columns(sheet, data.row_labels, n, rows.queries.pitch,
                                            0.3f * room, query_selected);
    rows.key_plan = staggered(sheet, data.col_labels, m, rows.keys.pitch, rows.key_plan);
    rows.query_plan = staggered(sheet, data.row_labels, n, rows.queries.pitch, rows.query_plan);
    // Words above and below are read together: those with less room set the size.
    float size = std::min(rows.key_plan.style.size, rows.query_plan.style.size);
    if (above && above->type > 0) size = std::min(size, above->type); // of the same words
    rows.key_plan.style.size = rows.query_plan.style.size = size;
    const auto height = [](const LabelPlan& plan) {
        return plan.slanted ? plan.size : plan.style.size + 16 + plan.staggered;
    };
    rows.keys.y = top + height(rows.key_plan);
    // A band much taller than wide would turn the ribbons into straight lines.
    rows.queries.y =
        std::max(rows.keys.y + 4, std::min(bottom - height(rows.query_plan),
                                           rows.keys.y + std::max(width * 0.6f, 120.f)));
    return rows;
}

/// The left of "key" and "query": the margin, or near columns that begin far from it.
float axis_words_left(const Sheet& sheet, const LineRows& rows, const LinesData& data) {
    constexpr float kFar = 80;
    const float spare = std::min(rows.keys.left, rows.queries.left) - left_of_rows(sheet, data);
    return sheet.margin() + (spare > kFar ? spare : 0);
}

void draw_axis_words(Sheet& sheet, const LineRows& rows, const LinesData& data) {
    const Color muted = sheet.theme().muted;
    const float x = axis_words_left(sheet, rows, data);
    TextStyle style = kNote; // never larger than the words
    style.size = std::min({style.size, rows.key_plan.style.size, rows.query_plan.style.size});
    sheet.text(data.col_axis, {x, rows.keys.y - 10}, style, muted);
    // Slanted labels end below the line and reach to the left: the word stays above it.
    const LabelPlan& plan = rows.query_plan;
    if (plan.slanted && rows.queries.y - rows.keys.y < 24) return;
    const float under = plan.slanted ? -3.f : 10 + 0.75f * plan.style.size;
    sheet.text(data.row_axis, {x, rows.queries.y + under}, style, muted);
}

void draw_line_rows(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                    const Frame& frame, float top, float bottom) {
    const std::vector<Link> links = strongest_links(data, options, most_links(data));
    // A picture below another one has no title, and leaves the words to that one, but that a filter
    // has no links.
    if ((frame.titled || (has_filter(options) && links.empty())) && bottom - top >= 130) {
        draw_links_note(sheet, data, options, links.size(), bottom - 4, true);
        bottom -= 22;
    }
    const LineMarks marks = line_marks(data, options);
    const LineRows rows = line_rows(sheet, data, marks, frame.above, top, bottom);
    const TokenLine &keys = rows.keys, &queries = rows.queries;
    draw_ribbons(sheet, data, options, links, [&](const Link& link, const LinkLook& look) {
        const float pitch = std::min(keys.pitch, queries.pitch);
        return ribbon(keys, queries, link, look, beside_heads(data, link.head, pitch));
    });
    const auto [n, m] = size_of(data);
    const float limit = sheet.width() - sheet.margin() / 2;
    draw_columns(sheet, rows.key_plan, data.col_labels, m, keys.left, keys.pitch, keys.y + 4,
                 Side::above, limit, marks.keys, LabelOf::column);
    draw_columns(sheet, rows.query_plan, data.row_labels, n, queries.left, queries.pitch,
                 queries.y - 4, Side::below, limit, marks.queries, LabelOf::row);
    if (has_axis_words(sheet)) draw_axis_words(sheet, rows, data);
}

} // namespace

Figure lines(const MapData& map, const LinksOptions& options, const Frame& frame) {
    return lines(lines_data(map), options, frame);
}

namespace {

/// The height of a sheet whose frame leaves it open: words that have no room upright slant, and are
/// whole so.
float natural_height(const LinesData& data, const Frame& frame, float natural_width) {
    constexpr float kUpright = 300, kLongest = 90; // points; that a slanted word is made room for
    const auto [n, m] = size_of(data);
    const Sheet sheet(frame, natural_width, kUpright);
    const float width = sheet.width() - sheet.margin() - left_of_rows(sheet, data);
    float more = 0;
    const auto add = [&](const std::vector<std::string>& labels, int count) {
        if (count == 0 || stand_upright(sheet, labels, count, width)) return;
        const LabelPlan plan =
            plan_columns(sheet, labels, count, width / static_cast<float>(count), kLongest);
        more += plan.slanted ? plan.size : 0;
    };
    add(data.col_labels, m);
    add(data.row_labels, n);
    // Of what lies between header and caption the words of either side have three tenths.
    return kUpright + (more > 0 ? std::max(2 * more, kLongest) : 0);
}

} // namespace

Figure lines(const LinesData& data, const LinksOptions& options, const Frame& frame) {
    const auto [n, m] = size_of(data);
    const auto longer = static_cast<float>(std::max({n, m, 1}));
    const float natural_width = std::clamp(longer * 96 + 120, 320.f, 1200.f);
    Sheet sheet(frame, natural_width, natural_height(data, frame, natural_width));
    sheet.figure.title =
        "Links from " + std::to_string(n) + " queries to " + std::to_string(m) + " keys" +
        (data.heads.size() > 1 ? " of " + std::to_string(data.heads.size()) + " heads" : "") +
        (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, links_subtitle(data, options));
    constexpr float kRoomOfRows = 150;
    sheet.hold(top, options.columns ? columns_height(sheet.width(), std::max(n, m)) : kRoomOfRows);
    const float bottom = sheet.content_bottom();
    if (n == 0 || m == 0) return std::move(sheet.figure);
    if (columns_fit(sheet.width(), top, bottom)) {
        draw_line_columns(sheet, data, options, top, bottom);
    } else {
        draw_line_rows(sheet, data, options, frame, top, bottom);
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
