// Stamp of a file, which tells it from what was written in its place.
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

/// The stamp of a file, or of a folder: of its model's files together. Nothing where there is none
/// any more: what was read of it stands.
std::optional<FileStamp> stamp_of(const std::string& path);

} // namespace heed::app
