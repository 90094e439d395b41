#include "nn/attention/position.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace heed::nn {

std::string_view name(Positions positions) { return info(positions).name; }

std::optional<Positions> positions_named(std::string_view wanted) {
    for (const PositionInfo& row : kPositionInfos) {
        if (row.name == wanted) return row.positions;
    }
    return std::nullopt;
}

namespace {

/// Angle by which pair c turns from one position to the next; in double also for floats, which at
/// position 2000 would have lost the last four digits of the angle.
double frequency(Index pair, Index width, double base) {
    return std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
}

double scaled(double frequency, const RotaryScaling& s) {
    const double wavelengths =
        s.original_length * frequency / (2 * std::numbers::pi); // in the text
    const double kept = std::clamp((wavelengths - s.low) / (s.high - s.low), 0.0, 1.0);
    return frequency * (kept + (1 - kept) / s.factor);
}

} // namespace

template <class S> Matrix<S> sinusoidal_table(Index n, Index d_model, Index first, double base) {
    Matrix<S> table(n, d_model);
    for (Index c = 0; c < d_model; ++c) {
        const double turn = frequency(c / 2, d_model, base);
        for (Index r = 0; r < n; ++r) {
            const double a = static_cast<double>(first + r) * turn;
            table(r, c) = static_cast<S>(c % 2 == 0 ? std::sin(a) : std::cos(a));
        }
    }
    return table;
}

Index sines_first(Index c, Index d_model) { return c % 2 == 0 ? c / 2 : (d_model + 1) / 2 + c / 2; }

template <class S> Matrix<S> sines_first(const Matrix<S>& in_turn) {
    Matrix<S> sorted(in_turn.rows(), in_turn.cols());
    for (Index c = 0; c < in_turn.cols(); ++c) {
        sorted.col(sines_first(c, in_turn.cols())) = in_turn.col(c);
    }
    return sorted;
}

template <class S> Matrix<S> learned_positions(const Matrix<S>& table, Index n, Index first) {
    HEED_CHECK(first >= 0 && first + n <= table.rows(),
               "{} tokens, and the table of learned positions has {} rows", n,
               table.rows() - first);
    return table.middleRows(first, n);
}

template <class S>
Matrix<S> join_positions(num::ThreadPool& pool, Join join, const num::Weights<S>& join_weights,
                         const Matrix<S>& embedding, const Matrix<S>& positions) {
    HEED_CHECK(embedding.rows() == positions.rows() && embedding.cols() == positions.cols(),
               "embedding is {} x {}, positions {} x {}", embedding.rows(), embedding.cols(),
               positions.rows(), positions.cols());
    if (join == Join::add) return embedding + positions;
    const Index d = embedding.cols();
    HEED_CHECK(join_weights.in() == 2 * d && join_weights.out() == d,
               "joining rows of {} needs a matrix of {} x {}, this one is {} x {}", d, 2 * d, d,
               join_weights.in(), join_weights.out());
    Matrix<S> both(embedding.rows(), 2 * d);
    both << embedding, positions;
    Matrix<S> joined(embedding.rows(), d);
    num::linear<S>(pool, num::view(std::as_const(both)), join_weights, {}, num::view(joined));
    return joined;
}

template <class S> Matrix<S> adding_matrix(Index d) {
    Matrix<S> w(2 * d, d);
    w << Matrix<S>::Identity(d, d), Matrix<S>::Identity(d, d);
    return w;
}

template <class S>
RotaryTable<S> rotary_table(Index n, Index d_k, Index first, const RotarySettings& settings) {
    HEED_CHECK(settings.width >= 0 && settings.width <= d_k,
               "rotary positions over {} features of {}", settings.width, d_k);
    const Index width = settings.width > 0 ? settings.width : d_k;
    RotaryTable<S> table{Matrix<S>(n, width / 2), Matrix<S>(n, width / 2), settings.pairs};
    for (Index c = 0; c < width / 2; ++c) {
        double turn = frequency(c, width, settings.base);
        if (settings.scaling) turn = scaled(turn, *settings.scaling);
        for (Index r = 0; r < n; ++r) {
            const double a = static_cast<double>(first + r) * turn;
            table.cosine(r, c) = static_cast<S>(std::cos(a));
            table.sine(r, c) = static_cast<S>(std::sin(a));
        }
    }
    return table;
}

