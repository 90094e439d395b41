// The product of a block of rows with a panel of weights, on Eigen's packets: every number of x is
// loaded once per panel, every register of the panel once per block.
#include "num/kernels_local.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace heed::num::HEED_KERNELS {

using Eigen::PropagateNaN;
using namespace Eigen::internal;

namespace {

/// The numbers of up to 18 rows in one column of x, addressed by three registers and three
/// multiples of the stride, so that no row needs a register of its own. `kByColumn`: the next
/// column does not follow in memory, as in a transpose.
template <bool kByColumn> struct Column {
    const char *rows0, *rows6, *rows12;
    Index stride1, stride3, stride5, step;

    Column(const float* x, Index stride, Index x_step) {
        step = kByColumn ? x_step * static_cast<Index>(sizeof(float))
                         : static_cast<Index>(sizeof(float));
        stride1 = stride * static_cast<Index>(sizeof(float));
        stride3 = 3 * stride1;
        stride5 = 5 * stride1;
        rows0 = reinterpret_cast<const char*>(x);
        rows6 = rows0 + 6 * stride1;
        rows12 = rows6 + 6 * stride1;
#if defined(__GNUC__)
        // The compiler would find the relations again and give each row a pointer that it spills.
        asm("" : "+r"(stride1), "+r"(stride3), "+r"(stride5), "+r"(rows6), "+r"(rows12));
#endif
    }
    void advance() {
        const Index next = kByColumn ? step : static_cast<Index>(sizeof(float));
        rows0 += next;
        rows6 += next;
        rows12 += next;
    }
    const float* at(int row) const {
        const char* first = row < 6 ? rows0 : row < 12 ? rows6 : rows12;
        switch (row % 6) {
        case 0: return reinterpret_cast<const float*>(first);
        case 1: return reinterpret_cast<const float*>(first + stride1);
        case 2: return reinterpret_cast<const float*>(first + 2 * stride1);
        case 3: return reinterpret_cast<const float*>(first + stride3);
        case 4: return reinterpret_cast<const float*>(first + 4 * stride1);
        default: return reinterpret_cast<const float*>(first + stride5);
        }
    }
};

/// One row's result when the panel is not full: by way of a buffer, so that nothing beyond the
/// row's end is read or written.
template <int V> void finish_partly(const PanelProduct& p, Index row, const Packet (&sum)[V]) {
    alignas(64) float buffer[V * kLanes];
    HEED_UNROLL for (int v = 0; v < V; ++v) pstore(buffer + v * kLanes, sum[v]);
    for (Index c = 0; c < p.cols; ++c) {
        float value = p.factor * buffer[c];
        if (p.bias) value += p.bias[c];
        if (p.relu && value < 0) value = 0;
        if (p.residual) value += p.residual[row * p.residual_stride + c];
        p.y[row * p.y_stride + c] = value;
    }
}

template <int R, int V> void finish(const PanelProduct& p, Index row0, const Packet (&sum)[R][V]) {
    if (p.cols != V * kLanes) {
        HEED_UNROLL for (int r = 0; r < R; ++r) finish_partly<V>(p, row0 + r, sum[r]);
        return;
    }
    const Packet factor = pset1<Packet>(p.factor), zero = pset1<Packet>(0);
    Packet bias[V];
    HEED_UNROLL for (int v = 0; v < V; ++v) {
        bias[v] = p.bias ? ploadu<Packet>(p.bias + v * kLanes) : zero;
    }
    HEED_UNROLL for (int r = 0; r < R; ++r) {
        float* y = p.y + (row0 + r) * p.y_stride;
        HEED_UNROLL for (int v = 0; v < V; ++v) {
            Packet value = pmadd(sum[r][v], factor, bias[v]);
            if (p.relu) value = pmax<PropagateNaN>(value, zero);
            if (p.residual) {
                const float* residual = p.residual + (row0 + r) * p.residual_stride;
                value = padd(value, ploadu<Packet>(residual + v * kLanes));
            }
            pstoreu(y + v * kLanes, value);
        }
    }
}

/// kLanes numbers of a panel.
template <Stored S> Packet widened(const char* from) {
    if constexpr (S == Stored::f32) {
        return pload<Packet>(reinterpret_cast<const float*>(from));
    } else {
#if defined(__AVX512F__)
        const __m256i bits = _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
        if constexpr (S == Stored::f16) return Packet(_mm512_cvtph_ps(bits));
        return Packet(_mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16)));
#elif defined(__AVX2__) && defined(__F16C__)
        const __m128i bits = _mm_load_si128(reinterpret_cast<const __m128i*>(from));
        if constexpr (S == Stored::f16) return Packet(_mm256_cvtph_ps(bits));
        return Packet(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16)));
