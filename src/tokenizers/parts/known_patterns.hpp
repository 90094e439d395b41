// Patterns that several files name rather than spell: how a byte-level model's words are cut.
#pragma once

#include <string>
#include <string_view>

namespace heed::tokenizers {

/// The pattern of cl100k (GPT-4), LLaMA 3 and Qwen2, which differ in their numbers: `digits` is a
/// pattern of one.
inline std::string words_with_digits(std::string_view digits) {
    return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|)" + std::string(digits) +
           R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

/// The pattern of o200k (GPT-4o), where capitals begin a word; `ending`: of a word, such as "'s".
inline std::string words_with_capitals(std::string_view ending, std::string_view digits) {
    const std::string begin = R"([^\r\n\p{L}\p{N}]?)", end(ending);
    const std::string upper = R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])";
    const std::string lower = R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])";
    return begin + upper + "*" + lower + "+" + end + "|" + begin + upper + "+" + lower + "*" + end +
           "|" + std::string(digits) + R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

} // namespace heed::tokenizers
