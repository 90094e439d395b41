// Pointing: exact values everywhere, and what one panel points at lit in the others.
#include "app/files/shipped_models.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"
#include "figure/base/viewport.hpp"
#include "ui/driver.hpp"

#include "catch.hpp"
#include "ui/stage/stage_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace heed;
using ui::Pointed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

figure::Point middle_of(const figure::Box& box) { return {box.x + box.w / 2, box.y + box.h / 2}; }

/// Where a target of the picture in a panel lies in the window.
figure::Point target_in(Driver& d, const char* widget, const figure::Figure& picture,
                        const figure::Tag& tag) {
    const figure::Box place = d.find(widget).box;
    for (const figure::Target& t : picture.targets) {
        if (t.tag != tag) continue;
        return {place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
    }
    FAIL("no such target");
    return {};
}

} // namespace

TEST_CASE("every picture tells the exact value under the pointer") {
    Driver d;
    const auto& map = *d.snapshot().map;
    d.hover(d.cell(3, 1));
    CHECK(says(d, fmt::format("on \u2192 cat   {:.6g}", map(3, 1))));
    // A thumbnail of the grid: its layer, its head, its cell.
    const figure::Box grid = d.find("heads").box;
    d.hover(figure::Point{grid.x + grid.w * 0.62f, grid.y + grid.h * 0.8f});
    CHECK(says(d, "layer 2 \u00b7 head 3 \u00b7 "));
    CHECK(says(d, " \u2192 "));
    // A thumbnail of the strip.
    const auto& strip = d.snapshot().strip;
    std::size_t scores = 0;
    while (strip[scores].stage != trace::Stage::scores) ++scores;
    const figure::Box box = d.find("stages").box;
    const float share = (static_cast<float>(scores) + 0.5f) / static_cast<float>(strip.size());
    d.hover(figure::Point{box.x + box.w * share, box.y + box.h * 0.6f});
    CHECK(says(d, "scores: "));
    CHECK(says(d, "Click to enlarge"));
    // A bar of the row, and a product.
    const auto [query, key] = *d.shell->state.view.selected;
    d.hover(fmt::format("row/{}", key));
    CHECK(says(d, fmt::format("{:.6g}", map(query, key))));
    d.hover("products");
    CHECK(says(d, " \u00d7 "));
}

TEST_CASE("a stage's rows are named under the pointer as beside its card") {
    const char* name = GENERATE("en-fr-bahdanau", "en-fr-transformer", "headlines-en-four-heads");
    Driver d;
    ui::test::open(d, app::shipped_model(name));
    d.shell->state.view.view = app::View::stages;
    d.settle();
    const figure::Figure picture = d.picture();
    const auto strip = d.snapshot().strip;
    for (std::size_t i = 0; i < strip.size(); ++i) {
        const figure::Tag tag = figure::tag::Stage{static_cast<int>(i)};
        const figure::Point at = target_in(d, "picture", picture, tag);
        const figure::Box place = d.find("picture").box;
        const auto under = figure::heat_at(picture, {at.x - place.x, at.y - place.y});
        REQUIRE(under);
        d.hover(at);
        const app::StripItem& item = strip[i];
        const auto rows = app::stage_rows(d.snapshot(), item);
        CAPTURE(name, item.label, d.screen());
        if (std::ssize(rows) == item.rows) {
            CHECK(says(d, item.label + ": " + rows[static_cast<std::size_t>(under->row)].text +
                              " \u2192 "));
        } else if (item.label == "logits") { // one row, of the text
            CHECK(says(
                d, "logits: " +
                       d.snapshot().run->model->classes()[static_cast<std::size_t>(under->col)]));
        } else {
            CHECK(says(d, item.label + ": feature "));
        }
    }
}

