#include "app/views/recurrent_views.hpp"

#include "app/engine/measures.hpp"
#include "app/engine/merging.hpp"
#include "app/engine/speech.hpp"
#include "app/views/figure_tables.hpp"
#include "app/views/map_data.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/sheet.hpp"
#include "figure/views/beam_tree.hpp"
#include "figure/views/decoder_step.hpp"
#include "figure/views/unrolled.hpp"
#include "nn/attention/score_info.hpp"
#include "num/equal.hpp"
#include "trace/beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::app {

using num::Index;

namespace {

std::string capitals(std::string_view name) {
    std::string words(name);
    for (char& letter : words) letter = static_cast<char>(letter - 'a' + 'A');
    return words;
}

std::string word_at(const std::vector<text::Token>& tokens, Index at, const char* before) {
    if (at < 0) return before;
    return static_cast<std::size_t>(at) < tokens.size() ? tokens[static_cast<std::size_t>(at)].text
                                                        : std::string();
}

/// e with the letters of the picture.
std::string score_formula(const trace::DecoderStep& step, const models::Stepwise& steps) {
    const bool updates_first = steps.order == models::StepOrder::update_first;
    const std::string s = updates_first ? "sᵢ" : "sᵢ₋₁";
    const std::string k = steps.keys_are_states() ? "hⱼ" : "kⱼ";
    return nn::formula(nn::info(step.row->score).column_formula, s, k);
}

/// Formula of what a head's softmax reads, with the letters of the picture.
std::string score_formula(const trace::AttentionMap& map, const trace::Neurons& row) {
    const trace::HeadSettings& settings = map.head().settings;
    std::string words = nn::formula(nn::info(row.score).row_formula, "qᵢ", "kⱼ");
    const double root = std::sqrt(static_cast<double>(map.attention().d_k()));
    if (std::abs(settings.gamma * root - 1) < 1e-5) {
        words += " ÷ √dₖ";
    } else if (settings.gamma != 1) {
        words += fmt::format(" × {:.3g}", settings.gamma);
    }
    if (settings.softcap > 0) {
        words = fmt::format("{0:g} tanh({1} ÷ {0:g})", settings.softcap, words);
    }
    if (row.biased) words += " + bias of positions";
    return words;
}

std::string projection_words(models::Projection projection) {
    switch (projection) {
    case models::Projection::none: return {};
    case models::Projection::one: return "kⱼ = vⱼ = hⱼ K";
    case models::Projection::two: return "kⱼ = hⱼ K, vⱼ = hⱼ V";
    }
    return {};
}

std::vector<figure::DecoderStepData::Word> words_of(const SpokenStep& spoken, float& rest) {
    std::vector<figure::DecoderStepData::Word> words;
    bool listed = false;
    for (const SaidWord& word : spoken.likeliest) {
        const bool said = word.row == spoken.said.row;
        listed = listed || said;
        words.push_back({word.word, word.probability, said, word.can_be_said});
    }
    rest = spoken.rest;
    if (!listed) { // so it has none of the listed rows
        words.push_back({spoken.said.word, spoken.said.probability, true, true});
        rest = std::max(0.f, rest - spoken.said.probability);
    }
    return words;
}

void add_changes(std::string& subtitle, const Snapshot& snapshot) {
    if (!snapshot.run->trace.map(snapshot.focus.head)) return;
    constexpr std::size_t kDot = std::string_view(" · ").size();
    const std::string told = changes_told(*snapshot.run, {snapshot.focus.head}, Reach::said);
    subtitle += subtitle.empty() && !told.empty() ? told.substr(kDot) : told;
}

/// Values of a tensor that is there; shared with the trace.
std::shared_ptr<const Matrix<float>> values_of(const trace::Trace& trace, const std::string& name) {
    const auto tensor = trace.tensor(name);
    return tensor ? tensor->values.matrix() : nullptr;
}

figure::UnrolledSide encoder_side(const models::Run& run, const models::Stepwise& cells) {
    const trace::Trace& trace = run.trace;
    const Index width = run.model->traits().width;
    figure::UnrolledSide side;
    side.name = "encoder";
    const Index directions = cells.bidirectional ? 2 : 1;
    for (int layer = 0; layer < cells.layers; ++layer) {
        const bool last = layer + 1 == cells.layers;
        const auto states =
            values_of(trace, last ? "encoder.states" : fmt::format("encoder.l{}.states", layer));
        if (!states) continue;
        for (Index d = 0; d < directions; ++d) {
            figure::UnrolledCells row;
            row.reversed = d == 1;
            row.name = fmt::format(
                "{}{}", cells.layers > 1 ? fmt::format("h layer {}", layer + 1) : std::string("h"),
                directions == 1 ? ""
                : d == 1        ? " ←"
                                : " →");
            row.states =
                std::make_shared<const Matrix<float>>(states->middleCols(d * width, width));
            side.rows.push_back(std::move(row));
        }
    }
    const Index steps = side.rows.empty() ? 0 : side.rows[0].states->rows();
    side.read = token_words(trace.source, steps);
    return side;
}

figure::UnrolledSide decoder_side(const trace::Trace& trace, const models::Stepwise& cells) {
    figure::UnrolledSide side;
    side.name = "decoder";
    for (int layer = 0; layer < cells.layers; ++layer) {
        const bool last = layer + 1 == cells.layers;
        const std::string name = last ? "decoder.states" : fmt::format("decoder.l{}.states", layer);
        const auto before = trace.tensor(name + "_before");
        figure::UnrolledCells row;
        row.states = values_of(trace, name);
        if (!row.states || !before) continue;
        row.name = cells.layers > 1 ? fmt::format("s layer {}", layer + 1) : "s";
        row.start = before->values.row(0);
        side.rows.push_back(std::move(row));
    }
    const Index steps = side.steps();
    side.said = token_words(trace.target, steps);
    for (Index i = 0; i < steps; ++i) side.read.push_back(word_at(trace.target, i - 1, "⟨start⟩"));
    if (const auto attention = trace.attention(trace::AttentionKind::cross, 0)) {
        side.contexts = attention->context.matrix();
        side.updates_first = cells.order == models::StepOrder::update_first;
    }
    return side;
}

std::string shape_words(models::Shape shape) {
    switch (shape) {
    case models::Shape::n_to_m: return "N → M";
    case models::Shape::n_to_n: return "N → N: one word for each";
    case models::Shape::n_to_one: return "N → 1: one word for all";
    case models::Shape::one_to_n: return "1 → N: from one word";
    }
    return {};
}

} // namespace

