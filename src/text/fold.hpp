// Words compared without regard to capitals.
#pragma once

#include <string>
#include <string_view>

namespace heed::text {

/// Unicode's full case folding: "Größe" and "GRÖSSE" become the same. Broken UTF-8 becomes U+FFFD.
std::string folded(std::string_view words);

/// True where every word of the query (what white space separates) occurs somewhere in `words`,
/// which is folded already. An empty query occurs in anything.
bool all_occur(std::string_view query, std::string_view folded_words);

} // namespace heed::text