#else
        alignas(64) unsigned bits[kLanes];
        alignas(64) float numbers[kLanes];
        HEED_UNROLL for (int i = 0; i < kLanes; ++i) {
            const unsigned half = reinterpret_cast<const unsigned short*>(from)[i];
            // An f16's exponent counts from 15, a float's from 127: a factor makes up for it, and
            // gives the smallest numbers, which have no leading one, their value.
            bits[i] =
                S == Stored::bf16 ? half << 16 : (half & 0x8000) << 16 | (half & 0x7fff) << 13;
        }
        __builtin_memcpy(numbers, bits, sizeof numbers);
        const Packet value = pload<Packet>(numbers);
        return S == Stored::bf16 ? value : pmul(value, pset1<Packet>(0x1p112f));
#endif
    }
}

/// Bytes to fetch of the next panel while a block is computed: `step` in each step of depth. Evenly
/// over all blocks, so that fetching never takes the cache's few places for misses from the numbers
/// that are needed now.
struct Fetch {
    const char* at;
    Index step;
};

/// Depth from which on a block lasts longer than memory takes to answer.
constexpr Index kDeep = 128;

/// R rows from row0 on. `Lines`: cache lines that may be fetched in one step of depth.
template <int R, int V, int Lines, bool kByColumn, Stored S>
void block(const PanelProduct& p, Index row0, [[maybe_unused]] Fetch fetch) {
    Packet sum[R][V];
    HEED_UNROLL for (int r = 0; r < R; ++r) {
        HEED_UNROLL for (int v = 0; v < V; ++v) sum[r][v] = pset1<Packet>(0);
    }
    if (p.depth >= kDeep) {
        // The end of the block then need not wait for these lines.
        HEED_UNROLL for (int r = 0; r < R; ++r) {
            __builtin_prefetch(p.y + (row0 + r) * p.y_stride, 1);
            __builtin_prefetch(p.y + (row0 + r) * p.y_stride + V * kLanes - 1, 1);
            if (p.residual) {
                const float* residual = p.residual + (row0 + r) * p.residual_stride;
                __builtin_prefetch(residual);
                __builtin_prefetch(residual + V * kLanes - 1);
            }
        }
    }
    Column<kByColumn> x(p.x + row0 * p.x_stride, p.x_stride, p.x_step);
    constexpr Index kBytes = bytes_of(S);
    const char* panel = static_cast<const char*>(p.panel);
    for (Index k = 0; k < p.depth; ++k) {
        Packet w[V];
        HEED_UNROLL for (int v = 0; v < V; ++v) { w[v] = widened<S>(panel + v * kLanes * kBytes); }
        panel += kPanelWidth * kBytes;
        if constexpr (Lines > 0) {
            HEED_UNROLL for (int line = 0; line < Lines; ++line) {
                __builtin_prefetch(fetch.at + 64 * line, 0, 2);
            }
            fetch.at += fetch.step;
        }
        HEED_UNROLL for (int r = 0; r < R; ++r) {
            const Packet number = pset1<Packet>(*x.at(r));
            HEED_UNROLL for (int v = 0; v < V; ++v) sum[r][v] = pmadd(number, w[v], sum[r][v]);
        }
        x.advance();
    }
    finish<R, V>(p, row0, sum);
}

template <int V, int Lines, bool kByColumn = false, Stored S = Stored::f32, int R = kBlockRows>
void block_of(Index rows, const PanelProduct& p, Index row0, Fetch fetch) {
    if (rows == R) {
        block<R, V, Lines, kByColumn, S>(p, row0, fetch);
    } else if constexpr (R > 1) {
        block_of<V, Lines, kByColumn, S, R - 1>(rows, p, row0, fetch);
    }
}

void block_of_floats(Index rows, const PanelProduct& p, Index row0, Fetch fetch) {
    if (p.x_step != 1) {
        if (p.cols <= kLanes) {
            block_of<1, 0, true>(rows, p, row0, fetch);
        } else {
            block_of<kVectors, 0, true>(rows, p, row0, fetch);
        }
    } else if (p.cols <= kLanes) {
        block_of<1, 0>(rows, p, row0, fetch);
    } else if (!p.next) {
        block_of<kVectors, 0>(rows, p, row0, fetch);
    } else if (fetch.step > 64) {
        block_of<kVectors, 2>(rows, p, row0, fetch);
    } else {
        block_of<kVectors, 1>(rows, p, row0, fetch);
    }
}

/// A panel of half as many bytes needs no more than one line a step.
template <Stored S>
void block_of_halves(Index rows, const PanelProduct& p, Index row0, Fetch fetch) {
    if (p.next) {
        block_of<kVectors, 1, false, S>(rows, p, row0, fetch);
    } else {
        block_of<kVectors, 0, false, S>(rows, p, row0, fetch);
    }
}

} // namespace

