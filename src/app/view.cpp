#include "app/view.hpp"

#include "app/changes.hpp"
#include "app/filter.hpp"
#include "app/head_views.hpp"
#include "app/masked_cells.hpp"
#include "app/merging.hpp"
#include "app/names.hpp"
#include "app/rooms.hpp"
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

std::string_view kind_title(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::encoder_self: return "Encoder";
    case AttentionKind::decoder_self: return "Decoder";
    case AttentionKind::cross: return "Cross-attention";
    }
    return "";
}

/// Of a decoder that says one word a step; what its rows and columns are.
constexpr const char* kAlignment = "Alignment αᵢⱼ";
constexpr const char* kAlignmentMeaning = "decoder step i (rows) over source words j (columns)";

bool speaks(const models::Run& run) { return models::recurrent_of(run.model->config()) != nullptr; }

std::string shown_title(const models::Run& run, const trace::HeadId& head) {
    return speaks(run) ? kAlignment : head_title(head);
}

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

constexpr const char* kMerged = " · merged to words";

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

figure::MapData focused_data(const Shown& shown) {
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

std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads);

/// What the heads laid over each other are called: "Encoder layer 1 · heads 2, 3".
std::string overlay_title(const Snapshot& snapshot) {
    const trace::HeadId& head = snapshot.focus.head;
    std::string numbers;
    for (const auto& [number, weights] : snapshot.overlay) {
        numbers += fmt::format("{}{}", numbers.empty() ? "" : ", ", number + 1);
    }
    return fmt::format("{} layer {} · head{} {}", kind_title(head.kind), head.layer + 1,
                       snapshot.overlay.size() == 1 ? "" : "s", numbers);
}

std::vector<std::string> changed_in_overlay(const Snapshot& snapshot) {
    std::vector<trace::HeadId> heads;
    for (const auto& [number, weights] : snapshot.overlay) {
        heads.push_back({snapshot.focus.head.kind, snapshot.focus.head.layer, number});
    }
    return changed_in(*snapshot.run, heads);
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

/// " · sinusoidal positions"; with the head where each head has a table of its own.
std::string positions_words(const models::Run& run, const trace::HeadId& head) {
    const nn::Positions positions = positions_of(run, head);
    const bool of_head = positions == nn::Positions::alibi || positions == nn::Positions::relative;
    return fmt::format("{}{} · {}{}", of_head ? " · " : "", of_head ? head_title(head) : "",
                       positions == nn::Positions::none ? "no" : nn::name(positions), " positions");
}

} // namespace

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

std::string_view kind_phrase(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::encoder_self: return "Encoder self-attention";
    case AttentionKind::decoder_self: return "Decoder self-attention";
    case AttentionKind::cross: return "Cross-attention";
    }
    return "";
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
    return focus_for(plain, focus);
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
    if (state.view == View::flow) {
        focus.flow = FlowFocus{state.flow_rule, state.selected ? state.selected->first : 0};
    }
    return focus;
}

bool shows_signed(const ViewState& state, const Focus& focus) {
    return state.compare == Compare::difference ||
           (focus.stage != Stage::weights && !focus.combine);
}

std::string head_title(const trace::HeadId& head) {
    return fmt::format("{} layer {} · head {}", kind_title(head.kind), head.layer + 1,
                       head.head + 1);
}

