#include "figure/links.hpp"

#include "base/check.hpp"
#include "figure/head_color.hpp"
#include "figure/number_text.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

namespace {

constexpr std::size_t kMost = 600;

/// The selected link is drawn however weak it is.
void add_selected(std::vector<std::size_t>& keys, std::span<const float> values, int selected) {
    if (selected < 0 || selected >= static_cast<int>(values.size())) return;
    const auto key = static_cast<std::size_t>(selected);
    if (!(values[key] > 0) || !std::isfinite(values[key])) return;
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
}

std::size_t most_links(const LinesData& data) { return data.heads.size() > 1 ? 2 * kMost : kMost; }

/// A total order: the same maps always give the same picture.
bool stronger(const Link& a, const Link& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    if (a.query != b.query) return a.query < b.query;
    return a.key != b.key ? a.key < b.key : a.head < b.head;
}

} // namespace

LinesData lines_data(const MapData& map) {
    LinesData data;
    data.title = map.title;
    data.subtitle = map.subtitle;
    data.row_labels = map.row_labels;
    data.col_labels = map.col_labels;
    data.row_axis = map.row_axis;
    data.col_axis = map.col_axis;
    if (map.values) data.heads.push_back({0, map.values});
    return data;
}

std::pair<int, int> size_of(const LinesData& data) {
    if (data.heads.empty()) return {0, 0};
    for (const LinkHead& head : data.heads) {
        HEED_CHECK(head.weights, "head {} without weights", head.head);
        HEED_CHECK(head.weights->rows() == data.heads[0].weights->rows() &&
                       head.weights->cols() == data.heads[0].weights->cols(),
                   "links of a map of {} x {} beside one of {} x {}", head.weights->rows(),
                   head.weights->cols(), data.heads[0].weights->rows(),
                   data.heads[0].weights->cols());
    }
    return {static_cast<int>(data.heads[0].weights->rows()),
            static_cast<int>(data.heads[0].weights->cols())};
}

std::vector<int> chosen_queries(const LinesData& data, const LinksOptions& options) {
    const int n = size_of(data).first;
    std::vector<int> queries = options.queries;
    std::erase_if(queries, [&](int query) { return query < 0 || query >= n; });
    std::sort(queries.begin(), queries.end());
    queries.erase(std::unique(queries.begin(), queries.end()), queries.end());
    return queries;
}

std::vector<Link> strongest_links(const LinesData& data, const LinksOptions& options) {
    const auto [n, m] = size_of(data);
    const std::vector<int> chosen = chosen_queries(data, options);
    const float divisor = chosen.empty() ? 1 : static_cast<float>(chosen.size());
    std::vector<Link> links;
    for (int head = 0; head < static_cast<int>(data.heads.size()); ++head) {
        const Matrix<float>& weights = *data.heads[static_cast<std::size_t>(head)].weights;
        for (int query = 0; query < n; ++query) {
            if (options.isolated_query && *options.isolated_query != query) continue;
            if (!chosen.empty() && !std::binary_search(chosen.begin(), chosen.end(), query))
                continue;
            const float* row = weights.data() + static_cast<Index>(query) * m;
            const std::span<const float> values(row, static_cast<std::size_t>(m));
            std::vector<std::size_t> keys = strongest_share(values, options.threshold, kMost);
            std::erase_if(keys, [&](std::size_t key) { return values[key] < options.cut_off; });
            if (options.selected && options.selected->first == query) {
                add_selected(keys, values, options.selected->second);
            }
            for (const std::size_t key : keys) {
                if (options.isolated_key && *options.isolated_key != static_cast<int>(key))
                    continue;
                links.push_back({query, static_cast<int>(key), values[key] / divisor, head});
            }
        }
    }
    const std::size_t most = most_links(data);
    if (links.size() > most) {
        std::nth_element(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(most),
                         links.end(), stronger);
        links.resize(most);
    }
    std::sort(links.begin(), links.end(),
              [&](const Link& a, const Link& b) { return stronger(b, a); });
    return links;
}

