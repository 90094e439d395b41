// A checkpoint: what stands before the first zero byte is its config.json, the rest its
// model.safetensors. What is accepted runs.
#include "base/check.hpp"
#include "fuzz/target.hpp"
#include "models/checkpoint/open_checkpoint.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

using namespace heed;

namespace {

const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
        auto path = std::filesystem::temp_directory_path() /
                    ("heed_fuzz_checkpoint." + std::to_string(::getpid()));
        std::filesystem::create_directories(path);
        return path;
    }();
    return made;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static num::ThreadPool pool(1);
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(bytes.find('\0'), bytes.size());
    const std::string weights = zero < bytes.size() ? bytes.substr(zero + 1) : std::string();
    std::ofstream(folder() / "config.json") << bytes.substr(0, zero);
    std::ofstream(folder() / "model.safetensors") << weights;
    const auto model = models::open_checkpoint(folder().string(), pool);
    if (!model) return 0;
    models::Input input;
    input.source = {{"0", 0, 0, true, 0}};
    input.target = input.source;
    (void)models::run(*model, input, {}, pool);
    return 0;
}
