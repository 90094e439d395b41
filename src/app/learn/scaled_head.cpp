#include "app/learn/scaled_head.hpp"

#include "app/learn/head_patterns.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "num/softmax.hpp"

#include <cmath>

namespace heed::app {

namespace {

using trace::Stage;

double mean_entropy(const num::Matrix<double>& weights) {
    double bits = 0;
    for (num::Index i = 0; i < weights.rows(); ++i)
        bits += num::entropy_bits<double>(num::RowVector<double>(weights.row(i)));
    return bits / static_cast<double>(weights.rows());
}

/// The entropy that the rows lose without the division; nothing where there is none.
std::optional<double> loss_without(const models::Run& run, const trace::HeadId& id) {
    const auto map = run.trace.map(id);
    const auto attention = run.trace.attention(id.kind, id.layer);
    if (!map || !attention || map->rows(Stage::weights) == 0) return std::nullopt;
    const trace::Head& head = map->head();
    if (head.stored || head.settings.score != nn::Score::dot) return std::nullopt;
    if (!(head.settings.gamma < 1)) return std::nullopt;
    // Biases and masks are added to the scores as they are.
    const num::Matrix<float> added = map->whole(Stage::masked) - map->whole(Stage::scaled);
    num::Matrix<double> scores = (map->whole(Stage::scores) + added).cast<double>();
    for (num::Index i = 0; i < scores.rows(); ++i) nn::softmax_row(num::row_span(scores, i));
    if (!scores.allFinite()) return std::nullopt;
    return mean_entropy(map->whole(Stage::weights).cast<double>()) - mean_entropy(scores);
}

} // namespace

std::optional<trace::HeadId> head_of_scale(const models::Run& run) {
    std::optional<trace::HeadId> most;
    double largest = 0;
    num::Index cells = 0;
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        for (int layer = 0; layer < run.trace.n_layers(kind); ++layer) {
            for (int head = 0; head < run.trace.n_heads(kind); ++head) {
                const trace::HeadId id{kind, layer, head};
                const auto map = run.trace.map(id);
                if (!map) continue;
                cells += map->rows(Stage::weights) * map->cols(Stage::weights);
                if (cells > kMostPatternCells) return std::nullopt;
                const auto lost = loss_without(run, id);
                if (!lost || *lost <= largest) continue;
                largest = *lost;
                most = id;
            }
        }
    }
    return most;
}

} // namespace heed::app
