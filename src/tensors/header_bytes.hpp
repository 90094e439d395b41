// The bytes of a file from its first one on, as a header's reader takes them: numbers and texts.
#pragma once

#include "base/open_file.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace heed::tensors {

/// The first failure is kept, and what is read after it is nothing: whoever reads looks at it where
/// that matters alone.
class HeaderBytes {
  public:
    /// More than `most` bytes are not read (out_of_range).
    HeaderBytes(const base::OpenFile& file, std::uint64_t most) : file_(file), most_(most) {}

    std::uint64_t at() const { return begin_ + used_; }
    std::uint64_t left() const { return file_.size() - at(); }
    bool failed() const { return !result_; }
    const base::Result<void>& result() const { return result_; }
    void refuse(base::ErrorKind kind, std::string message) {
        if (result_) result_ = base::fail(kind, file_.path(), std::move(message));
    }
    /// The words for what is read from here on, for a file that ends within it.
    void begin(std::string what) { what_ = std::move(what); }

    template <class T> T number() {
        T value{};
        const std::string_view bytes = take(sizeof value);
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    /// A text, with its length in 8 bytes before it.
    std::string text(std::uint64_t longest);

  private:
    std::string_view take(std::uint64_t size);
    void fill(std::uint64_t size);

    const base::OpenFile& file_;
    std::uint64_t most_;
    std::string window_; // bytes of the file from begin_ on
    std::uint64_t begin_ = 0, used_ = 0;
    std::string what_;
    base::Result<void> result_;
};

} // namespace heed::tensors
