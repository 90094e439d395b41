// Formulas as primitives: where parts stand to each other, and what becomes of broken markup.
#include "figure/parts/formula.hpp"

#include "catch.hpp"
#include "golden.hpp"
#include "lab/page.hpp"
#include "samples.hpp"
#include "texts.hpp"

#include <random>

using namespace heed::figure;
using namespace samples;

namespace {

const Text& text_of(const Figure& figure, const std::string& words) {
    for (const Primitive& item : figure.items) {
        const auto* text = std::get_if<Text>(&item);
        if (text && text->text == words) return *text;
    }
    FAIL("no text " << words);
    return std::get<Text>(figure.items.front());
}

Figure set(const std::string& markup) {
    return formula_figure(markup, {20}, {0, 0, 0}, plain_frame(0, 0));
}

const std::string kAttention = "softmax(\\frac{QK^{⊤}}{\\sqrt{d_{k}}})V";

} // namespace

TEST_CASE("formulas are as approved") {
    const auto check = [](const std::string& name, const Figure& figure) {
        INFO(name);
        CHECK(difference_from_golden(name, dump(figure)) == "");
    };
    check("formula_attention", set(kAttention));
    check("formula_jacobian", set("\\frac{∂y_{i}}{∂x_{j}} = y_{i}(δ_{ij} − y_{j})"));
    check("formula_words",
          words_figure("If q and k have variance 1, q·k has variance d_{k}, so \\frac{q·k}{√d_{k}} "
                       "has 1.\nA second line: σ^{2}.",
                       {14}, light_theme().text, plain_frame(240, 0)));
}

TEST_CASE("what is lowered stands lower and smaller, what is raised higher") {
    const Figure figure = set("x_{k}^{2}");
    const Text &base = text_of(figure, "x"), &low = text_of(figure, "k"),
               &high = text_of(figure, "2");
    CHECK(low.at.y > base.at.y);
    CHECK(high.at.y < base.at.y);
    CHECK(low.style.size < base.style.size);
    CHECK(low.at.x == high.at.x); // above each other
    CHECK(low.at.x > base.at.x);
}

TEST_CASE("a fraction's parts stand above and below its bar, centred") {
    const Figure figure = set("\\frac{a}{bbbbbb}");
    const Text &above = text_of(figure, "a"), &below = text_of(figure, "bbbbbb");
    const Line* bar = nullptr;
    for (const Primitive& item : figure.items) {
        if (const auto* line = std::get_if<Line>(&item)) bar = line;
    }
    REQUIRE(bar);
    CHECK(above.at.y < bar->points[0].y);
    CHECK(below.at.y > bar->points[0].y);
    CHECK(above.at.x > below.at.x);
    CHECK(bar->points[1].x <= figure.width);
}

TEST_CASE("brackets are as high as the fraction that they touch") {
    const Figure figure = set("a(\\frac{b}{c})d(e)");
    CHECK(text_of(figure, "(").style.size > text_of(figure, "a").style.size * 1.2f);
    CHECK(text_of(figure, ")").style.size == text_of(figure, "(").style.size);
    CHECK(text_of(figure, "d(e)").style.size == text_of(figure, "a").style.size);
}

TEST_CASE("brackets with a fraction between them are as high as each other") {
    const Figure figure = set("f(\\frac{b}{c} + M), g(x)");
    CHECK(text_of(figure, "(").style.size > text_of(figure, "f").style.size * 1.2f);
    CHECK(text_of(figure, ")").style.size == text_of(figure, "(").style.size);
    CHECK(text_of(figure, ", g(x)").style.size == text_of(figure, "f").style.size);
    // One without its partner is a letter.
    CHECK(text_of(set("f(\\frac{b}{c}"), "f(").style.size == text_of(figure, "f").style.size);
}

TEST_CASE("a root's bar reaches over all of what is under it") {
    const Figure figure = set("\\sqrt{d_{model}}");
    const Text& last = text_of(figure, "model");
    const Line* sign = nullptr;
    for (const Primitive& item : figure.items) {
        if (const auto* line = std::get_if<Line>(&item)) sign = line;
    }
    REQUIRE(sign);
    CHECK(sign->points.back().x > last.at.x + plain_measure("model", last.style).width - 1);
    CHECK(sign->points.back().y < text_of(figure, "d").at.y);
}

