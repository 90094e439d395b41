#include "nn/attention/segment_attention.hpp"

#include "base/check.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "nn/attention/weight_rows.hpp"

#include <algorithm>
#include <utility>

namespace heed::nn {

namespace {

using num::Store;

/// The maps of one call: where each lies, and what they read.
template <class S> class Maps {
  public:
    Maps(const SegmentAttention<S>& layer, const Segments& queries, const Segments& keys)
        : layer_(layer), queries_(queries), keys_(keys), layout_(layer.layout()),
          n_heads_(layout_.n_heads), cells_{0} {
        HEED_CHECK(queries.count() == keys.count(), "{}: {} sentences of queries and {} of keys",
                   layer.name, queries.count(), keys.count());
        for (Index s = 0; s < queries.count(); ++s) {
            cells_.push_back(cells_.back() + queries.size(s) * keys.size(s));
        }
        longest_ = {queries.longest(), keys.longest()};
        for (Index h = 0; h < n_heads_; ++h) {
            biases_.push_back(position_bias(head(h).positions, h, n_heads_, layer.directed,
                                            layer.relative.size() ? &layer.relative : nullptr,
                                            longest_.first, longest_.second,
                                            layer.positions.relative));
        }
    }

    Index n_heads() const { return n_heads_; }
    Index sentences() const { return queries_.count(); }
    Index size() const { return n_heads_ * cells_.back(); }
    Index offset(Index head, Index s) const {
        return head * cells_.back() + cells_[static_cast<std::size_t>(s)];
    }
    Index n(Index s) const { return queries_.size(s); }
    Index m(Index s) const { return keys_.size(s); }
    const HeadSettings<S>& head(Index h) const { return layer_.heads[static_cast<std::size_t>(h)]; }
    const ScoreParams<S>* params(Index h) const {
        return layer_.scores.empty() ? nullptr : &layer_.scores[static_cast<std::size_t>(h)];
    }

    /// One head's rows of one sentence.
    template <class M> auto of_queries(M& x, Index h, Index s) const {
        const Index d = x.cols() / n_heads_;
        return num::view(x, queries_.begin(s), h * d, queries_.size(s), d);
    }
    template <class M> auto of_keys(M& x, Index h, Index s) const {
        const Index d = x.cols() / layout_.n_kv_heads;
        return num::view(x, keys_.begin(s), layout_.kv_head(h) * d, keys_.size(s), d);
    }
    /// True where it is the first of the heads that share its keys and values.
    bool leads(Index h) const { return h == 0 || layout_.kv_head(h) != layout_.kv_head(h - 1); }
    View<S> map(S* data, Index h, Index i) const {
        return View<S>(data + offset(h, i), n(i), m(i), Eigen::OuterStride<>(m(i)));
    }
    ConstView<S> map(const S* data, Index h, Index i) const {
        return ConstView<S>(data + offset(h, i), n(i), m(i), Eigen::OuterStride<>(m(i)));
    }

    /// z = (γ s(q, k) + bias) / τ where allowed, −∞ where not.
    void masked(Index h, ConstView<S> q, ConstView<S> k, View<S> z) const {
        const HeadSettings<S>& settings = head(h);
        scores<S>(settings.score, params(h), q, k, settings.gamma / settings.temperature, z);
        const auto& bias = biases_[static_cast<std::size_t>(h)];
        if (bias.empty() && settings.mask->empty()) return;
        for (Index i = 0; i < z.rows(); ++i) {
            const S* of_row = bias.empty() ? nullptr : bias.data() + (longest_.first - 1 - i);
            bias_and_mask<S>({settings, i, 0, z.cols(), z.cols(), of_row}, 1 / settings.temperature,
                             {z.data() + i * z.outerStride(), static_cast<std::size_t>(z.cols())});
        }
    }

    /// Adds what biases by bucket get of dz.
    void relative_backward(Index h, ConstView<S> dz, S* gradient) const {
        const S per = 1 / head(h).temperature;
        for (Index i = 0; i < dz.rows(); ++i) {
            for (Index j = 0; j < dz.cols(); ++j) {
                const Index bucket =
                    relative_bucket(j - i, layer_.directed, layer_.positions.relative);
                gradient[bucket * n_heads_ + h] += dz(i, j) * per;
            }
        }
    }

    /// Rotates what rotary heads compare, by the place in the sentence, or back again. Keys are
    /// rotated as the first of the heads that share them asks.
    void rotate(Matrix<S>& x, bool keys, bool back) const {
        const auto rotary = [](const HeadSettings<S>& s) { return rotates(s.positions); };
        if (std::none_of(layer_.heads.begin(), layer_.heads.end(), rotary)) return;
        RotaryTable<S> table = rotary_table<S>(keys ? longest_.second : longest_.first,
                                               x.cols() / (keys ? layout_.n_kv_heads : n_heads_), 0,
                                               layer_.positions.rotary);
        if (back) table.sine = -table.sine; // a rotation's transpose
        for (Index s = 0; s < sentences(); ++s) {
            for (Index h = 0; h < n_heads_; ++h) {
                if (!rotary(head(h)) || (keys && !leads(h))) continue;
                View<S> rows = keys ? of_keys(x, h, s) : of_queries(x, h, s);
                nn::rotate<S>(table,
                              ConstView<S>(rows.data(), rows.rows(), rows.cols(),
                                           Eigen::OuterStride<>(rows.outerStride())),
                              rows);
            }
        }
    }

  private:
    const SegmentAttention<S>& layer_;
    const Segments &queries_, &keys_;
    HeadLayout layout_;
    Index n_heads_;
    std::vector<Index> cells_; // of one head, before each sentence
    std::pair<Index, Index> longest_;
    std::vector<std::vector<S>> biases_; // one a head, of the longest sentences
};

template <class S> ConstView<S> constant(View<S> m) {
    return ConstView<S>(m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.outerStride()));
}

template <class S>
void drop_factors(const DropoutSettings& settings, const std::string& place, Index size,
                  std::vector<S>& factors) {
    const Dropout dropout(settings, place);
    factors.resize(dropout.active() ? static_cast<std::size_t>(size) : 0);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        factors[i] = dropout.factor<S>(static_cast<Index>(i));
    }
}

