// Files that end too early: every prefix of a small file of each format fails or succeeds, no more.
#include "app/temporary_folder.hpp"
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

namespace {

namespace fs = std::filesystem;

using Files = std::vector<std::pair<const char*, std::string>>;

/// Opens a folder of these files, and again with each of them cut behind each of its bytes.
void try_every_prefix(const Files& files) {
    const TemporaryFolder folder;
    const auto write = [&](const char* name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    };
    for (const auto& [name, bytes] : files) write(name, bytes);
    const auto whole = tokenizers::open_tokenizers(folder.path());
    INFO((whole ? std::string() : describe(whole.error())));
    REQUIRE(whole);
    for (const auto& [name, bytes] : files) {
        for (std::size_t size = bytes.size(); size-- > 0;) {
            fs::resize_file(folder / name, size);
            const auto opened = tokenizers::open_tokenizers(folder.path());
            if (!opened) {
                if (opened.error().subject.empty()) FAIL_CHECK(name << " of " << size << " bytes");
                continue;
            }
            try_all(*opened->source);
            try_all(*opened->target);
        }
        write(name, bytes);
    }
}

std::string small_model(const char* name) {
    const auto bytes = base::read_file(
        std::string(HEED_SOURCE_DIR "/tests/fuzz/corpus/sentencepiece/") + name, 4096);
    REQUIRE(bytes);
    return *bytes;
}

} // namespace

TEST_CASE("every prefix of the older files fails or can be used") {
    const std::string special = R"({"unk_token":{"content":"[UNK]"},"eos_token":"</s>"})";
    try_every_prefix(
        {{"vocab.json", R"({"<|endoftext|>":0,"c":1,"a":2,"t":3,"ca":4,"cat":5,"Ġ":6})"},
         {"merges.txt", "#version: 0.2\nc a\nca t\n"},
         {"tokenizer_config.json",
          R"({"tokenizer_class":"GPT2Tokenizer","add_prefix_space":true})"},
         {"special_tokens_map.json", special}});
    try_every_prefix({{"vocab.json", R"({"<s>":0,"</s>":1,"<unk>":2,"c":3,"a":4,"ca":5})"},
                      {"merges.txt", "c a\n"},
                      {"tokenizer_config.json", R"({"tokenizer_class":"RobertaTokenizer"})"}});
    try_every_prefix({{"vocab.txt", "[UNK]\n[CLS]\r\n[SEP]\nthe\ncat\n##s\n中\n"},
                      {"tokenizer_config.json",
                       R"({"do_lower_case":false,"added_tokens_decoder":{"0":{"content":"[UNK]",)"
                       R"("lstrip":false,"normalized":false,"rstrip":false,"single_word":false,)"
                       R"("special":true}}})"},
                      {"special_tokens_map.json", special}});
}

TEST_CASE("every prefix of a folder with a SentencePiece model fails or can be used") {
    for (const char* kind : {"T5", "XLMRoberta", "Albert", "Llama"}) {
        CAPTURE(kind);
        const std::string settings = std::string(R"({"tokenizer_class":")") + kind +
                                     (std::string(kind) == "Albert"
                                          ? R"(Tokenizer","cls_token":"<unk>","sep_token":"<unk>"})"
                                          : "Tokenizer\"}");
        try_every_prefix(
            {{"spiece.model", small_model("unigram")}, {"tokenizer_config.json", settings}});
    }
    try_every_prefix({{"tokenizer.model", small_model("bpe")}});
}

TEST_CASE("without a class of tokeniser a SentencePiece model is its model's") {
    const TemporaryFolder folder;
    const auto write = [&](const char* name, const std::string& bytes) {
        std::ofstream(folder / name, std::ios::binary) << bytes;
    };
    write("spiece.model", small_model("unigram"));
    write("config.json", R"({"model_type":"albert"})");
    write("special_tokens_map.json", R"({"cls_token":"<unk>","sep_token":"<unk>"})");
    const auto by_model = tokenizers::open_tokenizers(folder.path());
    REQUIRE(by_model);
    write("tokenizer_config.json", R"({"tokenizer_class":"AlbertTokenizer"})");
    const auto by_class = tokenizers::open_tokenizers(folder.path());
    REQUIRE(by_class);
    std::filesystem::remove(folder / "config.json");
    std::filesystem::remove(folder / "tokenizer_config.json");
    const auto neither = tokenizers::open_tokenizers(folder.path());
    REQUIRE(neither);
    const auto ids = [](const tokenizers::Tokenizers& of) {
        std::vector<int> found;
        for (const auto& piece : of.source->encode("The Cat", true)) found.push_back(piece.id);
        return found;
    };
    CHECK(ids(*by_model) == ids(*by_class));
    CHECK(ids(*neither) != ids(*by_class));
}

TEST_CASE("every prefix of a translator's files fails or can be used") {
    try_every_prefix({{"vocab.json", R"({"</s>":0,"<unk>":1,">>fra<<":2,"a":3,"▁":4,"<pad>":5})"},
                      {"source.spm", small_model("unigram")},
                      {"target.spm", small_model("bpe")}});
}

TEST_CASE("a folder without a tokeniser says what it lacks") {
    const auto opened = tokenizers::open_tokenizer(test::data_file(".."));
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == base::ErrorKind::not_found);
    CHECK(opened.error().message.find("vocab.txt") != std::string::npos);
}
