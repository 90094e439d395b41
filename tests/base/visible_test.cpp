#include "base/visible.hpp"

#include "catch.hpp"

#include <sstream>

using namespace heed::base;

TEST_CASE("what a terminal would obey is shown, and all else stays as it is") {
    CHECK(visible("a\x1b]0;title\x07") == "a\\u{1b}]0;title\\u{7}");
    CHECK(visible("bar\rfoo\x08\x7f") == "bar\\u{d}foo\\u{8}\\u{7f}");
    CHECK(visible("\xc2\x9b"
                  "2J") == "\\u{9b}2J"); // CSI in one character
    CHECK(visible("\x9b"
                  "2J\xff") == "\\x{9b}2J\\x{ff}"); // and in one byte, which is no UTF-8
    CHECK(visible("a\u202Eb\u2066") == "a\\u{202e}b\\u{2066}");
    CHECK(visible(std::string_view("\0", 1)) == "\\u{0}");
    const std::string plain = "我们 القطة naïve 🙂 {} \\ % \n\tend";
    CHECK(visible(plain) == plain);
    CHECK(visible("").empty());
}

TEST_CASE("one line stays one line") {
    CHECK(visible_line("a\nheed: b\tc") == "a\\u{a}heed: b\\u{9}c");
}

TEST_CASE("a stream shows what is written to it by whatever way, and fails as the other does") {
    std::ostringstream to;
    VisibleStream shown(to);
    shown << "a\x1b" << '\x1b' << 5 << '\n';
    shown.write("\x07", 1);
    shown.put('!');
    CHECK(to.str() == "a\\u{1b}\\u{1b}5\n\\u{7}!");
    to.setstate(std::ios::badbit);
    shown << "x";
    CHECK_FALSE(shown);
}
