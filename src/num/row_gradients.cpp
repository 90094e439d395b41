#include "num/row_gradients.hpp"

#include "base/check.hpp"
#include "num/kernels.hpp"

#include <cmath>

namespace heed::num {

void normalise_row_backward(std::span<const float> x, RowMoments moments,
                            std::span<const float> gain, std::span<const float> dy,
                            std::span<float> dx, std::span<float> dgain, std::span<float> dshift) {
    HEED_CHECK(gain.size() == x.size() && dy.size() == x.size() && dx.size() == x.size() &&
                   dgain.size() == x.size() && dshift.size() == x.size(),
               "a row of {} with {} gains and gradients of {}, {}, {} and {}", x.size(),
               gain.size(), dy.size(), dx.size(), dgain.size(), dshift.size());
    kernels().row_norm_backward(x.data(), moments.mean, moments.rstd, gain.data(), dy.data(),
                                static_cast<Index>(x.size()), dx.data(), dgain.data(),
                                dshift.data());
}

namespace {

template <class S> void check_widths(const AdditiveScores<S>& s) {
    const std::size_t n = s.query.size();
    HEED_CHECK(s.v.size() == n && s.dquery.size() == n && s.dv.size() == n,
               "a query of {}, v of {}, gradients of {} and {}", n, s.v.size(), s.dquery.size(),
               s.dv.size());
}

} // namespace

void additive_backward(const AdditiveScores<float>& s) {
    check_widths(s);
    kernels().additive_backward(s.query.data(), s.keys, static_cast<Index>(s.ds.size()), s.v.data(),
                                static_cast<Index>(s.query.size()), s.ds.data(), s.dquery.data(),
                                s.dkeys, s.dv.data());
}

void additive_backward(const AdditiveScores<double>& s) {
    check_widths(s);
    const std::size_t n = s.query.size();
    for (std::size_t j = 0; j < s.ds.size(); ++j) {
        for (std::size_t i = 0; i < n; ++i) {
            const double t = std::tanh(s.query[i] + s.keys[j * n + i]);
            const double g = s.ds[j] * s.v[i] * (1 - t * t);
            s.dquery[i] += g;
            s.dkeys[j * n + i] += g;
            s.dv[i] += s.ds[j] * t;
        }
    }
}

} // namespace heed::num
