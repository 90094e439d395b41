#include "text/known_words.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace heed::text;

namespace {

const Vocabulary kChinese({"我", "昨天", "吃", "了", "一个", "苹果", "一", "人", "个人", "个"}, 1);

/// "我|吃|?了", with a question mark before what is unknown.
std::string cut(const std::string& sentence, const Vocabulary& v = kChinese,
                Segmentation segmentation = Segmentation::words) {
    std::string result;
    for (const Token& token : tokenize(sentence, segmentation, v)) {
        CHECK(sentence.substr(token.begin, token.end - token.begin) == token.text);
        CHECK(token.known == v.knows(token.text));
        result += (result.empty() ? "" : "|") + std::string(token.known ? "" : "?") + token.text;
    }
    return result;
}

} // namespace

TEST_CASE("a sentence without white space is cut into the words of its reader") {
    CHECK(cut("我昨天吃了一个苹果") == "我|昨天|吃|了|一个|苹果");
    CHECK(cut("我 昨天 吃 了 一个 苹果") == "我|昨天|吃|了|一个|苹果");
    CHECK(cut("我昨天 吃了一个苹果") == "我|昨天|吃|了|一个|苹果");
    // Fewest words: 一|个人 and 一个|人 have two each, and the longer first one is taken.
    CHECK(cut("一个人") == "一个|人");
}

TEST_CASE("what a reader does not know is told, and is not cut to pieces") {
    CHECK(cut("我昨天吃了香蕉") == "我|昨天|吃|了|?香蕉");
    CHECK(cut("xyzzy 苹果 🍎") == "?xyzzy|苹果|?🍎");
    CHECK(cut("我 王人明 苹果") == "我|?王人明|苹果"); // a name, set apart
    CHECK(cut("") == "");
    CHECK(cut("。。。") == "?。|?。"); // the last one ends the sentence
    const Vocabulary english({"the", "cat"}, 1);
    CHECK(cut("The cat sat", english) == "The|cat|?sat");
}

TEST_CASE("a full stop at the end that a reader does not know is not read") {
    CHECK(cut("我昨天吃了一个苹果。") == "我|昨天|吃|了|一个|苹果");
    CHECK(cut("苹果 . 苹果 .") == "苹果|?.|苹果");
    CHECK(cut(".") == "?.");
    CHECK(cut("cat.", Vocabulary({"cat", "."}, 1)) == "cat|.");
    CHECK(cut("cat?", Vocabulary({"cat"}, 1)) == "cat|??");
    CHECK(cut("3.", Vocabulary({"3"}, 1), Segmentation::characters) == "3|?.");
}

TEST_CASE("characters are never joined") {
    CHECK(cut("一个人", kChinese, Segmentation::characters) == "一|个|人");
}

TEST_CASE("any bytes can be read by a vocabulary, and very long texts") {
    const auto broken = tokenize("我\xff\xe6昨天\xe6", Segmentation::words, kChinese);
    REQUIRE_FALSE(broken.empty());
    CHECK(broken.front().known);
    std::string text;
    for (int i = 0; i < 20000; ++i) text += "我昨天吃了一个苹果";
    CHECK(tokenize(text, Segmentation::words, kChinese).size() == 120000);
}
