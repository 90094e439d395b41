// npz: zips of any kind; what is accepted is well formed, and survives writing and reading.
#include "fuzz/archive.hpp"

#include <string>

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::uint64_t kMaxBytes = 1u << 20;
    const std::string bytes(fuzz::bytes_of(data, size));
    const auto archive = tensors::read_npz(bytes, "input", kMaxBytes);
    if (!archive) return 0;
    fuzz::check_archive(*archive);
    const auto written = tensors::write_npz(*archive);
    if (!written) return 0; // names that clash once they are spelled right
    const auto again = tensors::read_npz(*written, "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK(fuzz::same(*archive, *again), "writing and reading changed the archive");
    return 0;
}
