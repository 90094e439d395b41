#include "app/view.hpp"

#include "app/changes.hpp"
#include "app/filter.hpp"
#include "app/head_views.hpp"
#include "app/masked_cells.hpp"
#include "app/merging.hpp"
#include "app/names.hpp"
#include "app/recurrent_views.hpp"
#include "app/rooms.hpp"
#include "app/titles.hpp"
#include "base/check.hpp"
#include "figure/lines.hpp"
#include "num/softmax.hpp"
#include "trace/merged.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heed::app {

using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

/// Of a decoder that says one word a step.
constexpr const char* kAlignmentMeaning = "decoder step i (rows) over source words j (columns)";

std::string meaning(Stage stage) {
    if (stage == Stage::weights) return "query (rows) attends to key (columns)";
    if (trace::is_map(stage)) return "query (rows) against key (columns)";
    return stage == Stage::k || stage == Stage::v ? "key (rows), features (columns)"
                                                  : "query (rows), features (columns)";
}

std::vector<std::string> feature_numbers(Index count) {
    std::vector<std::string> numbers;
    for (Index i = 1; i <= count; ++i) numbers.push_back(fmt::format("{}", i));
    return numbers;
}

/// A run and what is looked at in it: the present state's, or a reference's.
struct Shown {
    const models::Run& run;
    const Focus& focus;
    const std::shared_ptr<const Matrix<float>>& map;
    const std::shared_ptr<const figure::PreparedMap>& prepared;
    const MapFaults& faults;
    const TokenWords* words; // where weights are between words, else null
    const Thumbnails* heads; // of the focused kind, or null
};

Shown present(const Snapshot& snapshot) {
    return {*snapshot.run,
            snapshot.focus,
            snapshot.map,
            snapshot.prepared,
            snapshot.faults,
            merges(snapshot) ? snapshot.words.get() : nullptr,
            snapshot.thumbnails[static_cast<std::size_t>(snapshot.focus.head.kind)].get()};
}

void label_axes(figure::MapData& data, const Shown& shown, Stage stage) {
    const AttentionKind kind = shown.focus.head.kind;
    const bool of_keys = stage == Stage::k || stage == Stage::v;
    const bool merged = shown.words != nullptr && stage == Stage::weights;
    const auto& queries = merged ? shown.words->queries(kind).words : shown.run.trace.queries(kind);
    const auto& keys = merged ? shown.words->keys(kind).words : shown.run.trace.keys(kind);
    data.row_labels = token_words(of_keys ? keys : queries, data.values->rows());
    data.col_labels = trace::is_map(stage) ? token_words(keys, data.values->cols())
                                           : feature_numbers(data.values->cols());
    data.row_axis = of_keys ? "key" : "query";
    data.col_axis = trace::is_map(stage) ? "key" : "feature";
    data.weights = stage == Stage::weights;
    data.signed_values = !data.weights;
}

/// Whether `holds` for any query that a row is of: one, or the pieces of a word.
template <class Holds> bool any_piece(const text::Words* words, Index row, Holds holds) {
    if (words == nullptr) return holds(row);
    const auto word = static_cast<std::size_t>(row);
    for (std::size_t token = words->first[word]; token < words->first[word + 1]; ++token) {
        if (holds(static_cast<Index>(token))) return true;
    }
    return false;
}

