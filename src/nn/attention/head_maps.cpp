// Rectangles of a head's maps, made from what the run kept.
#include "base/check.hpp"
#include "nn/attention/attention_cache.hpp"
#include "nn/attention/dropout.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/weight_rows.hpp"
#include "num/product.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::nn {

namespace {

template <class S> constexpr S kMasked = -std::numeric_limits<S>::infinity();

template <class S> const Head<S>& head_of(const AttentionCache<S>& cache, Index head) {
    HEED_CHECK(head >= 0 && head < static_cast<Index>(cache.heads.size()), "head {} of {}", head,
               cache.heads.size());
    return cache.heads[static_cast<std::size_t>(head)];
}

template <class S>
void check_rect(const AttentionCache<S>& cache, const Rect& rect, const View<S>& out) {
    HEED_CHECK(rect.row >= 0 && rect.col >= 0 && rect.rows >= 0 && rect.cols >= 0 &&
                   rect.row + rect.rows <= cache.n_queries() &&
                   rect.col + rect.cols <= cache.n_keys(),
               "rows {} + {} and columns {} + {} of a map of {} x {}", rect.row, rect.rows,
               rect.col, rect.cols, cache.n_queries(), cache.n_keys());
    HEED_CHECK(out.rows() == rect.rows && out.cols() == rect.cols,
               "a rectangle of {} x {} does not fit {} x {}", rect.rows, rect.cols, out.rows(),
               out.cols());
}

/// gamma · scores / temperature, by one factor that is rounded as the run's: a sharp softmax shows
/// every other rounding of its logits.
template <class S>
void scores_times(const AttentionCache<S>& cache, Index head, const Rect& rect, S gamma,
                  S temperature, View<S> out) {
    check_rect(cache, rect, out);
    const Head<S>& h = head_of(cache, head);
    const ConstView<S> q = head_query(cache, head, rect.row, rect.rows);
    const ConstView<S> k = head_key(cache, head, rect.col, rect.cols);
    if (!has_dot_form(h.settings.score)) {
        scores(h.settings.score, h.score_params.get(), q, k, gamma / temperature, out);
        return;
    }
    const DotForm<S> form(h.settings.score, h.score_params.get(), q, k);
    num::product_transposed(form.q, form.k, gamma * form.factor / temperature, out);
}

/// The cells of one row of a rectangle.
template <class S>
WeightRow<S> cells_of(const AttentionCache<S>& cache, const Head<S>& h, const Rect& rect, Index i) {
    const Index query = rect.row + i;
    const S* bias =
        h.bias.empty() ? nullptr : h.bias.data() + (rect.col - query + cache.n_queries() - 1);
    return {h.settings, query, rect.col, cache.n_keys(), cache.valid_keys, bias};
}

} // namespace

template <class S>
ConstView<S> head_query(const AttentionCache<S>& cache, Index head, Index row, Index rows) {
    const bool rotated = rotates(head_of(cache, head).settings.positions);
    const Index width = cache.d_q();
    return num::view(rotated ? cache.q_rotated : cache.q, row, head * width, rows, width);
}

template <class S>
ConstView<S> head_key(const AttentionCache<S>& cache, Index head, Index row, Index rows) {
    const bool rotated = rotates(head_of(cache, head).settings.positions);
    const Index width = cache.d_k(), of = cache.layout().kv_head(head);
    return num::view(rotated ? cache.k_rotated : cache.k, row, of * width, rows, width);
}

template <class S>
S weight_dropout(const AttentionCache<S>& cache, Index head, Index query, Index key) {
    const HeadSettings<S>& settings = head_of(cache, head).settings;
    const Dropout dropout({settings.dropout, settings.dropout_seed}, cache.name);
    if (!dropout.active()) return 1;
    return dropout.factor<S>((head * cache.n_queries() + query) * cache.n_keys() + key);
}

template <class S>
void head_scores(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    scores_times(cache, head, rect, S(1), S(1), out);
}

template <class S>
void head_scaled(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    const HeadSettings<S>& settings = head_of(cache, head).settings;
    scores_times(cache, head, rect, settings.gamma, S(1), out);
    if (settings.softcap > 0) {
        out.array() = settings.softcap * (out.array() / settings.softcap).tanh();
    }
}

template <class S>
void head_masked(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    head_scaled(cache, head, rect, out);
    const Head<S>& h = head_of(cache, head);
    for (Index i = 0; i < rect.rows; ++i) {
        bias_and_mask(cells_of(cache, h, rect, i), S(1), num::row_span(out, i));
    }
}

template <class S>
void head_weights(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    const Head<S>& h = head_of(cache, head);
    if (h.stored) {
        check_rect(cache, rect, out);
        out = h.stored->block(rect.row, rect.col, rect.rows, rect.cols);
        return;
    }
    if (h.settings.softcap > 0) {
        head_scaled(cache, head, rect, out);
        out /= h.settings.temperature;
    } else {
        scores_times(cache, head, rect, h.settings.gamma, h.settings.temperature, out);
    }
    const auto n = static_cast<std::size_t>(cache.n_queries());
    HEED_CHECK(h.row_max.size() == n && h.row_sum.size() == n,
               "{}: head {} keeps {} maxima and {} sums for {} queries", cache.name, head,
               h.row_max.size(), h.row_sum.size(), n);
    const Dropout dropout({h.settings.dropout, h.settings.dropout_seed}, cache.name);
    for (Index i = 0; i < rect.rows; ++i) {
        const Index query = rect.row + i;
        const WeightRow<S> cells = cells_of(cache, h, rect, i);
        bias_and_mask(cells, 1 / h.settings.temperature, num::row_span(out, i));
        const S max = h.row_max[static_cast<std::size_t>(query)];
        const S sum = h.row_sum[static_cast<std::size_t>(query)];
        auto row = out.row(i).array();
        const auto edits = edits_of(h.settings.edits, query);
        if (!edits.empty() && rect.cols < cache.n_keys()) {
            // What an edit leaves to the others is a matter of the whole row.
            Matrix<S> whole(1, cache.n_keys());
            head_weights(cache, head, {query, 0, 1, cache.n_keys()}, num::view(whole));
            out.row(i) = whole.middleCols(rect.col, rect.cols);
            continue;
        }
        if (sum == 0) {
            row.setZero();
        } else {
            // Eigen's exp of −inf is a small number, and a masked key gets none at all.
            row = (row == kMasked<S>).select(S(0), (row - max).min(S(0)).exp() / sum);
        }
        if (!edits.empty()) apply_edits(edits, out.data() + i * out.outerStride(), rect.cols);
        drop_row(cells, dropout, (head * cache.n_queries() + query) * cache.n_keys(),
                 num::row_span(out, i));
    }
}

#define HEED_HEAD_MAPS(S)                                                                          \
    template ConstView<S> head_query(const AttentionCache<S>&, Index, Index, Index);               \
    template ConstView<S> head_key(const AttentionCache<S>&, Index, Index, Index);                 \
    template S weight_dropout(const AttentionCache<S>&, Index, Index, Index);                      \
    template void head_scores(const AttentionCache<S>&, Index, const Rect&, View<S>);              \
    template void head_scaled(const AttentionCache<S>&, Index, const Rect&, View<S>);              \
    template void head_masked(const AttentionCache<S>&, Index, const Rect&, View<S>);              \
    template void head_weights(const AttentionCache<S>&, Index, const Rect&, View<S>);
HEED_HEAD_MAPS(float)
HEED_HEAD_MAPS(double)
#undef HEED_HEAD_MAPS

} // namespace heed::nn
