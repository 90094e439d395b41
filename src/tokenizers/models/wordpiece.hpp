// WordPiece, which takes the longest token from the left, and models whose words are tokens.
#pragma once

#include "tokenizers/models/model.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace heed::tokenizers {

struct WordPieceRules {
    std::string unknown = "[UNK]", continuing_prefix = "##";
    std::size_t max_characters = 100; // a longer word is unknown
};

std::shared_ptr<const Model> make_wordpiece(Vocabulary vocabulary, WordPieceRules rules);
std::shared_ptr<const Model> make_word_level(Vocabulary vocabulary, std::string unknown);

} // namespace heed::tokenizers
