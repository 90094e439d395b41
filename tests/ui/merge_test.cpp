// Characters merged to words by a switch: what is shown, chosen, pointed at and painted.
#include "app/views/view_figure.hpp"
#include "ui/driver.hpp"

#include "app/engine/merging.hpp"
#include "catch.hpp"

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

Driver::Options characters() {
    Driver::Options options = Driver::tiny();
    options.height = 1700; // the whole left panel is in sight
    options.document.source = "The cat sat";
    options.document.target = "Le chat";
    options.document.segmentation = text::Segmentation::characters;
    return options;
}

} // namespace

TEST_CASE("the switch merges characters to words and parts them again, without a new run") {
    Driver d(characters());
    const auto run = d.snapshot().run;
    CHECK(d.snapshot().map->rows() == 9);
    d.click("merge");
    CHECK(d.find("merge").on);
    CHECK(d.snapshot().map->rows() == 3);
    CHECK(d.snapshot().run == run);
    CHECK(d.shows("merged to words"));
    CHECK(d.shows("cat"));
    d.click("merge");
    CHECK(d.snapshot().map->rows() == 9);
    CHECK_FALSE(d.shows("merged to words"));
}

TEST_CASE("words have nothing to merge") {
    Driver::Options options = characters();
    options.document.segmentation = text::Segmentation::words;
    Driver d(options);
    d.click("merge");
    CHECK_FALSE(d.find("merge").on);
    CHECK_FALSE(d.shell->work.focus().merge_words);
    d.click("segmentation/characters");
    d.click("merge");
    CHECK(d.find("merge").on);
    d.click("segmentation/words");
    CHECK_FALSE(d.find("merge").on);
    CHECK_FALSE(d.shows("merged to words"));
}

TEST_CASE("a click on a merged cell chooses its strongest tokens and tells both weights") {
    Driver d(characters());
    d.click("merge");
    d.key(Key::escape);
    d.click(d.cell(1, 2));
    const auto cell = d.shell->state.view.selected;
    REQUIRE(cell.has_value());
    CHECK(cell->first >= 3);
    CHECK(cell->first < 6);
    CHECK(cell->second >= 6);
    CHECK(d.shows("Merged: cat \u2192 sat"));
    CHECK(d.shows("Sum over 3 key tokens, mean over 3 query tokens"));
    d.click(d.cell(1, 2)); // a second click lets go
    CHECK_FALSE(d.shell->state.view.selected.has_value());
}

TEST_CASE("arrow keys walk over words while they are merged") {
    Driver d(characters());
    d.click("merge");
    d.click(d.cell(0, 0));
    d.key(Key::down);
    d.key(Key::right);
    const auto word_cell = [&] {
        return app::shown_cell(d.snapshot(), d.shell->state.view, app::Units(d.snapshot(), true));
    };
    CHECK(word_cell() == std::pair(1, 1));
    d.key(Key::end);
    CHECK(word_cell() == std::pair(1, 2));
    d.key(Key::right);
    CHECK(word_cell() == std::pair(1, 2));
}

TEST_CASE("pointing at merged cells, links and thumbnails tells words and their weight") {
    Driver d(characters());
    d.click("merge");
    d.hover(d.cell(2, 0));
    CHECK(d.shows("sat \u2192 The"));
    d.hover("heads");
    CHECK(d.shows("layer"));
    d.click("view/Lines");
    CHECK(d.shows("merged to words"));
    d.click("view/Flow");
    CHECK(d.shows("merged to words"));
    d.click("view/Heads");
    CHECK(d.shows("merged to words"));
}

TEST_CASE("the brush on a merged cell paints the cells of all its tokens") {
    Driver d(characters());
    d.click("merge");
    d.click("mask/paint");
    d.click(d.cell(1, 0));
    const auto& scoped = d.document().controls.scoped;
    REQUIRE(scoped.size() == 1);
    CHECK(scoped[0].controls.mask->painted.size() == 9);
    CHECK((*d.snapshot().map)(1, 0) == 0);
    d.click(d.cell(1, 0));
    CHECK((*d.snapshot().map)(1, 0) > 0);
}

TEST_CASE("a weight between words is not dragged: it is of no one token") {
    Driver d(characters());
    d.click("merge");
    const ui::Point at = d.cell(1, 0);
    d.hold_alt(true);
    d.drag(at, {at.x, at.y - 60});
    d.hold_alt(false);
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("the pinned state is compared in the units of the present one") {
    Driver d(characters());
    d.key(Key::p);
    d.click("merge");
    d.shell->state.view.compare = app::Compare::beside;
    d.shell->state.view.against = app::Against::pinned;
    d.settle();
    REQUIRE(d.snapshot().reference != nullptr);
    CHECK(d.snapshot().reference->map->rows() == 3);
    d.hover(d.cell(2, 1, 0));
    CHECK(d.shows("sat \u2192 cat"));
}
