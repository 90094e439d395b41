#include "num/rows.hpp"

#include "base/check.hpp"
#include "num/kernels.hpp"

#include <atomic>
#include <cmath>

namespace heed::num {

RowMoments normalise_row(std::span<const float> x, std::span<const float> added,
                         std::span<const float> gain, std::span<const float> shift, float epsilon,
                         std::span<float> y) {
    HEED_CHECK((added.empty() || added.size() == x.size()) && gain.size() == x.size() &&
                   shift.size() == x.size() && y.size() == x.size(),
               "a row of {} with {} added, {} gains, {} shifts, into {}", x.size(), added.size(),
               gain.size(), shift.size(), y.size());
    RowMoments moments{};
    kernels().row_norm(x.data(), added.empty() ? nullptr : added.data(), gain.data(), shift.data(),
                       epsilon, static_cast<Index>(x.size()), y.data(), &moments.mean,
                       &moments.rstd);
    return moments;
}

void add_row(std::span<float> row, float factor, std::span<const float> other) {
    HEED_CHECK(row.size() == other.size(), "a row of {} is added to one of {}", other.size(),
               row.size());
    kernels().row_add(row.data(), static_cast<Index>(row.size()), factor, other.data());
}

void tanh_row(std::span<float> row) {
    kernels().row_tanh(row.data(), static_cast<Index>(row.size()));
}

void tanh_row(std::span<double> row) {
    for (double& x : row) x = std::tanh(x);
}

void sigmoid_row(std::span<float> row) {
    kernels().row_sigmoid(row.data(), static_cast<Index>(row.size()));
}

void sigmoid_row(std::span<double> row) {
    for (double& x : row) x = 1 / (1 + std::exp(-x));
}

void curve_row(Curve curve, std::span<const float> x, std::span<const float> gate,
               std::span<float> y) {
    HEED_CHECK(x.size() == y.size() && (gate.empty() || gate.size() == x.size()),
               "{} numbers and {} gates into {}", x.size(), gate.size(), y.size());
    kernels().row_curve(curve, x.data(), gate.empty() ? nullptr : gate.data(),
                        static_cast<Index>(x.size()), y.data());
}

float tanh_dot(std::span<const float> a, std::span<const float> b, std::span<const float> v) {
    HEED_CHECK(a.size() == b.size() && a.size() == v.size(), "rows of {}, {} and {} numbers",
               a.size(), b.size(), v.size());
    return kernels().tanh_dot(a.data(), b.data(), v.data(), static_cast<Index>(a.size()));
}

double tanh_dot(std::span<const double> a, std::span<const double> b, std::span<const double> v) {
    HEED_CHECK(a.size() == b.size() && a.size() == v.size(), "rows of {}, {} and {} numbers",
               a.size(), b.size(), v.size());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += v[i] * std::tanh(a[i] + b[i]);
    return sum;
}

bool all_finite(ThreadPool& pool, std::span<const float> numbers) {
    // A second thread pays off only when there is more than reading it takes a few microseconds.
    constexpr Index kNumbersWorthSharing = Index{32} * 1024;
    const Kernels& k = kernels();
    const auto size = static_cast<Index>(numbers.size());
    if (pool.size() == 1 || size < kNumbersWorthSharing) return k.all_finite(numbers.data(), size);
    std::atomic<bool> finite = true;
    const Index parts = pool.size();
    pool.for_each(parts, [&](Index part) {
        const Index begin = size * part / parts, end = size * (part + 1) / parts;
        if (!k.all_finite(numbers.data() + begin, end - begin)) finite.store(false);
    });
    return finite.load();
}

} // namespace heed::num
