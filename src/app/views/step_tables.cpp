// The tables of models that go step by step: a step, the steps unrolled, a beam; and
// those of stages, with the names of their rows.
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/figure_tables.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "trace/attention_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace heed::app {

using files::Table;
using files::Tables;
using num::Index;
using num::Matrix;
using num::RowVector;

namespace {

std::shared_ptr<const Matrix<float>> as_row(const RowVector<float>& values) {
    return std::make_shared<const Matrix<float>>(values);
}

/// One vector under its name; nothing where it is empty.
void add_vector(Tables& tables, const std::string& name, const RowVector<float>& values) {
    if (values.size() == 0) return;
    tables.all.push_back({name, {name}, counted_labels(values.size()), as_row(values)});
}

/// Source words with their scores and weights, the states that they are of, and what is read.
void add_attention(Tables& tables, const figure::DecoderStepData& data) {
    const trace::DecoderStep& step = *data.step;
    if (!step.row) return;
    const trace::Neurons& row = *step.row;
    const std::vector<int> shown = without(data.hidden, row.n_keys());
    const std::vector<std::string> source = labels_of(data.source, shown);
    auto numbers = std::make_shared<Matrix<float>>(row.n_keys(), 2);
    auto weighted = std::make_shared<Matrix<float>>(step.weighed());
    for (Index j = 0; j < row.n_keys(); ++j) {
        const auto at = static_cast<std::size_t>(j);
        numbers->row(j) << step.scores()[at], row.weights[at];
        weighted->row(j) *= row.weights[at];
    }
    const auto keys = rows_of(step.keys(), shown);
    const auto features = [](const Matrix<float>& m) { return counted_labels(m.cols()); };
    tables.all.push_back({"attention", source, {"score", "weight"}, rows_of(*numbers, shown)});
    if (step.head) add_vector(tables, "query", step.query);
    tables.all.push_back({step.head ? "keys" : "states", source, features(*keys), keys});
    tables.all.push_back({"weighted", source, features(*weighted), rows_of(*weighted, shown)});
    add_vector(tables, "context", step.context);
    if (data.updates_first) add_vector(tables, "context before", step.context_before);
}

void add_cells(Tables& tables, const trace::DecoderStep& step) {
    Table sizes{"mean size", {}, {"mean |x|"}, nullptr};
    std::vector<float> means;
    const auto add = [&](const std::string& name, const RowVector<float>& values) {
        if (values.size() == 0) return;
        add_vector(tables, name, values);
        sizes.rows.push_back(name);
        means.push_back(values.cwiseAbs().mean());
    };
    for (std::size_t l = 0; l < step.layers.size(); ++l) {
        const trace::StepLayer& layer = step.layers[l];
        const std::string of = step.layers.size() == 1 ? "" : fmt::format(" of layer {}", l + 1);
        add_vector(tables, "state before" + of, layer.before);
        for (const trace::StepGate& gate : layer.gates) {
            add("gate " + gate.name + of, gate.values);
        }
        add("memory" + of, layer.memory_after);
        add((step.head ? "output" : "state") + of, layer.after);
    }
    sizes.values = std::make_shared<const Matrix<float>>(
        Eigen::Map<const Matrix<float>>(means.data(), std::ssize(means), 1));
    tables.all.push_back(std::move(sizes));
}

} // namespace

Tables tables_of(const figure::DecoderStepData& data) {
    Tables tables;
    if (!data.step) return tables;
    if (!data.words.empty()) {
        Table words{"words", {}, {"probability"}, nullptr};
        auto values = std::make_shared<Matrix<float>>(std::ssize(data.words) + 1, 1);
        for (std::size_t i = 0; i < data.words.size(); ++i) {
            words.rows.push_back(data.words[i].word);
            (*values)(static_cast<Index>(i), 0) = data.words[i].probability;
        }
        words.rows.push_back(data.others);
        (*values)(std::ssize(data.words), 0) = data.rest;
        words.values = std::move(values);
        tables.all.push_back(std::move(words));
    }
    add_attention(tables, data);
    add_vector(tables, data.step->head ? "decoder input" : "word before", data.step->embedded);
    add_cells(tables, *data.step);
    add_vector(tables, data.step->head ? "decoder output" : "output", data.step->output);
    // What a step is about is what it reads, or else what it says.
    for (std::size_t i = 0; i < tables.all.size(); ++i) {
        if (tables.all[i].name == "attention") tables.main = {i};
    }
    return tables;
}

