// A folder of this process's own, for readers of files that lie beside each other.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace heed::fuzz {

inline const std::filesystem::path& folder() {
    static const std::filesystem::path made = [] {
        auto path =
            std::filesystem::temp_directory_path() / ("heed_fuzz." + std::to_string(::getpid()));
        std::filesystem::create_directories(path);
        return path;
    }();
    return made;
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
