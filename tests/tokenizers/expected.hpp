// What another implementation made of the hard lines of data/lines.txt
// (tests/reference/tokenizers.py).
#pragma once

#include "catch.hpp"
#include "paths.hpp"

#include "base/file.hpp"
#include "tensors/json.hpp"
#include "tokenizers/tokenizer.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <vector>

namespace heed::test {

inline std::string data_file(const std::string& name) {
    return std::string(HEED_SOURCE_DIR) + "/tests/tokenizers/data/" + name;
}

inline std::vector<std::string> hard_lines() {
    std::ifstream file(data_file("lines.txt"));
    std::vector<std::string> result;
    for (std::string line; std::getline(file, line);) {
        const auto json = tensors::parse_json(line, "lines.txt");
        REQUIRE(json);
        result.push_back(json->get<std::string>());
    }
    REQUIRE(result.size() >= 600);
    return result;
}

inline std::string digest(const std::string& words) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : words) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    h ^= h >> 32;
    std::string result;
    for (int i = 0; i < 4; ++i) {
        result +=
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[h >> 6 * i & 63];
    }
    return result;
}

inline std::string ids_of(const std::vector<tokenizers::Piece>& pieces) {
    std::string result;
    for (const auto& piece : pieces) {
        result += fmt::format("{}{}", result.empty() ? "" : " ", piece.id);
    }
    return result;
}

inline std::string places_of(const std::vector<tokenizers::Piece>& pieces) {
    std::string result;
    for (const auto& piece : pieces) {
        result += fmt::format("{}{}:{}", result.empty() ? "" : " ", piece.begin, piece.end);
    }
    return result;
}

inline std::string tokens_of(const std::vector<tokenizers::Piece>& pieces) {
    std::string result;
    for (std::size_t i = 0; i < pieces.size(); ++i) result += (i > 0 ? "\n" : "") + pieces[i].token;
    return result;
}

/// What the script writes for one text.
inline std::string outcome(const tokenizers::Tokenizer& tokenizer, const std::string& text) {
    const auto pieces = tokenizer.encode(text, true), bare = tokenizer.encode(text, false);
    std::vector<int> ids;
    for (const auto& piece : pieces) ids.push_back(piece.id);
    return fmt::format("{} {} {} {} {}", digest(ids_of(pieces)), digest(tokens_of(pieces)),
                       digest(places_of(pieces)), digest(ids_of(bare) + "|" + places_of(bare)),
                       digest(tokenizer.decode(ids, true)));
}

/// The hard lines that `name`.expected is of: all, or those whose numbers `name`.lines lists.
inline std::vector<std::string> lines_of(const std::string& name) {
    const auto chosen = base::read_file(data_file(name + ".lines"), 1 << 20);
    std::vector<std::string> all = hard_lines();
    if (!chosen) return all;
    const auto numbers = tensors::parse_json(*chosen, name);
    REQUIRE(numbers);
    std::vector<std::string> result;
    for (const auto& number : *numbers) result.push_back(all[number.get<std::size_t>()]);
    return result;
}

/// Every hard line gives what is expected.
inline void check_expected(const tokenizers::Tokenizer& tokenizer, const std::string& name) {
    std::ifstream file(data_file(name + ".expected"));
    std::size_t differing = 0;
    std::string first;
    for (const std::string& text : lines_of(name)) {
        std::string expected;
        REQUIRE(std::getline(file, expected));
        std::string got = outcome(tokenizer, text);
        const std::string nothing = digest(""); // where the script has no decoded text
        if (expected.ends_with(nothing)) got.replace(got.size() - 4, 4, nothing);
        if (got == expected) continue;
        if (differing++ == 0) first = fmt::format("'{}': {}, expected {}", text, got, expected);
    }
    INFO(name << ": " << differing << " lines, first " << first);
    CHECK(differing == 0);
}

} // namespace heed::test
