#include "app/document/file_stamp.hpp"

#include "base/hash.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

namespace fs = std::filesystem;

namespace {

/// True of what a model is read of, among all that lies in a folder where one learns.
bool is_of_a_model(const std::string& name) {
    constexpr std::string_view kNames[] = {"config.json",
                                           "generation_config.json",
                                           "preprocessor_config.json",
                                           "tokenizer.json",
                                           "tokenizer_config.json",
                                           "special_tokens_map.json",
                                           "vocab.json",
                                           "merges.txt",
                                           "vocab.txt",
                                           "spiece.model",
                                           "tokenizer.model",
                                           "sentencepiece.bpe.model",
                                           "source.spm",
                                           "target.spm",
                                           "model.safetensors.index.json"};
    return name.ends_with(".safetensors") ||
           std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::optional<FileStamp> stamp_of_file(const fs::path& path) {
    std::error_code failed;
    FileStamp stamp;
    stamp.size = fs::file_size(path, failed);
    if (failed) return std::nullopt;
    stamp.written = fs::last_write_time(path, failed);
    return failed ? std::nullopt : std::optional(stamp);
}

} // namespace

std::optional<FileStamp> stamp_of(const std::string& path) {
    if (path.empty()) return std::nullopt;
    std::error_code failed;
    const fs::path file(path), parent = file.parent_path();
    const bool tells =
        file.filename() == "config.json" || path.ends_with(".index.json") ||
        (path.ends_with(".safetensors") && fs::exists(parent / "config.json", failed));
    const fs::path folder = !tells ? file : parent.empty() ? fs::path(".") : parent;
    if (!fs::exists(file, failed)) return std::nullopt;
    if (!fs::is_directory(folder, failed)) return stamp_of_file(path);
    bool weights = false;
    std::vector<std::string> files; // in an order of their own, whatever the disk's
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const std::string name = at->path().filename().string();
        const auto stamp = is_of_a_model(name) ? stamp_of_file(at->path()) : std::nullopt;
        if (!stamp) continue;
        weights = weights || name.ends_with(".safetensors");
        files.push_back(
            fmt::format("{} {} {}", name, stamp->size, stamp->written.time_since_epoch().count()));
    }
    if (!weights) return std::nullopt;
    std::ranges::sort(files);
    return FileStamp{base::hash_bytes(fmt::format("{}", fmt::join(files, "\n"))), {}};
}

} // namespace heed::app
