// Tokenisers inside GGUF files against those that they were written from, which the other tests of
// this folder hold to their libraries (tests/reference/make_gguf.py).
#include "tokenizers/expected.hpp"
#include "tokenizers/gguf_tokenizer.hpp"

#include <filesystem>
#include <unistd.h>

using namespace heed;

namespace {

using Opened = std::shared_ptr<const tokenizers::Tokenizer>;

Opened gguf_opened(const std::string& path) {
    const auto tokenizer = tokenizers::open_tokenizer(path);
    INFO((tokenizer ? std::string() : describe(tokenizer.error())));
    REQUIRE(tokenizer);
    return *tokenizer;
}

std::string gguf_bytes(const std::string& name) {
    auto bytes = base::read_file(test::data_file("gguf/" + name + ".gguf"), 1 << 20);
    REQUIRE(bytes);
    return *bytes;
}

base::Result<Opened> opened_bytes(const std::string& bytes) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("heed_tokenizer." + std::to_string(::getpid()) + ".gguf");
    REQUIRE(base::write_file_atomic(path.string(), bytes));
    auto tokenizer = tokenizers::open_tokenizer(path.string());
    std::filesystem::remove(path);
    return tokenizer;
}

std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    const auto at = bytes.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    REQUIRE(from.size() == to.size());
    return bytes.replace(at, from.size(), to);
}

std::string refusal(const std::string& bytes) {
    const auto tokenizer = opened_bytes(bytes);
    REQUIRE_FALSE(tokenizer);
    return describe(tokenizer.error());
}

