#include "ui/frame_bench.hpp"

#include "figure/viewport.hpp"
#include "ui/offscreen.hpp"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace heed::ui {

using app::BenchCase;
using app::BenchOptions;

namespace {

using Cases = std::vector<BenchCase>;

constexpr int kWidth = 1280, kHeight = 800;
constexpr int kTokens = 32;
constexpr int kStepsARepetition = 8;
constexpr int kMostFrames = 200; // a bound, should no map come

std::string sentence(int tokens) {
    std::string text;
    for (int i = 0; i < tokens; ++i) text += fmt::format("word{} ", i % 97);
    return text;
}

app::Document base_document() {
    app::Document document;
    document.source = document.target = sentence(kTokens);
    return document;
}

/// The largest map, of a model as small as can be.
app::Document large_document() {
    app::Document document;
    document.model.d_model = 64;
    document.model.n_heads = 4;
    document.model.n_encoder_layers = document.model.n_decoder_layers = 1;
    document.model.d_ff = 64;
    document.source = sentence(static_cast<int>(models::kMaxTokens));
    return document;
}

bool maybe_wanted(const BenchOptions& options, std::string_view name) {
    return name.starts_with(options.only) || std::string_view(options.only).starts_with(name);
}

double median_ms(int count, const std::function<void(int)>& step) {
    step(0); // not counted
    std::vector<double> times;
    for (int i = 1; i <= count; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        step(i);
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - begin;
        times.push_back(time.count());
    }
    const auto middle = times.begin() + count / 2;
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

class FrameBench {
  public:
    FrameBench(const BenchOptions& options, Offscreen& window)
        : options_(options), window_(window) {}

    void measure(Cases& cases, const std::string& name, int tokens,
                 const std::function<void(int)>& step) {
        if (!name.starts_with(options_.only)) return;
        window_.settle();
        cases.push_back(
            {name, tokens, 1, median_ms(options_.repetitions * kStepsARepetition, step), 0});
    }

    /// Drawn, and not only asked for.
    void frame() {
        window_.shell().wake();
        window_.frame();
        glFinish();
    }

    /// Frames until the map that the last input asks for is on the screen.
    void frame_with_new_map() {
        const std::uint64_t before = window_.shell().work.requested_revision();
        for (int i = 0; i < 4 && window_.shell().work.requested_revision() == before; ++i) frame();
        window_.wait_for_map();
        frame();
    }

    /// Moves and draws, a frame after the other, until a newer map is on the screen.
    void drag_to_new_map(const std::function<void(int)>& move) {
        const std::uint64_t before = window_.shell().work.snapshot().revision;
        for (int i = 0; i < kMostFrames; ++i) {
            move(++dragged_);
            frame();
            if (window_.shell().work.snapshot().revision != before) return;
        }
    }

    /// The place of a cell of the large map in the window.
    figure::Box cell(int row, int col) {
        const Box place = widget("picture");
        for (const auto& target : window_.shell().ui.canvas.painted().front()->targets) {
            if (target.tag.kind != figure::Tag::Kind::cells) continue;
            const Box box = figure::cell_box(target, row, col);
            return {place.x + box.x, place.y + box.y, box.w, box.h};
        }
        return place;
    }

    Box widget(const std::string& id) {
        const auto& widgets = window_.shell().ui.widgets();
        const auto at = std::find_if(widgets.begin(), widgets.end(),
                                     [&](const Widget& w) { return w.id == id; });
        return at == widgets.end() ? Box{} : at->box;
    }

    void press(float x, float y) {
        shim::move_mouse(x, y);
        window_.settle();
        shim::press_mouse(0, true);
        frame();
        frame();
    }
    void release() {
        shim::press_mouse(0, false);
        window_.settle();
    }

  private:
    const BenchOptions& options_;
    Offscreen& window_;
    int dragged_ = 0; // frames
};

void explore(FrameBench& bench, Cases& cases) {
    bench.measure(cases, "frame/explore", kTokens, [&](int i) {
        const Box cell = bench.cell(i % kTokens, (3 * i) % kTokens);
        shim::move_mouse(cell.x + cell.w / 2, cell.y + cell.h / 2);
        bench.frame();
    });
    bench.measure(cases, "frame/explore/idle", kTokens, [&](int) { bench.frame(); });
}

void slider(FrameBench& bench, Cases& cases) {
    const Box box = bench.widget("temperature");
    const float y = box.y + box.h / 2;
    const auto place = [&](int i) {
        return box.x + box.w * (0.3f + 0.004f * static_cast<float>(i % 100));
    };
    const auto move = [&](int i) { shim::move_mouse(place(i), y); };
    bench.press(place(0), y);
    bench.measure(cases, "slider/base/32", kTokens, [&](int) { bench.drag_to_new_map(move); });
    bench.measure(cases, "slider/base/32/latency", kTokens, [&](int i) {
        move(i);
        bench.frame_with_new_map();
    });
    bench.release();
}

void weight(FrameBench& bench, Cases& cases) {
    const Box cell = bench.cell(2, 3);
    const float x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
    shim::set_modifiers(false, false, true);
    const auto move = [&](int i) { shim::move_mouse(x, y - 20 - static_cast<float>(i % 50)); };
    bench.press(x, y);
    bench.measure(cases, "weight/base/32", kTokens, [&](int) { bench.drag_to_new_map(move); });
    bench.measure(cases, "weight/base/32/latency", kTokens, [&](int i) {
        move(i);
        bench.frame_with_new_map();
    });
    bench.release();
    shim::set_modifiers(false, false, false);
}

void large_map(FrameBench& bench, Shell& shell, Cases& cases) {
    constexpr int kAll = static_cast<int>(models::kMaxTokens);
    auto& viewport = shell.state.view.viewport;
    bench.measure(cases, "map/2048/pan", kAll, [&](int i) {
        const auto from = static_cast<float>(i % 100) * 5;
        viewport = figure::Viewport{from, from, 1500, 1500};
        bench.frame();
    });
    bench.measure(cases, "map/2048/zoom", kAll, [&](int i) {
        const float side = kAll * std::pow(0.97f, static_cast<float>(i % 100));
        viewport = figure::Viewport{0, 0, side, side};
        bench.frame();
    });
}

using Opened = base::Result<std::unique_ptr<Offscreen>>;

Opened open(app::Document document) {
    return Offscreen::open(kWidth, kHeight, 1, std::move(document), {}, {});
}

} // namespace

base::Result<Cases> bench_frames(const BenchOptions& options) {
    Cases cases;
    if (maybe_wanted(options, "frame/") || maybe_wanted(options, "slider/") ||
        maybe_wanted(options, "weight/")) {
        const Opened window = open(base_document());
        if (!window) return tl::make_unexpected(window.error());
        FrameBench bench(options, **window);
        (*window)->settle();
        explore(bench, cases);
        if (maybe_wanted(options, "slider/")) slider(bench, cases);
        if (maybe_wanted(options, "weight/")) weight(bench, cases);
    }
    if (maybe_wanted(options, "map/")) {
        const Opened window = open(large_document());
        if (!window) return tl::make_unexpected(window.error());
        FrameBench bench(options, **window);
        large_map(bench, (*window)->shell(), cases);
    }
    return cases;
}

} // namespace heed::ui
