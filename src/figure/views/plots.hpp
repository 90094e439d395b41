// Figures of a trace: pure functions, one a view. What is on the screen and what is exported
// are the same call.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/base/map_data.hpp"
#include "figure/base/value_range.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {

/// Cells are square-ish and fill the frame up to 80 points each, in width up to 120. Masked cells
/// (not finite, or a weight of exactly 0) have no number. Targets: cells, labels, strips, control.
Figure heatmap(const MapData& map, const HeatmapOptions& options, const Frame& frame);

/// Two maps to be compared, in frames of one size: their cells are as large and begin at the same
/// place, and colours over a whole map span both.
struct HeatmapAsked {
    const MapData& map;
    const HeatmapOptions& options;
    const Frame& frame;
};
Figure heatmaps_beside(const HeatmapAsked& left, const HeatmapAsked& right);
/// Maps as above, unless a column has no name there, or a row no whole one.
std::optional<Figure> named_heatmaps_beside(const HeatmapAsked& left, const HeatmapAsked& right);
/// Two maps above each other, in frames of one width whose height is open.
Figure heatmaps_stacked(const HeatmapAsked& above, const HeatmapAsked& below);

/// Every head of one kind of attention as a thumbnail: layers down, heads across.
struct HeadGrid {
    std::string title{};
    int layers = 0, heads = 0;
    std::vector<std::shared_ptr<const Matrix<float>>> maps{}; // layers × heads, row by row
    std::optional<std::pair<int, int>> selected{};            // layer, head
    ThumbnailColours colours{};
    RangeMode range = RangeMode::fixed; // of the colours of each map: 0 to 1, its or its rows' max
    /// layers × heads, or none: the maps divided by their rows' max, where that is known.
    std::vector<std::shared_ptr<const Matrix<float>>> by_row{};
    /// The heads' places (layer · heads + head), when given, in the order in which they are drawn,
    /// row by row, as many in a row as fit best, each with its name above it and its line of
    /// `notes` beside that.
    std::vector<int> order{};
    std::vector<std::string> notes{}; // by place: "2.05 bits"
    std::string order_words{};        // beside the title: "largest entropy first"
    std::string meaning = "rows attend to columns"; // of a map, where they are in no order
    std::vector<bool> silent{}; // layers × heads, or none: these are veiled and struck through
    std::vector<bool> faulty{}; // layers × heads, or none: what these show is wrong, and framed so
    std::vector<bool> kept{};   // layers × heads, or none: these have a mark in their corner
    /// The layers and heads that a map is of, ascending; the others fade. Empty: all.
    std::vector<int> chosen_layers{}, chosen_heads{};
    std::optional<std::pair<int, int>> cell{};     // of every map, which is framed in it
    std::vector<int> chosen_rows{}, chosen_cols{}; // of every map; the others fade. Empty: all
    int heads_per_key = 1; // neighbours that share keys and values, which a bar above them says
    std::optional<Strip> layer_strip{}, head_strip{}; // where heads stand in their places
    /// layers × heads, or none: small pictures that are drawn in place of the maps.
    std::vector<std::shared_ptr<const Pixels>> pictures{};
    /// layers × heads, or none: a number each that the frame of the head is coloured by; NaN:
    /// none.
    std::vector<float> shades{};
    std::optional<ValueRange> shade_range{}; // of these; beside the grid stands its colour bar
    std::vector<bool> faded{};               // layers × heads, or none: these stand back
};
/// Heads are tagged with layer and head, from 0; the numbers on the edges count from 1.
Figure head_grid(const HeadGrid& grid, const Frame& frame);

/// Options for the map as links: arcs over one line of tokens when queries and keys are the same
/// sentence, lines between two lists when they are not. Several heads at once: figure/lines.hpp.
struct LinksOptions {
    float threshold =
        0.9f;          // of each query, the strongest links that hold this share of its weights
    float cut_off = 0; // weights below are not drawn
    std::optional<std::pair<int, int>> selected{};
    std::optional<std::pair<int, int>> hovered{};
    /// Links of these queries alone; of several, weights are summed and divided by their number.
    std::vector<int> queries{};
    /// Links to these keys alone; of several, what a query gives them is summed.
    std::vector<int> keys{};
    /// Links of this token alone, as long as the cursor is on it: in place of the queries, or of
    /// the keys.
    std::optional<int> isolated_query{}, isolated_key{};
    bool columns = false; // of tokens, wherever the frame leaves the height open
};
/// Links of a map: at most the 600 strongest are drawn, 1200 of several heads. Where some tokens'
/// links are shown alone, the others stay as a faint ground that cannot be picked. Arcs above the
/// line look back to earlier tokens, arcs below it ahead. Targets: labels of rows (query and key
/// are one token) and of columns, links.
Figure arcs(const MapData& map, const LinksOptions& options, const Frame& frame);
Figure lines(const MapData& map, const LinksOptions& options, const Frame& frame);

/// One live thumbnail a stage, in one row (the strip along the bottom) or in as many rows as let
/// the cards be largest. Without a title it is a panel's strip; with one, each card also tells its
/// matrix's size and what its colours span.
/// What leads from a stage to the next one.
enum class StageLink {
    makes,  // it is made into the next
    beside, // both are made into what follows them
    layers, // other layers lie between them, which are not shown
    heads,  // the other heads are joined, which are not shown
};
struct StageThumbnail {
    std::string label{}; // "scores"
    std::shared_ptr<const Matrix<float>> values{};
    bool signed_values = true;
    int id = 0; // comes back in the tag
    ThumbnailColours colours{};
    Index rows = 0, cols = 0; // of the whole matrix; 0: as shown
    float full = 0;           // where colours of unsigned values end; 0: at the largest
    StageLink to_next = StageLink::makes;
    /// Names of the rows and, of a map, of the columns that are shown; large cards have them.
    /// Empty: none.
    std::vector<std::string> row_names{}, col_names{};
    std::optional<int> row{}, col{}; // that are chosen: marked among the names, and their cell
    std::vector<int> unknown_rows{}, unknown_cols{}; // as in MapData
};
Figure stage_strip(const std::vector<StageThumbnail>& stages, int selected, const Frame& frame,
                   const std::string& title = "", const std::string& subtitle = "");

/// Maps that stand for choices, not for steps: cards in as many rows as needed, one of them
/// selected; the columns share frame.width, the height follows. They are tagged as the stages of a
/// strip are; the colours of all unsigned ones span the same range.
Figure gallery(const std::vector<StageThumbnail>& cards, int selected, int columns,
               const Frame& frame);

} // namespace heed::figure