TEST_CASE("what is pointed at in one panel is lit in all, and no figure is built for it") {
    Driver d;
    const int built = d.shell->figures.built();
    const auto pointed = [&] {
        d.frames(2);
        return d.shell->state.stage->pointed;
    };
    d.hover(d.cell(3, 1));
    CHECK(pointed() == Pointed{3, 1});
    d.hover(target_in(d, "picture", d.picture(), figure::tag::RowLabel{4}));
    CHECK(pointed() == Pointed{4, std::nullopt});
    d.hover(target_in(d, "picture", d.picture(), figure::tag::ColLabel{2}));
    CHECK(pointed() == Pointed{std::nullopt, 2});
    const auto [query, key] = *d.shell->state.view.selected;
    d.hover(target_in(d, "links", d.links(), figure::tag::Link{query, key}));
    CHECK(pointed() == Pointed{query, key});
    d.hover(fmt::format("row/{}", key));
    CHECK(pointed() == Pointed{query, key});
    d.hover(middle_of(d.find("source").box));
    CHECK(pointed() == Pointed{});
    CHECK(d.shell->figures.built() == built);
}

TEST_CASE("pointing draws over the pictures, and nothing is left when the pointer is gone") {
    Driver d;
    const auto vertices = [&] {
        d.frames(2);
        return ImGui::GetDrawData()->TotalVtxCount;
    };
    d.hover(middle_of(d.find("source").box));
    const int plain = vertices();
    d.hover(d.cell(3, 1));
    CHECK(vertices() > plain);
    d.hover(middle_of(d.find("source").box));
    CHECK(vertices() == plain);
}

TEST_CASE("Home and End go to the ends of the row, but not while a field is typed in") {
    Driver d;
    d.click(d.cell(3, 4));
    d.key(Key::end);
    CHECK(d.shell->state.view.selected == std::pair(3, 9));
    d.key(Key::home);
    CHECK(d.shell->state.view.selected == std::pair(3, 0));
    d.click("source");
    d.key(Key::end);
    d.key(Key::down);
    CHECK(d.shell->state.view.selected == std::pair(3, 0));
}

TEST_CASE("palettes and ranges are chosen, and the colour bar says which range") {
    auto options = Driver::tiny();
    options.height = 1700; // the whole left panel is in sight
    Driver d(options);
    const auto palette = [&] {
        const figure::Figure picture = d.picture();
        for (const figure::Primitive& item : picture.items) {
            if (const auto* heat = std::get_if<figure::Heat>(&item)) return heat->palette;
        }
        FAIL("no map");
        return figure::PaletteId::amber;
    };
    d.click("palette/grey");
    CHECK(palette() == figure::PaletteId::grey);
    CHECK(d.find("palette/grey").on);
    d.click("palette/ember");
    CHECK(palette() == figure::PaletteId::ember);
    d.click("palette/theme");
    CHECK(palette() == figure::PaletteId::amber);
    d.click("range/row");
    CHECK(d.shows("each row"));
    d.click("range/map");
    CHECK(d.shows("0 to max"));
    d.click("range/fixed");
    CHECK((d.shows("weights") || d.shows("attention weight")));
}

TEST_CASE("a click on the colour bar offers palettes and ranges beside it") {
    Driver d;
    const figure::Point bar = target_in(d, "picture", d.picture(), figure::tag::Control{});
    d.hover(bar);
    CHECK(d.shows("click to choose"));
    d.click(bar);
    d.click("colours/palette/grey");
    CHECK(d.shell->state.view.palette == figure::PaletteId::grey);
    d.click("colours/range/map");
    CHECK(d.shows("0 to max"));
    d.key(Key::escape);
    CHECK_FALSE(d.has("colours/range/map"));
}

TEST_CASE("cells of other views tell their own values and choose none of the map") {
    Driver d;
    const auto before = d.shell->state.view.selected;
    d.shell->state.view.view = app::View::flow;
    d.settle();
    const figure::Figure flow = d.picture();
    const auto place = d.find("picture").box;
    int told = 0;
    for (const figure::Target& t : flow.targets) {
        const auto* node = t.as<figure::tag::Node>();
        if (!node || node->place != 3) continue;
        d.click(figure::Point{place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2});
        const float share = d.snapshot().flow->reach(node->level, 3);
        told +=
            says(d, fmt::format("on   {:.6g} of the flow, after {} layers", share, node->level));
        CHECK(d.shell->state.view.selected == before);
    }
    CHECK(told == 3); // the input, and after each of two layers
}