int step_shown(const Snapshot& snapshot, const ViewState& state) {
    return row_or_first(state.selected ? state.selected->first : -1,
                        std::ssize(snapshot.run->trace.target),
                        hidden_queries(snapshot.units.get(), trace::AttentionKind::decoder_self));
}

int first_searched_row(const trace::Trace& trace) {
    if (!trace.beam || trace.beam->hypotheses.empty()) return 0;
    const std::vector<int> path = trace.beam->path(trace.beam->followed);
    const bool ended =
        !path.empty() && trace.beam->nodes[static_cast<std::size_t>(path.back())].ended;
    const Index said = std::ssize(path) + (ended ? 0 : 1); // the last word is read once more
    return static_cast<int>(std::max<Index>(std::ssize(trace.target) - said, 0));
}

namespace {

/// Describes what is of a recurrent model alone.
void describe_cell(figure::DecoderStepData& data, const Snapshot& snapshot,
                   const models::Stepwise& steps) {
    const trace::Trace& trace = snapshot.run->trace;
    data.updates_first = steps.order == models::StepOrder::update_first;
    data.cell = capitals(nn::name(steps.cell));
    data.source = token_words(trace.source, std::ssize(trace.source));
    data.before = word_at(trace.target, data.step->step - 1, "⟨start⟩");
    data.title = fmt::format(" · “{}”", word_at(trace.target, data.step->step, ""));
    if (!data.step->row) return;
    data.score = score_formula(*data.step, steps);
    data.projection = projection_words(steps.projection);
    data.subtitle = "; j = source position";
}

/// Describes what is of a transformer alone: a row reads its token, and says what comes after it.
void describe_head(figure::DecoderStepData& data, const Snapshot& snapshot) {
    const trace::Trace& trace = snapshot.run->trace;
    const trace::HeadId& head = *data.step->head;
    const char* keys = head.kind == trace::AttentionKind::cross ? "source position"
                       : snapshot.run->model->traits().encodes  ? "target position"
                                                                : "position";
    data.cell = "Layers";
    data.source = token_words(trace.keys(head.kind), data.step->row->n_keys());
    data.before = word_at(trace.target, data.step->step, "");
    data.score = score_formula(*trace.map(head), *data.step->row);
    if (const SpokenStep* spoken = spoken_at(snapshot, data.step->step)) {
        data.title = fmt::format(" · “{}”", spoken->said.word);
    }
    data.subtitle = fmt::format("; j = {} · {}", keys, head_title(head));
}

/// Said of what is written for a model that reads one word.
std::string only_first_read(const models::Run& run) {
    if (!run.model->traits().reads_one_word || run.input.source.size() < 2) return {};
    return fmt::format(" · only the first source {} is read", unit_of(run, run.input.source));
}

/// The keys whose weights of this step are set by hand.
std::vector<int> edited_keys(const trace::DecoderStep& step, const trace::Trace& trace) {
    std::vector<int> keys;
    const auto map =
        trace.map(step.head.value_or(trace::HeadId{trace::AttentionKind::cross, 0, 0}));
    if (!map) return keys;
    for (const nn::WeightEdit& edit : nn::edits_of(map->head().settings.edits, step.step))
        keys.push_back(static_cast<int>(edit.key));
    std::ranges::sort(keys);
    return keys;
}

figure::DecoderStepData step_data(const Snapshot& snapshot, const ViewState& state) {
    const auto& steps = snapshot.run->model->traits().steps;
    const trace::Trace& trace = snapshot.run->trace;
    figure::DecoderStepData data;
    // While the engine makes the chosen one ready, the one before stays.
    data.step = snapshot.step
                    ? snapshot.step
                    : trace::decoder_step(trace, step_shown(snapshot, state), snapshot.focus.head);
    if (!data.step) return data;
    if (steps) describe_cell(data, snapshot, *steps);
    if (data.step->head) describe_head(data, snapshot);
    const num::Index at = data.step->step + 1;
    if (const SpokenStep* spoken = spoken_at(snapshot, data.step->step)) {
        data.words = words_of(*spoken, data.rest);
        data.others = others_of(*snapshot.run);
    }
    data.title = fmt::format("Step {} of {}{}", at, data.step->n_steps, data.title);
    data.subtitle = fmt::format("i = {}{}", at, data.subtitle);
    if (data.step->row) {
        const auto kind = data.step->head ? data.step->head->kind : trace::AttentionKind::cross;
        data.hidden = hidden_keys(snapshot.units.get(), kind);
        data.word_of = word_of_keys(snapshot.units.get(), kind);
        data.edited = edited_keys(*data.step, trace);
        data.subtitle += left_out_words(data.step->row->weights, data.hidden);
    }
    if (const std::string context = context_words(*snapshot.run); !context.empty()) {
        data.subtitle += " · " + context;
    }
    data.subtitle += only_first_read(*snapshot.run);
    add_changes(data.subtitle, snapshot);
    return data;
}

std::pair<figure::UnrolledData, figure::UnrolledOptions> unrolled_parts(const Snapshot& snapshot,
                                                                        const ViewState& state) {
    const models::Run& run = *snapshot.run;
    const models::Traits& traits = run.model->traits();
    const auto& steps = traits.steps;
    figure::UnrolledData data;
    figure::UnrolledOptions options;
    if (!steps) return {data, options};
    options.step = step_shown(snapshot, state);
    options.word = key_shown(state, std::ssize(run.trace.source));
    if (traits.encodes) data.encoder = encoder_side(run, *steps);
    if (traits.decodes) {
        data.decoder = decoder_side(run.trace, *steps);
    } else {
        data.encoder->said = token_words(run.trace.target, std::ssize(run.trace.target));
    }
    if (traits.output == models::Output::one_word) options.step.reset(); // it has one word alone
    if (!traits.encodes) data.seed = word_at(run.trace.source, 0, "");
    if (snapshot.step && snapshot.step->row) { // while the engine makes another, this one stays
        const auto& weights = snapshot.step->row->weights;
        options.step = static_cast<int>(snapshot.step->step);
        if (steps->context == models::Context::last) {
            data.last_read = static_cast<int>(last_read(run));
        } else {
            data.weights =
                Eigen::Map<const num::RowVector<float>>(weights.data(), std::ssize(weights));
        }
    }
    data.title = "Unrolled · " + shape_words(steps->shape);
    data.subtitle = capitals(nn::name(steps->cell));
    if (steps->shape == models::Shape::n_to_m) {
        data.subtitle += fmt::format(" · tokens: N = {} read, M = {} said", run.trace.source.size(),
                                     run.trace.target.size());
    }
    data.subtitle += " · each row is one cell, step after step";
    if (const std::string context = context_words(run); !context.empty()) {
        data.subtitle += " · " + context;
    }
    data.subtitle += only_first_read(run);
    add_changes(data.subtitle, snapshot);
    return {std::move(data), options};
}

figure::BeamTreeData beam_data(const Snapshot& snapshot) {
    figure::BeamTreeData data;
    data.beam = snapshot.run->trace.beam;
    data.title = "Beam search";
    if (data.beam && !data.beam->hypotheses.empty()) {
        const auto& beam = *data.beam;
        const auto total = [&](int hypothesis) {
            const int last = beam.hypotheses[static_cast<std::size_t>(hypothesis)];
            const float told = last < 0 ? 0.f : beam.nodes[static_cast<std::size_t>(last)].total;
            return figure::log_probability_text(told);
        };
        data.subtitle = fmt::format("width {} · best log-probability {}", beam.width, total(0));
        if (beam.length_penalty == 1) {
            data.subtitle += " · ranked by log-probability per token";
        } else if (beam.length_penalty != 0) {
            data.subtitle +=
                fmt::format(" · ranked by log-probability / tokens^{:g}", beam.length_penalty);
        }
        if (beam.followed > 0) {
            data.subtitle += fmt::format(" · shown: hypothesis {}, log-probability {}",
                                         beam.followed + 1, total(beam.followed));
        }
        data.subtitle += changes_of_model(*snapshot.run);
    }
    return data;
}

constexpr const char* kStepOfDecoder = "Step shows the decoder. Switch to Cross or Decoder.";

} // namespace

