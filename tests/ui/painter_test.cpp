// A figure on the screen, read back from the draw list, with and without a graphics card that can.
#include "ui/driver.hpp"

#include "catch.hpp"
#include "ui/figure_painter.hpp"
#include "ui/label_cache.hpp"

#include <algorithm>
#include <set>

using namespace heed;
using ui::test::Driver;

namespace {

figure::Figure one_heat(std::vector<figure::Index> hatched) {
    figure::Matrix<float> values(2, 3);
    values << 0, 0.25f, 0.5f, 0.75f, 1, 0.1f;
    figure::Heat heat;
    heat.box = {10, 20, 60, 40};
    heat.values = std::make_shared<const figure::Matrix<float>>(values);
    heat.hatched_rows = std::move(hatched);
    figure::Figure result;
    result.width = 100;
    result.height = 100;
    result.items.emplace_back(std::move(heat));
    return result;
}

/// Draws into a list of its own and returns the vertices.
std::vector<ImDrawVert> vertices(ui::Renderer& renderer, const figure::Figure& figure) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTextureID(ImGui::GetIO().Fonts->TexID);
    list.PushClipRectFullScreen();
    ui::LabelCache labels(renderer);
    ui::FigurePainter(renderer, labels).paint(figure, list, {100, 200}, 2);
    return {list.VtxBuffer.begin(), list.VtxBuffer.end()};
}

bool has_color(const std::vector<ImDrawVert>& all, figure::Color color) {
    return std::any_of(all.begin(), all.end(),
                       [&](const ImDrawVert& v) { return v.col == ui::packed(color); });
}

} // namespace

TEST_CASE("heat is handed to the renderer in its own place") {
    Driver d;
    d.renderer.begin_frame();
    const auto all = vertices(d.renderer, one_heat({}));
    CHECK(all.empty());
    REQUIRE(d.renderer.jobs.size() == 1);
    CHECK(d.renderer.jobs[0].box == figure::Box{120, 240, 120, 80});
}

TEST_CASE("without shaders every cell is a rectangle of its table colour") {
    Driver d;
    d.renderer.told_trouble = "the shader heat.frag does not compile here";
    const figure::Figure figure = one_heat({});
    const auto& values = *std::get<figure::Heat>(figure.items[0]).values;
    const auto all = vertices(d.renderer, figure);
    for (figure::Index i = 0; i < values.size(); ++i) {
        CHECK(has_color(all, figure::colour_of(figure::PaletteId::amber, values.data()[i], 0, 1)));
    }
    d.settle();
    CHECK(d.shows("does not compile here"));
    CHECK(d.shows("because"));
}

TEST_CASE("a row without distribution is hatched") {
    Driver d;
    const auto plain = vertices(d.renderer, one_heat({}));
    const auto hatched = vertices(d.renderer, one_heat({1, 7}));
    CHECK(plain.empty());
    REQUIRE_FALSE(hatched.empty());
    const figure::Color ground = figure::colour_of(figure::PaletteId::amber, 0.75f, 0, 1);
    CHECK(has_color(hatched, figure::mixed(ground, figure::ink_on(ground), 0.4f)));
}

TEST_CASE("labels are kept by text, style and scale, and their pages never overflow") {
    Driver d;
    ui::LabelCache labels(d.renderer);
    const figure::TextStyle style{13};
    const ui::Label first = labels.get("\u6ce8\u610f", style, 1);
    CHECK(first.page != 0);
    CHECK(labels.get("\u6ce8\u610f", style, 1).u0 == first.u0);
    CHECK(labels.size() == 1);
    CHECK(labels.get("\u6ce8\u610f", style, 2).width > first.width);
    CHECK(labels.get("\u6ce8\u610f", {20}, 1).extent.width > first.extent.width);
    std::set<std::tuple<unsigned, float, float>> places;
    for (int i = 0; i < 3000; ++i) {
        const ui::Label& label = labels.get("word " + std::to_string(i), {24}, 2);
        if (label.page == 0) continue;
        CHECK(label.u1 <= 1);
        CHECK(label.v1 <= 1);
        CHECK(places.insert({label.page, label.u0, label.v0}).second);
    }
    labels.begin_frame();
    CHECK(labels.get("again", style, 1).page != 0);
}
