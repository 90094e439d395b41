// What a tokenizer.json can be wrong in, each by name.
#include "catch.hpp"

#include "tokenizers/tokenizer.hpp"

using namespace heed;

namespace {

std::string why(const std::string& json) {
    const auto read = tokenizers::read_tokenizer(json, "file");
    return read ? "" : describe(read.error());
}

std::string with(const std::string& parts, const std::string& model) {
    return R"({"version":"1.0","added_tokens":[],)" + parts + R"("model":)" + model + "}";
}

const std::string kWords = R"({"type":"WordLevel","vocab":{"a":0,"u":1},"unk_token":"u"})";

} // namespace

TEST_CASE("a tokenizer.json is refused by the name of what is wrong") {
    CHECK(why(with("", kWords)).empty());
    CHECK(why(with(R"("normalizer":{"type":"Magic"},)", kWords)) ==
          "file: normalizer: normalizer 'Magic' is not known to Heed");
    CHECK(why(with(R"("pre_tokenizer":{"type":"Magic"},)", kWords)) ==
          "file: pre_tokenizer: pre-tokenizer 'Magic' is not known to Heed");
    CHECK(why(with(R"("post_processor":{"type":"Magic"},)", kWords)) ==
          "file: post_processor: post-processor 'Magic' is not known to Heed");
    CHECK(why(with(R"("decoder":{"type":"Magic"},)", kWords)) ==
          "file: decoder: decoder 'Magic' is not known to Heed");
    CHECK(why(with("", R"({"type":"Magic","vocab":{}})")) ==
          "file: model: model 'Magic' is not known to Heed");
    CHECK(why(with(R"("normalizer":{"type":"NFC","also":1},)", kWords)) ==
          "file: normalizer: \"also\" is not known to Heed");
    CHECK(why("{") == "file: not JSON: line 1, column 1");
    CHECK(why("[]") == "file: tokenizer: expected an object, found array");
}

namespace {

std::string bpe_with(const std::string& fields) {
    return with("", R"({"type":"BPE",)" + fields + "}");
}

} // namespace

TEST_CASE("ids and types of a vocabulary are checked, and the token is named") {
    const auto words = [](const std::string& vocab) {
        return why(with("", R"({"type":"WordLevel","unk_token":"u","vocab":)" + vocab + "}"));
    };
    CHECK(words(R"({"a":-1})") == "file: model.vocab: 'a' has the id -1; expected 0 to 4194303");
    CHECK(words(R"({"a":99999999999999999999})").find("'a' has the id") != std::string::npos);
    CHECK(words(R"({"a":4294967296})").find("'a' has the id 4294967296") != std::string::npos);
    CHECK(words(R"({"a":1.5})") == "file: model.vocab: 'a' has the id 1.5");
    CHECK(words(R"({"a":0,"b":0})") == "file: model.vocab: 'a' and 'b' have the same id 0");
    CHECK(words(R"({"a":0,"a":1})") == "file: model.vocab: 'a' is there twice");
    CHECK(words(R"({"a":"0"})").find("found a string") != std::string::npos);
    CHECK(words(R"({"a":{}})").find("found an object") != std::string::npos);
    CHECK(words("null").find("found null") != std::string::npos);
    CHECK(words(R"([["a"]])").find("found the end") != std::string::npos);
    CHECK(words(R"([[1,"a"]])").find("found a number") != std::string::npos);
}

TEST_CASE("merges are checked, and the token that is missing is named") {
    CHECK(why(bpe_with(R"("vocab":{"a":0,"b":1,"ab":2},"merges":["a b"])")).empty());
    CHECK(why(bpe_with(R"("vocab":{"a":0,"b":1},"merges":["a b"])")) ==
          "file: model.merges[0]: 'ab' is not in the vocabulary");
    CHECK(why(bpe_with(R"("vocab":{"a":0},"merges":["a"])")) ==
          "file: model.merges: 'a' is not two tokens with a space between");
    CHECK(why(bpe_with(R"("vocab":{"a":0},"merges":[["a"]])")).find("model.merges") !=
          std::string::npos);
    CHECK(why(bpe_with(R"("vocab":{"a":0})")) == "file: model: lacks \"merges\"");
    CHECK(why(bpe_with(R"("dropout":0.1,"vocab":{"a":0},"merges":[])")).find("dropout") !=
          std::string::npos);
    std::string many;
    for (int i = 0; i <= 1 << 20; ++i) many += i > 0 ? ",\"a a\"" : "\"a a\"";
    CHECK(why(bpe_with(R"("vocab":{"a":0,"aa":1},"merges":[)" + many + "]")) ==
          "file: model.merges: has more than 1048576 merges, and no more are read");
}

