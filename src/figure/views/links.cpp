#include "figure/views/links.hpp"

#include "base/check.hpp"
#include "figure/base/head_color.hpp"
#include "figure/base/levels.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/value_range.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace heed::figure {

namespace {

constexpr std::size_t kMost = 600;

// Pictures of long sentences look through millions of weights: a vector of them at a time. (Of a
// single running maximum or sum the compiler makes no vectors.)
constexpr std::size_t kWeightLanes = 16;
using Lanes = std::array<float, kWeightLanes>;

/// The weights from `begin` on; 0 for what is not finite or not above 0, and past the end.
Lanes weights_at(std::span<const float> values, std::size_t begin) {
    Lanes lanes{};
    if (values.size() - begin >= kWeightLanes) {
        std::copy_n(values.data() + begin, kWeightLanes, lanes.data());
    } else {
        std::copy(values.begin() + static_cast<std::ptrdiff_t>(begin), values.end(), lanes.begin());
    }
    for (float& value : lanes) {
        value = value > 0 && value < std::numeric_limits<float>::infinity() ? value : 0;
    }
    return lanes;
}

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
    data.unknown_rows = map.unknown_rows;
    data.unknown_cols = map.unknown_cols;
    data.row_axis = map.row_axis;
    data.col_axis = map.col_axis;
    const bool ready = map.prepared && map.prepared->values == map.values;
    if (map.values) data.heads.push_back({0, map.values, ready ? map.prepared : nullptr});
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

namespace {

/// Tokens that there are, in order and once each; the token under the cursor in their place.
std::vector<int> inside(std::vector<int> tokens, const std::optional<int>& isolated, int count) {
    if (isolated) tokens = {*isolated};
    std::erase_if(tokens, [&](int token) { return token < 0 || token >= count; });
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    return tokens;
}

bool among(const std::vector<int>& chosen, int token) {
    return chosen.empty() || std::binary_search(chosen.begin(), chosen.end(), token);
}

} // namespace

std::vector<int> chosen_queries(const LinesData& data, const LinksOptions& options) {
    return inside(options.queries, options.isolated_query, size_of(data).first);
}

std::vector<int> chosen_keys(const LinesData& data, const LinksOptions& options) {
    return inside(options.keys, options.isolated_key, size_of(data).second);
}

namespace {

/// The strongest links of those that were added, kept as they come.
class Strongest {
  public:
    Strongest(std::size_t most, float least) : most_(most), least_(least) {}

    void add(const Link& link) {
        links_.push_back(link);
        if (links_.size() >= 4 * most_) shrink();
    }
    float least() const { return least_; } // nothing weaker can be among them any more

    std::vector<Link> take() {
        shrink();
        std::sort(links_.begin(), links_.end(),
                  [](const Link& a, const Link& b) { return stronger(b, a); });
        return std::move(links_);
    }

  private:
    void shrink() {
        if (links_.size() <= most_) return;
        const auto end = links_.begin() + static_cast<std::ptrdiff_t>(most_);
        std::nth_element(links_.begin(), end - 1, links_.end(), stronger);
        links_.erase(end, links_.end());
        least_ = links_.back().weight;
    }

