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
    CHECK(cut("。。。") == "?。"); // the others end the sentence
    const Vocabulary english({"the", "cat"}, 1);
    CHECK(cut("The cat sat", english) == "The|cat|?sat");
}

TEST_CASE("marks at the end that a reader does not know are not read") {
    CHECK(cut("我昨天吃了一个苹果。") == "我|昨天|吃|了|一个|苹果");
    CHECK(cut("我昨天吃了一个苹果，。！") == "我|昨天|吃|了|一个|苹果");
    CHECK(cut("苹果 . . . ! ？…") == "苹果");
    CHECK(cut("苹果 . 苹果 .") == "苹果|?.|苹果");
    CHECK(cut(".") == "?.");
    CHECK(cut("cat.", Vocabulary({"cat", "."}, 1)) == "cat|.");
    CHECK(cut("cat?", Vocabulary({"cat"}, 1)) == "cat");
    const Vocabulary asks({"cat", "?", ","}, 1);
    CHECK(cut("cat!!!", asks) == "cat");
    CHECK(cut("cat ?", asks) == "cat|?");
    CHECK(cut("cat??", asks) == "cat|?|?");
    CHECK(cut("cat?!?", asks) == "cat|?");
    CHECK(cut("cat!?", asks) == "cat|?");
    CHECK(cut("cat,", asks) == "cat|,"); // more is to come
    CHECK(cut("cat,!", asks) == "cat");
    CHECK(cut("cat! cat", asks) == "cat|?!|cat");
    CHECK(cut("3.", Vocabulary({"3"}, 1), Segmentation::characters) == "3|?.");
}

TEST_CASE("the marks that were left out are told") {
    const Vocabulary asks({"cat", "?", ","}, 1);
    const auto left_out = [&](const std::string& sentence) {
        return left_out_marks(sentence, tokenize(sentence, Segmentation::words, asks));
    };
    CHECK(left_out("cat!!! ") == "!!!");
    CHECK(left_out("cat,。！") == ",。！");
    CHECK(left_out("cat?!?") == "!?");
    CHECK(left_out("cat !?") == "!");
    CHECK(left_out("...") == "..");
    for (const char* whole : {"", ".", "cat", "cat?", "cat??", "cat,", "cat! cat"}) {
        INFO(whole);
        CHECK(left_out(whole).empty());
    }
    // The words behind the first tokens of a long text are another matter.
    CHECK(left_out_marks("cat cat.", tokenize("cat", Segmentation::words, asks)).empty());
}

TEST_CASE("a reader of letters reads words letter by letter") {
    const Vocabulary letters({"a", "b", "c"}, 1);
    CHECK(letters.of_characters());
    CHECK(cut("abcabc", letters) == "a|b|c|a|b|c");
    CHECK(cut("Ab c", letters) == "A|b|c");
    CHECK(cut("abéc!", letters) == "a|b|?é|c");
    CHECK_FALSE(Vocabulary({}, 1).of_characters());
}

TEST_CASE("an unknown word is not cut into letters that happen to be words") {
    const Vocabulary english({"a", "I", "cat"}, 1);
    CHECK_FALSE(english.of_characters());
    CHECK(cut("Ia aaa cat", english) == "?Ia|?aaa|cat");
    CHECK(cut("a cat I", english) == "a|cat|I");
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
