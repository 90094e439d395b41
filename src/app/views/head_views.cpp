#include "app/views/head_views.hpp"

#include "app/document/gains.hpp"
#include "app/document/names.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/pictures.hpp"
#include "app/engine/speech.hpp"
#include "app/views/figure_tables.hpp"
#include "app/views/filter.hpp"
#include "app/views/head_scores_view.hpp"
#include "app/views/head_slots.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/picture_view.hpp"
#include "app/views/reading.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "base/check.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/views/flow.hpp"
#include "figure/views/neurons.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/combined.hpp"
#include "trace/head_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace heed::app {

using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

/// Measures that the heads are sorted by, by place; empty where it is not known yet.
std::vector<std::optional<float>> measures(const Snapshot& snapshot, HeadOrder order,
                                           std::size_t heads) {
    std::vector<std::optional<float>> values(heads);
    if (order == HeadOrder::effect) {
        const auto& effects = snapshot.effects;
        if (effects && effects->kind == snapshot.focus.head.kind &&
            effects->relative_change.size() == heads) {
            return effects->relative_change;
        }
        return values;
    }
    if (const auto score = score_of(order)) return head_values(snapshot, *score);
    return values;
}

std::string measure_words(HeadOrder order, const std::optional<float>& value) {
    const bool waits = order == HeadOrder::effect;
    if (!value) return waits ? "\u2026" : "\u2013";
    if (const auto score = score_of(order)) return score_text(*score, *value);
    return figure::percent_text(*value);
}

std::string order_words(HeadOrder order) {
    switch (order) {
    case HeadOrder::place: return "";
    case HeadOrder::entropy: return "largest entropy first";
    case HeadOrder::distance: return "largest mean distance first";
    case HeadOrder::effect:
        return "‖output without the head − output‖ / ‖output‖, the target forced";
    case HeadOrder::alike: return "like maps together, by Jensen–Shannon divergence";
    default: break;
    }
    const inside::HeadScoreInfo& score = inside::info(*score_of(order));
    return fmt::format("{}: {}, largest first", score.label, score.formula);
}

/// Largest first; heads that are off stand behind those that have an effect.
std::vector<int> sorted_by(const Snapshot& snapshot, HeadOrder order,
                           const std::vector<std::optional<float>>& values) {
    std::vector<int> places(values.size());
    std::iota(places.begin(), places.end(), 0);
    const auto rank = [&](int place) {
        const auto i = static_cast<std::size_t>(place);
        // What is not measured yet stays behind, so that nothing jumps to the front.
        return std::pair(order != HeadOrder::effect || !is_silent(snapshot, i),
                         values[i].value_or(-1));
    };
    std::ranges::stable_sort(places, std::ranges::greater(), rank);
    return places;
}

void sort_grid(figure::HeadGrid& grid, const Snapshot& snapshot, HeadOrder order) {
    const auto values = measures(snapshot, order, grid.maps.size());
    grid.order = heads_in_order(snapshot, order);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool back = order == HeadOrder::effect && values[i] && is_silent(snapshot, i);
        grid.notes.push_back(order == HeadOrder::alike
                                 ? ""
                                 : measure_words(order, values[i]) + (back ? " with it back" : ""));
    }
    grid.order_words += (grid.order_words.empty() ? "" : " \u00b7 ") + order_words(order);
}

} // namespace

void note_heads(figure::HeadGrid& grid, const Snapshot& snapshot, const ViewState& state) {
    const trace::AttentionKind kind = snapshot.focus.head.kind;
    grid.silent = silent_heads(snapshot.run->controls, kind, grid.layers, grid.heads);
    grid.kept = kept_heads(state.slots, kind, grid.layers, grid.heads);
    if (const auto& thumbnails = snapshot.thumbnails[static_cast<std::size_t>(kind)]) {
        for (const MapFaults& faults : thumbnails->faults) grid.faulty.push_back(faults.any());
    }
    grid.colours = {state.palette, state.scale};
    grid.chosen_layers = chosen_layers(snapshot.focus);
    grid.chosen_heads = chosen_heads(snapshot.focus);
    grid.heads_per_key = snapshot.run->model->traits().heads_per_key;
    if (!state.strips) return;
    grid.layer_strip = layer_strip(snapshot, grid.layers, grid.heads);
    grid.head_strip = head_strip(snapshot, grid.layers, grid.heads);
}

