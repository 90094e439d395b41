#include "figure/views/flow.hpp"

#include "base/check.hpp"
#include "figure/base/axis_labels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/text_styles.hpp"
#include "figure/base/value_range.hpp"
#include "figure/parts/colour_bar.hpp"
#include "figure/views/links.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr std::size_t kMostLinks = 120; // a layer
constexpr float kWidestFlow = 12;       // points, of a link that carries everything
constexpr float kSeparate = 7;          // points between tokens from which on they are dots
constexpr float kPickable = 3;          // and from which on each has a target
constexpr float kLargestPitch = 150, kLargestFall = 260; // between tokens, between levels
constexpr float kMostOfRoom = 0.45f; // of a large place, that lies between two levels
constexpr float kChosenHeight = 24;                      // of the chosen token, below the lattice

/// Levels are rows of nodes: 0 the input, the last one the output of the last layer.
struct Lattice {
    float left = 0, pitch = 1, top = 0, fall = 1; // fall: from one level to the next
    float radius = 1;                             // of a node, or half the height of a strip

    float x(Index token) const { return left + (static_cast<float>(token) + 0.5f) * pitch; }
    float y(Index level) const { return top + static_cast<float>(level) * fall; }
    bool dots() const { return pitch >= kSeparate; }
    static constexpr float kNumbered = 9; // the radius of nodes that have room for a number
    bool has_numbers() const { return dots() && radius >= kNumbered; }
};

/// The lattice with its labels above it, the levels' names at its left, the colour bar at its right
/// and the chosen token below.
struct FlowPlaces {
    float left, right, room; // between the margins; height of all
    bool words, with_bar, with_note;
    float bar; // what it takes, with its gap
    AxisMarks marks{};
    LabelPlan plan{};
    Lattice lattice{};
};

} // namespace

std::vector<FlowLink> flow_links(const trace::Flow& flow, float mass) {
    std::vector<FlowLink> links;
    const Index n = flow.n_tokens();
    // From the foot up: a link into a token that no link leaves would seem to end there.
    std::vector<int> reached{static_cast<int>(flow.token)};
    for (Index layer = flow.n_layers() - 1; layer >= 0; --layer) {
        std::vector<float> shares;
        shares.reserve(reached.size() * static_cast<std::size_t>(n));
        for (const int to : reached) {
            for (Index from = 0; from < n; ++from) shares.push_back(flow.share(layer, to, from));
        }
        std::vector<std::size_t> kept = strongest_share(shares, mass, kMostLinks);
        for (std::size_t to = 0; to < reached.size(); ++to) { // one link leaves each, too
            const auto row = shares.begin() + static_cast<std::ptrdiff_t>(to) * n;
            const auto best = std::max_element(row, row + n);
            const auto place = static_cast<std::size_t>(best - shares.begin());
            if (*best > 0 && !std::ranges::count(kept, place)) kept.push_back(place);
        }
        for (const std::size_t place : kept) {
            links.push_back({static_cast<int>(layer), reached[place / static_cast<std::size_t>(n)],
                             static_cast<int>(place % static_cast<std::size_t>(n)), shares[place]});
        }
        reached.clear();
        for (const FlowLink& link : links) {
            if (link.layer == layer) reached.push_back(link.from);
        }
        std::ranges::sort(reached);
        reached.erase(std::ranges::unique(reached).begin(), reached.end());
    }
    std::stable_sort(links.begin(), links.end(),
                     [](const FlowLink& a, const FlowLink& b) { return a.share < b.share; });
    return links;
}

