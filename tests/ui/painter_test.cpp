// A figure on the screen, read back from the draw list, with and without a graphics card that can.
#include "ui/driver.hpp"

#include "catch.hpp"
#include "ui/paint/figure_painter.hpp"
#include "ui/paint/label_cache.hpp"

#include <algorithm>
#include <cmath>
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

TEST_CASE("a curve's peak reaches no higher than its value") {
    Driver d;
    figure::Figure figure;
    figure.width = figure.height = 100;
    figure::Line curve;
    curve.points = {{10, 90}, {12, 30}, {14, 90}, {60, 85}};
    curve.width = 1.5f;
    figure.items.emplace_back(curve);
    float top = 1e9f, low = -1e9f;
    for (const ImDrawVert& v : vertices(d.renderer, figure)) {
        top = std::min(top, v.pos.y);
        low = std::max(low, v.pos.y);
    }
    CHECK(top > 200 + 2 * 30 - 4); // half its width, and what smooths its edge
    CHECK(top <= 200 + 2 * 30);
    CHECK(low < 200 + 2 * 90 + 4);
}

TEST_CASE("a fill that is as round as can be is a disc") {
    Driver d;
    figure::Figure figure;
    figure.width = figure.height = 100;
    figure.items.emplace_back(figure::Fill{{10, 10, 9, 9}, {255, 0, 0}, 4.5f});
    const auto all = vertices(d.renderer, figure);
    REQUIRE(all.size() > 8);
    for (const ImDrawVert& v : all) {
        const float from_middle =
            std::hypot(v.pos.x - (100 + 2 * 14.5f), v.pos.y - (200 + 2 * 14.5f));
        CHECK(std::abs(from_middle - 9) < 1.2f); // and what smooths its edge
    }
}

TEST_CASE("upright and level pieces of a wire lie on whole pixels") {
    Driver d;
    const auto places = [&](float x) {
        figure::Figure figure;
        figure.width = figure.height = 100;
        figure::Line wire;
        wire.points = {{x, 10}, {x, 50}, {60, 50}};
        figure.items.emplace_back(wire);
        std::vector<std::pair<float, float>> all;
        for (const ImDrawVert& v : vertices(d.renderer, figure))
            all.emplace_back(v.pos.x, v.pos.y);
        return all;
    };
    CHECK(places(10.05f) == places(10.2f)); // within one pixel
    CHECK(places(10.05f) != places(10.6f));
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
    // A sentence across a large screen, at twice the size.
    CHECK(labels.get(std::string(250, 'm'), style, 2).page != 0);
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

namespace {

/// Keeps the pixels that it is given.
class KeepingRenderer final : public ui::Renderer {
  public:
    void begin_frame() override {}
    unsigned make_texture(int, int) override { return 1; }
    void update_texture(unsigned, int, int, int width, int height,
                        const std::uint8_t* rgba) override {
        pixels.assign(rgba, rgba + 4 * width * height);
        across = width;
        ++updates;
    }
    void delete_texture(unsigned) override {}
    bool add_heat(ImDrawList&, ui::HeatJob) override { return false; }
    bool add_clear(ImDrawList&, const figure::Box&, figure::Color) override { return false; }
    /// Whether any pixel is solid and of this colour.
    bool shows(figure::Color color) const {
        for (std::size_t i = 0; i + 3 < pixels.size(); i += 4) {
            if (pixels[i] == color.r && pixels[i + 1] == color.g && pixels[i + 2] == color.b &&
                pixels[i + 3] == 255) {
                return true;
            }
        }
        return false;
    }
    std::vector<std::uint8_t> pixels;
    int updates = 0, across = 0;
};

} // namespace

TEST_CASE("letters beside an emoji have the colour of their text, once for each colour") {
    KeepingRenderer renderer;
    ui::LabelCache labels(renderer);
    const figure::TextStyle style{40};
    const figure::Color ink{10, 20, 30}, other{200, 30, 90};
    const std::string text = "HHH \U0001F600";
    if (!labels.get(text, style, 2, ink).coloured) return; // no font with colours is installed
    CHECK(renderer.shows(ink));
    CHECK_FALSE(renderer.shows(other));
    const float place = labels.get(text, style, 2, ink).u0;
    CHECK(renderer.updates == 1);
    CHECK(labels.get(text, style, 2, other).u0 != place);
    CHECK(renderer.shows(other));
    CHECK(labels.get(text, style, 2, ink).u0 == place);
    CHECK(renderer.updates == 2);
    labels.get("HHH", style, 2, ink);
    labels.get("HHH", style, 2, other);
    CHECK(renderer.updates == 3); // white, and tinted where it is drawn
}

TEST_CASE("a label lies in a transparent margin, whatever lay beside it before") {
    KeepingRenderer renderer;
    ui::LabelCache labels(renderer);
    const ui::Label& label = labels.get("HHH", {40}, 2);
    REQUIRE(renderer.across == label.width + 2);
    const int down = static_cast<int>(renderer.pixels.size()) / 4 / renderer.across;
    REQUIRE(down == label.height + 2);
    const auto alpha = [&](int x, int y) {
        return renderer.pixels[static_cast<std::size_t>(4 * (y * renderer.across + x) + 3)];
    };
    for (int x = 0; x < renderer.across; ++x) CHECK(alpha(x, 0) + alpha(x, down - 1) == 0);
    for (int y = 0; y < down; ++y) CHECK(alpha(0, y) + alpha(renderer.across - 1, y) == 0);
}
