#include "nn/attention/step_attention.hpp"

#include "base/check.hpp"
#include "nn/attention/position_info.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "nn/attention/weight_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heed::nn {

namespace {

/// One call of queries that stand anywhere in the map, against all keys.
template <class S> struct Call {
    const HeadSettings<S>& settings;
    const Matrix<S>& scores; // rows × m, without `factor`
    S factor;
    std::span<const Index> index; // of each row in the map
    Index valid_keys;
};

template <class S> WeightRow<S> cells_of(const Call<S>& call, Index row) {
    return {call.settings, call.index[static_cast<std::size_t>(row)], 0, call.scores.cols(),
            call.valid_keys};
}

/// The weights before edits, row_max and row_sum.
template <class S> void softmax(const Call<S>& call, Attended<S>& out) {
    const HeadSettings<S>& settings = call.settings;
    out.weights = call.scores * (settings.gamma * call.factor / settings.temperature);
    for (Index r = 0; r < call.scores.rows(); ++r) {
        const std::span<S> row = num::row_span(out.weights, r);
        bias_and_mask(cells_of(call, r), S(1), row);
        const auto [max, sum] = softmax_row(row);
        out.row_max[static_cast<std::size_t>(r)] = max;
        out.row_sum[static_cast<std::size_t>(r)] = sum;
    }
}

/// True where an allowed score is no finite number.
template <class S> bool overflows(const Call<S>& call, Index row) {
    const S factor = call.settings.gamma * call.factor;
    for (Index j = 0; j < call.scores.cols(); ++j) {
        if (!std::isfinite(call.scores(row, j) * factor) &&
            call.settings.mask->allows(call.index[static_cast<std::size_t>(row)], j,
                                       call.valid_keys)) {
            return true;
        }
    }
    return false;
}

} // namespace

template <class S>
StepAttention<S>::StepAttention(std::string name, Matrix<S> keys, Matrix<S> values, Head<S> head,
                                Index valid_keys)
    : name_(std::move(name)), keys_(std::move(keys)), values_(std::move(values)),
      packed_values_(values_), head_(std::move(head)),
      valid_keys_(valid_keys < 0 ? keys_.rows() : valid_keys),
      score_keys_(head_.settings.score, head_.score_params, keys_) {
    HEED_CHECK(keys_.rows() == values_.rows(), "{}: {} keys and {} values", name_, keys_.rows(),
               values_.rows());
    HEED_CHECK(valid_keys_ <= keys_.rows(), "{}: {} valid keys of {}", name_, valid_keys_,
               keys_.rows());
    HEED_CHECK(head_.settings.temperature > 0, "{}: a temperature of {}", name_,
               head_.settings.temperature);
    HEED_CHECK(!rotates(head_.settings.positions) && !adds_bias(head_.settings.positions),
               "{}: positions {} in attention step by step, which adds none to scores", name_,
               nn::name(head_.settings.positions));
    head_.bias.clear();
    head_.row_max.clear();
    head_.row_sum.clear();
}

template <class S>
Attended<S> StepAttention<S>::attend(num::ThreadPool& pool, const Matrix<S>& queries,
                                     std::span<const Index> index) const {
    const Index rows = queries.rows(), m = n_keys();
    HEED_CHECK(static_cast<Index>(index.size()) == rows, "{}: {} places in the map for {} queries",
               name_, index.size(), rows);
    Matrix<S> scores(rows, m);
    score_keys_.scores(pool, queries, num::view(scores));
    Attended<S> out;
    out.q = queries;
    out.row_max.resize(index.size());
    out.row_sum.resize(index.size());
    const Call<S> call{head_.settings, scores, score_keys_.factor(), index, valid_keys_};
    softmax(call, out);
    change_weights(index, out.weights);
    out.context.resize(rows, values_.cols());
    num::linear<S>(pool, num::view(std::as_const(out.weights)), packed_values_, {},
                   num::view(out.context));
    out.context *= head_.settings.gain;
    for (Index r = 0; r < rows; ++r) {
        if (overflows(call, r)) {
            constexpr S kNaN = std::numeric_limits<S>::quiet_NaN();
            out.row_sum[static_cast<std::size_t>(r)] = kNaN;
            out.weights.row(r).setConstant(kNaN);
            out.context.row(r).setConstant(kNaN);
        } else if ((out.weights.row(r).array() == 0).all()) {
            out.context.row(r).setZero(); // whatever the values are, even NaN
        }
    }
    return out;
}

template <class S>
void StepAttention<S>::change_weights(std::span<const Index> index, Matrix<S>& weights) const {
    const HeadSettings<S>& settings = head_.settings;
    const Dropout dropout({settings.dropout, settings.dropout_seed}, name_);
    const Index m = weights.cols();
    for (Index r = 0; r < weights.rows(); ++r) {
        const Index query = index[static_cast<std::size_t>(r)];
        const auto edits = edits_of(settings.edits, query);
        if (!edits.empty()) apply_edits(edits, weights.row(r).data(), m);
        drop_row<S>({settings, query, 0, m, valid_keys_}, dropout, query * m,
                    num::row_span(weights, r));
    }
}

template <class S>
AttentionCache<S> StepAttention<S>::cache(std::span<const AttendedRow<S>> rows) const {
    AttentionCache<S> cache;
    cache.name = name_;
    cache.k = keys_;
    cache.v = values_;
    cache.valid_keys = valid_keys_;
    const auto n = static_cast<Index>(rows.size());
    const Index d_q = n > 0 ? rows[0].of->q.cols() : score_keys_.d_q();
    Matrix<S> q(n, d_q), context(n, values_.cols());
    Head<S>& head = cache.heads.emplace_back(head_);
    for (Index i = 0; i < n; ++i) {
        const auto& [of, row] = rows[static_cast<std::size_t>(i)];
        HEED_CHECK(row >= 0 && row < of->q.rows(), "{}: row {} of {}", name_, row, of->q.rows());
        HEED_CHECK(of->q.cols() == d_q, "{}: queries of {} and {} features", name_, d_q,
                   of->q.cols());
        q.row(i) = of->q.row(row);
        context.row(i) = of->context.row(row);
        head.row_max.push_back(of->row_max[static_cast<std::size_t>(row)]);
        head.row_sum.push_back(of->row_sum[static_cast<std::size_t>(row)]);
    }
    cache.q = std::move(q);
    cache.context = std::move(context);
    return cache;
}

template class StepAttention<float>;
template class StepAttention<double>;

} // namespace heed::nn