TEST_CASE("a pattern that explodes is stopped and named") {
    const std::string json = with(
        R"("pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a|a|aa|b+)+(x+x+)+y$|(a+)+$"},)"
        R"("behavior":"Isolated","invert":false},)",
        kWords);
    const auto read = tokenizers::read_tokenizer(json, "file");
    INFO((read ? std::string() : describe(read.error())));
    REQUIRE(read);
    const auto pieces =
        (*read)->try_encode(std::string(40000, 'a') + "!", true, tokenizers::Tokenizer::kUnlimited);
    REQUIRE_FALSE(pieces);
    CHECK(pieces.error().message.find("takes too long") != std::string::npos);
    CHECK(pieces.error().message.find("(a|a|aa|b+)+") != std::string::npos);
    CHECK_THROWS((*read)->encode(std::string(40000, 'a') + "!", true));
}

TEST_CASE("tokens whose decoder takes too long are said as they stand") {
    const std::string word = std::string(1000, 'a') + "!";
    const auto read = tokenizers::read_tokenizer(
        with(R"("decoder":{"type":"Replace","pattern":{"Regex":"(a|a|aa|b+)+(x+x+)+y$|(a+)+$"},)"
             R"("content":""},)",
             R"({"type":"WordLevel","vocab":{")" + word + R"(":0,"u":1},"unk_token":"u"})"),
        "file");
    INFO((read ? std::string() : describe(read.error())));
    REQUIRE(read);
    const int ids[] = {1, 0};
    CHECK(((*read)->decode(ids, false) == "u" + word)); // in brackets: its 1 000 letters say little
}

TEST_CASE("a pattern that is wrong, or read otherwise elsewhere, is refused by name") {
    const auto split = [](const std::string& pattern) {
        return why(with(R"("pre_tokenizer":{"type":"Split","pattern":{"Regex":")" + pattern +
                            R"("},"behavior":"Isolated","invert":false},)",
                        kWords));
    };
    CHECK(split("(a").find("'(a' is not understood") != std::string::npos);
    CHECK(split("[a&&b]").find("'&&' in brackets") != std::string::npos);
    CHECK(split("a{1,2}+").find("'+' behind a count") != std::string::npos);
    CHECK(split("").find("is an empty pattern") != std::string::npos);
    CHECK(split("(?i:'s)|\\\\s+(?!\\\\S)").empty());
}

TEST_CASE("deep nesting is refused") {
    std::string deep, close;
    for (int i = 0; i < 100000; ++i) {
        deep += R"({"type":"Sequence","normalizers":[)";
        close += "]}";
    }
    CHECK(why(with("\"normalizer\":" + deep + close + ",", kWords)) ==
          "file: is nested deeper than 64 levels");
}

namespace {

/// What a normalizer of these rules says of a text.
std::string why_of_rules(const std::string& rules, const std::string& text) {
    const auto read = tokenizers::read_tokenizer(
        with(R"("normalizer":{"type":"Sequence","normalizers":[)" + rules + "]},", kWords), "file");
    if (!read) return describe(read.error());
    const auto pieces = (*read)->try_encode(text, true, tokenizers::Tokenizer::kUnlimited);
    return pieces ? "" : describe(pieces.error());
}

std::string repeated(const std::string& words, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += (i > 0 ? "," : "") + words;
    return all;
}

} // namespace

