#include "catch.hpp"

#include "figure/base/script.hpp"

using namespace heed::figure;

TEST_CASE("direction and Han forms follow the letters of a line") {
    CHECK(is_right_to_left("القطة"));
    CHECK(is_right_to_left("القطة جلست، ثم نامت."));
    CHECK(is_right_to_left("שלום!"));
    CHECK(is_right_to_left("م2024م"));
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

TEST_CASE("sentences and lists of ours are read from left to right, whatever they begin with") {
    for (const char* text : {"“صباحا” attends most to “المدرسة” (0.981)", "“ולילדים” 3/4",
                             "صباحا 0.981", "صباحا → المدرسة", "שלום · עולם", "שלום is unknown"}) {
        INFO(text);
        CHECK_FALSE(is_right_to_left(text));
    }
}

TEST_CASE("what is read from right to left stands apart from the words and numbers beside it") {
    const auto quoted = [](const char* token) { return "\u2068" + std::string(token) + "\u2069"; };
    CHECK(isolated("“صباحا” attends most to “المدرسة!” (0.981)") ==
          "“" + quoted("صباحا") + "” attends most to “" + quoted("المدرسة!") + "” (0.981)");
    CHECK(isolated("صباحا 0.981") == quoted("صباحا") + " 0.981");
    CHECK(isolated("the sentence ذهب الولد, then") ==
          "the sentence " + quoted("ذهب الولد") + ", then");
    CHECK(isolated("a م2024م b") == "a " + quoted("م2024م") + " b");
    for (const char* text :
         {"", "cat", "“cat” 3/4", "صباحا", "القطة جلست", "שלום!", "“", "“a", "“”"}) {
        CHECK(isolated(text) == text); // nothing of another direction beside it
    }
    CHECK(isolated("“שלום") == "“" + quoted("שלום")); // cut off
}

TEST_CASE("a quoted sentence is laid as it is alone, and so are its lines") {
    const auto part = [](const char* words) { return "\u2068" + std::string(words) + "\u2069"; };
    CHECK(isolated("“القطة جلست، ثم نامت.” is") == "“" + part("القطة جلست، ثم نامت.") + "” is");
    // Tokens of both directions stand in the order of the axes, from left to right.
    const std::string alone = part("مرحبا بالعالم") + " 我昨天 🎉 " + part("שלום");
    CHECK(isolated("مرحبا بالعالم 我昨天 🎉 שלום") == alone);
    CHECK(isolated("“مرحبا بالعالم 我昨天 🎉 שלום” is") == "“" + alone + "” is");
    CHECK(isolated("“مرحبا بالعالم 我昨天") == "“" + part("مرحبا بالعالم") + " 我昨天"); // a line
    CHECK(isolated("“مرحبا [صباحا → cat]”") ==
          "“" + part("مرحبا") + " [" + part("صباحا") + " → cat]”");
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

TEST_CASE("characters that stand above each other are whole, as a reader counts them") {
    using Parts = std::vector<std::string>;
    CHECK(wide_characters("苹果") == Parts{"苹", "果"});
    CHECK(wide_characters("👍🏽") == Parts{"👍🏽"});
    CHECK(wide_characters("👨‍👩‍👧🍎") == Parts{"👨‍👩‍👧", "🍎"});
    CHECK(wide_characters("🏳️‍🌈🇫🇷🇩🇪") == Parts{"🏳️‍🌈", "🇫🇷", "🇩🇪"});
    CHECK(wide_characters("か\u3099く") == Parts{"か\u3099", "く"});
    CHECK(wide_characters("我a").empty());
    CHECK(wide_characters("e\u0301").empty());
    CHECK(is_one_letter("e\u0301"));
    CHECK(is_one_letter("👩‍👩‍👧‍👦"));
    CHECK_FALSE(is_one_letter("ab"));
    CHECK_FALSE(is_one_letter("🍎🍏"));
    CHECK_FALSE(is_one_letter(""));
}