template <class S> void rotate(const RotaryTable<S>& table, ConstView<S> from, View<S> to) {
    const Index pairs = table.cosine.cols();
    HEED_CHECK(from.rows() <= table.cosine.rows() && from.cols() >= 2 * pairs,
               "{} rows of {} features against a rotary table of {} rows of {} pairs", from.rows(),
               from.cols(), table.cosine.rows(), pairs);
    HEED_CHECK(from.rows() == to.rows() && from.cols() == to.cols(),
               "{} x {} rotated does not fit {} x {}", from.rows(), from.cols(), to.rows(),
               to.cols());
    const bool halves = table.pairs == RotarySettings::Pairs::halves;
    const Index step = halves ? 1 : 2, other = halves ? pairs : 1;
    const Index rest = from.cols() - 2 * pairs;
    for (Index r = 0; r < from.rows(); ++r) {
        for (Index c = 0; c < pairs; ++c) {
            const Index i = step * c, j = i + other;
            const S x = from(r, i), y = from(r, j);
            const S cosine = table.cosine(r, c), sine = table.sine(r, c);
            to(r, i) = x * cosine - y * sine;
            to(r, j) = x * sine + y * cosine;
        }
        if (rest > 0) to.row(r).tail(rest) = from.row(r).tail(rest);
    }
}

template <class S> void rotate(ConstView<S> from, Index first, View<S> to) {
    rotate(rotary_table<S>(from.rows(), from.cols(), first), from, to);
}

template <class S> std::vector<S> alibi_slopes(Index n_heads) {
    HEED_CHECK(n_heads > 0, "slopes for {} heads", n_heads);
    Index power = 1;
    while (2 * power <= n_heads) power *= 2;
    const auto slope = [](Index i, Index n) {
        return static_cast<S>(
            std::exp2(-8.0 * static_cast<double>(i + 1) / static_cast<double>(n)));
    };
    std::vector<S> slopes;
    for (Index i = 0; i < power; ++i) slopes.push_back(slope(i, power));
    for (Index i = 0; power + i < n_heads; ++i) slopes.push_back(slope(2 * i, 2 * power));
    return slopes;
}

Index relative_bucket(Index offset, bool directed, const RelativeSettings& settings) {
    const Index buckets = directed ? settings.buckets : settings.buckets / 2;
    const Index side = !directed && offset > 0 ? buckets : 0;
    const Index distance = directed ? std::max<Index>(-offset, 0) : std::abs(offset);
    const Index exact = buckets / 2;
    if (distance < exact) return side + distance;
    const auto e = static_cast<double>(exact);
    const double octaves = std::log(static_cast<double>(distance) / e) /
                           std::log(static_cast<double>(settings.max_distance) / e);
    // Distances that stand exactly on a bucket's edge (16, 32, 64) must not fall below it by a
    // rounding of the logarithms.
    const auto further = static_cast<Index>(octaves * e + 1e-9);
    return side + std::min(buckets - 1, exact + further);
}

template <class S>
std::vector<S> position_bias(Positions positions, Index head, Index n_heads, bool directed,
                             const Matrix<S>* relative_table, Index n_queries, Index n_keys,
                             const RelativeSettings& relative) {
    if (!adds_bias(positions)) return {};
    std::vector<S> bias(static_cast<std::size_t>(std::max<Index>(0, n_queries + n_keys - 1)));
    const Index first = 1 - n_queries; // the offset of bias[0]
    const auto size = static_cast<Index>(bias.size());
    if (positions == Positions::alibi) {
        const S slope = alibi_slopes<S>(n_heads).at(static_cast<std::size_t>(head));
        for (Index i = 0; i < size; ++i) {
            const Index offset = first + i;
            const Index distance = directed ? -offset : std::abs(offset);
            bias[static_cast<std::size_t>(i)] = -slope * static_cast<S>(distance);
        }
        return bias;
    }
    HEED_CHECK(relative_table && relative_table->rows() == relative.buckets &&
                   relative_table->cols() == n_heads,
               "relative positions of {} heads need a table of {} x {}, this one is {} x {}",
               n_heads, relative.buckets, n_heads, relative_table ? relative_table->rows() : 0,
               relative_table ? relative_table->cols() : 0);
    for (Index i = 0; i < size; ++i) {
        bias[static_cast<std::size_t>(i)] =
            (*relative_table)(relative_bucket(first + i, directed, relative), head);
    }
    return bias;
}

#define HEED_POSITIONS(S)                                                                          \
    template Matrix<S> sinusoidal_table(Index, Index, Index, double);                              \
    template Matrix<S> sines_first(const Matrix<S>&);                                              \
    template Matrix<S> learned_positions(const Matrix<S>&, Index, Index);                          \
    template Matrix<S> join_positions(num::ThreadPool&, Join, const num::Weights<S>&,              \
                                      const Matrix<S>&, const Matrix<S>&);                         \
    template Matrix<S> adding_matrix(Index);                                                       \
    template RotaryTable<S> rotary_table(Index, Index, Index, const RotarySettings&);              \
    template void rotate(const RotaryTable<S>&, ConstView<S>, View<S>);                            \
    template void rotate(ConstView<S>, Index, View<S>);                                            \
    template std::vector<S> alibi_slopes(Index);                                                   \
    template std::vector<S> position_bias(Positions, Index, Index, bool, const Matrix<S>*, Index,  \
                                          Index, const RelativeSettings&);
HEED_POSITIONS(float)
HEED_POSITIONS(double)
#undef HEED_POSITIONS

} // namespace heed::nn
