#include "nn/attention/fused_attention.hpp"

#include "nn/attention/dropout.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "num/attention.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

namespace heed::nn {

namespace {

/// Queries at once of a head that writes its maps out: so many that packing its keys and values
/// again for each of these blocks costs little beside multiplying with them.
constexpr Index kBlock = 64;

// Inputs of one head's calls beside q, k and v.
struct HeadMaterial {
    std::unique_ptr<DotForm<float>> form;        // null where the score is no product
    std::vector<std::pair<Index, Index>> ranges; // of the queries that are asked for
    Index begin;
};

HeadMaterial material_of(const AttentionCache<float>& cache, Index head, Index begin) {
    const Head<float>& h = cache.heads[static_cast<std::size_t>(head)];
    const Index n = cache.n_queries(), m = cache.n_keys();
    HeadMaterial material{nullptr, {}, begin};
    if (has_dot_form(h.settings.score)) {
        material.form = std::make_unique<DotForm<float>>(h.settings.score, h.score_params.get(),
                                                         head_query(cache, head, 0, n),
                                                         head_key(cache, head, 0, m));
    }
    const Mask& mask = *h.settings.mask;
    if (mask.padding || mask.causal || mask.window) {
        material.ranges.reserve(static_cast<std::size_t>(n - begin));
        for (Index i = begin; i < n; ++i) {
            material.ranges.push_back(mask.range(i, m, cache.valid_keys));
        }
    }
    return material;
}

/// `rows` queries of one head from `first` on, against all keys; without painted cells.
num::HeadAttention call_of(AttentionCache<float>& cache, Index head, const HeadMaterial& own,
                           Index first, Index rows, float* all_weights) {
    Head<float>& h = cache.heads[static_cast<std::size_t>(head)];
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    const auto at = static_cast<std::size_t>(first), count = static_cast<std::size_t>(rows);
    const ConstView<float> q = own.form ? own.form->q : head_query(cache, head, 0, n);
    num::HeadAttention call{.q = {q.data() + first * q.outerStride(), rows, q.cols(),
                                  Eigen::OuterStride<>(q.outerStride())},
                            .k = own.form ? own.form->k : head_key(cache, head, 0, m),
                            .v = num::view(cache.v, 0, cache.layout().kv_head(head) * d_v, m, d_v),
                            .context = cache.context.own(first, head * d_v, rows, d_v),
                            .row_max = std::span(h.row_max).subspan(at, count),
                            .row_sum = std::span(h.row_sum).subspan(at, count),
                            .weights = all_weights ? all_weights + (head * n + first) * m : nullptr,
                            .gamma = h.settings.gamma * (own.form ? own.form->factor : 1),
                            .temperature = h.settings.temperature,
                            .gain = h.settings.gain};
    if (!h.bias.empty()) {
        call.bias = std::span<const float>(h.bias).subspan(static_cast<std::size_t>(n) - at - count,
                                                           static_cast<std::size_t>(rows + m - 1));
    }
    if (!own.ranges.empty()) {
        const auto row = static_cast<std::size_t>(first - own.begin);
        call.ranges = std::span(own.ranges).subspan(row, count);
    }
    return call;
}

/// Attends with such queries of a head that writes its maps out. The fused call knows no dropout:
/// it gives the weights, some fall, and v is summed again.
void attend_block(AttentionCache<float>& cache, Index head, const HeadMaterial& own, Index first,
                  Index rows, float* all_weights) {
    const HeadSettings<float>& settings = cache.heads[static_cast<std::size_t>(head)].settings;
    const Index n = cache.n_queries(), m = cache.n_keys();
    num::HeadAttention call = call_of(cache, head, own, first, rows, all_weights);
    std::vector<std::pair<Index, Index>> forbidden;
    for (Index i = 0; i < rows; ++i) {
        for (const auto& [query, key] : settings.mask->painted_in(first + i)) {
            forbidden.emplace_back(i, key);
        }
    }
    call.forbidden = forbidden;
    Matrix<float> scores, weights;
    if (!own.form || settings.softcap > 0) {
        scores.resize(rows, m);
        const num::Rect rect{first, 0, rows, m};
        if (settings.softcap > 0) {
            head_scaled(cache, head, rect, num::view(scores));
            call.gamma = 1;
        } else {
            head_scores(cache, head, rect, num::view(scores));
        }
        call.scores = scores.data();
    }
    const Dropout dropout({settings.dropout, settings.dropout_seed}, cache.name);
    if (dropout.active() && !call.weights) {
        weights.resize(rows, m);
        call.weights = weights.data();
    }
    num::attend(call);
    if (!dropout.active()) return;
    const Index element = (head * n + first) * m;
    for (Index e = 0; e < rows * m; ++e) call.weights[e] *= dropout.factor<float>(element + e);
    num::product(num::ConstView<float>(call.weights, rows, m, Eigen::OuterStride<>(m)), call.v,
                 call.context);
    call.context *= settings.gain;
}

} // namespace

void attend_fused(num::ThreadPool& pool, AttentionCache<float>& cache, Index begin,
                  float* all_weights) {
    const Index n = cache.n_queries(), blocks = (n - begin + kBlock - 1) / kBlock;
    std::vector<HeadMaterial> material; // calls point into it, which growing does not disturb
    std::vector<num::HeadAttention> whole;
    std::vector<Index> in_blocks;
    for (Index i = 0; i < static_cast<Index>(cache.heads.size()); ++i) {
        const HeadSettings<float>& settings = cache.heads[static_cast<std::size_t>(i)].settings;
        const HeadMaterial& own = material.emplace_back(material_of(cache, i, begin));
        const bool painted = begin > 0 && !settings.mask->painted.empty();
        if (own.form && settings.dropout == 0 && settings.softcap == 0 && !painted) {
            whole.push_back(call_of(cache, i, own, begin, n - begin, all_weights));
            whole.back().forbidden = settings.mask->painted;
        } else {
            in_blocks.push_back(i);
        }
    }
    if (!whole.empty()) num::attend(pool, whole);
    if (in_blocks.empty()) return;
    pool.for_each(blocks * static_cast<Index>(in_blocks.size()), [&](Index task) {
        const Index head = in_blocks[static_cast<std::size_t>(task / blocks)];
        const Index first = begin + task % blocks * kBlock;
        attend_block(cache, head, material[static_cast<std::size_t>(head)], first,
                     std::min(kBlock, n - first), all_weights);
    });
}

} // namespace heed::nn
