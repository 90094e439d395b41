// The four-way filter in the window: strips of queries, keys, layers and heads.
#include "ui/driver.hpp"

#include "app/views/filter.hpp"
#include "catch.hpp"
#include "figure/base/viewport.hpp"
#include "ui/stage/stage_state.hpp"

#include <algorithm>
#include <fmt/format.h>

using namespace heed;
using figure::StripOf;
using ui::shim::Key;
using ui::test::Driver;
using Tokens = std::vector<int>;

namespace {

/// A cell of a strip along the large map or the large grid of heads.
ui::Point strip_cell(Driver& d, StripOf of, int cell) {
    const figure::Figure figure = d.picture();
    const figure::Box place = d.find("picture").box;
    for (const figure::Target& t : figure.targets) {
        const auto* strip = t.as<figure::tag::Strip>();
        if (!strip || strip->of != of) continue;
        const bool upright = strip->cols == 1;
        const figure::Box box = figure::cell_box(t, upright ? cell : 0, upright ? 0 : cell);
        return {place.x + box.x + box.w / 2, place.y + box.y + box.h / 2};
    }
    FAIL("no such strip");
    return {};
}

void shift_click(Driver& d, ui::Point at) {
    ui::shim::set_modifiers(false, true);
    d.frame();
    d.click(at);
    ui::shim::set_modifiers(false, false);
    d.frame();
    d.settle();
}

const app::ViewState& view(const Driver& d) { return d.shell->state.view; }

} // namespace

TEST_CASE("a click on a strip chooses a key, Shift adds one, and a click again lets go") {
    Driver d;
    d.click(strip_cell(d, StripOf::keys, 2));
    CHECK(view(d).pinned_keys == Tokens{2});
    CHECK(d.shows("filtered: key \u201csat\u201d"));
    shift_click(d, strip_cell(d, StripOf::keys, 5));
    CHECK(view(d).pinned_keys == Tokens{2, 5});
    REQUIRE(d.snapshot().strips != nullptr);
    CHECK(d.snapshot().strips->of.keys == Tokens{2, 5});
    shift_click(d, strip_cell(d, StripOf::keys, 2));
    CHECK(view(d).pinned_keys == Tokens{5});
    d.click(strip_cell(d, StripOf::keys, 5));
    CHECK(view(d).pinned_keys.empty());
}

TEST_CASE("queries and keys filter each other, and the inspector says what is filtered") {
    Driver d;
    CHECK_FALSE(d.has("filter/clear"));
    d.click(strip_cell(d, StripOf::keys, 1));
    d.click(strip_cell(d, StripOf::queries, 4));
    CHECK(view(d).pinned_keys == Tokens{1});
    CHECK(view(d).pinned_queries == Tokens{4});
    CHECK(d.shows("query \u201cthe\u201d"));
    CHECK(d.shows("key \u201ccat\u201d"));
    d.click("filter/clear");
    CHECK(view(d).pinned_keys.empty());
    CHECK(view(d).pinned_queries.empty());
    CHECK_FALSE(d.has("filter/clear"));
}

TEST_CASE("a filter that leaves the selected cell out selects the largest weight of its own") {
    Driver d;
    d.settle();
    const auto map = d.snapshot().map;
    const auto& w = *map;
    figure::Index row = 0, col = 0;
    d.click(d.cell(1, 1));
    d.click(strip_cell(d, StripOf::queries, 3));
    w.row(3).maxCoeff(&col);
    CHECK(view(d).selected == std::pair(3, static_cast<int>(col)));
    const int other = col == 0 ? 1 : 0;
    d.click(strip_cell(d, StripOf::keys, other));
    CHECK(view(d).selected == std::pair(3, other));
    d.click(
        strip_cell(d, StripOf::queries, 3)); // which lets go of it: the cell is still a filter's
    CHECK(view(d).selected == std::pair(3, other));
    d.click(d.cell(2, other == 0 ? 2 : 0)); // a click on another cell stands
    CHECK(view(d).selected == std::pair(2, other == 0 ? 2 : 0));
    w.col(other).maxCoeff(&row);
    CHECK(app::cell_of_filter(d.snapshot(), view(d)) == std::pair(static_cast<int>(row), other));
}

