// Wheel, drag, double click and keys on the large map.
#include "app/temporary_folder.hpp"
#include "app/views/view_figure.hpp"
#include "figure/base/viewport.hpp"
#include "ui/driver.hpp"

#include "catch.hpp"

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

const std::optional<figure::Viewport>& viewport(const Driver& d) {
    return d.shell->state.view.viewport;
}

} // namespace

TEST_CASE("the wheel zooms on the pointer, a double click shows all again") {
    Driver d;
    const figure::Point at = d.cell(3, 6);
    d.wheel(at, 2);
    REQUIRE(viewport(d));
    CHECK(viewport(d)->rows == Approx(10 / 1.5625f));
    d.hover(at);
    CHECK(d.shows("on \u2192 because")); // still under the pointer
    CHECK(d.shows("query 2\u20138 of 10"));
    d.wheel(at, -1);
    CHECK(viewport(d)->rows == Approx(8));
    d.wheel(at, -5);
    CHECK_FALSE(viewport(d));
    d.wheel(at, 3);
    d.double_click("picture");
    CHECK_FALSE(viewport(d));
    // Over the labels it does nothing: the panel does not scroll.
    const figure::Box place = d.find("picture").box;
    d.wheel({place.x + 6, place.y + 6}, 3);
    CHECK_FALSE(viewport(d));
}

TEST_CASE("a drag moves the view, chooses nothing, and needs something to move") {
    Driver d;
    const auto chosen = d.shell->state.view.selected;
    d.drag(d.cell(5, 5), d.cell(2, 2));
    CHECK_FALSE(viewport(d));
    d.shell->state.view.selected = chosen;
    d.wheel(d.cell(5, 5), 4);
    const figure::Viewport before = *viewport(d);
    const auto row = static_cast<int>(before.row) + 1, col = static_cast<int>(before.col) + 1;
    const figure::Point from = d.cell(row + 2, col + 2), to = d.cell(row + 1, col + 1);
    d.drag(from, to);
    REQUIRE(viewport(d));
    CHECK(viewport(d)->row == Approx(before.row + 1).margin(0.02));
    CHECK(viewport(d)->col == Approx(before.col + 1).margin(0.02));
    CHECK(d.shell->state.view.selected == chosen);
    d.drag(from, {from.x + 3000, from.y + 3000});
    CHECK(viewport(d)->row == 0);
    CHECK(viewport(d)->col == 0);
    // Then a click chooses as ever.
    d.click(d.cell(1, 1));
    CHECK(d.shell->state.view.selected == std::pair(1, 1));
}

TEST_CASE("plus, minus and zero zoom, and the arrows take the view along") {
    Driver d;
    d.click(d.cell(2, 2));
    d.type("+");
    REQUIRE(viewport(d));
    d.type("++");
    const float rows = viewport(d)->rows;
    CHECK(rows < 4);
    d.key(Key::end);
    CHECK(d.shell->state.view.selected == std::pair(2, 9));
    CHECK(viewport(d)->col + viewport(d)->cols == Approx(10));
    d.key(Key::home);
    CHECK(d.shell->state.view.selected == std::pair(2, 0));
    CHECK(viewport(d)->col == 0);
    for (int i = 0; i < 9; ++i) d.key(Key::down);
    CHECK(viewport(d)->row + viewport(d)->rows == Approx(10));
    d.type("-");
    CHECK(viewport(d)->rows > rows);
    d.type("0");
    CHECK_FALSE(viewport(d));
    // A field takes the same characters as text.
    d.click("source");
    d.key(Key::end);
    d.type("+-0");
    CHECK_FALSE(viewport(d));
    CHECK(d.document().source.ends_with("+-0"));
}

TEST_CASE("with the brush a click paints, zoomed in or not, and nothing moves") {
    Driver d;
    d.wheel(d.cell(5, 5), 4);
    const auto before = viewport(d);
    d.click("mask/paint");
    const auto row = static_cast<int>(before->row) + 1, col = static_cast<int>(before->col) + 1;
    d.drag(d.cell(row, col), {d.cell(row, col).x + 8, d.cell(row, col).y + 2});
    CHECK(viewport(d) == before);
    CHECK((*d.snapshot().map)(row, col) == 0);
}

TEST_CASE("what is zoomed in on is what an export draws, and a session keeps it") {
    Driver d;
    d.wheel(d.cell(5, 5), 3);
    app::ViewState view = d.shell->state.view;
    view.caption = false;
    const figure::Figure exported = app::make_figure(d.snapshot(), view, 900, 700);
    bool part = false;
    for (const figure::Target& target : exported.targets) part |= target.shown == view.viewport;
    CHECK(part);
}

TEST_CASE("a sentence of another length is seen whole, one of the same length as closely") {
    Driver d;
    d.wheel(d.cell(5, 5), 3);
    const auto before = viewport(d);
    REQUIRE(before);
    std::string other = d.document().source;
    other.replace(0, other.find(' '), "Every");
    d.replace_field("source", other);
    CHECK(viewport(d) == before);
    d.replace_field("source", "one two three");
    CHECK(d.snapshot().map->rows() == 3);
    CHECK_FALSE(viewport(d));
}

TEST_CASE("a session comes with its zoom, whatever was shown before it") {
    const TemporaryFolder folder;
    Driver d;
    d.wheel(d.cell(5, 5), 3);
    const auto saved = viewport(d);
    REQUIRE(saved);
    d.shell->save_file(folder / "zoomed.json");
    d.settle();
    d.replace_field("source", "one two three");
    d.key(Key::escape);
    open(d, folder / "zoomed.json");
    CHECK(viewport(d) == saved);
    d.key(Key::z, true);
    d.settle();
    CHECK_FALSE(viewport(d));
}

TEST_CASE("maps beside each other are looked at together") {
    Driver d;
    d.click("compare/side by side");
    d.wheel(d.cell(5, 5, 0), 3);
    int parts = 0;
    for (const figure::Target& target : d.picture().targets) parts += target.shown == viewport(d);
    CHECK(parts == 2);
}

TEST_CASE("zooming builds the map alone anew") {
    Driver d;
    const int built = d.shell->figures.built();
    d.wheel(d.cell(5, 5), 1);
    CHECK(d.shell->figures.built() == built + 1);
}
