#include "app/engine/missing_letters.hpp"
#include "catch.hpp"

using namespace heed::app;

TEST_CASE("a letter's package is the one that brings a font for its script") {
    for (const char32_t letter : {U'我', U'の', U'글', U'。', U'\u3105', U'\U00020000'}) {
        CHECK(font_package(letter) == "fonts-noto-cjk");
    }
    for (const char32_t letter : {U'😀', U'\U0001F1EB', U'\U0001FAE0'}) {
        CHECK(font_package(letter) == "fonts-noto-color-emoji");
    }
    for (const char32_t letter : {U'ق', U'अ', U'ት', U'→', U'\U00010330', U'\U0001F062'}) {
        CHECK(font_package(letter) == "fonts-noto-core");
    }
    for (const char32_t letter : {U'\uE000', U'\uFFFE', U'\uFDD0', U'\U0001FFFF', U'\U0010ABCD'}) {
        CHECK(font_package(letter).empty());
    }
}

TEST_CASE("missing letters are named with the packages that bring them") {
    CHECK(missing_letters_note(U"", 3).empty());
    CHECK(missing_letters_note(U"我", 3) == "no installed font has U+6211: install fonts-noto-cjk");
    CHECK(missing_letters_note(U"我😀글ق", 12) ==
          "no installed font has U+6211, U+1F600, U+AE00, U+0642: "
          "install fonts-noto-cjk, fonts-noto-color-emoji, fonts-noto-core");
    CHECK(missing_letters_note(U"我你他她它", 3) ==
          "no installed font has U+6211, U+4F60, U+4ED6 and 2 more: install fonts-noto-cjk");
    CHECK(missing_letters_note(U"\U0010ABCD", 3) ==
          "no installed font has U+10ABCD: these code points are nobody's letters");
}
