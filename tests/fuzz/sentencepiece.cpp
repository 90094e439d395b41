// SentencePiece models: what is accepted cuts any text to pieces of its vocabulary.
#include "tokenizers/sentencepiece.hpp"
#include "fuzz/target.hpp"
#include "tokenizers/text/refused.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = tokenizers::read_sentencepiece(fuzz::bytes_of(data, size), "input");
    if (!file) return 0;
    try {
        const auto tokenizer = tokenizers::make_tokenizer(
            tokenizers::sentencepiece_parts(*file, tokenizers::vocabulary_of(*file),
                                            [](int piece, std::string_view) { return piece; }));
        for (const char* text :
             {"", "The cat's 12\n<s> \xE4\xB8\xAD", "\xF0\x9F\x98\x80 e\xCC\x81 x  y"}) {
            const auto pieces = tokenizer->try_encode(text, true, 64);
            if (!pieces) continue;
            for (const auto& piece : *pieces) {
                HEED_CHECK(piece.begin <= piece.end && piece.end <= std::string_view(text).size(),
                           "{} to {}", piece.begin, piece.end);
                HEED_CHECK(piece.id >= 0 && piece.id < tokenizer->size(), "id {}", piece.id);
            }
        }
    } catch (const tokenizers::Refused&) {
    }
    return 0;
}
