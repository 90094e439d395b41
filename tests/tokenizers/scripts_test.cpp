// Where UnicodeScripts of tokenizers 0.22.2 cuts, and folders that a tokenizer.json is opened in.
#include "app/temporary_folder.hpp"
#include "tokenizers/expected.hpp"

#include <filesystem>

using namespace heed;

namespace {

std::vector<std::size_t> ends_of_scripts(const std::string& text) {
    const auto read = tokenizers::read_tokenizer(
        R"({"pre_tokenizer":{"type":"UnicodeScripts"},)"
        R"("model":{"type":"WordLevel","vocab":{"u":0},"unk_token":"u"}})",
        "file");
    INFO((read ? std::string() : describe(read.error())));
    REQUIRE(read);
    std::vector<std::size_t> ends;
    for (const auto& piece : (*read)->encode(text, true)) ends.push_back(piece.end);
    return ends;
}

} // namespace

TEST_CASE("the Armenian full stop and the Arabic letter mark are of no script of their own") {
    using Ends = std::vector<std::size_t>;
    CHECK(ends_of_scripts("ա\u0589") == Ends{2, 4});
    CHECK(ends_of_scripts("\u0589,") == Ends{3});
    CHECK(ends_of_scripts("ب\u061C") == Ends{2, 4});
    CHECK(ends_of_scripts("\u061C,") == Ends{3});
    CHECK(ends_of_scripts("աբ") == Ends{4});
}

TEST_CASE("a folder, its tokenizer.json and a GGUF file with the same tokens give the same ids") {
    const TemporaryFolder folder;
    std::filesystem::copy_file(test::data_file("gpt2.json"), folder / "tokenizer.json");
    const auto file = tokenizers::open_tokenizer(test::data_file("gpt2.json"));
    const auto whole = tokenizers::open_tokenizer(folder.path());
    const auto gguf = tokenizers::open_tokenizer(test::data_file("gguf/gpt2.gguf"));
    REQUIRE(file);
    REQUIRE(whole);
    REQUIRE(gguf);
    for (const char* text : {"The cat's 12 mice", "", " naïve 中\n"}) {
        CAPTURE(text);
        const std::string ids = test::ids_of((*file)->encode(text, true));
        CHECK(test::ids_of((*whole)->encode(text, true)) == ids);
        CHECK(test::ids_of((*gguf)->encode(text, true)) == ids);
    }
}
