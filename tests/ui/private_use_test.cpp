#include "ui/paint/private_use.hpp"

#include "catch.hpp"

using heed::ui::PrivateUse;

TEST_CASE("stand-ins come back as what they stood for") {
    PrivateUse map;
    const std::string text = "a\u6211\U0001F600\U0001F600\uE123\U0010FFFF";
    const std::string encoded = map.encode(text);
    CHECK(map.decode(encoded) == text);
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        // Four-byte sequences begin with F0 to F4: none is left.
        CHECK(static_cast<unsigned char>(encoded[i]) < 0xF0);
    }
    CHECK(map.encode(text) == encoded);
}

TEST_CASE("broken bytes become replacement characters on the way in") {
    PrivateUse map;
    CHECK(map.encode("a\xFFz") == "a\uFFFDz");
}
