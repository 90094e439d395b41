#include "catch.hpp"

#include "figure/base/sheet.hpp"

#include <cmath>
#include <string>
#include <thread>
#include <vector>

using namespace heed::figure;

TEST_CASE("a text twice as large is twice as wide") {
    for (const Font font : {Font::sans, Font::mono}) {
        for (const char* text : {"attention", "0.44", "注意力", "Über ça"}) {
            INFO(text);
            const Extent small = measure(text, {10, font}), large = measure(text, {20, font});
            CHECK(std::abs(large.width - 2 * small.width) < 0.02f * large.width);
            CHECK(std::abs(large.ascent - 2 * small.ascent) < 0.02f * large.ascent);
        }
    }
}

TEST_CASE("digits of the mono font are equally wide") {
    const TextStyle style{12, Font::mono};
    CHECK(measure("0000", style).width == measure("1718", style).width);
}

TEST_CASE("every script stands on the same line") {
    const TextStyle style{14};
    const Extent latin = measure("cat", style);
    for (const char* text : {"吃", "قطة", "😀", ""}) {
        CHECK(measure(text, style).ascent == latin.ascent);
        CHECK(measure(text, style).descent == latin.descent);
    }
    CHECK(latin.ascent > 0.6f * style.size);
    CHECK(latin.descent > 0);
}

TEST_CASE("combining marks add no width") {
    const TextStyle style{20};
    CHECK(std::abs(measure("e\u0301", style).width - measure("\u00e9", style).width) < 0.5f);
}

TEST_CASE("broken UTF-8, controls and endless text are measured") {
    const TextStyle style{12};
    CHECK(std::isfinite(measure("\xE4\xBD", style).width));
    CHECK(std::isfinite(measure(std::string("a\0b\n\tc\x01", 7), style).width));
    CHECK(measure("a\nb", style).width > measure("ab", style).width); // one line, with a space
    CHECK(measure("", style).width == 0);
    CHECK(measure(std::string(20000, 'x'), style).width > 10000);
}

TEST_CASE("threads measure alike") {
    const TextStyle style{13, Font::sans, Weight::bold};
    const Extent here = measure("The cat sat 我们", style);
    float widths[4] = {};
    std::vector<std::thread> threads;
    for (float& width : widths) {
        threads.emplace_back([&] { width = measure("The cat sat 我们", style).width; });
    }
    for (std::thread& thread : threads) thread.join();
    for (const float width : widths) CHECK(width == here.width);
}

TEST_CASE("two threads draw text of many scripts at once") { // Cairo's fonts are of all threads
    const std::string words[] = {
        "attention", "注意力",    "주의",   "注目する", "👍🏽👍🏿🇫🇷",
        "Внимание",  "προσοχή",   "انتباه", "ध्यान",     "ความสนใจ",
        "∑ ∂ ∞",     "\U0001D518"};
    const auto widths = [&] {
        std::vector<int> all;
        for (float size = 8; size < 48; size += 2) {
            for (const Font font : {Font::sans, Font::mono}) {
                for (const Weight weight : {Weight::regular, Weight::bold}) {
                    for (const std::string& word : words) {
                        all.push_back(rasterize(word, {size, font, weight}, 1).width);
                    }
                }
            }
        }
        return all;
    };
    std::vector<int> there;
    std::thread other([&] { there = widths(); });
    const std::vector<int> here = widths();
    other.join();
    CHECK(here == there);
}

TEST_CASE("characters without a glyph are named once each, in order") {
    CHECK(missing_characters("The cat sat").empty());
    CHECK(missing_characters("").empty());
    CHECK(missing_characters("a\n\tb\x7f\u0085").empty());        // controls are not drawn
    const std::string text = "a\U0010ABCDb\U000F1234 \U0010ABCD"; // private use
    CHECK(missing_characters(text) == U"\U0010ABCD\U000F1234");
    CHECK(missing_characters(text) == U"\U0010ABCD\U000F1234"); // from memory
    CHECK(missing_characters("\xff") == missing_characters("\uFFFD"));
}

