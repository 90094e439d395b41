#include "trace/neurons.hpp"

#include "base/check.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>
#include <limits>

namespace heed::trace {

namespace {

std::vector<float> row_of(const AttentionMap& map, Stage stage, Index query) {
    const Matrix<float> row = map.rectangle(stage, {query, 0, 1, map.cols(stage)});
    return {row.data(), row.data() + row.size()};
}

} // namespace

Neurons neurons(const AttentionMap& map, Index query) {
    const Attention& attention = map.attention();
    HEED_CHECK(query >= 0 && query < attention.n_queries(), "query {} of {}", query,
               attention.n_queries());
    const Head& head = map.head();
    Neurons result;
    result.score = head.settings.score;
    result.query = query;
    result.gamma = head.settings.gamma;
    result.temperature = head.settings.temperature;
    result.softcap = head.settings.softcap;
    result.rotated = nn::rotates(head.settings.positions);
    result.biased = !head.bias.empty();
    result.dropped = head.settings.dropout > 0;

    const auto q = nn::head_query(attention, map.head_index(), query, 1);
    const auto k = nn::head_key(attention, map.head_index(), 0, attention.n_keys());
    // Unit vectors would make a product of the cosine too, but then q and k were others than shown.
    result.is_product = nn::info(result.score).is_product;
    if (result.is_product) {
        const nn::DotForm<float> form(result.score, head.score_params.get(), q, k);
        result.q = form.q.row(0);
        result.k = form.k;
        result.factor = form.factor;
    } else {
        result.q = q.row(0);
        result.k = k;
    }

    result.scores = row_of(map, Stage::scores, query);
    result.scaled = row_of(map, Stage::scaled, query);
    result.masked = row_of(map, Stage::masked, query);
    result.weights = row_of(map, Stage::weights, query);
    result.max = head.row_max[static_cast<std::size_t>(query)];
    result.sum = head.row_sum[static_cast<std::size_t>(query)];
    for (const float x : result.masked) {
        const bool allowed = x != -std::numeric_limits<float>::infinity();
        result.exponentials.push_back(allowed ? std::exp(x / result.temperature - result.max) : 0);
    }
    return result;
}

} // namespace heed::trace
