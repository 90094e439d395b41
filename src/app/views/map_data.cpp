#include "app/views/map_data.hpp"

#include "app/engine/masked_cells.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/pictures.hpp"
#include "app/engine/speech.hpp"
#include "app/views/recurrent_views.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "base/check.hpp"
#include "trace/attention_kinds.hpp"
#include "trace/head_names.hpp"
#include "trace/merged.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::app {

using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

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
    const TokenWords* words;              // the units of weights, or null
    const std::vector<text::Token>* said; // as Snapshot::said
    const Thumbnails* heads;              // of the focused kind, or null
};

Shown present(const Snapshot& snapshot) {
    return {*snapshot.run,
            snapshot.focus,
            snapshot.map,
            snapshot.prepared,
            snapshot.faults,
            snapshot.units.get(),
            snapshot.said.get(),
            snapshot.thumbnails[static_cast<std::size_t>(snapshot.focus.head.kind)].get()};
}

/// True where queries are named by what the decoder says there.
bool names_said(const Shown& shown) {
    const AttentionKind kind = shown.focus.head.kind;
    return &row_tokens(shown.run, shown.focus, shown.said, kind) == shown.said;
}

/// What a number of a stage stands between.
std::string meaning(const Shown& shown, Stage stage, Drawn drawn) {
    const std::string rows = drawn == Drawn::cells ? " (rows)" : "";
    const std::string columns = drawn == Drawn::cells ? " (columns)" : "";
    if (!trace::is_map(stage)) {
        return fmt::format("{}{}, features{}", has_key_rows(stage) ? "key" : "query", rows,
                           columns);
    }
    const models::Run& run = shown.run;
    const TokenWords* units = stage_units(stage, shown.words);
    const std::string source = unit_of(run, run.input.source),
                      target = unit_of(run, run.input.target);
    const char* verb = stage == Stage::weights ? "attends to" : "against";
    if (run.model->traits().is_stepwise()) {
        const bool joins = units != nullptr && units->merged;
        return fmt::format("decoder step i{} {} source {} j{}", rows, verb, joins ? "word" : source,
                           columns);
    }
    const bool cross = shown.focus.head.kind == AttentionKind::cross;
    const bool said = names_said(shown);
    if (stage == Stage::weights && cross && (said || shown.said || units)) {
        const bool joins = units != nullptr && units->merged;
        return fmt::format("the {} being {}{} attends to source {}s{}", joins ? "word" : target,
                           said ? "said" : "read", rows, joins ? "word" : source, columns);
    }
    return fmt::format("query{} {} key{}", rows, verb, columns);
}

void label_axes(figure::MapData& data, const Shown& shown, Stage stage) {
    const AttentionKind kind = shown.focus.head.kind;
    const bool of_keys = has_key_rows(stage);
    const TokenWords* units = stage_units(stage, shown.words);
    const auto& queries =
        units ? units->queries(kind).words : row_tokens(shown.run, shown.focus, shown.said, kind);
    const auto& keys = units ? units->keys(kind).words : shown.run.trace.keys(kind);
    data.row_labels = token_words(of_keys ? keys : queries, data.values->rows());
    data.col_labels = trace::is_map(stage) ? token_words(keys, data.values->cols())
                                           : feature_numbers(data.values->cols());
    data.unknown_rows = unknown_places(of_keys ? keys : queries);
    if (trace::is_map(stage)) data.unknown_cols = unknown_places(keys);
    data.row_axis = of_keys ? "key" : "query";
    data.col_axis = trace::is_map(stage) ? "key" : "feature";
    data.weights = stage == Stage::weights;
    data.signed_values = !data.weights;
}

