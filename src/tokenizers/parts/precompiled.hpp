// SentencePiece's table of characters and what they become: a double array of prefixes (Aoe 1989,
// in the form of Darts-clone) and the words that its leaves point to.
#pragma once

#include "tokenizers/parts/normalizers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

class CharacterMap {
  public:
    /// The table as it stands in a file. Throws Refused.
    CharacterMap(std::string_view bytes, const std::string& path);

    struct Found {
        std::size_t length;       // bytes that are replaced
        std::string_view becomes; // valid UTF-8
    };
    /// The replacement of the shortest, or the longest prefix of a text.
    std::optional<Found> shortest(std::string_view text) const { return look_up(text, false); }
    std::optional<Found> longest(std::string_view text) const { return look_up(text, true); }

  private:
    std::optional<Found> look_up(std::string_view text, bool longest) const;

    std::vector<std::uint32_t> units_;
    std::string words_; // each ends in a zero
};

/// The normalizer of the tokenizers library, of base64.
Normalizer read_precompiled(const std::string& base64, const std::string& path);

} // namespace heed::tokenizers
