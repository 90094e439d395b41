// The view state: what the window shows of a snapshot. One plain struct of defaults, saved whole.
#pragma once

#include "app/document/document.hpp"
#include "figure/base/map_data.hpp"
#include "figure/views/neurons.hpp"
#include "inside/head_score.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::app {

/// The comparison of the present map with the snapshot's reference, where it has one.
enum class Compare { off, beside, difference };
/// The reference: the same text and model with no control altered, or the pinned state.
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
    picture, // of a model that reads one
    inside,
    learn,
    train
};

/// The contents of a view's picture, for those that light, paint or zoom it.
enum class Shows { map, heads, links, stages, patches, other };

/// A view's word in sessions and flags, its label, what one sees in it, and its place.
struct ViewInfo {
    View view;
    std::string_view name, label;
    std::string_view tip; // one sentence
    int tab = 0; // place among Explore's tabs and its digit key, from 1; 0: a room of its own
    Shows shows = Shows::other;
};
/// Views in the order of the enum, which is that of messages. The rest of a view:
/// app/view_figure.cpp, ui/view_rows.cpp.
inline constexpr ViewInfo kViews[] = {
    {View::heatmap, "heatmap", "Heatmap",
     "How much attention each word (row) pays to each other (column): how well its query, what it "
     "looks for, fits the key that the other is found by.",
     1, Shows::map},
    {View::heads, "heads", "Heads",
     "All heads at once, each with its own way to look at the words.", 3, Shows::heads},
    {View::lines, "lines", "Lines",
     "A line from each word to the words that it looks at; the thicker, the more attention.", 2,
     Shows::links},
    {View::neurons, "neurons", "Neurons",
     "Which features of a query and a key make their score (after Vig 2019).", 4},
    {View::flow, "flow", "Flow",
     "Through which words information reaches one word, layer by layer (attention rollout, Abnar "
     "and Zuidema 2020).",
     5},
    {View::stages, "stages", "Stages",
     "Every step of the computation, from queries and keys to what the layer passes on.", 6,
     Shows::stages},
    {View::positions, "positions", "Positions",
     "How a model is told the order of its words, and what each way looks like."},
    {View::softmax, "softmax", "Softmax",
     "How scores become weights, and why large scores must be scaled down first."},
    {View::step, "step", "Step",
     "One step of the decoder: what it compares, what it reads, and which word it chooses.", 7},
    {View::unrolled, "unrolled", "Unrolled",
     "The states of the whole network, word after word, as it reads and writes.", 8},
    {View::beam, "beam", "Beam",
     "All the translations that the search tried, and which of them won.", 9},
    {View::picture, "picture", "Picture",
     "What one patch attends to, upon the picture. Point at a patch; a click keeps it.", 10,
     Shows::patches},
    {View::inside, "inside", "Inside",
     "What each layer would say, and which heads made the model say a word."},
    {View::learn, "learn", "Learn",
     "Claims about attention that you can test: each is measured in front of you."},
    {View::train, "train", "Train", "Small models learn in front of you: watch attention appear."},
};
constexpr const ViewInfo& info(View view) { return kViews[static_cast<std::size_t>(view)]; }
constexpr bool in_explore(View view) { return info(view).tab > 0; }
/// True where its picture is made of a snapshot; others are rooms of their own, in no session.
constexpr bool of_snapshot(View view) { return view < View::learn; }

/// Views in the order of Explore's tabs.
inline constexpr auto kExploreViews = [] {
    constexpr auto count =
        std::count_if(std::begin(kViews), std::end(kViews), [](auto& v) { return v.tab > 0; });
    std::array<View, static_cast<std::size_t>(count)> views{};
    for (const ViewInfo& v : kViews) {
        if (v.tab > 0) views[static_cast<std::size_t>(v.tab - 1)] = v.view;
    }
    return views;
}();

/// The order of heads in a large grid: by layer and number, by a measure, the largest first, or so
/// that heads with like maps stand together. Scores are those of inside/head_score.hpp.
enum class HeadOrder {
    place,
    entropy,
    distance,
    effect,
    previous,
    next,
    same,
    first,
    separator,
    positional,
    duplicate,
    followed,
    induction,
    copying,
    confidence,
    alignment,
    alike,
};
/// The score that heads are sorted by; nothing where it is none.
constexpr std::optional<inside::HeadScore> score_of(HeadOrder order) {
    using inside::HeadScore;
    switch (order) {
    case HeadOrder::entropy: return HeadScore::entropy;
    case HeadOrder::distance: return HeadScore::distance;
    case HeadOrder::previous: return HeadScore::previous;
    case HeadOrder::next: return HeadScore::next;
    case HeadOrder::same: return HeadScore::same;
    case HeadOrder::first: return HeadScore::first;
    case HeadOrder::separator: return HeadScore::separator;
    case HeadOrder::positional: return HeadScore::positional;
    case HeadOrder::duplicate: return HeadScore::duplicate;
    case HeadOrder::followed: return HeadScore::followed;
    case HeadOrder::induction: return HeadScore::induction;
    case HeadOrder::copying: return HeadScore::copying;
    case HeadOrder::confidence: return HeadScore::confidence;
    case HeadOrder::alignment: return HeadScore::alignment;
    case HeadOrder::place:
    case HeadOrder::effect:
    case HeadOrder::alike: break;
    }
    return std::nullopt;
}