/// Rows of a map of several heads where one of them shows something wrong.
void note_faults(figure::MapData& data, const Shown& shown) {
    const trace::HeadId& head = shown.focus.head;
    const int n_heads = shown.run.trace.n_heads(head.kind);
    if (shown.heads == nullptr) return;
    std::vector<Index> bad;
    for (const trace::HeadId& id :
         trace::heads_in(shown.run.trace, head.kind, shown.focus.layers, shown.focus.heads)) {
        const auto at = static_cast<std::size_t>(id.layer * n_heads + id.head);
        if (at >= shown.heads->faults.size()) continue;
        const MapFaults& faults = shown.heads->faults[at];
        bad.insert(bad.end(), faults.rows.begin(), faults.rows.end());
        bad.insert(bad.end(), faults.other_rows.begin(), faults.other_rows.end());
    }
    if (bad.empty()) return;
    std::sort(bad.begin(), bad.end());
    const text::Words* words = shown.words ? &shown.words->queries(head.kind) : nullptr;
    for (Index row = 0; row < data.values->rows(); ++row) {
        if (any_piece(words, row,
                      [&](Index i) { return std::binary_search(bad.begin(), bad.end(), i); })) {
            data.row_notes.push_back({row, "check failed in a head", true});
        }
    }
}

/// The weights of several heads as one map.
figure::MapData combined_data(const Shown& shown, std::string_view subtitle) {
    figure::MapData data;
    data.title = focus_title(shown.run.trace, shown.focus);
    if (shown.words != nullptr) data.title += kMerged;
    data.subtitle = subtitle;
    for (const std::string& change : changed_in_any_head(shown.run, shown.focus.head.kind)) {
        data.subtitle += " · " + change;
    }
    data.values = shown.map;
    data.prepared = shown.prepared;
    label_axes(data, shown, Stage::weights);
    for (Index i = 0; i < data.values->rows(); ++i) {
        if (data.values->row(i).sum() == 0) data.rows_without_distribution.push_back(i);
    }
    const AttentionKind kind = shown.focus.head.kind;
    data.masked =
        masked_cells(shown.run.trace,
                     trace::heads_in(shown.run.trace, kind, shown.focus.layers, shown.focus.heads),
                     shown.words ? &shown.words->queries(kind) : nullptr,
                     shown.words ? &shown.words->keys(kind) : nullptr);
    note_faults(data, shown);
    return data;
}

/// Which rows a person set by hand, and which do not hold what weights promise.
void note_rows(figure::MapData& data, const trace::AttentionMap& map, const MapFaults& faults,
               const text::Words* words) {
    for (Index row = 0; row < data.values->rows(); ++row) {
        const auto among = [&](const std::vector<Index>& rows) {
            return any_piece(words, row, [&](Index i) {
                return std::binary_search(rows.begin(), rows.end(), i);
            });
        };
        const bool sum = among(faults.rows), bad = sum || among(faults.other_rows);
        const bool edited = any_piece(words, row, [&](Index i) {
            return !nn::edits_of(map.head().settings.edits, i).empty();
        });
        if (!bad && !edited) continue;
        data.row_notes.push_back({row, sum ? "Σ ≠ 1" : bad ? "check failed" : "edited", bad});
    }
}

std::shared_ptr<const Matrix<float>> stage_values(const Shown& shown,
                                                  const trace::AttentionMap& map, Stage stage) {
    const AttentionKind kind = shown.focus.head.kind;
    return std::make_shared<const Matrix<float>>(
        shown.words != nullptr && stage == Stage::weights
            ? trace::merged_weights(map, shown.words->queries(kind), shown.words->keys(kind))
            : map.whole(stage));
}