namespace {

std::string title(const models::TransformerConfig& config) {
    const bool has_encoder = models::has_encoder(config), has_decoder = models::has_decoder(config);
    for (const models::NamedSize& size : models::named_sizes()) {
        const bool same = size.d_model == config.d_model && size.n_heads == config.n_heads &&
                          size.d_ff == config.d_ff &&
                          (!has_encoder || size.n_layers == config.n_encoder_layers) &&
                          (!has_decoder || size.n_layers == config.n_decoder_layers);
        if (same) return fmt::format("Transformer {}", size.name);
    }
    std::string layers;
    if (has_encoder) layers = fmt::format("{}", config.n_encoder_layers);
    if (has_decoder) {
        layers += fmt::format("{}{}", has_encoder ? "+" : "", config.n_decoder_layers);
    }
    return fmt::format("Transformer {} · {} heads · {} layers", config.d_model, config.n_heads,
                       layers);
}

/// "Bahdanau · biGRU 256": by whom the order of a step is known.
std::string title(const models::RecurrentConfig& config) {
    std::string cell(nn::name(config.cell));
    for (char& letter : cell) letter = static_cast<char>(letter - 'a' + 'A');
    const char* by = config.context != models::Context::attention      ? "Seq2seq"
                     : config.order == models::StepOrder::attend_first ? "Bahdanau"
                                                                       : "Luong";
    return fmt::format("{} · {}{} {}", by, config.bidirectional ? "bi" : "", cell, config.hidden);
}

} // namespace

std::string model_title(const Document& document, const models::Config& config) {
    if (!document.model_file.empty()) {
        return document.model_file.substr(document.model_file.find_last_of('/') + 1);
    }
    return std::visit([](const auto& c) { return title(c); }, config);
}

std::vector<std::string> changed_controls(const models::Run& run, const trace::HeadId& head) {
    const models::Config& config = run.model->config();
    const models::HeadControls controls = run.controls.resolved(head);
    std::vector<std::string> changes;
    const auto add = [&](Control control) { changes.push_back(control_words(control, controls)); };
    const nn::Score score = controls.score.value_or(models::usual_score(config));
    if (score != models::usual_score(config)) add(Control::score);
    if (controls.scale && !(*controls.scale == models::usual_scale(score))) add(Control::scale);
    if (controls.temperature.value_or(1) != 1) add(Control::temperature);
    nn::Mask usual_mask;
    usual_mask.causal = head.kind == AttentionKind::decoder_self;
    if (controls.mask && !(*controls.mask == usual_mask)) add(Control::mask);
    if (controls.positions && *controls.positions != models::usual_positions(config)) {
        add(Control::positions);
    }
    if (controls.gain.value_or(1) != 1) add(Control::gain);
    if (controls.edits && !controls.edits->empty()) add(Control::edits);
    const models::TransformerConfig* transformer = models::transformer_of(config);
    if (transformer && run.controls.norm.value_or(transformer->norm) != transformer->norm) {
        changes.push_back(fmt::format("norm {}", name_of(*run.controls.norm)));
    }
    if (transformer && run.controls.join.value_or(transformer->join) != transformer->join) {
        changes.push_back(fmt::format("join {}", name_of(*run.controls.join)));
    }
    if (run.controls.dropout.rate > 0) {
        changes.push_back(fmt::format("dropout {:g} (seed {})", run.controls.dropout.rate,
                                      run.controls.dropout.seed));
    }
    return changes;
}

namespace {

std::vector<std::string> changed_in(const models::Run& run,
                                    const std::vector<trace::HeadId>& heads) {
    constexpr std::size_t kMostShown = 8;
    std::vector<std::pair<std::string, std::vector<trace::HeadId>>> changes;
    for (const trace::HeadId& id : heads) {
        for (std::string& change : changed_controls(run, id)) {
            auto known = std::find_if(changes.begin(), changes.end(),
                                      [&](const auto& c) { return c.first == change; });
            if (known == changes.end()) known = changes.insert(known, {std::move(change), {}});
            known->second.push_back(id);
        }
    }
    const auto total = static_cast<int>(heads.size());
    std::vector<std::string> words;
    for (const auto& [change, where] : changes) {
        if (words.size() == kMostShown) {
            words.push_back(fmt::format("{} more changes", changes.size() - kMostShown));
            break;
        }
        const int count = static_cast<int>(where.size());
        const bool one_layer = where.front().layer == where.back().layer;
        if (count == total) {
            words.push_back(change);
        } else if (count == 1) {
            words.push_back(fmt::format("{} in layer {}, head {}", change, where[0].layer + 1,
                                        where[0].head + 1));
        } else if (one_layer && count == run.trace.n_heads(where[0].kind)) {
            words.push_back(fmt::format("{} in layer {}", change, where[0].layer + 1));
        } else {
            words.push_back(fmt::format("{} in {} of {} heads", change, count, total));
        }
    }
    return words;
}

} // namespace

