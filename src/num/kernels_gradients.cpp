// Gradients through functions of one row, on Eigen's packets.
#include "num/kernels_local.hpp"

namespace heed::num::HEED_KERNELS {

using namespace Eigen::internal;

namespace {

/// Up to a register's numbers from a row, the rest 0, and back.
struct Lanes {
    Index n;
    Packet load(const float* row) const {
        if (n == kLanes) return ploadu<Packet>(row);
        alignas(64) float buffer[kLanes];
        for (Index i = 0; i < kLanes; ++i) buffer[i] = i < n ? row[i] : 0;
        return pload<Packet>(buffer);
    }
    void store(float* row, const Packet& value) const {
        if (n == kLanes) return pstoreu(row, value);
        alignas(64) float buffer[kLanes];
        pstore(buffer, value);
        for (Index i = 0; i < n; ++i) row[i] = buffer[i];
    }
};

/// work(offset, lanes) for all of a row.
template <class Work> void for_lanes(Index n, Work&& work) {
    Index i = 0;
    for (; i + kLanes <= n; i += kLanes) work(i, Lanes{kLanes});
    if (i < n) work(i, Lanes{n - i});
}

} // namespace

float row_dot(const float* a, const float* b, Index n) {
    Packet sum0 = pset1<Packet>(0), sum1 = sum0;
    Index i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
        sum0 = pmadd(ploadu<Packet>(a + i), ploadu<Packet>(b + i), sum0);
        sum1 = pmadd(ploadu<Packet>(a + i + kLanes), ploadu<Packet>(b + i + kLanes), sum1);
    }
    for_lanes(n - i, [&](Index at, Lanes lanes) {
        sum0 = pmadd(lanes.load(a + i + at), lanes.load(b + i + at), sum0);
    });
    return predux(padd(sum0, sum1));
}

void row_norm_backward(const float* x, float mean, float rstd, const float* gain, const float* dy,
                       Index n, float* dx, float* dgain, float* dshift) {
    const Packet means = pset1<Packet>(mean), rstds = pset1<Packet>(rstd);
    Packet sum = pset1<Packet>(0), along = sum;
    for_lanes(n, [&](Index i, Lanes lanes) {
        const Packet unit = pmul(psub(lanes.load(x + i), means), rstds);
        const Packet d = lanes.load(dy + i), g = pmul(d, lanes.load(gain + i));
        lanes.store(dgain + i, pmadd(d, unit, lanes.load(dgain + i)));
        lanes.store(dshift + i, padd(d, lanes.load(dshift + i)));
        sum = padd(sum, g);
        along = pmadd(g, unit, along); // g is 0 past the end
    });
    const float count = static_cast<float>(n);
    const Packet g_mean = pset1<Packet>(predux(sum) / count);
    const Packet along_mean = pset1<Packet>(predux(along) / count);
    for_lanes(n, [&](Index i, Lanes lanes) {
        const Packet unit = pmul(psub(lanes.load(x + i), means), rstds);
        const Packet g = pmul(lanes.load(dy + i), lanes.load(gain + i));
        const Packet rest = psub(psub(g, g_mean), pmul(unit, along_mean));
        lanes.store(dx + i, pmul(rest, rstds));
    });
}

void additive_backward(const float* query, const float* keys, Index m, const float* v, Index n,
                       const float* ds, float* dquery, float* dkeys, float* dv) {
    // One register's width of all keys at a time, so that what is summed over keys stays in
    // registers.
    const Packet one = pset1<Packet>(1);
    for_lanes(n, [&](Index i, Lanes lanes) {
        const Packet q = lanes.load(query + i), hidden = lanes.load(v + i);
        Packet to_query = pset1<Packet>(0), to_v = to_query;
        for (Index j = 0; j < m; ++j) {
            const Packet t = ptanh(padd(q, lanes.load(keys + j * n + i)));
            const Packet d = pset1<Packet>(ds[j]);
            const Packet g = pmul(pmul(d, hidden), psub(one, pmul(t, t)));
            to_query = padd(to_query, g);
            to_v = pmadd(d, t, to_v);
            lanes.store(dkeys + j * n + i, padd(g, lanes.load(dkeys + j * n + i)));
        }
        lanes.store(dquery + i, padd(to_query, lanes.load(dquery + i)));
        lanes.store(dv + i, padd(to_v, lanes.load(dv + i)));
    });
}

} // namespace heed::num::HEED_KERNELS
