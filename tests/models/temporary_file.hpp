// Files that tests write and read again.
#pragma once

#include "base/file.hpp"
#include "models/model/model.hpp"
#include "models/open.hpp"
#include "tensors/named.hpp"

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

/// What loading says about an archive.
inline base::Error error_of(const tensors::Archive& archive) {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_forged.safetensors");
    REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(archive)));
    const auto model = load_model(file.path, pool);
    REQUIRE_FALSE(model);
    CHECK(model.error().subject == file.path);
    return model.error();
}

inline bool has(const base::Error& error, const std::string& words) {
    INFO(error.subject << ": " << error.message);
    return error.message.find(words) != std::string::npos;
}

} // namespace heed::models
