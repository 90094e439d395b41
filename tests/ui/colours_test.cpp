// What the colours of the large map mean, chosen at its left or by a click on its bar.
#include "ui/driver.hpp"

#include "catch.hpp"
#include "figure/base/value_range.hpp"

using namespace heed;
using figure::ColourScale;
using ui::test::Driver;

namespace {

Driver::Options tall() {
    auto options = Driver::tiny();
    options.height = 1700; // the whole left panel is in sight
    return options;
}

/// The first heat map of the picture in the middle, which the colour bar is not.
figure::Heat map_of(Driver& d) {
    const figure::Figure picture = d.picture();
    for (const figure::Primitive& item : picture.items) {
        if (const auto* heat = std::get_if<figure::Heat>(&item)) return *heat;
    }
    FAIL("no map");
    return {};
}

} // namespace

TEST_CASE("colours become logarithmic, the colour bar says so, and the exporter draws the same") {
    Driver d(tall());
    const auto linear = map_of(d);
    d.click("colours/logarithmic");
    CHECK((d.shows("weights, log") || d.shows("attention weight, log")));
    const auto logarithmic = map_of(d);
    CHECK(logarithmic.low == 0);
    CHECK(logarithmic.high > 0);
    CHECK_FALSE(logarithmic.values->isApprox(*linear.values));
    d.click("range/row");
    CHECK(d.shows("each row, log"));
    d.click("colours/linear");
    CHECK_FALSE(d.shows(", log"));
}

TEST_CASE("numbers of either sign have linear colours, and nobody is offered others") {
    Driver d(tall());
    d.click("colours/logarithmic");
    auto focus = d.shell->work.focus();
    focus.stage = trace::Stage::scores;
    d.shell->work.apply(ui::ChangeFocus{focus});
    d.settle();
    CHECK_FALSE(d.shows(", log"));
    CHECK_FALSE(d.find("colours/logarithmic").enabled);
    d.click("colours/logarithmic");
    CHECK_FALSE(d.shows(", log"));
    focus.stage = trace::Stage::weights;
    d.shell->work.apply(ui::ChangeFocus{focus});
    d.settle();
    CHECK((d.shows("weights, log") || d.shows("attention weight, log")));
    d.click("compare/difference");
    CHECK_FALSE(d.find("colours/logarithmic").enabled);
}

TEST_CASE("logarithms of a large map are made by the engine, and looked up when it is drawn") {
    auto options = tall();
    options.document.source.clear();
    for (int i = 0; i < 300; ++i) options.document.source += "word ";
    models::spec_of(options.document.model)->n_encoder_layers = 1;
    Driver d(options);
    REQUIRE(d.snapshot().prepared);
    CHECK_FALSE(d.snapshot().prepared->logarithms);
    d.click("colours/logarithmic");
    REQUIRE(d.snapshot().prepared->logarithms);
    const figure::Logarithms& made = *d.snapshot().prepared->logarithms;
    CHECK(map_of(d).values == made.fixed.values);
    CHECK(map_of(d).levels == made.fixed.levels);
    d.click("range/map");
    CHECK(map_of(d).values == made.map.values);
    d.click("range/row");
    CHECK(map_of(d).values == made.row.values);
    // Held against another map, that one has its own.
    d.click("compare/side by side");
    REQUIRE(d.snapshot().reference);
    CHECK(d.snapshot().reference->prepared->logarithms);
}

TEST_CASE("every palette of weights is offered") {
    Driver d(tall());
    for (const char* name : {"amber", "heather", "ember", "lagoon", "grey"}) {
        d.click(std::string("palette/") + name);
        CHECK(figure::name(map_of(d).palette) == name);
    }
}
