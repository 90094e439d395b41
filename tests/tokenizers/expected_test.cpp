// Ids, tokens, offsets and decoded words equal those of the tokenizers library.
#include "tokenizers/expected.hpp"

#include <filesystem>

using namespace heed;

TEST_CASE("every tokenizer.json gives what the tokenizers library gives for 600 hard lines") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::data_file(""))) {
        if (entry.path().extension() != ".json") continue;
        const auto tokenizer = tokenizers::open_tokenizer(entry.path().string());
        INFO((tokenizer ? std::string() : describe(tokenizer.error())));
        REQUIRE(tokenizer);
        test::check_expected(**tokenizer, entry.path().stem().string());
        ++files;
    }
    CHECK(files >= 32);
}

TEST_CASE("a token that goes on with a word is told by its spelling") {
    using tokenizers::open_tokenizer;
    const auto goes_on = [](const char* name, const char* token) {
        const auto tokenizer = open_tokenizer(test::data_file(name));
        REQUIRE(tokenizer);
        const auto id = (*tokenizer)->id(token);
        INFO(name << " " << token);
        REQUIRE(id);
        return (*tokenizer)->continues_word(*id);
    };
    CHECK(goes_on("bert.json", "##s"));
    CHECK_FALSE(goes_on("bert.json", "s"));
    CHECK_FALSE(goes_on("bert.json", "[MASK]"));
    CHECK(goes_on("gpt2.json", "s"));
    CHECK_FALSE(goes_on("gpt2.json", "\u0120s"));
    CHECK_FALSE(goes_on("gpt2.json", ",")); // stands at any word, and continues none
}