TEST_CASE("rules that write a text longer and longer are stopped") {
    const std::string longer = R"({"type":"Replace","pattern":{"String":"a"},"content":")" +
                               std::string(1000, 'a') + "\"}";
    const std::string longer_still =
        R"({"type":"Replace","pattern":{"Regex":"a"},"content":")" + std::string(1000, 'a') + "\"}";
    const std::string before = R"({"type":"Prepend","prepend":")" + std::string(3000, 'a') + "\"}";
    CHECK(why_of_rules(longer, "a").empty());
    for (const std::string& rule : {longer, longer_still, before}) {
        CAPTURE(rule.substr(0, 40));
        CHECK(why_of_rules(repeated(rule, 4), "aaa").find("Heed stops there") !=
              std::string::npos);
    }
    // What a text legitimately grows to: one character written out, and as bytes.
    std::string written_out;
    for (int i = 0; i < 2000; ++i) written_out += "ﷺ";
    CHECK(why_of_rules(R"({"type":"NFKD"},{"type":"ByteLevel"},)"
                       R"({"type":"Replace","pattern":{"String":"Ġ"},"content":"▁"})",
                       written_out)
              .empty());
    CHECK(
        why(with(R"("normalizer":{"type":"Prepend","prepend":")" + std::string(70000, 'a') + "\"},",
                 kWords)) ==
        "file: normalizer.prepend: has 70000 bytes; a text of at most 65536 is read");
}

TEST_CASE("a decoder that writes longer and longer leaves the tokens as they are") {
    const std::string longer = R"({"type":"Replace","pattern":{"String":"a"},"content":")" +
                               std::string(1000, 'a') + "\"}";
    const auto read = tokenizers::read_tokenizer(
        with(R"("decoder":{"type":"Sequence","decoders":[)" + repeated(longer, 5) + "]},", kWords),
        "file");
    REQUIRE(read);
    CHECK((*read)->decode(std::vector<int>{0}, true).size() < 100);
}

TEST_CASE("more regular expressions than any tokeniser has are refused") {
    const auto splits = [](int count) {
        const std::string one = R"({"type":"Split","pattern":{"Regex":"a"},"behavior":"Isolated",)"
                                R"("invert":false})";
        return why(with(R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[)" +
                            repeated(one, count) + "]},",
                        kWords));
    };
    CHECK(splits(64).empty());
    CHECK(splits(65).find("has 65 regular expressions; at most 64 are read") != std::string::npos);
}

TEST_CASE("tokens that would fill the memory are refused by name") {
    const std::string token(9000, 'x');
    CHECK(why(with("", R"({"type":"WordLevel","vocab":{")" + token +
                           R"(":0,"u":1},"unk_token":"u"})")) ==
          "file: vocabulary: has a token of 9000 bytes; tokens of at most 1024 bytes are read");
    const auto around = [](const std::string& tokens, const std::string& ids, int times) {
        return why(with(R"("post_processor":{"type":"TemplateProcessing","single":[)" +
                            repeated(R"({"SpecialToken":{"id":"s","type_id":0}})", times) +
                            R"(,{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"s":)"
                            R"({"id":"s","ids":[)" +
                            ids + "],\"tokens\":[" + tokens + "]}}},",
                        kWords));
    };
    CHECK(around("\"a\"", "0", 1000).empty());
    CHECK(around("\"a\"", "0", 1025).find("at most 1024 are set") != std::string::npos);
    CHECK(around(repeated("\"a\"", 40), repeated("0", 40), 40).find("at most 1024") !=
          std::string::npos);
    CHECK(around("\"" + token + "\"", "0", 1).find("has 9000 bytes") != std::string::npos);
    std::string added;
    for (int i = 0; i < 1100; ++i) {
        added += (i > 0 ? "," : "") +
                 (R"({"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,)"
                  R"("special":true,"id":)" +
                  std::to_string(10 + i) + ",\"content\":\"" + std::to_string(1000 + i) +
                  std::string(1000, 'y') + "\"}");
    }
    CHECK(why(R"({"version":"1.0","added_tokens":[)" + added + R"(],"model":)" + kWords + "}")
              .find("added_tokens: have more than 1048576 bytes") != std::string::npos);
}