TEST_CASE("a window that starts with a filter starts from the largest weight of it") {
    Driver::Options options = Driver::tiny();
    options.view.pinned_queries = {2};
    Driver given(std::move(options));
    given.settle();
    figure::Index col = 0;
    given.snapshot().map->row(2).maxCoeff(&col);
    CHECK(view(given).selected == std::pair(2, static_cast<int>(col)));
}

TEST_CASE("pointing at a strip tells its share") {
    Driver d;
    d.hover(strip_cell(d, StripOf::queries, 1));
    CHECK(d.shows("total attention given: 1.00"));
    d.hover(strip_cell(d, StripOf::keys, 1));
    CHECK(d.shows(fmt::format("cat   receives {:.4g} of the attention of all queries",
                              (*d.snapshot().strips->received)(0, 1))));
    d.click(strip_cell(d, StripOf::keys, 3));
    d.hover(strip_cell(d, StripOf::queries, 1));
    CHECK(d.shows(
        fmt::format("cat   gives {:.4g} to key \u201con\u201d", (*d.snapshot().map)(1, 3))));
}

TEST_CASE("layers and heads that are chosen make the map their mean, and Esc gives the head back") {
    Driver d;
    d.click("view/Heads");
    d.click(strip_cell(d, StripOf::layers, 1));
    CHECK(d.snapshot().focus.combine == trace::Combine::mean);
    CHECK(d.snapshot().focus.layers == Tokens{1});
    CHECK(d.shows("filtered: layer 2"));
    shift_click(d, strip_cell(d, StripOf::heads, 0));
    shift_click(d, strip_cell(d, StripOf::heads, 3));
    CHECK(d.snapshot().focus.heads == Tokens{0, 3});
    CHECK(d.shows("heads 1, 4"));
    d.click("view/Heatmap");
    CHECK(d.shows("Encoder layer 2 \u00b7 mean of heads 1, 4"));
    d.key(Key::escape);
    CHECK_FALSE(d.snapshot().focus.combine.has_value());
    CHECK(d.snapshot().focus.layers.empty());
    CHECK(d.snapshot().focus.heads.empty());
    CHECK(d.shows("head 1"));
}

TEST_CASE("a map that was combined by hand stays so when its filter is cleared") {
    Driver d;
    d.click("combine/max");
    d.click("view/Heads");
    d.click(strip_cell(d, StripOf::heads, 2));
    CHECK(d.snapshot().focus.combine == trace::Combine::maximum);
    d.click(strip_cell(d, StripOf::heads, 2));
    CHECK(d.snapshot().focus.combine == trace::Combine::maximum);
    CHECK(d.snapshot().focus.heads.empty());
}

TEST_CASE("strips of layers and heads tell what goes to the chosen keys there") {
    Driver d;
    d.click("view/Heads");
    d.hover(strip_cell(d, StripOf::layers, 0));
    CHECK(d.shows("select keys to see what goes to them"));
    d.click("view/Heatmap");
    d.click(strip_cell(d, StripOf::keys, 0));
    d.click("view/Heads");
    d.hover(strip_cell(d, StripOf::heads, 1));
    const auto& heads = *d.snapshot().strips->heads;
    CHECK(d.shows(
        fmt::format("head 2   {:.6g} to key \u201cThe\u201d", (heads(0, 1) + heads(1, 1)) / 2)));
}

TEST_CASE("a choice of one head ends the filter of heads") {
    Driver d;
    d.click("view/Heads");
    d.click(strip_cell(d, StripOf::layers, 1));
    d.click("heads");
    CHECK_FALSE(d.snapshot().focus.combine.has_value());
    CHECK(d.snapshot().focus.layers.empty());
}

