#include "catch.hpp"

#include "figure/parts/head_scatter.hpp"
#include "texts.hpp"

#include <algorithm>

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
    Frame frame;
    frame.width = width;
    frame.height = height;
    frame.theme = &light_theme();
    return head_scatter(scatter, frame);
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
        if (target.tag.kind == Tag::Kind::head) heads.push_back(target);
    }
    REQUIRE(heads.size() == 12);
    const auto of = [&](int i) {
        const auto found = std::ranges::find_if(
            heads, [&](const Target& t) { return t.tag.a == i / 4 && t.tag.b == i % 4; });
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
    CHECK(hit->tag == Tag{Tag::Kind::head, 1, 3});
    // The selected one lies above the others.
    CHECK(heads.back().tag == Tag{Tag::Kind::head, 1, 2});
}

TEST_CASE("the axes are named with their formulas, and can be pointed at") {
    const Figure figure = drawn(twelve_heads());
    const std::string words = dump(figure);
    for (const char* part : {"Previous token →", "Induction ↑", "mean A(i, i−1)", "head6"}) {
        CHECK(words.find(part) != std::string::npos);
    }
    CHECK(std::ranges::count_if(figure.targets, [](const Target& t) {
              return t.tag.kind == Tag::Kind::control;
          }) == 2);
}

TEST_CASE("heads that stand back have no name, and a scatter of none says so") {
    HeadScatter scatter = twelve_heads();
    for (auto& point : scatter.points) point.faded = true;
    CHECK(dump(drawn(scatter)).find("head3") == std::string::npos);
    scatter.points.clear();
    CHECK(dump(drawn(scatter)).find("No head of this kind has both scores") != std::string::npos);
    drawn(scatter, 90, 60); // too small for a chart
}
