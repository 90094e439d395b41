#include "catch.hpp"

#include "text/word_names.hpp"

using heed::text::word_names;

TEST_CASE("a word that the sentence has again is named with its position") {
    const std::vector<std::string_view> words = {"the", "cat", "saw", "the", "", "dog", ""};
    using Names = std::vector<std::string>;
    CHECK(word_names(words, std::vector{3, 1, 0}) == Names{"the (4)", "cat", "the (1)"});
    CHECK(word_names(words, std::vector{0}) == Names{"the (1)"}); // though only one is named
    CHECK(word_names(words, std::vector{4, 5}) == Names{" (5)", "dog"});
    CHECK(word_names(words, {}).empty());
    CHECK(word_names(words, std::vector{3, 2}, [](int place) { return 10 * place; }) ==
          Names{"the (30)", "saw"});
}
