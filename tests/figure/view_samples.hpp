// Inputs of the views of a trace, made by closed forms.
#pragma once

#include "figure/views/flow.hpp"
#include "figure/views/lines.hpp"
#include "figure/views/neurons.hpp"
#include "figure/views/position_room.hpp"
#include "figure/views/softmax_room.hpp"
#include "nn/attention/score_info.hpp"
#include "samples.hpp"

#include <limits>
#include <numeric>

namespace samples {

/// Query 0 of m keys; the last `masked` keys are not allowed. Scores are Σ q_i k_i, but of
/// additive ones, which are made up.
inline heed::figure::NeuronsData neurons_of(Index m, Index d_k,
                                            const std::vector<std::string>& words,
                                            heed::nn::Score score = heed::nn::Score::dot,
                                            Index masked = 1) {
    auto row = std::make_shared<heed::trace::Neurons>();
    row->score = score;
    row->is_product = score == heed::nn::Score::dot || score == heed::nn::Score::scaled_dot;
    const float root = std::sqrt(static_cast<float>(d_k));
    if (score == heed::nn::Score::scaled_dot) row->factor = 1 / root;
    row->gamma = score == heed::nn::Score::dot ? 1 / root : 1;
    row->q.resize(d_k);
    row->k.resize(m, d_k);
    const auto wave = [](Index at) {
        return 1.7f * std::sin(0.37f * static_cast<float>(at * at % 613));
    };
    for (Index i = 0; i < d_k; ++i) row->q[i] = wave(i + 3);
    for (Index j = 0; j < m; ++j) {
        for (Index i = 0; i < d_k; ++i) row->k(j, i) = wave(7 * j + 11 * i + 5);
    }
    const float none = -std::numeric_limits<float>::infinity();
    row->max = none;
    for (Index j = 0; j < m; ++j) {
        const float product = row->factor * row->q.dot(row->k.row(j));
        row->scores.push_back(row->is_product ? product : std::sin(static_cast<float>(j)));
        row->scaled.push_back(row->scores.back() * row->gamma);
        row->masked.push_back(j >= m - masked ? none : row->scaled.back());
        row->max = std::max(row->max, row->masked.back());
    }
    for (const float x : row->masked) {
        row->exponentials.push_back(x == none ? 0 : std::exp(x - row->max));
        row->sum += row->exponentials.back();
    }
    for (const float e : row->exponentials) {
        row->weights.push_back(row->sum > 0 ? e / row->sum : 0);
    }
    heed::figure::NeuronsData data;
    data.title = "Encoder layer 5 · head 3";
    data.subtitle = "one query against all keys";
    data.row = row;
    data.query_label = words.empty() ? "" : words[0];
    data.key_labels = repeated(words, m);
    return data;
}

/// Layers that look at themselves, at the token before, and around, to token `token`.
inline heed::figure::FlowData flow_of(Index n, int n_layers, const std::vector<std::string>& words,
                                      Index token, bool causal = false,
                                      heed::trace::FlowRule rule = heed::trace::FlowRule::rollout) {
    heed::trace::LayerMaps maps;
    for (int layer = 0; layer < n_layers; ++layer) {
        auto map = std::make_shared<Matrix<float>>(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                const auto x = static_cast<float>((3 * i + 5 * j + 7 * layer) % 11);
                const bool near = j == i - 1 - layer % 2;
                (*map)(i, j) = causal && j > i ? 0 : std::exp(0.35f * x + (near ? 3.f : 0.f));
            }
            map->row(i) /= map->row(i).sum();
        }
        maps.push_back(std::move(map));
    }
    heed::figure::FlowData data;
    data.title = "Encoder self-attention";
    data.heads = "mean of 8 heads";
    data.tokens = repeated(words, n);
    data.flow = std::make_shared<heed::trace::Flow>(heed::trace::flow_to(maps, rule, token));
    return data;
}

