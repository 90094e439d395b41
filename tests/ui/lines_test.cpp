// Gestures on links: pointing isolates, a click pins, Shift adds, Esc or an empty place lets go.
#include "app/views/view_figure.hpp"
#include "ui/driver.hpp"

#include "app/document/session.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "figure/base/viewport.hpp"
#include "figure/parts/heat_marks.hpp"
#include "tensors/json.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

using namespace heed;
using figure::Tag;
using ui::Pointed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

using Tokens = std::vector<int>;

Driver::Options lines(bool columns) {
    auto options = Driver::tiny();
    options.view.view = app::View::lines;
    options.view.columns = columns;
    return options;
}

ui::Point target(Driver& d, const Tag& tag) {
    const figure::Box place = d.find("picture").box;
    const figure::Figure picture = d.picture();
    for (const figure::Target& t : picture.targets) {
        if (t.tag != tag) continue;
        return {place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
    }
    FAIL("no such target");
    return {};
}

/// A place of the picture where nothing is.
ui::Point nothing(Driver& d) {
    const figure::Box place = d.find("picture").box;
    const figure::Figure picture = d.picture();
    for (float y = place.h - 40; y > 80; y -= 3) {
        if (!figure::pick(picture, {12, y})) return {place.x + 12, place.y + y};
    }
    FAIL("the picture is full");
    return {};
}

void pick_also(Driver& d, ui::Point at) {
    ui::shim::set_modifiers(false, true);
    d.click(at);
    ui::shim::set_modifiers(false, false);
    d.frames(2);
}

} // namespace

TEST_CASE("a token under the pointer isolates its links, and tells its strongest") {
    const bool columns = GENERATE(false, true);
    Driver d(lines(columns));
    const auto& map = *d.snapshot().map;
    d.hover(target(d, figure::tag::RowLabel{3}));
    d.frames(2);
    CHECK(d.shell->state.stage->pointed == Pointed{3, std::nullopt});
    for (int j = 0; j < map.cols(); ++j) CHECK(d.shows(fmt::format("{:.3f}", map(3, j))));
    num::Index best = 0;
    const float most = map.row(3).maxCoeff(&best);
    CHECK(says(d, fmt::format("attends most to {} ({:.3f})",
                              d.snapshot().run->trace.source[static_cast<std::size_t>(best)].text,
                              most)));
    CHECK(says(d, "Click to isolate"));
    // Nothing is chosen by pointing.
    CHECK(d.shell->state.view.pinned_queries.empty());
    d.hover(nothing(d));
    d.frames(2);
    CHECK(d.shell->state.stage->pointed == Pointed{});
    CHECK_FALSE(says(d, "Click to isolate"));
    if (!columns) return;
    d.hover(target(d, figure::tag::ColLabel{2}));
    d.frames(2);
    CHECK(d.shell->state.stage->pointed == Pointed{std::nullopt, 2});
    for (int i = 0; i < map.rows(); ++i) { // each, in the form that all have room for
        const float weight = map(i, 2);
        CHECK((d.shows(figure::weight_text(weight)) ||
               d.shows(figure::short_weight_text(weight, 3))));
    }
    CHECK(says(d, "is attended to most by"));
}

TEST_CASE("pointing at tokens builds one figure each, and going away none") {
    Driver d(lines(false));
    const ui::Point token = target(d, figure::tag::RowLabel{3}), empty = nothing(d);
    d.hover(empty);
    d.frames(2);
    const int built = d.shell->figures.built();
    d.hover(token);
    d.frames(10);
    CHECK(d.shell->figures.built() == built + 1);
    d.hover(empty);
    d.frames(4);
    CHECK(d.shell->figures.built() == built + 1);
}

