#include "nn/overflow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::nn {

namespace {

constexpr Index kBlock = 64; // queries whose scores are made again at once

template <class Values> double largest(const Values& x) {
    if (x.size() == 0) return 0;
    return static_cast<double>(x.cwiseAbs().template maxCoeff<Eigen::PropagateNaN>());
}

/// No sum on the way to a score of these settings is larger; q and k are the largest features.
template <class S> double score_bound(const Head<S>& head, double q, double k, double d_k) {
    const ScoreParams<S>* p = head.score_params.get();
    switch (head.settings.score) {
    case Score::additive:
    case Score::concat:
        return std::max(d_k * (q * largest(p->query) + k * largest(p->key)),
                        static_cast<double>(p->hidden.size()) * largest(p->hidden));
    case Score::bilinear: return d_k * std::max(1.0, d_k * largest(p->bilinear)) * q * k;
    case Score::cosine: return d_k; // of unit vectors
    case Score::dot:
    case Score::scaled_dot: break;
    }
    return d_k * q * k;
}

/// Also for NaN, and for a bound that overflows itself.
template <class S>
bool may_overflow(const AttentionCache<S>& cache, const Head<S>& head, double q, double k) {
    double bound = score_bound(head, q, k, static_cast<double>(cache.d_k()));
    bound *= std::max(1.0, std::abs(static_cast<double>(head.settings.gamma)));
    double bias = 0;
    for (const S b : head.bias) bias = std::max(bias, std::abs(static_cast<double>(b)));
    constexpr double kMargin = 4; // of rounding, and of rotary positions, which turn pairs
    return !(kMargin * (bound + bias) < static_cast<double>(std::numeric_limits<S>::max()));
}

template <class S> void refuse_rows(AttentionCache<S>& cache, Index head, S* all_weights) {
    constexpr S kNaN = std::numeric_limits<S>::quiet_NaN();
    const Index n = cache.n_queries(), m = cache.n_keys(), d_v = cache.d_v();
    Head<S>& h = cache.heads[static_cast<std::size_t>(head)];
    for (Index first = 0; first < n; first += kBlock) {
        Matrix<S> masked(std::min(kBlock, n - first), m);
        head_masked(cache, head, {first, 0, masked.rows(), m}, num::view(masked));
        for (Index query = first; query < first + masked.rows(); ++query) {
            bool overflows = false;
            for (Index key = 0; key < m && !overflows; ++key) {
                overflows = !std::isfinite(masked(query - first, key)) &&
                            h.settings.mask->allows(query, key, cache.valid_keys);
            }
            if (!overflows) continue;
            h.row_sum[static_cast<std::size_t>(query)] = kNaN;
            cache.context.row(query).segment(head * d_v, d_v).setConstant(kNaN);
            if (all_weights) std::fill_n(all_weights + (head * n + query) * m, m, kNaN);
        }
    }
}

} // namespace

template <class S> void refuse_overflow(num::Team& team, AttentionCache<S>& cache, S* all_weights) {
    const double q = largest(cache.q), k = largest(cache.k);
    std::vector<Index> heads;
    for (Index i = 0; i < static_cast<Index>(cache.heads.size()); ++i) {
        if (may_overflow(cache, cache.heads[static_cast<std::size_t>(i)], q, k)) heads.push_back(i);
    }
    if (heads.empty()) return;
    team.for_each(static_cast<Index>(heads.size()), [&](Index i) {
        refuse_rows(cache, heads[static_cast<std::size_t>(i)], all_weights);
    });
}

template void refuse_overflow(num::Team&, AttentionCache<float>&, float*);
template void refuse_overflow(num::Team&, AttentionCache<double>&, double*);

} // namespace heed::nn