std::vector<std::size_t> strongest_share(std::span<const float> values, float share,
                                         std::size_t most) {
    std::vector<std::size_t> places;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(values[i] > 0) || !std::isfinite(values[i])) continue;
        places.push_back(i);
        sum += static_cast<double>(values[i]);
    }
    // A heap gives the largest first, and only as many as are asked for; equal ones by their
    // places.
    const auto smaller = [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] < values[b] : a > b;
    };
    std::make_heap(places.begin(), places.end(), smaller);
    // Of equal shares a hair too little would add a link that nobody asked for.
    const double wanted = static_cast<double>(share) * sum * (1 - 1e-6);
    std::vector<std::size_t> strongest;
    for (double held = 0; held < wanted && !places.empty() && strongest.size() < most;) {
        std::pop_heap(places.begin(), places.end(), smaller);
        strongest.push_back(places.back());
        held += static_cast<double>(values[places.back()]);
        places.pop_back();
    }
    return strongest;
}

std::string links_subtitle(const LinesData& data, const LinksOptions& options) {
    const std::size_t chosen = chosen_queries(data, options).size();
    if (chosen < 2) return data.subtitle;
    const std::string count = std::to_string(chosen);
    return data.subtitle + (data.subtitle.empty() ? "" : " · ") + count +
           " queries, their weights summed and divided by " + count;
}

std::string links_note(const LinesData& data, const LinksOptions& options, std::size_t drawn) {
    if (drawn >= most_links(data)) return "the " + std::to_string(drawn) + " strongest links";
    std::string note = options.threshold < 1 ? "the strongest links that hold " +
                                                   number_text(100 * options.threshold, 0) +
                                                   " % of each query's attention"
                                             : "every link";
    if (options.cut_off > 0) note += ", from " + number_text(options.cut_off, 2) + " on";
    return note;
}

void draw_links_note(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                     std::size_t drawn, float baseline, bool with_heads) {
    constexpr TextStyle style{type_size::kNote}, strong{10.5f, Font::mono, Weight::bold};
    const float right = sheet.width() - sheet.margin();
    float x = sheet.margin();
    const bool several = with_heads && data.heads.size() > 1;
    const auto fits = [&](const std::string& words) {
        return x + sheet.width_of(words, style) + (several ? 60 : 0) <= right;
    };
    std::string note = links_note(data, options, drawn);
    if (!fits(note)) note = number_text(100 * options.threshold, 0) + " % of each query's weights";
    if (!fits(note)) note.clear();
    if (several) note += note.empty() ? "heads" : " · heads";
    sheet.text(note, {x, baseline}, style, sheet.theme().muted);
    x += sheet.width_of(note, style) + 8;
    for (std::size_t h = 0; several && h < data.heads.size(); ++h) {
        const std::string number = std::to_string(data.heads[h].head + 1);
        const float width = sheet.width_of(number, strong);
        if (x + width > right) break;
        sheet.text(number, {x, baseline}, strong,
                   head_color(data.heads[h].head, data.n_heads, sheet.theme().dark));
        sheet.target({x - 3, baseline - 12, width + 6, 16}, Tag::Kind::square, -1,
                     static_cast<int>(h));
        x += width + 7;
    }
}

bool is_selected(const Link& link, const LinksOptions& options) {
    return options.selected == std::pair(link.query, link.key);
}

LinkLook look_of(const Sheet& sheet, const LinesData& data, const Link& link,
                 const LinksOptions& options, float widest) {
    const Theme& theme = sheet.theme();
    const bool several = data.heads.size() > 1;
    const float share = std::min(
        link.weight / static_cast<float>(std::max<std::size_t>(data.heads.size(), 1)), 1.f);
    const float width = 0.7f + (widest - 0.7f) * share;
    const bool of_query = options.selected && options.selected->first == link.query;
    const bool hovered = options.hovered == std::pair(link.query, link.key);
    // Weak links fade, so that a row of small weights stays quiet.
    const float opacity = 0.07f + 0.6f * std::sqrt(share);
    if (several) {
        const LinkHead& head = data.heads[static_cast<std::size_t>(link.head)];
        const Color hue = head_color(head.head, data.n_heads, theme.dark);
        if (is_selected(link, options) || hovered) return {hue, std::max(width, 2.f)};
        const float quiet = options.selected && !of_query ? 0.6f : 1.35f;
        return {faded(hue, std::min(1.f, opacity * quiet)), width};
    }
    if (is_selected(link, options)) return {theme.accent, std::max(width, 2.f)};
    if (hovered) return {theme.text, std::max(width, 1.5f)};
    return {faded(of_query ? theme.accent : theme.link, of_query ? opacity * 0.9f : opacity),
            width};
}

} // namespace heed::figure
