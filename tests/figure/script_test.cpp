#include "catch.hpp"

#include "figure/base/script.hpp"

using namespace heed::figure;

TEST_CASE("direction and Han forms follow the letters of a line") {
    CHECK(is_right_to_left("القطة"));
    CHECK(is_right_to_left("123 «שלום» abc"));
    CHECK_FALSE(is_right_to_left("abc שלום"));
    CHECK_FALSE(is_right_to_left("我 שלום"));
    CHECK_FALSE(is_right_to_left("été القطة"));
    CHECK_FALSE(is_right_to_left("1 → 2 🙂"));
    CHECK_FALSE(is_right_to_left(""));
    CHECK(han_forms("cat") == Han::none);
    CHECK(han_forms("一个苹果") == Han::chinese);
    CHECK(han_forms("直す") == Han::japanese);
    CHECK(han_forms("大韓民國은") == Han::korean);
}

TEST_CASE("emoji are told from letters and from other pictures") {
    for (const char* text : {"😀", "a 👩‍👩‍👧", "🇫🇷", "❤️", "🫠"}) {
        INFO(text);
        CHECK(has_emoji(text));
    }
    for (const char* text : {"", "cat", "苹果", "❤", "→", "🁢", "🜀"}) {
        INFO(text);
        CHECK_FALSE(has_emoji(text));
    }
}
