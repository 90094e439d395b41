// Attention as links, of one head or of several at once.
#pragma once

#include "figure/views/plots.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heed::figure {

struct LinkHead {
    int head = 0; // its place in the layer: gives its hue and, from 1, its number
    std::shared_ptr<const Matrix<float>> weights{};
    std::shared_ptr<const PreparedMap> prepared{}; // of `weights`, or null
};

/// The active heads, all over the same queries and keys.
struct LinesData {
    std::string title{}, subtitle{};
    std::vector<std::string> row_labels{},
        col_labels{};                                // where there are fewer, the rest have none
    std::vector<int> unknown_rows{}, unknown_cols{}; // as MapData's
    std::string row_axis = "query", col_axis = "key";
    std::vector<LinkHead> heads{};
    int n_heads = 1; // of the model: what the hues are divided among
    float full = 1;  // the weight of the widest link: sums of weights are larger than 1
};

/// A map as one head.
LinesData lines_data(const MapData& map);

/// Queries at the left, keys at the right, where the frame is high enough for one token a line;
/// else keys above and queries below. Opacity and width of a link are its weight divided by the
/// number of heads. Between two columns stand squares, one a token and head, at the outer sides: at
/// a query the largest weight that goes out (where keys are chosen: the sum to them), at a key the
/// mean weight that comes in (of the chosen queries alone, where some are). Targets: labels
/// of rows and columns, links (`which`: index in `heads`), squares.
/// ContractError when heads differ in size.
Figure lines(const LinesData& data, const LinksOptions& options, const Frame& frame);

/// Links over one line of tokens, of self-attention. As plots.hpp's, of several heads.
Figure arcs(const LinesData& data, const LinksOptions& options, const Frame& frame);

} // namespace heed::figure