namespace {

/// The rows of cells of one side, the lowest first, with the words of their steps.
void add_side(Tables& tables, const figure::UnrolledSide& side) {
    const bool one_word = side.said.size() == 1 && side.steps() > 1;
    const auto& words = side.said.empty() || one_word ? side.read : side.said;
    for (const figure::UnrolledCells& cells : side.rows) {
        const std::string name = side.name + " " + cells.name;
        tables.all.push_back({name, words, counted_labels(cells.states->cols()), cells.states});
        add_vector(tables, name + " before the first step", cells.start);
    }
    if (!side.contexts) return;
    tables.all.push_back({"contexts", words, counted_labels(side.contexts->cols()), side.contexts});
}

} // namespace

Tables tables_of(const figure::UnrolledData& data) {
    Tables tables;
    if (data.encoder) add_side(tables, *data.encoder);
    const std::size_t first = tables.all.size();
    if (data.decoder) add_side(tables, *data.decoder);
    if (tables.all.size() > first) tables.main = {first};
    if (data.weights.size() > 0 && data.encoder) {
        tables.all.push_back({"weights of the step",
                              {"weights of the step"},
                              data.encoder->read,
                              as_row(data.weights)});
    }
    return tables;
}

Tables tables_of(const figure::BeamTreeData& data) {
    Tables tables;
    if (!data.beam || data.beam->nodes.empty()) return tables;
    const trace::Beam& beam = *data.beam;
    Table kept{"words", {}, {"step", "parent", "log-probability", "total"}, nullptr};
    auto nodes = std::make_shared<Matrix<float>>(std::ssize(beam.nodes), 4);
    for (std::size_t i = 0; i < beam.nodes.size(); ++i) {
        const trace::BeamNode& node = beam.nodes[i];
        kept.rows.push_back(node.word);
        // Rows count from 1; 0 is the start.
        nodes->row(static_cast<Index>(i)) << static_cast<float>(node.step + 1),
            static_cast<float>(node.parent + 1), node.log_probability, node.total;
    }
    kept.values = std::move(nodes);
    tables.all.push_back(std::move(kept));

    Table found{"hypotheses", {}, {"total", "words", "last row", "shown"}, nullptr};
    auto values = std::make_shared<Matrix<float>>(std::ssize(beam.hypotheses), 4);
    for (std::size_t h = 0; h < beam.hypotheses.size(); ++h) {
        const auto path = beam.path(static_cast<int>(h));
        std::string words;
        for (const int node : path) {
            words += (words.empty() ? "" : " ") + beam.nodes[static_cast<std::size_t>(node)].word;
        }
        found.rows.push_back(std::move(words));
        const float total =
            path.empty() ? 0 : beam.nodes[static_cast<std::size_t>(path.back())].total;
        values->row(static_cast<Index>(h)) << total, static_cast<float>(path.size()),
            static_cast<float>(beam.hypotheses[h] + 1),
            static_cast<int>(h) == beam.followed ? 1.f : 0.f;
    }
    found.values = std::move(values);
    tables.all.push_back(std::move(found));
    return tables;
}

std::string word_of_parts(const Snapshot& s) {
    if (!s.step || !s.step->additive || !s.run->model->traits().is_stepwise()) return {};
    const auto& said = s.run->trace.target;
    const auto at = static_cast<std::size_t>(s.step->step);
    return at < said.size() ? said[at].text : std::string();
}

std::vector<text::Token> stage_rows(const Snapshot& s, const StripItem& item) {
    if (item.rows_are == StripRows::step) return {text::Token{word_of_parts(s)}};
    if (item.rows_are == StripRows::read) { // by itself, whatever the step says then
        const auto& words = s.run->trace.queries(s.focus.head.kind);
        std::vector<text::Token> shown;
        for (const int i :
             without(hidden_read(s.units.get(), s.focus.head.kind), std::ssize(words)))
            shown.push_back(words[static_cast<std::size_t>(i)]);
        return shown;
    }
    const TokenWords* units = item.stage ? stage_units(*item.stage, s.units.get()) : token_units(s);
    const Units shown(s, units);
    return item.rows_are == StripRows::keys ? shown.keys() : shown.queries();
}

