// Functions along one row, on Eigen's packets: what softmax and the additive score are made of.
#include "num/kernels_local.hpp"

namespace heed::num::HEED_KERNELS {

using Eigen::PropagateNaN;
using namespace Eigen::internal;

namespace {

using Integers = unpacket_traits<Packet>::integer_packet;

constexpr float kInfinity = __builtin_inff();

/// The last n < kLanes numbers of a row in a register, the rest of it `fill`.
Packet load_part(const float* row, Index n, float fill) {
    alignas(64) float buffer[kLanes];
    for (Index i = 0; i < kLanes; ++i) buffer[i] = i < n ? row[i] : fill;
    return pload<Packet>(buffer);
}

void store_part(float* row, Index n, const Packet& value) {
    alignas(64) float buffer[kLanes];
    pstore(buffer, value);
    for (Index i = 0; i < n; ++i) row[i] = buffer[i];
}

/// e^x for x ≤ 0: e^x = 2^n e^r with |r| ≤ ln 2 / 2, and a polynomial for e^r that is minimax in
/// relative error (3e-9, so that rounding rules: under 2 units in the last place). Below the
/// smallest normal number, and for −inf, 0. Not for NaN.
Packet exp_of_negative(const Packet& x) {
    // Adding 1.5 · 2^23 rounds to an integer and leaves it in the lowest bits.
    const Packet shifted =
        pmadd(x, pset1<Packet>(1.44269504088896341f), pset1<Packet>(12582912.0f));
    const Packet n = psub(shifted, pset1<Packet>(12582912.0f));
    // ln 2 in two parts, of which the first has so few bits that its product with n is exact.
    Packet r = pmadd(n, pset1<Packet>(-0.693359375f), x);
    r = pmadd(n, pset1<Packet>(2.12194440e-4f), r);
    Packet y = pset1<Packet>(0.0013814173871651292f);
    y = pmadd(y, r, pset1<Packet>(0.008368921466171741f));
    y = pmadd(y, r, pset1<Packet>(0.04166840761899948f));
    y = pmadd(y, r, pset1<Packet>(0.1666651964187622f));
    y = pmadd(y, r, pset1<Packet>(0.4999999403953552f));
    y = pmadd(y, r, pset1<Packet>(1.0f));
    y = pmadd(y, r, pset1<Packet>(1.0f));
    const Integers exponent = plogical_shift_left<23>(preinterpret<Integers>(shifted));
    y = preinterpret<Packet>(padd(preinterpret<Integers>(y), exponent));
    return pselect(pcmp_lt(x, pset1<Packet>(-87.3f)), pset1<Packet>(0), y);
}

/// σ by e^−|x|, which cannot overflow and keeps the digits of a small result.
Packet sigmoid(const Packet& x) {
    const Packet one = pset1<Packet>(1), small = exp_of_negative(pnegate(pabs(x)));
    const Packet large = pdiv(one, padd(one, small));
    const Packet y = pselect(pcmp_lt(x, pset1<Packet>(0)), pmul(small, large), large);
    return pselect(pcmp_eq(x, x), y, x);
}

/// x Φ(x), with 2 Φ(−|x|) = e^(−z²) p(1 / (1 + 0.3275911 z)) and z = |x| / √2: the shape of
/// Abramowitz and Stegun 7.1.26, its p of more terms and fitted anew, within 1.2e-7 of itself
/// wherever it is.
Packet gelu(const Packet& x) {
    const Packet one = pset1<Packet>(1), size = pabs(x);
    const Packet t = pdiv(one, pmadd(size, pset1<Packet>(0.3275911f * 0.70710678f), one));
    Packet p = pset1<Packet>(-0.14166302870845915f);
    p = pmadd(p, t, pset1<Packet>(0.4988803070608343f));
    p = pmadd(p, t, pset1<Packet>(-0.40960289449367465f));
    p = pmadd(p, t, pset1<Packet>(0.45656420864152636f));
    p = pmadd(p, t, pset1<Packet>(0.02371539156474737f));
    p = pmadd(p, t, pset1<Packet>(0.20639805168001946f));
    p = pmadd(p, t, pset1<Packet>(0.1806499896001642f));
    p = pmul(pmadd(p, t, pset1<Packet>(0.1850580831432469f)), t);
    const Packet tail = pmul(p, exp_of_negative(pmul(pmul(size, size), pset1<Packet>(-0.5f))));
    const Packet half = pmul(pset1<Packet>(0.5f), tail);
    return pmul(x, pselect(pcmp_lt(x, pset1<Packet>(0)), half, psub(one, half)));
}

Packet curved(Curve curve, const Packet& x) {
    switch (curve) {
    case Curve::gelu: return gelu(x);
    case Curve::gelu_tanh: {
        // (1 + tanh z) / 2 is σ(2 z).
        const Packet share =
            pmadd(pmul(x, x), pset1<Packet>(0.0713548162726f), pset1<Packet>(1.5957691216057f));
        return pmul(x, sigmoid(pmul(x, share)));
    }
    case Curve::silu: return pmul(x, sigmoid(x));
    case Curve::quick_gelu: return pmul(x, sigmoid(pmul(x, pset1<Packet>(1.702f))));
    }
    return x;
}

} // namespace

float row_max(const float* row, Index n) {
    // Two, because each step waits for the one before it.
    Packet largest0 = pset1<Packet>(-kInfinity), largest1 = largest0;
    Index i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        largest0 = pmax<PropagateNaN>(largest0, ploadu<Packet>(row + i));
        largest1 = pmax<PropagateNaN>(largest1, ploadu<Packet>(row + i + kLanes));
    }
    for (; i < n; i += kLanes) {
        const Packet part =
            n - i >= kLanes ? ploadu<Packet>(row + i) : load_part(row + i, n - i, -kInfinity);
        largest0 = pmax<PropagateNaN>(largest0, part);
    }
    alignas(64) float lanes[kLanes];
    pstore(lanes, pmax<PropagateNaN>(largest0, largest1));
    float result = lanes[0];
    for (Index lane = 1; lane < kLanes; ++lane) {
        if (!(lanes[lane] <= result)) result = result == result ? lanes[lane] : result;
    }
    return result;
}