std::vector<int> heads_in_order(const Snapshot& snapshot, HeadOrder order) {
    const AttentionKind kind = snapshot.focus.head.kind;
    const auto heads = static_cast<std::size_t>(snapshot.run->trace.n_layers(kind) *
                                                snapshot.run->trace.n_heads(kind));
    if (order == HeadOrder::alike && snapshot.alike && snapshot.alike->size() == heads) {
        return *snapshot.alike;
    }
    return sorted_by(snapshot, order,
                     order == HeadOrder::place ? std::vector<std::optional<float>>(heads)
                                               : measures(snapshot, order, heads));
}

namespace {

/// "strips: mean attention to key “teacher”": what the grid's strips are of, where tokens are
/// chosen.
std::string strips_told(const figure::HeadGrid& grid, const Snapshot& snapshot,
                        const ViewState& state) {
    const auto& strip = grid.layer_strip;
    if (!grid.order.empty() || !strip || !strip->tinted || !grid.head_strip) return {};
    std::string words;
    bool sums = false; // over keys, of which the mean over queries is taken
    for (const std::string& side : filter_words(state, Units(snapshot, merges(snapshot)))) {
        words += (side.starts_with("quer") ? " from " : " to ") + side;
        sums = sums || side.starts_with("keys ");
    }
    if (words.empty()) return words;
    return (sums ? "strips: mean of summed attention" : "strips: mean attention") + words +
           strips_scale(*grid.layer_strip, *grid.head_strip);
}

/// Every head of the focused kind; without layers where they are not known yet.
figure::HeadGrid grid_of(const Snapshot& snapshot, const ViewState& state) {
    const trace::HeadId& head = snapshot.focus.head;
    const auto& thumbnails = snapshot.thumbnails[static_cast<std::size_t>(head.kind)];
    constexpr std::string_view kDot = " · ";
    figure::HeadGrid grid;
    grid.title = std::string(trace::info(head.kind).phrase);
    if (!thumbnails) return grid;
    grid.title += fmt::format(" · {} layer{} × {} head{}", thumbnails->layers,
                              thumbnails->layers == 1 ? "" : "s", thumbnails->heads,
                              thumbnails->heads == 1 ? "" : "s");
    grid.title += unit_words(snapshot.units.get());
    grid.layers = thumbnails->layers;
    grid.heads = thumbnails->heads;
    grid.meaning = "in each map: " + weights_meaning(snapshot, Drawn::cells);
    grid.maps = thumbnails->weights;
    grid.by_row = thumbnails->by_row;
    constexpr std::size_t kFewHeads = 48;
    grid.pictures = picture_thumbnails(snapshot, state, grid.maps.size() <= kFewHeads ? 96 : 48);
    if (!grid.pictures.empty()) {
        const auto& tokens = snapshot.run->trace.source;
        const int query = query_shown(state, std::ssize(tokens));
        grid.order_words = "from " + tokens[static_cast<std::size_t>(query)].text +
                           " · each head up to its largest weight of a patch";
    }
    grid.selected = {head.layer, head.head};
    note_heads(grid, snapshot, state);
    mark_maps(grid, snapshot, state);
    grid.range = state.range;
    if (state.head_order != HeadOrder::place) sort_grid(grid, snapshot, state.head_order);
    if (const std::string words = special_share_words(thumbnails.get()); !words.empty()) {
        grid.order_words += words.substr(grid.order_words.empty() ? kDot.size() : 0);
    }
    shade_heads(grid, snapshot, state);
    grid.title += filter_phrase(filter_words(snapshot.focus));
    if (const std::string words = strips_told(grid, snapshot, state); !words.empty())
        grid.order_words += std::string(grid.order_words.empty() ? "" : kDot) + words;
    const std::string told =
        changes_told(*snapshot.run, trace::heads_in(snapshot.run->trace, head.kind, {}, {}));
    if (!told.empty()) grid.order_words += told.substr(grid.order_words.empty() ? kDot.size() : 0);
    return grid;
}

/// The labels of a thumbnail's rows or columns: the tokens, or which of them a block is of.
std::vector<std::string> thumbnail_labels(const std::vector<std::string>& tokens, Index shown) {
    const auto count = std::ssize(tokens);
    if (count == shown) return tokens;
    std::vector<std::string> labels;
    for (Index i = 0; i < shown; ++i) {
        labels.push_back(
            fmt::format("{}–{}", i * count / shown + 1, std::max((i + 1) * count / shown, 1L)));
    }
    return labels;
}

/// Table of what the heads are sorted by, in the order in which they are drawn.
files::Table measure_table(const Snapshot& snapshot, const figure::HeadGrid& grid,
                           HeadOrder order) {
    files::Table table{std::string(name_of(order)), {}, {std::string(name_of(order))}, nullptr};
    const auto known = measures(snapshot, order, grid.maps.size());
    auto values = std::make_shared<Matrix<float>>(std::ssize(grid.order), 1);
    for (std::size_t i = 0; i < grid.order.size(); ++i) {
        const int place = grid.order[i];
        table.rows.push_back(
            head_name({snapshot.focus.head.kind, place / grid.heads, place % grid.heads}));
        (*values)(static_cast<Index>(i), 0) = known[static_cast<std::size_t>(place)].value_or(
            std::numeric_limits<float>::quiet_NaN());
    }
    table.values = std::move(values);
    return table;
}

} // namespace