/// weights ∘ factors of one map, into `scratch`; the weights themselves without dropout.
template <class S>
ConstView<S> dropped(const Maps<S>& maps, const SegmentAttentionCache<S>& cache, Index h, Index s,
                     Matrix<S>& scratch) {
    const ConstView<S> weights = maps.map(cache.weights.data(), h, s);
    if (cache.factors.empty()) return weights;
    scratch = weights.cwiseProduct(maps.map(cache.factors.data(), h, s));
    return num::view(std::as_const(scratch));
}

} // namespace

template <class S> HeadLayout SegmentAttention<S>::layout() const {
    const auto h = static_cast<Index>(heads.size());
    HEED_CHECK(h > 0, "{}: attention without heads", name);
    const Index width = query.weights.out() / h;
    HEED_CHECK(width > 0 && key.weights.out() % width == 0, "{}: queries are {} wide, keys {}",
               name, query.weights.out(), key.weights.out());
    return head_layout(h, key.weights.out() / width);
}

template <class S>
void segment_attention_forward(const SegmentAttention<S>& layer, const Matrix<S>& x_queries,
                               const Segments& queries, const Matrix<S>& x_keys,
                               const Segments& keys, const DropoutSettings& dropout,
                               const Matrix<S>* residual, SegmentAttentionCache<S>& cache,
                               Matrix<S>& output) {
    const Maps<S> maps(layer, queries, keys);
    linear_forward<S>(layer.query, num::view(x_queries), {}, cache.q);
    linear_forward<S>(layer.key, num::view(x_keys), {}, cache.k);
    linear_forward<S>(layer.value, num::view(x_keys), {}, cache.v);
    maps.rotate(cache.q, false, false);
    maps.rotate(cache.k, true, false);
    cache.weights.resize(static_cast<std::size_t>(maps.size()));
    drop_factors(dropout, layer.name, maps.size(), cache.factors);
    cache.context.resize(x_queries.rows(), layer.output.weights.in());
    Matrix<S> scratch;
    for (Index s = 0; s < maps.sentences(); ++s) {
        for (Index h = 0; h < maps.n_heads(); ++h) {
            const View<S> z = maps.map(cache.weights.data(), h, s);
            maps.masked(h, maps.of_queries(std::as_const(cache.q), h, s),
                        maps.of_keys(std::as_const(cache.k), h, s), z);
            for (Index i = 0; i < z.rows(); ++i) softmax_row(num::row_span(z, i));
            View<S> context = maps.of_queries(cache.context, h, s);
            num::product(dropped(maps, cache, h, s, scratch),
                         maps.of_keys(std::as_const(cache.v), h, s), context);
            if (maps.head(h).gain != 1) context *= maps.head(h).gain;
        }
    }
    linear_forward<S>(layer.output, num::view(std::as_const(cache.context)), {.residual = residual},
                      output);
}

