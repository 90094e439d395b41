#include "num/attention.hpp"

#include "base/check.hpp"
#include "num/kernels.hpp"
#include "num/panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace heed::num {

namespace {

/// Queries so few that they read each key once: packing all of them would write the keys anew.
constexpr Index kFew = 4;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Range = std::pair<Index, Index>;

void check_shapes(const HeadAttention& h) {
    const Index n = h.context.rows(), m = h.v.rows();
    if (!h.scores) {
        HEED_CHECK(h.q.cols() == h.k.cols(), "queries are {} wide, keys {}", h.q.cols(),
                   h.k.cols());
        HEED_CHECK(h.q.rows() == n && h.k.rows() == m,
                   "{} queries for {} rows of context, {} keys for {} values", h.q.rows(), n,
                   h.k.rows(), m);
    }
    HEED_CHECK(h.v.cols() == h.context.cols(), "values are {} wide, their context {}", h.v.cols(),
               h.context.cols());
    HEED_CHECK(static_cast<Index>(h.row_max.size()) == n &&
                   static_cast<Index>(h.row_sum.size()) == n,
               "{} maxima and {} sums for {} queries", h.row_max.size(), h.row_sum.size(), n);
    HEED_CHECK(h.bias.empty() || static_cast<Index>(h.bias.size()) == n + m - 1,
               "{} biases for {} queries and {} keys", h.bias.size(), n, m);
    HEED_CHECK(h.ranges.empty() || static_cast<Index>(h.ranges.size()) == n,
               "{} key ranges for {} queries", h.ranges.size(), n);
}

/// One head in work: its keys and values packed, and a few rows of scores.
class Worker {
  public:
    Worker(const HeadAttention& head, Index first, Index last)
        : k_(kernels()), h_(head), n_(head.context.rows()), m_(head.v.rows()),
          keys_(union_of(first, last)), few_(last - first <= kFew) {
        step_ = std::max<Index>(1, 2 * k_.block_rows);
        const Index count = keys_.second - keys_.first;
        const Index packed_keys = few_ ? std::min(count, k_.panel_width) : count;
        const Index key_floats = h_.scores ? 0 : Panels::size(h_.k.cols(), packed_keys);
        const Index value_floats = few_ ? 0 : Panels::size(count, h_.v.cols());
        stride_ = h_.weights ? m_ : (count + 15) / 16 * 16;
        const Index score_floats = h_.weights ? 0 : step_ * stride_;
        key_panels_ = thread_scratch(key_floats + value_floats + score_floats);
        value_panels_ = key_panels_ + key_floats;
        scores_ = value_panels_ + value_floats;
        if (!few_) pack(count);
        for (Index row = first; row < last; row += step_) rows(row, std::min(row + step_, last));
    }

  private:
    void pack(Index count) {
        if (!h_.scores) {
            k_.pack_transposed(h_.k.data() + keys_.first * h_.k.outerStride(), h_.k.outerStride(),
                               count, h_.k.cols(), key_panels_);
        }
        k_.pack(h_.v.data() + keys_.first * h_.v.outerStride(), h_.v.outerStride(), count,
                h_.v.cols(), value_panels_);
    }
    Range range(Index row) const {
        if (h_.ranges.empty()) return {0, m_};
        const auto [begin, end] = h_.ranges[static_cast<std::size_t>(row)];
        const Index from = std::clamp<Index>(begin, 0, m_);
        return {from, std::clamp(end, from, m_)};
    }
    /// The keys that any of these queries may see.
    Range union_of(Index first, Index last) const {
        Range all{m_, 0};
        for (Index row = first; row < last; ++row) {
            const auto [begin, end] = range(row);
            if (begin == end) continue;
            all = {std::min(all.first, begin), std::max(all.second, end)};
        }
        return all.first < all.second ? all : Range{0, 0};
    }

    void rows(Index first, Index last);
    void make_scores(Index first, Index last, Range keys);
    void pack_panel(Index first, Index end);
    void exponentiate(Index row, Range keys);
    void multiply_values(Index first, Index last, Range keys);
    void normalise(Index row, Range keys);

    /// Place where the score of (row, key 0) would be; keys before keys_.first have no place of
    /// their own when nobody wants the weights.
    float* row_of(Index row, Index first) const {
        return h_.weights ? h_.weights + row * m_ : scores_ + (row - first) * stride_ - keys_.first;
    }

