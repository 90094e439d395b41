// What the tests of files that are too large have in common.
#pragma once

#include "catch.hpp"

#include <cstddef>
#include <string>

namespace heed::test {

/// True where what was said, of which a failure shows the beginning, has these words.
inline bool says(const std::string& found, const std::string& part) {
    UNSCOPED_INFO(found.substr(0, 300));
    return found.find(part) != std::string::npos;
}

/// A piece again and again, until it is so many bytes.
inline std::string filled(const std::string& piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
}

} // namespace heed::test
