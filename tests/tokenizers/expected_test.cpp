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