figure::Figure heads_figure(const Snapshot& snapshot, const ViewState& state,
                            const figure::Frame& frame) {
    if (state.heads_as == HeadsAs::scatter) return scatter_figure(snapshot, state, frame);
    figure::HeadGrid grid = grid_of(snapshot, state);
    if (!frame.marks.head) grid.selected.reset();
    if (!snapshot.slots.empty()) return slots_figure(snapshot, state, grid, frame);
    const bool bare = grid.order.empty() && !state.head_colour && grid.pictures.empty();
    if (bare && grid.layers * grid.heads == 1) {
        return one_head_figure(snapshot, state, grid.title, frame);
    }
    return figure::head_grid(grid, frame);
}

std::string head_name(const trace::HeadId& head) {
    return fmt::format("{}.{}.{}", trace::name(head.kind), head.layer + 1, head.head + 1);
}

files::Tables heads_tables(const Snapshot& snapshot, const ViewState& state) {
    if (state.heads_as == HeadsAs::scatter) return scatter_tables(snapshot, state);
    const AttentionKind kind = snapshot.focus.head.kind;
    const figure::HeadGrid grid = grid_of(snapshot, state);
    files::Tables tables{{}, {}};
    for (const SlotPicture& slot : snapshot.slots) {
        const figure::MapData data = slot_data(snapshot, slot);
        tables.main.push_back(tables.all.size());
        tables.all.push_back({head_name(slot.head), data.row_labels, data.col_labels, data.values});
    }
    if (grid.maps.empty()) return tables;
    const bool kept = !snapshot.slots.empty();
    const figure::MapData whole = weights_data(snapshot);
    for (std::size_t i = 0; i < grid.maps.size(); ++i) {
        const int place = static_cast<int>(i);
        const auto& map = grid.maps[i];
        if (!kept) tables.main.push_back(tables.all.size());
        tables.all.push_back({head_name({kind, place / grid.heads, place % grid.heads}) +
                                  (kept ? " in the grid" : ""),
                              thumbnail_labels(whole.row_labels, map->rows()),
                              thumbnail_labels(whole.col_labels, map->cols()), map});
    }
    if (!grid.order.empty() && state.head_order != HeadOrder::alike) {
        tables.all.push_back(measure_table(snapshot, grid, state.head_order));
    }
    const auto strip = [&](const std::optional<figure::Strip>& s, const char* name) {
        if (s) tables.all.push_back({name, {}, {}, s->shares});
    };
    if (grid.order.empty()) {
        strip(grid.layer_strip, "layers");
        strip(grid.head_strip, "heads");
    }
    return tables;
}

