#include "lab/module.hpp"

#include "base/check.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

Module draw_module(std::uint64_t seed, const ModuleShape& shape) {
    HEED_CHECK(shape.n_heads > 0 && shape.width % shape.n_heads == 0,
               "{} features do not divide by {} heads", shape.width, shape.n_heads);
    const Index d = shape.width, d_k = d / shape.n_heads;
    Module module;
    module.params.query = num::Weights<double>(draw_map(seed, "W_Q", d, d));
    module.params.key = num::Weights<double>(draw_map(seed, "W_K", d, d));
    module.params.value = num::Weights<double>(draw_map(seed, "W_V", d, d));
    module.params.output = num::Weights<double>(draw_map(seed, "W_O", d, d));
    for (int h = 0; h < shape.n_heads; ++h) {
        nn::HeadSettings<double> settings;
        settings.score = shape.score;
        const bool divided = shape.scaled && nn::info(shape.score).scales;
        settings.gamma = divided ? 1 / std::sqrt(static_cast<double>(d_k)) : 1.0;
        module.heads.push_back(settings);
        module.scores.push_back(
            nn::has_parameters(shape.score)
                ? std::make_shared<const nn::ScoreParams<double>>(
                      nn::draw_score_params<double>(seed, fmt::format("head {}", h), d_k, d_k, d_k))
                : nullptr);
    }
    return module;
}

nn::AttentionCache<double> attend(const Module& module, const Matrix<double>& queries,
                                  const Matrix<double>& keys) {
    std::vector<nn::Head<double>> heads(module.heads.size());
    for (std::size_t h = 0; h < heads.size(); ++h) {
        heads[h].settings = module.heads[h];
        heads[h].score_params = module.scores[h];
    }
    nn::AttentionOptions<double> options;
    options.name = "lab";
    return nn::attention_forward<double>(nn::alone(), module.params, queries, keys,
                                         std::move(heads), options);
}

Matrix<double> weights_with_positions(const Module& module, std::uint64_t seed,
                                      const Matrix<double>& words, nn::Positions positions,
                                      bool causal) {
    const Index d = words.cols(), n = words.rows();
    const auto n_heads = static_cast<Index>(module.heads.size());
    Matrix<double> x = words;
    if (positions == nn::Positions::sinusoidal) x += nn::sinusoidal_table<double>(n, d);
    if (positions == nn::Positions::learned) x += draw_features(seed, "learned", n, d);
    nn::Head<double> head;
    head.settings = module.heads[0];
    if (!nn::joins_embedding(positions)) head.settings.positions = positions;
    if (causal) head.settings.mask = causal_mask();
    const Matrix<double> table = draw_features(seed, "buckets", nn::kRelativeBuckets, n_heads);
    nn::AttentionOptions<double> options;
    options.relative_table = &table;
    const std::vector<nn::Head<double>> heads(module.heads.size(), head);
    return stage_of(nn::attention_forward<double>(nn::alone(), module.params, x, x, heads, options),
                    0, trace::Stage::weights);
}

nn::Mask causal_mask() {
    nn::Mask mask;
    mask.causal = true;
    return mask;
}

Matrix<double> stage_of(const nn::AttentionCache<double>& cache, Index head, trace::Stage stage) {
    Matrix<double> map(cache.n_queries(), cache.n_keys());
    const num::Rect rect{0, 0, map.rows(), map.cols()};
    switch (stage) {
    case trace::Stage::scores: nn::head_scores<double>(cache, head, rect, num::view(map)); break;
    case trace::Stage::scaled: nn::head_scaled<double>(cache, head, rect, num::view(map)); break;
    case trace::Stage::masked: nn::head_masked<double>(cache, head, rect, num::view(map)); break;
    case trace::Stage::weights: nn::head_weights<double>(cache, head, rect, num::view(map)); break;
    default: HEED_CHECK(false, "the stage {} is no map", trace::name(stage));
    }
    return map;
}

namespace {

Matrix<double> times_by_hand(const Matrix<double>& x, const Matrix<double>& w) {
    Matrix<double> y = Matrix<double>::Zero(x.rows(), w.cols());
    for (Index i = 0; i < x.rows(); ++i) {
        for (Index j = 0; j < w.cols(); ++j) {
            for (Index c = 0; c < x.cols(); ++c) y(i, j) += x(i, c) * w(c, j);
        }
    }
    return y;
}

} // namespace

ByHand attend_by_hand(const Module& module, const Matrix<double>& queries,
                      const Matrix<double>& keys) {
    const nn::HeadSettings<double>& head = module.heads.front();
    const Matrix<double> q = times_by_hand(queries, module.params.query.dense());
    const Matrix<double> k = times_by_hand(keys, module.params.key.dense());
    const Matrix<double> v = times_by_hand(keys, module.params.value.dense());
    const double divisor =
        head.score == nn::Score::scaled_dot ? std::sqrt(static_cast<double>(k.cols())) : 1.0;
    ByHand made{Matrix<double>(q.rows(), k.rows()), Matrix<double>::Zero(q.rows(), v.cols())};
    for (Index i = 0; i < q.rows(); ++i) {
        double sum = 0;
        for (Index j = 0; j < k.rows(); ++j) {
            double score = 0;
            for (Index c = 0; c < q.cols(); ++c) score += q(i, c) * k(j, c);
            made.weights(i, j) = std::exp(score / divisor * head.gamma / head.temperature);
            sum += made.weights(i, j);
        }
        for (Index j = 0; j < k.rows(); ++j) {
            made.weights(i, j) /= sum;
            for (Index c = 0; c < v.cols(); ++c) made.context(i, c) += made.weights(i, j) * v(j, c);
        }
    }
    return made;
}

std::vector<std::string> numbered(std::string_view prefix, Index count) {
    std::vector<std::string> names;
    for (Index i = 0; i < count; ++i) names.push_back(fmt::format("{}_{{{}}}", prefix, i + 1));
    return names;
}

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
    return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

void mark_nearest(Curves& curves, double at, std::string_view words) {
    const auto far = [&](double x) { return std::abs(std::log(x / at)); };
    curves.now = *std::ranges::min_element(curves.xs, {}, far);
    curves.now_words = fmt::format("{}{:g}", words, *curves.now);
}

Picture matrix_picture(std::string title, std::string subtitle, const Matrix<double>& values,
                       std::vector<std::string> rows, std::vector<std::string> cols) {
    Grid grid;
    grid.values = grid_values(values);
    grid.rows = std::move(rows);
    grid.cols = std::move(cols);
    grid.signed_values = true;
    grid.row_word = "token";
    grid.col_word = grid.cols.empty() ? "feature" : "token";
    return {std::move(title), std::move(subtitle), std::move(grid)};
}

Picture weights_picture(std::string title, std::string subtitle, const Matrix<double>& weights,
                        std::vector<std::string> rows, std::vector<std::string> cols) {
    Picture made = matrix_picture(std::move(title), std::move(subtitle), weights, std::move(rows),
                                  std::move(cols));
    auto& grid = std::get<Grid>(made.data);
    grid.signed_values = false;
    grid.weights = true;
    grid.row_word = "query";
    grid.col_word = "key";
    return made;
}

void set_in_one_span(std::vector<Picture>& maps) {
    double most = 0;
    for (const Picture& map : maps)
        most = std::max<double>(most, std::get<Grid>(map.data).values->maxCoeff());
    for (Picture& map : maps) std::get<Grid>(map.data).reach = most;
}

} // namespace heed::lab
