#include "catch.hpp"

#include "figure/parts/head_scatter.hpp"
#include "texts.hpp"

#include <algorithm>
#include <cmath>
#include <map>

using namespace heed::figure;

namespace {

HeadScatter twelve_heads() {
    HeadScatter scatter;
    scatter.title = "Decoder self-attention";
    scatter.across = {"Previous token", "mean A(i, i−1)"};
    scatter.up = {"Induction", "mean Σ A(i, j+1)"};
    for (int i = 0; i < 12; ++i) {
        const float at = static_cast<float>(i) / 12;
        scatter.points.push_back({i / 4, i % 4, at, 1 - at, "head" + std::to_string(i)});
    }
    scatter.selected = {1, 2};
    return scatter;
}

Figure drawn(const HeadScatter& scatter, float width = 640, float height = 480) {
    return head_scatter(scatter, samples::frame_of(width, height));
}

Point middle_of(const Target& target) {
    return {target.box.x + target.box.w / 2, target.box.y + target.box.h / 2};
}

} // namespace

TEST_CASE("every head is a point that stands where its two scores say, and is picked there") {
    const HeadScatter scatter = twelve_heads();
    const Figure figure = drawn(scatter);
    std::vector<Target> heads;
    for (const Target& target : figure.targets) {
        if (target.as<tag::Head>()) heads.push_back(target);
    }
    REQUIRE(heads.size() == 12);
    const auto of = [&](int i) {
        const auto found = std::ranges::find_if(heads, [&](const Target& t) {
            return t.tag == Tag(tag::Head{i / 4, i % 4});
        });
        REQUIRE(found != heads.end());
        return middle_of(*found);
    };
    // Equal steps of a score are equal steps on the page: right and down here.
    const Point first = of(0), second = of(1);
    CHECK(second.x > first.x);
    CHECK(second.y > first.y);
    for (int i = 2; i < 12; ++i) {
        CHECK(of(i).x - of(i - 1).x == Approx(second.x - first.x).margin(0.01));
        CHECK(of(i).y - of(i - 1).y == Approx(second.y - first.y).margin(0.01));
    }
    const auto hit = pick(figure, of(7));
    REQUIRE(hit);
    CHECK(hit->tag == Tag(tag::Head{1, 3}));
    // The selected one lies above the others.
    CHECK(heads.back().tag == Tag(tag::Head{1, 2}));
}

TEST_CASE("the axes are named with their formulas, and can be pointed at") {
    const Figure figure = drawn(twelve_heads());
    const std::string words = dump(figure);
    for (const char* part : {"Previous token →", "Induction ↑", "mean A(i, i−1)", "head6"}) {
        CHECK(words.find(part) != std::string::npos);
    }
    CHECK(std::ranges::count_if(figure.targets, [](const Target& t) {
              return t.as<tag::Control>() != nullptr;
          }) == 2);
}

TEST_CASE("the axes of two scores end at round numbers") {
    HeadScatter scatter = twelve_heads();
    scatter.up.low = 0.13f;
    scatter.up.high = 1.58f;
    scatter.across.low = -1.2f;
    scatter.across.high = 0.7f;
    std::vector<std::string> numbers;
    for (const Text& text : samples::texts_of(drawn(scatter))) {
        if (text.style.font == Font::mono && !text.text.starts_with("head") &&
            !text.text.starts_with("mean")) {
            numbers.push_back(text.text);
        }
    }
    CHECK(numbers == std::vector<std::string>{"0", "0.5", "1.0", "1.5", "2.0", //
                                              "−1.5", "−1.0", "−0.5", "0", "0.5", "1.0"});
}

TEST_CASE("heads that stand back have no name, and a scatter of none says so") {
    HeadScatter scatter = twelve_heads();
    for (auto& point : scatter.points) point.faded = true;
    CHECK(dump(drawn(scatter)).find("head3") == std::string::npos);
    scatter.points.clear();
    CHECK(dump(drawn(scatter)).find("No head of this kind has both scores") != std::string::npos);
    drawn(scatter, 90, 60); // too small for a chart
}

TEST_CASE("of many heads the outermost have names, on every side") {
    HeadScatter scatter = twelve_heads();
    scatter.points.clear();
    for (int i = 0; i < 20; ++i) { // a cloud above the middle, and one head on each side of it
        const auto row = static_cast<float>(i / 5), col = static_cast<float>(i % 5);
        scatter.points.push_back(
            {i / 5, i % 5, 0.45f + 0.09f * col, 0.5f + 0.09f * row, std::to_string(i)});
    }
    scatter.points.push_back({12, 0, 0.1f, 0.6f, "left"});
    scatter.points.push_back({12, 1, 0.6f, 0.1f, "low"});
    scatter.points.push_back({12, 2, 0.98f, 0.6f, "right"});
    scatter.points.push_back({12, 3, 0.6f, 0.98f, "high"});
    const Figure figure = drawn(scatter);
    for (const char* name : {"left", "low", "right", "high"})
        CHECK(samples::has_text(figure, name));
}

