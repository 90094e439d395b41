// Cutting where the script changes.
#pragma once

#include "tokenizers/text/aligned_text.hpp"

#include <vector>

namespace heed::tokenizers {

/// Hiragana and Katakana count as Han; spaces and characters of no script belong to what they
/// follow. What stands before the first character of a script is left out, as the library does.
std::vector<AlignedText> split_at_scripts(const AlignedText& text);

} // namespace heed::tokenizers