std::string heads_reading(const Snapshot& s, const ViewState& state) {
    const auto ends = head_ends(s);
    if (const std::string words = shades_told(s, state); !words.empty()) return words;
    if (!ends) return {};
    const int heads = s.run->trace.n_heads(s.focus.head.kind);
    const auto name = [&](std::size_t place) {
        const int at = static_cast<int>(place);
        return trace::head_name(at / heads, at % heads);
    };
    if (!ends->of_effect) {
        return fmt::format("The sharpest is {}, with {:.2f} bits of entropy in a row{}; the "
                           "broadest is {}, with {:.2f}.",
                           name(ends->least), ends->at_least, joins_words(s) ? " of tokens" : "",
                           name(ends->most), ends->at_most);
    }
    return fmt::format(
        "Without {} the model's output changes most, by {} of its norm; without {} least, by {}.",
        name(ends->most), figure::percent_text(ends->at_most), name(ends->least),
        figure::percent_text(ends->at_least));
}

namespace {

std::pair<figure::NeuronsData, figure::NeuronsOptions> neurons_parts(const Snapshot& snapshot,
                                                                     const ViewState& state) {
    const trace::HeadId& head = snapshot.focus.head;
    const auto map = snapshot.run->trace.map(head);
    HEED_CHECK(map.has_value(), "no such head: layer {} head {}", head.layer, head.head);
    const Index queries = map->rows(Stage::weights), keys = map->cols(Stage::weights);
    const Index query =
        query_shown(state, queries, hidden_queries(snapshot.units.get(), head.kind));
    figure::NeuronsData data;
    data.title = shown_title(*snapshot.run, head);
    data.row = std::make_shared<const trace::Neurons>(trace::neurons(*map, query));
    data.key_labels = token_words(snapshot.run->trace.keys(head.kind), keys);
    data.query_label = token_words(row_tokens(snapshot), queries)[static_cast<std::size_t>(query)];
    data.subtitle = fmt::format("query {} “{}” against every key", query + 1, data.query_label);
    figure::NeuronsOptions options;
    options.hidden = hidden_keys(snapshot.units.get(), head.kind);
    data.word_of = word_of_keys(snapshot.units.get(), head.kind);
    data.subtitle += left_out_words(data.row->weights, options.hidden);
    data.subtitle += changes_told(*snapshot.run, {head});
    options.order = state.feature_order;
    options.selected = key_shown(state, keys, options.hidden);
    return {std::move(data), options};
}

/// Requires snapshot.flow.
figure::FlowData flow_data(const Snapshot& snapshot) {
    const AttentionKind kind = snapshot.focus.head.kind;
    figure::FlowData data;
    data.title = std::string(trace::info(kind).phrase);
    const int heads = snapshot.run->trace.n_heads(kind);
    data.heads = heads == 1 ? "one head" : fmt::format("mean of {} heads", heads);
    data.heads += changes_told(*snapshot.run, trace::heads_in(snapshot.run->trace, kind, {}, {}));
    data.heads += special_share_words(snapshot.thumbnails[static_cast<std::size_t>(kind)].get());
    data.flow = snapshot.flow;
    data.title += unit_words(snapshot.units.get());
    data.tokens =
        token_words(Units(snapshot, merges(snapshot)).queries(), snapshot.flow->n_tokens());
    return data;
}

} // namespace

figure::Figure neurons_figure(const Snapshot& snapshot, const ViewState& state,
                              const figure::Frame& frame) {
    const auto [data, options] = neurons_parts(snapshot, state);
    return figure::neurons(data, options, frame);
}

files::Tables neurons_tables(const Snapshot& snapshot, const ViewState& state) {
    const auto [data, options] = neurons_parts(snapshot, state);
    return tables_of(data, options);
}