    const Kernels& k_;
    const HeadAttention& h_;
    Index n_, m_;
    Range keys_; // packed
    bool few_;
    Index step_ = 0, stride_ = 0, block_first_ = 0;
    float *key_panels_ = nullptr, *value_panels_ = nullptr, *scores_ = nullptr;
};

void Worker::rows(Index first, Index last) {
    block_first_ = first;
    Range keys = union_of(first, last);
    if (keys.first < keys.second) {
        // Whole panels in front, so that a panel's start is a key's.
        keys.first -= (keys.first - keys_.first) % k_.panel_width;
        make_scores(first, last, keys);
    }
    for (Index row = first; row < last; ++row) exponentiate(row, keys);
    multiply_values(first, last, keys);
    for (Index row = first; row < last; ++row) normalise(row, keys);
}

void Worker::make_scores(Index first, Index last, Range keys) {
    const float factor = h_.gamma / h_.temperature;
    if (h_.scores) {
        for (Index row = first; row < last; ++row) {
            const float* from = h_.scores + row * m_;
            float* to = row_of(row, first);
            for (Index j = keys.first; j < keys.second; ++j) to[j] = factor * from[j];
        }
        return;
    }
    for (Index j = keys.first; j < keys.second; j += k_.panel_width) {
        if (few_) pack_panel(j, keys.second);
        k_.panel_product({.x = h_.q.data() + first * h_.q.outerStride(),
                          .x_stride = h_.q.outerStride(),
                          .rows = last - first,
                          .depth = h_.q.cols(),
                          .panel = key_panels_ + (few_ ? 0 : (j - keys_.first) * h_.k.cols()),
                          .factor = factor,
                          .y = row_of(first, first) + j,
                          .y_stride = stride_,
                          .cols = std::min(k_.panel_width, keys.second - j)});
    }
}

/// The keys of one panel from `first` on, where the last one was.
void Worker::pack_panel(Index first, Index end) {
    const Index stride = h_.k.outerStride(), d = h_.k.cols();
    const float* keys = h_.k.data() + first * stride;
    for (Index j = k_.panel_width; j < std::min(2 * k_.panel_width, end - first); ++j) {
        for (Index c = 0; c < d; c += 16) __builtin_prefetch(keys + j * stride + c);
    }
    k_.pack_transposed(keys, stride, std::min(k_.panel_width, end - first), d, key_panels_);
}

/// Leaves exp(z − max) in the row, 0 where a key is not allowed.
void Worker::exponentiate(Index row, Range keys) {
    float* z = row_of(row, block_first_);
    const auto [begin, end] = range(row);
    const Index count = end - begin;
    float& max = h_.row_max[static_cast<std::size_t>(row)];
    float& sum = h_.row_sum[static_cast<std::size_t>(row)];
    max = -kInfinity;
    sum = 0;
    Index allowed = count;
    if (count > 0) {
        if (!h_.bias.empty()) {
            k_.row_add(z + begin, count, 1 / h_.temperature,
                       h_.bias.data() + (begin - row + n_ - 1));
        }
        auto cell = std::lower_bound(h_.forbidden.begin(), h_.forbidden.end(), Range{row, begin});
        for (; cell != h_.forbidden.end() && cell->first == row && cell->second < end; ++cell) {
            z[cell->second] = -kInfinity;
            --allowed;
        }
        max = k_.row_max(z + begin, count);
    }
    if (allowed == 0) {
        std::fill(z + keys.first, z + keys.second, 0.0f);
        return;
    }
    std::fill(z + keys.first, z + begin, 0.0f);
    std::fill(z + end, z + keys.second, 0.0f);
    if (!std::isfinite(max)) {
        sum = std::numeric_limits<float>::quiet_NaN();
        std::fill(z + begin, z + end, sum);
        return;
    }
    sum = k_.row_exp(z + begin, count, max);
}

void Worker::multiply_values(Index first, Index last, Range keys) {
    const Index packed = keys_.second - keys_.first;
    if (few_) {
        float* context = const_cast<float*>(h_.context.data());
        for (Index row = first; row < last; ++row) {
            k_.weighted_sum(row_of(row, first) + keys.first, keys.second - keys.first,
                            h_.v.data() + keys.first * h_.v.outerStride(), h_.v.outerStride(),
                            h_.v.cols(), context + row * h_.context.outerStride());
        }
        return;
    }
    for (Index col = 0; col < h_.v.cols(); col += k_.panel_width) {
        k_.panel_product(
            {.x = row_of(first, first) + keys.first,
             .x_stride = stride_,
             .rows = last - first,
             .depth = keys.second - keys.first,
             .panel = value_panels_ + col * packed + (keys.first - keys_.first) * k_.panel_width,
             .y = const_cast<float*>(h_.context.data()) + first * h_.context.outerStride() + col,
             .y_stride = h_.context.outerStride(),
             .cols = std::min(k_.panel_width, h_.v.cols() - col)});
    }
}

void Worker::normalise(Index row, Range keys) {
    const float sum = h_.row_sum[static_cast<std::size_t>(row)];
    const float factor = sum == 0 ? 0 : 1 / sum;
    float* context = const_cast<float*>(h_.context.data()) + row * h_.context.outerStride();
    if (sum == 0) {
        std::fill_n(context, h_.context.cols(), 0.0f); // whatever the values are, even NaN
    } else {
        k_.row_scale(context, h_.context.cols(), h_.gain * factor);
    }
    if (!h_.weights) return;
    float* weights = h_.weights + row * m_;
    std::fill(weights, weights + keys.first, 0.0f);
    k_.row_scale(weights + keys.first, keys.second - keys.first, factor);
    std::fill(weights + keys.second, weights + m_, 0.0f);
}

double work_of(const HeadAttention& h) {
    return 2.0 * static_cast<double>(h.context.rows()) * static_cast<double>(h.v.rows()) *
           static_cast<double>(h.k.cols() + h.v.cols());
}

} // namespace

void attend(const HeadAttention& head) {
    check_shapes(head);
    Worker(head, 0, head.context.rows());
}

void attend(ThreadPool& pool, std::span<const HeadAttention> heads) {
    double work = 0;
    for (const auto& head : heads) {
        check_shapes(head);
        work += work_of(head);
    }
    const auto count = static_cast<Index>(heads.size());
    if (pool.size() == 1 || work < kWorthSharing) {
        for (const auto& head : heads) Worker(head, 0, head.context.rows());
        return;
    }
    // Each part packs the keys again: heads are split further only when there are too few.
    const Index parts = (Index{2} * pool.size() + count - 1) / count;
    pool.for_each(count * parts, [&](Index i) {
        const HeadAttention& head = heads[static_cast<std::size_t>(i / parts)];
        const Index n = head.context.rows(), part = i % parts;
        const Index first = n * part / parts, last = n * (part + 1) / parts;
        if (first < last) Worker(head, first, last);
    });
}

} // namespace heed::num
