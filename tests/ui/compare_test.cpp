// The map held against another: chosen in the left panel, drawn by the same figure as an export.
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "lab/number_words.hpp"
#include "ui/driver.hpp"

#include "catch.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace heed;
using app::Compare;
using ui::shim::Key;
using ui::test::Driver;
using ui::test::on_one_line;

TEST_CASE("a comparison that is chosen moves no button of the panel") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 1600; // nothing has to be scrolled to
    Driver d(options);
    d.click("scale");
    const float before = d.find("head/mute").box.y;
    for (const char* way : {"compare/difference", "compare/side by side", "compare/off"}) {
        INFO(way);
        d.click(way);
        d.settle();
        CHECK(d.find("head/mute").box.y == before);
    }
}

TEST_CASE("the altered map is held against the unaltered one, beside it and as a difference") {
    Driver d;
    const auto before = *d.snapshot().map;
    d.click("scale");
    CHECK_FALSE(d.snapshot().reference);
    d.click("compare/side by side");
    REQUIRE(d.snapshot().reference);
    REQUIRE(d.snapshot().reference->run);
    CHECK((*d.snapshot().reference->map - before).cwiseAbs().maxCoeff() == 0);
    CHECK(d.shows("Encoder layer 1 \u00b7 head 1 \u00b7 original"));
    CHECK(d.shows("Largest change from original: "));
    const figure::Figure two = d.picture();
    for (const figure::Primitive& item : two.items) { // both begin where one map does
        const auto* text = std::get_if<figure::Text>(&item);
        if (text && text->text.ends_with("\u00b7 original")) CHECK(text->at.x == 24);
    }
    d.click("compare/difference");
    CHECK(d.shows("now − original"));
    CHECK_FALSE(d.shows("now − original ("));   // of the same head
    CHECK(d.shows("Links of the current map")); // below a map that is of two
    CHECK(d.shows("Largest change from original: "));
    for (const auto& [row, col] : {std::pair{1, 2}, {3, 0}}) { // one of them is not the largest
        d.click(d.cell(row, col));
        const auto words = app::reading(d.snapshot(), d.shell->state.view);
        const auto& read = d.snapshot().run->trace.source;
        const std::string cell = "\u201c" + read[static_cast<std::size_t>(row)].text + "\u201d";
        CHECK(words.find(cell) != std::string::npos);
    }
    CHECK(d.shows("scale off"));
    const auto shown = app::difference_data(d.snapshot());
    REQUIRE(shown);
    CHECK((*shown->values - (*d.snapshot().map - before)).cwiseAbs().maxCoeff() == 0);
    // Every later change is held against the same.
    d.click("mask/causal");
    CHECK((*d.snapshot().reference->map - before).cwiseAbs().maxCoeff() == 0);
    d.click("compare/off");
    CHECK_FALSE(d.snapshot().reference);
    CHECK_FALSE(d.shows("now − original"));
}