/// True where `holds` is for any query that a row is of: one, or the pieces of a word.
template <class Holds> bool any_piece(const text::Words* words, Index row, Holds holds) {
    if (words == nullptr) return holds(row);
    const auto word = static_cast<std::size_t>(row);
    for (std::size_t token = words->first[word]; token < words->end(word); ++token) {
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
figure::MapData combined_data(const Shown& shown, std::string subtitle) {
    figure::MapData data;
    data.title = focus_title(shown.run.trace, shown.focus);
    data.title += unit_words(shown.words);
    data.subtitle = std::move(subtitle);
    const AttentionKind kind = shown.focus.head.kind;
    const auto heads =
        trace::heads_in(shown.run.trace, kind, shown.focus.layers, shown.focus.heads);
    data.subtitle += changes_told(shown.run, heads);
    data.values = shown.map;
    data.prepared = shown.prepared;
    label_axes(data, shown, Stage::weights);
    data.sums = shown.focus.combine == trace::Combine::sum;
    for (Index i = 0; i < data.values->rows(); ++i) {
        if (data.values->row(i).sum() == 0) data.rows_without_distribution.push_back(i);
    }
    data.masked =
        masked_cells(shown.run.trace, heads, shown.words ? &shown.words->queries(kind) : nullptr,
                     shown.words ? &shown.words->keys(kind) : nullptr);
    note_faults(data, shown);
    return data;
}

/// Notes rows that a person set by hand, and those that do not hold what weights promise.
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

/// One stage of the focused head with its labels.
figure::MapData stage_data(const Shown& shown, Stage stage, std::string subtitle) {
    const trace::HeadId& head = shown.focus.head;
    const auto map = shown.run.trace.map(head);
    HEED_CHECK(map.has_value(), "no such head: layer {} head {}", head.layer, head.head);
    figure::MapData data;
    data.title = shown_title(shown.run, head) + stage_words(shown.run, head, stage);
    const TokenWords* units = stage_units(stage, shown.words);
    const bool merged = units != nullptr;
    data.title += unit_words(units);
    data.subtitle = std::move(subtitle);
    if (const std::string context = context_words(shown.run); !context.empty()) {
        data.subtitle += " · " + context;
    }
    if (shown.words != nullptr && shown.words->merged && stage != Stage::weights) {
        data.subtitle += " · between tokens: only weights merge";
    }
    data.subtitle += changes_told(shown.run, {head});
    const bool ready = stage == shown.focus.stage && !shown.focus.combine && shown.map;
    data.values = ready ? shown.map
                        : std::make_shared<const Matrix<float>>(
                              between_units(*map, stage, shown.words));
    if (ready) data.prepared = shown.prepared;
    label_axes(data, shown, stage);
    const text::Words* words = merged ? &units->queries(head.kind) : nullptr;
    if (stage == Stage::weights) note_rows(data, *map, shown.faults, words);
    if (stage == Stage::weights || stage == Stage::masked) {
        for (Index i = 0; i < data.values->rows(); ++i) {
            const bool any =
                any_piece(words, i, [&](Index query) { return map->has_distribution(query); });
            if (!any) data.rows_without_distribution.push_back(i);
        }
        const text::Words* keys = merged ? &units->keys(head.kind) : nullptr;
        data.masked = masked_cells(*map, words, keys);
    }
    return data;
}

bool has_states_alone(const models::Run& run, const Focus& focus) {
    return run.trace.n_layers(focus.head.kind) == 0;
}

/// Map of a model without attention: the states that its words are said from.
figure::MapData states_data(const models::Run& run) {
    const trace::Trace& trace = run.trace;
    auto states = trace.tensor("decoder.states");
    const auto& words = states ? trace.target : trace.source;
    if (!states) states = trace.tensor("encoder.states");
    HEED_CHECK(states != nullptr, "a run without attention and without states");
    figure::MapData data;
    data.title = "States";
    const std::string unit = unit_of(run, words);
    data.subtitle = fmt::format("{} (rows), features (columns)", unit);
    data.values = states->values.matrix();
    data.row_labels = token_words(words, states->values.rows());
    data.col_labels = feature_numbers(states->values.cols());
    data.row_axis = unit;
    data.col_axis = "feature";
    data.weights = false;
    data.signed_values = true;
    return data;
}

figure::MapData focused_data(const Shown& shown) {
    if (has_states_alone(shown.run, shown.focus)) return states_data(shown.run);
    if (shown.focus.combine)
        return combined_data(shown, meaning(shown, Stage::weights, Drawn::cells));
    return stage_data(shown, shown.focus.stage, meaning(shown, shown.focus.stage, Drawn::cells));
}

} // namespace

std::vector<std::string> token_words(const std::vector<text::Token>& tokens, Index count) {
    std::vector<std::string> words;
    for (const text::Token& token : tokens) words.push_back(token.text);
    words.resize(static_cast<std::size_t>(count)); // should a trace name fewer than it has rows
    return words;
}

std::vector<int> unknown_places(const std::vector<text::Token>& tokens) {
    std::vector<int> places;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens[i].known) places.push_back(static_cast<int>(i));
    }
    return places;
}

