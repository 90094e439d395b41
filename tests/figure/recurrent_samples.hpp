// Inputs of the views of a model that goes step by step, made by closed forms.
#pragma once

#include "figure/views/beam_tree.hpp"
#include "figure/views/decoder_step.hpp"
#include "figure/views/unrolled.hpp"
#include "nn/attention/score_info.hpp"
#include "samples.hpp"

#include <cmath>
#include <limits>

namespace samples {

inline heed::num::RowVector<float> wave_row(Index n, float step, float size = 1) {
    heed::num::RowVector<float> row(n);
    for (Index i = 0; i < n; ++i) {
        row[i] = size * std::sin(step * static_cast<float>(i * i % 613 + 1));
    }
    return row;
}

inline Matrix<float> wave_rows(Index rows, Index cols, float step, float size = 1) {
    Matrix<float> values(rows, cols);
    for (Index r = 0; r < rows; ++r) {
        values.row(r) = wave_row(cols, step + 0.1f * static_cast<float>(r), size);
    }
    return values;
}

/// One step over m words, the last one masked; `gates` by name, as many layers.
inline heed::figure::DecoderStepData step_of(Index m, const std::vector<std::string>& words,
                                             const std::vector<std::string>& gates, int layers = 1,
                                             bool states_weighed = true) {
    constexpr Index kHidden = 8;
    auto step = std::make_shared<heed::trace::DecoderStep>();
    step->step = 1;
    step->n_steps = 4;
    step->embedded = wave_row(6, 0.3f);
    for (int l = 0; l < layers; ++l) {
        heed::trace::StepLayer layer;
        layer.before = wave_row(kHidden, 0.5f);
        layer.after = wave_row(kHidden, 0.7f + 0.1f * static_cast<float>(l));
        for (const std::string& gate : gates) {
            layer.gates.push_back({gate, wave_row(kHidden, 0.2f).cwiseAbs()});
        }
        if (gates.size() == 4) layer.memory_before = layer.memory_after = wave_row(kHidden, 0.9f);
        step->layers.push_back(std::move(layer));
    }
    step->output = wave_row(kHidden, 1.1f);
    auto states = std::make_shared<heed::trace::Tensor>();
    states->values = wave_rows(m, 2 * kHidden, 0.4f);
    step->states = states;
    auto attention = std::make_shared<heed::trace::Attention>();
    if (states_weighed) {
        attention->v = states->values;
    } else {
        attention->v = wave_rows(m, kHidden, 0.6f, 3);
    }
    step->attention = attention;
    heed::trace::Neurons row;
    row.score = heed::nn::Score::additive;
    row.is_product = false;
    for (Index j = 0; j < m; ++j) {
        row.scores.push_back(2 * std::sin(static_cast<float>(j)));
        const bool masked = m > 1 && j + 1 == m;
        row.masked.push_back(masked ? -std::numeric_limits<float>::infinity() : row.scores.back());
        row.weights.push_back(masked ? 0 : std::exp(row.scores.back()));
        row.sum += row.weights.back();
    }
    for (float& w : row.weights) w /= row.sum;
    row.scaled = row.scores;
    row.exponentials = row.weights;
    row.k = states->values;
    step->context = heed::num::RowVector<float>::Zero(attention->v.cols());
    for (Index j = 0; j < m; ++j) {
        step->context += row.weights[static_cast<std::size_t>(j)] * attention->v.row(j);
    }
    step->largest_weighted = step->context.cwiseAbs().maxCoeff();
    for (Index j = 0; j < m; ++j) {
        const float weight = row.weights[static_cast<std::size_t>(j)];
        step->largest_weighted =
            std::max(step->largest_weighted, weight * attention->v.row(j).cwiseAbs().maxCoeff());
    }
    step->context_before = wave_row(attention->v.cols(), 0.8f);
    step->row = std::move(row);

    heed::figure::DecoderStepData data;
    data.title = "Step 2 of 4 · “ate”";
    data.subtitle = "i = 2, j = source position";
    data.step = step;
    data.cell = gates.empty() ? "RNN" : gates.size() == 3 ? "GRU" : "LSTM";
    data.score = "vᵀ tanh(W sᵢ₋₁ + U hⱼ)";
    if (!states_weighed) data.projection = "kⱼ = vⱼ = hⱼ K";
    data.source = repeated(words, m);
    data.before = words.empty() ? "" : words[0];
    data.words = {{"ate", 0.4f, true, true}, {"eats", 0.2f, false, true}, {"⟨other 3⟩", 0.1f}};
    data.rest = 0.3f;
    return data;
}

/// One step over m words of a transformer's decoder, in the head of its layer before the last.
inline heed::figure::DecoderStepData head_step_of(Index m, const std::vector<std::string>& words,
                                                  int layers) {
    heed::figure::DecoderStepData data = step_of(m, words, {}, layers, false);
    auto step = std::make_shared<heed::trace::DecoderStep>(*data.step);
    for (heed::trace::StepLayer& layer : step->layers) layer.before = {};
    step->head = {heed::trace::AttentionKind::cross, std::max(layers - 2, 0), 1};
    step->values = step->attention->v;
    step->query = wave_row(2 * step->values.cols(), 0.25f);
    step->states = nullptr;
    step->attention = nullptr;
    step->context_before = {};
    data.step = step;
    data.cell = "Layers";
    data.score = "qᵢ·kⱼ ÷ √dₖ";
    data.projection.clear();
    return data;
}

/// A beam of this width that grows for so many steps; its hypotheses are the nodes of the last one.
inline heed::figure::BeamTreeData beam_of(int width, int steps,
                                          const std::vector<std::string>& words) {
    auto beam = std::make_shared<heed::trace::Beam>();
    beam->width = width;
    for (int step = 0; step < steps; ++step) {
        const int first = static_cast<int>(beam->nodes.size());
        for (int i = 0; i < width; ++i) {
            // The second best of every step is the parent of what comes after it.
            const int parent = step == 0 ? -1 : first - width + (i < 2 ? i : 1 % width);
            const float p = -0.2f - 0.37f * static_cast<float>((3 * i + step) % 5);
            const float before =
                parent < 0 ? 0 : beam->nodes[static_cast<std::size_t>(parent)].total;
            const bool ends = step + 1 == steps;
            beam->nodes.push_back(
                {parent, step,
                 ends ? "⟨end⟩" : words[static_cast<std::size_t>(step + i) % words.size()], 3, p,
                 before + p, ends});
            if (ends) beam->hypotheses.push_back(first + i);
        }
    }
    std::stable_sort(beam->hypotheses.begin(), beam->hypotheses.end(), [&](int a, int b) {
        return beam->nodes[static_cast<std::size_t>(a)].total >
               beam->nodes[static_cast<std::size_t>(b)].total;
    });
    return {"Beam search", "width " + std::to_string(width), beam};
}

inline heed::figure::UnrolledSide side_of(int steps, int layers, bool both, bool decoder,
                                          const std::vector<std::string>& words) {
    heed::figure::UnrolledSide side;
    side.name = decoder ? "decoder" : "encoder";
    for (int l = 0; l < layers; ++l) {
        for (int d = 0; d < (both ? 2 : 1); ++d) {
            heed::figure::UnrolledCells row;
            row.name = (decoder ? "s layer " : "h layer ") + std::to_string(l + 1);
            row.reversed = d == 1;
            row.states = std::make_shared<Matrix<float>>(
                wave_rows(steps, 6, 0.3f + static_cast<float>(l + d)));
            if (decoder) row.start = wave_row(6, 0.2f);
            side.rows.push_back(std::move(row));
        }
    }
    side.read = repeated(words, steps);
    return side;
}

/// Words to words, through attention.
inline heed::figure::UnrolledData translator_of(int m, int n, int layers,
                                                const std::vector<std::string>& words) {
    heed::figure::UnrolledData data;
    data.title = "Unrolled";
    data.subtitle = "GRU";
    data.encoder = side_of(m, layers, true, false, words);
    data.decoder = side_of(n, layers, false, true, words);
    data.decoder->said = repeated(words, n);
    data.decoder->contexts = std::make_shared<Matrix<float>>(wave_rows(n, 5, 0.9f));
    data.weights = weights(n, m)->row(std::min(1, n - 1));
    return data;
}

} // namespace samples
