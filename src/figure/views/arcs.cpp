#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/views/links.hpp"
#include "figure/views/plots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace heed::figure {

namespace {

constexpr float kWidestArc = 6;     // points, of a link of weight 1
constexpr float kMostInset = 0.15f; // of the width, for what labels reach to the left

/// The reach of the longest arcs, in tokens.
struct ArcSpans {
    bool split = false; // links ahead lie below the line; otherwise all lie above
    int up = 1, down = 1;

    bool under(const Link& link) const { return split && link.key > link.query; }
    int longest(const Link& link) const { return under(link) ? down : up; }
};

/// The line of tokens and the two half planes for arcs.
struct ArcBand {
    float left, pitch;
    float above, below; // y at which arcs stand: over and under the labels
    float up, down;     // heights to which arcs may rise and fall
    int heads = 1;      // whose arcs stand beside each other

    float x(int token) const { return left + (static_cast<float>(token) + 0.5f) * pitch; }
};

/// The links of a picture, and those of other tokens that lie faintly below them.
struct ArcLinks {
    std::vector<Link> links, others;
};

/// The spans of all links: no arc moves when some are chosen.
ArcSpans spans_of(const ArcLinks& drawn, float room) {
    ArcSpans spans;
    bool ahead = false;
    for (const auto* list : {&drawn.links, &drawn.others}) {
        for (const Link& link : *list) ahead = ahead || link.key > link.query;
    }
    spans.split = ahead && room >= 92;
    for (const auto* list : {&drawn.links, &drawn.others}) {
        for (const Link& link : *list) {
            int& longest = spans.under(link) ? spans.down : spans.up;
            longest = std::max(longest, std::abs(link.query - link.key));
        }
    }
    return spans;
}

/// No arc is much taller than half a circle, however tall the frame.
float tallest(int distance, float pitch) {
    return std::max(0.62f * static_cast<float>(distance) * pitch, 18.f);
}

/// Height grows with the root of the distance: neighbours keep a visible arc beside long ones.
float height_of(int distance, int longest, float room, float pitch) {
    const float share = static_cast<float>(distance) / static_cast<float>(std::max(longest, 1));
    return std::min(room * std::sqrt(share), tallest(distance, pitch));
}

/// A link's curve, and the box by which it is found.
struct Arc {
    Curve curve;
    Box box;
};

Arc arc_of(const ArcBand& band, const ArcSpans& spans, const Link& link, const LinkLook& look) {
    const bool under = spans.under(link);
    const float base = under ? band.below : band.above, sign = under ? 1.f : -1.f;
    const float aside =
        (static_cast<float>(link.head) - 0.5f * static_cast<float>(band.heads - 1)) *
        std::min(3.f, 0.4f * band.pitch / static_cast<float>(band.heads));
    const float from = band.x(link.query) + aside, to = band.x(link.key) + aside;
    const int distance = std::abs(link.query - link.key);
    if (distance == 0) {
        // A loop, as large as lets its stroke be as wide as those of other links.
        const float r = std::min({11.f, band.pitch * 0.3f, band.up / 2.4f});
        return {{{from - r / 2, base},
                 {from - 1.6f * r, base - 3 * r},
                 {from + 1.6f * r, base - 3 * r},
                 {from + r / 2, base},
                 look.color,
                 std::min(look.width, 0.55f * r)},
                {from - r, base - 2.4f * r, 2 * r, 2.4f * r}};
    }
    // A cubic with both controls at height h rises to 3/4 h.
    const float top =
        height_of(distance, spans.longest(link), under ? band.down : band.up, band.pitch);
    const float control = base + sign * top * 4 / 3;
    const float pull = 0.04f * (to - from);
    const float crown = base + sign * top;
    return {{{from, base},
             {from + pull, control},
             {to - pull, control},
             {to, base},
             look.color,
             look.width},
            {(from + to) / 2 - 8, crown - 5, 16, 10}};
}

AxisMarks marks_of_tokens(const LinesData& data, const LinksOptions& options) {
    AxisMarks marks;
    marks.unknown = data.unknown_rows;
    if (options.selected) {
        marks.selected = options.selected->first;
        if (!has_filter(options)) marks.partner = options.selected->second;
    }
    if (options.hovered) marks.hovered = options.hovered->first;
    std::ranges::set_union(chosen_queries(data, options), chosen_keys(data, options),
                           std::back_inserter(marks.chosen));
    if (has_filter(options)) light_filter_alone(marks);
    if (options.isolated_query) marks.hovered = options.isolated_query;
    if (options.isolated_key) marks.hovered = options.isolated_key;
    return marks;
}

/// The band, as narrow as the labels at its left leave it, and the labels.
std::pair<ArcBand, LabelPlan> place_band(const Sheet& sheet, const LinesData& data,
                                         const ArcSpans& spans, std::optional<int> selected,
                                         const std::optional<Columns>& above, float top,
                                         float room) {
    const int n = size_of(data).first;
    float width = sheet.width() - 2 * sheet.margin();
    float pitch = std::min(width / static_cast<float>(n), 110.f);
    LabelPlan plan = plan_columns(sheet, data.row_labels, n, pitch, room * 0.5f, selected);
    float left = sheet.margin();
    bool below_columns = false;
    if (above) {
        const float narrow = above->width / static_cast<float>(n);
        LabelPlan below = plan_columns(sheet, data.row_labels, n, narrow, room, selected);
        if (below.slanted) {
            below = plan_columns(sheet, data.row_labels, n, narrow, room * 0.5f, selected);
        }
        const float reach = reach_left(sheet, below, data.row_labels, n, narrow);
        if (below.step == 1 && reach <= above->left - sheet.margin() / 2) {
            plan = below;
            pitch = narrow;
            left = above->left;
            width = above->width;
            below_columns = true;
        }
    }
    plan.style.size = std::min(plan.style.size, 14.f);
    // Slanted labels hang down to the left of their tokens: the first ones need room there.
    const float inset =
        std::clamp(reach_left(sheet, plan, data.row_labels, n, pitch) - left + sheet.margin() / 2,
                   0.f, kMostInset * width);
    width -= inset;
    pitch = std::min(pitch, width / static_cast<float>(n));
    const float beside = below_columns ? 0 : width - pitch * static_cast<float>(n);
    ArcBand band{left + inset + std::max(beside / 2, 0.f), pitch, 0, 0, 0, 0};
    // Slanted words end a little above what a plan keeps for them.
    const float label_height = plan.slanted ? plan.size - 3 : plan.style.size * 1.3f + 22;
    const float free = std::max(room - label_height, 2.f);
    band.up = std::min(spans.split ? free * 0.58f : free, tallest(spans.up, pitch));
    band.down = spans.split ? std::min(free - band.up, tallest(spans.down, pitch)) : 0;
    // Alone, flat arcs stand in the middle.
    const float spare = above ? 0 : std::max(free - band.up - band.down, 0.f);
    band.above = std::round(top + spare / 2 + band.up);
    band.below = band.above + label_height;
    return {band, plan};
}

void draw_arcs(Sheet& sheet, const ArcBand& band, const ArcSpans& spans, const LinesData& data,
               const LinksOptions& options, const ArcLinks& drawn) {
    for (const Link& link : drawn.others) {
        const LinkLook look = look_of(sheet, data, link, options, kWidestArc);
        const LinkLook faint = faint_look(sheet, look, drawn.others.size());
        sheet.figure.items.emplace_back(arc_of(band, spans, link, faint).curve);
    }
    for (const bool selected : {false, true}) {
        for (const Link& link : drawn.links) {
            if (is_selected(link, options) != selected) continue;
            const LinkLook look = look_of(sheet, data, link, options, kWidestArc);
            const Arc arc = arc_of(band, spans, link, look);
            sheet.link(arc.curve, arc.box, link.query, link.key, link.head);
        }
    }
}

constexpr TextStyle kSumStyle{9, Font::mono};

/// What the numbers between arcs and labels are; empty where none stand there.
std::string name_of_sums(const Sheet& sheet, float pitch, const LabelPlan& plan,
                         const LinesData& data, const LinksOptions& options) {
    const bool of_keys = !chosen_queries(data, options).empty();
    if (!of_keys && chosen_keys(data, options).empty()) return {};
    if (plan.slanted || pitch < sheet.width_of("0.000", kSumStyle) + 4) return {};
    return "numbers: " + name_of_sum(options, of_keys) +
           (data.heads.size() > 1 ? ", mean of the heads" : "");
}

/// Sums of the chosen tokens' weights, between arcs and labels: at each token what the chosen
/// queries give it or, where none are, what it gives the chosen keys.
void draw_sums(Sheet& sheet, const ArcBand& band, const LinesData& data,
               const LinksOptions& options) {
    const bool of_keys = !chosen_queries(data, options).empty();
    constexpr TextStyle style = kSumStyle;
    const std::vector<float> sums =
        of_keys ? into_keys(data, options) : out_of_queries(data, options);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sheet.text(of_keys ? row_weight_text(sums[i], sums) : weight_text(sums[i]),
                   {band.x(static_cast<int>(i)), band.above + 6}, style, sheet.theme().muted,
                   AlignX::centre, AlignY::middle);
    }
}

