// safetensors: what is accepted is well formed, and survives writing and reading.
#include "fuzz/archive.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto archive = tensors::read_safetensors(fuzz::bytes_of(data, size), "input");
    if (!archive) return 0;
    fuzz::check_archive(*archive);
    const auto again = tensors::read_safetensors(tensors::write_safetensors(*archive), "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK(fuzz::same(*archive, *again), "writing and reading changed the archive");
    return 0;
}