figure::Figure step_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame) {
    const bool encodes = snapshot.focus.head.kind == trace::AttentionKind::encoder_self;
    if (encodes && !snapshot.run->model->traits().is_stepwise()) {
        return figure::sentence_instead("Step", kStepOfDecoder, frame);
    }
    figure::DecoderStepOptions options;
    const figure::DecoderStepData data = step_data(snapshot, state);
    options.selected = key_shown(state, std::ssize(data.source), data.hidden);
    return figure::decoder_step(data, options, frame);
}

files::Tables step_tables(const Snapshot& snapshot, const ViewState& state) {
    return tables_of(step_data(snapshot, state));
}

figure::Figure unrolled_figure(const Snapshot& snapshot, const ViewState& state,
                               const figure::Frame& frame) {
    const auto [data, options] = unrolled_parts(snapshot, state);
    return figure::unrolled(data, options, frame);
}

files::Tables unrolled_tables(const Snapshot& snapshot, const ViewState& state) {
    return tables_of(unrolled_parts(snapshot, state).first);
}

figure::Figure beam_figure(const Snapshot& snapshot, const ViewState& state,
                           const figure::Frame& frame) {
    figure::BeamTreeOptions options;
    const int step = step_shown(snapshot, state) - first_searched_row(snapshot.run->trace);
    if (state.selected && step >= 0) options.step = step;
    options.sight = state.beam_sight;
    return figure::beam_tree(beam_data(snapshot), options, frame);
}

