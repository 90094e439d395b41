#include "figure/views/link_ribbons.hpp"

#include <algorithm>

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
    if (options.selected) {
        marks.queries.selected = options.selected->first;
        marks.keys.selected = options.selected->second;
    }
    if (options.hovered) {
        marks.queries.hovered = options.hovered->first;
        marks.keys.hovered = options.hovered->second;
    }
    if (options.isolated_query) marks.queries.hovered = options.isolated_query;
    if (options.isolated_key) marks.keys.hovered = options.isolated_key;
    marks.queries.chosen = chosen_queries(data, options);
    marks.keys.chosen = chosen_keys(data, options);
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

} // namespace heed::figure
