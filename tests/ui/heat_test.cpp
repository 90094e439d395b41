// Pictures drawn off-screen: the heat-map shader against the colour table, pixel by pixel, and the
// whole window. The suite runs these on the default software driver and again on softpipe, which
// is OpenGL 3.3 and no more.
#include "app/views/view_figure.hpp"
#include "ui/paint/gl_renderer.hpp"
#include "ui/paint/shader_source.hpp"
#include "ui/window/offscreen.hpp"

#include "catch.hpp"
#include "ui/stage/map_panel.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace heed;
using figure::Color;
using figure::PaletteId;

namespace {

constexpr int kSide = 256;

std::unique_ptr<ui::OffscreenContext> context() {
    auto opened = ui::OffscreenContext::open(kSide, kSide);
    if (!opened) FAIL(base::describe(opened.error()));
    return std::move(*opened);
}

Color colour_at(const std::vector<std::uint8_t>& pixels, int x, int y) {
    const auto i = static_cast<std::size_t>(y * kSide + x) * 4;
    return {pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]};
}

/// A matrix of every kind of value, ends and halves of the table among them.
std::shared_ptr<const figure::Matrix<float>> values(int rows, int cols, float low, float high) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> draw(low - 0.2f * (high - low),
                                               high + 0.2f * (high - low));
    figure::Matrix<float> m(rows, cols);
    for (figure::Index i = 0; i < m.size(); ++i) m.data()[i] = draw(random);
    m(0, 0) = std::numeric_limits<float>::quiet_NaN();
    m(0, 1) = std::numeric_limits<float>::infinity();
    m(1, 0) = -std::numeric_limits<float>::infinity();
    m(1, 1) = low;
    m(2, 0) = high;
    m(2, 1) = 0.5f * (low + high);
    return std::make_shared<const figure::Matrix<float>>(std::move(m));
}

/// Whether the value lies so near to a boundary of two table entries that the last bit of a
/// division decides; GLSL does not promise that bit.
bool on_the_edge(float value, float low, float high) {
    const float place = (value - low) / (high - low) * 255.0f + 0.5f;
    return std::abs(place - std::round(place)) < 1e-3f;
}

} // namespace

