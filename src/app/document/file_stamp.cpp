#include "app/document/file_stamp.hpp"

namespace heed::app {

std::optional<FileStamp> stamp_of(const std::string& path) {
    if (path.empty()) return std::nullopt;
    std::error_code failed;
    FileStamp stamp;
    stamp.size = std::filesystem::file_size(path, failed);
    if (failed) return std::nullopt;
    stamp.written = std::filesystem::last_write_time(path, failed);
    return failed ? std::nullopt : std::optional(stamp);
}

} // namespace heed::app
