#include "text/words.hpp"

#include "base/check.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace heed::text;

namespace {

std::vector<std::string> texts(const Words& words) {
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
    CHECK(texts(words) == std::vector<std::string>{"The", "cat's", "mat", "."});
    CHECK(words.first == std::vector<std::size_t>{0, 3, 8, 11, 12});
    CHECK(words.tokens() == 12);
    CHECK(words.of(0) == 0);
    CHECK(words.of(2) == 0);
    CHECK(words.of(3) == 1);
    CHECK(words.of(11) == 3);
    CHECK_THROWS_AS(words.of(12), heed::base::ContractError);
}

TEST_CASE("Chinese characters become words of the dictionary, and emoji stay whole") {
    CHECK(texts(of_characters("我 昨天 吃 了 苹果")) ==
          std::vector<std::string>{"我", "昨天", "吃", "了", "苹果"});
    CHECK(texts(of_characters("我昨天")) == std::vector<std::string>{"我", "昨天"});
    const std::string family = "👨\u200D👩\u200D👧";
    CHECK(texts(of_characters("ab" + family)) == std::vector<std::string>{"ab", family});
}

TEST_CASE("neighbours that white space does not part stay two words where the rules say so") {
    CHECK(texts(of_characters("a,b c")) == std::vector<std::string>{"a", ",", "b", "c"});
}

TEST_CASE("words are their own words") {
    const std::string sentence = "The cat sat on the mat";
    const auto tokens = tokenize(sentence, Segmentation::words, 99);
    const Words words = words_of(sentence, tokens);
    CHECK(words.words == tokens);
    CHECK(words.count() == words.tokens());
}

TEST_CASE("padding, and what begins in no word of the sentence, stays apart") {
    const std::string sentence = "ab c";
    auto tokens = tokenize(sentence, Segmentation::characters, 99);
    tokens.push_back({"⟨pad⟩", 4, 4});
    tokens.push_back({"⟨pad⟩", 4, 4});
    tokens.push_back({"x", 40, 41});
    tokens.push_back({"y", 41, 42});
    const Words words = words_of(sentence, tokens);
    CHECK(texts(words) == std::vector<std::string>{"ab", "c", "⟨pad⟩", "⟨pad⟩", "x", "y"});
    CHECK(words_of("", {}).count() == 0);
}

TEST_CASE("a sentence that was cut within a word ends in the piece that is there") {
    const std::string sentence = "abcdef";
    const Words words = words_of(sentence, tokenize(sentence, Segmentation::characters, 4));
    CHECK(texts(words) == std::vector<std::string>{"abcd"});
}
