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

Result<Index> token_row(const tokenizers::Tokenizer& tokenizer, const std::string& word,
                        const std::string& flag) {
    std::string pieces;
    for (const std::string& text : {word, " " + word}) {
        const auto encoded = tokenizer.try_encode(text, false, tokenizers::Tokenizer::kUnlimited);
        if (!encoded) return tl::make_unexpected(encoded.error());
        if (encoded->size() == 1) return encoded->front().id;
        if (!pieces.empty()) continue;
        for (const tokenizers::Piece& piece : *encoded) pieces += " " + piece.token;
    }
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

Result<Index> word_row(const models::Model& model, const std::string& word,
                       const std::string& flag) {
    const auto& classes = model.classes();
    if (!classes.empty()) {
        const auto found = std::find(classes.begin(), classes.end(), word);
        if (found != classes.end()) return std::distance(classes.begin(), found);
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("'{}' is no class of this model", word));
    }
    if (const models::TextToIds* ids = model.text_to_ids()) {
        return ids->tokenizers.target ? token_row(*ids->tokenizers.target, word, flag)
                                      : number_row(model, word, flag);
    }
    const Index row = model.vocabulary_row(word);
    if (model.words() && model.vocabulary_word(row) != word) {
        return fail(ErrorKind::out_of_range, flag,
                    fmt::format("'{}' is not in the vocabulary of this model", word));
    }
    return row;
}

} // namespace heed::app
