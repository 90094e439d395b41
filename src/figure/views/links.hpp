// The cells of maps that are drawn as links, and the width and opacity of a weight.
#pragma once

#include "figure/base/sheet.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/plots.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heed::figure {

struct Link {
    int query = 0, key = 0;
    float weight = 0; // of several chosen queries: divided by their number
    int head = 0;     // index in LinesData::heads
};

/// Places of the largest numbers that together hold `share` of the sum of all that are finite and
/// above 0, the largest first; at most `most` of them, and none below `least`.
std::vector<std::size_t> strongest_share(std::span<const float> values, float share,
                                         std::size_t most, float least = 0);

/// The number of links that a picture of its own shows: 600 of one head, 1200 of several.
std::size_t most_links(const LinesData& data);
/// The most arcs below a map: more would be a thicket, and slow to draw.
inline constexpr std::size_t kMostLinksBelow = 200;
/// The links that the options leave, at most `most`, weakest first (the strong ones lie on top).
/// What is not finite or not above 0 is no link.
std::vector<Link> strongest_links(const LinesData& data, const LinksOptions& options,
                                  std::size_t most);
/// The links of all, faintly below those of the tokens that the options choose: a third as many, of
/// which one sees no more than where they are.
std::vector<Link> other_links(const LinesData& data, const LinksOptions& options, std::size_t most);

/// The queries, and keys, whose links are shown alone, in order and once each; none: all are.
std::vector<int> chosen_queries(const LinesData& data, const LinksOptions& options);
std::vector<int> chosen_keys(const LinesData& data, const LinksOptions& options);

/// True where words are chosen whose links alone are shown: not of one under the pointer.
bool has_filter(const LinksOptions& options);

/// The name of sums over the chosen queries, of keys, or over the chosen keys, of queries.
inline std::string name_of_sum(const LinksOptions& options, bool of_keys) {
    const bool pointed =
        of_keys ? options.isolated_query.has_value() : options.isolated_key.has_value();
    return std::string(of_keys ? "received from " : "given to ") +
           (pointed ? "this token" : "the filter");
}

/// The mean weight that the chosen queries (or all) give each key: the mean over heads.
std::vector<float> into_keys(const LinesData& data, const LinksOptions& options);
/// The sum of the weights that each query gives the chosen keys: the mean over heads.
std::vector<float> out_of_queries(const LinesData& data, const LinksOptions& options);
/// The largest weight of each query that any head gives.
std::vector<float> largest_out(const LinesData& data);

/// Checks that all heads have maps of one size, and gives it: queries and keys, 0 without heads.
std::pair<int, int> size_of(const LinesData& data);

/// The data's subtitle, and what the options do to the weights.
std::string links_subtitle(const LinesData& data, const LinksOptions& options);
/// "Top links (90 % of attention)", or how many where not all of them are drawn; of a filter that
/// there are none.
std::string links_note(const LinesData& data, const LinksOptions& options, std::size_t drawn);
/// Points that are kept behind the note for the numbers of several heads.
inline constexpr float kLeastOfHeads = 60;
/// The note, what the numbers beside words are, where there are any, and after it the numbers of
/// several heads in their hues, where nothing else shows them.
void draw_links_note(Sheet& sheet, const LinesData& data, const LinksOptions& options,
                     std::size_t drawn, float baseline, bool with_heads,
                     const std::string& of_numbers = {});

struct LinkLook {
    Color color;
    float width;
};

/// One head: the selected pair in accent, other links of its query stand out, the rest step back.
/// Several: every link in its head's hue, those of the selected query stronger.
LinkLook look_of(const Sheet& sheet, const LinesData& data, const Link& link,
                 const LinksOptions& options, float widest);

/// The look of one of `count` links that are not chosen.
LinkLook faint_look(const Sheet& sheet, const LinkLook& look, std::size_t count);

/// True of a link of the selected query, or of one whose links are shown alone.
bool is_of_query(const Link& link, const LinksOptions& options);
/// True of the selected link, which is drawn last.
bool is_selected(const Link& link, const LinksOptions& options);

} // namespace heed::figure