TEST_CASE("every pixel of a heat map has the colour of its table entry", "[gl]") {
    const auto gl = context();
    ui::GlRenderer renderer;
    REQUIRE(renderer.trouble() == "");
    for (const PaletteId palette : figure::kPalettes) {
        for (const auto& [low, high] : {std::pair(0.0f, 1.0f), std::pair(-3.0f, 5.0f)}) {
            const auto m = values(16, 32, low, high);
            glDisable(GL_SCISSOR_TEST);
            glClearColor(0, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            renderer.begin_frame();
            // 5 × 7 pixels a cell, off the corner.
            const figure::Box box{11, 23, 32 * 5, 16 * 7};
            renderer.draw_heat({m, palette, low, high, box, {0, 0, 16, 32}}, box, kSide, kSide);
            const auto pixels = gl->read_pixels();
            int compared = 0;
            for (int y = 0; y < 16 * 7; ++y) {
                for (int x = 0; x < 32 * 5; ++x) {
                    const float value = (*m)(y / 7, x / 5);
                    if (std::isfinite(value) && value > low && value < high &&
                        on_the_edge(value, low, high)) {
                        continue;
                    }
                    const Color expected = figure::colour_of(palette, value, low, high);
                    if (!(colour_at(pixels, 11 + x, 23 + y) == expected)) {
                        INFO("palette " << figure::name(palette) << " value " << value << " at "
                                        << x << "," << y);
                        REQUIRE(colour_at(pixels, 11 + x, 23 + y) == expected);
                    }
                    ++compared;
                }
            }
            CHECK(compared > 16 * 32 * 35 * 9 / 10);
            CHECK(colour_at(pixels, 10, 30) == Color{0, 0, 0, 255});
            CHECK(colour_at(pixels, 11 + 160, 30) == Color{0, 0, 0, 255});
        }
    }
}

TEST_CASE("no peak vanishes where cells are smaller than pixels", "[gl]") {
    const auto gl = context();
    ui::GlRenderer renderer;
    figure::Matrix<float> m = figure::Matrix<float>::Zero(1000, 700);
    std::mt19937 random(3);
    for (int i = 0; i < 40; ++i) {
        m(static_cast<int>(random() % 1000), static_cast<int>(random() % 700)) = 1;
    }
    const auto shared = std::make_shared<const figure::Matrix<float>>(m);
    const figure::Box box{0, 0, 100, 100};
    renderer.draw_heat({shared, PaletteId::amber, 0, 1, box, {0, 0, 1000, 700}}, box, kSide, kSide);
    const auto pixels = gl->read_pixels();
    const Color peak = figure::colour_of(PaletteId::amber, 1, 0, 1);
    for (int row = 0; row < 1000; ++row) {
        for (int col = 0; col < 700; ++col) {
            if (m(row, col) == 0) continue;
            INFO(row << "," << col);
            CHECK(colour_at(pixels, col * 100 / 700, row * 100 / 1000) == peak);
        }
    }
    // Signed values keep what is farthest from the middle, whichever side it is on.
    figure::Matrix<float> s = figure::Matrix<float>::Constant(1000, 1000, 0.1f);
    s(555, 555) = -1;
    const auto negative = std::make_shared<const figure::Matrix<float>>(s);
    renderer.draw_heat({negative, PaletteId::diverging, -1, 1, box, {0, 0, 1000, 1000}}, box, kSide,
                       kSide);
    CHECK(colour_at(gl->read_pixels(), 55, 55) ==
          figure::colour_of(PaletteId::diverging, -1, -1, 1));
}

TEST_CASE("a matrix that is shown no more leaves the graphics card", "[gl]") {
    const auto gl = context();
    ui::GlRenderer renderer;
    const figure::Box box{0, 0, 64, 64};
    renderer.draw_heat({values(8, 8, 0, 1), PaletteId::grey, 0, 1, box, {0, 0, 8, 8}}, box, kSide,
                       kSide);
    CHECK(renderer.textures_held() == 1);
    for (int i = 0; i < 4; ++i) renderer.begin_frame();
    CHECK(renderer.textures_held() == 0);
}

TEST_CASE("shaders that do not compile are told, and heat maps are refused", "[gl]") {
    const auto gl = context();
    ui::GlRenderer renderer(ui::shader_source::box_vert, "#version 330 core\nnonsense");
    CHECK(renderer.trouble().find("heat.frag") != std::string::npos);
    CHECK(renderer.trouble().find("does not compile") != std::string::npos);
}

TEST_CASE("a picture beyond what the card takes is an error, not a crash", "[gl]") {
    const auto opened = ui::OffscreenContext::open(1 << 20, 16);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().kind == base::ErrorKind::out_of_range);
}

namespace {

app::Document small_document() {
    app::Document d;
    models::spec_of(d.model)->d_model = 64;
    models::spec_of(d.model)->n_heads = 4;
    models::spec_of(d.model)->n_encoder_layers = models::spec_of(d.model)->n_decoder_layers = 2;
    models::spec_of(d.model)->d_ff = 128;
    return d;
}

std::vector<std::uint8_t> window_pixels(const app::Document& document, bool dark, float scale) {
    app::ViewState view;
    view.dark = dark;
    auto opened = ui::Offscreen::open(1280, 800, scale, document, {}, view);
    if (!opened) FAIL(base::describe(opened.error()));
    (*opened)->shell().state.timings = false;
    (*opened)->settle();
    return (*opened)->pixels();
}

} // namespace

TEST_CASE("the same window gives the same pixels twice, in light and dark", "[gl]") {
    for (const bool dark : {false, true}) {
        const auto first = window_pixels(small_document(), dark, 1);
        CHECK(first == window_pixels(small_document(), dark, 1));
        // The middle of the top bar's accent button, and the bar itself.
        const figure::Theme& theme = dark ? figure::dark_theme() : figure::light_theme();
        const auto pixel = [&](int x, int y) {
            const auto i = static_cast<std::size_t>(y * 1280 + x) * 4;
            return Color{first[i], first[i + 1], first[i + 2]};
        };
        CHECK(pixel(1280 - 16 - 68, 24) == theme.accent);
        CHECK(pixel(4, 4) == theme.panel);
    }
}