    std::size_t most_;
    std::vector<Link> links_;
    float least_;
};

/// The largest weight of each query, for each head.
std::vector<std::vector<float>> largest_weights(const LinesData& data) {
    std::vector<std::vector<float>> largest;
    for (const LinkHead& head : data.heads) {
        largest.push_back(head.prepared ? head.prepared->row_largest
                                        : largest_of_rows(*head.weights));
    }
    return largest;
}

/// The least weight of a link among the `most` strongest: every query's strongest one is drawn, so
/// that as many are at least as strong as the last of these.
float bound(const std::vector<std::vector<float>>& largest, const std::vector<int>& queries,
            std::size_t most) {
    std::vector<float> heaviest;
    for (const std::vector<float>& head : largest) {
        for (std::size_t query = 0; query < head.size(); ++query) {
            if (among(queries, static_cast<int>(query))) heaviest.push_back(head[query]);
        }
    }
    if (most == 0 || heaviest.size() < most) return 0;
    const auto last = heaviest.begin() + static_cast<std::ptrdiff_t>(most) - 1;
    std::nth_element(heaviest.begin(), last, heaviest.end(), std::greater<>());
    return *last;
}

/// Drawn also where hundreds are stronger; of one that is 0.000 only its two words are marked.
void keep_selected(std::vector<Link>& links, const LinesData& data, const LinksOptions& options,
                   const std::vector<int>& queries, const std::vector<int>& keys) {
    const auto [n, m] = size_of(data);
    if (!options.selected) return;
    const auto [query, key] = *options.selected;
    if (query < 0 || key < 0 || query >= n || key >= m) return;
    if (!among(queries, query) || !among(keys, key)) return;
    for (int head = 0; head < static_cast<int>(data.heads.size()); ++head) {
        const float weight = (*data.heads[static_cast<std::size_t>(head)].weights)(query, key);
        if (!(weight >= kLeastBar) || !std::isfinite(weight)) continue;
        const bool there = std::any_of(links.begin(), links.end(), [&](const Link& link) {
            return link.query == query && link.key == key && link.head == head;
        });
        if (there) continue;
        const Link link{query, key, weight, head};
        links.insert(std::lower_bound(links.begin(), links.end(), link,
                                      [](const Link& a, const Link& b) { return stronger(b, a); }),
                     link);
    }
}

/// The smallest of a query's weights on these keys that can be a link; infinity where none can.
float lightest_on(std::span<const float> weights, const std::vector<int>& keys) {
    float lightest = std::numeric_limits<float>::infinity();
    for (const int key : keys) {
        const float weight = weights[static_cast<std::size_t>(key)];
        if (weight > 0) lightest = std::min(lightest, weight);
    }
    return lightest;
}

} // namespace

std::size_t most_links(const LinesData& data) { return data.heads.size() > 1 ? 2 * kMost : kMost; }

std::vector<Link> strongest_links(const LinesData& data, const LinksOptions& options,
                                  std::size_t most) {
    const auto [n, m] = size_of(data);
    const std::vector<int> queries = chosen_queries(data, options),
                           keys = chosen_keys(data, options);
    const auto largest = largest_weights(data);
    Strongest strongest(most, keys.empty() ? bound(largest, queries, most) : 0);
    // Of a filter none is too weak to be drawn, but what is written as 0.000.
    const bool all = has_filter(options);
    for (int head = 0; head < static_cast<int>(data.heads.size()); ++head) {
        const Matrix<float>& weights = *data.heads[static_cast<std::size_t>(head)].weights;
        for (int query = 0; query < n; ++query) {
            if (!among(queries, query)) continue;
            const float* row = weights.data() + static_cast<Index>(query) * m;
            const std::span<const float> values(row, static_cast<std::size_t>(m));
            const auto add = [&](std::size_t key) {
                if (!among(keys, static_cast<int>(key))) return;
                strongest.add({query, static_cast<int>(key), values[key], head});
            };
            float least = std::max(strongest.least(), all ? kLeastBar : options.cut_off);
            // What is weaker than the keys asked for comes after them in their query's share.
            if (!keys.empty()) least = std::max(least, lightest_on(values, keys));
            const auto place = static_cast<std::size_t>(query);
            if (largest[static_cast<std::size_t>(head)][place] < least) continue;
            for (std::size_t key = 0; all && key < values.size(); ++key) {
                if (values[key] >= least && std::isfinite(values[key])) add(key);
            }
            if (all) continue;
            for (const std::size_t key : strongest_share(values, options.threshold, kMost, least))
                add(key);
        }
    }
    std::vector<Link> links = strongest.take();
    keep_selected(links, data, options, queries, keys);
    for (Link& link : links)
        link.weight /= static_cast<float>(std::max<std::size_t>(queries.size(), 1));
    return links;
}

std::vector<Link> other_links(const LinesData& data, const LinksOptions& options,
                              std::size_t most) {
    const std::vector<int> queries = chosen_queries(data, options),
                           keys = chosen_keys(data, options);
    if (queries.empty() && keys.empty()) return {};
    LinksOptions all;
    all.threshold = options.threshold;
    all.cut_off = options.cut_off;
    std::vector<Link> links = strongest_links(data, all, most / 3);
    std::erase_if(links,
                  [&](const Link& l) { return among(queries, l.query) && among(keys, l.key); });
    return links;
}

bool has_filter(const LinksOptions& options) {
    return !options.queries.empty() || !options.keys.empty();
}

std::vector<float> into_keys(const LinesData& data, const LinksOptions& options) {
    const auto [n, m] = size_of(data);
    const std::vector<int> queries = chosen_queries(data, options);
    std::vector<float> sums(static_cast<std::size_t>(m));
    int rows = 0; // that have a distribution, as trace::received counts them
    for (int query = 0; query < n; ++query) {
        if (!among(queries, query)) continue;
        for (const LinkHead& head : data.heads) {
            if ((head.weights->row(query).array() == 0).all()) continue;
            ++rows;
            for (int key = 0; key < m; ++key) {
                const float weight = (*head.weights)(query, key);
                sums[static_cast<std::size_t>(key)] += std::isfinite(weight) ? weight : 0;
            }
        }
    }
    for (float& sum : sums) sum /= static_cast<float>(std::max(rows, 1));
    return sums;
}

std::vector<float> out_of_queries(const LinesData& data, const LinksOptions& options) {
    const auto [n, m] = size_of(data);
    const std::vector<int> keys = chosen_keys(data, options);
    std::vector<float> sums(static_cast<std::size_t>(n));
    for (const LinkHead& head : data.heads) {
        for (int query = 0; query < n; ++query) {
            float& sum = sums[static_cast<std::size_t>(query)];
            const auto add = [&](int key) {
                const float weight = (*head.weights)(query, key);
                if (std::isfinite(weight)) sum += weight;
            };
            for (const int key : keys) add(key);
            for (int key = 0; key < m && keys.empty(); ++key) add(key);
        }
    }
    for (float& sum : sums) {
        sum /= static_cast<float>(std::max<std::size_t>(data.heads.size(), 1));
    }
    return sums;
}

std::vector<float> largest_out(const LinesData& data) {
    std::vector<float> largest(static_cast<std::size_t>(size_of(data).first));
    for (const std::vector<float>& head : largest_weights(data)) {
        for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = std::max(largest[i], head[i]);
    }
    return largest;
}

std::vector<std::size_t> strongest_share(std::span<const float> values, float share,
                                         std::size_t most, float least) {
    std::vector<std::size_t> places;
    double sum = 0;
    for (std::size_t begin = 0; begin < values.size(); begin += kWeightLanes) {
        const Lanes lanes = weights_at(values, begin);
        float part = 0, largest = 0;
        for (const float value : lanes) {
            part += value;
            largest = std::max(largest, value);
        }
        sum += static_cast<double>(part);
        if (!(largest > 0) || largest < least) continue;
        for (std::size_t i = 0; i < kWeightLanes; ++i) {
            if (lanes[i] > 0 && lanes[i] >= least) places.push_back(begin + i);
        }
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
    // Of a tie all or none: nothing tells one of them from the next.
    constexpr float kTie = 1e-5f;
    const auto ties = [&] {
        return !strongest.empty() && values[places[0]] >= (1 - kTie) * values[strongest.back()];
    };
    for (double held = 0; !places.empty() && strongest.size() < most;) {
        if (held >= wanted && !ties()) break;
        std::pop_heap(places.begin(), places.end(), smaller);
        strongest.push_back(places.back());
        held += static_cast<double>(values[places.back()]);
        places.pop_back();
    }
    return strongest;
}

std::string links_subtitle(const LinesData& data, const LinksOptions& options) {
    LinksOptions pinned = options; // words do not change under the cursor
    pinned.isolated_query.reset();
    pinned.isolated_key.reset();
    std::string words = data.subtitle;
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : " · ") + more; };
    const std::size_t queries = chosen_queries(data, pinned).size();
    const std::size_t keys = chosen_keys(data, pinned).size();
    if (queries > 1) add(std::to_string(queries) + " queries: mean of their weights");
    if (keys > 1) add(std::to_string(keys) + " keys: sum of their weights");
    return words;
}