TEST_CASE("Esc lets go of the filter first and of the cell then") {
    Driver d;
    d.click(d.cell(1, 1));
    d.click(strip_cell(d, StripOf::keys, 0));
    d.key(Key::escape);
    CHECK(view(d).pinned_keys.empty());
    CHECK(view(d).selected.has_value());
    d.key(Key::escape);
    CHECK_FALSE(view(d).selected.has_value());
}

TEST_CASE("strips are hidden by a switch, and what is filtered is still said") {
    Driver d;
    d.click(strip_cell(d, StripOf::keys, 0));
    d.click("strips");
    CHECK_FALSE(view(d).strips);
    CHECK(d.snapshot().strips == nullptr);
    for (const figure::Target& t : d.picture().targets) {
        CHECK(!t.as<figure::tag::Strip>());
    }
    CHECK(d.shows("filtered: key"));
    d.click("strips");
    CHECK(view(d).strips);
}

TEST_CASE("a strip of merged words chooses all tokens of a word") {
    Driver::Options options = Driver::tiny();
    options.document.source = "The cat sat";
    options.document.segmentation = text::Segmentation::characters;
    options.focus.merge_words = true;
    Driver d(options);
    d.click(strip_cell(d, StripOf::keys, 1));
    CHECK(view(d).pinned_keys == Tokens{3, 4, 5});
    CHECK(d.shows("filtered: key \u201ccat\u201d"));
}

TEST_CASE("layers that were chosen by a switch are said to filter too, and Esc leaves them") {
    Driver d;
    d.click("combine/mean");
    d.click("combine/of/layer 1");
    CHECK(d.shows("layer 1"));
    d.key(Key::escape);
    CHECK(d.snapshot().focus.layers == Tokens{0});
    d.click("filter/clear");
    CHECK(d.snapshot().focus.layers.empty());
    CHECK(d.snapshot().focus.combine == trace::Combine::mean);
}

TEST_CASE("a query without a key is not said to give anything") {
    Driver::Options options = Driver::tiny();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index key = 0; key < 10; ++key) controls.mask->painted.emplace_back(2, key);
    options.document.controls.set({trace::AttentionKind::encoder_self, 0, 0}, controls);
    Driver d(options);
    d.hover(strip_cell(d, StripOf::queries, 2));
    CHECK(d.shows("attends to nothing: all keys are masked"));
    d.hover(strip_cell(d, StripOf::queries, 3));
    CHECK(d.shows("total attention given: 1.00"));
}

TEST_CASE("another stage than weights is one head's again") {
    Driver d;
    d.click("combine/mean");
    REQUIRE(d.snapshot().focus.combine.has_value());
    d.type("."); // the next stage
    CHECK(d.snapshot().focus.stage == trace::Stage::v); // that are weighed
    CHECK_FALSE(d.snapshot().focus.combine.has_value());
}

TEST_CASE("a click on a head shows it alone, also where heads were combined") {
    Driver d;
    d.click("combine/mean");
    REQUIRE(d.snapshot().focus.combine.has_value());
    d.click("heads");
    CHECK_FALSE(d.snapshot().focus.combine.has_value());
}

TEST_CASE("who filters by a strip of heads needs no cue to click one") {
    Driver d;
    d.click("view/Heads");
    d.shell->state.layout.cues.head = true;
    d.click(strip_cell(d, StripOf::heads, 2));
    d.settle();
    CHECK_FALSE(d.shell->state.layout.cues.head);
}

