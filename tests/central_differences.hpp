// Gradients held against central differences, in double.
#pragma once

#include "catch.hpp"
#include "num/matrix.hpp"
#include "num/random.hpp"

#include <cmath>
#include <functional>
#include <string>

namespace heed::tests {

using num::Index;

inline num::Matrix<double> drawn(Index rows, Index cols, const std::string& name) {
    const num::Rng draws(7, name);
    num::Matrix<double> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = static_cast<double>(draws.symmetric(static_cast<std::uint64_t>(i), 1));
    }
    return m;
}

/// `loss` reads the numbers; `gradient` is what the layer says of each of them. The step makes
/// truncation (h²) and rounding (1e-16 / h) errors alike.
inline void check_gradient(const std::string& what, double* numbers, Index count,
                           const double* gradient, const std::function<double()>& loss,
                           double tolerance = 1e-7) {
    constexpr double kStep = 1e-5;
    double largest = 1e-2; // below, the differences are rounding
    for (Index i = 0; i < count; ++i) largest = std::max(largest, std::abs(gradient[i]));
    for (Index i = 0; i < count; ++i) {
        const double before = numbers[i];
        numbers[i] = before + kStep;
        const double above = loss();
        numbers[i] = before - kStep;
        const double below = loss();
        numbers[i] = before;
        const double slope = (above - below) / (2 * kStep);
        INFO(what << ", number " << i << ": gradient " << gradient[i] << ", slope " << slope);
        CHECK(std::abs(slope - gradient[i]) <= tolerance * largest);
    }
}

inline void check_gradient(const std::string& what, num::Matrix<double>& numbers,
                           const num::Matrix<double>& gradient, const std::function<double()>& loss,
                           double tolerance = 1e-7) {
    REQUIRE(numbers.rows() == gradient.rows());
    REQUIRE(numbers.cols() == gradient.cols());
    check_gradient(what, numbers.data(), numbers.size(), gradient.data(), loss, tolerance);
}

} // namespace heed::tests
