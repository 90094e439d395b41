// Which parts of a frame are drawn again, and that they and the frame before make the same picture
// as drawing all of it.
#include "ui/paint/damage.hpp"
#include "ui/window/offscreen.hpp"

#include "catch.hpp"
#include "ui/explore/explore_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace heed;
using ui::Damage;
using ui::PixelBox;

namespace {

constexpr int kWidth = 640, kHeight = 400;

/// Draw data without a window: one list, filled by the caller.
class Drawing {
  public:
    Drawing() {
        context_ = ImGui::CreateContext();
        list_ = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
    }
    ~Drawing() {
        list_.reset();
        ImGui::DestroyContext(context_);
    }
    Drawing(const Drawing&) = delete;
    Drawing& operator=(const Drawing&) = delete;

    /// What differs from the call before.
    std::vector<PixelBox> frame(const std::function<void(ImDrawList&)>& draw, ImU32 ground = 7) {
        list_->_ResetForNewFrame();
        list_->PushClipRect({0, 0}, {kWidth, kHeight});
        draw(*list_);
        list_->PopClipRect();
        ImDrawList* lists[] = {list_.get()};
        ImDrawData data;
        data.DisplaySize = {kWidth, kHeight};
        data.FramebufferScale = {1, 1};
        data.CmdListsCount = 1;
#if IMGUI_VERSION_NUM < 18980
        data.CmdLists = lists;
#else
        data.CmdLists.push_back(lists[0]);
#endif
        return damage.keep_changes(data, ground, [](const ImDrawCmd&) { return std::nullopt; });
    }
    const ImVector<ImDrawCmd>& left() const { return list_->CmdBuffer; }

    Damage damage;

  private:
    ImGuiContext* context_;
    std::unique_ptr<ImDrawList> list_;
};

bool covers(const std::vector<PixelBox>& boxes, int x, int y) {
    return std::any_of(boxes.begin(), boxes.end(), [&](const PixelBox& b) {
        return x >= b.left && x < b.right && y >= b.top && y < b.bottom;
    });
}

long area(const std::vector<PixelBox>& boxes) {
    long sum = 0;
    for (const PixelBox& b : boxes) sum += long(b.right - b.left) * (b.bottom - b.top);
    return sum;
}

/// "12 bytes differ, by 3 at most, from 10,20 to 30,40"; empty where none does by more than
/// `slack`.
std::string difference(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b,
                       int width, int slack) {
    int count = 0, largest = 0;
    PixelBox at{INT_MAX, INT_MAX, 0, 0};
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::abs(a[i] - b[i]) <= slack) continue;
        ++count;
        largest = std::max(largest, std::abs(a[i] - b[i]));
        const int x = static_cast<int>(i / 4) % width, y = static_cast<int>(i / 4) / width;
        at = {std::min(at.left, x), std::min(at.top, y), std::max(at.right, x),
              std::max(at.bottom, y)};
    }
    if (count == 0) return "";
    return fmt::format("{} bytes differ, by {} at most, from {},{} to {},{}", count, largest,
                       at.left, at.top, at.right, at.bottom);
}

void two_boxes(ImDrawList& list, float x, ImU32 color) {
    list.AddRectFilled({10, 10}, {600, 50}, IM_COL32(200, 100, 50, 255));
    list.AddRectFilled({x, 200}, {x + 20, 220}, color);
}

} // namespace

TEST_CASE("the first frame is drawn whole, the same one again not at all") {
    Drawing d;
    const auto draw = [](ImDrawList& list) { two_boxes(list, 100, IM_COL32_WHITE); };
    CHECK(d.frame(draw) == std::vector<PixelBox>{{0, 0, kWidth, kHeight}});
    CHECK(d.frame(draw).empty());
    CHECK(d.left().empty());
    CHECK(area(d.frame(draw, 8)) == long(kWidth) * kHeight); // upon another ground
    d.damage.forget();
    CHECK(area(d.frame(draw, 8)) == long(kWidth) * kHeight);
}

TEST_CASE("what moves is drawn again where it was and where it is") {
    Drawing d;
    d.frame([](ImDrawList& list) { two_boxes(list, 100, IM_COL32_WHITE); });
    const auto moved = d.frame([](ImDrawList& list) { two_boxes(list, 400, IM_COL32_WHITE); });
    CHECK(covers(moved, 100, 200));
    CHECK(covers(moved, 119, 219));
    CHECK(covers(moved, 400, 200));
    CHECK(covers(moved, 419, 219));
    CHECK_FALSE(covers(moved, 300, 30));
    CHECK(area(moved) < kWidth * kHeight / 20);
    const auto tinted = d.frame([](ImDrawList& list) { two_boxes(list, 400, IM_COL32_BLACK); });
    CHECK(covers(tinted, 410, 210));
    CHECK_FALSE(covers(tinted, 110, 210));
    // Only what has a part in it is left, cut to it.
    for (const ImDrawCmd& command : d.left()) {
        CHECK(command.ClipRect.y >= 160);
        CHECK(command.ClipRect.w <= 240);
    }
    CHECK_FALSE(d.left().empty());
}

TEST_CASE("the order in which things lie upon each other is a part of the picture") {
    Drawing d;
    const auto draw = [](ImDrawList& list, bool swapped) {
        const ImU32 colors[] = {IM_COL32(255, 0, 0, 255), IM_COL32(0, 0, 255, 255)};
        list.AddRectFilled({10, 10}, {40, 40}, colors[swapped ? 1 : 0]);
        list.AddRectFilled({10, 10}, {40, 40}, colors[swapped ? 0 : 1]);
    };
    d.frame([&](ImDrawList& list) { draw(list, false); });
    CHECK(covers(d.frame([&](ImDrawList& list) { draw(list, true); }), 20, 20));
}