/// The words below arcs: which links these are and, behind that or in a line of its own above it,
/// what lies above the tokens and what below.
struct ArcNotes {
    bool links = false, sides = false, sums = false, apart = false;

    float height() const { return !links && !sides && !sums ? 0.f : apart ? 42.f : 24.f; }
};

/// Empty where it has no room.
std::string words_of_sides(const Sheet& sheet) {
    for (const char* words : {"above: to earlier tokens · below: to later tokens",
                              "above: to earlier · below: to later tokens"}) {
        if (sheet.width_of(words, kNote) <= sheet.width() - 2 * sheet.margin()) return words;
    }
    return {};
}

/// `noted`: the picture says which links it shows, however low it is.
ArcNotes plan_notes(const Sheet& sheet, const LinesData& data, const LinksOptions& options,
                    const ArcLinks& drawn, const Frame& frame, bool noted, float room) {
    constexpr float kLowestWithNote = 150, kLowestBelow = 100;
    ArcNotes notes;
    // A picture below another one has no title, and leaves words on its links to that one.
    const bool high = room >= (frame.titled ? kLowestWithNote : kLowestBelow);
    const bool filtered =
        !chosen_queries(data, options).empty() || !chosen_keys(data, options).empty();
    // But that a filter has none is said here, too.
    const bool none = has_filter(options) && drawn.links.empty();
    notes.links = (frame.titled && (noted || high)) || (none && high);
    notes.sums = has_filter(options) && high;
    notes.sides = (notes.links || high) && spans_of(drawn, room - ArcNotes{true}.height()).split;
    if (!notes.links || !notes.sides) return notes;
    std::string line =
        links_note(data, options, drawn.links.size()) + " · " + words_of_sides(sheet);
    if (filtered) {
        line += " · numbers: " + name_of_sum(options, true);
    }
    const float heads = data.heads.size() > 1 ? kLeastOfHeads : 0;
    notes.apart = sheet.width_of(line, kNote) + heads > sheet.width() - 2 * sheet.margin();
    return notes;
}

