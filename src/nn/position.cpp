#include "nn/position.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::nn {

std::string_view name(Positions positions) {
    switch (positions) {
    case Positions::none: return "none";
    case Positions::sinusoidal: return "sinusoidal";
    case Positions::learned: return "learned";
    case Positions::rotary: return "rotary";
    case Positions::alibi: return "alibi";
    case Positions::relative: return "relative";
    }
    return "";
}

std::optional<Positions> positions_named(std::string_view wanted) {
    for (const Positions positions : kPositions) {
        if (name(positions) == wanted) return positions;
    }
    return std::nullopt;
}

namespace {

// Position p turns pair c by this angle; in double also for floats, which at position 2000 would
// have lost the last four digits of it.
double angle(Index position, Index pair, Index width, double base) {
    return static_cast<double>(position) *
           std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(width));
}

} // namespace

template <class S> Matrix<S> sinusoidal_table(Index n, Index d_model, Index first, double base) {
    Matrix<S> table(n, d_model);
    for (Index r = 0; r < n; ++r) {
        for (Index c = 0; c < d_model; ++c) {
            const double a = angle(first + r, c / 2, d_model, base);
            table(r, c) = static_cast<S>(c % 2 == 0 ? std::sin(a) : std::cos(a));
        }
    }
    return table;
}

template <class S> Matrix<S> learned_positions(const Matrix<S>& table, Index n) {
    HEED_CHECK(n <= table.rows(), "{} tokens, and the table of learned positions has {} rows", n,
               table.rows());
    return table.topRows(n);
}

template <class S>
Matrix<S> join_positions(num::Team& team, Join join, const num::Weights<S>& join_weights,
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
    num::linear<S>(team, num::view(std::as_const(both)), join_weights, {}, num::view(joined));
    return joined;
}

template <class S> Matrix<S> adding_matrix(Index d) {
    Matrix<S> w(2 * d, d);
    w << Matrix<S>::Identity(d, d), Matrix<S>::Identity(d, d);
    return w;
}

template <class S> RotaryTable<S> rotary_table(Index n, Index d_k, Index first, double base) {
    RotaryTable<S> table{Matrix<S>(n, d_k / 2), Matrix<S>(n, d_k / 2)};
    for (Index r = 0; r < n; ++r) {
        for (Index c = 0; c < d_k / 2; ++c) {
            const double a = angle(first + r, c, d_k, base);
            table.cosine(r, c) = static_cast<S>(std::cos(a));
            table.sine(r, c) = static_cast<S>(std::sin(a));
        }
    }
    return table;
}

template <class S> void turn(const RotaryTable<S>& table, ConstView<S> from, View<S> to) {
    HEED_CHECK(from.rows() <= table.cosine.rows() && from.cols() / 2 == table.cosine.cols(),
               "{} rows of {} features against a rotary table of {} rows of {} pairs", from.rows(),
               from.cols(), table.cosine.rows(), table.cosine.cols());
    HEED_CHECK(from.rows() == to.rows() && from.cols() == to.cols(),
               "{} x {} turned does not fit {} x {}", from.rows(), from.cols(), to.rows(),
               to.cols());
    for (Index r = 0; r < from.rows(); ++r) {
        for (Index c = 0; c < table.cosine.cols(); ++c) {
            const S x = from(r, 2 * c), y = from(r, 2 * c + 1);
            const S cosine = table.cosine(r, c), sine = table.sine(r, c);
            to(r, 2 * c) = x * cosine - y * sine;
            to(r, 2 * c + 1) = x * sine + y * cosine;
        }
        if (from.cols() % 2 == 1) to(r, from.cols() - 1) = from(r, from.cols() - 1);
    }
}

template <class S> void turn(ConstView<S> from, Index first, View<S> to) {
    turn(rotary_table<S>(from.rows(), from.cols(), first), from, to);
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

Index relative_bucket(Index offset, bool directed) {
    const Index buckets = directed ? kRelativeBuckets : kRelativeBuckets / 2;
    const Index side = !directed && offset > 0 ? buckets : 0;
    const Index distance = directed ? std::max<Index>(-offset, 0) : std::abs(offset);
    const Index exact = buckets / 2;
    if (distance < exact) return side + distance;
    const auto e = static_cast<double>(exact);
    const double octaves = std::log(static_cast<double>(distance) / e) /
                           std::log(static_cast<double>(kRelativeMaxDistance) / e);
    // Distances that stand exactly on a bucket's edge (16, 32, 64) must not fall below it by a
    // rounding of the logarithms.
    const auto further = static_cast<Index>(octaves * e + 1e-9);
    return side + std::min(buckets - 1, exact + further);
}

template <class S>
std::vector<S> position_bias(Positions positions, Index head, Index n_heads, bool directed,
                             const Matrix<S>* relative_table, Index n_queries, Index n_keys) {
    if (positions != Positions::alibi && positions != Positions::relative) return {};
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
    HEED_CHECK(relative_table && relative_table->rows() == kRelativeBuckets &&
                   relative_table->cols() == n_heads,
               "relative positions of {} heads need a table of {} x {}, this one is {} x {}",
               n_heads, kRelativeBuckets, n_heads, relative_table ? relative_table->rows() : 0,
               relative_table ? relative_table->cols() : 0);
    for (Index i = 0; i < size; ++i) {
        bias[static_cast<std::size_t>(i)] =
            (*relative_table)(relative_bucket(first + i, directed), head);
    }
    return bias;
}

#define HEED_POSITIONS(S)                                                                          \
    template Matrix<S> sinusoidal_table(Index, Index, Index, double);                              \
    template Matrix<S> learned_positions(const Matrix<S>&, Index);                                 \
    template Matrix<S> join_positions(num::Team&, Join, const num::Weights<S>&, const Matrix<S>&,  \
                                      const Matrix<S>&);                                           \
    template Matrix<S> adding_matrix(Index);                                                       \
    template RotaryTable<S> rotary_table(Index, Index, Index, double);                             \
    template void turn(const RotaryTable<S>&, ConstView<S>, View<S>);                              \
    template void turn(ConstView<S>, Index, View<S>);                                              \
    template std::vector<S> alibi_slopes(Index);                                                   \
    template std::vector<S> position_bias(Positions, Index, Index, bool, const Matrix<S>*, Index,  \
                                          Index);
HEED_POSITIONS(float)
HEED_POSITIONS(double)
#undef HEED_POSITIONS

} // namespace heed::nn
