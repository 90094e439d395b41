#include "app/document/prepare_input.hpp"

#include "text/known_words.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace heed::app {

namespace {

std::vector<text::Token> cut(std::vector<text::Token> tokens, std::size_t& dropped) {
    if (tokens.size() > models::kMaxTokens) {
        dropped = tokens.size() - models::kMaxTokens;
        tokens.resize(models::kMaxTokens);
    }
    return tokens;
}

} // namespace

PreparedInput prepare_input(const Document& document, const text::Vocabulary* words) {
    // Every token is counted, so that the window can say how many it leaves out.
    const auto tokens = [&](const std::string& sentence) {
        constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
        return words ? text::tokenize(sentence, document.segmentation, *words)
                     : text::tokenize(sentence, document.segmentation, kAll);
    };
    PreparedInput prepared;
    prepared.input.pad_to = document.pad_to;
    prepared.input.decoding = document.decoding;
    prepared.input.source = cut(tokens(document.source), prepared.source_dropped);
    prepared.input.target = cut(tokens(document.target), prepared.target_dropped);
    return prepared;
}

} // namespace heed::app