TEST_CASE("a pinned state stays while the present one goes on, and its colours are centred at 0") {
    Driver d;
    d.key(Key::p);
    REQUIRE(d.shell->work.pinned());
    CHECK(d.shell->state.view.against == app::Against::pinned);
    CHECK(d.shows("Pinned as the baseline"));
    d.replace_field("source", "The dog sat on the mat because it was tired");
    d.key(Key::escape);
    d.click("compare/difference");
    REQUIRE(d.snapshot().reference);
    CHECK(d.snapshot().reference->asked.document.source.starts_with("The cat"));
    const figure::Figure picture = d.picture();
    for (const figure::Primitive& item : picture.items) {
        const auto* heat = std::get_if<figure::Heat>(&item);
        if (heat == nullptr || heat->values->rows() != 10) continue;
        CHECK(heat->palette == figure::PaletteId::diverging);
        CHECK(heat->low == -heat->high);
        CHECK(heat->high > 0);
    }
    // Another head of the pinned text is not what was pinned.
    d.key(Key::right_bracket);
    CHECK(d.snapshot().reference->focus.head.head == 0);
    d.click("pin");
    CHECK(d.snapshot().reference->focus.head.head == 1);
    CHECK((*d.snapshot().reference->map - *d.snapshot().map).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("maps of two models side by side name their models, of one model neither") {
    Driver d;
    ui::test::open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    d.key(Key::p);
    d.click("compare/side by side");
    const auto told = [&](const char* model) {
        int times = 0;
        for (const figure::Primitive& item : d.picture().items) {
            const auto* text = std::get_if<figure::Text>(&item);
            times += text != nullptr && text->text.find(model) != std::string::npos;
        }
        return times;
    };
    CHECK(told("fran\u00e7ais") == 0);
    ui::test::open(d, app::shipped_model("zh-en-transformer"));
    d.settle();
    d.click("compare/side by side");
    d.click("against/pinned");
    d.settle();
    REQUIRE(d.snapshot().reference);
    CHECK(told("fran\u00e7ais") == 1);
    CHECK(told("\u2192 English") == 1);
}

TEST_CASE("a pinned state is held against the same stage as is shown, not against other numbers") {
    Driver d;
    d.key(Key::p);
    d.click("compare/difference");
    for (const trace::Stage stage : {trace::Stage::scores, trace::Stage::q}) {
        auto focus = d.shell->work.focus();
        focus.stage = stage;
        d.shell->work.apply(ui::ChangeFocus{focus});
        d.settle();
        REQUIRE(d.snapshot().reference);
        CHECK(d.snapshot().reference->focus.stage == stage);
        REQUIRE(d.snapshot().reference->difference);
        CHECK(d.snapshot().reference->difference->cwiseAbs().maxCoeff() == 0);
    }
}

TEST_CASE("choosing what is pinned while nothing is pins what is shown") {
    Driver d;
    d.click("compare/side by side");
    d.click("against/pinned");
    REQUIRE(d.shell->work.pinned());
    CHECK(d.shows("Encoder layer 1 \u00b7 head 1 \u00b7 pinned"));
}

TEST_CASE("maps beside each other are pointed at and chosen together") {
    Driver d;
    d.click("scale");
    d.click("compare/side by side");
    const float value = (*d.snapshot().map)(3, 1), other = (*d.snapshot().reference->map)(3, 1);
    for (const int map : {0, 1}) {
        d.hover(d.cell(3, 1, map));
        const std::string words = on_one_line(d.screen());
        CHECK(words.find("on \u2192 cat   " + lab::digits_text(static_cast<double>(value), 6)) !=
              std::string::npos);
        const std::string difference = lab::digits_text(static_cast<double>(value - other), 6);
        CHECK(words.find(fmt::format("original {} \u00b7 difference {}{}",
                                     lab::digits_text(static_cast<double>(other), 6),
                                     value < other ? "" : "+", difference)) != std::string::npos);
    }
    d.click(d.cell(4, 2, 0));
    CHECK(d.shell->state.view.selected == std::pair(4, 2));
    const std::string chosen = figure::dump(d.picture());
    d.key(Key::escape);
    d.click(d.cell(4, 2, 1));
    CHECK(figure::dump(d.picture()) == chosen);
}

TEST_CASE("a pinned state whose sentence has another length is told, not subtracted") {
    Driver d;
    d.key(Key::p);
    d.click("compare/difference");
    d.replace_field("source", "one two three");
    const std::string words = on_one_line(d.screen());
    CHECK(words.find("The two maps differ in size: there is no difference to show.") !=
          std::string::npos);
    CHECK(words.find("now, 3 rows: one two three") != std::string::npos);
    d.click("compare/beside"); // the way out, below these words
    CHECK(d.shell->state.view.compare == app::Compare::beside);
    d.hover(d.cell(7, 7, 0)); // of the pinned map alone
    CHECK(d.shows("tired"));
    for (const int map : {0, 1}) { // a cell of one map is none of the other
        d.hover(d.cell(1, 1, map));
        CHECK_FALSE(says(d, "\u00b7 difference"));
    }
}

TEST_CASE("both maps keep their place and their scale while a weight is set") {
    auto options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    Driver d(options);
    d.click("compare/side by side");
    const auto cells = [&] {
        std::vector<figure::Box> boxes;
        const figure::Figure picture = d.picture();
        for (const figure::Target& t : picture.targets) {
            if (t.as<figure::tag::Cells>()) boxes.push_back(t.box);
        }
        REQUIRE(boxes.size() == 2);
        return boxes;
    };
    const auto before = cells();
    d.click(d.cell(3, 1, 1));
    for (int i = 0; i < 3; ++i) d.key(Key::up, false, false, true);
    d.settle();
    REQUIRE(d.shows("edited"));
    const auto stay = [&] {
        for (std::size_t i : {0, 1}) {
            CAPTURE(i);
            CHECK(cells()[i].x == before[i].x);
            CHECK(cells()[i].y == before[i].y);
            CHECK(cells()[i].w == before[i].w);
            CHECK(cells()[i].h == before[i].h);
        }
    };
    stay();
    d.click("scale");
    stay();
    d.click("mask/causal");
    stay();
    CHECK(before[0].w == before[1].w);
    CHECK(before[0].h == before[1].h);
    CHECK(before[0].y == before[1].y);
}

TEST_CASE("comparing is chosen anywhere, and shows the view that compares") {
    Driver::Options options = Driver::tiny();
    options.height = 1600; // nothing has to be scrolled to
    Driver d(options);
    d.click("compare/difference");
    for (const char* view : {"Lines", "Heads", "Flow", "Neurons", "Stages"}) {
        INFO(view);
        d.click(std::string("view/") + view);
        const auto now = d.shell->state.view.view;
        d.hover("compare/side by side");
        d.frames(60);
        CHECK(on_one_line(d.screen()).find("Shows the Heatmap view (1)") != std::string::npos);
        d.click("compare/off"); // shows no other view
        CHECK(d.shell->state.view.view == now);
        d.click("compare/side by side");
        CHECK(d.shell->state.view.view == app::View::heatmap);
        CHECK(d.shell->state.view.compare == Compare::beside);
    }
    CHECK(d.find("compare/side by side").on);
}

TEST_CASE("both sides of a comparison are named, in the picture and at the control") {
    Driver d;
    d.click("scale");
    CHECK_FALSE(d.shows("right: now"));
    d.click("compare/side by side");
    CHECK(d.shows("left: original \u00b7 right: now"));
    CHECK(d.shows("Encoder layer 1 \u00b7 head 1 \u00b7 original"));
    CHECK(d.shows("Encoder layer 1 \u00b7 head 1 \u00b7 now"));
    d.click("compare/difference");
    CHECK(d.shows("now \u2212 original"));
    CHECK_FALSE(d.shows("right: now"));
    app::ViewState view = d.shell->state.view;
    view.compare = Compare::beside;
    view.caption = true;
    const figure::Figure file = app::make_figure(d.snapshot(), view, 1200, 700);
    std::string words;
    for (const figure::Primitive& item : file.items) {
        if (const auto* text = std::get_if<figure::Text>(&item)) words += text->text + " ";
    }
    CHECK(words.find("Left: original. Right: now.") != std::string::npos);
}

TEST_CASE("a baseline that another one takes the place of comes back by undo") {
    Driver d;
    d.key(Key::p);
    const auto first = d.shell->work.pinned()->document;
    d.key(Key::p); // the same once more
    CHECK_FALSE(d.shows("Undo brings the former one back"));
    d.click("scale");
    d.key(Key::p);
    d.key(Key::p); // as in "apple"
    CHECK(d.shows("Undo brings the former one back"));
    REQUIRE_FALSE(d.shell->work.pinned()->document == first);
    d.key(Key::z, true);
    CHECK(d.shell->work.pinned()->document == first);
    CHECK_FALSE(d.document().controls.scoped.empty()); // the change stays
    d.key(Key::z, true);
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("no scraps of links stand below two maps of a small window") {
    Driver d;
    d.click("kind/Cross");
    d.click("scale");
    d.click("compare/side by side");
    d.resize(720, 480, 1);
    d.settle();
    if (d.has("links")) { // as high as can be read
        float low = 1e9f, high = 0;
        for (const figure::Target& t : d.links().targets) {
            if (!t.curve) continue;
            low = std::min(low, t.curve->a.y);
            high = std::max(high, t.curve->b.y);
        }
        CHECK(high - low >= 40);
    }
    d.resize(1280, 900, 1);
    d.settle();
    CHECK(d.has("links"));
}

TEST_CASE("the control says above and below of maps that stand above each other") {
    Driver d;
    d.replace_field("source", "the quick brown fox jumped over the lazy dogs because they were "
                              "incomprehensibly uninterested in extraordinary acrobatics today");
    d.key(Key::escape);
    d.click("scale");
    d.click("compare/side by side");
    d.resize(1280, 2000, 1);
    d.settle();
    std::vector<figure::Box> maps;
    for (const figure::Target& t : d.picture().targets) {
        if (t.as<figure::tag::Cells>()) maps.push_back(t.box);
    }
    REQUIRE(maps.size() == 2);
    REQUIRE(maps[1].y > maps[0].y + maps[0].h / 2);
    CHECK(d.shows("above: original \u00b7 below: now"));
    d.resize(1600, 1000, 1);
    d.settle();
    CHECK(d.shows("left: original \u00b7 right: now"));
}

TEST_CASE(
    "a comparison begins at the cell that changed most, where the chosen one did not change") {
    auto options = Driver::tiny();
    Driver d(options);
    d.shell->state.view.selected = {0, 0};
    d.click("scale");
    d.click("compare/side by side");
    const auto& reference = d.snapshot().reference;
    REQUIRE(reference);
    const auto cell = *app::most_changed(d.snapshot());
    const bool changed = (*reference->difference)(0, 0) != 0;
    CHECK(d.shell->state.view.selected == (changed ? std::pair(0, 0) : cell));
    d.click(d.cell(1, 2, 0)); // what is chosen then stays
    CHECK(d.shell->state.view.selected == std::pair(1, 2));
}
