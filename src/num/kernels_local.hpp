// Names that the kernels_*.cpp files of one instruction set share. Every name lives in a namespace
// of that instruction set, and nothing of std is instantiated.
#pragma once

#include "num/kernels.hpp"

#define EIGEN_NO_DEBUG
#include <Eigen/Core>

#define HEED_JOIN_(a, b) a##b
#define HEED_JOIN(a, b) HEED_JOIN_(a, b)
#define HEED_QUOTE_(a) #a
#define HEED_QUOTE(a) HEED_QUOTE_(a)
#define HEED_KERNELS HEED_JOIN(isa_, HEED_ISA)
#define HEED_KERNELS_NAME HEED_QUOTE(HEED_ISA)
#define HEED_UNROLL _Pragma("GCC unroll 32")

namespace heed::num::HEED_KERNELS {

using Index = std::ptrdiff_t;
using Packet = Eigen::internal::packet_traits<float>::type;

/// Floats in a register.
inline constexpr Index kLanes = Eigen::internal::packet_traits<float>::size;
/// A panel is two registers wide: narrow enough to share few columns evenly among threads, and
/// reading it from the second-level cache then costs a third of what that cache delivers.
inline constexpr Index kVectors = 2;
inline constexpr Index kPanelWidth = kVectors * kLanes;
/// Rows of a block, as many as leave room for a panel's registers and one number: of 32 registers
/// with AVX-512, of 16 elsewhere.
inline constexpr Index kBlockRows = kLanes >= 16 ? 14 : 6;

void panel_product(const PanelProduct& product);
void pack(const float* b, Index stride, Index depth, Index cols, float* panels);
void pack_transposed(const float* b, Index stride, Index cols, Index depth, float* panels);
void weighted_sum(const float* weights, Index count, const float* rows, Index stride, Index cols,
                  float* y);
float row_max(const float* row, Index n);
float row_exp(float* row, Index n, float max);
void row_tanh(float* row, Index n);
void row_sigmoid(float* row, Index n);
void row_curve(Curve curve, const float* x, const float* gate, Index n, float* y);
float tanh_dot(const float* a, const float* b, const float* v, Index n);
void row_scale(float* row, Index n, float factor);
void row_norm(const float* x, const float* added, const float* gain, const float* shift,
              float epsilon, Index n, float* y, float* mean, float* rstd);
bool all_finite(const float* row, Index n);
void row_add(float* row, Index n, float factor, const float* other);
float row_dot(const float* a, const float* b, Index n);
void row_norm_backward(const float* x, float mean, float rstd, const float* gain, const float* dy,
                       Index n, float* dx, float* dgain, float* dshift);
void additive_backward(const float* query, const float* keys, Index m, const float* v, Index n,
                       const float* ds, float* dquery, float* dkeys, float* dv);

} // namespace heed::num::HEED_KERNELS
