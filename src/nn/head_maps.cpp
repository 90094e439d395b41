// Rectangles of a head's maps, made from what the run kept.
#include "base/check.hpp"
#include "nn/attention.hpp"
#include "num/product.hpp"
#include "num/rows.hpp"

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

template <class S>
ConstView<S> rows_of(const AttentionCache<S>& cache, Index head, const Matrix<S>& plain,
                     const Matrix<S>& turned, Index row, Index rows) {
    const Index width = plain.cols() / static_cast<Index>(cache.heads.size());
    const bool rotary = head_of(cache, head).settings.positions == Positions::rotary;
    return num::view(rotary ? turned : plain, row, head * width, rows, width);
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

/// row += factor · bias
void add_bias(float* row, Index n, float factor, const float* bias) {
    const auto size = static_cast<std::size_t>(n);
    num::add_row({row, size}, factor, {bias, size});
}
void add_bias(double* row, Index n, double factor, const double* bias) {
    for (Index j = 0; j < n; ++j) row[j] += factor * bias[j];
}

template <class S>
void bias_and_mask(const AttentionCache<S>& cache, Index head, const Rect& rect, S factor,
                   View<S> out) {
    const Head<S>& h = head_of(cache, head);
    for (Index i = 0; i < rect.rows; ++i) {
        const Index query = rect.row + i;
        if (!h.bias.empty()) {
            const S* bias = h.bias.data() + (rect.col - query + cache.n_queries() - 1);
            add_bias(out.data() + i * out.outerStride(), rect.cols, factor, bias);
        }
        const auto [first, last] = h.settings.mask->range(query, cache.n_keys(), cache.valid_keys);
        const Index before = std::clamp(first - rect.col, Index(0), rect.cols);
        const Index after = std::clamp(rect.col + rect.cols - last, Index(0), rect.cols);
        out.row(i).head(before).setConstant(kMasked<S>);
        out.row(i).tail(after).setConstant(kMasked<S>);
        for (const auto& [q, key] : h.settings.mask->painted_in(query)) {
            if (key >= rect.col && key < rect.col + rect.cols) {
                out(i, key - rect.col) = kMasked<S>;
            }
        }
    }
}

} // namespace

template <class S>
ConstView<S> head_query(const AttentionCache<S>& cache, Index head, Index row, Index rows) {
    return rows_of(cache, head, cache.q, cache.q_turned, row, rows);
}

template <class S>
ConstView<S> head_key(const AttentionCache<S>& cache, Index head, Index row, Index rows) {
    return rows_of(cache, head, cache.k, cache.k_turned, row, rows);
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
    scores_times(cache, head, rect, head_of(cache, head).settings.gamma, S(1), out);
}

template <class S>
void head_masked(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    head_scaled(cache, head, rect, out);
    bias_and_mask(cache, head, rect, S(1), out);
}

template <class S>
void head_weights(const AttentionCache<S>& cache, Index head, const Rect& rect, View<S> out) {
    const Head<S>& h = head_of(cache, head);
    scores_times(cache, head, rect, h.settings.gamma, h.settings.temperature, out);
    bias_and_mask(cache, head, rect, 1 / h.settings.temperature, out);
    const auto n = static_cast<std::size_t>(cache.n_queries());
    HEED_CHECK(h.row_max.size() == n && h.row_sum.size() == n,
               "{}: head {} keeps {} maxima and {} sums for {} queries", cache.name, head,
               h.row_max.size(), h.row_sum.size(), n);
    const Dropout dropout({h.settings.dropout, h.settings.dropout_seed}, cache.name);
    for (Index i = 0; i < rect.rows; ++i) {
        const Index query = rect.row + i;
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
        if (!dropout.active()) continue;
        const Index first = (head * cache.n_queries() + query) * cache.n_keys() + rect.col;
        for (Index j = 0; j < rect.cols; ++j) row(j) *= dropout.factor<S>(first + j);
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