TEST_CASE("what went with an emptied sentence comes back with it, however many acts lie between") {
    Driver d;
    d.click(d.cell(1, 2));
    d.click(strip_cell(d, StripOf::keys, 2));
    d.settle();
    const auto chosen = view(d).selected;
    REQUIRE(view(d).pinned_keys == Tokens{2});
    REQUIRE(chosen);
    d.replace_field("source", "");
    d.key(Key::escape); // out of the field
    d.settle();
    REQUIRE(d.snapshot().error);
    CHECK(view(d).pinned_keys.empty());
    int acts = 1;
    SECTION("at once") {}
    SECTION("with another sentence typed meanwhile") {
        d.replace_field("source", "a dog");
        d.key(Key::escape);
        d.settle();
        CHECK(view(d).pinned_keys.empty());
        ++acts;
    }
    SECTION("with a filter of another sentence meanwhile") {
        d.replace_field("source", "a dog");
        d.key(Key::escape);
        d.settle();
        d.click(strip_cell(d, StripOf::keys, 0));
        d.settle();
        d.replace_field("source", "");
        d.key(Key::escape);
        d.settle();
        d.key(Key::z, true);
        d.settle();
        CHECK(view(d).pinned_keys == Tokens{0});
        d.key(Key::escape); // clears it
        ++acts;
    }
    for (int i = 0; i < acts; ++i) {
        d.key(Key::z, true);
        d.settle();
    }
    CHECK(view(d).pinned_keys == Tokens{2});
    CHECK(view(d).selected == chosen);
    d.key(Key::y, true);
    d.settle();
    CHECK(view(d).pinned_keys.empty());
}

namespace {

/// The middles of the strips of a picture that lies at a point, of those that have nothing to tell:
/// no numbers, and nothing that is chosen.
std::vector<ui::Point> handles_of(const figure::Figure& picture, ui::Point corner) {
    std::vector<ui::Point> middles;
    for (const figure::Target& target : picture.targets) {
        if (!target.as<figure::tag::Strip>()) continue;
        const ui::Point middle{target.box.x + target.box.w / 2, target.box.y + target.box.h / 2};
        if (figure::heat_at(picture, middle)) continue;
        middles.push_back({corner.x + middle.x, corner.y + middle.y});
    }
    return middles;
}

} // namespace

TEST_CASE("handles of a filter are seen while the pointer is over their map, and fade calmly") {
    Driver d;
    const figure::Theme& t = d.shell->ui.theme();
    const auto corner = [&] {
        const auto box = d.find("picture").box;
        return ui::Point{box.x, box.y};
    };
    const auto handles = handles_of(d.picture(), corner());
    REQUIRE_FALSE(handles.empty());
    const auto all_are = [&](const ui::Color& colour) {
        return std::ranges::all_of(
            handles, [&](ui::Point at) { return d.colour_at(at) == ui::packed(colour); });
    };
    d.frames(60);
    CHECK(all_are(t.ground));
    CHECK(d.colour_at(handles[0]) != ui::packed(t.raised));
    d.hover(d.cell(1, 1));
    CHECK_FALSE(all_are(t.raised)); // not at once
    CHECK(d.shell->ui.wants_frame_in() == 0);
    d.frames(60);
    CHECK(d.colour_at(handles[0]) == ui::packed(t.raised));
    const ui::Point cell = d.cell(1, 1);
    d.hover(ui::Point{2, 2});
    d.frames(60);
    CHECK(all_are(t.ground));
    CHECK(d.cell(1, 1).x == cell.x); // nothing has moved
    d.click(handles[0]);
    d.hover(ui::Point{2, 2});
    d.frames(60);
    REQUIRE_FALSE(view(d).pinned_queries.empty());
    CHECK_FALSE(all_are(t.ground));
    CHECK(d.shell->state.stage->handles_of_grid == 0); // which has nothing to say of queries
}

TEST_CASE("a filter of both sides tells how many rows and columns it leaves") {
    Driver d;
    d.click(strip_cell(d, StripOf::keys, 2));
    CHECK_FALSE(d.screen().find("leaves ") != std::string::npos);
    d.click(strip_cell(d, StripOf::queries, 4));
    shift_click(d, strip_cell(d, StripOf::queries, 5));
    CHECK(d.shows("leaves 2 of 10 rows, 1 of 10 columns"));
}
