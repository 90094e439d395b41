#include "figure/views/lines.hpp"

#include "figure/base/axis_labels.hpp"
#include "figure/base/sheet.hpp"
#include "figure/views/line_columns.hpp"
#include "figure/views/links.hpp"

#include <algorithm>

namespace heed::figure {

namespace {

struct TokenLine {
    float left = 0, pitch = 1, y = 0;

    float x(int token) const { return left + (static_cast<float>(token) + 0.5f) * pitch; }
};

Curve ribbon(const TokenLine& keys, const TokenLine& queries, const Link& link,
             const LinkLook& look) {
    const Point a{keys.x(link.key), keys.y}, b{queries.x(link.query), queries.y};
    const float half = (a.y + b.y) / 2;
    return {a, {a.x, half}, {b.x, half}, b, look.color, look.width};
}

void draw_line_rows(Sheet& sheet, const LinesData& data, const LinksOptions& options, float top,
                    float bottom, bool with_note) {
    const auto [n, m] = size_of(data);
    const int longer = std::max({n, m, 1});
    constexpr TextStyle word_style{type_size::kNote};
    const bool words = sheet.width() >= 320;
    const float word_width = words ? std::max(sheet.width_of(data.row_axis, word_style),
                                              sheet.width_of(data.col_axis, word_style)) +
                                         12
                                   : 0;
    float left = sheet.margin() + word_width;
    const auto width_from = [&](float x) {
        return std::min(sheet.width() - sheet.margin() - x, static_cast<float>(longer) * 168);
    };
    AxisMarks key_marks, query_marks;
    if (options.selected) {
        query_marks.selected = options.selected->first;
        key_marks.selected = options.selected->second;
    }
    if (options.hovered) {
        query_marks.hovered = options.hovered->first;
        key_marks.hovered = options.hovered->second;
    }
    query_marks.chosen = chosen_queries(data, options);
    key_marks.chosen = chosen_keys(data, options);
    if (options.isolated_query) query_marks.hovered = options.isolated_query;
    if (options.isolated_key) key_marks.hovered = options.isolated_key;
    const std::vector<Link> links = strongest_links(data, options, most_links(data));
    if (with_note && bottom - top >= 130) {
        draw_links_note(sheet, data, options, links.size(), bottom - 4, true);
        bottom -= 22;
    }
    const float room = std::max(bottom - top, 1.f);
    // Slanted labels below hang down to the left of their tokens.
    const float rough = width_from(left) / static_cast<float>(n);
    const float reach = reach_left(
        sheet, plan_columns(sheet, data.row_labels, n, rough, 0.3f * room, query_marks.selected),
        data.row_labels, n, rough);
    left = std::clamp(reach + sheet.margin() / 2, left, std::max(left, 0.2f * sheet.width()));
    const float width = width_from(left);
    TokenLine keys{left, width / static_cast<float>(m), 0};
    TokenLine queries{left, width / static_cast<float>(n), 0};
    const LabelPlan key_plan =
        plan_columns(sheet, data.col_labels, m, keys.pitch, 0.3f * room, key_marks.selected);
    const LabelPlan query_plan =
        plan_columns(sheet, data.row_labels, n, queries.pitch, 0.3f * room, query_marks.selected);
    const auto height = [](const LabelPlan& plan) {
        return plan.slanted ? plan.size : plan.style.size + 16;
    };
    keys.y = top + height(key_plan);
    // A band much taller than wide would turn the ribbons into straight lines.
    queries.y = std::max(
        keys.y + 4, std::min(bottom - height(query_plan), keys.y + std::max(width * 0.6f, 120.f)));

    const std::vector<Link> others = other_links(data, options, most_links(data));
    for (const Link& link : others) {
        const LinkLook look = look_of(sheet, data, link, options, kWidestLink);
        sheet.figure.items.emplace_back(
            ribbon(keys, queries, link, faint_look(sheet, look, others.size())));
    }
    for (const bool strong : {false, true}) {
        for (const Link& link : links) {
            if (is_of_query(link, options) != strong) continue;
            const Curve curve =
                ribbon(keys, queries, link, look_of(sheet, data, link, options, kWidestLink));
            const Point middle{(curve.a.x + curve.b.x) / 2, (curve.a.y + curve.b.y) / 2};
            sheet.link(curve, {middle.x - 6, middle.y - 6, 12, 12}, link.query, link.key,
                       link.head);
        }
    }
    const float limit = sheet.width() - sheet.margin() / 2;
    draw_columns(sheet, key_plan, data.col_labels, m, keys.left, keys.pitch, keys.y + 4,
                 Side::above, limit, key_marks, Tag::Kind::col_label);
    draw_columns(sheet, query_plan, data.row_labels, n, queries.left, queries.pitch, queries.y - 4,
                 Side::below, limit, query_marks, Tag::Kind::row_label);
    if (words) {
        sheet.text(data.col_axis, {sheet.margin(), keys.y - 10}, word_style, sheet.theme().muted);
        // Slanted labels end below the line and reach to the left: the word stays above it.
        const float under = query_plan.slanted ? -3.f : 10 + 0.75f * query_plan.style.size;
        if (!query_plan.slanted || queries.y - keys.y >= 24) {
            sheet.text(data.row_axis, {sheet.margin(), queries.y + under}, word_style,
                       sheet.theme().muted);
        }
    }
}

} // namespace

Figure lines(const MapData& map, const LinksOptions& options, const Frame& frame) {
    return lines(lines_data(map), options, frame);
}

Figure lines(const LinesData& data, const LinksOptions& options, const Frame& frame) {
    const auto [n, m] = size_of(data);
    const auto longer = static_cast<float>(std::max({n, m, 1}));
    Sheet sheet(frame, std::clamp(longer * 96 + 120, 320.f, 1200.f), 300);
    sheet.figure.title =
        "Links from " + std::to_string(n) + " queries to " + std::to_string(m) + " keys" +
        (data.heads.size() > 1 ? " of " + std::to_string(data.heads.size()) + " heads" : "") +
        (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, links_subtitle(data, options));
    const float bottom = sheet.content_bottom();
    if (n == 0 || m == 0) return std::move(sheet.figure);
    if (columns_fit(sheet.width(), top, bottom)) {
        draw_line_columns(sheet, data, options, top, bottom);
    } else {
        // A picture below another one has no title, and leaves the words to that one.
        draw_line_rows(sheet, data, options, top, bottom, frame.titled);
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
