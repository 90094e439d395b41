#include "app/inside/word_row.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <vector>

namespace heed::app {

namespace {

using base::ErrorKind;
using base::fail;
using base::Result;
using num::Index;

Result<std::vector<Index>> token_rows(const tokenizers::Tokenizer& tokenizer,
                                      const std::string& word, const std::string& flag) {
    std::vector<Index> rows;
    std::string pieces;
    for (const std::string& text : {word, " " + word}) {
        const auto encoded = tokenizer.try_encode(text, false, tokenizers::Tokenizer::kUnlimited);
        if (!encoded) return tl::make_unexpected(encoded.error());
        if (encoded->size() == 1) {
            const Index row = encoded->front().id;
            if (rows.empty() || rows.front() != row) rows.push_back(row);
        } else if (pieces.empty()) {
            for (const tokenizers::Piece& piece : *encoded) pieces += " " + piece.token;
        }
    }
    if (!rows.empty()) return rows;
    return fail(ErrorKind::out_of_range, flag,
                fmt::format("'{}' is several tokens:{}; give one of them", word, pieces));
}

Result<Index> number_row(const models::Model& model, const std::string& word,
                         const std::string& flag) {
    Index row = -1;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, row);
    const Index rows = model.vocabulary_size();
    if (error == std::errc() && stop == end && row >= 0 && row < rows) return row;
    return fail(ErrorKind::out_of_range, flag,
                fmt::format("'{}' is no id; this model has no tokenizer, so give a number from 0 "
                            "to {}",
                            word, rows - 1));
}

} // namespace

Result<std::vector<Index>> word_rows(const models::Model& model, const std::string& word,
                                     const std::string& flag) {
    const auto& classes = model.classes();
    if (!classes.empty()) {
        const auto found = std::find(classes.begin(), classes.end(), word);
        if (found != classes.end()) return std::vector<Index>{found - classes.begin()};
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("'{}' is no class of this model", word));
    }
    if (const models::TextToIds* ids = model.text_to_ids()) {
        if (ids->tokenizers.target) return token_rows(*ids->tokenizers.target, word, flag);
        return number_row(model, word, flag).map([](Index row) { return std::vector{row}; });
    }
    const Index row = model.vocabulary_row(word);
    if (model.words() && model.vocabulary_word(row) != word) {
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("'{}' is not in the vocabulary of this model", word));
    }
    return std::vector<Index>{row};
}

std::string word_name(const models::Model& model, Index row) {
    const std::string word = model.answer(row);
    return word.empty() ? fmt::format("{}", row) : word;
}

std::string exact_word_name(const models::Model& model, Index row) {
    const models::TextToIds* ids = model.text_to_ids();
    std::string word = word_name(model, row);
    if (!ids || !ids->tokenizers.target) return word;
    const std::string piece = ids->tokenizers.target->token(static_cast<int>(row));
    return fmt::format("{} (id {}, “{}”)", word, row, piece);
}

} // namespace heed::app