TEST_CASE("the name of the selected head stands on no other point where a side is free") {
    HeadScatter scatter = twelve_heads();
    scatter.points.resize(2);
    scatter.points[0] = {1, 2, 0.5f, 0.5f, "1.2"};
    scatter.points[1] = {0, 0, 0.53f, 0.5f, "0.0"}; // at its right
    const Figure figure = drawn(scatter);
    Point chosen{}, other{};
    for (const Target& target : figure.targets) {
        if (target.tag == Tag(tag::Head{1, 2})) chosen = middle_of(target);
        if (target.tag == Tag(tag::Head{0, 0})) other = middle_of(target);
    }
    for (const Text& text : samples::texts_of(figure)) {
        if (text.text == "1.2") CHECK(text.at.x < chosen.x);
        if (text.text == "0.0") CHECK(text.at.x > other.x);
    }
}

TEST_CASE("a head between two others has its name below or above it") {
    HeadScatter scatter = twelve_heads();
    scatter.points.resize(3);
    scatter.points[0] = {1, 2, 0.47f, 0.49f, "1.2"};
    scatter.points[1] = {0, 0, 0.5f, 0.5f, "0.0"};
    scatter.points[2] = {0, 1, 0.53f, 0.53f, "0.1"};
    for (const char* name : {"1.2", "0.0", "0.1"}) CHECK(samples::has_text(drawn(scatter), name));
}

TEST_CASE("the name of a head on the frame of its chart stands inside") {
    HeadScatter scatter = twelve_heads();
    scatter.points.resize(2);
    scatter.points[0].y = scatter.up.low;
    scatter.points[1].y = scatter.up.high;
    const Figure figure = drawn(scatter);
    float top = 1e9f, bottom = 0; // of the rules across
    for (const Primitive& item : figure.items) {
        const Line* line = std::get_if<Line>(&item);
        if (!line || line->points.front().y != line->points.back().y) continue;
        top = std::min(top, line->points.front().y);
        bottom = std::max(bottom, line->points.front().y);
    }
    int names = 0;
    for (const Text& text : samples::texts_of(figure)) {
        const bool name =
            text.text == scatter.points[0].name || text.text == scatter.points[1].name;
        if (!name) continue;
        ++names;
        CHECK(text.at.y - 7 > top);
        CHECK(text.at.y + 7 < bottom);
    }
    CHECK(names == 2);
}

TEST_CASE("no rule strikes the name of a point that has room beside it") {
    HeadScatter scatter;
    scatter.across = {"Distance", "", 0, 3};
    scatter.up = {"Entropy", "", 0, 3};
    scatter.points = {{0, 0, 0.5f, 1, "1.1"},
                      {0, 1, 1.5f, 2, "1.2"},
                      {0, 2, 2.04f, 1.5f, "1.3"},
                      {0, 3, 0.96f, 0.5f, "1.4"}};
    const Figure figure = drawn(scatter);
    int named = 0;
    for (const Text& text : samples::texts_of(figure)) {
        const bool is_name = std::ranges::any_of(
            scatter.points, [&](const auto& point) { return point.name == text.text; });
        if (!is_name) continue;
        ++named;
        const samples::Quad quad = samples::quad_of(text, &measure);
        for (const Primitive& item : figure.items) {
            const Line* line = std::get_if<Line>(&item);
            if (!line || line->points.size() != 2) continue;
            const auto [left, right] = std::minmax(line->points[0].x, line->points[1].x);
            const auto [top, bottom] = std::minmax(line->points[0].y, line->points[1].y);
            const bool struck = right > quad.corner[0].x && left < quad.corner[2].x &&
                                bottom > quad.corner[0].y && top < quad.corner[2].y;
            INFO(text.text);
            CHECK_FALSE(struck);
        }
    }
    CHECK(named == 4);
}

TEST_CASE("names of heads beside each other stand apart") {
    for (float apart = 0; apart < 0.2f; apart += 0.01f) {
        INFO(apart);
        HeadScatter scatter = twelve_heads();
        scatter.points.clear();
        scatter.selected.reset();
        scatter.points.push_back({0, 0, 0.4f, 0.5f, "1.1"});
        scatter.points.push_back({0, 1, 0.4f + apart, 0.5f, "1.2"});
        scatter.points.push_back({0, 2, 0.4f + 2 * apart, 0.51f, "1.3"});
        scatter.points.push_back({0, 3, 0.4f - apart, 0.49f, "1.4"});
        std::vector<std::pair<float, Point>> names;
        const Figure figure = drawn(scatter);
        for (const Text& text : samples::texts_of(figure)) {
            if (text.text.size() == 3 && text.text.starts_with("1.")) {
                names.push_back({measure(text.text, text.style).width, text.at});
            }
        }
        for (const auto& [width, at] : names) {
            for (const auto& [other, there] : names) {
                if (there.x <= at.x || std::abs(there.y - at.y) >= 10) continue;
                CHECK(there.x - at.x - width >= 4);
            }
        }
    }
}

