#include "nn/attention/attention.hpp"

#include "base/check.hpp"
#include "nn/attention/fused_attention.hpp"
#include "nn/attention/overflow.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/row_blocks.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heed::nn {

namespace {

/// `rows` new ones, behind the `kept` first rows of `before`.
template <class S>
SharedRows<S> rows_behind(num::ThreadPool& pool, const SharedRows<S>* before, Index kept,
                          Index rows, Index cols, bool grows) {
    return kept > 0 ? before->continued(pool, kept, rows)
                    : SharedRows<S>::unfilled(rows, cols, grows);
}

/// x W + bias, to be made in `y`.
template <class S>
num::LinearMap<S> projection(ConstView<S> x, const num::Weights<S>& w, const RowVector<S>& bias,
                             std::string_view what, const num::Weights<S>* next, View<S> y) {
    HEED_CHECK(x.cols() == w.in(), "{} projection takes rows of {}, these have {}", what, w.in(),
               x.cols());
    num::LinearOptions<S> options;
    options.bias = {bias.data(), static_cast<std::size_t>(bias.size())};
    options.next = next;
    return {&w, options, y};
}

template <class S> View<S> new_rows(SharedRows<S>& y) {
    return y.own(y.first_own(), 0, y.rows() - y.first_own(), y.cols());
}

template <class S>
void project(num::ThreadPool& pool, ConstView<S> x, std::span<const num::LinearMap<S>> maps) {
    num::linear<S>(pool, x, maps);
}

/// Each head's features to a mean square of 1, times the gain, in the rows that are new.
template <class S>
void normalise_heads(num::ThreadPool& pool, const RowVector<S>& gain, S epsilon,
                     SharedRows<S>& shared) {
    const Index width = gain.size();
    if (width == 0) return;
    HEED_CHECK(shared.cols() % width == 0, "norms of {} features for heads in {}", width,
               shared.cols());
    View<S> x = new_rows(shared);
    for_row_blocks(pool, x.rows(), x.cols(), [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) {
            for (Index first = 0; first < x.cols(); first += width) {
                auto head = x.row(r).segment(first, width);
                const S scale = 1 / std::sqrt(head.squaredNorm() / static_cast<S>(width) + epsilon);
                head.array() *= scale * gain.array();
            }
        }
    });
}

/// Queries, keys and values, those of one input in one go; of an earlier call, those that it has.
template <class S>
void project_inputs(num::ThreadPool& pool, const AttentionParams<S>& p, const Matrix<S>& x_queries,
                    const Matrix<S>& x_keys, const AttentionOptions<S>& options,
                    AttentionCache<S>& cache) {
    std::vector<num::LinearMap<S>> of_queries, of_keys;
    const auto& [of, kept] = options.kept;
    const auto behind = [&](const SharedRows<S> AttentionCache<S>::*rows, const Matrix<S>& x,
                            const num::Weights<S>& w) {
        return rows_behind(pool, of ? &(of->*rows) : nullptr, kept, x.rows(), w.out(),
                           options.directed);
    };
    if (options.same_queries) {
        cache.q = options.same_queries->q;
    } else {
        cache.q = behind(&AttentionCache<S>::q, x_queries, p.query);
        of_queries.push_back(projection(num::view(x_queries), p.query, p.query_bias, "query",
                                        &p.key, new_rows(cache.q)));
    }
    if (options.same_keys) {
        cache.k = options.same_keys->k;
        cache.v = options.same_keys->v;
    } else {
        auto& maps = &x_queries == &x_keys ? of_queries : of_keys;
        const ConstView<S> x = num::view(x_keys);
        cache.k = behind(&AttentionCache<S>::k, x_keys, p.key);
        cache.v = behind(&AttentionCache<S>::v, x_keys, p.value);
        maps.push_back(projection(x, p.key, p.key_bias, "key", &p.value, new_rows(cache.k)));
        maps.push_back(projection(x, p.value, p.value_bias, "value", &p.output, new_rows(cache.v)));
    }
    project<S>(pool, num::view(x_queries), of_queries);
    project<S>(pool, num::view(x_keys), of_keys);
    if (!options.same_queries) normalise_heads(pool, p.query_norm, p.norm_epsilon, cache.q);
    if (!options.same_keys) normalise_heads(pool, p.key_norm, p.norm_epsilon, cache.k);
}

