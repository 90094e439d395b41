#include "text/token.hpp"

#include "base/utf8.hpp"

#include "catch.hpp"

#include <string>
#include <thread>
#include <vector>

using namespace heed::text;
using Texts = std::vector<std::string>;

namespace {

constexpr std::size_t kAll = 1u << 20;

Texts texts(std::string_view sentence, Segmentation segmentation, std::size_t max_tokens = kAll) {
    Texts result;
    for (const Token& token : tokenize(sentence, segmentation, max_tokens)) {
        result.push_back(token.text);
    }
    return result;
}
Texts words(std::string_view sentence) { return texts(sentence, Segmentation::words); }
Texts characters(std::string_view sentence) { return texts(sentence, Segmentation::characters); }

std::string repeated(const std::string& piece, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += piece;
    return result;
}

} // namespace

TEST_CASE("words and punctuation are tokens, white space is none") {
    CHECK(words("The cat sat on the mat.") == Texts{"The", "cat", "sat", "on", "the", "mat", "."});
    CHECK(words("  The\tdog\n chased\u00A0the\u3000cat  ") ==
          Texts{"The", "dog", "chased", "the", "cat"});
    CHECK(words("(a+b), \"c\"!?") ==
          Texts{"(", "a", "+", "b", ")", ",", "\"", "c", "\"", "!", "?"});
    CHECK(words("3.14 1,000") == Texts{"3.14", "1,000"});
}

TEST_CASE("Chinese is split into words by dictionary") {
    CHECK(words("我爱北京天安门") == Texts{"我", "爱", "北京", "天安门"});
    CHECK(words("南京市长江大桥") == Texts{"南京市", "长江", "大", "桥"});
    CHECK(words("注意力机制是深度学习中的一种技术。Transformer模型使用自注意力。") ==
          Texts{"注意力", "机制", "是", "深度", "学习", "中的", "一种", "技术", "。", "Transformer",
                "模型", "使用", "自", "注意力", "。"});
}

TEST_CASE("the examples split as their tables show them") {
    CHECK(words("我 昨天 吃 了 一个 苹果") == Texts{"我", "昨天", "吃", "了", "一个", "苹果"});
    CHECK(words("I ate an apple yesterday") == Texts{"I", "ate", "an", "apple", "yesterday"});
    CHECK(words("Tom chase Jerry") == Texts{"Tom", "chase", "Jerry"});
    CHECK(words("汤姆 追逐 杰瑞") == Texts{"汤姆", "追逐", "杰瑞"});
    CHECK(words("The dog chased the cat") == Texts{"The", "dog", "chased", "the", "cat"});
}

TEST_CASE("what a writer of Chinese sets apart by spaces stays together, if it can be a word") {
    CHECK(words("汤姆追逐杰瑞") == Texts{"汤姆", "追逐", "杰", "瑞"}); // what the dictionary says
    CHECK(words("他说，汤姆 追逐 杰瑞。") == Texts{"他", "说", "，", "汤姆", "追逐", "杰瑞", "。"});
    CHECK(words("汤姆 南京市长江大桥") == Texts{"汤姆", "南京市", "长江", "大", "桥"});
    CHECK(words("Tom 杰瑞 Jerry") == Texts{"Tom", "杰", "瑞", "Jerry"}); // no space between two
}

TEST_CASE("French elisions stay with their word, hyphens split") {
    CHECK(words("L'homme s'est levé aujourd'hui") ==
          Texts{"L'homme", "s'est", "levé", "aujourd'hui"});
    CHECK(words("l’arc-en-ciel") == Texts{"l’arc", "-", "en", "-", "ciel"});
}

TEST_CASE("mixed scripts, Japanese and Arabic are split") {
    CHECK(words("我ate一个apple🍎!") == Texts{"我", "ate", "一个", "apple", "🍎", "!"});
    CHECK(words("東京都に行く") == Texts{"東京", "都", "に", "行く"});
    CHECK(words("مرحبا بالعالم، كيف حالك؟") == Texts{"مرحبا", "بالعالم", "،", "كيف", "حالك", "؟"});
}

TEST_CASE("what is seen as one character is one token") {
    CHECK(characters("a é n\u0303") == Texts{"a", "é", "n\u0303"});
    CHECK(characters("👨‍👩‍👧‍👦🇫🇷🇨🇳👍🏽") ==
          Texts{"👨‍👩‍👧‍👦", "🇫🇷", "🇨🇳", "👍🏽"});
    CHECK(characters("我爱 北京") == Texts{"我", "爱", "北", "京"});
    CHECK(words("👨‍👩‍👧‍👦 family 🇫🇷🇨🇳") ==
          Texts{"👨‍👩‍👧‍👦", "family", "🇫🇷", "🇨🇳"});
    CHECK(words("e\u0301te\u0301") == Texts{"e\u0301te\u0301"});
}

