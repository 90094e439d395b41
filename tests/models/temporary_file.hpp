// Files that tests write and read again.
#pragma once

#include "base/file.hpp"

#include "catch.hpp"

#include <filesystem>
#include <string>
#include <unistd.h>

namespace heed::models {

/// A file of its own for each test, gone afterwards.
struct TemporaryFile {
    std::string path;
    // Tests run side by side, each in a process of its own.
    explicit TemporaryFile(const char* name)
        : path(std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "." + name)) {
    }
    ~TemporaryFile() { std::filesystem::remove(path); }
};

inline std::string bytes_of(const std::string& path) {
    auto bytes = base::read_file(path, 1 << 24);
    REQUIRE(bytes);
    return *bytes;
}

} // namespace heed::models