std::string links_note(const LinesData& data, const LinksOptions& options, std::size_t drawn) {
    if (drawn >= most_links(data)) return "Top " + std::to_string(drawn) + " links";
    if (has_filter(options))
        return std::string("All links of the filter ") + (drawn > 0 ? "from 0.001 up" : "< 0.001");
    std::string note =
        options.threshold < 1
            ? "Top links (" + number_text(100 * options.threshold, 0) + " % of attention)"
            : "All links";
    if (options.cut_off > 0) note += ", weights from " + number_text(options.cut_off, 2);
    return note;
}

void draw_links_note(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                     std::size_t drawn, float baseline, bool with_heads,
                     const std::string& of_numbers) {
    constexpr TextStyle style{type_size::kNote}, strong{10.5f, Font::mono, Weight::bold};
    const float right = sheet.width() - sheet.margin();
    float x = sheet.margin();
    const bool several = with_heads && data.heads.size() > 1;
    const auto fits = [&](const std::string& words) {
        return x + sheet.width_of(words, style) + (several ? kLeastOfHeads : 0) <= right;
    };
    std::string note = links_note(data, options, drawn);
    if (!fits(note)) note = number_text(100 * options.threshold, 0) + " % of attention";
    if (!fits(note)) note.clear();
    const std::string all = note + (note.empty() || of_numbers.empty() ? "" : " · ") + of_numbers;
    if (fits(all)) note = all;
    if (several) note += note.empty() ? "heads" : " · heads";
    sheet.text(note, {x, baseline}, style, sheet.theme().muted);
    x += sheet.width_of(note, style) + 8;
    for (std::size_t h = 0; several && h < data.heads.size(); ++h) {
        const std::string number = std::to_string(data.heads[h].head + 1);
        const float width = sheet.width_of(number, strong);
        if (x + width > right) break;
        sheet.text(number, {x, baseline}, strong,
                   head_color(data.heads[h].head, data.n_heads, sheet.theme().dark));
        sheet.target({x - 3, baseline - 12, width + 6, 16}, tag::Square{-1, static_cast<int>(h)});
        x += width + 7;
    }
}

