// Weights of 16 bits, as files have them: they stay so in memory, and become floats in the
// registers of the product.
#pragma once

#include "num/kernels.hpp"
#include "num/product.hpp"

#include <cstdint>
#include <span>

namespace heed::num {

/// W of a linear map of finite numbers in bf16 or f16, out × in as torch's, or in × out.
Weights<float> half_weights(Stored stored, const std::uint16_t* values, Index in, Index out,
                            bool in_by_out = false);

/// The format in which its numbers are stored.
Stored stored_as(const Weights<float>& w);

/// The `in` numbers that make one of the outputs: of a table whose rows are outputs, a row.
void copy_output(const Weights<float>& w, Index output, std::span<float> to);
RowVector<float> output_row(const Weights<float>& w, Index output);

/// The number that 16 bits stand for, exactly.
float widened(std::uint16_t half, Stored stored);
/// The nearest one of 16 bits, of two the even one.
std::uint16_t to_bf16(float x);

} // namespace heed::num
