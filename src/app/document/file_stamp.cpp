#include "app/document/file_stamp.hpp"

#include <algorithm>
#include <string_view>

namespace heed::app {

namespace fs = std::filesystem;

namespace {

/// What a model is made of, of all that lies in a folder where one learns.
bool is_of_a_model(const fs::path& file) {
    const std::string name = file.filename().string();
    constexpr std::string_view kNames[] = {"config.json", "generation_config.json",
                                           "tokenizer.json", "preprocessor_config.json"};
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
    const fs::path parent = fs::path(path).parent_path();
    const bool tells = fs::path(path).filename() == "config.json" || path.ends_with(".index.json");
    const fs::path folder = tells ? (parent.empty() ? "." : parent) : fs::path(path);
    if (!fs::is_directory(folder, failed)) return stamp_of_file(path);
    std::optional<FileStamp> newest;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
        const auto stamp = is_of_a_model(at->path()) ? stamp_of_file(at->path()) : std::nullopt;
        if (!stamp) continue;
        if (!newest) newest = FileStamp{0, fs::file_time_type::min()};
        newest->size += stamp->size;
        newest->written = std::max(newest->written, stamp->written);
    }
    return newest;
}

} // namespace heed::app