/// One stage of the focused head with its labels.
figure::MapData stage_data(const Shown& shown, Stage stage, std::string_view subtitle) {
    const trace::HeadId& head = shown.focus.head;
    const auto map = shown.run.trace.map(head);
    HEED_CHECK(map.has_value(), "no such head: layer {} head {}", head.layer, head.head);
    figure::MapData data;
    data.title = shown_title(shown.run, head);
    if (stage != Stage::weights) data.title += fmt::format(" · {}", trace::name(stage));
    const bool merged = shown.words != nullptr && stage == Stage::weights;
    if (merged) data.title += kMerged;
    data.subtitle = speaks(shown.run) && trace::is_map(stage) ? kAlignmentMeaning : subtitle;
    if (shown.words != nullptr && !merged) data.subtitle += " · between tokens: only weights merge";
    for (const std::string& change : changed_controls(shown.run, head)) {
        data.subtitle += " · " + change;
    }
    const bool ready = stage == shown.focus.stage && !shown.focus.combine && shown.map;
    data.values = ready ? shown.map : stage_values(shown, *map, stage);
    if (ready) data.prepared = shown.prepared;
    label_axes(data, shown, stage);
    const text::Words* words = merged ? &shown.words->queries(head.kind) : nullptr;
    if (stage == Stage::weights) note_rows(data, *map, shown.faults, words);
    if (stage == Stage::weights || stage == Stage::masked) {
        for (Index i = 0; i < data.values->rows(); ++i) {
            const bool any =
                any_piece(words, i, [&](Index query) { return map->has_distribution(query); });
            if (!any) data.rows_without_distribution.push_back(i);
        }
        const text::Words* keys = merged ? &shown.words->keys(head.kind) : nullptr;
        data.masked = masked_cells(*map, words, keys);
    }
    return data;
}

/// Of a model without attention: the states that its words are said from.
figure::MapData states_data(const trace::Trace& trace) {
    auto states = trace.tensor("decoder.states");
    const auto& words = states ? trace.target : trace.source;
    if (!states) states = trace.tensor("encoder.states");
    HEED_CHECK(states != nullptr, "a run without attention and without states");
    figure::MapData data;
    data.title = "States";
    data.subtitle = "word (rows), features (columns)";
    data.values = std::shared_ptr<const Matrix<float>>(states, &states->values);
    data.row_labels = token_words(words, states->values.rows());
    data.col_labels = feature_numbers(states->values.cols());
    data.row_axis = "word";
    data.col_axis = "feature";
    data.weights = false;
    data.signed_values = true;
    return data;
}

figure::MapData focused_data(const Shown& shown) {
    if (shown.run.trace.n_layers(shown.focus.head.kind) == 0) return states_data(shown.run.trace);
    if (shown.focus.combine) return combined_data(shown, meaning(Stage::weights));
    return stage_data(shown, shown.focus.stage, meaning(shown.focus.stage));
}

/// What holds for every picture of query × key: a sentence may have become shorter under a cell.
std::optional<std::pair<int, int>> cell_inside(const ViewState& state, Index queries, Index keys) {
    const auto& s = state.selected;
    const bool inside =
        s && s->first >= 0 && s->second >= 0 && s->first < queries && s->second < keys;
    return inside ? s : std::nullopt;
}

/// What the choice of tokens leaves of a map, and the strips that choose.
void filter(figure::MapData& data, figure::HeatmapOptions& options, const Snapshot& of,
            const ViewState& state) {
    const Units units(of, merges_map(of));
    options.chosen_rows = chosen_queries(units, state.pinned_queries);
    options.chosen_cols = chosen_keys(units, state.pinned_keys);
    data.subtitle += filter_phrase(filter_words(state, units));
    if (!state.strips || !data.weights || !of.strips || !of.strips->given) return;
    options.row_strip = {of.strips->given, !options.chosen_cols.empty()};
    options.col_strip = {of.strips->received, true};
}

struct HeatmapParts {
    figure::MapData data;
    figure::HeatmapOptions options;
};

/// `of`: the state that the map is of.
HeatmapParts parts_of(figure::MapData data, const Snapshot& of, const ViewState& state) {
    figure::HeatmapOptions options = map_options(data, state);
    // A stage of features has no cell that is one query and one key.
    if (data.col_axis == "key") {
        options.selected = shown_cell(of, state, merges_map(of));
        filter(data, options, of, state);
    }
    return {std::move(data), std::move(options)};
}

figure::Figure heatmap_of(figure::MapData data, const Snapshot& of, const ViewState& state,
                          const figure::Frame& frame) {
    const HeatmapParts parts = parts_of(std::move(data), of, state);
    return figure::heatmap(parts.data, parts.options, frame);
}

