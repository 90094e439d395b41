// A folder of this process's own, for readers of files that lie beside each other.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace heed::fuzz {

/// An empty folder, as long as this lives.
struct OwnFolder {
    std::filesystem::path path;
    explicit OwnFolder(std::filesystem::path at) : path(std::move(at)) {
        std::filesystem::remove_all(path); // of another process that had this number
        std::filesystem::create_directories(path);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

inline const std::filesystem::path& folder() {
    static const OwnFolder own(std::filesystem::temp_directory_path() /
                               ("heed_fuzz." + std::to_string(::getpid())));
    return own.path;
}

inline void write(const char* file, std::string_view bytes) {
    std::ofstream(folder() / file, std::ios::binary) << bytes;
}

/// What stands before the first zero byte, and what behind it.
struct TwoFiles {
    std::string_view first, second;
    explicit TwoFiles(std::string_view bytes) {
        const auto zero = bytes.find('\0');
        first = bytes.substr(0, zero);
        if (zero != bytes.npos) second = bytes.substr(zero + 1);
    }
};

} // namespace heed::fuzz