void name_card(figure::StageThumbnail& card, const Snapshot& s, const StripItem& item) {
    const auto rows = stage_rows(s, item);
    card.row_names = token_words(rows);
    card.unknown_rows = unknown_places(rows);
    if (!item.stage || !trace::is_map(*item.stage)) return;
    const Units units(s, stage_units(*item.stage, s.units.get()));
    card.col_names = token_words(units.keys());
    card.unknown_cols = unknown_places(units.keys());
}

std::string rows_words(const Snapshot& s) {
    if (joins_words(s)) return "tokens, in softmax words";
    const bool reads = std::ranges::count(s.strip, StripRows::read, &StripItem::rows_are) > 0;
    const bool same =
        token_words(row_tokens(s)) == token_words(s.run->trace.queries(s.focus.head.kind));
    if (!reads || same) return "tokens";
    if (s.focus.head.kind != trace::AttentionKind::cross)
        return "tokens read, from Q on (but for K and V) tokens said";
    return "tokens read, from Q on tokens said, in K and V source tokens";
}

std::optional<std::pair<num::Index, num::Index>> read_cell(const Snapshot& s,
                                                           const ViewState& state) {
    const auto map = s.run->trace.map(s.focus.head);
    if (!map || map->rows(trace::Stage::weights) == 0 || map->cols(trace::Stage::weights) == 0)
        return {};
    const num::Index query = query_shown(state, map->rows(trace::Stage::weights),
                                         hidden_queries(s.units.get(), s.focus.head.kind));
    const auto hidden = hidden_keys(s.units.get(), s.focus.head.kind);
    const num::Index keys = map->cols(trace::Stage::weights);
    if (const auto key = key_shown(state, keys, hidden)) return std::pair{query, num::Index{*key}};
    Matrix<float> row = map->rectangle(trace::Stage::weights, {query, 0, 1, keys});
    for (const int key : hidden) row(0, key) = -1;
    num::Index key = 0;
    row.row(0).maxCoeff(&key);
    return std::pair{query, key};
}

void choose_cell(figure::StageThumbnail& card, const Snapshot& s, const StripItem& item,
                 const std::optional<std::pair<num::Index, num::Index>>& cell) {
    if (!cell) return;
    if (item.rows_are == StripRows::step) {
        if (s.step && s.step->step == cell->first) card.row = 0;
        return;
    }
    const Units units(s, item.stage ? stage_units(*item.stage, s.units.get()) : token_units(s));
    if (units.keys().empty() || units.queries().empty()) return;
    const auto unit_of = [](num::Index token, num::Index count, const auto& first) {
        num::Index unit = count - 1;
        while (unit > 0 && first(static_cast<int>(unit)) > token) --unit;
        return static_cast<int>(unit);
    };
    const int key = unit_of(cell->second, std::ssize(units.keys()),
                            [&](int unit) { return units.first_key(unit); });
    const int query = unit_of(cell->first, std::ssize(units.queries()),
                              [&](int unit) { return units.first_query(unit); });
    card.row = item.rows_are == StripRows::keys ? key : query;
    if (item.rows_are == StripRows::read) {
        const auto read = without(hidden_read(s.units.get(), s.focus.head.kind),
                                  std::ssize(s.run->trace.queries(s.focus.head.kind)));
        const auto place = std::ranges::find(read, static_cast<int>(cell->first));
        card.row.reset(); // of a token that is hidden
        if (place != read.end()) card.row = static_cast<int>(place - read.begin());
    }
    if (item.rows_are == StripRows::read_next) {
        const auto before = static_cast<int>(cell->first) - 1;
        card.row.reset(); // of the start, and of a token that is hidden
        if (before >= 0 && units.shows_query(before)) card.row = units.of_query(before);
    }
    if (item.stage && trace::is_map(*item.stage)) card.col = key;
}

files::Tables stages_tables(const Snapshot& snapshot, const ViewState&) {
    files::Tables tables;
    for (const StripItem& item : snapshot.strip) {
        if (item.stage == snapshot.focus.stage) tables.main = {tables.all.size()};
        if (!item.stage) {
            auto rows = token_words(stage_rows(snapshot, item));
            if (std::ssize(rows) != item.whole->rows()) rows.clear();
            tables.all.push_back(
                {item.label, std::move(rows), counted_labels(item.whole->cols()), item.whole});
            continue;
        }
        const figure::MapData data = stage_data(snapshot, *item.stage);
        tables.all.push_back(
            {std::string(trace::name(*item.stage)), data.row_labels, data.col_labels, data.values});
    }
    return tables;
}

} // namespace heed::app