float row_exp(float* row, Index n, float max) {
    const Packet largest = pset1<Packet>(max);
    Packet sum0 = pset1<Packet>(0), sum1 = sum0;
    Index i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        const Packet y0 = exp_of_negative(psub(ploadu<Packet>(row + i), largest));
        const Packet y1 = exp_of_negative(psub(ploadu<Packet>(row + i + kLanes), largest));
        pstoreu(row + i, y0);
        pstoreu(row + i + kLanes, y1);
        sum0 = padd(sum0, y0);
        sum1 = padd(sum1, y1);
    }
    for (; i < n; i += kLanes) {
        if (n - i >= kLanes) {
            const Packet y = exp_of_negative(psub(ploadu<Packet>(row + i), largest));
            pstoreu(row + i, y);
            sum0 = padd(sum0, y);
        } else {
            const Packet x = load_part(row + i, n - i, -kInfinity);
            const Packet y = exp_of_negative(psub(x, largest));
            store_part(row + i, n - i, y);
            sum0 = padd(sum0, y);
        }
    }
    return predux(padd(sum0, sum1));
}

void row_tanh(float* row, Index n) {
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) pstoreu(row + i, ptanh(ploadu<Packet>(row + i)));
    if (i < n) store_part(row + i, n - i, ptanh(load_part(row + i, n - i, 0)));
}

void row_sigmoid(float* row, Index n) {
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) pstoreu(row + i, sigmoid(ploadu<Packet>(row + i)));
    if (i < n) store_part(row + i, n - i, sigmoid(load_part(row + i, n - i, 0)));
}

void row_curve(Curve curve, const float* x, const float* gate, Index n, float* y) {
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const Packet value = curved(curve, ploadu<Packet>(x + i));
        pstoreu(y + i, gate ? pmul(value, ploadu<Packet>(gate + i)) : value);
    }
    if (i == n) return;
    const Packet value = curved(curve, load_part(x + i, n - i, 0));
    store_part(y + i, n - i, gate ? pmul(value, load_part(gate + i, n - i, 0)) : value);
}

