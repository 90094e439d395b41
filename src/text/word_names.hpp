// Names of a sentence's words in lists, which say where a word is that comes twice.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::text {

/// The words at `places`, each with its position behind it where `words` have it again: "the (7)".
/// `position`: of a place; empty: counted from 1.
std::vector<std::string> word_names(std::span<const std::string_view> words,
                                    std::span<const int> places,
                                    const std::function<int(int)>& position = {});

} // namespace heed::text