figure::Figure heatmap_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame) {
    const bool comparable = snapshot.reference && snapshot.reference->run;
    if (state.compare == Compare::off || !comparable) {
        return heatmap_of(map_data(snapshot), snapshot, state, frame);
    }
    if (state.compare == Compare::difference) {
        if (const auto difference = difference_data(snapshot)) {
            return heatmap_of(*difference, snapshot, state, frame);
        }
        figure::MapData data = map_data(snapshot);
        data.subtitle = fmt::format("{}: no difference, that map has another shape",
                                    snapshot.reference->asked.name);
        return heatmap_of(data, snapshot, state, frame);
    }
    // The reference at the left, as the state from which one came.
    figure::Frame half = frame;
    half.width = frame.width / 2;
    half.beside_title = std::min(frame.beside_title, half.width); // the titles go below it
    half.subtitle_lines = 2;
    figure::Frame left = half;
    const Snapshot reference = as_snapshot(*snapshot.reference);
    if (state.caption) left.caption = provenance(reference, View::heatmap);
    const HeatmapParts then = parts_of(reference_data(snapshot), reference, state);
    const HeatmapParts now = parts_of(map_data(snapshot), snapshot, state);
    return figure::heatmaps_beside({then.data, then.options, left}, {now.data, now.options, half});
}

/// " · from “cat” + “sat”": whose links are shown alone.
std::string pinned_words(const char* before, const std::vector<int>& pinned,
                         const std::vector<std::string>& labels) {
    constexpr std::size_t kMost = 4;
    std::string words;
    for (std::size_t i = 0; i < std::min(pinned.size(), kMost); ++i) {
        const auto unit = static_cast<std::size_t>(pinned[i]);
        words += fmt::format("{}“{}”", words.empty() ? "" : " + ",
                             unit < labels.size() ? labels[unit] : "");
    }
    if (pinned.size() > kMost) words += fmt::format(" + {} more", pinned.size() - kMost);
    return words.empty() ? words : fmt::format(" · {} {}", before, words);
}

figure::Figure links_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::Frame& frame, const Hovered& hovered) {
    const trace::HeadId& head = snapshot.focus.head;
    const figure::MapData map =
        stage_data(present(snapshot), Stage::weights, "query attends to key");
    figure::LinesData data = figure::lines_data(map);
    data.n_heads = snapshot.run->trace.n_heads(head.kind);
    if (!snapshot.overlay.empty()) {
        data.heads.clear();
        for (const auto& [number, weights] : snapshot.overlay) {
            data.heads.push_back({number, weights});
        }
        data.title = overlay_title(snapshot) + (merges(snapshot) ? kMerged : "");
        data.subtitle = "query attends to key";
        for (const std::string& change : changed_in_overlay(snapshot)) {
            data.subtitle += " · " + change;
        }
    }
    const figure::LinksOptions options = links_options(snapshot, state, hovered);
    data.title += pinned_words("from", options.queries, data.row_labels);
    data.title += pinned_words("to", options.keys, data.col_labels);
    return head.kind == AttentionKind::cross || state.columns ? figure::lines(data, options, frame)
                                                              : figure::arcs(data, options, frame);
}

figure::Figure stages_figure(const Snapshot& snapshot, const ViewState& state,
                             const figure::Frame& frame) {
    std::vector<figure::StageThumbnail> thumbnails;
    int selected = -1;
    for (std::size_t i = 0; i < snapshot.strip.size(); ++i) {
        const StripItem& item = snapshot.strip[i];
        if (item.stage == snapshot.focus.stage) selected = static_cast<int>(i);
        thumbnails.push_back({item.label,
                              item.values,
                              item.signed_values,
                              static_cast<int>(i),
                              {state.palette, state.scale},
                              item.rows,
                              item.cols});
    }
    std::string title = shown_title(*snapshot.run, snapshot.focus.head) + " · stages";
    for (const std::string& change : changed_controls(*snapshot.run, snapshot.focus.head)) {
        title += " · " + change;
    }
    return figure::stage_strip(thumbnails, selected, frame, title);
}

} // namespace

