#include "text/words.hpp"

#include "base/check.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace heed::text;

namespace {

std::vector<std::string> texts_of(const Words& words) {
    std::vector<std::string> list;
    for (const Token& word : words.words) list.push_back(word.text);
    return list;
}

Words of_characters(std::string_view sentence) {
    return words_of(sentence, tokenize(sentence, Segmentation::characters, 4096));
}

} // namespace

TEST_CASE("characters become the words that they are pieces of") {
    const Words words = of_characters("The cat's mat.");
    CHECK(texts_of(words) == std::vector<std::string>{"The", "cat's", "mat", "."});
    CHECK(words.first == std::vector<std::size_t>{0, 3, 8, 11, 12});
    CHECK(words.tokens() == 12);
    CHECK(words.of(0) == 0);
    CHECK(words.of(2) == 0);
    CHECK(words.of(3) == 1);
    CHECK(words.of(11) == 3);
    CHECK_THROWS_AS(words.of(12), heed::base::ContractError);
}

TEST_CASE("Chinese characters become words of the dictionary, and emoji stay whole") {
    CHECK(texts_of(of_characters("我 昨天 吃 了 苹果")) ==
          std::vector<std::string>{"我", "昨天", "吃", "了", "苹果"});
    CHECK(texts_of(of_characters("我昨天")) == std::vector<std::string>{"我", "昨天"});
    const std::string family = "👨\u200D👩\u200D👧";
    CHECK(texts_of(of_characters("ab" + family)) == std::vector<std::string>{"ab", family});
}

TEST_CASE("neighbours that white space does not part stay two words where the rules say so") {
    CHECK(texts_of(of_characters("a,b c")) == std::vector<std::string>{"a", ",", "b", "c"});
}

TEST_CASE("words are their own words") {
    const std::string sentence = "The cat sat on the mat";
    const auto tokens = tokenize(sentence, Segmentation::words, 99);
    const Words words = words_of(sentence, tokens);
    CHECK(words.words == tokens);
    CHECK(words.count() == words.tokens());
}

TEST_CASE("a piece that holds the space before a word is of that word") {
    // As GPT-2 cuts it; the bytes of one letter are two pieces, and a piece is white space alone.
    const std::string sentence = "Das \u00dcberma\u00df an \u732b  x";
    const auto piece = [&](std::size_t begin, std::size_t end) {
        return Token{sentence.substr(begin, end - begin), begin, end, true, 0};
    };
    const std::vector<Token> tokens = {piece(0, 1),   piece(1, 3),   piece(3, 6),   piece(6, 11),
                                       piece(11, 13), piece(13, 16), piece(16, 20), piece(17, 20),
                                       piece(20, 21), piece(21, 23)};
    const Words words = words_of(sentence, tokens);
    CHECK(words.first == std::vector<std::size_t>{0, 2, 5, 6, 8, 9, 10});
    CHECK(words.words[1].text == "\u00dcberma\u00df");
    CHECK(words.words[1].begin == 4);
    CHECK(words.words[3].text == "\u732b");
}

TEST_CASE("padding, and what begins in no word of the sentence, stays apart") {
    const std::string sentence = "ab c";
    auto tokens = tokenize(sentence, Segmentation::characters, 99);
    tokens.push_back({"⟨pad⟩", 4, 4});
    tokens.push_back({"⟨pad⟩", 4, 4});
    tokens.push_back({"x", 40, 41});
    tokens.push_back({"y", 41, 42});
    const Words words = words_of(sentence, tokens);
    CHECK(texts_of(words) == std::vector<std::string>{"ab", "c", "⟨pad⟩", "⟨pad⟩", "x", "y"});
    CHECK(words_of("", {}).count() == 0);
}

TEST_CASE("a sentence that was cut within a word ends in the piece that is there") {
    const std::string sentence = "abcdef";
    const Words words = words_of(sentence, tokenize(sentence, Segmentation::characters, 4));
    CHECK(texts_of(words) == std::vector<std::string>{"abcd"});
}

TEST_CASE("words without some tokens keep their places, and say which are left out") {
    const std::vector<Token> tokens{{"[CLS]"}, {"a"}, {"b"}, {"[SEP]"}, {"c"}, {"[SEP]"}};
    const Words all = single_tokens(tokens);
    CHECK(all.count() == 6);
    CHECK(all.tokens() == 6);
    CHECK_FALSE(all.leaves_out(0));
    const Words some = all.without({true, false, false, true, false, true});
    REQUIRE(some.count() == 3);
    CHECK(some.words[2].text == "c");
    CHECK(some.tokens() == 6);
    CHECK(some.first[2] == 4);
    CHECK(some.end(2) == 5);
    CHECK(some.end(1) == 3);
    for (const std::size_t token : {0U, 3U, 5U}) CHECK(some.leaves_out(token));
    for (const std::size_t token : {1U, 2U, 4U}) CHECK_FALSE(some.leaves_out(token));
    CHECK(some.of(0) == 0); // a neighbour
    CHECK(some.of(3) == 1);
    CHECK(some.of(5) == 2);
    CHECK(all.without(std::vector<bool>(6, true)) == all);
    CHECK(all.without(std::vector<bool>(6, false)) == all);
    // A word goes where all of its tokens do.
    Words pieces{{{"ab"}, {"c"}}, {0, 2, 3}};
    CHECK(pieces.without({true, false, false}).count() == 2);
    CHECK(pieces.without({true, true, false}).words.front().text == "c");
}

TEST_CASE("spaces that were typed between Chinese words say what the words are") {
    const std::string run = "我昨天吃了苹果";
    CHECK(texts_of(of_characters(run)).size() > 2); // by the dictionary
    const Words words = of_characters("我 昨 天吃了 苹果");
    CHECK(texts_of(words) == std::vector<std::string>{"我", "昨", "天吃了", "苹果"});
    // Between Chinese and Latin letters a space is typed anyway.
    CHECK(texts_of(of_characters("我吃了苹果 today")).size() > 2);
    CHECK(texts_of(of_characters("天吃了，我 爱")) ==
          std::vector<std::string>{"天吃了", "，", "我", "爱"});
}
