#include "inside/head_order.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace heed::inside {

using num::Index;
using num::Matrix;

namespace {

double information(double p) { return p > 0 ? -p * std::log2(p) : 0; }

/// Few rows and columns that still are distributions.
Matrix<float> condensed(const Matrix<float>& map) {
    constexpr Index kRows = 24, kCols = 64;
    const Index rows = std::min(kRows, map.rows()), cols = std::min(kCols, map.cols());
    if (rows == map.rows() && cols == map.cols()) return map;
    Matrix<float> small = Matrix<float>::Zero(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        const Index from = i * map.rows() / rows;
        for (Index j = 0; j < map.cols(); ++j) small(i, j * cols / map.cols()) += map(from, j);
    }
    return small;
}

/// Entropy of each row; −1 where it has no distribution.
std::vector<double> bits_of_rows(const Matrix<float>& map) {
    std::vector<double> bits;
    for (Index i = 0; i < map.rows(); ++i) {
        double sum = map.row(i).sum() > 0 ? 0 : -1;
        for (Index j = 0; j < map.cols() && sum >= 0; ++j) {
            sum += information(static_cast<double>(map(i, j)));
        }
        bits.push_back(sum);
    }
    return bits;
}

double distance_between(const Matrix<float>& a, const Matrix<float>& b,
                        const std::vector<double>& bits_a, const std::vector<double>& bits_b) {
    HEED_CHECK(a.rows() == b.rows() && a.cols() == b.cols(), "maps of {} x {} and {} x {}",
               a.rows(), a.cols(), b.rows(), b.cols());
    double sum = 0;
    Index rows = 0;
    for (Index i = 0; i < a.rows(); ++i) {
        const double own_a = bits_a[static_cast<std::size_t>(i)];
        const double own_b = bits_b[static_cast<std::size_t>(i)];
        if (own_a < 0 || own_b < 0) continue;
        ++rows;
        sum -= (own_a + own_b) / 2;
        for (Index j = 0; j < a.cols(); ++j) {
            const auto p = static_cast<double>(a(i, j)), q = static_cast<double>(b(i, j));
            sum += information((p + q) / 2);
        }
    }
    return rows > 0 ? std::max(0.0, sum / static_cast<double>(rows)) : 0;
}

} // namespace

double map_distance(const Matrix<float>& a, const Matrix<float>& b) {
    return distance_between(a, b, bits_of_rows(a), bits_of_rows(b));
}

Matrix<double> map_distances(const std::vector<Matrix<float>>& maps, num::ThreadPool& pool,
                             const std::stop_token& stop) {
    std::vector<Matrix<float>> small(maps.size());
    std::vector<std::vector<double>> bits(maps.size());
    pool.for_each(std::ssize(maps), [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        small[at] = condensed(maps[at]);
        bits[at] = bits_of_rows(small[at]);
    });
    Matrix<double> distances = Matrix<double>::Zero(std::ssize(maps), std::ssize(maps));
    pool.for_each(std::ssize(maps), [&](Index i) {
        const auto a = static_cast<std::size_t>(i);
        for (std::size_t b = a + 1; b < maps.size() && !stop.stop_requested(); ++b) {
            distances(i, static_cast<Index>(b)) =
                distance_between(small[a], small[b], bits[a], bits[b]);
        }
    });
    for (Index i = 0; i < distances.rows(); ++i) {
        for (Index j = 0; j < i; ++j) distances(i, j) = distances(j, i);
    }
    return distances;
}

std::vector<int> clustered_order(const Matrix<double>& distances) {
    Matrix<double> between = distances;
    std::vector<std::vector<int>> clusters; // the leaves of each, in order
    for (int i = 0; i < static_cast<int>(distances.rows()); ++i) clusters.push_back({i});
    while (clusters.size() > 1) {
        Index first = 0, second = 1;
        const Index n = std::ssize(clusters);
        for (Index i = 0; i < n; ++i) {
            for (Index j = i + 1; j < n; ++j) {
                if (between(i, j) < between(first, second))
                    std::tie(first, second) = std::pair(i, j);
            }
        }
        std::vector<int>& to = clusters[static_cast<std::size_t>(first)];
        const std::vector<int>& from = clusters[static_cast<std::size_t>(second)];
        const auto a = static_cast<double>(to.size());
        const auto b = static_cast<double>(from.size());
        for (Index k = 0; k < n; ++k) {
            between(first, k) = between(k, first) =
                (a * between(first, k) + b * between(second, k)) / (a + b);
        }
        // Clusters are kept by their smallest leaf, so the first one begins with the smaller.
        to.insert(to.end(), from.begin(), from.end());
        clusters.erase(clusters.begin() + second);
        for (Index k = second; k + 1 < n; ++k) between.row(k) = between.row(k + 1).eval();
        for (Index k = second; k + 1 < n; ++k) between.col(k) = between.col(k + 1).eval();
    }
    return clusters.empty() ? std::vector<int>() : clusters.front();
}

base::Result<std::vector<int>> head_order(const trace::Trace& trace, trace::AttentionKind kind,
                                          num::ThreadPool& pool, const std::stop_token& stop) {
    std::vector<Matrix<float>> maps;
    for (int layer = 0; layer < trace.n_layers(kind); ++layer) {
        for (int head = 0; head < trace.n_heads(kind); ++head) {
            if (stop.stop_requested()) {
                return base::fail(base::ErrorKind::cancelled, "head order", "stopped");
            }
            maps.push_back(condensed(trace.map({kind, layer, head})->whole(trace::Stage::weights)));
        }
    }
    const Matrix<double> distances = map_distances(maps, pool, stop);
    if (stop.stop_requested()) {
        return base::fail(base::ErrorKind::cancelled, "head order", "stopped");
    }
    return clustered_order(distances);
}

} // namespace heed::inside