TEST_CASE("a click pins a token, Shift adds and sums, and the title says which") {
    const bool columns = GENERATE(false, true);
    Driver d(lines(columns));
    const auto& view = d.shell->state.view;
    d.click(target(d, figure::tag::RowLabel{1}));
    CHECK(view.pinned_queries == Tokens{1});
    CHECK(view.selected->first == 1); // what the inspector works out
    CHECK(d.shows("from \u201ccat\u201d"));
    pick_also(d, target(d, figure::tag::RowLabel{2}));
    CHECK(view.pinned_queries == Tokens{1, 2});
    CHECK(d.shows("from \u201ccat\u201d + \u201csat\u201d"));
    d.hover(nothing(d));
    d.frames(2);
    const auto& map = *d.snapshot().map;
    for (int j = 0; j < map.cols(); ++j) {
        CHECK(d.shows(fmt::format("{:.3f}", (map(1, j) + map(2, j)) / 2)));
    }
    pick_also(d, target(d, figure::tag::RowLabel{1}));
    CHECK(view.pinned_queries == Tokens{2});
    d.click(target(d, figure::tag::RowLabel{2})); // once more: it goes
    CHECK(view.pinned_queries.empty());
    CHECK_FALSE(d.shows("from \u201c"));
}

TEST_CASE("keys are pinned in the right column, and what goes to several is summed") {
    Driver d(lines(true));
    d.click(target(d, figure::tag::ColLabel{5}));
    pick_also(d, target(d, figure::tag::ColLabel{0}));
    CHECK(d.shell->state.view.pinned_keys == Tokens{0, 5});
    CHECK(d.shows("to \u201cThe\u201d + \u201cmat\u201d"));
    const auto& map = *d.snapshot().map;
    d.hover(nothing(d));
    d.frames(2);
    for (int i = 0; i < map.rows(); ++i) {
        CHECK(d.shows(fmt::format("{:.3f}", map(i, 0) + map(i, 5))));
    }
}

TEST_CASE("Esc and a click where nothing is let go: of pinned tokens, then of the cell") {
    const bool by_key = GENERATE(false, true);
    Driver d(lines(true));
    const auto go = [&] {
        if (by_key) {
            d.key(Key::escape);
        } else {
            d.click(nothing(d));
        }
    };
    d.click(target(d, figure::tag::RowLabel{1}));
    pick_also(d, target(d, figure::tag::ColLabel{2}));
    CHECK(d.shell->state.view.pinned_keys == Tokens{2});
    go();
    CHECK(d.shell->state.view.pinned_queries.empty());
    CHECK(d.shell->state.view.pinned_keys.empty());
    CHECK(d.shell->state.view.selected == std::pair(1, 2));
    go();
    CHECK_FALSE(d.shell->state.view.selected.has_value());
}

TEST_CASE("a link tells its exact weight, both tokens, its head and its rank anywhere along it") {
    Driver d(lines(false));
    const figure::Figure picture = d.picture();
    const figure::Box place = d.find("picture").box;
    const auto& map = *d.snapshot().map;
    const auto& words = d.snapshot().run->trace.source;
    int told = 0;
    for (const figure::Target& t : picture.targets) {
        const auto* link = t.as<figure::tag::Link>();
        if (!t.curve || link->query == link->key) continue;
        // A quarter of the way, far from the middle.
        const figure::Curve& c = *t.curve;
        const float s = 0.75f, u = 0.25f;
        const figure::Point at{s * s * s * c.a.x + 3 * s * s * u * c.control_a.x +
                                   3 * s * u * u * c.control_b.x + u * u * u * c.b.x,
                               s * s * s * c.a.y + 3 * s * s * u * c.control_a.y +
                                   3 * s * u * u * c.control_b.y + u * u * u * c.b.y};
        const auto hit = figure::pick(picture, at);
        if (!hit || hit->tag != t.tag) continue;
        d.hover(ui::Point{place.x + at.x, place.y + at.y});
        d.frames(2);
        CHECK(d.shell->state.stage->pointed == Pointed{link->query, link->key});
        const auto stronger = (map.row(link->query).array() > map(link->query, link->key)).count();
        CHECK(says(d, fmt::format("{} \u2192 {}   {:.6g} \u00b7 head 1 \u00b7 {}",
                                  words[static_cast<std::size_t>(link->query)].text,
                                  words[static_cast<std::size_t>(link->key)].text,
                                  map(link->query, link->key), stronger + 1)));
        if (++told == 5) break;
    }
    CHECK(told == 5);
}

