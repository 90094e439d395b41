#include "lab/costs.hpp"

#include "base/check.hpp"
#include "nn/attention/fused_attention.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/layers/recurrent.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

namespace heed::lab {

namespace {

std::uint64_t as_count(Index i) { return static_cast<std::uint64_t>(i); }

/// Words that those of a sentence read in all, each up to `reach` on either side.
Index pairs_within(Index n, Index reach) {
    const Index r = std::min(reach, n - 1);
    return n * (2 * r + 1) - r * (r + 1);
}

/// A number that counts how often such numbers are multiplied.
struct Counted {
    double value = 0;
    std::uint64_t* count = nullptr;
};
Counted operator*(const Counted& a, const Counted& b) {
    ++*a.count;
    return {a.value * b.value, a.count};
}

using CountedRows = std::vector<std::vector<Counted>>;

CountedRows counted_rows(Index rows, Index cols, std::uint64_t* count) {
    return CountedRows(static_cast<std::size_t>(rows),
                       std::vector<Counted>(static_cast<std::size_t>(cols), Counted{0.5, count}));
}

/// x · w of one row, added to `sum`.
void add_product(const std::vector<Counted>& x, const CountedRows& w, std::vector<Counted>& sum) {
    for (std::size_t j = 0; j < sum.size(); ++j) {
        for (std::size_t c = 0; c < x.size(); ++c) sum[j].value += (x[c] * w[c][j]).value;
    }
}

void count_attention(const MixerShape& s, Index reach, std::uint64_t* count) {
    const CountedRows q = counted_rows(s.n, s.d, count), k = q, v = q;
    for (std::size_t i = 0; i < q.size(); ++i) {
        std::vector<Counted> context(static_cast<std::size_t>(s.d), Counted{0, count});
        for (std::size_t j = 0; j < k.size(); ++j) {
            const Index far = std::abs(static_cast<Index>(i) - static_cast<Index>(j));
            if (far > reach) continue;
            Counted weight{0, count};
            for (std::size_t c = 0; c < q[i].size(); ++c) weight.value += (q[i][c] * k[j][c]).value;
            for (std::size_t c = 0; c < v[j].size(); ++c) {
                context[c].value += (weight * v[j][c]).value;
            }
        }
    }
}

void count_recurrence(const MixerShape& s, std::uint64_t* count) {
    const CountedRows x = counted_rows(s.n, s.d, count);
    const CountedRows w = counted_rows(s.d, s.d, count), u = w;
    std::vector<Counted> h(static_cast<std::size_t>(s.d), Counted{0, count});
    for (const auto& word : x) {
        std::vector<Counted> next(h.size(), Counted{0, count});
        add_product(word, w, next);
        add_product(h, u, next);
        for (Counted& value : next) value.value = std::tanh(value.value);
        h = next;
    }
}

void count_convolution(const MixerShape& s, std::uint64_t* count) {
    const CountedRows x = counted_rows(s.n, s.d, count), w = counted_rows(s.d, s.d, count);
    for (Index i = 0; i < s.n; ++i) {
        std::vector<Counted> y(static_cast<std::size_t>(s.d), Counted{0, count});
        for (Index tap = -s.kernel / 2; tap <= s.kernel / 2; ++tap) {
            if (i + tap < 0 || i + tap >= s.n) continue;
            add_product(x[static_cast<std::size_t>(i + tap)], w, y);
        }
    }
}

/// Reach of a word in one layer.
Index reach_of(Mixer mixer, const MixerShape& s) {
    switch (mixer) {
    case Mixer::attention: return s.n;
    case Mixer::recurrence: return 1;
    case Mixer::convolution: return s.kernel / 2;
    case Mixer::window: return s.window;
    }
    return 0;
}

Matrix<float> random_rows(std::uint64_t seed, const char* name, Index rows, Index cols) {
    return draw_features(seed, name, rows, cols).cast<float>();
}

double attention_seconds(const MixerShape& s, std::uint64_t seed, bool windowed) {
    nn::AttentionCache<float> cache;
    cache.q = random_rows(seed, "q", s.n, s.d);
    cache.k = random_rows(seed, "k", s.n, s.d);
    cache.v = random_rows(seed, "v", s.n, s.d);
    cache.context = num::SharedRows<float>::unfilled(s.n, s.d, false);
    cache.valid_keys = s.n;
    nn::Head<float> head;
    head.settings.gamma = 1 / std::sqrt(static_cast<float>(s.d));
    if (windowed) {
        nn::Mask mask;
        mask.window = s.window;
        head.settings.mask = mask;
    }
    head.row_max.resize(static_cast<std::size_t>(s.n));
    head.row_sum.resize(static_cast<std::size_t>(s.n));
    cache.heads = {head};
    return least_seconds([&] { nn::attend_fused(nn::alone(), cache, 0, nullptr); });
}

double recurrence_seconds(const MixerShape& s, std::uint64_t seed) {
    nn::CellParams<float> cell;
    cell.cell = nn::Cell::rnn;
    cell.input = num::Weights<float>(draw_map(seed, "input", s.d, s.d).cast<float>());
    cell.state = num::Weights<float>(draw_map(seed, "state", s.d, s.d).cast<float>());
    const Matrix<float> x = random_rows(seed, "x", s.n, s.d);
    return least_seconds([&] { nn::recurrent_forward<float>(nn::alone(), cell, x); });
}

/// Words beside each other as one wide row, times one matrix: what a convolution is.
double convolution_seconds(const MixerShape& s, std::uint64_t seed) {
    const Matrix<float> x = random_rows(seed, "x", s.n, s.d);
    const num::Weights<float> w(draw_map(seed, "taps", s.kernel * s.d, s.d).cast<float>());
    Matrix<float> wide(s.n, s.kernel * s.d), y(s.n, s.d);
    return least_seconds([&] {
        wide.setZero();
        for (Index i = 0; i < s.n; ++i) {
            for (Index tap = 0; tap < s.kernel; ++tap) {
                const Index from = i + tap - s.kernel / 2;
                if (from >= 0 && from < s.n) wide.row(i).segment(tap * s.d, s.d) = x.row(from);
            }
        }
        num::linear<float>(nn::alone(), num::view(std::as_const(wide)), w, {}, num::view(y));
    });
}

} // namespace

std::uint64_t formula_multiplications(Mixer mixer, const MixerShape& s) {
    switch (mixer) {
    case Mixer::attention: return 2 * as_count(s.n * s.n * s.d);
    case Mixer::recurrence: return 2 * as_count(s.n * s.d * s.d);
    case Mixer::convolution: return as_count(pairs_within(s.n, s.kernel / 2) * s.d * s.d);
    case Mixer::window: return 2 * as_count(pairs_within(s.n, s.window) * s.d);
    }
    return 0;
}

std::uint64_t counted_multiplications(Mixer mixer, const MixerShape& s) {
    std::uint64_t count = 0;
    switch (mixer) {
    case Mixer::attention: count_attention(s, s.n, &count); break;
    case Mixer::recurrence: count_recurrence(s, &count); break;
    case Mixer::convolution: count_convolution(s, &count); break;
    case Mixer::window: count_attention(s, s.window, &count); break;
    }
    return count;
}

Index path_length(Mixer mixer, const MixerShape& s) {
    const Index reach = reach_of(mixer, s);
    HEED_CHECK(reach > 0 || s.n < 2, "words that read nothing beside them never meet");
    Index steps = 0;
    for (Index known = 0; known < s.n - 1; ++steps) known = std::min(known + reach, s.n - 1);
    return steps;
}

double mixer_seconds(Mixer mixer, const MixerShape& s, std::uint64_t seed) {
    switch (mixer) {
    case Mixer::attention: return attention_seconds(s, seed, false);
    case Mixer::recurrence: return recurrence_seconds(s, seed);
    case Mixer::convolution: return convolution_seconds(s, seed);
    case Mixer::window: return attention_seconds(s, seed, true);
    }
    return 0;
}

double least_seconds(const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    constexpr int kTries = 5;
    constexpr double kLeast = 1e-3;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTries; ++i) {
        const auto begun = Clock::now();
        double taken = 0;
        int times = 0;
        while (taken < kLeast) {
            work();
            ++times;
            taken = std::chrono::duration<double>(Clock::now() - begun).count();
        }
        best = std::min(best, taken / times);
    }
    return best;
}

} // namespace heed::lab
