// Cards above the window, and what comes into it as files.
#include "ui/driver.hpp"

#include "app/export.hpp"
#include "base/file.hpp"
#include "catch.hpp"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

std::filesystem::path scratch(const std::string& name) {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("heed-ui-tests." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    return folder / name;
}

} // namespace

TEST_CASE("a card blocks what lies under it") {
    Driver d;
    const figure::Box scale = d.find("scale").box;
    d.click("export");
    REQUIRE(d.has("export/save"));
    d.click(figure::Point{scale.x + scale.w - 10, scale.y + scale.h / 2});
    CHECK(d.document().controls.scoped.empty());
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.has("export/save"));
}

TEST_CASE("Export writes what is on the screen and says where") {
    Driver d;
    const auto path = scratch("map.svg");
    std::filesystem::remove(path);
    d.key(Key::e, true);
    d.replace_field("export/path", path.string());
    d.click("export/save");
    CHECK(d.shows("Saved " + path.string()));
    const auto written = base::read_file(path.string(), 10'000'000);
    REQUIRE(written);
    app::ExportOptions options;
    options.width = d.shell->state.picture_width;
    options.height = d.shell->state.picture_height;
    const auto expected =
        app::export_bytes(d.snapshot(), d.shell->state.view, app::ExportFormat::svg, options);
    REQUIRE(expected);
    CHECK(*written == *expected);
}

TEST_CASE("an export that cannot be written says why and loses nothing") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", "/no/such/folder/map.png");
    d.click("export/save");
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shows("/no/such/folder"));
    CHECK(d.has("export/save"));
    CHECK(d.find("export/path").text == "/no/such/folder/map.png");
}

TEST_CASE("the numbers go to the clipboard as a table") {
    Driver d;
    d.click("export");
    d.click("export/copy");
    CHECK(d.clipboard.substr(0, 9) == "\tThe\tcat\t");
    CHECK(std::count(d.clipboard.begin(), d.clipboard.end(), '\n') == 11);
}

TEST_CASE("broken UTF-8 dropped as a file becomes a sentence") {
    Driver d;
    const auto path = scratch("broken.txt");
    REQUIRE(base::write_file_atomic(path.string(), "caf\xC3 au lait\n"));
    d.shell->drop(path.string());
    d.settle();
    CHECK(d.document().source == "caf\uFFFD au lait ");
    d.shell->drop("/no/such/file.txt");
    d.settle();
    CHECK(d.shell->work.notice.bad);
    CHECK(d.document().source == "caf\uFFFD au lait ");
}