TEST_CASE("a click on a word of Lines selects the largest weight of its row or column") {
    Driver d(lines(false));
    d.settle();
    const num::Matrix<float> map = *d.snapshot().map;
    const auto& view = d.shell->state.view;
    for (int row = 0; row < 3; ++row) {
        d.click(target(d, figure::tag::RowLabel{row}));
        num::Index largest = 0;
        map.row(row).maxCoeff(&largest);
        REQUIRE(view.selected);
        CHECK(view.selected->first == row);
        CHECK(view.selected->second == largest);
        d.click(target(d, figure::tag::RowLabel{row})); // lets it go
    }
}

TEST_CASE("tokens can be pinned in the links below the map too, and the map's own stay cells") {
    Driver d;
    const figure::Box place = d.find("links").box;
    const figure::Figure links = d.links();
    for (const figure::Target& t : links.targets) {
        if (t.tag != Tag(figure::tag::RowLabel{4})) continue;
        d.click(ui::Point{place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2});
    }
    CHECK(d.shell->state.view.pinned_queries == Tokens{4});
    d.key(Key::escape);
    CHECK(d.shell->state.view.pinned_queries.empty());
    const figure::Figure picture = d.picture();
    const figure::Box main = d.find("picture").box;
    for (const figure::Target& t : picture.targets) {
        if (t.tag != Tag(figure::tag::RowLabel{3})) continue;
        d.click(ui::Point{main.x + t.box.x + t.box.w / 2, main.y + t.box.y + t.box.h / 2});
    }
    CHECK(d.shell->state.view.pinned_queries.empty());
    CHECK(d.shell->state.view.selected->first == 3);
}

TEST_CASE("pinned tokens outlive a session, and a shorter sentence") {
    Driver d(lines(true));
    d.click(target(d, figure::tag::RowLabel{8}));
    pick_also(d, target(d, figure::tag::ColLabel{2}));
    app::Session session;
    session.view = d.shell->state.view;
    const auto again = app::session_from_json(app::session_to_json(session), "");
    REQUIRE(again.has_value());
    CHECK(again->view == session.view);
    CHECK(figure::dump(app::make_figure(d.snapshot(), again->view, 700, 500)) ==
          figure::dump(app::make_figure(d.snapshot(), d.shell->state.view, 700, 500)));
    d.replace_field("source", "The cat sat");
    CHECK_FALSE(d.shows("· from \u201c")); // there is no ninth token
    CHECK(d.shows("to \u201csat\u201d"));
}

TEST_CASE("squares beside the columns tell their head and number, and a click looks into it") {
    auto options = lines(true);
    options.view.overlay = {1, 3};
    Driver d(options);
    REQUIRE(d.snapshot().overlay.size() == 2);
    const figure::Box place = d.find("picture").box;
    const figure::Figure picture = d.picture();
    const auto at = [&](int token, int head, bool of_key) {
        for (const figure::Target& t : picture.targets) {
            if (t.tag != Tag(figure::tag::Square{token, head, of_key})) continue;
            return ui::Point{place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
        }
        FAIL("no such square");
        return ui::Point{};
    };
    const auto& weights = *d.snapshot().overlay[1].second;
    d.hover(at(2, 1, false));
    CHECK(says(
        d, fmt::format("sat   strongest link: {:.6g} \u00b7 head 4", weights.row(2).maxCoeff())));
    d.hover(at(1, 1, true));
    CHECK(says(d, "cat   average attention received:"));
    d.hover(at(-1, 0, false));
    CHECK(says(d, "head 2"));
    d.click(at(-1, 1, true));
    CHECK(d.shell->work.focus().head.head == 3);
}

TEST_CASE("links below a map stand under its columns") {
    Driver d;
    const auto centre = [](const figure::Figure& figure, int key) {
        for (const figure::Target& t : figure.targets) {
            if (t.tag == Tag(figure::tag::RowLabel{key})) return t.box.x + t.box.w / 2;
        }
        FAIL("no such token");
        return 0.f;
    };
    const figure::Figure map = d.picture(), arcs = d.links(); // of one sentence
    for (const figure::Target& t : map.targets) {
        const auto* cells = t.as<figure::tag::Cells>();
        if (!cells) continue;
        for (const int key : {0, 4, cells->cols - 1}) {
            const figure::Box column = figure::cell_box(t, 0, key);
            CHECK(std::abs(centre(arcs, key) - (column.x + column.w / 2)) < 1);
        }
    }
}