/// q, or k, after rotary positions: each of `n` heads that a rotary head reads. `before`: the same
/// of an earlier call, with at least so many rows as are kept.
template <class S>
SharedRows<S> rotated(num::ThreadPool& pool, const AttentionCache<S>& cache, const SharedRows<S>& x,
                      Index n, const AttentionOptions<S>& options, Index kept,
                      const SharedRows<S>* before) {
    const HeadLayout layout = cache.layout();
    const Index d_k = x.cols() / n, rows = x.rows() - kept;
    SharedRows<S> y = rows_behind(pool, before, kept, rows, x.cols(), options.directed);
    new_rows(y) = x.bottomRows(rows);
    const RotaryTable<S> table = rotary_table<S>(rows, d_k, kept, options.positions.rotary);
    pool.for_each(n, [&](Index i) {
        bool read = false;
        for (Index h = 0; h < layout.n_heads; ++h) {
            const Head<S>& head = cache.heads[static_cast<std::size_t>(h)];
            read = read || (rotates(head.settings.positions) && h * n / layout.n_heads == i);
        }
        if (!read) return;
        rotate(table, num::view(x, kept, i * d_k, rows, d_k), y.own(kept, i * d_k, rows, d_k));
    });
    return y;
}

template <class S>
void turn_inputs(num::ThreadPool& pool, const AttentionOptions<S>& options,
                 AttentionCache<S>& cache) {
    const HeadLayout layout = cache.layout();
    const auto& [of, kept] = options.kept;
    const Index kept_keys = options.same_keys ? 0 : kept;
    cache.q_rotated =
        rotated(pool, cache, cache.q, layout.n_heads, options, kept, of ? &of->q_rotated : nullptr);
    cache.k_rotated = rotated(pool, cache, cache.k, layout.n_kv_heads, options, kept_keys,
                              of ? &of->k_rotated : nullptr);
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
    h.bias =
        position_bias(h.settings.positions, head, n_heads, options.directed, options.relative_table,
                      cache.n_queries(), cache.n_keys(), options.positions.relative);
    h.row_max.resize(static_cast<std::size_t>(cache.n_queries()));
    h.row_sum.resize(static_cast<std::size_t>(cache.n_queries()));
    if (options.kept.count == 0) return;
    const Head<S>& before = options.kept.of->heads[static_cast<std::size_t>(head)];
    std::copy_n(before.row_max.begin(), options.kept.count, h.row_max.begin());
    std::copy_n(before.row_sum.begin(), options.kept.count, h.row_sum.begin());
}

// Attention by the formulas of the header, one after another: in double, for tests of gradients,
// and for comparing the fused kernel with.
void attend_plainly(num::ThreadPool& pool, AttentionCache<double>& cache, Index begin,
                    double* all_weights) {
    const Index n = cache.n_queries() - begin, m = cache.n_keys(), d_v = cache.d_v();
    const HeadLayout layout = cache.layout();
    pool.for_each(layout.n_heads, [&](Index i) {
        Head<double>& h = cache.heads[static_cast<std::size_t>(i)];
        Matrix<double> map(n, m);
        head_masked(cache, i, {begin, 0, n, m}, num::view(map));
        map /= h.settings.temperature;
        for (Index q = 0; q < n; ++q) {
            const double max =
                m > 0 ? map.row(q).maxCoeff() : -std::numeric_limits<double>::infinity();
            double sum = 0;
            for (Index k = 0; k < m; ++k) sum += std::isinf(max) ? 0 : std::exp(map(q, k) - max);
            h.row_max[static_cast<std::size_t>(begin + q)] = max;
            h.row_sum[static_cast<std::size_t>(begin + q)] = sum;
        }
        head_weights(cache, i, {begin, 0, n, m}, num::view(map));
        cache.context.own(begin, i * d_v, n, d_v).noalias() =
            map * cache.v.middleCols(layout.kv_head(i) * d_v, d_v) * h.settings.gain;
        if (all_weights) std::copy_n(map.data(), map.size(), all_weights + i * n * m);
    });
}

/// The fused call knows no edits: their rows are made again, and v is summed anew.
void redo_edited_rows(AttentionCache<float>& cache, float* all_weights) {
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    Matrix<float> weights(1, m);
    for (Index i = 0; i < static_cast<Index>(cache.heads.size()); ++i) {
        const HeadSettings<float>& settings = cache.heads[static_cast<std::size_t>(i)].settings;
        Index done = -1;
        for (const WeightEdit& edit : settings.edits) {
            HEED_CHECK(edit.query >= 0 && edit.query < n, "an edited weight of query {} of {}",
                       edit.query, n);
            if (edit.query == done) continue;
            done = edit.query;
            head_weights(cache, i, {done, 0, 1, m}, num::view(weights));
            cache.context.own(done, i * d_v, 1, d_v).noalias() =
                settings.gain * weights * cache.v.middleCols(cache.layout().kv_head(i) * d_v, d_v);
            if (all_weights) std::copy_n(weights.data(), m, all_weights + (i * n + done) * m);
        }
    }
}

/// Sums squares of the rows that are new, and adds what was summed of the others.
template <class S>
void sum_squares(num::ThreadPool& pool, const AttentionOptions<S>& options,
                 AttentionCache<S>& cache) {
    const auto& [of, kept] = options.kept;
    const auto sum = [&](const AttentionCache<S>* same, const SharedRows<S>& x,
                         double AttentionCache<S>::*squares) {
        if (same) return same->*squares;
        return squares_of(pool, x, kept) + (kept > 0 ? of->*squares : 0);
    };
    cache.q_squares = sum(options.same_queries, cache.q, &AttentionCache<S>::q_squares);
    cache.k_squares = sum(options.same_keys, cache.k, &AttentionCache<S>::k_squares);
}

