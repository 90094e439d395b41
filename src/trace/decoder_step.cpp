#include "trace/decoder_step.hpp"

#include "base/check.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "num/equal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heed::trace {

namespace {

using num::RowVector;

RowVector<float> row_of(const Trace& trace, const std::string& name, Index row) {
    const auto tensor = trace.tensor(name);
    if (!tensor || row < 0 || row >= tensor->values.rows()) return {};
    return tensor->values.row(row);
}

/// Before the first step an LSTM's c is 0.
RowVector<float> memory(const Trace& trace, const std::string& name, Index row) {
    const auto tensor = trace.tensor(name);
    if (!tensor) return {};
    if (row < 0) return RowVector<float>::Zero(tensor->values.cols());
    return tensor->values.row(row);
}

StepLayer layer_of(const Trace& trace, int layer, bool last, Index step) {
    const std::string at = fmt::format("decoder.l{}", layer);
    const std::string states = last ? "decoder.states" : at + ".states";
    StepLayer made;
    made.before = row_of(trace, states + "_before", step);
    made.after = row_of(trace, states, step);
    for (const char* gate : {"i", "f", "g", "o", "r", "z", "n"}) {
        RowVector<float> values = row_of(trace, at + "." + gate, step);
        if (values.size() > 0) made.gates.push_back({gate, std::move(values)});
    }
    made.memory_before = memory(trace, at + ".c", step - 1);
    made.memory_after = memory(trace, at + ".c", step);
    return made;
}

/// The largest magnitude that is finite, of the weighted values and of the context; 1 where none is
/// above 0.
float largest_weighted(const DecoderStep& step) {
    float largest = 0;
    const auto meet = [&](float weight, const auto& row) {
        for (const float value : row) {
            const float size = std::abs(weight * value);
            if (std::isfinite(size)) largest = std::max(largest, size);
        }
    };
    meet(1, step.context);
    const Matrix<float> values = step.weighed();
    for (Index j = 0; j < values.rows(); ++j) {
        meet(step.row->weights[static_cast<std::size_t>(j)], values.row(j));
    }
    return largest > 0 ? largest : 1;
}

/// Step of a transformer: the row of one head, and what every layer passes on there.
std::shared_ptr<const DecoderStep> step_of_head(const Trace& trace, Index step,
                                                const HeadId& head) {
    const auto output = trace.tensor("decoder_output");
    const auto map = head.kind == AttentionKind::encoder_self ? std::nullopt : trace.map(head);
    if (!output || !map || map->head().stored) return nullptr;
    if (step < 0 || step >= output->values.rows()) return nullptr;
    auto made = std::make_shared<DecoderStep>();
    made->step = step;
    made->n_steps = output->values.rows();
    made->embedded = row_of(trace, "decoder_input", step);
    for (const auto& layer : trace.layers) {
        if (!layer->name.starts_with("decoder.layers.")) continue;
        StepLayer one;
        one.after = layer->tensors.back()->values.row(step);
        made->layers.push_back(std::move(one));
    }
    made->output = output->values.row(step);
    made->head = head;
    made->row = neurons(*map, step);
    made->query = nn::head_query(map->attention(), map->head_index(), step, 1).row(0);
    made->values = map->whole(Stage::v);
    made->context = map->rectangle(Stage::context, {step, 0, 1, map->cols(Stage::context)}).row(0);
    made->gain = map->head().settings.gain;
    made->largest_weighted = largest_weighted(*made);
    return made;
}

} // namespace

Matrix<float> AdditiveParts::sum() const {
    Matrix<float> sum = key;
    sum.rowwise() += query;
    return sum;
}

Matrix<float> AdditiveParts::hidden() const {
    Matrix<float> hidden = sum();
    for (Index i = 0; i < hidden.size(); ++i) hidden.data()[i] = std::tanh(hidden.data()[i]);
    return hidden;
}

std::optional<AdditiveParts> additive_parts(const AttentionMap& map, Index query) {
    const Attention& attention = map.attention();
    HEED_CHECK(query >= 0 && query < attention.n_queries(), "query {} of {}", query,
               attention.n_queries());
    const Head& head = map.head();
    if (nn::has_dot_form(head.settings.score) || !head.score_params) return std::nullopt;
    const auto& params = *head.score_params;
    AdditiveParts parts;
    parts.query = nn::head_query(attention, map.head_index(), query, 1) * params.query;
    parts.key = nn::head_key(attention, map.head_index(), 0, attention.n_keys()) * params.key;
    parts.v = params.hidden;
    return parts;
}

bool DecoderStep::values_are_states() const {
    return states && attention && num::equal(attention->v, states->values);
}

Matrix<float> DecoderStep::keys() const { return head ? row->k : Matrix<float>(states->values); }
Matrix<float> DecoderStep::weighed() const { return head ? values : Matrix<float>(attention->v); }
const std::vector<float>& DecoderStep::scores() const { return head ? row->masked : row->scores; }

std::shared_ptr<const DecoderStep> decoder_step(const Trace& trace, Index step,
                                                const HeadId& head) {
    const auto states = trace.tensor("decoder.states");
    if (!states || !trace.tensor("decoder.states_before")) return step_of_head(trace, step, head);
    if (step < 0 || step >= states->values.rows()) return nullptr;
    auto made = std::make_shared<DecoderStep>();
    made->step = step;
    made->n_steps = states->values.rows();
    made->embedded = row_of(trace, "decoder_input", step);
    int layers = 1;
    while (trace.tensor(fmt::format("decoder.l{}.states", layers - 1))) ++layers;
    for (int l = 0; l < layers; ++l) {
        made->layers.push_back(layer_of(trace, l, l + 1 == layers, step));
    }
    made->output = row_of(trace, "decoder_output", step);
    if (const auto map = trace.map({AttentionKind::cross, 0, 0})) {
        made->states = trace.tensor("encoder.states");
        made->attention = trace.attention(AttentionKind::cross, 0);
        made->row = neurons(*map, step);
        made->additive = additive_parts(*map, step);
        const auto& c = made->attention->context;
        made->context = c.row(step);
        made->context_before =
            step > 0 ? RowVector<float>(c.row(step - 1)) : RowVector<float>::Zero(c.cols());
        made->largest_weighted = largest_weighted(*made);
    }
    return made;
}

} // namespace heed::trace
