// A file that stays open while parts of it are read.
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace heed::base {

class OpenFile {
  public:
    /// Errors: those of check_file; unreadable.
    static Result<OpenFile> open(const std::string& path);
    OpenFile(OpenFile&& other) noexcept
        : path_(std::move(other.path_)), size_(other.size_),
          descriptor_(std::exchange(other.descriptor_, -1)) {}
    OpenFile& operator=(OpenFile&&) = delete;
    ~OpenFile();

    const std::string& path() const { return path_; }
    std::uint64_t size() const { return size_; } // when it was opened
    /// Fills `to` with the bytes from `offset` on. Any thread may call. Errors: unreadable;
    /// malformed where the file has become shorter.
    Result<void> read(std::uint64_t offset, std::span<char> to) const;

  private:
    OpenFile(std::string path, std::uint64_t size, int descriptor)
        : path_(std::move(path)), size_(size), descriptor_(descriptor) {}
    std::string path_;
    std::uint64_t size_;
    int descriptor_;
};

} // namespace heed::base
