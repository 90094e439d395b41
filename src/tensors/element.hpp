// The number formats that array files hold, and their way into float.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heed::tensors {

// Every format read or written here is little-endian; bytes are taken as they lie.
static_assert(std::endian::native == std::endian::little, "a byte swap is needed here");

/// Formats of numbers. From q8_0 on, they lie in blocks that share their scales (GGUF).
enum class Element { f16, bf16, f32, f64, i32, i64, u8, boolean, q8_0, q4_0, q4_k, q5_k, q6_k };

/// Numbers of a block, and the bytes that they lie in.
struct Block {
    std::size_t numbers, bytes;
};
Block block_of(Element element);

/// The numbers in `bytes`, which need no alignment and hold a whole number of blocks. Doubles and
/// integers are rounded to the nearest float; any byte but 0 is true.
std::vector<float> to_floats(std::string_view bytes, Element element);

/// n₀·n₁·…, 1 for an empty shape; nothing when it does not fit, multiplied from the left.
std::optional<std::uint64_t> element_count(const std::vector<std::int64_t>& shape);

} // namespace heed::tensors