template <class S>
void segment_attention_backward(const SegmentAttention<S>& layer,
                                const SegmentAttentionCache<S>& cache, const Matrix<S>& x_queries,
                                const Segments& queries, const Matrix<S>& x_keys,
                                const Segments& keys, const Matrix<S>& d_output,
                                const SegmentAttentionGradient<S>& gradient, Matrix<S>& dx_queries,
                                Matrix<S>& dx_keys) {
    const Maps<S> maps(layer, queries, keys);
    const auto linear_back = [](const LinearLayer<S>& map, const Matrix<S>& x, const Matrix<S>& dy,
                                const LinearGradient<S>& to, Matrix<S>& dx, Store store) {
        linear_gradient<S>(num::view(x), num::view(dy), Store::set, !map.bias.empty(), to);
        linear_backward<S>(map, num::view(dy), store, dx);
    };
    Matrix<S> d_context(cache.context.rows(), cache.context.cols());
    linear_back(layer.output, cache.context, d_output, gradient.output, d_context, Store::set);
    Matrix<S> dq(cache.q.rows(), cache.q.cols()), dk(cache.k.rows(), cache.k.cols()),
        dv(cache.v.rows(), cache.v.cols());
    Matrix<S> scratch, dz, own_dk;
    for (Index s = 0; s < maps.sentences(); ++s) {
        for (Index h = 0; h < maps.n_heads(); ++h) {
            const HeadSettings<S>& settings = maps.head(h);
            View<S> d_head = maps.of_queries(d_context, h, s);
            if (settings.gain != 1) d_head *= settings.gain;
            const ConstView<S> dc = constant(d_head);
            num::product_of_transpose<S>(dropped(maps, cache, h, s, scratch), dc,
                                         maps.leads(h) ? Store::set : Store::add,
                                         maps.of_keys(dv, h, s));
            dz.resize(maps.n(s), maps.m(s));
            num::product_transposed(dc, maps.of_keys(std::as_const(cache.v), h, s), S(1),
                                    num::view(dz));
            if (!cache.factors.empty()) {
                dz = dz.cwiseProduct(maps.map(cache.factors.data(), h, s));
            }
            if (gradient.maps) maps.map(gradient.maps, h, s) = dz;
            const ConstView<S> weights = maps.map(cache.weights.data(), h, s);
            for (Index i = 0; i < dz.rows(); ++i) {
                const auto m = static_cast<std::size_t>(dz.cols());
                const std::span<S> row(dz.data() + i * dz.cols(), m);
                softmax_row_backward<S>({weights.data() + i * dz.cols(), m}, row, row);
            }
            if (settings.positions == Positions::relative && gradient.relative) {
                maps.relative_backward(h, num::view(std::as_const(dz)), gradient.relative);
            }
            const View<S> d_keys = maps.of_keys(dk, h, s);
            if (!maps.leads(h)) own_dk.resize(d_keys.rows(), d_keys.cols());
            scores_backward<S>(settings.score, maps.params(h), maps.of_queries(cache.q, h, s),
                               maps.of_keys(cache.k, h, s), settings.gamma / settings.temperature,
                               num::view(std::as_const(dz)), maps.of_queries(dq, h, s),
                               maps.leads(h) ? d_keys : num::view(own_dk),
                               gradient.scores.empty()
                                   ? ScoreGradient<S>{}
                                   : gradient.scores[static_cast<std::size_t>(h)]);
            if (!maps.leads(h)) View<S>(d_keys) += own_dk;
        }
    }
    maps.rotate(dq, false, true);
    maps.rotate(dk, true, true);
    linear_back(layer.query, x_queries, dq, gradient.query, dx_queries, Store::add);
    linear_back(layer.key, x_keys, dk, gradient.key, dx_keys, Store::add);
    linear_back(layer.value, x_keys, dv, gradient.value, dx_keys, Store::add);
}

#define HEED_SEGMENT_ATTENTION(S)                                                                  \
    template struct SegmentAttention<S>;                                                           \
    template void segment_attention_forward(const SegmentAttention<S>&, const Matrix<S>&,          \
                                            const Segments&, const Matrix<S>&, const Segments&,    \
                                            const DropoutSettings&, const Matrix<S>*,              \
                                            SegmentAttentionCache<S>&, Matrix<S>&);                \
    template void segment_attention_backward(                                                      \
        const SegmentAttention<S>&, const SegmentAttentionCache<S>&, const Matrix<S>&,             \
        const Segments&, const Matrix<S>&, const Segments&, const Matrix<S>&,                      \
        const SegmentAttentionGradient<S>&, Matrix<S>&, Matrix<S>&);
HEED_SEGMENT_ATTENTION(float)
HEED_SEGMENT_ATTENTION(double)
#undef HEED_SEGMENT_ATTENTION

} // namespace heed::nn
