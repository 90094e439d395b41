// Lines of users' text files, as their readers go through them.
#pragma once

#include "base/file.hpp"
#include "train/data/data_file.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::train {

/// Calls take(number from 1, line) until it returns false; without line ends and a byte order mark,
/// and not for lines that are empty.
template <class Take> void for_each_line(std::string_view bytes, Take take) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (bytes.substr(0, kMark.size()) == kMark) bytes.remove_prefix(kMark.size());
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        const auto end = bytes.find('\n');
        std::string_view line = bytes.substr(0, end);
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (!line.empty() && !take(number, line)) return;
    }
}

inline tl::unexpected<base::Error> no_good_line(const BadLines& bad, std::string_view wanted) {
    if (bad.count == 0) return base::fail(base::ErrorKind::malformed, "", "the file is empty");
    return base::fail(base::ErrorKind::malformed, "",
                      fmt::format("no line has {}; line {}: {}", wanted, bad.first.front().line,
                                  bad.first.front().reason));
}

inline tl::unexpected<base::Error> not_read_on() {
    return base::fail(base::ErrorKind::cancelled, "", "it is not read any more");
}

/// parse(bytes of the file), with the path as the subject of what goes wrong.
template <class Parse> auto read_and(const std::string& path, std::size_t max_bytes, Parse parse) {
    using Parsed = decltype(parse(std::string_view()));
    const base::Result<std::string> bytes = base::read_file(path, max_bytes);
    if (!bytes) return Parsed(tl::make_unexpected(bytes.error()));
    Parsed parsed = parse(*bytes);
    if (!parsed) parsed.error().subject = path;
    return parsed;
}

} // namespace heed::train