TEST_CASE("the large map on the screen has the table's colours", "[gl]") {
    app::ViewState view;
    view.numbers = false;
    auto opened = ui::Offscreen::open(1280, 800, 1, small_document(), {}, view);
    if (!opened) FAIL(base::describe(opened.error()));
    ui::Offscreen& window = **opened;
    window.settle();
    window.shell().state.view.selected.reset(); // whose lines lie over cells
    window.settle();
    const auto pixels = window.pixels();
    const auto& snapshot = window.shell().work.snapshot();
    figure::Box place{};
    for (const ui::Widget& w : window.shell().ui.widgets()) {
        if (w.id == "picture") place = w.box;
    }
    view.caption = false;
    const figure::Figure picture =
        app::make_figure(snapshot, view, ui::main_place(place.w, place.h, window.shell().state));
    int compared = 0;
    for (const figure::Target& target : picture.targets) {
        if (!target.as<figure::tag::Cells>()) continue;
        for (figure::Index r = 0; r < snapshot.map->rows(); ++r) {
            for (figure::Index c = 0; c < snapshot.map->cols(); ++c) {
                const float value = (*snapshot.map)(r, c);
                if (on_the_edge(value, 0, 1)) continue;
                const float w = target.box.w / static_cast<float>(snapshot.map->cols());
                const float h = target.box.h / static_cast<float>(snapshot.map->rows());
                const auto x =
                    static_cast<int>(place.x + target.box.x + (static_cast<float>(c) + 0.5f) * w);
                const auto y =
                    static_cast<int>(place.y + target.box.y + (static_cast<float>(r) + 0.5f) * h);
                const auto i = static_cast<std::size_t>(y * 1280 + x) * 4;
                CHECK(Color{pixels[i], pixels[i + 1], pixels[i + 2]} ==
                      figure::colour_of(PaletteId::amber, value, 0, 1));
                ++compared;
            }
        }
    }
    CHECK(compared > 90);
}

TEST_CASE("a part of a matrix fills its box, parts of cells at its edges", "[gl]") {
    const auto gl = context();
    ui::GlRenderer renderer;
    const auto m = values(64, 64, 0, 1);
    const figure::Viewport shown{10.5f, 20.25f, 8, 10};
    const figure::Box box{16, 32, 200, 160}; // 20 × 20 pixels a cell
    renderer.begin_frame();
    renderer.draw_heat({m, PaletteId::amber, 0, 1, box, shown}, box, kSide, kSide);
    const auto pixels = gl->read_pixels();
    int compared = 0;
    for (int y = 0; y < 160; ++y) {
        for (int x = 0; x < 200; ++x) {
            const float row = shown.row + (static_cast<float>(y) + 0.5f) / 20;
            const float col = shown.col + (static_cast<float>(x) + 0.5f) / 20;
            const float value = (*m)(static_cast<int>(row), static_cast<int>(col));
            if (value > 0 && value < 1 && on_the_edge(value, 0, 1)) continue;
            const Color expected = figure::colour_of(PaletteId::amber, value, 0, 1);
            if (!(colour_at(pixels, 16 + x, 32 + y) == expected)) {
                INFO(x << "," << y);
                REQUIRE(colour_at(pixels, 16 + x, 32 + y) == expected);
            }
            ++compared;
        }
    }
    CHECK(compared > 31000);
    CHECK(renderer.textures_held() == 1);
}

TEST_CASE("large fills end at their boxes and lie below what is drawn after them", "[gl]") {
    auto opened = ui::Offscreen::open(900, 700, 1, {}, {}, {});
    if (!opened) FAIL(base::describe(opened.error()));
    ui::Offscreen& window = **opened;
    window.settle();
    const auto pixels = window.pixels();
    const auto color_at = [&](float x, float y) {
        const auto i = static_cast<std::size_t>(y) * 900 + static_cast<std::size_t>(x);
        return Color{pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2], pixels[4 * i + 3]};
    };
    const figure::Theme& theme = window.shell().ui.theme();
    const auto& widgets = window.shell().ui.widgets();
    const auto picture = std::find_if(widgets.begin(), widgets.end(),
                                      [](const ui::Widget& w) { return w.id == "picture"; });
    REQUIRE(picture != widgets.end());
    const figure::Box& box = picture->box;
    CHECK(color_at(2, 400) == theme.panel);
    CHECK(color_at(box.x + 2, box.y + 2) == theme.ground);
    CHECK(color_at(box.x + box.w - 2, box.y + 2) == theme.ground);
    CHECK(color_at(box.x + box.w + 4, 697) == theme.panel);
    const auto tab = std::find_if(widgets.begin(), widgets.end(),
                                  [](const ui::Widget& w) { return w.id == "export"; });
    REQUIRE(tab != widgets.end());
    CHECK(color_at(tab->box.x + 6, tab->box.y + 6) == theme.accent);
}
