#include "tensors/header_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heed::tensors {

using base::ErrorKind;

std::string HeaderBytes::text(std::uint64_t longest) {
    const auto size = number<std::uint64_t>();
    if (size > longest && size <= left()) {
        refuse(ErrorKind::out_of_range,
               fmt::format("{} has a text of {} bytes; at most {} are read", what_, size, longest));
    }
    return std::string(take(size));
}

std::string_view HeaderBytes::take(std::uint64_t size) {
    if (!failed() && size > left()) {
        refuse(ErrorKind::malformed,
               fmt::format("ends at byte {}, within {}", file_.size(), what_));
    }
    if (!failed() && at() + size > most_) {
        refuse(ErrorKind::out_of_range,
               fmt::format("has more than {} bytes before its data", most_));
    }
    if (!failed() && size > window_.size() - used_) fill(size);
    if (failed()) return {};
    used_ += size;
    return std::string_view(window_).substr(used_ - size, size);
}

void HeaderBytes::fill(std::uint64_t size) {
    constexpr std::uint64_t kAtOnce = 1 << 18;
    begin_ += used_;
    used_ = 0;
    window_.resize(std::max(size, std::min(kAtOnce, file_.size() - begin_)));
    if (auto ok = file_.read(begin_, window_); !ok) result_ = ok;
}

} // namespace heed::tensors
