// How long the window takes for a frame of the largest map: run by name, on a quiet machine.
#include "ui/window/offscreen.hpp"

#include "catch.hpp"

#include <fmt/format.h>

#include <chrono>

using namespace heed;

TEST_CASE("a map of 2048 tokens pans and zooms", "[.speed]") {
    app::Document document;
    models::spec_of(document.model)->d_model = 64;
    models::spec_of(document.model)->n_heads = 4;
    models::spec_of(document.model)->n_encoder_layers =
        models::spec_of(document.model)->n_decoder_layers = 1;
    models::spec_of(document.model)->d_ff = 64;
    document.source.clear();
    for (int i = 0; i < 2048; ++i) document.source += fmt::format("word{} ", i % 97);
    auto opened = ui::Offscreen::open(1280, 800, 1, document, {}, {});
    if (!opened) FAIL(base::describe(opened.error()));
    ui::Offscreen& window = **opened;
    window.settle();
    const auto frame_ms = [&] {
        const auto begin = std::chrono::steady_clock::now();
        window.frame();
        static_cast<void>(window.pixels()); // waits for what was drawn
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
            .count();
    };
    auto& viewport = window.shell().state.view.viewport;
    for (const float side : {2048.0f, 1500.0f, 1000.0f, 500.0f, 100.0f, 20.0f}) {
        double worst = 0, sum = 0;
        for (int i = 0; i < 40; ++i) {
            const float from = static_cast<float>(i) * (2048 - side) / 80;
            viewport = figure::Viewport{from, from, side, side};
            const double ms = frame_ms();
            sum += ms;
            worst = std::max(worst, ms);
        }
        WARN(fmt::format("{} cells a side: {:.1f} ms a frame, at most {:.1f}", side, sum / 40,
                         worst));
    }
    CHECK(window.shell().work.snapshot().map->rows() == 2048);
}