bool is_of_query(const Link& link, const LinksOptions& options) {
    const auto& chosen = options.queries;
    return (options.selected && options.selected->first == link.query) ||
           options.isolated_query == link.query ||
           std::find(chosen.begin(), chosen.end(), link.query) != chosen.end();
}

LinkLook faint_look(const Sheet& sheet, const LinkLook& look, std::size_t count) {
    constexpr float kFew = 40; // of more, each is the fainter
    const float few =
        std::min(1.f, std::sqrt(kFew / static_cast<float>(std::max<std::size_t>(count, 1))));
    const float opacity = (sheet.theme().dark ? 0.16f : 0.13f) * few;
    return {faded(sheet.theme().muted, std::max(opacity, 0.03f)), std::min(look.width, 1.5f)};
}

bool is_selected(const Link& link, const LinksOptions& options) {
    return options.selected == std::pair(link.query, link.key);
}

LinkLook look_of(const Sheet& sheet, const LinesData& data, const Link& link,
                 const LinksOptions& options, float widest) {
    const Theme& theme = sheet.theme();
    const bool several = data.heads.size() > 1;
    const auto heads = static_cast<float>(std::max<std::size_t>(data.heads.size(), 1));
    const float share = std::min(link.weight / (data.full * heads), 1.f);
    // Shown alone, links have room to be seen.
    const bool alone = !options.queries.empty() || !options.keys.empty() ||
                       options.isolated_query || options.isolated_key;
    const float width = (alone ? 1.2f : 0.7f) + (widest - 0.7f) * share;
    const bool of_query = is_of_query(link, options);
    const bool hovered = options.hovered == std::pair(link.query, link.key);
    // Weak links fade, so that a row of small weights stays quiet, but are seen on a dark ground,
    // and beside the grey of those that a filter leaves out.
    const float faintest = theme.dark || (alone && !several) ? 0.22f : 0.07f;
    const float opacity =
        std::min(1.f, (faintest + 0.6f * std::sqrt(share)) * (alone ? 1.6f : 1.f));
    const float least = share >= 0.01f ? 2.f : 1.f; // of the selected one: hardly a link is a hair
    if (several) {
        const LinkHead& head = data.heads[static_cast<std::size_t>(link.head)];
        const Color hue = head_color(head.head, data.n_heads, theme.dark);
        if (is_selected(link, options) || hovered) return {hue, std::max(width, least)};
        const float quiet = options.selected && !of_query ? 1.f : 2.f; // a hue needs ink to be one
        return {faded(hue, std::min(1.f, opacity * quiet)), width};
    }
    if (is_selected(link, options)) return {theme.accent, std::max(width, least)};
    if (hovered) return {theme.text, std::max(width, 1.5f)};
    return {faded(of_query ? theme.accent : theme.link, of_query ? opacity * 0.9f : opacity),
            width};
}

} // namespace heed::figure
