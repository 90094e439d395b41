// A checkpoint in shards: what stands before the first zero byte is its index, the rest both of its
// shards. What is accepted has every tensor where the index says that it is.
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"
#include "models/checkpoint/tensor_files.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("model.safetensors.index.json", files.first);
    fuzz::write("a.safetensors", files.second);
    fuzz::write("b.safetensors", files.second);
    const auto opened = models::TensorFiles::open(fuzz::folder().string(), "", "");
    if (!opened) HEED_CHECK(!opened.error().subject.empty(), "an error without its file");
    return 0;
}