/// The given heads of eight, each with a way of its own to look: before, at itself, ahead …
inline heed::figure::LinesData lines_of(Index n, Index m, const std::vector<std::string>& rows,
                                        const std::vector<std::string>& cols,
                                        const std::vector<int>& heads, int n_heads = 8) {
    heed::figure::LinesData data;
    data.title = "Encoder layer 5";
    data.subtitle = "query attends to key";
    data.row_labels = repeated(rows, n);
    data.col_labels = repeated(cols, m);
    data.n_heads = n_heads;
    for (const int head : heads) {
        auto map = std::make_shared<Matrix<float>>(n, m);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < m; ++j) {
                const auto x = static_cast<float>((3 * i + 5 * j + 7 * head) % 11);
                const bool strong = (i + head - 2 + m) % m == j;
                (*map)(i, j) = std::exp(0.25f * x + (strong ? 2.5f : 0.f));
            }
            map->row(i) /= map->row(i).sum();
        }
        data.heads.push_back({head, std::move(map)});
    }
    return data;
}

/// Sinusoidal positions, and their products by offset: a sum of cosines.
inline heed::figure::PositionRoomData positions_of(Index n, Index d) {
    heed::figure::PositionRoomData data;
    data.title = "Sinusoidal positions";
    data.subtitle = "d_model " + std::to_string(d) + " · " + std::to_string(n) + " positions";
    auto table = std::make_shared<Matrix<float>>(n, d);
    const auto angle = [&](Index p, Index c) {
        return static_cast<double>(p) *
               std::pow(10000.0, -2.0 * static_cast<double>(c / 2) / static_cast<double>(d));
    };
    for (Index p = 0; p < n; ++p) {
        for (Index c = 0; c < d; ++c) {
            const double a = angle(p, c);
            (*table)(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(a) : std::cos(a));
        }
    }
    data.table = table;
    data.dimensions = heed::figure::telling_dimensions(d);
    data.offsets_title = "p(t) · p(t + Δ)";
    data.offsets_subtitle = "the same for every t";
    data.first_offset = static_cast<int>(1 - n);
    heed::figure::Series series;
    series.name = "mean over t";
    for (Index offset = 1 - n; offset < n; ++offset) {
        double sum = 0;
        for (Index c = 0; c < d; c += 2) sum += std::cos(angle(offset, c));
        series.values.push_back(static_cast<float>(sum));
    }
    data.offsets.push_back(series);
    return data;
}

/// m scores, the last one masked where there is another.
inline heed::figure::SoftmaxRoomData softmax_of(Index m, const std::vector<std::string>& words,
                                                float factor, bool histograms = true) {
    heed::figure::SoftmaxRoomData data;
    data.title = "Softmax";
    data.subtitle = "row “" + words[0] + "”";
    data.keys = repeated(words, m);
    data.factor = factor;
    heed::num::RowVector<float> logits(m);
    for (Index i = 0; i < m; ++i) {
        const bool masked = i > 0 && i == m - 1;
        logits[i] = masked ? -std::numeric_limits<float>::infinity()
                           : 6 * std::sin(0.37f * static_cast<float>(i * i % 613));
    }
    data.logits.assign(logits.data(), logits.data() + m);
    data.sweep = std::make_shared<heed::num::SoftmaxSweep>(
        heed::num::softmax_sweep(logits, 1 / 64.f, 64, 97, factor));
    for (const Index d_k : {4, 16, 64}) {
        for (const bool scaled : {false, true}) {
            if (!histograms) continue;
            heed::num::DotHistogramOptions options;
            options.d_k = d_k;
            options.scaled = scaled;
            options.draws = 2000;
            options.low = scaled ? -4.f : -24.f;
            options.high = scaled ? 4.f : 24.f;
            options.bins = 48;
            data.histograms.push_back(heed::num::dot_histogram(options));
        }
    }
    return data;
}

} // namespace samples
