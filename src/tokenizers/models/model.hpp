// The model of a tokeniser, which turns one word into tokens.
#pragma once

#include "tokenizers/models/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::tokenizers {

struct Token {
    int id;
    std::string words;
    std::size_t begin, end; // bytes of the word
};

class Model {
  public:
    explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
    virtual ~Model() = default;

    /// Appends. `steps`: those of the text so far, counted where a file could make them many. May
    /// throw Refused.
    virtual void tokenize(std::string_view word, std::vector<Token>& out,
                          std::size_t& steps) const = 0;
    const Vocabulary& vocabulary() const { return vocabulary_; }
    /// The id of the token that stands for words which the vocabulary lacks; nothing where it has
    /// none.
    virtual std::optional<int> unknown_token() const { return std::nullopt; }

  protected:
    /// The id of a token that the file names as the unknown one. Throws Refused where it is none.
    int unknown_id(const std::string& token) const;
    Token token_of(int id, std::size_t begin, std::size_t end) const {
        return {id, std::string(vocabulary_.token(id)), begin, end};
    }

  private:
    Vocabulary vocabulary_;
};

} // namespace heed::tokenizers