TEST_CASE(
    "a clip box that moves is a change, scattered changes make few boxes that never overlap") {
    Drawing d;
    const auto clipped = [](float right) {
        return [right](ImDrawList& list) {
            list.PushClipRect({0, 0}, {right, 100});
            list.AddRectFilled({0, 0}, {600, 100}, IM_COL32_WHITE);
            list.PopClipRect();
        };
    };
    d.frame(clipped(300));
    CHECK(covers(d.frame(clipped(350)), 320, 50));
    const auto sparks = [](int shift) {
        return [shift](ImDrawList& list) {
            for (int i = 0; i < 15; ++i) {
                const auto x = static_cast<float>(40 * i + shift);
                const auto y = static_cast<float>((i * 97) % 380);
                list.AddRectFilled({x, y}, {x + 4, y + 4}, IM_COL32_WHITE);
            }
        };
    };
    d.frame(sparks(0));
    const auto boxes = d.frame(sparks(6));
    CHECK(boxes.size() <= 16);
    for (int i = 0; i < 15; ++i) CHECK(covers(boxes, 40 * i + 7, (i * 97) % 380 + 2));
    for (std::size_t a = 0; a < boxes.size(); ++a) {
        for (std::size_t b = a + 1; b < boxes.size(); ++b) {
            const auto &p = boxes[a], &q = boxes[b];
            CHECK(
                (p.right <= q.left || q.right <= p.left || p.bottom <= q.top || q.bottom <= p.top));
        }
    }
}

TEST_CASE("what is drawn again in part has the pixels of a frame drawn whole", "[gl]") {
    app::Document document;
    models::spec_of(document.model)->d_model = 64;
    models::spec_of(document.model)->n_heads = 4;
    models::spec_of(document.model)->n_encoder_layers =
        models::spec_of(document.model)->n_decoder_layers = 2;
    models::spec_of(document.model)->d_ff = 128;
    const float scale = GENERATE(1.0f, 1.5f);
    auto opened = ui::Offscreen::open(1000, 700, scale, document, {}, {});
    if (!opened) FAIL(base::describe(opened.error()));
    ui::Offscreen& window = **opened;
    ui::Shell& shell = window.shell();
    shell.state.timings = false;
    window.settle();
    // softpipe rounds the shade of a blended edge by where in the triangle it began to fill.
    const int slack = window.context().renderer().starts_with("softpipe") ? 2 : 0;
    int in_part = 0;
    const auto check = [&](const char* what) {
        window.settle();
        for (int i = 0; i < 15; ++i) window.frame(); // a card's ground darkens bit by bit
        const auto pixels = window.pixels();
        window.retained().forget();
        window.frame();
        INFO(what << " at scale " << scale);
        CHECK(area(window.retained().drawn()) ==
              long(window.context().width()) * window.context().height());
        CHECK(difference(pixels, window.pixels(), window.context().width(), slack) == "");
    };
    const auto step = [&](const std::function<void()>& act, const char* what) {
        act();
        for (int i = 0; i < 3; ++i) {
            window.frame();
            const long drawn = area(window.retained().drawn());
            const long all = long(window.context().width()) * window.context().height();
            if (drawn > 0 && drawn < all / 2) ++in_part;
        }
        check(what);
    };
    const auto at = [&](const std::string& id, float across, float down) {
        for (const ui::Widget& w : shell.ui.widgets()) {
            if (w.id != id) continue;
            ui::shim::move_mouse((w.box.x + across * w.box.w) * scale,
                                 (w.box.y + down * w.box.h) * scale);
        }
    };
    const auto press = [&](bool down) { ui::shim::press_mouse(0, down); };
    step([&] { at("picture", 0.5f, 0.5f); }, "pointing at the map");
    step([&] { at("picture", 0.4f, 0.6f); }, "pointing elsewhere");
    step([&] { at("heads", 0.3f, 0.3f); }, "pointing at a head");
    step([&] { press(true); }, "pressing on it");
    step([&] { press(false); }, "choosing it");
    step([&] { at("temperature", 0.3f, 0.5f); }, "pointing at a slider");
    step([&] { press(true); }, "pressing it");
    step([&] { at("temperature", 0.7f, 0.5f); }, "dragging it");
    step([&] { press(false); }, "letting go");
    step([&] { shell.state.view.viewport = figure::Viewport{1, 1, 3.5f, 4.25f}; }, "zooming");
    step([&] { shell.state.view.viewport.reset(); }, "zooming out");
    step([&] { shell.state.explore->inspector_scroll.offset = 37; }, "scrolling");
    step([&] { shell.state.view.view = app::View::lines; }, "lines");
    step([&] { shell.state.view.view = app::View::heads; }, "heads");
    step([&] { shell.state.open_dialog = ui::CardId::keys; }, "a card");
    step([&] { ui::shim::press_key(ui::shim::Key::escape, true); }, "closing it");
    step([&] { ui::shim::press_key(ui::shim::Key::escape, false); }, "closing it");
    step([&] { shell.state.view.view = app::View::heatmap; }, "the map");
    step([&] { shell.state.view.dark = true; }, "the other theme");
    CHECK(in_part > 10);
}
