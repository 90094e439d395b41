// The attention of one query of a model of pictures, upon the picture itself: its patches are the
// keys (Dosovitskiy et al. 2021, figure 6).
#pragma once

#include "figure/base/frame.hpp"
#include "figure/base/map_data.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::figure {

struct ClassShare {
    std::string name;
    float probability = 0;
};

struct PatchMapData {
    std::string title{}, subtitle{};
    std::shared_ptr<const Pixels> picture{}; // null: there is none, and `instead` is said
    std::string instead{};
    int rows = 0, cols = 0;             // of patches
    std::vector<std::string> leading{}; // names of the tokens before them
    int query = 0;                      // a token: a leading one, or a patch behind those
    std::vector<float> weights{};       // of that query: leading tokens, then patches row by row
    std::vector<ClassShare> classes{};  // the most probable first; none where nothing is classified
};

struct PatchMapOptions {
    std::optional<PaletteId> palette{}; // the theme's by default
    bool colour_bar = true;
};

/// The picture dimmed, each patch the more coloured the more it gets of the query, which is
/// outlined; beside it the leading tokens, what the colours mean, and the classes. Colours reach up
/// to the largest weight of a patch. Targets: cells (the patches), labels of rows (leading tokens).
Figure patch_map(const PatchMapData& data, const PatchMapOptions& options, const Frame& frame);

/// A small picture, at most `side` pixels, under the colours of its patches, as one image.
/// `weights`: rows × cols of them, of which the largest has the full colour.
std::shared_ptr<const Pixels> overlaid(const Pixels& picture, const Matrix<float>& weights,
                                       PaletteId palette, Color ground, int side);

} // namespace heed::figure
