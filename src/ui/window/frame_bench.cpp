#include "ui/window/frame_bench.hpp"

#include "figure/base/viewport.hpp"
#include "ui/window/offscreen.hpp"
#include "ui/window/shell.hpp"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

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

/// 144 heads of each kind, of a model that runs in no time.
app::Document document_of_144() {
    app::Document document = base_document();
    models::ModelSpec model;
    model.n_heads = model.n_encoder_layers = 12;
    model.d_model = 12 * 8;
    model.d_ff = 64;
    document.model = model;
    return document;
}

/// The largest map, of a model as small as can be.
app::Document large_document() {
    app::Document document;
    document.model = models::narrowest();
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
        look();
        cases.push_back(
            {name, tokens, 1, median_ms(options_.repetitions * kStepsARepetition, step), 0});
    }

    /// Notes where everything is in the large picture.
    void look() {
        Canvas& canvas = window_.shell().ui.canvas;
        canvas.keeps_painted = true;
        frame();
        canvas.keeps_painted = false;
        targets_ = canvas.painted().front().targets;
    }

    /// Drawn, and not only asked for.
    void frame() {
        window_.shell().wake();
        window_.frame();
        glFinish();
    }
    void whole_frame() {
        window_.retained().forget();
        frame();
    }

    /// Frames until the map that the last input asks for is on the screen.
    void frame_with_new_map() {
        const std::uint64_t before = window_.shell().work.requested_revision();
        for (int i = 0; i < 4 && window_.shell().work.requested_revision() == before; ++i) frame();
        window_.wait_for_map();
        frame();
    }

    /// Moves and draws, as many frames a second as a window does, until so many newer maps were on
    /// the screen.
    void drag_to_new_maps(int count, const std::function<void(int)>& move) {
        constexpr std::chrono::microseconds kBeat{16667};
        auto next = std::chrono::steady_clock::now();
        std::uint64_t last = window_.shell().work.snapshot().revision;
        for (int i = 0; i < count * kMostFrames && count > 0; ++i) {
            std::this_thread::sleep_until(next);
            next = std::max(next + kBeat, std::chrono::steady_clock::now());
            move(++dragged_);
            frame();
            if (std::exchange(last, window_.shell().work.snapshot().revision) !=
                window_.shell().work.snapshot().revision) {
                --count;
            }
        }
    }

    /// The time of a map: their number in a while, not a beat of the screen.
    void measure_drag(Cases& cases, const std::string& name, const std::function<void(int)>& move) {
        constexpr int kMaps = 4;
        measure(cases, name, kTokens, [&](int) { drag_to_new_maps(kMaps, move); });
        if (!cases.empty() && cases.back().name == name) cases.back().median_ms /= kMaps;
    }

    /// The place of a cell of the large map in the window, as it was looked at last.
    figure::Box cell(int row, int col) {
        const Box place = widget("picture");
        for (const figure::Target& target : targets_) {
            if (!target.as<figure::tag::Cells>()) continue;
            const Box box = figure::cell_box(target, row, col);
            return {place.x + box.x, place.y + box.y, box.w, box.h};
        }
        return place;
    }

    /// The middle of what stands for a token of the rows in the large picture.
    figure::Point row_label(int query) {
        const Box place = widget("picture");
        for (const figure::Target& target : targets_) {
            const auto* label = target.as<figure::tag::RowLabel>();
            if (!label || label->query != query) continue;
            const Box& b = target.box;
            return {place.x + b.x + b.w / 2, place.y + b.y + b.h / 2};
        }
        return {place.x, place.y};
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
    std::vector<figure::Target> targets_;
    int dragged_ = 0; // frames
};

void frames(FrameBench& bench, Cases& cases, const std::string& name) {
    bench.measure(cases, name, kTokens, [&](int i) {
        const Box cell = bench.cell(i % kTokens, (3 * i) % kTokens);
        shim::move_mouse(cell.x + cell.w / 2, cell.y + cell.h / 2);
        bench.frame();
    });
    bench.measure(cases, name + "/idle", kTokens, [&](int) { bench.frame(); });
    bench.measure(cases, name + "/whole", kTokens, [&](int) { bench.whole_frame(); });
}

void slider(FrameBench& bench, Cases& cases) {
    const Box box = bench.widget("temperature");
    const float y = box.y + box.h / 2;
    const auto place = [&](int i) {
        return box.x + box.w * (0.3f + 0.004f * static_cast<float>(i % 100));
    };
    const auto move = [&](int i) { shim::move_mouse(place(i), y); };
    bench.press(place(0), y);
    bench.measure_drag(cases, "slider/base/32", move);
    bench.measure(cases, "slider/base/32/latency", kTokens, [&](int i) {
        move(i);
        bench.frame_with_new_map();
    });
    bench.release();
}

void weight(FrameBench& bench, Cases& cases) {
    bench.look();
    const Box cell = bench.cell(2, 3);
    const float x = cell.x + cell.w / 2, y = cell.y + cell.h / 2;
    shim::set_modifiers(false, false, true);
    const auto move = [&](int i) { shim::move_mouse(x, y - 20 - static_cast<float>(i % 50)); };
    bench.press(x, y);
    bench.measure_drag(cases, "weight/base/32", move);
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
    viewport.reset();
    shell.state.view.view = app::View::lines;
    for (const bool columns : {false, true}) {
        shell.state.view.columns = columns;
        const char* name = columns ? "map/2048/columns" : "map/2048/lines";
        bench.measure(cases, name, kAll, [&](int i) {
            const auto at = bench.row_label(7 * (i % 290));
            shim::move_mouse(at.x, at.y);
            bench.frame();
        });
    }
}

using Opened = base::Result<std::unique_ptr<Offscreen>>;

Opened open(app::Document document) {
    return Offscreen::open(kWidth, kHeight, 1, std::move(document), {}, {});
}

} // namespace

base::Result<Cases> bench_frames(const BenchOptions& options) {
    Cases cases;
    if (maybe_wanted(options, "frame/explore") || maybe_wanted(options, "slider/") ||
        maybe_wanted(options, "weight/")) {
        const Opened window = open(base_document());
        if (!window) return tl::make_unexpected(window.error());
        FrameBench bench(options, **window);
        (*window)->settle();
        frames(bench, cases, "frame/explore");
        if (maybe_wanted(options, "slider/")) slider(bench, cases);
        if (maybe_wanted(options, "weight/")) weight(bench, cases);
    }
    if (maybe_wanted(options, "frame/144")) {
        const Opened window = open(document_of_144());
        if (!window) return tl::make_unexpected(window.error());
        FrameBench bench(options, **window);
        (*window)->settle();
        frames(bench, cases, "frame/144");
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
