// What tells a file from what was written in its place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace heed::app {

struct FileStamp {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written{};
    bool operator==(const FileStamp&) const = default;
};

/// Of no file, and of one that is gone, nothing: what was read of it stands.
std::optional<FileStamp> stamp_of(const std::string& path);

} // namespace heed::app