TEST_CASE("everything lies inside the figure that a formula asks for") {
    for (const std::string& markup :
         {kAttention, std::string("\\frac{\\frac{1}{2}}{\\frac{3}{4}}"),
          std::string("x_{i_{j_{k}}}^{2^{3}}"), std::string("\\sqrt{\\frac{a}{b}}")}) {
        const Figure figure = set(markup);
        for (const Primitive& item : figure.items) {
            if (const auto* text = std::get_if<Text>(&item)) {
                const Extent extent = plain_measure(text->text, text->style);
                CHECK(text->at.x >= -0.1f);
                CHECK(text->at.x + extent.width <= figure.width + 0.1f);
                CHECK(text->at.y - extent.ascent >= -0.1f);
                CHECK(text->at.y + extent.descent <= figure.height + 0.1f);
            } else if (const auto* line = std::get_if<Line>(&item)) {
                for (const Point& p : line->points) {
                    CHECK(p.x <= figure.width + 0.1f);
                    CHECK(p.y >= -0.1f);
                    CHECK(p.y <= figure.height + 0.1f);
                }
            }
        }
    }
}

TEST_CASE("a formula too wide for its place is set smaller") {
    const Figure usual = set(kAttention);
    const Figure narrow =
        formula_figure(kAttention, {20}, {0, 0, 0}, plain_frame(usual.width / 2, 0));
    CHECK(narrow.width <= usual.width / 2 + 1);
    CHECK(text_of(narrow, "softmax").style.size < 20);
}

TEST_CASE("no word stands alone in the last line of words that are broken") {
    const std::string words = "Type more than fifteen words of your own to see.";
    for (float width = 120; width < 320; width += 5) {
        const Figure figure = words_figure(words, {14}, {0, 0, 0}, frame_of(width, 0));
        const std::vector<Text> lines = texts_of(figure);
        REQUIRE(!lines.empty());
        INFO(width << " " << lines.back().text);
        CHECK(lines.back().text != "see.");
        std::string all;
        for (const Text& line : lines) all += (all.empty() ? "" : " ") + line.text;
        CHECK(all == words);
        for (const Text& line : lines) {
            CHECK(heed::figure::measure(line.text, line.style).width <= width + 0.5f);
        }
    }
}

TEST_CASE("words are broken at spaces, never within braces") {
    const Figure figure =
        words_figure("one \\frac{two three}{four} five", {14}, {0, 0, 0}, plain_frame(60, 0));
    CHECK(text_of(figure, "two three").at.y < text_of(figure, "four").at.y);
    CHECK(text_of(figure, "five").at.y > text_of(figure, "one").at.y);
    CHECK(figure.height > text_of(figure, "five").at.y);
    CHECK(figure.width == 60);
}

TEST_CASE("markup is well formed or not, and what is not is set as it stands") {
    for (const char* good : {"", "d_{k}", "n_heads", "a < b", "\\frac{a}{b}",
                             "\\sqrt{\\frac{1}{2}}", "x^{2}_{i}", "昨天 d_{模型}"}) {
        INFO(good);
        CHECK(is_well_formed(good));
    }
    for (const char* bad : {"d_{k", "}", "{", "\\frac{a}", "\\frac", "\\alpha", "\\sqrt d"}) {
        INFO(bad);
        CHECK_FALSE(is_well_formed(bad));
    }
    CHECK(text_of(set("n_heads"), "n_heads").style.size == 20);
    CHECK(text_of(set("a\\alpha"), "a").style.size == 20);
}

TEST_CASE("the markup of every page of the lab is well formed") {
    for (const heed::lab::Page& page : heed::lab::pages()) {
        INFO(page.name);
        for (const std::string& markup : {page.title, page.words, page.formula, page.claim}) {
            INFO(markup);
            CHECK(is_well_formed(markup));
        }
        for (const auto& parameter : page.parameters) CHECK(is_well_formed(parameter.label));
    }
}

TEST_CASE("no markup is too broken to be set") {
    std::mt19937 random(7);
    const std::string pieces[] = {"{", "}", "_{", "^{",   "\\frac", "\\sqrt", "\\",
                                  "x", " ", "昨", "\xFF", "\n",     "_",      "^"};
    for (int i = 0; i < 500; ++i) {
        std::string markup;
        for (int n = static_cast<int>(random() % 40); n > 0; --n) {
            markup += pieces[random() % std::size(pieces)];
        }
        const Figure figure = set(markup);
        CHECK(figure.width >= 0);
        words_figure(markup, {14}, {0, 0, 0}, plain_frame(100, 0, dark_theme()));
    }
    const std::string deep(5000, '{');
    set(deep);
    std::string scripts;
    for (int i = 0; i < 3000; ++i) scripts += "_{";
    set(scripts);
}
