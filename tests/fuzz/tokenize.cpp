// UTF-8 and tokenising: any bytes split into valid, ordered, visible tokens.
#include "base/utf8.hpp"
#include "fuzz/target.hpp"
#include "text/token.hpp"

#include <algorithm>
#include <string>

using namespace heed;

namespace {

void check_utf8(std::string_view sentence) {
    const std::string mended = base::to_valid_utf8(sentence);
    HEED_CHECK(base::is_valid_utf8(mended), "mended text is still broken");
    HEED_CHECK(base::count_code_points(mended) == base::count_code_points(sentence),
               "mending changed the number of characters");
    HEED_CHECK(!base::is_valid_utf8(sentence) || mended == sentence, "valid text was mended");
}

void check_tokens(std::string_view sentence, text::Segmentation segmentation) {
    constexpr std::size_t kAll = 1u << 30;
    const auto tokens = text::tokenize(sentence, segmentation, kAll);
    HEED_CHECK(text::count_tokens(sentence, segmentation) == tokens.size(),
               "counted other than split: {}", tokens.size());
    std::size_t end = 0;
    for (const text::Token& token : tokens) {
        HEED_CHECK(token.begin >= end && token.begin < token.end && token.end <= sentence.size(),
                   "token at {}…{} after {} of {}", token.begin, token.end, end, sentence.size());
        const auto piece = sentence.substr(token.begin, token.end - token.begin);
        HEED_CHECK(token.text == base::to_valid_utf8(piece),
                   "text is not what lies at its offsets");
        end = token.end;
    }
    const std::size_t half = tokens.size() / 2;
    const auto first = text::tokenize(sentence, segmentation, half);
    HEED_CHECK(first.size() == half && std::equal(first.begin(), first.end(), tokens.begin()),
               "the first {} tokens are others than those of all {}", half, tokens.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto sentence = fuzz::bytes_of(data, size);
    check_utf8(sentence);
    check_tokens(sentence, text::Segmentation::words);
    check_tokens(sentence, text::Segmentation::characters);
    return 0;
}
