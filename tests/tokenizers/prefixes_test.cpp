// Files that end too early: every prefix of a small file of each format fails or succeeds, no more.
#include "tokenizers/expected.hpp"

#include "tokenizers/sentencepiece_file.hpp"

#include <filesystem>
#include <fstream>

using namespace heed;

namespace {

std::string bytes_of(const std::string& name) {
    const auto bytes = base::read_file(test::data_file(name), 1 << 22);
    REQUIRE(bytes);
    return *bytes;
}

void try_all(const tokenizers::Tokenizer& tokenizer) {
    for (const char* text : {"", "The cat's 12 <s>", "\xE4\xB8\xAD\xF0\x9F\x98\x80\xFF"}) {
        const auto pieces = tokenizer.try_encode(text, true, 100);
        std::vector<int> ids;
        if (pieces) {
            for (const auto& piece : *pieces) {
                CHECK(piece.begin <= piece.end);
                CHECK(piece.end <= std::string(text).size());
                ids.push_back(piece.id);
                tokenizer.shown(piece.id);
            }
        }
        tokenizer.decode(ids, true);
    }
}

} // namespace

TEST_CASE("every prefix of a tokenizer.json is refused") {
    for (const char* name : {"fixed_length.json", "metaspace_never.json"}) {
        const std::string bytes = bytes_of(name);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            const auto read =
                tokenizers::read_tokenizer(std::string_view(bytes).substr(0, size), "f");
            if (read) FAIL_CHECK(name << " of " << size << " bytes was read");
        }
    }
}

TEST_CASE("every prefix of a SentencePiece model fails or can be used") {
    const std::string folder = std::filesystem::temp_directory_path().string();
    for (const char* name : {"mapped.model", "bpe.model"}) {
        const std::string bytes = bytes_of(name);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            static_cast<void>(
                tokenizers::read_sentencepiece(std::string_view(bytes).substr(0, size), "f"));
            if (size % 97 != 0) continue;
            const std::string path = folder + "/heed_prefix.model";
            std::ofstream(path, std::ios::binary) << bytes.substr(0, size);
            const auto opened = tokenizers::open_tokenizer(path);
            if (opened) try_all(**opened);
            std::filesystem::remove(path);
        }
    }
}

TEST_CASE("every prefix of the older files fails or can be used") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "heed_prefixes_of_tokenizers";
    for (const char* set : {"old_gpt2", "old_bert"}) {
        fs::remove_all(folder);
        fs::copy(test::data_file(set), folder);
        for (const auto& entry : fs::directory_iterator(test::data_file(set))) {
            const std::string name = entry.path().filename().string();
            const std::string bytes = bytes_of(std::string(set) + "/" + name);
            const std::size_t step = std::max<std::size_t>(1, bytes.size() / 60);
            for (std::size_t size = 0; size <= bytes.size(); size += step) {
                std::ofstream(folder / name, std::ios::binary) << bytes.substr(0, size);
                const auto opened = tokenizers::open_tokenizer(folder.string());
                if (opened) try_all(**opened);
            }
            fs::copy_file(entry.path(), folder / name, fs::copy_options::overwrite_existing);
        }
    }
    fs::remove_all(folder);
}

TEST_CASE("a folder without a tokeniser says what it lacks") {
    const auto opened = tokenizers::open_tokenizer(test::data_file(".."));
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == base::ErrorKind::not_found);
    CHECK(opened.error().message.find("vocab.txt") != std::string::npos);
}
