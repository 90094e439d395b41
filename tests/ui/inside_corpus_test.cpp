// A corpus in the room Inside whose gold alignments cannot be used.
#include "ui/driver.hpp"

#include "app/temporary_folder.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "ui/inside/inside_state.hpp"

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;

TEST_CASE("a text file beside bad gold alignments is measured without them, and says why") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.txt", "the cat\tle chat\nhe\til\n"));
    REQUIRE(base::write_file_atomic(folder / "a.txt.talp", "0-0 1-1\n"));
    Driver::Options options = Driver::tiny();
    options.height = 2400; // nothing has to be scrolled to
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    const auto measure = [&] {
        d.click("inside/choose");
        d.settle();
        d.replace_field("corpus/path", folder / "a.txt");
        d.click("corpus/measure");
        d.settle();
        d.shell->state.inside->corpus.wait();
        d.shell->wake();
        d.settle_all();
        return d.shell->state.inside->corpus.latest();
    };
    CHECK_FALSE(measure().error);
    CHECK(d.shows("2 lines of a.txt, 16 random sequences"));
    CHECK(d.shows("The gold alignments"));
    CHECK_FALSE(d.shows("gold alignments: a.txt.talp"));
    REQUIRE(base::write_file_atomic(folder / "a.txt.talp", "0-0 1-1\n0-0\n"));
    CHECK_FALSE(measure().error);
    CHECK(d.shows("gold alignments: a.txt.talp"));
    CHECK_FALSE(d.shows("The gold alignments"));
}
