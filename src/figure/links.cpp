#include "figure/links.hpp"

#include <algorithm>
#include <cmath>

namespace heed::figure {

std::vector<Link> strongest_links(const Matrix<float>& weights, float cut_off) {
    constexpr std::size_t kMost = 600;
    std::vector<Link> links;
    for (Index row = 0; row < weights.rows(); ++row) {
        for (Index col = 0; col < weights.cols(); ++col) {
            const float w = weights(row, col);
            if (std::isfinite(w) && w > 0 && w >= cut_off) {
                links.push_back({static_cast<int>(row), static_cast<int>(col), w});
            }
        }
    }
    // A total order: the same map always gives the same picture.
    const auto stronger = [](const Link& a, const Link& b) {
        if (a.weight != b.weight) return a.weight > b.weight;
        return a.query != b.query ? a.query < b.query : a.key < b.key;
    };
    if (links.size() > kMost) {
        std::nth_element(links.begin(), links.begin() + kMost, links.end(), stronger);
        links.resize(kMost);
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
    // A total order: equal numbers by their places.
    const auto larger = [&](std::size_t a, std::size_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    };
    const std::size_t kept = std::min(most, places.size());
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(places.begin(), end, places.end(), larger);
    places.resize(kept);
    // Of equal shares a hair too little would add a link that nobody asked for.
    const double wanted = static_cast<double>(share) * sum * (1 - 1e-6);
    double held = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (held >= wanted) {
            places.resize(i);
            break;
        }
        held += static_cast<double>(values[places[i]]);
    }
    return places;
}

bool is_selected(const Link& link, const LinksOptions& options) {
    return options.selected == std::pair(link.query, link.key);
}

LinkLook look_of(const Sheet& sheet, const Link& link, const LinksOptions& options, float widest) {
    const Theme& theme = sheet.theme();
    const float share = std::min(link.weight, 1.f);
    const float width = 0.7f + (widest - 0.7f) * share;
    if (is_selected(link, options)) return {theme.accent, std::max(width, 2.f)};
    const std::pair pair(link.query, link.key);
    if (options.hovered == pair) return {theme.text, std::max(width, 1.5f)};
    const bool of_query = options.selected && options.selected->first == link.query;
    // Weak links fade, so that a row of small weights stays quiet.
    const float opacity = 0.07f + 0.6f * std::sqrt(share);
    return {faded(of_query ? theme.accent : theme.link, of_query ? opacity * 0.9f : opacity),
            width};
}

} // namespace heed::figure
