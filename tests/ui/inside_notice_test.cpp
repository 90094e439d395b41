// What went wrong stands below the room Inside: neither its pictures nor its panel lie under it.
#include "ui/driver.hpp"
#include "ui/inside/inside_state.hpp"

#include "catch.hpp"
#include "ui/window/edge_panels.hpp"

using namespace heed;
using namespace heed::ui::test;

namespace {

Driver::Options window_of(int width, int height) {
    Driver::Options options = Driver::tiny();
    options.width = width;
    options.height = height;
    return options;
}

void fail(Driver& d) {
    d.shell->work.notice = {"sentences.txt was not opened: none of its lines holds a sentence",
                            true};
    d.shell->wake();
    d.frames(2);
}

} // namespace

TEST_CASE("pictures of the room Inside end above what went wrong") {
    for (const auto& [width, height] : {std::pair(900, 600), {1280, 800}}) {
        INFO(width << " × " << height);
        Driver d(window_of(width, height));
        d.click("room/inside");
        d.settle_all();
        const float whole = d.find("picture").box.h;
        fail(d);
        const figure::Box picture = d.find("picture").box;
        CHECK(picture.y + picture.h <= d.find("notice").box.y + 0.5f);
        d.click("notice");
        CHECK_FALSE(d.has("notice"));
        CHECK(d.find("picture").box.h == whole);
    }
}

TEST_CASE("the last rows of the panel of the room Inside can be scrolled to beside what went "
          "wrong") {
    Driver d(window_of(700, 600)); // too narrow for the panel to stand beside the stage
    d.click("room/inside");
    d.settle_all();
    d.click("edge/right");
    d.frames(30);
    fail(d);
    const figure::Box notice = d.find("notice").box;
    const ui::Point inside{500, 300};
    REQUIRE(notice.x + notice.w > inside.x); // it lies across the panel's foot
    d.wheel(inside, -100);
    const ui::Scroll& scroll = d.shell->state.inside->scroll;
    CHECK(scroll.offset > 0);
    CHECK(ui::kTopBar + scroll.content - scroll.offset <= notice.y + 0.5f);
    d.click("notice");
    CHECK_FALSE(d.has("notice"));
}
