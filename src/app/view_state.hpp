// The view state: what the window shows of a snapshot. One plain struct of defaults, saved whole.
#pragma once

#include "app/document.hpp"
#include "figure/map_data.hpp"
#include "figure/neurons.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace heed::app {

/// How the present map is held against the snapshot's reference, where it has one.
enum class Compare { off, beside, difference };
/// What that reference is: the same text and model with no control altered, or the pinned state.
enum class Against { unaltered, pinned };

enum class View {
    heatmap,
    heads,
    lines,
    neurons,
    flow,
    stages,
    positions,
    softmax,
    step, // of a decoder that goes step by step, as the three below
    unrolled,
    beam,
    train
};

/// How the heads of a large grid are sorted: by layer and number, or by a measure, the largest
/// first.
enum class HeadOrder { place, entropy, distance, effect };

/// What the Positions room shows.
struct PositionRoomState {
    std::optional<nn::Positions> kind{}; // unset: the focused head's
    std::optional<int> d_model{};        // unset: the model's; 2 to 1024
    int length = 128;                    // positions, 8 to 256
    float base = 10000;                  // of sinusoidal and rotary ones, 10 to 1e6
    bool operator==(const PositionRoomState&) const = default;
};

/// Heads that are kept side by side, at the most.
inline constexpr std::size_t kMostSlots = 8;

struct ViewState {
    View view = View::heatmap;
    std::optional<std::pair<int, int>> selected; // query, key
    figure::RangeMode range = figure::RangeMode::fixed;
    figure::ColourScale scale = figure::ColourScale::linear; // of weights; not of signed values
    std::optional<figure::PaletteId> palette;
    Compare compare = Compare::off;
    HeadOrder head_order = HeadOrder::place;
    std::vector<int> overlay{}; // heads of the layer whose links lie over each other; none: the one
    float threshold = 0.9f;     // of links: figure::LinksOptions
    bool columns = false;       // two columns of tokens, also in self-attention
    /// Tokens whose links are shown alone, and summed: figure::LinksOptions.
    std::vector<int> pinned_queries{}, pinned_keys{};
    std::vector<trace::HeadId> slots{}; // heads kept side by side, in the order of their keeping
    PositionRoomState position_room{};
    float softmax_factor = 1; // on the scores in the Softmax room, 1/64 to 64
    figure::FeatureOrder feature_order = figure::FeatureOrder::place;
    trace::FlowRule flow_rule = trace::FlowRule::rollout;
    Against against = Against::unaltered;
    std::optional<figure::Viewport> viewport; // of the large map; all of it where not set
    bool numbers = true;
    bool strips = true; // along maps and grids of heads: app/filter.hpp
    bool dark = false;
    bool caption = true; // the provenance line of exports
    bool operator==(const ViewState&) const = default;
};

/// The focus with what this view needs of the engine beside the focused head.
Focus focus_for(const ViewState& state, Focus focus);
/// What a person chose of a focus, and nothing that follows from the view.
Focus chosen(const Focus& focus);

/// Whether the large map shows numbers of either sign: a stage before the softmax, a difference.
bool shows_signed(const ViewState& state, const Focus& focus);

} // namespace heed::app