bool shows_states(const Snapshot& snapshot) {
    return has_states_alone(*snapshot.run, snapshot.focus);
}

bool shows_pairs(const Snapshot& snapshot) {
    if (shows_states(snapshot)) return false;
    return snapshot.focus.combine || trace::is_map(snapshot.focus.stage);
}

bool shows_multiplied(const Snapshot& snapshot) {
    return snapshot.multiplied && !snapshot.reference;
}

std::string stage_words(const models::Run& run, const trace::HeadId& head, Stage stage) {
    const bool stepwise = run.model->traits().is_stepwise();
    const auto map = run.trace.map(head);
    if (!map || stage == Stage::weights) return {};
    if (stepwise && stage == Stage::scores) return " · scores eᵢⱼ";
    return " · " + stage_label(stage, *map, stepwise);
}

std::string times_words(const Focus& focus) {
    return focus.times == Times::value ? "× ‖v‖" : "× ‖v Wₒ‖";
}

figure::MapData map_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no map");
    figure::MapData data = focused_data(present(snapshot));
    if (!shows_multiplied(snapshot)) return data;
    data.title += " · weights " + times_words(snapshot.focus);
    data.subtitle += " · Kobayashi et al. 2020";
    data.values = snapshot.multiplied;
    data.prepared = snapshot.prepared_multiplied;
    data.weights = false;
    return data;
}

figure::MapData weights_data(const Snapshot& snapshot, bool combined) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no map");
    const Shown shown = present(snapshot);
    std::string words = meaning(shown, Stage::weights, Drawn::links);
    return combined ? combined_data(shown, std::move(words))
                    : stage_data(shown, Stage::weights, std::move(words));
}

std::string weights_meaning(const Snapshot& snapshot, Drawn drawn) {
    return meaning(present(snapshot), Stage::weights, drawn);
}

figure::MapData stage_data(const Snapshot& snapshot, Stage stage) {
    HEED_CHECK(snapshot.run != nullptr, "a snapshot without a run has no map");
    Focus focus{snapshot.focus.head, stage};
    focus.rows_read = snapshot.focus.rows_read;
    const std::shared_ptr<const Matrix<float>> no_map;
    const std::shared_ptr<const figure::PreparedMap> none_prepared;
    const Shown shown{*snapshot.run,       focus,           no_map,
                      none_prepared,       snapshot.faults, token_units(snapshot),
                      snapshot.said.get(), nullptr};
    return stage_data(shown, stage, meaning(shown, stage, Drawn::cells));
}

figure::MapData slot_data(const Snapshot& snapshot, const SlotPicture& slot) {
    Focus focus{slot.head};
    focus.rows_read = snapshot.focus.rows_read;
    const Shown shown{*snapshot.run,       focus,       slot.map,
                      slot.prepared,       slot.faults, snapshot.units.get(),
                      snapshot.said.get(), nullptr};
    figure::MapData data = stage_data(shown, Stage::weights, "");
    data.title = fmt::format("{} {}", trace::info(slot.head.kind).title,
                             trace::head_number(slot.head.layer, slot.head.head));
    if (data.subtitle.starts_with(" · ")) data.subtitle.erase(0, 4);
    return data;
}

