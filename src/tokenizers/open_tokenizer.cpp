// Folders and files of tokenisers.
#include "base/file.hpp"
#include "tokenizers/pipeline.hpp"
#include "tokenizers/refused.hpp"

#include <filesystem>

namespace heed::tokenizers {

using base::Result;

namespace {
constexpr std::size_t kMaxFile = std::size_t{96} << 20;
}

Result<std::shared_ptr<const Tokenizer>> open_tokenizer(const std::string& path) {
    std::error_code failed;
    const bool folder = std::filesystem::is_directory(path, failed);
    const std::string file = folder ? path + "/tokenizer.json" : path;
    const auto bytes = base::read_file(file, kMaxFile);
    if (!bytes) return tl::make_unexpected(bytes.error());
    return read_tokenizer(*bytes, file);
}

} // namespace heed::tokenizers
