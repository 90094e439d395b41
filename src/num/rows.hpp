// Functions of whole rows that go with products, by the vector kernels.
#pragma once

#include "num/kernels.hpp"
#include "num/matrix.hpp"
#include "num/threads.hpp"

#include <span>

namespace heed::num {

/// The numbers that layer normalisation subtracted from a row and multiplied it with.
struct RowMoments {
    float mean, rstd;
};

/// y = (x + added − mean) · rstd · gain + shift with rstd = 1 / sqrt(variance + epsilon) and the
/// biased variance, all of one length; `added` may be empty. All NaN where the variance
/// overflows. Ba et al. 2016.
RowMoments normalise_row(std::span<const float> x, std::span<const float> added,
                         std::span<const float> gain, std::span<const float> shift, float epsilon,
                         std::span<float> y);

/// row += factor · other, of one length, rounded as the bias of attend() is.
void add_row(std::span<float> row, float factor, std::span<const float> other);

/// tanh, and sigmoid 1 / (1 + exp(−x)), in place, each to within two units in the last place of 1;
/// the small values of sigmoid have all their digits. NaN stays NaN.
void tanh_row(std::span<float> row);
void tanh_row(std::span<double> row);
void sigmoid_row(std::span<float> row);
void sigmoid_row(std::span<double> row);

/// y = curve(x) · gate, number by number, all of one length; `gate` may be empty, y may be x.
/// Within 2e-7 of |x|. NaN stays NaN.
void curve_row(Curve curve, std::span<const float> x, std::span<const float> gate,
               std::span<float> y);

/// Σ v · tanh(a + b) over rows of one length: an additive score.
float tanh_dot(std::span<const float> a, std::span<const float> b, std::span<const float> v);
double tanh_dot(std::span<const double> a, std::span<const double> b, std::span<const double> v);

/// True where no number is NaN or infinite.
bool all_finite(ThreadPool& pool, std::span<const float> numbers);
inline bool all_finite(ThreadPool& pool, const Matrix<float>& m) {
    return all_finite(pool, std::span(m.data(), static_cast<std::size_t>(m.size())));
}

} // namespace heed::num