bool fits(View view, const models::Config& config) {
    const models::RecurrentConfig* recurrent = models::recurrent_of(config);
    switch (view) {
    case View::unrolled: return recurrent != nullptr;
    case View::step:
    case View::beam: return recurrent && models::has_decoder(*recurrent);
    case View::heads:
    case View::flow: return recurrent == nullptr; // one head, and no layers of attention
    case View::stages:
    case View::positions:
    case View::train: return true;
    default: return !recurrent || models::attends(*recurrent);
    }
}

View fitting(View view, const models::Config& config) {
    for (const View next : {view, View::heatmap}) {
        if (fits(next, config)) return next;
    }
    return View::unrolled;
}

figure::HeatmapOptions map_options(const figure::MapData& data, const ViewState& state) {
    figure::HeatmapOptions options;
    options.palette = data.signed_values ? std::nullopt : state.palette;
    options.range = state.range;
    // A large map has its logarithms from the engine, and is never searched through here.
    const bool ready = !data.prepared || data.prepared->logarithms;
    if (!data.signed_values && ready) options.scale = state.scale;
    options.numbers = state.numbers;
    options.viewport = state.viewport;
    return options;
}

figure::LinksOptions links_options(const Snapshot& snapshot, const ViewState& state,
                                   const Hovered& hovered) {
    const Units units(snapshot, merges(snapshot));
    figure::LinksOptions options;
    options.threshold = state.threshold;
    options.selected = shown_cell(snapshot, state, units.merged());
    options.queries = chosen_queries(units, state.pinned_queries);
    options.keys = chosen_keys(units, state.pinned_keys);
    options.isolated_query = hovered.query;
    options.isolated_key = hovered.key;
    return options;
}

figure::MapData slot_data(const Snapshot& snapshot, const SlotPicture& slot) {
    const Focus focus{slot.head};
    const Shown shown{*snapshot.run, focus,       slot.map,
                      slot.prepared, slot.faults, merges(snapshot) ? snapshot.words.get() : nullptr,
                      nullptr};
    figure::MapData data = stage_data(shown, Stage::weights, "");
    data.title = fmt::format("{} {}.{}", kind_title(slot.head.kind), slot.head.layer + 1,
                             slot.head.head + 1);
    if (data.subtitle.starts_with(" · ")) data.subtitle.erase(0, 4);
    return data;
}

std::optional<std::pair<int, int>> selected_cell(const Snapshot& snapshot, const ViewState& state) {
    const auto map = snapshot.run ? snapshot.run->trace.map(snapshot.focus.head) : std::nullopt;
    if (!map) return std::nullopt;
    return cell_inside(state, map->rows(Stage::weights), map->cols(Stage::weights));
}

std::optional<std::pair<int, int>> shown_cell(const Snapshot& snapshot, const ViewState& state,
                                              bool merged) {
    const auto cell = selected_cell(snapshot, state);
    if (!cell) return std::nullopt;
    const Units units(snapshot, merged);
    return std::pair(units.of_query(cell->first), units.of_key(cell->second));
}

std::vector<std::string> token_words(const std::vector<text::Token>& tokens, Index count) {
    std::vector<std::string> words;
    for (const text::Token& token : tokens) words.push_back(token.text);
    words.resize(static_cast<std::size_t>(count)); // should a trace name fewer than it has rows
    return words;
}

Focus chosen(const Focus& focus) {
    ViewState plain; // a view that asks for nothing
    plain.strips = false;
    Focus made = focus_for(plain, focus);
    made.step.reset();
    return made;
}

