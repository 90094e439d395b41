#include "models/recurrent/decoder.hpp"

#include "base/check.hpp"
#include "num/rows.hpp"

#include <cmath>

namespace heed::models {

namespace {

std::span<const float> span_of(const RowVector<float>& v) {
    return {v.data(), static_cast<std::size_t>(v.size())};
}

/// Matrices of equally many rows, side by side.
Matrix<float> beside(std::initializer_list<const Matrix<float>*> parts) {
    Index cols = 0;
    for (const Matrix<float>* part : parts) cols += part->cols();
    Matrix<float> all((*parts.begin())->rows(), cols);
    Index col = 0;
    for (const Matrix<float>* part : parts) {
        all.middleCols(col, part->cols()) = *part;
        col += part->cols();
    }
    return all;
}

Matrix<float> linear(num::ThreadPool& pool, const Matrix<float>& x, const num::Weights<float>& w,
                     const RowVector<float>& bias) {
    Matrix<float> y(x.rows(), w.out());
    num::linear<float>(pool, num::view(x), w, {.bias = span_of(bias)}, num::view(y));
    return y;
}

void tanh_in_place(Matrix<float>& x) {
    num::tanh_row({x.data(), static_cast<std::size_t>(x.size())});
}

} // namespace

Matrix<float> rows_of(const Matrix<float>& table, std::span<const Index> rows) {
    Matrix<float> out(static_cast<Index>(rows.size()), table.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        HEED_CHECK(rows[i] >= 0 && rows[i] < table.rows(), "row {} of {}", rows[i], table.rows());
        out.row(static_cast<Index>(i)) = table.row(rows[i]);
    }
    return out;
}

DecoderState DecoderStep::state() const {
    DecoderState state;
    for (const auto& layer : layers) state.layers.push_back(layer.state);
    state.context = attended.context;
    return state;
}

DecoderState Decoder::start(const nn::CellState<float>& last) const {
    const Index directions = p_.encoder.directions, hidden = p_.config.hidden;
    std::vector<Matrix<float>> ends;
    for (Index layer = 0; layer < p_.encoder.layers(); ++layer) {
        ends.push_back(Matrix<float>::Zero(1, directions * hidden));
        if (p_.config.beginning == Beginning::nothing) continue;
        for (Index d = 0; d < directions; ++d) {
            ends.back().middleCols(d * hidden, hidden) = last.h.row(layer * directions + d);
        }
    }
    return start_layers(ends);
}

DecoderState Decoder::start(const Matrix<float>& vector) const {
    return start_layers(std::vector<Matrix<float>>(p_.bridge.size(), vector));
}

DecoderState Decoder::start_layers(const std::vector<Matrix<float>>& ends) const {
    DecoderState state;
    for (std::size_t layer = 0; layer < ends.size(); ++layer) {
        auto first = nn::zero_state<float>(p_.config.cell, 1, p_.config.hidden);
        first.h = linear(pool_, ends[layer], p_.bridge[layer], p_.bridge_bias[layer]);
        tanh_in_place(first.h);
        state.layers.push_back(std::move(first));
    }
    state.context = Matrix<float>::Zero(1, key_width(p_.config));
    return state;
}

void Decoder::attend(DecoderStep& step, const Matrix<float>& queries,
                     std::span<const Index> index) const {
    if (attention_) {
        step.attended = attention_->attend(pool_, queries, index);
    } else {
        step.attended.context.resize(queries.rows(), 0);
    }
}

DecoderStep Decoder::step(const DecoderState& before, std::span<const Index> words,
                          Index index) const {
    const std::vector<Index> query(words.size(), index);
    const bool attend_first = p_.config.order == StepOrder::attend_first;
    DecoderStep step;
    step.input = rows_of(p_.target_embedding, words);
    if (attend_first || !attention_) attend(step, before.layers.back().h, query);
    const Matrix<float>& context =
        attend_first || !attention_ ? step.attended.context : before.context;
    Matrix<float> x = beside({&step.input, &context});
    for (std::size_t layer = 0; layer < before.layers.size(); ++layer) {
        step.layers.push_back(
            nn::cell_step(pool_, p_.decoder.cells[layer], x, before.layers[layer]));
        x = step.layers.back().state.h;
    }
    if (!attend_first && attention_) attend(step, x, query);
    step.output = readout(pool_, p_, beside({&x, &step.attended.context, &step.input}));
    return step;
}

Matrix<float> Decoder::log_probabilities(const Matrix<float>& output) const {
    Matrix<float> logits = word_logits(pool_, p_, output);
    for (Index row = 0; row < logits.rows(); ++row) {
        RowVector<float> e = logits.row(row);
        const auto [max, sum] = num::exp_row({e.data(), static_cast<std::size_t>(e.size())});
        logits.row(row).array() -= max + std::log(sum);
    }
    return logits;
}

Matrix<float> readout(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                      const Matrix<float>& x) {
    Matrix<float> t = linear(pool, x, parameters.readout, parameters.readout_bias);
    tanh_in_place(t);
    return t;
}

Matrix<float> word_logits(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                          const Matrix<float>& output) {
    return linear(pool, output, parameters.output, parameters.output_bias);
}

Matrix<float> word_probabilities(num::ThreadPool& pool, const Recurrent::Parameters& parameters,
                                 const Matrix<float>& output) {
    Matrix<float> p = word_logits(pool, parameters, output);
    for (Index row = 0; row < p.rows(); ++row) {
        const auto [max, sum] =
            num::exp_row({p.row(row).data(), static_cast<std::size_t>(p.cols())});
        p.row(row) /= sum;
    }
    return p;
}

} // namespace heed::models
