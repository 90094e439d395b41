#include "text/vocabulary.hpp"

#include "catch.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using heed::text::everyday_words;
using heed::text::Vocabulary;

TEST_CASE("special rows come first, then the words, then those that others share") {
    const Vocabulary v({"apple", "pomme", "苹果"}, 2);
    CHECK(v.size() == 8);
    CHECK(v.row("⟨pad⟩") == 0);
    CHECK(v.row("⟨start⟩") == 1);
    CHECK(v.row("⟨end⟩") == 2);
    CHECK(v.row("apple") == 3);
    CHECK(v.row("苹果") == 5);
    CHECK(v.word(0) == "⟨pad⟩");
    CHECK(v.word(1) == "⟨start⟩");
    CHECK(v.word(2) == "⟨end⟩");
    CHECK(v.word(4) == "pomme");
    CHECK(v.word(6) == "⟨other 1⟩");
    CHECK(v.word(7) == "⟨other 2⟩");
    CHECK_THROWS(v.word(8));
}

TEST_CASE("a word that is not listed has a row, always the same, among those of others") {
    const Vocabulary v({"apple"}, 7);
    std::set<std::size_t> rows;
    for (int i = 0; i < 200; ++i) {
        const std::string word = "word" + std::to_string(i);
        const std::size_t row = v.row(word);
        CHECK(row == v.row(word));
        CHECK(row >= 4);
        CHECK(row < v.size());
        rows.insert(row);
    }
    CHECK(rows.size() == 7); // no row lies idle
    CHECK(v.row("") >= 4);
    CHECK(v.row(std::string("a\0b", 3)) >= 4);
    CHECK(Vocabulary({}, 1).row("apple") == 3);
    CHECK(Vocabulary({}, 1).word(3) == "⟨other⟩");
}

TEST_CASE("capitals and the form of the apostrophe do not make another word") {
    const Vocabulary v({"the", "I", "us", "US", "l'ami"}, 1);
    CHECK(v.row("The") == v.row("the"));
    CHECK(v.row("THE") == v.row("the"));
    CHECK(v.row("i") == v.row("I"));
    CHECK(v.row("US") != v.row("us")); // as it is written, where that is listed
    CHECK(v.row("Us") == v.row("us"));
    CHECK(v.row("L\u2019ami") == v.row("l'ami"));
    CHECK(v.knows("The"));
    CHECK(v.knows("\u27e8pad\u27e9"));
    CHECK_FALSE(v.knows("them"));
    CHECK_FALSE(v.knows(""));
}

TEST_CASE("a decoder may say listed words and the end, nothing else") {
    const Vocabulary v({"apple", "pomme"}, 3);
    std::vector<std::size_t> said;
    for (std::size_t row = 0; row < 20; ++row) {
        if (v.can_be_said(row)) said.push_back(row);
    }
    CHECK(said == std::vector<std::size_t>{2, 3, 4});
}

TEST_CASE("of a word that is listed twice the first place counts") {
    const Vocabulary v({"apple", "pomme", "apple"}, 1);
    CHECK(v.size() == 7);
    CHECK(v.row("apple") == 3);
    CHECK(v.word(5) == "apple");
    CHECK(Vocabulary({"⟨end⟩", "⟨pad⟩", "⟨start⟩"}, 1).row("⟨end⟩") == Vocabulary::kEnd);
    CHECK(Vocabulary({"⟨end⟩", "⟨pad⟩", "⟨start⟩"}, 1).row("⟨pad⟩") == Vocabulary::kPad);
}

TEST_CASE("a vocabulary needs a row for what it does not list") {
    CHECK_THROWS(Vocabulary({"apple"}, 0));
}

TEST_CASE("everyday words are all different, none empty, without white space") {
    const auto& words = everyday_words();
    const std::set<std::string> different(words.begin(), words.end());
    const Vocabulary v(words, 1);
    CHECK(words.size() > 300);
    for (const std::string& word : words) {
        CHECK_FALSE(word.empty());
        CHECK(word.find_first_of(" \t\n") == std::string::npos);
        // Each finds its own row.
        const auto place = std::find(words.begin(), words.end(), word) - words.begin();
        CHECK(v.row(word) == Vocabulary::kFirstWord + static_cast<std::size_t>(place));
    }
    CHECK(different.size() == words.size());
    for (const char* word : {"the", "cat", "pomme", "s'est", "苹果", "。", "."}) {
        CHECK(different.count(word) == 1);
    }
}