namespace {

bool touches(const FlowLink& link, const std::optional<std::pair<int, int>>& node) {
    return node && (*node == std::pair(link.layer, link.from) ||
                    *node == std::pair(link.layer + 1, link.to));
}

void draw_links(Sheet& sheet, const Lattice& lattice, const std::vector<FlowLink>& links,
                const FlowOptions& options) {
    const Theme& theme = sheet.theme();
    for (const bool strong : {false, true}) {
        for (const FlowLink& link : links) {
            const bool chosen = touches(link, options.selected);
            const bool stands_out = chosen || touches(link, options.hovered);
            if (stands_out != strong) continue;
            const Point a{lattice.x(link.from), lattice.y(link.layer) + lattice.radius};
            const Point b{lattice.x(link.to), lattice.y(link.layer + 1) - lattice.radius};
            const float half = (a.y + b.y) / 2, share = std::min(link.share, 1.f);
            const float opacity = stands_out ? 0.9f
                                             : (theme.dark ? 0.3f : 0.12f) +
                                                   (theme.dark ? 0.5f : 0.68f) * std::sqrt(share);
            const Color color = chosen ? theme.accent : stands_out ? theme.text : theme.link;
            const float widest = std::min(kWidestFlow, std::max(2 * lattice.radius, 3.f));
            sheet.curve(a, {a.x, half}, {b.x, half}, b, faded(color, opacity),
                        0.6f + (widest - 0.6f) * share);
            const Point middle{(a.x + b.x) / 2, half};
            sheet.target({middle.x - 5, middle.y - 5, 10, 10},
                         tag::Link{link.to, link.from, link.layer});
        }
    }
}

void draw_dots(Sheet& sheet, const Lattice& lattice, const trace::Flow& flow,
               const ValueRange& range, const FlowOptions& options) {
    const Theme& theme = sheet.theme();
    const bool numbers = options.numbers && lattice.has_numbers();
    const float small = std::min(10.f, lattice.radius - 1);
    const TextStyle style{std::max(0.66f * lattice.radius, small), Font::mono};
    for (Index level = 0; level <= flow.n_layers(); ++level) {
        for (Index token = 0; token < flow.n_tokens(); ++token) {
            const float x = lattice.x(token), y = lattice.y(level), r = lattice.radius;
            const float reach = flow.reach(level, token);
            const Box box{x - r, y - r, 2 * r, 2 * r};
            const Color color = colour_of(range.palette, reach, range.low, range.high);
            sheet.fill(box, color, r);
            const std::pair node(static_cast<int>(level), static_cast<int>(token));
            const bool chosen =
                options.selected == node || (level == flow.n_layers() && token == flow.token);
            const bool hovered = options.hovered == node;
            const Color edge = chosen ? theme.accent : hovered ? theme.text : theme.border;
            if (r >= 4 || chosen || hovered) {
                sheet.stroke(box, edge, chosen || hovered ? 2.f : 1.f, r);
            }
            // Shares of less than half a per cent would all read 0.
            if (numbers && reach >= 0.005f) {
                sheet.text(number_text(100 * reach, 0), {x, y}, style, ink_on(color),
                           AlignX::centre, AlignY::middle);
            }
        }
    }
}

void draw_strips(Sheet& sheet, const Lattice& lattice, const trace::Flow& flow,
                 const ValueRange& range) {
    const Index block = std::max<Index>(1, static_cast<Index>(1 / lattice.pitch));
    for (Index level = 0; level <= flow.n_layers(); ++level) {
        const Matrix<float> row = flow.reach.row(level);
        auto cells = std::make_shared<Matrix<float>>(strongest_of_blocks(row, 1, block));
        const float width = lattice.pitch * static_cast<float>(block * cells->cols());
        const Box box{lattice.left, lattice.y(level) - lattice.radius, width, 2 * lattice.radius};
        sheet.heat(box, std::move(cells), range.palette, range.low, range.high);
    }
}

void add_targets(Sheet& sheet, const Lattice& lattice, const trace::Flow& flow) {
    const Index n = flow.n_tokens();
    const float high = std::max(2 * lattice.radius, std::min(16.f, 0.5f * lattice.fall));
    for (Index level = 0; level <= flow.n_layers(); ++level) {
        const float y = lattice.y(level) - high / 2;
        if (lattice.pitch < kPickable) {
            sheet.target({lattice.left, y, lattice.pitch * static_cast<float>(n), high},
                         tag::Cells{1, static_cast<int>(n), static_cast<int>(level)});
            continue;
        }
        for (Index token = 0; token < n; ++token) {
            const float width = std::min(lattice.pitch, 2 * lattice.radius + 8);
            sheet.target({lattice.x(token) - width / 2, y, width, high},
                         tag::Node{static_cast<int>(level), static_cast<int>(token)});
        }
    }
}

std::string level_name(Index level, Index n_layers, bool words) {
    if (level == 0) return words ? "input" : "in";
    const std::string number = std::to_string(level);
    return words && n_layers < 100 ? "layer " + number : number;
}

ValueRange reach_range(const trace::Flow& flow, const Theme& theme) {
    // The chosen token holds all of itself at the last level, which says nothing.
    const Matrix<float> inner = flow.reach.topRows(flow.n_layers());
    float high = largest_size(inner);
    if (!(high > 0)) high = 1;
    ValueRange range;
    range.palette = theme.weights;
    range.high = high;
    range.low_text = "0 %";
    range.high_text =
        (high < flow.reach.maxCoeff() ? "≥ " : "") + percent_text(high); // as in words
    range.meaning = "of the flow";
    return range;
}

std::string label_of(const FlowData& data, Index token) {
    const auto place = static_cast<std::size_t>(token);
    return place < data.tokens.size() ? data.tokens[place] : "token " + std::to_string(token + 1);
}

std::string explanation(const FlowData& data) {
    std::string text = "what flows into “" + label_of(data, data.flow->token) + "”";
    text += data.flow->rule == trace::FlowRule::rollout
                ? " · attention rollout, ½A + ½I per layer"
                : " · raw attention, no residual connections";
    return data.heads.empty() ? text : text + " · A: " + data.heads;
}

/// The radius of the nodes, and how far their levels lie apart.
void space_levels(Lattice& lattice, float top, float free, float n_layers) {
    const float largest = std::clamp(0.02f * free, 13.f, 22.f);
    // Nodes close to each other are better than nodes without their numbers.
    const float across =
        std::max(0.36f * lattice.pitch, std::min(0.45f * lattice.pitch, Lattice::kNumbered));
    lattice.radius = std::min({largest, across, 0.2f * free / (n_layers + 1)});
    if (!lattice.dots()) lattice.radius = std::min(5.f, 0.2f * free / (n_layers + 1));
    lattice.radius = std::max(lattice.radius, 0.5f);
    lattice.top = top + lattice.radius;
    lattice.fall = std::clamp((free - 2 * lattice.radius) / n_layers, 0.01f,
                              std::max(kLargestFall, kMostOfRoom * free));
}

FlowPlaces flow_places(const Sheet& sheet, const FlowData& data, const FlowOptions& options,
                       const ValueRange& range, float top, float bottom) {
    constexpr float kNoteLine = 20;
    const Index n = data.flow->n_tokens(), n_layers = data.flow->n_layers();
    FlowPlaces places{};
    places.left = sheet.margin();
    places.right = sheet.width() - sheet.margin();
    places.room = std::max(bottom - top, 1.f);
    places.words = places.right - places.left >= 360;
    places.with_bar = places.words && places.room >= 160;
    places.with_note = places.room >= 140;
    places.bar = places.with_bar ? colour_bar_width(sheet, range) + 20 : 0;
    const float level_width = sheet.width_of(level_name(n_layers, n_layers, places.words), kNote);
    const float input_width = sheet.width_of(level_name(0, n_layers, places.words), kNote);

    Lattice& lattice = places.lattice;
    lattice.left = places.left + std::max(level_width, input_width) + 14;
    lattice.pitch = std::clamp((places.right - places.bar - lattice.left) / static_cast<float>(n),
                               0.01f, std::max(kLargestPitch, 0.12f * sheet.width()));
    places.marks.selected = static_cast<int>(data.flow->token);
    if (options.hovered) places.marks.hovered = options.hovered->second;
    places.plan = plan_columns(sheet, data.tokens, static_cast<int>(n), lattice.pitch,
                               0.3f * places.room, places.marks.selected);
    const float below = kChosenHeight + (places.with_note ? kNoteLine : 0);
    const float free = std::max(places.room - places.plan.size - below, 1.f);
    space_levels(lattice, top + places.plan.size, free, static_cast<float>(n_layers));
    return places;
}

void draw_level_names(Sheet& sheet, const FlowPlaces& places, Index n_layers) {
    const Lattice& lattice = places.lattice;
    const int step = thinning(lattice.fall, 14), last = static_cast<int>(n_layers);
    for (const int level : thinned(last + 1, step, last)) {
        sheet.text(level_name(level, n_layers, places.words), {lattice.left - 12, lattice.y(level)},
                   kNote, sheet.theme().muted, AlignX::right, AlignY::middle);
    }
}

/// The chosen token once more, under the node that everything flows to.
void draw_chosen(Sheet& sheet, const FlowPlaces& places, const FlowData& data, float foot) {
    const float left = places.left, right = places.right;
    const TextStyle strong{std::min(places.plan.style.size, type_size::kLabel), Font::sans,
                           Weight::bold};
    const std::string label =
        sheet.fitted(label_of(data, data.flow->token), strong, 0.5f * (right - left));
    const float half = sheet.width_of(label, strong) / 2;
    const float x = std::clamp(places.lattice.x(data.flow->token), left + half, right - half);
    sheet.text(label, {x, foot + 17}, strong, sheet.theme().accent, AlignX::centre);
}

void draw_flow_note(Sheet& sheet, const FlowPlaces& places, const FlowOptions& options,
                    float baseline) {
    std::string note = "Top links: " + number_text(100 * options.mass, 0) +
                       " % of each layer's flow into linked tokens";
    if (options.numbers && places.lattice.has_numbers()) note += " · numbers: per cent";
    sheet.text(sheet.fitted(note, kNote, places.right - places.left), {places.left, baseline},
               kNote, sheet.theme().muted);
}

} // namespace

