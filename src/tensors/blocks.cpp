// Blocks begin and end as ggml lays them out. A number is a product of floats in the order in which
// ggml multiplies them, so that it is the same to the last bit.
#include "tensors/blocks.hpp"

#include <cstddef>
#include <cstring>

namespace heed::tensors {

namespace {

constexpr int kSmall = 32; // numbers of a block, or of the part of a large one that has a scale

/// The parts of one block, taken in their order.
class BlockBytes {
  public:
    explicit BlockBytes(const char* at) : at_(reinterpret_cast<const std::uint8_t*>(at)) {}
    float half() {
        std::uint16_t stored = 0;
        std::memcpy(&stored, bytes(sizeof stored), sizeof stored);
        return half_to_float(stored);
    }
    const std::uint8_t* bytes(std::size_t count) {
        const std::uint8_t* here = at_;
        at_ += count;
        return here;
    }

  private:
    const std::uint8_t* at_;
};

int signed_byte(std::uint8_t byte) { return static_cast<std::int8_t>(byte); }

/// A scale, and 32 bytes.
void unpack_q8_0(BlockBytes block, float* to) {
    const float scale = block.half();
    const std::uint8_t* stored = block.bytes(kSmall);
    for (int i = 0; i < kSmall; ++i) to[i] = static_cast<float>(signed_byte(stored[i])) * scale;
}

/// A scale, and 16 bytes: their lower halves, then their upper ones, less 8.
void unpack_q4_0(BlockBytes block, float* to) {
    const float scale = block.half();
    const std::uint8_t* stored = block.bytes(kSmall / 2);
    for (int i = 0; i < kSmall / 2; ++i) {
        to[i] = static_cast<float>((stored[i] & 15) - 8) * scale;
        to[i + kSmall / 2] = static_cast<float>((stored[i] >> 4) - 8) * scale;
    }
}

/// Factors on eight parts of a block, and what is taken off: 6 bits each, the upper two of the last
/// four in the first eight bytes of twelve.
struct Scales {
    int scale[8], minimum[8];

    explicit Scales(const std::uint8_t* s) {
        for (int i = 0; i < 4; ++i) {
            scale[i] = s[i] & 63;
            minimum[i] = s[i + 4] & 63;
            scale[i + 4] = (s[i + 8] & 15) | ((s[i] >> 6) << 4);
            minimum[i + 4] = (s[i + 8] >> 4) | ((s[i + 4] >> 6) << 4);
        }
    }
};

/// The scales of scales and minima, then those, then 4 bits a number: 32 bytes hold the lower
/// halves of one part and the upper ones of the next. With `fifth`, 32 bytes stand before them, of
/// which part p has bit p as the fifth of its numbers.
void unpack_k(BlockBytes block, bool fifth, float* to) {
    const float scale = block.half(), minimum = block.half();
    const Scales scales(block.bytes(12));
    const std::uint8_t* high = fifth ? block.bytes(kSmall) : nullptr;
    const std::uint8_t* low = block.bytes(std::size_t{4} * kSmall);
    for (int part = 0; part < 8; ++part) {
        const float times = scale * static_cast<float>(scales.scale[part]);
        const float less = minimum * static_cast<float>(scales.minimum[part]);
        for (int i = 0; i < kSmall; ++i) {
            int stored = (low[part / 2 * kSmall + i] >> (part % 2 * 4)) & 15;
            if (high) stored += ((high[i] >> part) & 1) << 4;
            *to++ = times * static_cast<float>(stored) - less;
        }
    }
}
void unpack_q4_k(BlockBytes block, float* to) { unpack_k(block, false, to); }
void unpack_q5_k(BlockBytes block, float* to) { unpack_k(block, true, to); }

/// 4 lower bits of each number, 2 upper ones, a byte of scale for each 16, and their scale. Of each
/// half of the block, 64 bytes have the lower bits of its quarters 0 and 2, and of 1 and 3; 32
/// bytes the upper bits of all four.
void unpack_q6_k(BlockBytes block, float* to) {
    const std::uint8_t* low = block.bytes(128);
    const std::uint8_t* high = block.bytes(64);
    const std::uint8_t* scales = block.bytes(16);
    const float scale = block.half();
    for (int part = 0; part < 8; ++part) {
        const int half = part / 4, quarter = part % 4;
        for (int i = 0; i < kSmall; ++i) {
            const int lower = low[half * 64 + quarter % 2 * kSmall + i] >> (quarter / 2 * 4);
            const int upper = high[half * kSmall + i] >> (2 * quarter);
            const int stored = ((lower & 15) | (upper & 3) << 4) - 32;
            const float times = scale * static_cast<float>(signed_byte(scales[2 * part + i / 16]));
            *to++ = times * static_cast<float>(stored);
        }
    }
}

using Unpack = void (*)(BlockBytes, float*);

Unpack unpack_of(Element element) {
    switch (element) {
    case Element::q4_0: return unpack_q4_0;
    case Element::q4_k: return unpack_q4_k;
    case Element::q5_k: return unpack_q5_k;
    case Element::q6_k: return unpack_q6_k;
    default: return unpack_q8_0;
    }
}

} // namespace

// 1 sign, 5 exponent (bias 15) and 10 fraction bits.
float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1Fu;
    const std::uint32_t fraction = half & 0x3FFu;
    if (exponent == 0) { // zero or subnormal: fraction · 2^−24, exact in float
        constexpr float kSmallest = 0x1p-24f;
        const float magnitude = static_cast<float>(fraction) * kSmallest;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255u : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

std::vector<float> unpacked_blocks(std::string_view bytes, Element element) {
    const Block block = block_of(element);
    const Unpack unpack = unpack_of(element);
    std::vector<float> numbers(bytes.size() / block.bytes * block.numbers);
    for (std::size_t i = 0; i < bytes.size() / block.bytes; ++i) {
        unpack(BlockBytes(bytes.data() + i * block.bytes), numbers.data() + i * block.numbers);
    }
    return numbers;
}

} // namespace heed::tensors
