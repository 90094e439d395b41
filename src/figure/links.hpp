// Which cells of a map are drawn as links, and how a weight becomes width and opacity.
#pragma once

#include "figure/plots.hpp"
#include "figure/sheet.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace heed::figure {

struct Link {
    int query = 0, key = 0;
    float weight = 0;
};

/// The strongest links at or above the cut-off, at most 600, weakest first (the strong ones lie on
/// top). What is not finite or not above 0 is no link.
std::vector<Link> strongest_links(const Matrix<float>& weights, float cut_off);

/// Places of the largest numbers that together hold `share` of the sum of all that are finite and
/// above 0, the largest first; at most `most` of them.
std::vector<std::size_t> strongest_share(std::span<const float> values, float share,
                                         std::size_t most);

struct LinkLook {
    Color color;
    float width;
};

/// The selected pair in accent; other links of its query stand out; the rest step back.
LinkLook look_of(const Sheet& sheet, const Link& link, const LinksOptions& options, float widest);

/// Whether a link is the selected one, which is drawn last.
bool is_selected(const Link& link, const LinksOptions& options);

} // namespace heed::figure