figure::MapData reference_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.reference && snapshot.reference->run, "there is no reference");
    const ReferencePicture& reference = *snapshot.reference;
    figure::MapData data =
        focused_data({*reference.run, reference.focus, reference.map, reference.prepared,
                      reference.faults, reference.units.get(), reference.said.get(), nullptr});
    data.title += " · " + reference.asked.name;
    return data;
}

namespace {

/// "pas / pomme": what stands at a place now, and in the reference. True where any differ.
bool name_both(std::vector<std::string>& now, const std::vector<std::string>& then) {
    bool differ = false;
    for (std::size_t i = 0; i < std::min(now.size(), then.size()); ++i) {
        if (now[i] == then[i]) continue;
        now[i] += " / " + then[i];
        differ = true;
    }
    return differ;
}

/// The cells that neither state can look at: what both have by ascending rows.
std::vector<figure::CellRun> masked_in_both(const std::vector<figure::CellRun>& now,
                                            const std::vector<figure::CellRun>& then) {
    std::vector<figure::CellRun> both;
    auto other = then.begin();
    for (const figure::CellRun& run : now) {
        while (other != then.end() && other->row < run.row) ++other;
        for (auto at = other; at != then.end() && at->row == run.row; ++at) {
            const auto first = std::max(run.first, at->first), last = std::min(run.last, at->last);
            if (first < last) both.push_back({run.row, first, last});
        }
    }
    return both;
}

/// The cells of `runs` that are not among `others`.
std::vector<figure::CellRun> masked_without(const std::vector<figure::CellRun>& runs,
                                            const std::vector<figure::CellRun>& others) {
    std::vector<figure::CellRun> rest;
    for (const figure::CellRun& run : runs) {
        auto first = run.first;
        for (const figure::CellRun& other : others) {
            if (other.row != run.row || other.last <= first || other.first >= run.last) continue;
            if (first < other.first) rest.push_back({run.row, first, other.first});
            first = other.last;
        }
        if (first < run.last) rest.push_back({run.row, first, run.last});
    }
    return rest;
}

/// Strikes the cells that one of the two states alone masks.
void strike_masked_in_one(figure::MapData& data, const std::vector<figure::CellRun>& now,
                          const std::vector<figure::CellRun>& then, const std::string& name) {
    data.struck = masked_without(now, then);
    const auto of_then = masked_without(then, now);
    data.struck_words = of_then.empty()       ? "masked now"
                        : data.struck.empty() ? "masked in " + name
                                              : "masked in one of both";
    data.struck.insert(data.struck.end(), of_then.begin(), of_then.end());
    std::ranges::sort(data.struck, {}, &figure::CellRun::row);
}

} // namespace

std::optional<figure::MapData> difference_data(const Snapshot& snapshot) {
    HEED_CHECK(snapshot.reference && snapshot.reference->run, "there is no reference");
    if (!snapshot.reference->difference) return std::nullopt;
    figure::MapData data = map_data(snapshot);
    const figure::MapData reference = reference_data(snapshot);
    const std::string name = " · " + snapshot.reference->asked.name; // what its title ends with
    data.values = snapshot.reference->difference;
    data.prepared = snapshot.reference->prepared_difference;
    const bool alike = reference.title == data.title + name;
    data.subtitle =
        (data.values->array() == 0).all()
            ? no_difference_words(snapshot)
            : "now − " +
                  reference_named(snapshot, alike ? std::string()
                                                  : reference.title.substr(
                                                        0, reference.title.size() - name.size()));
    if (!snapshot.focus.combine) {
        data.subtitle += changes_told(*snapshot.run, {snapshot.focus.head});
    }
    const bool of_rows = name_both(data.row_labels, reference.row_labels);
    if (name_both(data.col_labels, reference.col_labels) || of_rows) {
        data.subtitle += " · a / b: now a, b in " + snapshot.reference->asked.name;
    }
    data.weights = false;
    data.signed_values = data.difference = true;
    data.rows_without_distribution.clear();
    strike_masked_in_one(data, data.masked, reference.masked, snapshot.reference->asked.name);
    data.masked = masked_in_both(data.masked, reference.masked);
    return data;
}

} // namespace heed::app
