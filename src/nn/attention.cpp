#include "nn/attention.hpp"

#include "base/check.hpp"
#include "num/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heed::nn {

namespace {

/// x W + bias, to be made in `y`, which gets its size here.
template <class S>
num::LinearMap<S> projection(const Matrix<S>& x, const num::Weights<S>& w, const RowVector<S>& bias,
                             std::string_view what, const num::Weights<S>* next, Matrix<S>& y) {
    HEED_CHECK(x.cols() == w.in(), "{} projection takes rows of {}, these have {}", what, w.in(),
               x.cols());
    y.resize(x.rows(), w.out());
    num::LinearOptions<S> options;
    options.bias = {bias.data(), static_cast<std::size_t>(bias.size())};
    options.next = next;
    return {&w, options, num::view(y)};
}

template <class S>
void project(num::Team& team, const Matrix<S>& x, std::span<const num::LinearMap<S>> maps) {
    num::linear<S>(team, num::view(x), maps);
}

/// Queries, keys and values, those of one input in one go; of an earlier call, those that it has.
template <class S>
void project_inputs(num::Team& team, const AttentionParams<S>& p, const Matrix<S>& x_queries,
                    const Matrix<S>& x_keys, const AttentionOptions<S>& options,
                    AttentionCache<S>& cache) {
    std::vector<num::LinearMap<S>> of_queries, of_keys;
    if (options.same_queries) {
        cache.q = options.same_queries->q;
    } else {
        of_queries.push_back(
            projection(x_queries, p.query, p.query_bias, "query", &p.key, cache.q));
    }
    if (options.same_keys) {
        cache.k = options.same_keys->k;
        cache.v = options.same_keys->v;
    } else {
        auto& maps = &x_queries == &x_keys ? of_queries : of_keys;
        maps.push_back(projection(x_keys, p.key, p.key_bias, "key", &p.value, cache.k));
        maps.push_back(projection(x_keys, p.value, p.value_bias, "value", &p.output, cache.v));
    }
    project<S>(team, x_queries, of_queries);
    project<S>(team, x_keys, of_keys);
}

template <class S>
Matrix<S> turned(num::Team& team, const Matrix<S>& x, const std::vector<Head<S>>& heads) {
    const auto h = static_cast<Index>(heads.size());
    const Index d_k = x.cols() / h;
    Matrix<S> y = x;
    const RotaryTable<S> table = rotary_table<S>(x.rows(), d_k);
    team.for_each(h, [&](Index i) {
        if (heads[static_cast<std::size_t>(i)].settings.positions != Positions::rotary) return;
        turn(table, num::view(x, 0, i * d_k, x.rows(), d_k),
             num::view(y, 0, i * d_k, x.rows(), d_k));
    });
    return y;
}

template <class S>
void fill_head(AttentionCache<S>& cache, Index head, const AttentionOptions<S>& options) {
    Head<S>& h = cache.heads[static_cast<std::size_t>(head)];
    const auto n_heads = static_cast<Index>(cache.heads.size());
    HEED_CHECK(!has_parameters(h.settings.score) || h.score_params,
               "head {} of {} has no parameters for the score {}", head, cache.name,
               name(h.settings.score));
    HEED_CHECK(h.settings.temperature > 0, "head {} of {} has a temperature of {}", head,
               cache.name, h.settings.temperature);
    h.bias = position_bias(h.settings.positions, head, n_heads, options.directed,
                           options.relative_table, cache.n_queries(), cache.n_keys());
    h.row_max.resize(static_cast<std::size_t>(cache.n_queries()));
    h.row_sum.resize(static_cast<std::size_t>(cache.n_queries()));
}

// The formulas of the header, one after another: what double, which gradients are tested with,
// runs on, and what the fused kernel is compared with.
void attend_plainly(num::Team& team, AttentionCache<double>& cache, double* all_weights) {
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    team.for_each(static_cast<Index>(cache.heads.size()), [&](Index i) {
        Head<double>& h = cache.heads[static_cast<std::size_t>(i)];
        Matrix<double> map(n, m);
        head_masked(cache, i, {0, 0, n, m}, num::view(map));
        map /= h.settings.temperature;
        for (Index q = 0; q < n; ++q) {
            const double max =
                m > 0 ? map.row(q).maxCoeff() : -std::numeric_limits<double>::infinity();
            double sum = 0;
            for (Index k = 0; k < m; ++k) sum += std::isinf(max) ? 0 : std::exp(map(q, k) - max);
            h.row_max[static_cast<std::size_t>(q)] = max;
            h.row_sum[static_cast<std::size_t>(q)] = sum;
        }
        head_weights(cache, i, {0, 0, n, m}, num::view(map));
        cache.context.middleCols(i * d_v, d_v).noalias() =
            map * cache.v.middleCols(i * d_v, d_v) * h.settings.gain;
        if (all_weights) std::copy_n(map.data(), map.size(), all_weights + i * n * m);
    });
}

// What a fused call reads beside q, k and v, kept alive until it returns.
struct HeadMaterial {
    std::unique_ptr<DotForm<float>> form;
    Matrix<float> scores, weights; // where the score is no product; where weights fall
    std::vector<std::pair<Index, Index>> ranges;
};

void score_pairs(num::Team& team, const AttentionCache<float>& cache,
                 std::vector<HeadMaterial>& material) {
    constexpr Index kBlock = 32;
    const Index blocks = (cache.n_queries() + kBlock - 1) / kBlock;
    team.for_each(blocks * static_cast<Index>(material.size()), [&](Index task) {
        const Index head = task / blocks, row = task % blocks * kBlock;
        Matrix<float>& scores = material[static_cast<std::size_t>(head)].scores;
        if (scores.size() == 0) return;
        const Index rows = std::min(kBlock, cache.n_queries() - row);
        head_scores(cache, head, {row, 0, rows, cache.n_keys()},
                    num::view(scores, row, 0, rows, cache.n_keys()));
    });
}

// The fused call knows no dropout: it gives the weights, some fall, and v is summed again.
void drop_weights(num::Team& team, AttentionCache<float>& cache,
                  const std::vector<num::HeadAttention>& calls) {
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    team.for_each(static_cast<Index>(calls.size()), [&](Index i) {
        const HeadSettings<float>& settings = cache.heads[static_cast<std::size_t>(i)].settings;
        const Dropout dropout({settings.dropout, settings.dropout_seed}, cache.name);
        if (!dropout.active()) return;
        float* weights = calls[static_cast<std::size_t>(i)].weights;
        for (Index e = 0; e < n * m; ++e) weights[e] *= dropout.factor<float>(i * n * m + e);
        num::product(num::ConstView<float>(weights, n, m, Eigen::OuterStride<>(m)),
                     num::view(std::as_const(cache.v), 0, i * d_v, m, d_v),
                     num::view(cache.context, 0, i * d_v, n, d_v));
        cache.context.middleCols(i * d_v, d_v) *= settings.gain;
    });
}

HeadMaterial material_of(const AttentionCache<float>& cache, Index head, bool own_weights) {
    const Head<float>& h = cache.heads[static_cast<std::size_t>(head)];
    const Index n = cache.n_queries(), m = cache.n_keys();
    HeadMaterial material;
    if (has_dot_form(h.settings.score)) {
        material.form = std::make_unique<DotForm<float>>(h.settings.score, h.score_params.get(),
                                                         head_query(cache, head, 0, n),
                                                         head_key(cache, head, 0, m));
    } else {
        material.scores.resize(n, m);
    }
    if (own_weights && h.settings.dropout > 0) material.weights.resize(n, m);
    const Mask& mask = *h.settings.mask;
    if (mask.padding || mask.causal || mask.window) {
        material.ranges.reserve(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) material.ranges.push_back(mask.range(i, m, cache.valid_keys));
    }
    return material;
}

void attend_fused(num::Team& team, AttentionCache<float>& cache, float* all_weights) {
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    const auto n_heads = static_cast<Index>(cache.heads.size());
    std::vector<HeadMaterial> material;
    std::vector<num::HeadAttention> calls;
    bool any_pairs = false, any_dropout = false;
    for (Index i = 0; i < n_heads; ++i) {
        Head<float>& h = cache.heads[static_cast<std::size_t>(i)];
        material.push_back(material_of(cache, i, !all_weights));
        HeadMaterial& own = material.back();
        const ConstView<float> q = own.form ? own.form->q : head_query(cache, i, 0, n);
        const ConstView<float> k = own.form ? own.form->k : head_key(cache, i, 0, m);
        num::HeadAttention call{.q = q,
                                .k = k,
                                .v = num::view(std::as_const(cache.v), 0, i * d_v, m, d_v),
                                .context = num::view(cache.context, 0, i * d_v, n, d_v),
                                .row_max = h.row_max,
                                .row_sum = h.row_sum,
                                .bias = h.bias,
                                .ranges = own.ranges,
                                .forbidden = h.settings.mask->painted};
        call.gamma = own.form ? h.settings.gamma * own.form->factor : h.settings.gamma;
        call.temperature = h.settings.temperature;
        call.gain = h.settings.gain;
        if (!own.form) call.scores = own.scores.data();
        if (own.weights.size()) call.weights = own.weights.data();
        if (all_weights) call.weights = all_weights + i * n * m;
        calls.push_back(call);
        any_pairs |= !own.form;
        any_dropout |= h.settings.dropout > 0;
    }
    if (any_pairs) score_pairs(team, cache, material);
    num::attend(team, calls);
    if (any_dropout) drop_weights(team, cache, calls);
}

} // namespace

