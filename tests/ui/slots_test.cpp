// Heads kept side by side: by key, by Shift+click and by the pin on a thumbnail.
#include "ui/driver.hpp"

#include "app/views/head_views.hpp"
#include "catch.hpp"
#include "figure/base/viewport.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

using namespace heed;
using figure::Tag;
using trace::AttentionKind;
using trace::HeadId;
using ui::Pointed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

using Heads = std::vector<HeadId>;

Driver::Options heads() {
    auto options = Driver::tiny();
    options.view.view = app::View::heads;
    return options;
}

HeadId encoder(int layer, int head) { return {AttentionKind::encoder_self, layer, head}; }

ui::Point thumbnail(Driver& d, int layer, int head) {
    const figure::Box place = d.find("picture").box;
    const figure::Figure picture = d.picture();
    for (const figure::Target& t : picture.targets) {
        if (t.tag != Tag(figure::tag::Head{layer, head})) continue;
        return {place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
    }
    FAIL("no such thumbnail");
    return {};
}

/// The middle of a cell of a map that is kept.
ui::Point slot_cell(Driver& d, int slot, int row, int col) {
    const figure::Box place = d.find("picture").box;
    const figure::Figure picture = d.picture();
    for (const figure::Target& t : picture.targets) {
        const auto* cells = t.as<figure::tag::Cells>();
        if (!cells || cells->part != slot) continue;
        const figure::Box box = figure::cell_box(t, row, col);
        return {place.x + box.x + box.w / 2, place.y + box.y + box.h / 2};
    }
    FAIL("no such map");
    return {};
}

void put_beside(Driver& d, ui::Point at) {
    ui::shim::set_modifiers(false, true);
    d.click(at);
    ui::shim::set_modifiers(false, false);
    d.hover(ui::Point{-100, -100});
    d.settle(); // it stands beside the grid now
}

} // namespace

TEST_CASE("C keeps the head under the pointer, else the chosen one, and lets it go again") {
    Driver d(heads());
    const auto& slots = d.shell->state.view.slots;
    CHECK(d.shows("Pin heads (C or Shift+click)")); // how to is said where nothing is kept yet
    d.key(Key::c);
    CHECK(slots == Heads{encoder(0, 0)});
    CHECK(d.shows("1 head open"));
    d.hover(thumbnail(d, 1, 3));
    d.key(Key::c);
    CHECK(slots == Heads{encoder(0, 0), encoder(1, 3)});
    CHECK(d.shows("2 heads side by side"));
    CHECK(d.shows("Encoder 2.4"));
    d.hover(thumbnail(d, 0, 0));
    d.key(Key::c);
    CHECK(slots == Heads{encoder(1, 3)});
}

TEST_CASE("Shift+click and the pin on a thumbnail keep a head, a plain click still opens it") {
    Driver d(heads());
    const auto& slots = d.shell->state.view.slots;
    put_beside(d, thumbnail(d, 1, 1));
    CHECK(slots == Heads{encoder(1, 1)});
    CHECK(d.shell->state.view.view == app::View::heads);
    d.hover(thumbnail(d, 0, 2));
    d.click("pin-head");
    CHECK(slots == Heads{encoder(1, 1), encoder(0, 2)});
    d.hover(thumbnail(d, 0, 2));
    CHECK(d.find("pin-head").on);
    d.click(thumbnail(d, 0, 3));
    CHECK(d.shell->state.view.view == app::View::heatmap);
    CHECK(d.shell->work.focus().head == encoder(0, 3));
    CHECK(slots.size() == 2);
}

TEST_CASE("kept heads go one by one or all, and eight are the most") {
    Driver d(heads());
    const auto& slots = d.shell->state.view.slots;
    for (int i = 0; i < 3; ++i) put_beside(d, thumbnail(d, 0, i));
    REQUIRE(slots.size() == 3);
    d.click("slot/1");
    CHECK(slots == Heads{encoder(0, 0), encoder(0, 2)});
    d.click("slots/clear");
    CHECK(slots.empty());
    CHECK_FALSE(d.has("slot/0"));
    for (int i = 0; i < 8; ++i) d.shell->state.view.slots.push_back(encoder(i / 4, i % 4));
    d.settle();
    d.shell->state.view.slots.front() = {AttentionKind::cross, 0, 0};
    d.settle();
    d.key(Key::c); // the chosen head is none of them
    CHECK(slots.size() == 8);
    CHECK(d.shows("close one first"));
}