TEST_CASE("joiners and variation selectors are no missing characters") {
    CHECK(missing_characters("a\u200d\ufe0f\u200bb").empty());
}

TEST_CASE("bold letters are wider") {
    CHECK(measure("attention", {12, Font::sans, Weight::bold}).width >
          measure("attention", {12}).width);
}

TEST_CASE("a rasterized label covers its extent") {
    const TextStyle style{16};
    for (const float scale : {1.f, 2.f, 3.5f}) {
        const Bitmap bitmap = rasterize("Hxg", style, scale);
        const Extent extent = measure("Hxg", style);
        REQUIRE(bitmap.rgba.size() == static_cast<std::size_t>(bitmap.width) *
                                          static_cast<std::size_t>(bitmap.height) * 4);
        CHECK(std::abs(static_cast<float>(bitmap.width) - extent.width * scale) <
              4 + 0.2f * 16 * scale);
        CHECK_FALSE(bitmap.coloured);
        int darkest = 0;
        for (std::size_t i = 0; i < bitmap.rgba.size(); i += 4) {
            REQUIRE(bitmap.rgba[i] == 255);
            darkest = std::max<int>(darkest, bitmap.rgba[i + 3]);
        }
        CHECK(darkest > 200);
        // Nothing of the letters is cut: the outermost pixels are empty.
        for (int x = 0; x < bitmap.width; ++x) {
            REQUIRE(bitmap.rgba[static_cast<std::size_t>(x) * 4 + 3] == 0);
        }
        CHECK(bitmap.origin_y > 0);
        CHECK(bitmap.origin_y < static_cast<float>(bitmap.height));
    }
}

TEST_CASE("a sentence that begins with a word of Hebrew or Arabic begins with it on the left") {
    const TextStyle style{16};
    // Columns of ink from the left end on, as many as the shorter of two has less its soft edge.
    const auto begins_with = [&](const std::string& text, const std::string& part) {
        const Bitmap whole = rasterize(text, style, 1), first = rasterize(part, style, 1);
        const auto ink = [](const Bitmap& b, int x, int below_top) {
            const int y = static_cast<int>(b.origin_y) + below_top;
            if (y < 0 || y >= b.height || x >= b.width) return 0;
            const auto at = static_cast<std::size_t>(y * b.width + x) * 4 + 3;
            return static_cast<int>(b.rgba[at]);
        };
        int apart = 0;
        for (int x = 0; x + 3 < first.width; ++x) {
            for (int y = -14; y < 4; ++y)
                apart += std::abs(ink(whole, x, y) - ink(first, x, y)) > 8;
        }
        return apart == 0;
    };
    CHECK(begins_with("“שלום” attends", "“שלום”"));
    CHECK(begins_with("“שלום” (0.98)", "“שלום”"));
    CHECK(begins_with("שלום 0.98", "שלום"));
    CHECK(begins_with("שלום → cat", "שלום"));
    CHECK(begins_with("صباحا 0.98", "صباحا"));
    CHECK_FALSE(begins_with("שלום!", "שלום")); // alone, its mark stands at its end
    CHECK(std::abs(measure("cat שלום", style).width - measure("cat ", style).width -
                   measure("שלום", style).width) < 0.5f); // what keeps them apart has no width
}

TEST_CASE("labels of nothing and at impossible scales are small or empty bitmaps") {
    CHECK(rasterize("", {12}, 1).width < 8);
    CHECK(rasterize("cat", {12}, 0).rgba.empty());
    CHECK(rasterize("cat", {12}, -1).rgba.empty());
    CHECK(rasterize(std::string(20000, 'x'), {12}, 4).rgba.empty());
}

TEST_CASE("alignments move the baseline as they say") {
    const Extent extent{40, 10, 4};
    CHECK(baseline_offset(extent, AlignX::left, AlignY::baseline) == Point{0, 0});
    CHECK(baseline_offset(extent, AlignX::centre, AlignY::top) == Point{-20, 10});
    CHECK(baseline_offset(extent, AlignX::right, AlignY::bottom) == Point{-40, -4});
    CHECK(baseline_offset(extent, AlignX::left, AlignY::middle) == Point{0, 3});
}

