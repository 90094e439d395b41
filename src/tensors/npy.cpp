// The data behind the header of an .npy, and its writers.
#include "tensors/npy.hpp"

#include "base/check.hpp"
#include "base/utf8.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace heed::tensors {

using base::ErrorKind;
using base::fail;

namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::uint64_t kMaxTextBytes = 256u << 20;

std::vector<float> to_c_order(const std::vector<float>& values,
                              const std::vector<std::int64_t>& shape) {
    std::array<std::size_t, kNpyMaxRank> stride{}, index{};
    std::size_t step = 1;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        stride[axis] = step;
        step *= static_cast<std::size_t>(shape[axis]);
    }
    std::vector<float> result;
    result.reserve(values.size());
    std::size_t from = 0;
    while (result.size() < values.size()) {
        result.push_back(values[from]);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            from += stride[axis];
            if (++index[axis] < static_cast<std::size_t>(shape[axis])) break;
            from -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
    return result;
}

} // namespace

std::uint64_t npy_memory(const Npy& npy) {
    const std::uint64_t items = npy.data.size() / npy.item_size;
    // A code point takes at most its four bytes as UTF-8 too.
    return items * (npy.is_text ? sizeof(std::string) + npy.item_size + 1 : sizeof(float));
}

std::vector<float> npy_numbers(const Npy& npy) {
    HEED_CHECK(!npy.is_text, "an array of text has no numbers");
    auto values = to_floats(npy.data, npy.element);
    const bool order_matters = npy.fortran_order && npy.shape.size() > 1 && !values.empty();
    if (order_matters) return to_c_order(values, npy.shape);
    return values;
}

std::vector<std::string> npy_strings(const Npy& npy) {
    HEED_CHECK(npy.is_text, "an array of numbers has no strings");
    std::vector<std::string> list;
    list.reserve(npy.data.size() / npy.item_size);
    for (std::size_t at = 0; at < npy.data.size(); at += npy.item_size) {
        std::string_view item = npy.data.substr(at, npy.item_size);
        item = item.substr(0, (item.find_last_not_of('\0') + 4) / 4 * 4);
        std::string& text = list.emplace_back();
        for (std::size_t i = 0; i < item.size(); i += 4) {
            char32_t code_point = 0;
            std::memcpy(&code_point, item.data() + i, sizeof code_point);
            base::append_utf8(text, code_point);
        }
    }
    return list;
}

std::string npy_header(const std::string& descr, const std::vector<std::int64_t>& shape) {
    HEED_CHECK(shape.size() <= kNpyMaxRank, "{} axes are more than NumPy's {}", shape.size(),
               kNpyMaxRank);
    std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                   descr, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    const std::size_t start = kNpyMagic.size() + 4;
    dict.append(kAlignment - 1 - (start + dict.size()) % kAlignment, ' ');
    dict += '\n';
    std::string bytes(kNpyMagic);
    bytes += '\1';
    bytes += '\0';
    bytes += static_cast<char>(dict.size() & 0xFF);
    bytes += static_cast<char>(dict.size() >> 8);
    return bytes + dict;
}

base::Result<std::string> npy_of_strings(const std::vector<std::string>& list, bool scalar,
                                         const std::string& subject) {
    HEED_CHECK(!scalar || list.size() == 1, "{} strings are no scalar", list.size());
    std::size_t width = 1;
    for (const std::string& text : list) width = std::max(width, base::count_code_points(text));
    if (list.size() * width * 4 > kMaxTextBytes) {
        return fail(ErrorKind::out_of_range, subject,
                    fmt::format("{} strings of up to {} characters are too many for an array of "
                                "text, which gives each the room of the longest",
                                list.size(), width));
    }
    std::vector<std::int64_t> shape;
    if (!scalar) shape.push_back(static_cast<std::int64_t>(list.size()));
    std::string bytes = npy_header(fmt::format("<U{}", width), shape);
    std::size_t item = bytes.size();
    bytes.resize(bytes.size() + list.size() * width * 4, '\0');
    for (const std::string& text : list) {
        char* to = bytes.data() + item;
        for (std::size_t at = 0; at < text.size(); to += 4) {
            const base::Decoded decoded = base::decode_utf8(text, at);
            std::memcpy(to, &decoded.code_point, 4);
            at += decoded.length;
        }
        item += width * 4;
    }
    return bytes;
}

std::string write_npy(const Array& array) {
    HEED_CHECK(element_count(array.shape) == array.values.size(),
               "an array of shape {} has {} values", fmt::join(array.shape, " × "),
               array.values.size());
    std::string bytes = npy_header("<f4", array.shape);
    bytes.reserve(bytes.size() + array.values.size() * sizeof(float));
    bytes.append(reinterpret_cast<const char*>(array.values.data()),
                 array.values.size() * sizeof(float));
    return bytes;
}

base::Result<Array> read_npy(std::string_view bytes, const std::string& subject) {
    auto npy = parse_npy(bytes, subject);
    if (!npy) return tl::make_unexpected(npy.error());
    if (npy->is_text) {
        return fail(ErrorKind::unsupported, subject, "holds text where numbers are wanted");
    }
    auto values = npy_numbers(*npy);
    return Array{std::move(npy->shape), std::move(values)};
}

} // namespace heed::tensors
