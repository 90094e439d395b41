#include "app/document/prepare_input.hpp"

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

PreparedInput prepare_input(const Document& document) {
    // Every token is counted, so that the window can say how many it leaves out.
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    PreparedInput prepared;
    prepared.input.pad_to = document.pad_to;
    prepared.input.decoding = document.decoding;
    prepared.input.source =
        cut(text::tokenize(document.source, document.segmentation, kAll), prepared.source_dropped);
    prepared.input.target =
        cut(text::tokenize(document.target, document.segmentation, kAll), prepared.target_dropped);
    return prepared;
}

} // namespace heed::app
