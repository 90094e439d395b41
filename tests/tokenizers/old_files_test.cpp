// SentencePiece models and the sets of files of before tokenizer.json.
#include "tokenizers/expected.hpp"

using namespace heed;

namespace {

std::shared_ptr<const tokenizers::Tokenizer> opened(const std::string& name) {
    const auto tokenizer = tokenizers::open_tokenizer(test::data_file(name));
    INFO((tokenizer ? std::string() : describe(tokenizer.error())));
    REQUIRE(tokenizer);
    return *tokenizer;
}

} // namespace

TEST_CASE("a SentencePiece model gives what SentencePiece gives") {
    for (const char* name : {"unigram", "kept", "suffix", "mapped", "bpe"}) {
        const std::string file = std::string(name) + ".model";
        test::check_expected(*opened(file), file);
    }
}

TEST_CASE("a folder with a SentencePiece model has the special tokens of its class") {
    for (const char* name : {"old_llama", "old_t5", "old_xlm_r"}) {
        test::check_expected(*opened(name), name);
    }
}

TEST_CASE("a folder of before tokenizer.json gives what its class gives") {
    for (const char* name :
         {"old_gpt2", "old_roberta", "old_qwen2", "old_bert", "old_bert_cased"}) {
        test::check_expected(*opened(name), name);
    }
}

TEST_CASE("a translator has a tokeniser for each side and ids of vocab.json") {
    const auto both = tokenizers::open_tokenizers(test::data_file("old_marian"));
    INFO((both ? std::string() : describe(both.error())));
    REQUIRE(both);
    test::check_expected(*both->source, "marian_source");
    test::check_expected(*both->target, "marian_target");
    const auto pieces = both->source->encode(">>fra<< cat", true);
    REQUIRE(!pieces.empty());
    CHECK(pieces.front().token == ">>fra<<");
    CHECK(pieces.front().end == 7);
    CHECK(pieces.back().id == 0);
}