Focus focus_for(const ViewState& state, Focus focus) {
    focus.effects = focus.summaries = false;
    focus.histograms = state.view == View::softmax;
    focus.flow.reset();
    focus.logarithms = state.scale == figure::ColourScale::logarithmic;
    focus.overlay.clear();
    focus.strips.reset();
    if (state.strips) focus.strips = StripFocus{state.pinned_queries, state.pinned_keys};
    focus.slots.clear();
    if (state.view == View::lines) focus.overlay = state.overlay;
    if (state.view == View::heads) {
        focus.slots = state.slots;
        focus.effects = state.head_order == HeadOrder::effect;
        focus.summaries =
            state.head_order == HeadOrder::entropy || state.head_order == HeadOrder::distance;
    }
    // Its strip shows what a step's score is made of, whatever the view.
    focus.step.reset();
    if (state.view == View::step || focus.head.kind == AttentionKind::cross) {
        focus.step = state.selected ? state.selected->first : 0;
    }
    if (state.view == View::flow) {
        focus.flow = FlowFocus{state.flow_rule, state.selected ? state.selected->first : 0};
    }
    return focus;
}

bool shows_signed(const ViewState& state, const Focus& focus) {
    return state.compare == Compare::difference ||
           (focus.stage != Stage::weights && !focus.combine);
}

figure::MapData map_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no map");
    return focused_data(present(snapshot));
}

figure::MapData reference_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.reference && snapshot.reference->run, "there is no reference");
    const ReferencePicture& reference = *snapshot.reference;
    figure::MapData data = focused_data(
        {*reference.run, reference.focus, reference.map, reference.prepared, reference.faults,
         reference.focus.merge_words ? reference.words.get() : nullptr, nullptr});
    data.title += " · " + reference.asked.name;
    return data;
}

std::optional<figure::MapData> difference_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.reference && snapshot.reference->run, "there is no reference");
    if (!snapshot.reference->difference) return std::nullopt;
    figure::MapData data = map_data(snapshot);
    const figure::MapData reference = reference_data(snapshot);
    data.values = snapshot.reference->difference;
    data.prepared = snapshot.reference->prepared_difference;
    data.subtitle =
        fmt::format("this minus {} ({})", snapshot.reference->asked.name, reference.title);
    if (!snapshot.focus.combine) {
        for (const std::string& change : changed_controls(*snapshot.run, snapshot.focus.head)) {
            data.subtitle += " · " + change;
        }
    }
    data.weights = false;
    data.signed_values = true;
    data.rows_without_distribution.clear();
    data.masked.clear();
    return data;
}

figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width,
                           float height) {
    return make_figure(snapshot, state, Place{width, height});
}

figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, const Place& place,
                           const Hovered& hovered) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no figure");
    figure::Frame frame;
    frame.width = place.width;
    frame.height = place.height;
    frame.beside_title = place.beside_title;
    frame.titled = place.titled;
    frame.theme = state.dark ? &figure::dark_theme() : &figure::light_theme();
    if (state.caption) frame.caption = provenance(snapshot, state.view);
    switch (fitting(state.view, snapshot.run->model->config())) {
    case View::heatmap: return heatmap_figure(snapshot, state, frame);
    case View::heads: return heads_figure(snapshot, state, frame);
    case View::neurons: return neurons_figure(snapshot, state, frame);
    case View::flow: return flow_figure(snapshot, frame);
    case View::lines: return links_figure(snapshot, state, frame, hovered);
    case View::stages: return stages_figure(snapshot, state, frame);
    case View::positions: return position_room_figure(snapshot, state, frame);
    case View::softmax: return softmax_room_figure(snapshot, state, frame);
    case View::step: return step_figure(snapshot, state, frame);
    case View::unrolled: return unrolled_figure(snapshot, state, frame);
    case View::beam: return beam_figure(snapshot, state, frame);
    case View::train: break; // of no trace: app/training_room.hpp
    }
    return {};
}

} // namespace heed::app