float tanh_dot(const float* a, const float* b, const float* v, Index n) {
    Packet sum0 = pset1<Packet>(0), sum1 = sum0;
    const auto term = [&](Index i) {
        return ptanh(padd(ploadu<Packet>(a + i), ploadu<Packet>(b + i)));
    };
    Index i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        sum0 = pmadd(term(i), ploadu<Packet>(v + i), sum0);
        sum1 = pmadd(term(i + kLanes), ploadu<Packet>(v + i + kLanes), sum1);
    }
    if (i + kLanes <= n) {
        sum0 = pmadd(term(i), ploadu<Packet>(v + i), sum0);
        i += kLanes;
    }
    if (i < n) {
        const Packet sum = padd(load_part(a + i, n - i, 0), load_part(b + i, n - i, 0));
        sum1 = pmadd(ptanh(sum), load_part(v + i, n - i, 0), sum1);
    }
    return predux(padd(sum0, sum1));
}

void row_scale(float* row, Index n, float factor) {
    const Packet f = pset1<Packet>(factor);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) pstoreu(row + i, pmul(ploadu<Packet>(row + i), f));
    for (; i < n; ++i) row[i] *= factor;
}

void row_norm(const float* x, const float* added, const float* gain, const float* shift,
              float epsilon, Index n, float* y, float* mean, float* rstd) {
    const Index whole = n / kLanes * kLanes;
    Packet sums = pset1<Packet>(0);
    for (Index i = 0; i < whole; i += kLanes) {
        Packet sum = ploadu<Packet>(x + i);
        if (added) sum = padd(sum, ploadu<Packet>(added + i));
        pstoreu(y + i, sum);
        sums = padd(sums, sum);
    }
    float total = predux(sums);
    for (Index i = whole; i < n; ++i) {
        y[i] = added ? x[i] + added[i] : x[i];
        total += y[i];
    }
    *mean = total / static_cast<float>(n);
    const Packet means = pset1<Packet>(*mean);
    Packet squares = pset1<Packet>(0);
    for (Index i = 0; i < whole; i += kLanes) {
        const Packet difference = psub(ploadu<Packet>(y + i), means);
        squares = pmadd(difference, difference, squares);
    }
    float square = predux(squares);
    for (Index i = whole; i < n; ++i) square += (y[i] - *mean) * (y[i] - *mean);
    // An infinite variance would divide all numbers away: an overflow that looks like zeros.
    *rstd = square < kInfinity ? 1 / __builtin_sqrtf(square / static_cast<float>(n) + epsilon)
                               : __builtin_nanf("");
    const Packet rstds = pset1<Packet>(*rstd);
    for (Index i = 0; i < whole; i += kLanes) {
        const Packet normal = pmul(psub(ploadu<Packet>(y + i), means), rstds);
        pstoreu(y + i, pmadd(normal, ploadu<Packet>(gain + i), ploadu<Packet>(shift + i)));
    }
    for (Index i = whole; i < n; ++i) y[i] = (y[i] - *mean) * *rstd * gain[i] + shift[i];
}

bool all_finite(const float* row, Index n) {
    // 0 · x is 0 for finite x and NaN for others, and NaN stays in a sum.
    const Packet zero = pset1<Packet>(0);
    Packet sum0 = zero, sum1 = zero;
    Index i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        sum0 = pmadd(ploadu<Packet>(row + i), zero, sum0);
        sum1 = pmadd(ploadu<Packet>(row + i + kLanes), zero, sum1);
    }
    float rest = 0;
    for (; i < n; ++i) rest += 0 * row[i];
    return predux(padd(sum0, sum1)) + rest == 0;
}

void row_add(float* row, Index n, float factor, const float* other) {
    const Packet f = pset1<Packet>(factor);
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        pstoreu(row + i, pmadd(ploadu<Packet>(other + i), f, ploadu<Packet>(row + i)));
    }
    for (; i < n; ++i) row[i] += factor * other[i];
}

} // namespace heed::num::HEED_KERNELS
