#include "tensors/tensor_file.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstddef>

namespace heed::tensors {

base::Result<void> TensorFile::read(const TensorEntry& entry, std::span<float> to) const {
    const Block block = block_of(entry.element);
    HEED_CHECK(to.size() / block.numbers * block.bytes == entry.end - entry.begin,
               "{} numbers, {} bytes for each {}, in {}", to.size(), block.bytes, block.numbers,
               entry.end - entry.begin);
    if (entry.element == Element::f32) {
        return read(entry, std::span(reinterpret_cast<char*>(to.data()), to.size_bytes()));
    }
    constexpr std::size_t kAtOnce = 1 << 18; // whole blocks of every type
    std::string bytes;
    for (std::size_t first = 0; first < to.size(); first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, to.size() - first);
        bytes.resize(count / block.numbers * block.bytes);
        const std::uint64_t begin = entry.begin + first / block.numbers * block.bytes;
        if (auto ok = file_.read(data_ + begin, bytes); !ok) return ok;
        const std::vector<float> part = to_floats(bytes, entry.element);
        std::copy(part.begin(), part.end(), to.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return {};
}

base::Result<void> TensorFile::read(const TensorEntry& entry, std::span<char> to,
                                    std::uint64_t first) const {
    const std::uint64_t size = entry.end - entry.begin;
    HEED_CHECK(first <= size && to.size() <= size - first, "{} bytes from {} on, of {}", to.size(),
               first, size);
    return file_.read(data_ + entry.begin + first, to);
}

} // namespace heed::tensors
