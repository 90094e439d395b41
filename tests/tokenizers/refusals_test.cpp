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
