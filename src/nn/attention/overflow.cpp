#include "nn/attention/overflow.hpp"

#include "nn/attention/row_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::nn {

namespace {

constexpr Index kQueriesAtOnce = 64; // queries whose scores are made again at once

/// Also for NaN, and for a bound that overflows itself. No sum of products of the elements of two
/// matrices exceeds the product of their norms, q and k (Cauchy and Schwarz).
template <class S> bool may_overflow(const Head<S>& head, double q, double k) {
    double bound = score_bound(head.settings.score, head.score_params.get(), q, k);
    bound *= std::max(1.0, std::abs(static_cast<double>(head.settings.gamma)));
    double bias = 0;
    for (const S b : head.bias) bias = std::max(bias, std::abs(static_cast<double>(b)));
    constexpr double kMargin = 4; // of rounding
    return !(kMargin * (bound + bias) < static_cast<double>(std::numeric_limits<S>::max()));
}

template <class S>
void refuse_rows(AttentionCache<S>& cache, Index head, Index begin, S* all_weights) {
    constexpr S kNaN = std::numeric_limits<S>::quiet_NaN();
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    Head<S>& h = cache.heads[static_cast<std::size_t>(head)];
    for (Index first = begin; first < n; first += kQueriesAtOnce) {
        Matrix<S> masked(std::min(kQueriesAtOnce, n - first), m);
        head_masked(cache, head, {first, 0, masked.rows(), m}, num::view(masked));
        for (Index query = first; query < first + masked.rows(); ++query) {
            bool overflows = false;
            for (Index key = 0; key < m && !overflows; ++key) {
                overflows = !std::isfinite(masked(query - first, key)) &&
                            h.settings.mask->allows(query, key, cache.valid_keys);
            }
            if (!overflows) continue;
            h.row_sum[static_cast<std::size_t>(query)] = kNaN;
            cache.context.own(query, head * d_v, 1, d_v).setConstant(kNaN);
            if (all_weights) std::fill_n(all_weights + (head * n + query) * m, m, kNaN);
        }
    }
}

} // namespace

template <class S> double squares_of(num::ThreadPool& pool, const SharedRows<S>& x, Index begin) {
    const Index rows = x.rows() - begin;
    if (rows == 0 || x.cols() == 0) return 0;
    std::vector<S> squares(static_cast<std::size_t>(rows));
    for_row_blocks(pool, rows, x.cols(), [&](Index first, Index end) {
        squares[static_cast<std::size_t>(first)] =
            x.middleRows(begin + first, end - first).squaredNorm();
    });
    double sum = 0;
    for (const S square : squares) sum += static_cast<double>(square);
    return sum;
}

template <class S>
void refuse_overflow(num::ThreadPool& pool, AttentionCache<S>& cache, Index begin, S* all_weights) {
    const double q = std::sqrt(cache.q_squares), k = std::sqrt(cache.k_squares);
    std::vector<Index> heads;
    for (Index i = 0; i < static_cast<Index>(cache.heads.size()); ++i) {
        if (may_overflow(cache.heads[static_cast<std::size_t>(i)], q, k)) heads.push_back(i);
    }
    if (heads.empty()) return;
    pool.for_each(static_cast<Index>(heads.size()), [&](Index i) {
        refuse_rows(cache, heads[static_cast<std::size_t>(i)], begin, all_weights);
    });
}

#define HEED_OVERFLOW(S)                                                                           \
    template double squares_of(num::ThreadPool&, const SharedRows<S>&, Index);                     \
    template void refuse_overflow(num::ThreadPool&, AttentionCache<S>&, Index, S*);
HEED_OVERFLOW(float)
HEED_OVERFLOW(double)
#undef HEED_OVERFLOW

} // namespace heed::nn