void panel_product(const PanelProduct& p) {
    if (p.rows <= 0) return;
    const Index blocks = (p.rows + kBlockRows - 1) / kBlockRows;
    // Two lines a step is the most that is fetched, even if not all of what comes next is then.
    const Index most = p.stored == Stored::f32 ? 128 : 64;
    const Index steps = blocks * (p.depth > 0 ? p.depth : 1);
    const Index step = p.next_bytes > most * steps ? most : (p.next_bytes + steps - 1) / steps;
    for (Index b = 0; b < blocks; ++b) {
        const Index row0 = p.rows * b / blocks, rows = p.rows * (b + 1) / blocks - row0;
        const Fetch fetch{static_cast<const char*>(p.next) + b * step * p.depth, step};
        if (p.stored == Stored::bf16) {
            block_of_halves<Stored::bf16>(rows, p, row0, fetch);
        } else if (p.stored == Stored::f16) {
            block_of_halves<Stored::f16>(rows, p, row0, fetch);
        } else {
            block_of_floats(rows, p, row0, fetch);
        }
    }
}

namespace {

/// V registers' width of the sum. Rows lie far apart, so that no processor guesses the next one.
template <int V>
void sum_columns(const float* weights, Index count, const float* rows, Index stride, float* y) {
    constexpr Index kAhead = 12; // rows
    Packet sum[V];
    HEED_UNROLL for (int v = 0; v < V; ++v) sum[v] = pset1<Packet>(0);
    for (Index i = 0; i < count; ++i, rows += stride) {
        const float* ahead = rows + kAhead * stride;
        HEED_UNROLL for (int v = 0; v < V; v += 16 / kLanes) {
            __builtin_prefetch(ahead + v * kLanes);
        }
        const Packet weight = pset1<Packet>(weights[i]);
        HEED_UNROLL for (int v = 0; v < V; ++v) {
            sum[v] = pmadd(weight, ploadu<Packet>(rows + v * kLanes), sum[v]);
        }
    }
    HEED_UNROLL for (int v = 0; v < V; ++v) {
        pstoreu(y + v * kLanes, pmadd(sum[v], pset1<Packet>(1), pset1<Packet>(0)));
    }
}

} // namespace

void weighted_sum(const float* weights, Index count, const float* rows, Index stride, Index cols,
                  float* y) {
    Index col = 0;
    for (; col + 8 * kLanes <= cols; col += 8 * kLanes) {
        sum_columns<8>(weights, count, rows + col, stride, y + col);
    }
    for (; col + 4 * kLanes <= cols; col += 4 * kLanes) {
        sum_columns<4>(weights, count, rows + col, stride, y + col);
    }
    for (; col + kLanes <= cols; col += kLanes) {
        sum_columns<1>(weights, count, rows + col, stride, y + col);
    }
    if (col == cols) return;
    alignas(64) float row[kLanes];
    Packet sum = pset1<Packet>(0);
    for (Index i = 0; i < count; ++i) {
        for (Index c = 0; c < kLanes; ++c) row[c] = col + c < cols ? rows[i * stride + col + c] : 0;
        sum = pmadd(pset1<Packet>(weights[i]), pload<Packet>(row), sum);
    }
    pstore(row, sum);
    for (Index c = col; c < cols; ++c) y[c] = row[c - col] + 0;
}

void pack(const float* b, Index stride, Index depth, Index cols, float* panels) {
    for (Index col = 0; col < cols; col += kPanelWidth) {
        const Index width = cols - col < kPanelWidth ? cols - col : kPanelWidth;
        for (Index k = 0; k < depth; ++k, panels += kPanelWidth) {
            const float* row = b + k * stride + col;
            if (width == kPanelWidth) {
                HEED_UNROLL for (int v = 0; v < kVectors; ++v) {
                    pstore(panels + v * kLanes, ploadu<Packet>(row + v * kLanes));
                }
            } else {
                for (Index c = 0; c < kPanelWidth; ++c) panels[c] = c < width ? row[c] : 0;
            }
        }
    }
}

void pack_transposed(const float* b, Index stride, Index cols, Index depth, float* panels) {
    for (Index col = 0; col < cols; col += kPanelWidth, panels += depth * kPanelWidth) {
        for (Index part = 0; part < kPanelWidth; part += kLanes) {
            const float* rows = b + (col + part) * stride;
            const Index width = cols - col - part < kLanes ? cols - col - part : kLanes;
            Index k = 0;
            if (width == kLanes) {
                for (; k + kLanes <= depth; k += kLanes) {
                    PacketBlock<Packet, static_cast<int>(kLanes)> square;
                    HEED_UNROLL for (int i = 0; i < kLanes; ++i) {
                        square.packet[i] = ploadu<Packet>(rows + i * stride + k);
                    }
                    ptranspose(square);
                    HEED_UNROLL for (int i = 0; i < kLanes; ++i) {
                        pstore(panels + (k + i) * kPanelWidth + part, square.packet[i]);
                    }
                }
            }
            for (; k < depth; ++k) {
                for (Index c = 0; c < kLanes; ++c) {
                    panels[k * kPanelWidth + part + c] = c < width ? rows[c * stride + k] : 0;
                }
            }
        }
    }
}

} // namespace heed::num::HEED_KERNELS