TEST_CASE("a bar of the Softmax room tells the weight that its factor makes") {
    Driver d;
    d.shell->state.view.view = app::View::softmax;
    d.shell->state.view.softmax_factor = 2;
    d.settle();
    const auto [query, key] = *d.shell->state.view.selected;
    d.hover(target_in(d, "picture", d.picture(), figure::tag::Bar{key}));
    const auto map = *d.snapshot().run->trace.map(d.snapshot().focus.head);
    const auto row = map.rectangle(trace::Stage::masked, {query, 0, 1, 10});
    double sum = 0;
    for (int j = 0; j < 10; ++j) sum += std::exp(2.0 * double{row(0, j) - row(0, key)});
    CHECK(says(d, fmt::format("weight {:.4f}", 1 / sum).substr(0, 11)));
}

TEST_CASE("pointing in the Softmax room tells equal words apart, as its axes do") {
    Driver::Options options = Driver::tiny();
    options.document.source = "the cat the cat";
    options.view.view = app::View::softmax;
    Driver d(options);
    d.settle();
    d.hover(target_in(d, "picture", d.picture(), figure::tag::Bar{3}));
    CHECK(says(d, " \u2192 cat (4)   score "));
    const figure::Box place = d.find("picture").box;
    for (const figure::Target& t : d.picture().targets) {
        if (t.tag != figure::Tag(figure::tag::Cells{4, 4, 1})) continue; // the Jacobian
        d.hover(figure::Point{place.x + t.box.x + t.box.w / 8, place.y + t.box.y + t.box.h * 0.9f});
    }
    CHECK(says(d, "weight of cat (4) by score of the (1)"));
}

TEST_CASE("a link of several heads tells its own head's weight") {
    Driver d;
    d.shell->state.view.view = app::View::lines;
    d.shell->state.view.overlay = {1, 2};
    d.settle();
    REQUIRE(d.snapshot().overlay.size() == 2);
    const figure::Figure picture = d.picture();
    const figure::Box place = d.find("picture").box;
    int compared = 0;
    for (const figure::Target& t : picture.targets) {
        if (!t.as<figure::tag::Link>() || compared == 6) continue;
        const figure::Point at{t.box.x + t.box.w / 2, t.box.y + t.box.h / 2};
        const auto hit = figure::pick(picture, at);
        const auto* link = hit ? hit->as<figure::tag::Link>() : nullptr;
        if (!link) continue;
        const auto& [number, weights] = d.snapshot().overlay[static_cast<std::size_t>(link->which)];
        d.hover(figure::Point{place.x + at.x, place.y + at.y});
        CHECK(says(d, fmt::format("{:.6g} \u00b7 head {}", (*weights)(link->query, link->key),
                                  number + 1)));
        ++compared;
    }
    CHECK(compared == 6);
}

TEST_CASE("pointing at a masked cell says that it is masked, in the map and in kept heads") {
    auto options = Driver::tiny();
    options.focus.head.kind = trace::AttentionKind::decoder_self;
    Driver d(options);
    const std::string tip = d.snapshot().run->trace.target[0].text;
    d.hover(d.cell(0, 1));
    CHECK(says(d, tip + " \u2192"));
    CHECK(says(d, "   masked"));
    d.hover(d.cell(1, 0));
    CHECK_FALSE(says(d, "   masked"));
    d.shell->state.view.view = app::View::heads;
    d.shell->state.view.slots = {{trace::AttentionKind::decoder_self, 0, 0}};
    d.settle();
    d.hover(d.cell(0, 1));
    CHECK(says(d, "   masked"));
}

TEST_CASE("a click on the name of a row chooses its largest weight, on that of a column its own") {
    Driver d;
    const auto& map = *d.snapshot().map;
    d.click(d.cell(3, 4));
    d.click(target_in(d, "picture", d.picture(), figure::tag::RowLabel{5}));
    int key = 0, query = 0;
    map.row(5).maxCoeff(&key);
    CHECK(d.shell->state.view.selected == std::pair(5, key));
    d.click(target_in(d, "picture", d.picture(), figure::tag::ColLabel{2}));
    map.col(2).maxCoeff(&query);
    CHECK(d.shell->state.view.selected == std::pair(query, 2));
    // Of what a filter leaves.
    d.shell->state.view.pinned_keys = {key == 0 ? 1 : 0};
    d.frames(2);
    d.click(target_in(d, "picture", d.picture(), figure::tag::RowLabel{5}));
    CHECK(d.shell->state.view.selected == std::pair(5, key == 0 ? 1 : 0));
}