/// `bottom`: the baseline of the last line; `of_sums`: as name_of_sums() has it.
void draw_notes(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                const ArcNotes& notes, bool split, std::size_t drawn, float bottom,
                const std::string& of_sums) {
    std::string sides = notes.sides && split ? words_of_sides(sheet) : "";
    const auto with_sums = [&](const std::string& words) {
        const std::string all = words + (words.empty() || of_sums.empty() ? "" : " · ") + of_sums;
        return sheet.width_of(all, kNote) <= sheet.width() - 2 * sheet.margin() ? all : words;
    };
    if (notes.apart || !notes.links) {
        sheet.text(notes.links ? sides : with_sums(sides),
                   {sheet.margin(), bottom - (notes.apart ? 18.f : 0.f)}, kNote,
                   sheet.theme().muted);
        sides.clear();
    }
    if (!notes.links) return;
    if (!sides.empty() && !of_sums.empty()) sides += " · ";
    draw_links_note(sheet, data, options, drawn, bottom, true, sides + of_sums);
}

} // namespace

Figure arcs(const MapData& map, const LinksOptions& options, const Frame& frame) {
    return arcs(lines_data(map), options, frame);
}

Figure arcs(const LinesData& data, const LinksOptions& options, const Frame& frame) {
    const auto [n, keys] = size_of(data);
    HEED_CHECK(n == keys, "arcs need one sentence, not {} queries and {} keys", n, keys);
    constexpr float kNaturalHeight = 290, kRoomOfPage = 176;
    Sheet sheet(frame, std::clamp(static_cast<float>(n) * 86 + 48, 320.f, 1200.f), kNaturalHeight);
    sheet.figure.title = "Arcs between the tokens of one sentence, " + std::to_string(n) +
                         " tokens" + (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, links_subtitle(data, options));
    const bool page = sheet.height_is_open();
    sheet.hold(top, kRoomOfPage);
    float bottom = sheet.content_bottom();
    if (n == 0) return std::move(sheet.figure);

    const std::size_t most = frame.titled ? most_links(data) : kMostLinksBelow;
    const ArcLinks drawn{strongest_links(data, options, most), other_links(data, options, most)};
    const ArcNotes notes = plan_notes(sheet, data, options, drawn, frame, page, bottom - top);
    const float note = bottom - 4;
    bottom -= notes.height();
    const float room = std::max(bottom - top, 1.f);
    const ArcSpans spans = spans_of(drawn, room);
    const AxisMarks marks = marks_of_tokens(data, options);
    auto [band, plan] = place_band(sheet, data, spans, marks.always(), frame.above, top, room);
    band.heads = static_cast<int>(std::max<std::size_t>(data.heads.size(), 1));
    const std::string of_sums = name_of_sums(sheet, band.pitch, plan, data, options);
    draw_notes(sheet, data, options, notes, spans.split, drawn.links.size(), note, of_sums);
    draw_arcs(sheet, band, spans, data, options, drawn);
    if (!of_sums.empty()) draw_sums(sheet, band, data, options);
    // Labels stand 14 below their edge; arcs begin a little above them. Flat ones leave room for
    // sums.
    const float edge = band.above + 2;
    draw_columns(sheet, plan, data.row_labels, n, band.left, band.pitch, edge, Side::below,
                 sheet.width() - sheet.margin() / 2, marks, LabelOf::row);
    return std::move(sheet.figure);
}

} // namespace heed::figure