TEST_CASE("nothing visible is no token") {
    for (const auto segmentation : {Segmentation::words, Segmentation::characters}) {
        CHECK(texts("", segmentation).empty());
        CHECK(texts(" \t\r\n\u00A0\u2028\u3000", segmentation).empty());
        CHECK(texts(std::string("\0\x01\x1B\x7F", 4), segmentation).empty());
        CHECK(
            texts("\u200D \u200B \u200E \uFEFF \uFE0F \u00AD \u2060 \u0085", segmentation).empty());
        CHECK(texts("a \u200D b\x01 \x7F", segmentation) == Texts{"a", "b"});
    }
}

TEST_CASE("joiners and marks inside a word stay there") {
    CHECK(words("می\u200Cخواهم") == Texts{"می\u200Cخواهم"}); // Persian: one word, two parts
    CHECK(words("\u0301") == Texts{"\u0301"});               // a mark alone is seen
    CHECK(words(" \u0308x") == Texts{"\u0308", "x"});        // and never carries a space
    CHECK(words("\u0600 1") == Texts{"\u0600", "1"});        // a format character that is drawn
}

TEST_CASE("tokens know the bytes that they came from") {
    const std::string sentence = " 我ate 一个\U0001F34E, é!";
    std::size_t end = 0;
    for (const Token& token : tokenize(sentence, Segmentation::words, kAll)) {
        CHECK(sentence.substr(token.begin, token.end - token.begin) == token.text);
        CHECK(token.begin >= end);
        end = token.end;
    }
    CHECK(end == sentence.size());
}

TEST_CASE("broken UTF-8 is mended, and offsets still speak of the bytes given") {
    const std::string sentence = "caf\xE9 \xE4\xBD 我\xFF";
    const auto tokens = tokenize(sentence, Segmentation::words, kAll);
    REQUIRE(tokens.size() == 5);
    CHECK(tokens[0] == Token{"caf", 0, 3});
    CHECK(tokens[1] == Token{"\uFFFD", 3, 4});
    CHECK(tokens[2] == Token{"\uFFFD", 5, 7}); // a character cut short
    CHECK(tokens[3] == Token{"我", 8, 11});
    CHECK(tokens[4] == Token{"\uFFFD", 11, 12});
    for (const Token& token :
         tokenize("\xF0\x9F\x98x\xC0\xAF\xED\xA0\x80", Segmentation::characters, kAll)) {
        CHECK(heed::base::is_valid_utf8(token.text));
    }
}

TEST_CASE("at most so many tokens are returned, the first ones, and all are counted") {
    CHECK(texts("a b c d", Segmentation::words, 2) == Texts{"a", "b"});
    CHECK(texts("a b c d", Segmentation::words, 0).empty());
    CHECK(texts("abcd", Segmentation::characters, 3) == Texts{"a", "b", "c"});
    CHECK(count_tokens("a b, c", Segmentation::words) == 4);
    CHECK(count_tokens("", Segmentation::words) == 0);
    CHECK(count_tokens(" 我 👨‍👩‍👧‍👦 ", Segmentation::characters) == 2);
}

TEST_CASE("a long text splits as its sentences do") {
    for (const std::string sentence :
         {"注意力机制是深度学习中的一种技术。", "The dog chased the cat, and s'est levé. ",
          "🇫🇷👨‍👩‍👧‍👦e\u0301 \xFF我 昨天 ",
          "东京都に行く、汤姆 追逐 杰瑞。"}) {
        for (const auto segmentation : {Segmentation::words, Segmentation::characters}) {
            INFO(sentence);
            const Texts once = texts(sentence, segmentation);
            const int times = 700;
            const auto all = tokenize(repeated(sentence, times), segmentation, kAll);
            REQUIRE(all.size() == once.size() * times);
            CHECK(count_tokens(repeated(sentence, times), segmentation) == all.size());
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                wrong += all[i].text != once[i % once.size()];
                wrong += i >= once.size() &&
                         all[i].begin != all[i - once.size()].begin + sentence.size();
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("a word without end is one token") {
    const std::string word(30000, 'a');
    CHECK(words(word + " b") == Texts{word, "b"});
    std::string marks = "e";
    marks += repeated("\u0301", 20000);
    CHECK(characters(marks + "x") == Texts{marks, "x"});
}

TEST_CASE("threads split at the same time and get the same tokens") {
    const std::string sentence = repeated("我爱北京天安门, the cat sat. ", 50);
    const Texts expected = words(sentence);
    std::vector<Texts> results(4);
    {
        std::vector<std::jthread> threads;
        for (Texts& result : results) {
            threads.emplace_back([&result, &sentence] { result = words(sentence); });
        }
    }
    for (const Texts& result : results) CHECK(result == expected);
}