Figure flow(const FlowData& data, const FlowOptions& options, const Frame& frame) {
    const Index n = data.flow ? data.flow->n_tokens() : 0;
    const Index n_layers = data.flow ? data.flow->n_layers() : 0;
    Sheet sheet(frame, std::clamp(static_cast<float>(n) * 72 + 190, 420.f, 1200.f),
                std::clamp(static_cast<float>(n_layers) * 76 + 260, 330.f, 1070.f));
    sheet.figure.title = "Flow of attention through " + std::to_string(n_layers) + " layers over " +
                         std::to_string(n) + " tokens" +
                         (data.title.empty() ? "" : ": " + data.title);
    const float top = sheet.header(data.title, n > 0 ? explanation(data) : "");
    const float bottom = sheet.content_bottom();
    if (n == 0 || n_layers == 0) {
        sheet.text("Nothing to show: there are no layers", {sheet.margin(), top + 20},
                   {type_size::kSubtitle}, sheet.theme().muted);
        return std::move(sheet.figure);
    }
    const trace::Flow& flow = *data.flow;
    HEED_CHECK(flow.reach.rows() == n_layers + 1 && flow.token >= 0 && flow.token < n,
               "a flow of {} layers with {} levels, to token {} of {}", n_layers, flow.reach.rows(),
               flow.token, n);
    const ValueRange range = reach_range(flow, sheet.theme());
    const FlowPlaces places = flow_places(sheet, data, options, range, top, bottom);
    const Lattice& lattice = places.lattice;
    draw_links(sheet, lattice, flow_links(flow, options.mass), options);
    if (lattice.dots()) {
        draw_dots(sheet, lattice, flow, range, options);
    } else {
        draw_strips(sheet, lattice, flow, range);
    }
    const float head = lattice.y(0) - lattice.radius;
    draw_columns(sheet, places.plan, data.tokens, static_cast<int>(n), lattice.left, lattice.pitch,
                 head + (places.plan.slanted ? 0.f : 6.f), Side::above,
                 sheet.width() - sheet.margin() / 2, places.marks, LabelOf::column);
    add_targets(sheet, lattice, flow); // after the labels, which reach down to the nodes
    draw_level_names(sheet, places, n_layers);
    const float foot = lattice.y(n_layers) + lattice.radius;
    if (places.room >= 60) draw_chosen(sheet, places, data, foot);
    if (places.with_note) draw_flow_note(sheet, places, options, foot + kChosenHeight + 14);
    if (places.with_bar) {
        draw_colour_bar(sheet, range, places.right - places.bar + 20, head,
                        std::max(foot - lattice.y(0) + lattice.radius - 18, 10.f));
    }
    return std::move(sheet.figure);
}

} // namespace heed::figure