TEST_CASE("a name stands nearer to its own head than to any other") {
    HeadScatter scatter = twelve_heads();
    scatter.selected.reset();
    scatter.points = {{0, 0, 0, 0, "A"},
                      {0, 1, 1, 1, "B"},
                      {0, 2, 0.35f, 0.333f, "C"},
                      {0, 3, 0.333f, 0.3f, "D"},
                      {1, 0, 0.32f, 0.24f, "E"}};
    const Figure figure = drawn(scatter);
    std::vector<Point> heads;
    for (const Target& target : figure.targets) {
        if (target.as<tag::Head>()) heads.push_back(middle_of(target));
    }
    REQUIRE(heads.size() == scatter.points.size());
    for (std::size_t i = 0; i < heads.size(); ++i) {
        const auto name = std::ranges::find_if(figure.items, [&](const Primitive& item) {
            const auto* text = std::get_if<Text>(&item);
            return text && text->text == scatter.points[i].name;
        });
        INFO(scatter.points[i].name);
        REQUIRE(name != figure.items.end());
        const Point at = std::get<Text>(*name).at; // left, in the middle of its height
        const auto away = [&](const Point& head) {
            return std::hypot(head.x - std::clamp(head.x, at.x, at.x + 6), head.y - at.y);
        };
        CHECK(std::ranges::min_element(heads, {}, away) - heads.begin() ==
              static_cast<std::ptrdiff_t>(i));
    }
}

TEST_CASE("a head that is spoken of has its name among many") {
    HeadScatter scatter = twelve_heads();
    scatter.points.clear();
    for (int i = 0; i < 144; ++i) {
        const float x = static_cast<float>(i % 12) / 12, y = static_cast<float>(i / 12) / 12;
        scatter.points.push_back({i / 12, i % 12, x, y, "h" + std::to_string(i)});
    }
    CHECK(dump(drawn(scatter)).find("h65\"") == std::string::npos);
    scatter.points[65].told = true;
    CHECK(dump(drawn(scatter)).find("h65\"") != std::string::npos);
}

TEST_CASE("no other point shows through the selected one") {
    HeadScatter scatter = twelve_heads();
    scatter.points[3].x = scatter.points[6].x;
    scatter.points[3].y = scatter.points[6].y;
    const Figure figure = drawn(scatter);
    const Color ground = samples::frame_of(640, 480).theme->ground;
    std::size_t last_ground = 0, last_dot = 0;
    for (std::size_t i = 0; i < figure.items.size(); ++i) {
        const auto* fill = std::get_if<Fill>(&figure.items[i]);
        if (!fill) continue;
        (fill->color == ground ? last_ground : last_dot) = i;
    }
    CHECK(last_ground > 0);
    CHECK(last_dot == last_ground + 1); // of all points the selected one is drawn last
}

TEST_CASE(
    "a name does not stand beside another head, and heads on each other have theirs outside") {
    HeadScatter scatter = twelve_heads();
    scatter.selected.reset();
    scatter.points = {{0, 0, 0.717f, 1.165f, "1.1"}, {0, 1, 2.03f, 2.44f, "1.2"},
                      {0, 2, 0.74f, 1.16f, "1.3"},   {0, 3, 1.197f, 1.52f, "1.4"},
                      {1, 0, 0.414f, 0.31f, "2.1"},  {1, 1, 0.64f, 0.765f, "2.2"},
                      {1, 2, 0.585f, 0.49f, "2.3"},  {1, 3, 0.884f, 0.755f, "2.4"}};
    scatter.across.low = scatter.up.low = 0;
    scatter.across.high = scatter.up.high = 3;
    const Figure figure = drawn(scatter, 482, 413);
    std::map<std::string, Point> names, heads;
    for (const Primitive& item : figure.items) {
        if (const auto* text = std::get_if<Text>(&item)) names[text->text] = text->at;
    }
    for (const Target& target : figure.targets) {
        const auto* head = target.as<tag::Head>();
        if (head)
            heads[scatter.points[static_cast<std::size_t>(4 * head->layer + head->head)].name] =
                middle_of(target);
    }
    for (const auto& [name, at] : heads) {
        INFO(name);
        REQUIRE(names.contains(name));
        const Point own = names[name]; // left, in the middle of its height
        for (const auto& [other, there] : heads) {
            if (other == name || std::abs(there.y - own.y) > 7) continue;
            CHECK((std::abs(at.y - own.y) <= 9 || own.x - there.x > 18 || there.x - own.x > 38));
        }
    }
    CHECK(names["1.1"].x < heads["1.1"].x);
    CHECK(names["1.3"].x > heads["1.3"].x);
}