template <class S>
AttentionCache<S> attention_forward(num::Team& team, const AttentionParams<S>& params,
                                    const Matrix<S>& x_queries, const Matrix<S>& x_keys,
                                    std::vector<Head<S>> heads,
                                    const AttentionOptions<S>& options) {
    const auto h = static_cast<Index>(heads.size());
    HEED_CHECK(h > 0, "{}: attention without heads", options.name);
    HEED_CHECK(params.query.out() % h == 0 && params.key.out() % h == 0 &&
                   params.value.out() % h == 0,
               "{}: queries, keys and values of {}, {} and {} features do not divide by {} heads",
               options.name, params.query.out(), params.key.out(), params.value.out(), h);
    HEED_CHECK(params.query.out() == params.key.out(), "{}: queries are {} wide, keys {}",
               options.name, params.query.out(), params.key.out());
    HEED_CHECK(options.valid_keys <= x_keys.rows(), "{}: {} valid keys of {}", options.name,
               options.valid_keys, x_keys.rows());
    AttentionCache<S> cache;
    cache.name = options.name;
    cache.heads = std::move(heads);
    cache.valid_keys = options.valid_keys < 0 ? x_keys.rows() : options.valid_keys;
    project_inputs(team, params, x_queries, x_keys, options, cache);
    HEED_CHECK(cache.q.rows() == x_queries.rows() && cache.k.rows() == x_keys.rows(),
               "{}: {} queries and {} keys were projected before, now there are {} and {}",
               cache.name, cache.q.rows(), cache.k.rows(), x_queries.rows(), x_keys.rows());
    const bool rotary = std::any_of(cache.heads.begin(), cache.heads.end(), [](const Head<S>& x) {
        return x.settings.positions == Positions::rotary;
    });
    if (rotary) {
        cache.q_turned = turned(team, cache.q, cache.heads);
        cache.k_turned = turned(team, cache.k, cache.heads);
    }
    for (Index i = 0; i < h; ++i) fill_head(cache, i, options);
    cache.context.resize(cache.n_queries(), cache.v.cols());
    if constexpr (std::is_same_v<S, float>) {
        attend_fused(team, cache, options.all_weights);
    } else {
        attend_plainly(team, cache, options.all_weights);
    }
    const auto output = projection(cache.context, params.output, params.output_bias, "output",
                                   options.next, cache.output);
    project<S>(team, cache.context, {&output, 1});
    return cache;
}

template AttentionCache<float> attention_forward(num::Team&, const AttentionParams<float>&,
                                                 const Matrix<float>&, const Matrix<float>&,
                                                 std::vector<Head<float>>,
                                                 const AttentionOptions<float>&);
template AttentionCache<double> attention_forward(num::Team&, const AttentionParams<double>&,
                                                  const Matrix<double>&, const Matrix<double>&,
                                                  std::vector<Head<double>>,
                                                  const AttentionOptions<double>&);

} // namespace heed::nn