TEST_CASE("a font has a family name") {
    CHECK_FALSE(family(Font::sans).empty());
    CHECK_FALSE(family(Font::mono).empty());
}

TEST_CASE("a line never breaks within a number") {
    const auto first = [](std::string_view text) { return next_break(text, 0); };
    CHECK(first("58 % (± 43) of") == std::string_view("58 % (± 43)").size());
    CHECK(first("> 99.9 % of") == std::string_view("> 99.9 %").size());
    CHECK(first("< 0.01 %") == std::string_view::npos);
    CHECK(first("no number") == 2);
    CHECK(next_break("up to > 99.9 %", 3) == 5);
    CHECK(next_break("drawn; ±: range", 7) == std::string_view::npos);
    CHECK(first("head 1 · off") == 4);
    CHECK(next_break("head 1 · off", 5) == std::string_view("head 1 ·").size());

    Frame frame;
    frame.theme = &light_theme();
    const Sheet sheet(frame, 200, 100);
    for (float width = 20; width < 220; width += 3) {
        for (const std::string& line :
             sheet.wrapped("by 58 % (± 43), up to > 99.9 %", {13}, width, 20)) {
            INFO(line << " in " << width);
            CHECK_FALSE(line.starts_with("%"));
            CHECK_FALSE(line.starts_with("(±"));
            CHECK_FALSE(line.ends_with(">"));
            CHECK_FALSE(line.ends_with("±"));
        }
    }
}

TEST_CASE("an I that stands alone has serifs, and is no bar") {
    for (const Weight weight : {Weight::regular, Weight::bold}) {
        const TextStyle style{14, Font::sans, weight};
        const float bar = measure("II", style).width / 2;
        CHECK(measure("I", style).width > 1.1f * bar);
        for (const std::string& words : {std::string("says "), std::string("从 ")}) {
            const float around = measure(words + "“”.", style).width;
            CHECK(measure(words + "“I”.", style).width - around > 1.1f * bar);
        }
    }
}

TEST_CASE("equal letters are equally far apart where pixels are large") {
    const TextStyle style{11};
    const Bitmap bitmap = rasterize("l l l l l l l l", style, 1);
    std::vector<double> middles; // of the ink of each letter, in pixels
    double ink = 0, moment = 0;
    for (int x = 0; x < bitmap.width; ++x) {
        double column = 0;
        for (int y = 0; y < bitmap.height; ++y) {
            column += bitmap.rgba[static_cast<std::size_t>(y * bitmap.width + x) * 4 + 3];
        }
        ink += column;
        moment += column * x;
        if (column > 0 || ink == 0) continue;
        middles.push_back(moment / ink);
        ink = moment = 0;
    }
    REQUIRE(middles.size() == 8);
    const double pitch = (middles.back() - middles.front()) / 7;
    for (std::size_t i = 1; i < middles.size(); ++i) {
        CHECK(std::abs(middles[i] - middles[i - 1] - pitch) < 0.3);
    }
}

TEST_CASE("a minus in the face of numbers is longer than a hyphen") {
    for (const Weight weight : {Weight::regular, Weight::bold}) {
        const TextStyle style{14, Font::mono, weight};
        const auto ink = [&](const std::string& text) {
            const Bitmap bitmap = rasterize(text, style, 8);
            int most = 0;
            for (int y = 0; y < bitmap.height; ++y) {
                int row = 0;
                for (int x = 0; x < bitmap.width; ++x) {
                    row +=
                        bitmap.rgba[static_cast<std::size_t>(4 * (y * bitmap.width + x) + 3)] > 128;
                }
                most = std::max(most, row);
            }
            return most;
        };
        CHECK(ink("−") > 1.2f * static_cast<float>(ink("-")));
        CHECK(std::abs(measure("−0.63", style).width - measure("+0.63", style).width) < 0.01f);
    }
}