files::Tables beam_tables(const Snapshot& snapshot, const ViewState&) {
    return tables_of(beam_data(snapshot));
}

std::string beam_reading(const Snapshot& s, const ViewState&) {
    const auto& beam = s.run->trace.beam;
    if (!beam || beam->hypotheses.size() < 2) return {};
    const auto end = [&](int hypothesis) -> const trace::BeamNode* {
        const int node = beam->hypotheses[static_cast<std::size_t>(hypothesis)];
        return node < 0 ? nullptr : &beam->nodes[static_cast<std::size_t>(node)];
    };
    const trace::BeamNode *best = end(0), *second = end(1);
    if (!best || !second) return {};
    const double ratio = std::exp(best->total - second->total);
    const std::string times = ratio < 1000 ? figure::significant_text(ratio, 3) : "over 1000";
    return fmt::format("The best of {} hypotheses has probability {}, {} times the second's.",
                       beam->hypotheses.size(), figure::percent_text(std::exp(best->total)), times);
}

num::Index last_read(const models::Run& run) {
    const auto& source = run.trace.source;
    const auto last = std::find_if(source.rbegin(), source.rend(), [](const text::Token& token) {
        return token.text != models::kPadToken;
    });
    return source.rend() - last - 1;
}

std::string context_words(const models::Run& run) {
    const auto& steps = run.model->traits().steps;
    if (!steps || run.trace.n_layers(trace::AttentionKind::cross) == 0) return {};
    switch (steps->context) {
    case models::Context::attention: return {};
    case models::Context::mean: return "context: mean of the states";
    case models::Context::last: break;
    }
    const auto& source = run.trace.source;
    const num::Index last = last_read(run);
    if (!steps->bidirectional || last < 0) return "context: last state";
    return fmt::format("context: last states, → at “{}”, ← at “{}”",
                       source[static_cast<std::size_t>(last)].text, source.front().text);
}

std::string context_meaning(const models::Run& run) {
    if (context_words(run).empty()) return {};
    const models::Stepwise& steps = *run.model->traits().steps;
    if (steps.context == models::Context::mean) return "the mean of all states";
    return steps.bidirectional ? "the last state of each direction" : "the last state";
}

} // namespace heed::app
