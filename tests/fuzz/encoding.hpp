// What a tokeniser that was accepted does with any text: pieces that lie within it.
#pragma once

#include "base/check.hpp"
#include "tokenizers/tokenizer.hpp"

#include <string>
#include <vector>

namespace heed::fuzz {

inline void encode_and_decode(const tokenizers::Tokenizer& tokenizer) {
    for (const std::string& text : {std::string(), std::string("The cat's 12\n<s> \xE4\xB8\xAD"),
                                    std::string("\xF0\x9F\x98\x80 e\xCC\x81\xFF x  y")}) {
        const auto pieces = tokenizer.try_encode(text, true, 64);
        if (!pieces) continue;
        HEED_CHECK(pieces->size() <= 64, "{} pieces", pieces->size());
        std::vector<int> ids;
        for (const auto& piece : *pieces) {
            HEED_CHECK(piece.begin <= piece.end && piece.end <= text.size(), "{} to {}",
                       piece.begin, piece.end);
            static_cast<void>(tokenizer.shown(piece.id));
            ids.push_back(piece.id);
        }
        static_cast<void>(tokenizer.decode(ids, true));
    }
}

} // namespace heed::fuzz
