#include "tensors/element.hpp"

#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace heed::tensors {

namespace {

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15) and 10 fraction bits.
float half_to_float(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1Fu;
    const std::uint32_t fraction = half & 0x3FFu;
    if (exponent == 0) { // zero or subnormal: fraction · 2^−24, exact in float
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255u : exponent + (127 - 15);
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

/// Walks over unaligned elements and yields floats, so that a vector is built in one pass without
/// being filled with zeros first.
template <class Stored, auto convert> class ElementReader {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = float;
    using difference_type = std::ptrdiff_t;
    using pointer = const float*;
    using reference = float;

    explicit ElementReader(const char* at) : at_(at) {}
    float operator*() const {
        Stored stored;
        std::memcpy(&stored, at_, sizeof stored);
        return convert(stored);
    }
    ElementReader& operator++() {
        at_ += sizeof(Stored);
        return *this;
    }
    ElementReader& operator+=(difference_type n) {
        at_ += n * static_cast<difference_type>(sizeof(Stored));
        return *this;
    }
    friend difference_type operator-(ElementReader a, ElementReader b) {
        return (a.at_ - b.at_) / static_cast<difference_type>(sizeof(Stored));
    }
    bool operator==(const ElementReader&) const = default;

  private:
    const char* at_;
};

template <class Stored, auto convert> std::vector<float> read(std::string_view bytes) {
    using Walk = ElementReader<Stored, convert>;
    return {Walk(bytes.data()), Walk(bytes.data() + bytes.size())};
}

template <class Stored> float cast(Stored stored) { return static_cast<float>(stored); }
float widen_bf16(std::uint16_t stored) { return std::bit_cast<float>(std::uint32_t{stored} << 16); }
float truth(std::uint8_t stored) { return stored != 0 ? 1.0f : 0.0f; }

} // namespace

std::size_t element_size(Element element) {
    switch (element) {
    case Element::f64:
    case Element::i64: return 8;
    case Element::f32:
    case Element::i32: return 4;
    case Element::f16:
    case Element::bf16: return 2;
    case Element::u8:
    case Element::boolean: break;
    }
    return 1;
}

std::vector<float> to_floats(std::string_view bytes, Element element) {
    switch (element) {
    case Element::f32: return read<float, cast<float>>(bytes);
    case Element::f64: return read<double, cast<double>>(bytes);
    case Element::f16: return read<std::uint16_t, half_to_float>(bytes);
    case Element::bf16: return read<std::uint16_t, widen_bf16>(bytes);
    case Element::i32: return read<std::int32_t, cast<std::int32_t>>(bytes);
    case Element::i64: return read<std::int64_t, cast<std::int64_t>>(bytes);
    case Element::u8: return read<std::uint8_t, cast<std::uint8_t>>(bytes);
    case Element::boolean: break;
    }
    return read<std::uint8_t, truth>(bytes);
}

std::optional<std::uint64_t> element_count(const std::vector<std::int64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0) return std::nullopt;
        if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(extent), &count)) {
            return std::nullopt;
        }
    }
    return count;
}

std::size_t count_not_finite(const Array& array) {
    return static_cast<std::size_t>(
        std::count_if(array.values.begin(), array.values.end(),
                      [](float value) { return !std::isfinite(value); }));
}

} // namespace heed::tensors