std::vector<std::string> changed_in_any_head(const models::Run& run, AttentionKind kind) {
    return changed_in(run, trace::heads_in(run.trace, kind, {}, {}));
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

std::string focus_title(const trace::Trace& trace, const Focus& focus) {
    if (!focus.combine) return head_title(focus.head);
    const auto numbers = [](const char* what, const std::vector<int>& list) {
        std::string words = fmt::format("{}{}", what, list.size() == 1 ? "" : "s");
        for (std::size_t i = 0; i < list.size(); ++i) {
            words += fmt::format("{} {}", i == 0 ? "" : ",", list[i] + 1);
        }
        return words;
    };
    const auto heads = trace::heads_in(trace, focus.head.kind, focus.layers, focus.heads);
    std::string title(kind_title(focus.head.kind));
    if (!focus.layers.empty()) title += " " + numbers("layer", focus.layers);
    title += fmt::format(" · {} of ", name_of(*focus.combine));
    if (focus.heads.empty()) return title + fmt::format("{} heads", heads.size());
    title += numbers("head", focus.heads);
    return focus.layers.size() == 1 ? title : title + " in each layer";
}

std::string provenance(const Snapshot& snapshot, View view) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no provenance");
    const trace::HeadId& head = snapshot.focus.head;
    const models::Config& config = snapshot.run->model->config();
    std::string line = model_title(snapshot.document, config);
    if (snapshot.document.model_file.empty()) {
        line += fmt::format(" · seed {}", models::seed(config));
    }
    const char* merged = merges(snapshot) ? kMerged : "";
    if (view == View::positions) return line + positions_words(*snapshot.run, head);
    if (view == View::heads || view == View::flow) {
        line += fmt::format(" · {} · all heads · weights{}", kind_phrase(head.kind), merged);
        for (const std::string& change : changed_in_any_head(*snapshot.run, head.kind)) {
            line += " · " + change;
        }
        return line;
    }
    if (view == View::heatmap && snapshot.focus.combine) {
        line += fmt::format(" · {} · weights{}", focus_title(snapshot.run->trace, snapshot.focus),
                            merged);
        for (const std::string& change : changed_in_any_head(*snapshot.run, head.kind)) {
            line += " · " + change;
        }
        return line;
    }
    if (view == View::lines && !snapshot.overlay.empty()) {
        line += fmt::format(" · {} · weights{}", overlay_title(snapshot), merged);
        for (const std::string& change : changed_in_overlay(snapshot)) line += " · " + change;
        return line;
    }
    line += " · " + shown_title(*snapshot.run, head);
    if (view == View::heatmap) line += fmt::format(" · {}", trace::name(snapshot.focus.stage));
    if (view == View::lines) line += " · weights";
    if (view == View::lines || (view == View::heatmap && merges_map(snapshot))) line += merged;
    for (const std::string& change : changed_controls(*snapshot.run, head)) line += " · " + change;
    return line;
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
    switch (state.view) {
    case View::heatmap: return heatmap_figure(snapshot, state, frame);
    case View::heads: return heads_figure(snapshot, state, frame);
    case View::neurons: return neurons_figure(snapshot, state, frame);
    case View::flow: return flow_figure(snapshot, frame);
    case View::lines: return links_figure(snapshot, state, frame, hovered);
    case View::stages: return stages_figure(snapshot, state, frame);
    case View::positions: return position_room_figure(snapshot, state, frame);
    case View::softmax: return softmax_room_figure(snapshot, state, frame);
    }
    return {};
}

} // namespace heed::app
