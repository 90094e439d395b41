// A checkpoint: what stands before the first zero byte is its config.json, the rest its
// model.safetensors. What is accepted runs.
#include "base/check.hpp"
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"
#include "models/checkpoint/open_checkpoint.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static num::ThreadPool pool(1);
    const fuzz::TwoFiles files(fuzz::bytes_of(data, size));
    fuzz::write("config.json", files.first);
    fuzz::write("model.safetensors", files.second);
    const auto model = models::open_checkpoint(fuzz::folder().string(), pool);
    if (!model) return 0;
    models::Input input;
    input.source = {{"0", 0, 0, true, 0}};
    input.target = input.source;
    (void)models::run(*model, input, {}, pool);
    return 0;
}