bool has(const std::string& text, const std::string& part) {
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

/// "wholeword" is a word of its own there alone: GGUF has no place to say so.
void check_same(const tokenizers::Tokenizer& found, const tokenizers::Tokenizer& original) {
    std::size_t lines = 0;
    CHECK(found.size() == original.size());
    for (const std::string& text : test::hard_lines()) {
        if (text.find("wholeword") != std::string::npos) continue;
        CAPTURE(text);
        CHECK(test::outcome(found, text) == test::outcome(original, text));
        ++lines;
    }
    CHECK(lines >= 590);
}

/// gpt2.json with another pre-tokenizer.
Opened gpt2_cut_by(tensors::Json pre_tokenizer) {
    const auto bytes = base::read_file(test::data_file("gpt2.json"), 1 << 20);
    REQUIRE(bytes);
    auto json = tensors::parse_json(*bytes, "gpt2.json");
    REQUIRE(json);
    (*json)["pre_tokenizer"] = std::move(pre_tokenizer);
    auto tokenizer = tokenizers::read_tokenizer(tensors::dump_json(*json), "edited");
    REQUIRE(tokenizer);
    return *tokenizer;
}

template <class T> std::string raw(T number) {
    return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string text(const std::string& words) { return raw(std::uint64_t{words.size()}) + words; }
std::string list(std::uint32_t type, const std::vector<std::string>& items) {
    std::string all = raw(std::uint32_t{9}) + raw(type) + raw(std::uint64_t{items.size()});
    for (const auto& item : items) all += item;
    return all;
}

/// A file whose tokens have these types, all with the same score.
std::string forged(const std::vector<std::string>& tokens, const std::vector<int>& types,
                   std::size_t scores) {
    std::vector<std::string> texts, numbers;
    for (const auto& token : tokens) texts.push_back(text(token));
    for (const int type : types) numbers.push_back(raw(std::int32_t{type}));
    const std::string before = "tokenizer.ggml.";
    return "GGUF" + raw(std::uint32_t{3}) + raw(std::uint64_t{0}) + raw(std::uint64_t{4}) +
           text(before + "model") + raw(std::uint32_t{8}) + text("llama") +
           text(before + "tokens") + list(8, texts) + text(before + "token_type") +
           list(5, numbers) + text(before + "scores") +
           list(6, std::vector<std::string>(scores, raw(0.5f)));
}

} // namespace

TEST_CASE("merges of bytes in a GGUF file give the ids of the tokeniser that they are of",
          "[gguf]") {
    for (const char* name : {"gpt2", "llama3", "qwen2", "gpt4o"}) {
        CAPTURE(name);
        const Opened found = gguf_opened(test::data_file(std::string("gguf/") + name + ".gguf"));
        check_same(*found, *gguf_opened(test::data_file(std::string(name) + ".json")));
        CHECK(found->named().bos == 0);
    }
}

TEST_CASE("merges by scores in a GGUF file give what SentencePiece gives", "[gguf]") {
    const Opened found = gguf_opened(test::data_file("gguf/old_llama.gguf"));
    test::check_expected(*found, "old_llama");
    CHECK(found->named().bos == 1);
    CHECK(found->named().eos == 2);
    CHECK(found->named().unk == 0);
    CHECK(found->is_special(1));
    REQUIRE(found->id("▁"));
    CHECK(found->shown(*found->id("▁")) == " ");
}

TEST_CASE("a GGUF file that names other words cuts them so", "[gguf]") {
    const auto bytes = gguf_bytes("gpt2");
    const std::string pre("\5\0\0\0\0\0\0\0gpt-2", 13);
    const auto phi = opened_bytes(replaced(bytes, pre, std::string("\5\0\0\0\0\0\0\0phi-2", 13)));
    REQUIRE(phi);
    check_same(**phi, *gguf_opened(test::data_file("gpt2.json")));
    const tensors::Json level = {{"type", "ByteLevel"},
                                 {"add_prefix_space", false},
                                 {"trim_offsets", true},
                                 {"use_regex", true}};
    const tensors::Json digits = {{"type", "Digits"}, {"individual_digits", true}};
    auto longer = bytes; // and a byte less of what fills it up
    longer.replace(longer.find(pre), pre.size(), std::string("\6\0\0\0\0\0\0\0smollm", 14));
    longer.pop_back();
    const auto smollm = opened_bytes(longer);
    INFO((smollm ? std::string() : describe(smollm.error())));
    REQUIRE(smollm);
    check_same(**smollm, *gpt2_cut_by({{"type", "Sequence"}, {"pretokenizers", {digits, level}}}));
}

TEST_CASE("what a GGUF file wants around a text is told by its flags", "[gguf]") {
    auto bytes = gguf_bytes("old_llama");
    const std::string flag = std::string("add_bos_token\7\0\0\0", 17);
    const auto without = opened_bytes(replaced(bytes, flag + '\1', flag + '\0'));
    REQUIRE(without);
    CHECK((*without)->encode("the", true) == (*without)->encode("the", false));
    const auto with = opened_bytes(bytes);
    REQUIRE(with);
    CHECK((*with)->encode("the", true).front().id == 1);
}

TEST_CASE("a tokeniser of a GGUF file that Heed does not know is refused by its name", "[gguf]") {
    const auto gpt2 = gguf_bytes("gpt2"), llama = gguf_bytes("old_llama");
    CHECK(has(refusal(replaced(gpt2, "gpt-2", "viet9")),
              "tokenizer.ggml.pre: is 'viet9'; Heed knows gpt-2, phi-2, smollm, llama-bpe"));
    CHECK(has(refusal(replaced(gpt2, "tokenizer.ggml.pre", "tokenizer.ggml.prx")),
              "is missing, so that it is not told how words are cut"));
    const std::string model("\4\0\0\0\0\0\0\0gpt2", 12);
    CHECK(has(refusal(replaced(gpt2, model, std::string("\4\0\0\0\0\0\0\0bert", 12))),
              "tokenizer.ggml.model: is 'bert'; Heed knows llama and gpt2"));
    CHECK(has(refusal(replaced(gpt2, "tokenizer.ggml.model", "tokenizer.ggml.motel")),
              "tokenizer.ggml.model: is missing"));
    CHECK(has(refusal(replaced(gpt2, "tokenizer.ggml.merges", "tokenizer.ggml.verges")),
              "tokenizer.ggml.merges: is missing"));
    CHECK(has(refusal(replaced(gpt2, "tokenizer.ggml.tokens", "tokenizer.ggml.tokenz")),
              "tokenizer.ggml.tokens: is missing"));
    CHECK(has(refusal(replaced(llama, "tokenizer.ggml.scores", "tokenizer.ggml.stores")),
              "tokenizer.ggml.scores: is missing"));
    CHECK(has(refusal(replaced(llama, "tokenizer.ggml.token_type", "tokenizer.ggml.token_tape")),
              "none stands for the unknown"));
}

TEST_CASE("a broken tokeniser in a GGUF file is refused by its key", "[gguf]") {
    const auto gpt2 = gguf_bytes("gpt2"), llama = gguf_bytes("old_llama");
    CHECK(has(refusal(replaced(gpt2, "NEWTOKEN", "NEWTOKE\xFF")), "is not UTF-8"));
    const std::string one("\1\0\0\0\0\0\0\0", 8);
    CHECK(has(refusal(replaced(gpt2, one + "b", one + "a")),
              "tokenizer.ggml.tokens: 'a' is there twice"));
    CHECK(has(refusal(replaced(llama, one + "b", one + "a")), "'a' is there twice"));
    const std::string bos("bos_token_id\4\0\0\0", 16);
    CHECK(has(refusal(replaced(gpt2, bos + std::string(4, 0), bos + std::string(4, 1))),
              "tokenizer.ggml.bos_token_id: is 16843009, and there are 522 tokens"));
    const std::string flag = "tokenizer.ggml.add_bos_token";
    CHECK(has(refusal(replaced(llama, flag + std::string("\7\0\0\0", 4), flag + std::string(4, 0))),
              "tokenizer.ggml.add_bos_token: is of another type"));
    const auto path = test::data_file("gguf/gpt2.gguf");
    const auto file = tensors::GgufFile::open(path);
    REQUIRE(file);
    const auto* merges = file->header().find<std::vector<std::string>>("tokenizer.ggml.merges");
    REQUIRE(merges);
    for (const char* instead : {"_", "  "}) {
        std::string broken = merges->at(7);
        CAPTURE(broken);
        broken.replace(broken.find(' '), std::string_view(instead) == "_" ? 1 : 2, instead);
        CHECK(has(refusal(replaced(gpt2, merges->at(7), broken)),
                  "is not two tokens with a space between"));
    }
}

TEST_CASE("lists of a GGUF file's tokeniser that do not fit are refused", "[gguf]") {
    CHECK(opened_bytes(forged({"<unk>", "a", "<s>"}, {2, 1, 3}, 3)));
    CHECK(has(refusal(forged({"<unk>", "a", "<s>"}, {2, 1, 3}, 2)),
              "tokenizer.ggml.scores: has 2 numbers for 3 tokens"));
    CHECK(has(refusal(forged({"<unk>", "a", "<s>"}, {2, 1}, 3)),
              "tokenizer.ggml.token_type: has 2 numbers for 3 tokens"));
    CHECK(has(refusal(forged({}, {}, 0)), "tokenizer.ggml.tokens: is missing"));
    CHECK(has(refusal(forged({"<unk>", std::string(2 << 20, 'x')}, {2, 4}, 2)),
              "makes 2097157 bytes of tokens special; at most 1048576 are read"));
}
