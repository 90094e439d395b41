// Files that are larger than any real one: refused before they take time or memory, with the name
// of the file, what is read and, where it is known, what was found.
#include "app/temporary_folder.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "counted_memory.hpp"
#include "refusals.hpp"
#include "tokenizers/tokenizer.hpp"

#include <filesystem>
#include <fstream>

using namespace heed;
namespace fs = std::filesystem;
using test::filled, test::says;

namespace {

constexpr std::size_t kMost = 100'000'000; // bytes at once
constexpr int kMillion = 1 << 20;

struct FilesOfTokenizer {
    TemporaryFolder folder;
    FilesOfTokenizer() {
        fs::create_directories(folder / "");
        write("vocab.txt", "[UNK]\n[CLS]\n[SEP]\na\n");
    }
    void write(const char* name, const std::string& bytes) const {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
    /// A file of zeros that takes no room on the disk.
    void write_zeros(const char* name, std::uintmax_t size) const {
        write(name, "");
        fs::resize_file(folder / name, size);
    }
    std::string refusal() const {
        const auto opened = tokenizers::open_tokenizer(folder / "");
        return opened ? "" : describe(opened.error());
    }
};

/// What reading says, in bounded memory.
std::string refusal_of(const std::string& json) {
    std::string found;
    const auto memory = test::memory_of([&] {
        const auto read = tokenizers::read_tokenizer(json, "file");
        if (!read) found = describe(read.error());
    });
    INFO(memory);
    CHECK(memory + json.size() < kMost);
    return found;
}

} // namespace

TEST_CASE("settings of a tokeniser that no model has so large are refused unread") {
    const struct {
        const char* name;
        const char* most;
    } kFiles[] = {{"tokenizer_config.json", "3 MB"}, {"special_tokens_map.json", "1 MB"}};
    for (const auto& [name, most] : kFiles) {
        const FilesOfTokenizer files;
        files.write_zeros(name, 60 << 20);
        std::string found;
        const auto memory = test::memory_of([&] { found = files.refusal(); });
        CHECK(says(found, std::string(name) + ": is 60 MB; at most " + most + " are read"));
        CHECK(memory < 1'000'000);
    }
    const FilesOfTokenizer files;
    files.write_zeros("tokenizer.json", std::uintmax_t{200} << 20);
    CHECK(says(files.refusal(), "tokenizer.json: is 200 MB; at most 48 MB are read"));
}

TEST_CASE("settings at their limit take less than 100 MB") {
    for (const char* piece : {"[],", "[0],", "{},", "0,", R"({"":0},)", R"("",)"}) {
        CAPTURE(piece);
        const FilesOfTokenizer files;
        files.write("tokenizer_config.json", R"({"a":[)" + filled(piece, (3 << 20) - 64) + "0]}");
        files.write("special_tokens_map.json", R"({"a":[)" + filled(piece, (1 << 20) - 64) + "0]}");
        const auto memory = test::memory_of([&] { CHECK(files.refusal().empty()); });
        INFO(memory);
        CHECK(memory < kMost);
    }
}

TEST_CASE("what a tokenizer.json holds beside its tables is limited while it is read") {
    const auto with = [](const std::string& more) {
        return R"({"version":"1.0","more":)" + more +
               R"(,"model":{"type":"WordLevel","vocab":{"u":0},"unk_token":"u"}})";
    };
    constexpr std::size_t kBytes = 40 << 20;
    for (const char* piece : {"0,", "[],", R"({"":0},)"}) {
        CAPTURE(piece);
        CHECK(says(refusal_of(with("[" + filled(piece, kBytes) + "0]")),
                   "file: has more than 524288 values beside its vocabulary and merges"));
    }
    const std::string text = "\"" + std::string(70'000, 'x') + "\",";
    CHECK(says(refusal_of(with("[" + filled(text, kBytes) + "0]")),
               "file: has more than 8 MB of text beside its vocabulary and merges"));
    CHECK(says(refusal_of(with("[" + filled("0,", 1'000'000) + "0]")), "\"more\" is not known"));
}

TEST_CASE("a vocabulary of more tokens than any model has is refused") {
    std::string tokens, lines = "[UNK]\n[CLS]\n[SEP]\n";
    for (int i = 0; i <= kMillion; ++i) {
        const std::string number = std::to_string(i);
        tokens += (i > 0 ? ",\"" : "\"") + number + "\":" + number;
        lines += number + "\n";
    }
    CHECK(says(
        refusal_of(R"({"model":{"type":"WordLevel","unk_token":"0","vocab":{)" + tokens + "}}}"),
        "file: model.vocab: has more than 1048576 tokens, and no more are read"));
    const FilesOfTokenizer files;
    files.write("vocab.txt", lines);
    CHECK(says(files.refusal(), "vocab.txt: has more than 1048576 tokens, and no more are read"));
    files.write("vocab.json", "{" + tokens + "}");
    files.write("merges.txt", "");
    CHECK(says(files.refusal(), "vocab.json: the vocabulary: has more than 1048576 tokens"));
    std::string pieces;
    for (int i = 0; i <= kMillion; ++i) {
        const std::string words = std::to_string(i);
        const auto size = static_cast<char>(words.size());
        pieces += std::string("\x0A") + static_cast<char>(size + 2) + "\x0A" + size + words;
    }
    files.write("x.model", pieces);
    const auto opened = tokenizers::open_tokenizer(files.folder / "x.model");
    REQUIRE_FALSE(opened);
    CHECK(says(describe(opened.error()), "x.model: has more than 1048576 pieces"));
}

TEST_CASE("merges.txt of more merges than any model has is refused") {
    const FilesOfTokenizer files;
    files.write("vocab.json", R"({"a":0,"aa":1})");
    files.write("merges.txt", filled("a a\n", 4 * (std::size_t{kMillion} + 1)));
    CHECK(says(files.refusal(), "merges.txt: has more than 1048576 merges, and no more are read"));
}

TEST_CASE("files of a tokeniser that are links out of its folder are refused") {
    const FilesOfTokenizer files, others;
    others.write("tokenizer_config.json", "{}");
    for (const char* name : {"tokenizer_config.json", "vocab.txt"}) {
        fs::remove(files.folder / name);
        fs::create_symlink(others.folder / name, files.folder / name);
        CHECK(says(files.refusal(), std::string(name) + ": is a link out of its folder"));
        fs::remove(files.folder / name);
    }
}

namespace {

std::shared_ptr<const tokenizers::Tokenizer> wordpiece(const std::string& vocab,
                                                       const std::string& most) {
    const auto read = tokenizers::read_tokenizer(
        R"({"model":{"type":"WordPiece","unk_token":"u","continuing_subword_prefix":"##",)"
        R"("max_input_chars_per_word":)" +
            most + R"(,"vocab":)" + vocab + "}}",
        "file");
    INFO((read ? std::string() : describe(read.error())));
    REQUIRE(read);
    return *read;
}

} // namespace

TEST_CASE("a word of WordPiece is gone through once for each of its tokens, and no more") {
    // Each byte of the word could begin one token of 1 000, or another that parts from it at the
    // end.
    const std::string long_one(1000, 'a');
    const auto tokenizer =
        wordpiece(R"({"u":0,"a":1,"##a":2,"##)" + long_one + R"(b":3,"##)" + long_one + R"(c":4})",
                  "10000000");
    const std::string word(5000, 'a');
    const auto pieces = tokenizer->try_encode(word, true, tokenizers::Tokenizer::kUnlimited);
    REQUIRE(pieces);
    REQUIRE(pieces->size() == word.size());
    CHECK(pieces->front().id == 1);
    CHECK(pieces->back().id == 2);
    const auto longer =
        tokenizer->try_encode(std::string(60'000, 'a'), true, tokenizers::Tokenizer::kUnlimited);
    REQUIRE_FALSE(longer);
    CHECK(says(describe(longer.error()), "a word of 60000 bytes takes too long to cut"));
}

TEST_CASE("many long words of WordPiece take no longer together than one may") {
    const std::string long_one(1000, 'a');
    const std::string vocab = R"({"u":0,"a":1,"##a":2,"##)" + long_one + R"(b":3})";
    const auto read = tokenizers::read_tokenizer(
        R"({"pre_tokenizer":{"type":"WhitespaceSplit"},"model":{"type":"WordPiece",)"
        R"("unk_token":"u","continuing_subword_prefix":"##","max_input_chars_per_word":10000,)"
        R"("vocab":)" +
            vocab + "}}",
        "file");
    REQUIRE(read);
    std::string text;
    for (int i = 0; i < 40; ++i) text += std::string(5000, 'a') + " ";
    const auto pieces = (*read)->try_encode(text, true, tokenizers::Tokenizer::kUnlimited);
    REQUIRE_FALSE(pieces);
    CHECK(says(describe(pieces.error()), "takes too long to cut"));
}

TEST_CASE("WordPiece takes the longest token at each place, whatever stands beside it") {
    const auto tokenizer = wordpiece(
        R"({"u":0,"ab":1,"abcd":2,"##c":3,"##ce":4,"##":5,"#":6,"##é":7,"##éx":8,"abd":9})", "100");
    const auto ids = [&](const std::string& word) {
        std::vector<int> found;
        for (const auto& piece : tokenizer->encode(word, true)) found.push_back(piece.id);
        return found;
    };
    CHECK(ids("abcd") == std::vector<int>{2});
    CHECK(ids("abce") == std::vector<int>{1, 4});
    CHECK(ids("abcc") == std::vector<int>{1, 3, 3});
    CHECK(ids("abdé") == std::vector<int>{9, 7});
    CHECK(ids("abééx") == std::vector<int>{1, 7, 8});
    CHECK(ids("abcx") == std::vector<int>{0});
    CHECK(ids("##") == std::vector<int>{5});
    CHECK(ids("b") == std::vector<int>{0});
}
