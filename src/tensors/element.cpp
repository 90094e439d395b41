#include "tensors/element.hpp"

#include "tensors/blocks.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace heed::tensors {

namespace {

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

Block block_of(Element element) {
    switch (element) {
    case Element::f64:
    case Element::i64: return {1, 8};
    case Element::f32:
    case Element::i32: return {1, 4};
    case Element::f16:
    case Element::bf16: return {1, 2};
    case Element::q8_0: return {32, 34};
    case Element::q4_0: return {32, 18};
    case Element::q4_k: return {256, 144};
    case Element::q5_k: return {256, 176};
    case Element::q6_k: return {256, 210};
    case Element::u8:
    case Element::boolean: break;
    }
    return {1, 1};
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
    case Element::q8_0:
    case Element::q4_0:
    case Element::q4_k:
    case Element::q5_k:
    case Element::q6_k: return unpacked_blocks(bytes, element);
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
