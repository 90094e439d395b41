// The view state: what the window shows of a snapshot. One plain struct of defaults, saved whole.
#pragma once

#include "app/document.hpp"
#include "app/engine.hpp"
#include "figure/figure.hpp"
#include "figure/neurons.hpp"
#include "figure/plots.hpp"

#include <optional>
#include <string>
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
/// Whether a model of this kind has something to show in a view.
bool fits(View view, const models::Config& config);
/// The view itself, or what stands for it where it does not fit.
View fitting(View view, const models::Config& config);

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

/// How a state wants a map: palette, range, scale, numbers, the part that is looked at.
figure::HeatmapOptions map_options(const figure::MapData& data, const ViewState& state);
/// What a view shows in one line: model, size and seed, then the layer, head, stage and controls
/// that it depends on. Requires snapshot.run.
std::string provenance(const Snapshot& snapshot, View view = View::heatmap);
/// Every control that is not at its default for the focused head: "scale off", "mask causal".
std::vector<std::string> changed_controls(const models::Run& run, const trace::HeadId& head);
/// The same of every head of a kind, each with where it holds unless that is everywhere.
std::vector<std::string> changed_in_any_head(const models::Run& run, trace::AttentionKind kind);
/// "Transformer base", "Transformer 96 · 4 heads · 2+2 layers", or the name of the file it is from.
std::string model_title(const Document& document, const models::Config& config);
/// "Encoder layer 5 · head 3", or "Encoder layer 5 · mean of 8 heads".
std::string focus_title(const trace::Trace& trace, const Focus& focus);
/// The query and key that are pointed out, for the map, its links and the formula alike: none where
/// the focused head's map, whose sentence may have become shorter, does not have them.
std::optional<std::pair<int, int>> selected_cell(const Snapshot& snapshot, const ViewState& state);
/// The same as a picture between words counts it, where `merged`.
std::optional<std::pair<int, int>> shown_cell(const Snapshot& snapshot, const ViewState& state,
                                              bool merged);
/// "Encoder layer 5 · head 3": on the screen layers and heads count from 1.
std::string head_title(const trace::HeadId& head);

/// Where a picture goes, beyond its size: the window draws controls of its own beside the title,
/// or leaves the title out where another picture above has it.
struct Place {
    float width = 0, height = 0; // points; 0 is the figure's own
    float beside_title = 0;      // points at the right of the title's line to be left free
    bool titled = true;
};

/// The row or column of a picture of links that the pointer is at, if it is at one alone: its links
/// step forward.
struct Hovered {
    std::optional<int> query{}, key{};
    bool operator==(const Hovered&) const = default;
};

/// What links are drawn of a state: tokens that are pinned are rows and columns of the picture
/// here, words where it merges. Requires snapshot.run.
figure::LinksOptions links_options(const Snapshot& snapshot, const ViewState& state,
                                   const Hovered& hovered = {});

/// "Encoder self-attention".
std::string_view kind_phrase(trace::AttentionKind kind);

/// The one road from state to picture, for the window and for `heed export` alike.
/// Requires snapshot.run. A size of 0 is the figure's own.
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width,
                           float height);
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, const Place& place,
                           const Hovered& hovered = {});

} // namespace heed::app