figure::Figure flow_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame) {
    const AttentionKind kind = snapshot.focus.head.kind;
    if (!snapshot.flow) {
        return figure::sentence_instead(
            std::string(trace::info(kind).phrase) + " · flow",
            kind == AttentionKind::cross
                ? "Flow shows self-attention. Switch to Encoder or Decoder."
                : "The flow of this run is not ready yet.",
            frame);
    }
    figure::FlowOptions options;
    options.numbers = state.numbers;
    return figure::flow(flow_data(snapshot), options, frame);
}

std::string flow_reading(const Snapshot& s, const ViewState&) {
    if (!s.flow || s.flow->n_layers() == 0 || s.flow->n_tokens() < 2) return {};
    num::RowVector<float> input = s.flow->reach.row(0);
    const Units units(s, merges(s));
    const auto name = [&](num::Index i) {
        return quoted_token(units.queries(), i, units.first_query(static_cast<int>(i)));
    };
    const num::Index token = s.flow->token;
    const char* layers = s.flow->n_layers() == 1 ? "the layer" : "all layers";
    const float own = input[token];
    input[token] = -1;
    num::Index other = 0;
    const float most = input.maxCoeff(&other);
    if (!(most > 0)) {
        return fmt::format("All that reaches {0} through {1} began at {0} itself.", name(token),
                           layers);
    }
    return fmt::format("Of what reaches {0} through {1}, {2} began at {0} itself and {3} at {4}, "
                       "the largest other share.",
                       name(token), layers, figure::percent_text(own), figure::percent_text(most),
                       name(other));
}

files::Tables flow_tables(const Snapshot& snapshot, const ViewState&) {
    return snapshot.flow ? tables_of(flow_data(snapshot), {}) : files::Tables{};
}

namespace {

/// "; W s, W s + U k and tanh are of step 3, “ne”": the tiles that are of a single step.
std::string step_words(const Snapshot& s) {
    const std::string word = word_of_parts(s);
    if (word.empty()) return {};
    const char* key = s.run->model->traits().steps->keys_are_states() ? "h" : "k";
    return fmt::format("; W\u00a0s, W\u00a0s\u00a0+\u00a0U\u00a0{} and tanh are of step {}, “{}”",
                       key, s.step->step + 1, word);
}

} // namespace

figure::Figure stages_figure(const Snapshot& snapshot, const ViewState& state,
                             const figure::Frame& frame) {
    std::vector<figure::StageThumbnail> thumbnails;
    int selected = -1;
    const auto cell = read_cell(snapshot, state);
    for (std::size_t i = 0; i < snapshot.strip.size(); ++i) {
        const StripItem& item = snapshot.strip[i];
        if (frame.marks.stage && item.stage == snapshot.focus.stage) selected = static_cast<int>(i);
        thumbnails.push_back({item.label,
                              item.values,
                              item.signed_values,
                              static_cast<int>(i),
                              {state.palette, state.scale},
                              item.rows,
                              item.cols});
        if (item.stage == trace::Stage::weights) thumbnails.back().full = 1; // as the large map
        thumbnails.back().to_next = item.to_next;
        name_card(thumbnails.back(), snapshot, item);
        choose_cell(thumbnails.back(), snapshot, item, cell);
    }
    std::string title = shown_title(*snapshot.run, snapshot.focus.head) + " · stages";
    if (snapshot.units && snapshot.units->hides) title += " · without special tokens";
    title += changes_told(*snapshot.run, {snapshot.focus.head}, Reach::layer);
    fit_titles({{snapshot.focus.head, &title, frame}});
    const bool takes_some = std::ranges::any_of(snapshot.strip, [](const StripItem& item) {
        const bool features = !item.stage || !trace::is_map(*item.stage);
        return features && item.cols > kSampledFeatures;
    });
    const std::string columns =
        takes_some ? fmt::format("; at most {} features drawn", kSampledFeatures) : "";
    return figure::stage_strip(thumbnails, selected, frame, title,
                               "from tokens to the layer's output; rows: " + rows_words(snapshot) +
                                   columns + step_words(snapshot));
}

} // namespace heed::app