TEST_CASE("cursors of kept heads are linked: pointing lights all, a click chooses cell and head") {
    Driver d(heads());
    for (const auto& [layer, head] : {std::pair(0, 1), std::pair(1, 2)}) {
        put_beside(d, thumbnail(d, layer, head));
    }
    const auto vertices = [&] {
        d.frames(2);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    d.hover(slot_cell(d, 1, 3, 2));
    d.frames(2);
    CHECK(d.shell->state.stage->pointed == Pointed{3, 2});
    const float value = (*d.snapshot().slots[1].map)(3, 2);
    std::string screen = d.screen();
    std::replace(screen.begin(), screen.end(), '\n', ' ');
    CHECK(screen.find(fmt::format("on \u2192 sat   {:.6g}", value)) != std::string::npos);
    CHECK(screen.find("encoder 2.3") != std::string::npos);
    const int lit = vertices();
    d.click(slot_cell(d, 1, 3, 2));
    CHECK(d.shell->state.view.selected == std::pair(3, 2));
    CHECK(d.shell->work.focus().head == encoder(1, 2));
    CHECK(d.shell->state.view.view == app::View::heads);
    // Chosen, it is framed in both; once more lets it go.
    CHECK(vertices() != lit);
    d.click(slot_cell(d, 1, 3, 2));
    CHECK_FALSE(d.shell->state.view.selected.has_value());
}

TEST_CASE("a map of another attention is kept beside, and its tokens are not taken for others") {
    Driver d(heads());
    d.shell->state.view.slots = {{AttentionKind::cross, 0, 0}, encoder(0, 1)};
    d.settle();
    d.hover(slot_cell(d, 0, 2, 5));
    d.frames(2);
    CHECK(d.shell->state.stage->pointed == Pointed{});
    CHECK(d.shows("cross 1.1"));
    d.click(slot_cell(d, 0, 2, 5));
    CHECK(d.shell->work.focus().head == HeadId{AttentionKind::cross, 0, 0});
    CHECK(d.shell->state.view.selected == std::pair(2, 5));
}

TEST_CASE("arrows walk through the heads in the order in which they are drawn") {
    Driver d(heads());
    const auto head = [&] { return d.shell->work.focus().head; };
    d.key(Key::right);
    CHECK(head() == encoder(0, 1));
    d.key(Key::down);
    CHECK(head() == encoder(1, 1));
    d.key(Key::left);
    CHECK(head() == encoder(1, 0));
    d.click("heads/order");
    d.click("heads/order/entropy");
    const auto order = app::heads_in_order(d.snapshot(), app::HeadOrder::entropy);
    for (int i = 0; i < 8; ++i) d.key(Key::left);
    CHECK(head() == encoder(order[0] / 4, order[0] % 4));
    d.key(Key::right);
    CHECK(head() == encoder(order[1] / 4, order[1] % 4));
    // Below is what is drawn below, however many fit in a row.
    const ui::Point from = thumbnail(d, head().layer, head().head);
    d.key(Key::down);
    const ui::Point to = thumbnail(d, head().layer, head().head);
    if (d.shell->state.picture.heads_in_row + 1 < 8) {
        CHECK(to.x == from.x);
        CHECK(to.y > from.y);
    } else {
        CHECK(head() == encoder(order[7] / 4, order[7] % 4));
    }
}

TEST_CASE("kept heads zoom together") {
    Driver d(heads());
    d.shell->state.view.slots = {encoder(0, 0), encoder(1, 1)};
    d.settle();
    d.wheel(slot_cell(d, 0, 4, 4), 3);
    REQUIRE(d.shell->state.view.viewport.has_value());
    int parts = 0;
    const figure::Figure picture = d.picture();
    for (const figure::Target& t : picture.targets) parts += t.shown.has_value();
    CHECK(parts == 2);
    d.type("0");
    CHECK_FALSE(d.shell->state.view.viewport.has_value());
}

TEST_CASE("a head is kept from any view, which says where it is to be seen") {
    Driver d;
    d.key(Key::c);
    CHECK(d.shell->state.view.slots == Heads{encoder(0, 0)});
    CHECK(d.shows("Opened encoder 1.1: see Heads"));
    d.key(Key::c);
    CHECK(d.shows("Closed encoder 1.1"));
}

TEST_CASE("with nothing kept there is no map to look at closer in Heads") {
    Driver d(heads());
    d.type("+");
    CHECK_FALSE(d.shell->state.view.viewport.has_value());
    d.key(Key::c);
    d.settle();
    d.type("+");
    CHECK(d.shell->state.view.viewport.has_value());
}
