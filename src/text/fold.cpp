#include "text/fold.hpp"

#include <unicode/unistr.h>

#include <cstdint>
#include <sstream>

namespace heed::text {

std::string folded(std::string_view words) {
    const icu::StringPiece bytes(words.data(), static_cast<std::int32_t>(words.size()));
    std::string result;
    icu::UnicodeString::fromUTF8(bytes).foldCase().toUTF8String(result);
    return result;
}

bool all_occur(std::string_view query, std::string_view folded_words) {
    std::istringstream parts(folded(query));
    for (std::string part; parts >> part;) {
        if (folded_words.find(part) == std::string_view::npos) return false;
    }
    return true;
}

} // namespace heed::text
