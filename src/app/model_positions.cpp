#include "app/model_positions.hpp"

#include "models/parameters.hpp"
#include "nn/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace heed::app {

using nn::Positions;
using num::Index;
using num::Matrix;

namespace {

constexpr Index kFewest = 64; // rows: a curve over five words shows nothing
constexpr Index kMost = 512;

Matrix<float> rotary_table(Index n, Index d_k) {
    // The unit vector (1, 0) of each pair, turned: (cos, sin).
    Matrix<float> table = Matrix<float>::Zero(n, d_k);
    for (Index c = 0; c + 1 < d_k; c += 2) table.col(c).setOnes();
    const Matrix<float> units = table;
    nn::turn<float>(num::view(units), 0, num::view(table));
    return table;
}

/// Element (i, j) is what a query at i adds for a key at j.
Matrix<float> bias_table(const trace::AttentionMap& map) {
    const Index n = map.attention().n_queries(), m = map.attention().n_keys();
    const std::vector<float>& bias = map.head().bias;
    Matrix<float> table = Matrix<float>::Zero(n, m);
    if (bias.empty()) return table;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) table(i, j) = bias[static_cast<std::size_t>(j - i + n - 1)];
    }
    return table;
}

} // namespace

figure::PositionsData model_positions(const models::Run& run, const trace::HeadId& head) {
    const models::TransformerConfig& config = run.model->config();
    const Positions positions = run.controls.resolved(head).positions.value_or(config.positions);
    const auto map = run.trace.map(head);
    const Index rows = std::clamp<Index>(map ? map->attention().n_keys() : 0, kFewest, kMost);
    Matrix<float> table;
    std::string title;
    switch (positions) {
    case Positions::sinusoidal:
        title = "Sinusoidal positions (rows) × dimensions (columns)";
        table = nn::sinusoidal_table<float>(rows, config.d_model);
        break;
    case Positions::learned: {
        title = "Learned positions (rows) × dimensions (columns)";
        const Matrix<float>& learned = run.model->parameters().learned_positions;
        table = learned.topRows(std::min(rows, learned.rows()));
        break;
    }
    case Positions::rotary:
        title = "Rotary positions (rows): cosine and sine of each pair of features (columns)";
        table = rotary_table(rows, config.d_model / config.n_heads);
        break;
    case Positions::alibi:
    case Positions::relative:
        title = fmt::format("{} positions: added to the scores of query (rows) and key (columns)",
                            positions == Positions::alibi ? "ALiBi" : "Relative");
        table = map ? bias_table(*map) : Matrix<float>::Zero(1, 1);
        break;
    case Positions::none:
        title = "No positions: the model cannot tell the order of its tokens";
        table = Matrix<float>::Zero(rows, config.d_model);
        break;
    }
    return {std::move(title), std::make_shared<const Matrix<float>>(std::move(table))};
}

} // namespace heed::app