/// Heads of keys and values follow from the widths. ContractError when heads do not fit them.
template <class S>
HeadLayout layout_of(const AttentionParams<S>& p, Index h, const std::string& name) {
    HEED_CHECK(h > 0, "{}: attention without heads", name);
    const Index d_k = p.query.out() / h;
    HEED_CHECK(p.query.out() % h == 0 && d_k > 0 && p.key.out() % d_k == 0,
               "{}: queries, keys and values of {}, {} and {} features do not divide by {} heads",
               name, p.query.out(), p.key.out(), p.value.out(), h);
    const Index n_kv = p.key.out() / d_k;
    HEED_CHECK(n_kv > 0 && n_kv <= h && h % n_kv == 0, "{}: queries are {} wide, keys {}", name,
               p.query.out(), p.key.out());
    HEED_CHECK(p.value.out() % n_kv == 0,
               "{}: queries, keys and values of {}, {} and {} features do not divide by {} heads",
               name, p.query.out(), p.key.out(), p.value.out(), h);
    return head_layout(h, n_kv);
}

} // namespace

HeadLayout head_layout(Index n_heads, Index n_kv_heads) {
    const HeadLayout layout{n_heads, n_kv_heads > 0 ? n_kv_heads : n_heads};
    HEED_CHECK(n_heads > 0 && n_heads % layout.n_kv_heads == 0,
               "{} heads cannot share {} heads of keys and values", n_heads, layout.n_kv_heads);
    return layout;
}

template <class S>
AttentionCache<S> attention_forward(num::ThreadPool& pool, const AttentionParams<S>& params,
                                    const Matrix<S>& x_queries, const Matrix<S>& x_keys,
                                    std::vector<Head<S>> heads,
                                    const AttentionOptions<S>& options) {
    const auto h = static_cast<Index>(heads.size());
    const HeadLayout layout = layout_of(params, h, options.name);
    const Index keys = x_keys.rows() + (options.same_keys ? 0 : options.kept.count);
    HEED_CHECK(options.valid_keys <= keys, "{}: {} valid keys of {}", options.name,
               options.valid_keys, keys);
    AttentionCache<S> cache;
    cache.name = options.name;
    cache.heads = std::move(heads);
    cache.n_kv_heads = layout.n_kv_heads;
    cache.valid_keys = options.valid_keys < 0 ? keys : options.valid_keys;
    project_inputs(pool, params, x_queries, x_keys, options, cache);
    const Index kept = options.kept.count, kept_keys = options.same_keys ? 0 : kept;
    HEED_CHECK(
        cache.q.rows() == kept + x_queries.rows() && cache.k.rows() == kept_keys + x_keys.rows(),
        "{}: {} queries and {} keys were projected before, now there are {} and {}", cache.name,
        cache.q.rows(), cache.k.rows(), kept + x_queries.rows(), kept_keys + x_keys.rows());
    const bool rotary = std::any_of(cache.heads.begin(), cache.heads.end(),
                                    [](const Head<S>& x) { return rotates(x.settings.positions); });
    if (rotary) turn_inputs(pool, options, cache);
    for (Index i = 0; i < h; ++i) fill_head(cache, i, options);
    cache.context = rows_behind(pool, kept > 0 ? &options.kept.of->context : nullptr, kept,
                                x_queries.rows(), h * cache.d_v(), options.directed);
    if constexpr (std::is_same_v<S, float>) {
        attend_fused(pool, cache, kept, options.all_weights);
        redo_edited_rows(cache, options.all_weights);
    } else {
        attend_plainly(pool, cache, kept, options.all_weights);
    }
    sum_squares(pool, options, cache);
    refuse_overflow(pool, cache, kept, options.all_weights);
    if (options.change_context) options.change_context(new_rows(cache.context));
    const ConstView<S> read =
        num::view(cache.context, kept, 0, x_queries.rows(), cache.context.cols());
    cache.output.resize(x_queries.rows(), params.output.out());
    const auto output = projection(read, params.output, params.output_bias, "output", options.next,
                                   num::view(cache.output));
    project<S>(pool, read, {&output, 1});
    return cache;
}

template AttentionCache<float> attention_forward(num::ThreadPool&, const AttentionParams<float>&,
                                                 const Matrix<float>&, const Matrix<float>&,
                                                 std::vector<Head<float>>,
                                                 const AttentionOptions<float>&);
template AttentionCache<double> attention_forward(num::ThreadPool&, const AttentionParams<double>&,
                                                  const Matrix<double>&, const Matrix<double>&,
                                                  std::vector<Head<double>>,
                                                  const AttentionOptions<double>&);

} // namespace heed::nn