/// The account of a word in the room Inside: by parts (layers, heads, other runs), or by tokens.
enum class InsideCards { parts, tokens };

/// The look of the view Heads: a map each, or a point each between two scores.
enum class HeadsAs { maps, scatter };

/// The state of the Positions room.
struct PositionRoomState {
    std::optional<nn::Positions> kind{}; // unset: the focused head's
    std::optional<int> d_model{};        // unset: the model's; 2 to 1024
    int length = 128;                    // positions, 8 to 256
    std::optional<float> base{};         // of sinusoidal and rotary ones; unset: the model's
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
    HeadsAs heads_as = HeadsAs::maps;
    InsideCards inside_cards = InsideCards::parts;
    std::optional<inside::HeadScore> head_colour{}; // that heads are coloured by
    float head_least = 0; // heads below it, by that score's place between its ends, stand back
    inside::HeadScore scatter_x = inside::HeadScore::distance; // as entropy, any head has one
    inside::HeadScore scatter_y = inside::HeadScore::entropy;
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
    std::optional<int> beam_sight; // the step that Beam keeps in sight; the chosen one where not set
    bool numbers = true;
    bool strips = true; // along maps and grids of heads: app/filter.hpp
    bool dark = false;
    bool caption = true;                        // the provenance line of exports
    bool title = true;                          // of exports, with what is said below it
    bool bar = true;                            // of colours
    std::shared_ptr<const CorpusMeans> means{}; // Needs::means; not saved
    bool operator==(const ViewState&) const = default;
};

/// A field's name in a session (none: not saved), its flag (none: no flag; one that begins with
/// "--no-" turns it off), and the range of its number, or of each in its list.
struct ViewField {
    const char* name = "";
    const char* flag = "";
    double low = 0, high = 0;
};

/// Hands every field to visit(ViewField, member): what reads and writes sessions and flags goes
/// over it.
template <class Room, class Visit> void room_fields(Room& room, Visit&& visit) {
    visit(ViewField{"kind"}, room.kind);
    visit(ViewField{"d_model", "", 2, 1024}, room.d_model);
    visit(ViewField{"length", "", 8, 256}, room.length);
    visit(ViewField{"base", "", 1, 1e12}, room.base);
}
template <class State, class Visit> void view_fields(State& state, Visit&& visit) {
    constexpr double kTokens = models::kMaxTokens, kHeads = 9999; // far beyond any model's
    visit(ViewField{"view", "--view"}, state.view);
    visit(ViewField{"palette", "--palette"}, state.palette);
    visit(ViewField{"range", "--range"}, state.range);
    visit(ViewField{"colours", "--colours"}, state.scale);
    visit(ViewField{"head_order", "--order"}, state.head_order);
    visit(ViewField{"heads_as", "--heads-as"}, state.heads_as);
    visit(ViewField{"inside_cards", "--cards"}, state.inside_cards);
    visit(ViewField{"head_colour", "--colour-by"}, state.head_colour);
    visit(ViewField{"head_least", "--least", 0, 1}, state.head_least);
    visit(ViewField{"scatter_x", "--across"}, state.scatter_x);
    visit(ViewField{"scatter_y", "--up"}, state.scatter_y);
    visit(ViewField{"feature_order", "--features"}, state.feature_order);
    visit(ViewField{"flow_rule", "--flow"}, state.flow_rule);
    visit(ViewField{"compare", "--compare"}, state.compare);
    visit(ViewField{"selected", "--select", 0, kTokens}, state.selected);
    visit(ViewField{"pinned_queries", "--from", 0, kTokens}, state.pinned_queries);
    visit(ViewField{"pinned_keys", "--to", 0, kTokens}, state.pinned_keys);
    visit(ViewField{"overlay", "--overlay", 0, kHeads}, state.overlay);
    visit(ViewField{"threshold", "--mass", 0, 1}, state.threshold);
    visit(ViewField{"columns", "--columns"}, state.columns);
    visit(ViewField{"slots", "--slots", 0, kHeads}, state.slots);
    visit(ViewField{"position_room"}, state.position_room);
    visit(ViewField{"softmax_factor", "", 1.0 / 64, 64}, state.softmax_factor);
    visit(ViewField{"against"}, state.against);
    visit(ViewField{"viewport", "", 0, 1e6}, state.viewport);
    visit(ViewField{"beam_sight", "", 0, kTokens}, state.beam_sight);
    visit(ViewField{"numbers", "--no-numbers"}, state.numbers);
    visit(ViewField{"strips", "--no-strips"}, state.strips);
    visit(ViewField{"caption", "--no-caption"}, state.caption);
    visit(ViewField{"title", "--no-title"}, state.title);
    visit(ViewField{"bar", "--no-bar"}, state.bar);
}

/// True where the large map shows numbers of either sign: a stage before the softmax, a difference.
bool shows_signed(const ViewState& state, const Focus& focus);

} // namespace heed::app
