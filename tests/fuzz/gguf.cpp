// A GGUF file: every tensor of one that is accepted can be read, its tokeniser encodes any text,
// and a model that comes of it runs.
#include "tensors/gguf.hpp"
#include "fuzz/target.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "tokenizers/gguf_tokenizer.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

using namespace heed;

namespace {

const std::string& path() {
    static const std::string made = (std::filesystem::temp_directory_path() /
                                     ("heed_fuzz." + std::to_string(::getpid()) + ".gguf"))
                                        .string();
    return made;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::ofstream(path(), std::ios::binary) << fuzz::bytes_of(data, size);
    const auto file = tensors::GgufFile::open(path());
    if (!file) return 0;
    for (const auto& entry : file->header().entries) {
        const auto count = tensors::element_count(entry.shape);
        HEED_CHECK(count && *count <= 2 * size, "{} numbers of {} bytes", count.value_or(0), size);
        std::vector<float> numbers(*count);
        HEED_CHECK(file->read(entry, numbers), "{} is not read", entry.name);
    }
    if (const auto tokenizer = tokenizers::read_gguf_tokenizer(*file)) {
        const std::string text = "The cat's 12\n<s> \xE4\xB8\xAD \xFF";
        const auto pieces = (*tokenizer)->try_encode(text, true, 64);
        HEED_CHECK(!pieces || pieces->size() <= 64, "{} pieces", pieces->size());
    }
    static num::ThreadPool pool(1);
    const auto model = models::open_checkpoint(path(), pool);
    if (!model) return 0;
    models::Input input;
    input.source = {{"0", 0, 0, true, 0}};
    input.target = input.source;
    (void)models::run(*model, input, {}, pool);
    return 0;
}
