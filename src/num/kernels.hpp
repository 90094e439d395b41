// The border of the kernels_*.cpp files, which are compiled once per instruction set under a
// renamed Eigen. Plain pointers cross it: anything with an inline function of its own could be
// merged by the linker across instruction sets, and run where it is an illegal instruction.
#pragma once

#include <cstddef>

namespace heed::num {

/// The format of a panel's numbers. Those of 16 bits become floats in the registers: bf16 is a
/// float without its lower half, f16 is IEEE 754's; neither is infinite or NaN.
enum class Stored : unsigned char { f32, bf16, f16 };
constexpr std::ptrdiff_t bytes_of(Stored stored) { return stored == Stored::f32 ? 4 : 2; }

/// x times a share of it: Φ(x) of the normal distribution, that by a tanh of a cubic, σ(x), σ(1.702
/// x).
enum class Curve : unsigned char { gelu, gelu_tanh, silu, quick_gelu };

/// One panel's share of a product: y = relu?(factor · x · panel + bias) + residual.
struct PanelProduct {
    const float* x = nullptr; // rows × depth, x_stride elements from row to row
    std::ptrdiff_t x_stride = 0;
    std::ptrdiff_t x_step = 1; // elements from column to column; rows of a transpose have many
    std::ptrdiff_t rows = 0, depth = 0;
    const void* panel = nullptr; // depth × panel_width, aligned to 64 bytes
    Stored stored = Stored::f32; // 16 bits where x_step is 1 alone
    /// Bytes that will be read next, fetched meanwhile, or null.
    const void* next = nullptr;
    std::ptrdiff_t next_bytes = 0;
    float factor = 1;
    const float* bias = nullptr; // cols, or null
    bool relu = false;
    const float* residual = nullptr; // rows × cols, or null
    std::ptrdiff_t residual_stride = 0;
    float* y = nullptr; // rows × cols, y_stride elements from row to row
    std::ptrdiff_t y_stride = 0;
    std::ptrdiff_t cols = 0; // at most panel_width
};

/// The kernels of one instruction set.
struct Kernels {
    const char* name;
    std::ptrdiff_t panel_width; // columns of a panel
    std::ptrdiff_t block_rows;  // rows that are computed at once; multiples of it are fastest

    void (*panel_product)(const PanelProduct&);

    /// b: depth × cols, into panels one after another; the last is filled up with zeros.
    void (*pack)(const float* b, std::ptrdiff_t stride, std::ptrdiff_t depth, std::ptrdiff_t cols,
                 float* panels);
    /// The transpose of b, cols × depth, into such panels.
    void (*pack_transposed)(const float* b, std::ptrdiff_t stride, std::ptrdiff_t cols,
                            std::ptrdiff_t depth, float* panels);

    /// y = Σ weights_i · row i over `count` rows of `cols` numbers, `stride` apart: number by
    /// number what panel_product makes of them once they are packed.
    void (*weighted_sum)(const float* weights, std::ptrdiff_t count, const float* rows,
                         std::ptrdiff_t stride, std::ptrdiff_t cols, float* y);

    /// The largest of n numbers, −inf for none. NaN when one of them is.
    float (*row_max)(const float* row, std::ptrdiff_t n);
    /// exp(x − max), in place, for numbers x ≤ max (−inf among them, no NaN) and a finite max;
    /// returns the sum.
    float (*row_exp)(float* row, std::ptrdiff_t n, float max);
    void (*row_tanh)(float* row, std::ptrdiff_t n);
    /// 1 / (1 + exp(−x)), in place, small values with all their digits. NaN stays NaN.
    void (*row_sigmoid)(float* row, std::ptrdiff_t n);
    /// y = curve(x) · gate, number by number; gate may be null, y may be x. NaN stays NaN.
    void (*row_curve)(Curve curve, const float* x, const float* gate, std::ptrdiff_t n, float* y);
    /// Σ v · tanh(a + b).
    float (*tanh_dot)(const float* a, const float* b, const float* v, std::ptrdiff_t n);
    void (*row_scale)(float* row, std::ptrdiff_t n, float factor);
    /// y = (x + added − mean) · rstd · gain + shift, rstd = 1 / sqrt(variance + epsilon), by two
    /// passes; `added` may be null, y may be x. All NaN where the variance overflows.
    void (*row_norm)(const float* x, const float* added, const float* gain, const float* shift,
                     float epsilon, std::ptrdiff_t n, float* y, float* mean, float* rstd);
    bool (*all_finite)(const float* row, std::ptrdiff_t n);
    /// row += factor · other, each number rounded alike, wherever in the row it stands.
    void (*row_add)(float* row, std::ptrdiff_t n, float factor, const float* other);

    /// Σ a · b.
    float (*row_dot)(const float* a, const float* b, std::ptrdiff_t n);
    /// Gradients through row_norm: dx = rstd (g − mean g − x̂ mean(g x̂)) with g = dy · gain and
    /// x̂ = (x − mean) rstd; dgain += dy x̂, dshift += dy. dx may be dy.
    void (*row_norm_backward)(const float* x, float mean, float rstd, const float* gain,
                              const float* dy, std::ptrdiff_t n, float* dx, float* dgain,
                              float* dshift);
    /// Gradients through the scores Σ v · tanh(query + key_j) of one query, ds_j being theirs and
    /// rows of `keys` lying n apart: dquery, dkeys and dv are added to.
    void (*additive_backward)(const float* query, const float* keys, std::ptrdiff_t m,
                              const float* v, std::ptrdiff_t n, const float* ds, float* dquery,
                              float* dkeys, float* dv);
};

/// The fastest kernels that this processor runs, or those that HEED_ISA in the environment names.
const Kernels& kernels();

} // namespace heed::num
