// Cards above the window, and what comes into it as files.
#include "ui/driver.hpp"

#include "app/files/path_entries.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/export.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/stage/map_panel.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

std::filesystem::path scratch(const std::string& name) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("heed-ui-tests." + std::to_string(::getpid()));
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

TEST_CASE("Enter saves the export, be the path typed or as it is proposed") {
    Driver d;
    const auto path = scratch("entered.svg");
    std::filesystem::remove(path);
    d.key(Key::e, true);
    d.replace_field("export/path", path.string());
    d.key(Key::escape); // out of the field
    d.settle();
    if (!d.has("export/save")) d.key(Key::e, true);
    REQUIRE(d.has("export/save"));
    d.key(Key::enter);
    d.settle();
    CHECK(d.shows("Saved "));
    CHECK(std::filesystem::exists(path));
}

TEST_CASE("Enter on a button of the export card is the button's") {
    Driver d;
    const auto path = scratch("not_entered.svg");
    std::filesystem::remove(path);
    d.key(Key::e, true);
    d.replace_field("export/path", path.string());
    d.key(Key::escape); // out of the field
    d.settle();
    if (!d.has("export/save")) d.key(Key::e, true);
    for (int i = 0; i < 80 && !d.shell->ui.keyboard_at().ends_with("/close"); ++i) d.key(Key::tab);
    REQUIRE(d.shell->ui.keyboard_at().ends_with("/close"));
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("export/save"));
    CHECK_FALSE(std::filesystem::exists(path));
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
    options.width = d.shell->state.picture.width;
    options.height = d.shell->state.picture.height;
    options.beside_title =
        ui::main_place(options.width, options.height, d.shell->state).beside_title;
    options.reads = true;
    options.crop = true; // as the card proposes
    const auto expected =
        app::export_bytes(d.snapshot(), d.shell->state.view, app::ExportFormat::svg, options);
    REQUIRE(expected);
    CHECK(*written == *expected);
}

TEST_CASE("a picture for a paper is as wide as its column, and is seen before it is written") {
    Driver d;
    const auto path = scratch("column.svg");
    std::filesystem::remove(path);
    d.key(Key::e, true);
    CHECK(d.has("export/preview"));
    const auto under = [&](const char* upper, const char* lower) {
        const figure::Box above = d.find(upper).box;
        return d.find(lower).box.y - above.y - above.h;
    };
    CHECK(under("export/size/Screen", "export/ground/White") < 30); // no hole between rows
    CHECK(d.find("export/copy").box.y == d.find("export/save").box.y);
    CHECK(d.shows("Background"));
    const figure::Box preview = d.find("export/preview").box;
    const bool size_below =
        std::ranges::any_of(d.shell->ui.canvas.worded(), [&](const figure::Box& words) {
            const float below = words.y - preview.y - preview.h;
            return words.x > preview.x && below >= 0 && below < 12;
        });
    CHECK(size_below);
    d.click("export/size/8.5 cm");
    CHECK(d.has("export/font/less"));
    d.click("export/title");
    d.click("export/caption"); // which names the head, too
    d.click("export/format/SVG");
    d.replace_field("export/path", path.string());
    CHECK(d.shows("8.5 \u00d7"));
    CHECK_FALSE(d.has("export/cm/more"));
    const figure::Figure in_window = d.picture();
    d.click("export/save");
    const auto written = base::read_file(path.string(), 10'000'000);
    REQUIRE(written);
    CHECK(written->find("width=\"240.9") != std::string::npos); // 8.5 cm in points
    CHECK(written->find("Encoder layer 1 \u00b7 head 1</text>") == std::string::npos);
    CHECK(d.picture().height == in_window.height); // the window keeps its title
    d.click("export/size/Other");
    d.click("export/cm/more");
    CHECK(d.shows("12.5 \u00d7"));
    d.key(Key::escape);
    d.resize(900, 600, 1);
    d.settle();
    d.key(Key::e, true);
    CHECK(d.has("export/preview")); // a small one
    d.key(Key::escape);
    d.resize(720, 600, 1);
    d.settle();
    d.key(Key::e, true);
    CHECK(d.has("export/save")); // without the preview, for which there is no room
    CHECK_FALSE(d.has("export/preview"));
}

TEST_CASE("the export card says what of the page no file of it holds") {
    Driver d;
    d.key(Key::e, true);
    CHECK(d.shows("Current view without strips and links"));
    d.shell->state.view.pinned_keys = {1}; // a filter is told by strips, also in a file
    d.settle();
    CHECK(d.shows("Current view without links"));
    d.shell->state.view.view = app::View::lines;
    d.settle();
    CHECK(d.shows("Current view"));
    CHECK_FALSE(d.shows("Current view without"));
}

TEST_CASE("a path that is wider than its field keeps the field's margins") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", "/tmp/" + std::string(200, 'm'));
    d.frames(2);
    const figure::Box field = d.find("export/path").box;
    const ImU32 ink = ui::packed(d.shell->ui.theme().text);
    const auto lettered = [&](float from) { // 6 points from there; between two letters is a gap
        return std::ranges::any_of(std::array{0, 3, 6}, [&](int x) {
            return d.colour_at({field.x + from + static_cast<float>(x), field.y + field.h / 2}) ==
                   ink;
        });
    };
    CHECK(lettered(40));
    CHECK_FALSE(lettered(2));
    d.key(Key::home);
    d.frames(2);
    CHECK(lettered(field.w - 40));
    CHECK_FALSE(lettered(field.w - 8));
    d.click("export/preview");
    CHECK_FALSE(d.shell->ui.edits("export/path"));
    d.click(ui::Point{field.x + 3, field.y + field.h / 2});
    CHECK(d.shell->ui.edits("export/path"));
}

TEST_CASE("Enter in the path of an export leaves it the keys, be the file written or refused") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", "/proc/a.svg"); // takes no files
    d.key(Key::enter);
    d.settle();
    REQUIRE(d.shell->work.notice.bad);
    CHECK(d.shell->work.save_failed());
    const std::string path = scratch("typed.svg").string(), other = scratch("other.svg").string();
    d.key(Key::a, true);
    d.type(path);
    CHECK(d.find("export/path").text == path);
    d.key(Key::enter);
    d.settle();
    REQUIRE(std::filesystem::exists(path));
    d.shell->work.notice = {"Something else went wrong", true}; // no word about the file
    d.frames(2);
    CHECK_FALSE(d.shell->work.save_failed());
    d.key(Key::a, true);
    d.type(other);
    CHECK(d.find("export/path").text == other);
    std::filesystem::remove(path);
}

TEST_CASE("where Save is clicked and the disk refuses, the path has the keys again") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", "/proc/a.svg"); // takes no files
    d.click("export/save");
    d.settle();
    REQUIRE(d.shell->work.notice.bad);
    const std::string path = scratch("typed.svg").string();
    d.key(Key::a, true);
    d.type(path);
    CHECK(d.find("export/path").text == path);
}

TEST_CASE("an export of Softmax has every card that the window shows") {
    const auto leaves_out = [](const std::vector<figure::Figure>& figures) {
        bool found = false;
        for (const figure::Figure& figure : figures) {
            for (const figure::Primitive& item : figure.items) {
                const auto* text = std::get_if<figure::Text>(&item);
                found |= text != nullptr && text->text.starts_with("No room for");
            }
        }
        return found;
    };
    Driver d;
    d.click("room/softmax");
    d.shell->state.view.caption = true;
    int whole = 0;
    for (int height = 540; height <= 800; height += 20) {
        CAPTURE(height);
        d.resize(1280, height, 1);
        d.settle();
        if (leaves_out({d.picture()})) continue;
        ++whole;
        d.key(Key::e, true);
        d.settle();
        REQUIRE(d.has("export/preview"));
        CHECK_FALSE(leaves_out(d.painted()));
        d.key(Key::escape);
        if (d.has("export/save")) d.key(Key::escape);
        d.settle();
    }
    CHECK(whole > 0);
}

TEST_CASE("what could not be written is not told of another path, and folders fill their half") {
    Driver d;
    d.resize(1280, 800, 1);
    d.settle();
    d.key(Key::e, true);
    d.replace_field("export/path", "/proc/a.svg"); // takes no files
    d.click("export/save");
    d.settle();
    REQUIRE(d.shell->work.notice.bad);
    d.replace_field("export/path", scratch("b.svg").string());
    d.settle();
    CHECK_FALSE(d.shell->work.notice.bad);
    CHECK_FALSE(d.shows("cannot be written"));
    const std::filesystem::path many = scratch("many");
    for (int i = 0; i < 30; ++i) {
        std::filesystem::create_directories(many / std::to_string(i));
    }
    d.replace_field("export/path", (many / "a.svg").string());
    d.click("export/folders");
    d.settle();
    int rows = 0;
    for (const ui::Widget& w : d.shell->ui.widgets()) rows += w.id.starts_with("export/entry/");
    CHECK(rows >= 10);
    CHECK_FALSE(d.shows("Type to find; a folder opens")); // it would be cut
    std::filesystem::remove_all(many);
}

TEST_CASE("the export card says why Crop cannot be chosen on a page") {
    Driver d;
    d.key(Key::e, true);
    d.click("export/size/8.5 cm");
    d.hover("export/crop");
    d.frames(60); // a tip takes its time
    CHECK(ui::test::says(d, "Always on at a width in centimetres"));
    CHECK(d.find("export/crop").on);
}

TEST_CASE("folders of the export card list the files that are there") {
    Driver d;
    d.key(Key::e, true);
    const std::filesystem::path folder = scratch("listed");
    std::filesystem::create_directories(folder / "inner");
    for (const char* name : {"map.svg", "numbers.csv", "notes.docx"}) {
        std::ofstream(folder / name) << "x";
    }
    d.replace_field("export/path", (folder / "a.png").string());
    d.click("export/folders");
    d.settle();
    CHECK(d.shows("inner/"));
    CHECK(d.shows("map.svg"));
    CHECK(d.shows("numbers.csv"));
    CHECK_FALSE(d.shows("notes.docx")); // it is written by no export
    d.click("map.svg");
    d.settle();
    CHECK(d.find("export/format/SVG").on); // the ending says the format
    d.click("export/save");
    CHECK(d.shows("map.svg is there already. Replace writes over it."));
    std::filesystem::remove_all(folder);
}

TEST_CASE("the export card says of which attention all heads are") {
    Driver::Options options = Driver::tiny();
    options.focus.head = {trace::AttentionKind::cross, 0, 0};
    Driver d(options);
    d.key(Key::e, true);
    d.click("export/format/NPY");
    CHECK(d.has("export/heads/All cross"));
    d.click("export/format/NPZ");
    CHECK(d.has("export/heads/All"));
}

TEST_CASE("the export card has only what acts on the chosen format") {
    Driver d;
    d.settle();
    d.key(Key::e, true);
    const char *pages[] = {"export/size/8.5 cm", "export/ground/White", "export/title"},
               *dots = "export/scale/2", *numbers = "export/heads/Heads shown";
    for (const char* format : {"PNG", "SVG", "PDF", "CSV", "NPY", "NPZ"}) {
        CAPTURE(format);
        d.click(std::string("export/format/") + format);
        const bool png = std::string(format) == "PNG";
        const bool picture = png || std::string(format) == "SVG" || std::string(format) == "PDF";
        for (const char* id : pages) CHECK(d.has(id) == picture);
        CHECK(d.has(dots) == png);
        CHECK(d.has(numbers) == !picture);
        CHECK(d.has("export/copy"));
    }
}

TEST_CASE("the export card keeps its size, whatever is chosen in it") {
    Driver d;
    d.key(Key::e, true);
    const figure::Box save = d.find("export/save").box, format = d.find("export/format/PNG").box;
    for (const char* choice : {"export/size/8.5 cm", "export/size/Other", "export/format/SVG",
                               "export/format/CSV", "export/format/NPZ", "export/format/PNG",
                               "export/size/Screen", "export/crop", "export/ground/Transparent"}) {
        d.click(choice);
        INFO(choice);
        CHECK(d.find("export/save").box == save);
        CHECK(d.find("export/format/PNG").box == format);
    }
    d.click("export/format/CSV");
    CHECK(d.shows("No preview of numbers"));
    CHECK_FALSE(d.has("export/preview"));
    std::filesystem::remove(scratch("steady.csv"));
    d.replace_field("export/path", scratch("steady.csv").string());
    d.click("export/save");
    REQUIRE(d.shows("Saved "));
    CHECK(d.find("export/save").box == save);
    d.replace_field("export/path", scratch("no-such-folder/a.csv").string());
    REQUIRE_FALSE(d.find("export/save").enabled);
    CHECK(d.find("export/save").box == save);
}

TEST_CASE("the proposed name follows what is looked at until a person edits it") {
    Driver d;
    const auto proposed = [&] {
        d.key(Key::e, true);
        const std::string path = d.find("export/path").text;
        d.key(Key::escape);
        return std::filesystem::path(path).filename().string();
    };
    CHECK(proposed() == "heed-encoder-1-1.png");
    d.key(Key::right_bracket);
    CHECK(proposed() == "heed-encoder-1-2.png");
    d.click("kind/Cross");
    d.click("view/Lines");
    CHECK(proposed() == "heed-cross-1-2-lines.png");
    d.click("view/Heads");
    CHECK(proposed() == "heed-cross-heads.png");
    d.key(Key::e, true);
    d.click("export/format/CSV");
    CHECK(d.find("export/path").text.ends_with("heed-cross-heads.csv")); // the view's numbers
    d.key(Key::escape);
    d.click("view/Heatmap");
    d.key(Key::e, true);
    CHECK(d.find("export/path").text.ends_with("heed-cross-1-2.csv"));
    d.click("export/heads/All cross");
    CHECK(d.find("export/path").text.ends_with("heed-cross-all.csv"));
    d.click("export/format/NPZ");
    CHECK(d.find("export/path").text.ends_with("heed-all.npz"));
    d.click("export/heads/This head");
    d.click("export/format/CSV");
    d.key(Key::escape);
    d.key(Key::p);
    d.click("scale");
    d.click("compare/difference");
    d.settle();
    d.key(Key::e, true);
    CHECK(d.find("export/path").text.ends_with("heed-cross-1-2-difference.csv"));
    d.key(Key::escape);
    d.click("compare/off");
    d.click("view/Heads");
    d.key(Key::e, true);
    const auto own = scratch("my own.svg");
    d.replace_field("export/path", own.string());
    d.key(Key::escape);
    d.key(Key::escape);
    d.key(Key::left_bracket);
    CHECK(proposed() == "my own.svg");
    d.key(Key::e, true);
    d.replace_field("export/path", "x");
    d.key(Key::a, true);
    d.key(Key::backspace);
    CHECK(d.find("export/path").text.empty()); // not filled in again under the person's hands
    d.key(Key::escape);
    d.key(Key::escape);
    CHECK(proposed() == "heed-cross-heads.svg");
}

TEST_CASE("a path that was typed for one picture is not proposed for another") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", scratch("my own.svg").string());
    d.key(Key::escape);
    d.key(Key::escape);
    d.click("view/Lines");
    d.key(Key::e, true);
    CHECK(d.find("export/path").text.ends_with("/heed-encoder-1-1-lines.svg"));
}

TEST_CASE("a name without a known suffix gets that of the chosen format") {
    Driver d;
    d.key(Key::e, true);
    d.click("export/format/SVG");
    for (const char* name : {"bare", "of v1.2"}) {
        const std::string path = scratch(name).string();
        std::filesystem::remove(path + ".svg");
        d.replace_field("export/path", path);
        d.click("export/save");
        d.settle();
        CHECK(d.shows("Saved " + path + ".svg"));
        CHECK(std::filesystem::exists(path + ".svg"));
    }
    d.click("export/format/PNG");
    CHECK(d.find("export/path").text == scratch("of v1.2.png").string());
    d.replace_field("export/path", scratch("of v1.2").string());
    d.click("export/format/PDF");
    CHECK(d.find("export/path").text == scratch("of v1.2.pdf").string());
    d.replace_field("export/path", scratch("").string());
    CHECK_FALSE(d.find("export/save").enabled); // names no file
}

TEST_CASE("the export card says why a path cannot be written, or what will be") {
    Driver d;
    d.key(Key::e, true);
    d.click("export/format/SVG");
    const auto typed = [&](const std::string& path) { d.replace_field("export/path", path); };
    const auto refused = [&](const std::string& words) {
        INFO(words);
        CHECK_FALSE(d.find("export/save").enabled);
        CHECK(ui::test::says(d, words));
        d.key(Key::enter); // writes nothing
        d.settle();
    };
    const std::filesystem::path folder = scratch("pictures");
    std::filesystem::create_directories(folder);
    typed(scratch("none/").string());
    refused("There is no folder");
    typed(scratch("").string());
    refused("Type the file's name behind its folder.");
    typed(folder.string());
    refused("pictures is a folder.");
    CHECK_FALSE(std::filesystem::exists(folder.string() + ".svg"));
    typed(scratch("x.jpeg").string());
    refused("Heed does not write .jpeg.");
    CHECK_FALSE(std::filesystem::exists(scratch("x.jpeg.svg")));
    typed(scratch("x.apng").string());
    refused("The name of an animated PNG ends in .png.");
    typed(scratch("x.gif").string());
    refused("A .gif holds a film");
    typed(scratch("none/x.svg").string());
    refused("There is no folder " + scratch("none/").string());
    typed(scratch(".svg").string());
    refused(".svg is only an ending. Type a name before it.");
    CHECK_FALSE(std::filesystem::exists(scratch(".svg")));
    typed("");
    refused("Type where the file is written.");
    typed(scratch("of v1.2").string());
    CHECK(d.find("export/save").enabled);
    CHECK(ui::test::says(d, "Writes of v1.2.svg"));
    typed(scratch(std::string(90, 'x') + "-last").string());
    CHECK(d.shows("-last.svg"));      // of a long name both ends
    typed(scratch("x.PDF").string()); // the suffix names a format
    CHECK(d.find("export/format/PDF").on);
    CHECK(d.find("export/save").enabled);
    CHECK_FALSE(ui::test::says(d, "Writes x"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("the disk is asked about a path once typing rests, and nothing is said of a former one") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", scratch("none/").string());
    REQUIRE(ui::test::says(d, "There is no folder"));
    ui::shim::type_text("a/b");
    for (int i = 0; i < 9; ++i) { // less than a rest
        d.frame();
        if (i < 2) continue; // the letters come in
        CHECK_FALSE(ui::test::says(d, "There is no folder"));
    }
    CHECK(d.find("export/path").text == scratch("none/a/b").string());
    d.settle();
    CHECK(ui::test::says(d, "There is no folder " + scratch("none/a/").string()));
    d.replace_field("export/path", scratch("early.svg").string());
    ui::shim::press_key(Key::enter, true); // before typing rests
    d.frames(2);
    ui::shim::press_key(Key::enter, false);
    d.settle();
    CHECK(d.shows("Saved " + scratch("early.svg").string()));
}

TEST_CASE("what was said of a file goes when something of the export card is another") {
    Driver d;
    d.key(Key::e, true);
    const std::string path = scratch("said.svg").string();
    for (const char* choice : {"export/size/8.5 cm", "export/font/more",
                               "export/ground/Transparent", "export/title", "export/format/PNG"}) {
        INFO(choice);
        d.replace_field("export/path", path);
        std::filesystem::remove(path);
        d.click("export/save");
        d.settle();
        REQUIRE(d.shows("Saved " + path));
        d.click(choice);
        CHECK_FALSE(d.shows("Saved " + path));
    }
    d.replace_field("export/path", path);
    std::filesystem::remove(path);
    d.click("export/save");
    d.settle();
    REQUIRE(d.shows("Saved " + path));
    d.replace_field("export/path", scratch("other.svg").string());
    CHECK_FALSE(d.shows("Saved " + path));
}

TEST_CASE("where a file goes is proposed once, and by the disk no more while the card is open") {
    Driver d;
    d.shell->state.files.written_folder = scratch("").string();
    d.key(Key::e, true);
    const std::string proposed = d.find("export/path").text;
    CHECK(proposed.starts_with(scratch("").string()));
    d.shell->state.files.written_folder = std::filesystem::temp_directory_path().string();
    d.frames(3);
    CHECK(d.find("export/path").text == proposed);
    d.click("export/format/SVG"); // another name
    CHECK(d.find("export/path").text.ends_with(".svg"));
    d.key(Key::escape);
    d.key(Key::e, true); // opened again
    CHECK(std::filesystem::path(d.find("export/path").text).parent_path() ==
          std::filesystem::temp_directory_path());
}

TEST_CASE("a long path of the export card keeps its end in sight") {
    Driver d;
    d.key(Key::e, true);
    const std::string folders(120, 'x');
    d.replace_field("export/path", "/" + folders + "/first/last/map.svg");
    d.key(Key::escape); // out of the field
    d.settle();
    if (!d.has("export/save")) d.key(Key::e, true);
    d.click("export/size/1");
    d.key(Key::tab); // the field is at rest
    CHECK(d.shows("\u2026/first/last/map.svg"));
    CHECK(d.find("export/path").text == "/" + folders + "/first/last/map.svg");
}

TEST_CASE("Tab leads from the name of a file to Browse behind it, and Shift+Tab back") {
    Driver d;
    d.key(Key::e, true);
    d.click("export/path");
    d.key(Key::tab);
    CHECK(d.shell->ui.keyboard_at() == "export/folders");
    d.key(Key::tab, false, true);
    CHECK(d.shell->ui.keyboard_at() == "export/path");
}

TEST_CASE("where nothing was written a picture goes to the documents, then where one was last") {
    const TemporaryFolder written;
    const auto proposed = [](Driver& d) {
        d.key(Key::e, true);
        const std::string path = d.find("export/path").text;
        d.key(Key::escape);
        return std::filesystem::path(path).parent_path();
    };
    Driver d;
    d.shell->state.files.written_folder = "/no/such/folder";
    CHECK(proposed(d) == std::filesystem::path(app::documents_folder() + "/x").parent_path());
    d.key(Key::e, true);
    d.replace_field("export/path", written / "a.png");
    d.click("export/save");
    d.settle();
    d.key(Key::escape);
    d.key(Key::escape);
    d.click("view/Lines");
    CHECK(proposed(d) == written.path());
}

TEST_CASE("the proposed name tells files of two models apart") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "tiny-v1.2");
    Driver d;
    open(d, folder / "tiny-v1.2");
    const auto proposed = [&] {
        d.key(Key::e, true);
        const std::string path = d.find("export/path").text;
        d.key(Key::escape);
        return std::filesystem::path(path).filename().string();
    };
    CHECK(proposed() == "heed-tiny-v1.2-decoder-1-1.png");
    open(d, app::shipped_model("en-fr-transformer"));
    CHECK(proposed().starts_with("heed-en-fr-transformer-cross-"));
    d.key(Key::e, true);
    d.click("export/format/CSV");
    CHECK(d.has("export/heads/This head"));
    d.click("export/format/PNG");
    d.key(Key::escape);
    open(d, app::shipped_model("zh-en-bahdanau")); // which has one head
    CHECK(proposed() == "heed-zh-en-bahdanau-heatmap.png");
    d.click("view/Lines");
    CHECK(proposed() == "heed-zh-en-bahdanau-lines.png");
    d.key(Key::e, true);
    d.click("export/format/CSV");
    CHECK_FALSE(d.has("export/heads/This head"));
}

TEST_CASE("a file that is there is replaced only when that was said") {
    Driver d;
    const auto path = scratch("there.svg");
    REQUIRE(base::write_file_atomic(path.string(), "precious"));
    const auto bytes = [&] { return *base::read_file(path.string(), 10'000'000); };
    d.key(Key::e, true);
    d.replace_field("export/path", path.string());
    d.click("export/save");
    CHECK(bytes() == "precious");
    CHECK(d.shows("there.svg is there already"));
    CHECK(d.find("export/save").label == "Replace");
    // Another path asks anew.
    const auto other = scratch("other.svg");
    REQUIRE(base::write_file_atomic(other.string(), "as precious"));
    d.replace_field("export/path", other.string());
    CHECK(d.find("export/save").label == "Save");
    d.replace_field("export/path", path.string());
    d.click("export/save");
    d.click("export/save");
    CHECK(bytes().starts_with("<?xml"));
    CHECK(d.shows("Saved " + path.string()));
    CHECK(d.find("export/save").label == "Save");
    d.key(Key::escape);
    d.key(Key::escape);
}

TEST_CASE("an export that cannot be written says why and loses nothing") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", "/proc/map.png"); // takes no files
    d.click("export/save");
    d.settle();
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shows("/proc/map.png"));
    CHECK(d.has("export/save"));
    CHECK(d.find("export/path").text == "/proc/map.png");
}

TEST_CASE("the numbers go to the clipboard as a table") {
    Driver d;
    d.click("export");
    d.click("export/copy");
    CHECK(d.clipboard.substr(0, 9) == "\tThe\tcat\t");
    CHECK(std::count(d.clipboard.begin(), d.clipboard.end(), '\n') == 11);
    // A large table takes a while, and the window goes on.
    d.shell->work.apply(ui::CopyNumbers{d.shell->state.view});
    CHECK(d.shell->work.saving());
}

TEST_CASE("a file of combined heads is proposed under what they are") {
    Driver d;
    d.click("combine/mean");
    d.click("export");
    CHECK(d.find("export/path").text.find("encoder-mean.") != std::string::npos);
}

TEST_CASE("what is copied are the numbers of the view that is open") {
    Driver d;
    d.click("combine/mean"); // of Heatmap and Lines alone
    d.click("room/inside");
    d.settle();
    d.click("export");
    d.click("export/copy");
    CHECK(d.clipboard.find("share of the answer that comes back") != std::string::npos);
    d.click("export/format/CSV");
    CHECK_FALSE(d.shows("Heads shown")); // the numbers are of no head
    d.key(Key::escape);
    d.click("room/explore");
    d.click("view/Neurons");
    d.settle();
    d.key(Key::c, true, true);
    const auto of_head = app::numbers_as_text(d.snapshot(), d.shell->state.view);
    REQUIRE(of_head);
    CHECK(d.clipboard == *of_head);
}

TEST_CASE("broken UTF-8 dropped as a file becomes a sentence") {
    Driver d;
    const auto path = scratch("broken.txt");
    REQUIRE(base::write_file_atomic(path.string(), "caf\xC3 au lait\n"));
    d.shell->open_file(path.string());
    d.settle();
    CHECK(d.document().source == "caf\uFFFD au lait ");
    d.shell->open_file("/no/such/file.txt");
    d.settle();
    CHECK(d.shell->work.notice.bad);
    CHECK(d.document().source == "caf\uFFFD au lait ");
}

TEST_CASE("a picture is written while the window goes on, one at a time") {
    Driver d;
    const auto path = scratch("beside.png");
    std::filesystem::remove(path);
    ui::Workspace& work = d.shell->work;
    const ui::Export command{path.string(), d.shell->state.view, {}};
    work.apply(command);
    CHECK(work.saving());
    CHECK(work.notice.text == "Saving \u2026");
    CHECK(d.shell->wants_frame_in() > 0); // to tell when it is done, though nobody moves
    work.apply(command);
    CHECK(work.notice.bad);
    d.settle();
    CHECK_FALSE(work.saving());
    CHECK(d.shows("Saved " + path.string()));
    CHECK(std::filesystem::file_size(path) > 1000);
}

TEST_CASE("of a proposed name that is wider than its field both ends are shown") {
    Driver d;
    d.key(Key::e, true);
    REQUIRE(d.has("export/path"));
    d.click("export/scale/2"); // the field is at rest
    const std::string name(120, 'n');
    const ui::Box field = d.find("export/path").box;
    d.shell->state.dialogs->export_form.path = "/tmp/" + name + "-the-end.png";
    d.shell->state.dialogs->export_form.edited = true;
    d.frames(3);
    const auto& canvas = d.shell->ui.canvas;
    bool shown = false;
    for (const std::string& line : canvas.written()) {
        if (!line.ends_with("-the-end.png")) continue;
        shown = true;
        CHECK(line.starts_with("nn")); // without its folder
        CHECK(line.find("n\u2026-the-end.png") != line.npos);
        CHECK(d.shell->ui.canvas.width_of(ui::Face::mono, line) <= field.w - 20);
    }
    CHECK(shown);
}

TEST_CASE("a place in a path without its middle is that of the letter that is seen there") {
    const ui::ShownPath whole{"/a/b.png"};
    CHECK(whole.in_path(3, 8) == 3);
    const ui::ShownPath behind{"\u2026/b.png"}; // of "/folder/b.png"
    CHECK(behind.in_path(4, 13) == 8);
    const ui::ShownPath ends{"na\u2026e.png", 5, 2, 5}; // of "/tmp/name.png" and longer ones
    CHECK(ends.in_path(0, 20) == 5);
    CHECK(ends.in_path(2, 20) == 7);
    CHECK(ends.in_path(5, 20) == 15);
    CHECK(ends.in_path(10, 20) == 20);
}

TEST_CASE("a click on a width leaves the keys to the path") {
    Driver d;
    d.key(Key::e, true);
    d.replace_field("export/path", scratch("figure.svg").string());
    REQUIRE(d.shell->ui.edits("export/path"));
    d.click("export/size/8.5 cm");
    d.frames(3);
    CHECK(d.shell->ui.edits("export/path"));
    d.type("-2");
    CHECK(d.find("export/path").text == scratch("figure-2.svg").string());
    d.click("export/format/PDF");
    d.frames(3);
    d.type("b");
    CHECK(d.find("export/path").text == scratch("figure-2b.pdf").string());
}

TEST_CASE("where words stand in the picture's place there is nothing to save") {
    Driver::Options options = Driver::tiny();
    options.focus.head = {trace::AttentionKind::cross, 0, 0};
    options.view.view = app::View::flow; // has nothing to show of it
    Driver d(options);
    d.key(Key::e, true);
    REQUIRE(d.has("export/save"));
    CHECK_FALSE(d.find("export/save").enabled);
    CHECK(d.shows("There is nothing to export yet"));
    CHECK_FALSE(d.find("export/copy").enabled);
    d.key(Key::escape);
    d.click("kind/Encoder");
    d.settle();
    d.key(Key::e, true);
    CHECK(d.find("export/save").enabled);
    CHECK(d.find("export/copy").enabled);
}

TEST_CASE("a picture that a small window has no room for is written as wide as a page") {
    Driver d(ui::test::small_unrolled());
    d.settle();
    REQUIRE(d.shows("This picture needs more room"));
    d.key(Key::e, true);
    CHECK_FALSE(d.find("export/save").enabled); // as it is in the window
    CHECK(d.shows("There is nothing to export yet"));
    d.click("export/size/17 cm");
    d.settle();
    CHECK(d.find("export/save").enabled);
    d.click("export/size/Screen");
    d.settle();
    CHECK_FALSE(d.find("export/save").enabled);
    d.click("export/format/CSV"); // its numbers need no room
    d.settle();
    CHECK(d.find("export/save").enabled);
    const auto path = scratch("unrolled.pdf");
    std::filesystem::remove(path);
    d.click("export/format/PDF");
    d.click("export/size/17 cm");
    d.replace_field("export/path", path.string());
    d.click("export/save");
    d.settle();
    CHECK(std::filesystem::exists(path));
}

TEST_CASE("Close beside a refused path leaves nothing behind for the card's next opening") {
    Driver d;
    d.key(Key::e, true);
    const std::string proposed = d.find("export/path").text;
    d.replace_field("export/path", "/no-such-folder/a.png");
    d.frames(30);
    REQUIRE_FALSE(d.find("export/save").enabled);
    d.click("export/close");
    CHECK_FALSE(d.has("export/path"));
    d.shell->state.dialogs->export_form.path.clear(); // one is proposed again
    d.key(Key::e, true);
    REQUIRE(d.find("export/path").text == proposed);
    d.type("mine");
    CHECK(d.find("export/path").text.ends_with("mine.png")); // its name was selected
    CHECK(d.find("export/path").text.find("heed-") == std::string::npos);
}

TEST_CASE("a folder that is wrong takes no keys from the path of the export card") {
    Driver d;
    d.key(Key::e, true);
    d.frames(3);
    d.replace_field("export/path", "/no/such/folder/map.png");
    d.frames(60);
    REQUIRE_FALSE(d.find("export/save").enabled);
    CHECK(d.shell->ui.edits("export/path"));
    d.key(Key::enter);
    d.frames(3);
    CHECK(d.shell->ui.edits("export/path"));
    const ui::Widget save = d.find("export/save");
    d.click(figure::Point{save.box.x + save.box.w / 2, save.box.y + save.box.h / 2});
    d.frames(3);
    CHECK(d.shell->ui.edits("export/path"));
    d.key(Key::end);
    d.type("2");
    CHECK(d.find("export/path").text.ends_with("2"));
}

TEST_CASE("Ctrl+A straight after Enter in a refused path selects all of it") {
    for (int between = 0; between < 4; ++between) {
        Driver d;
        d.key(Key::e, true);
        d.replace_field("export/path", "/no/such/folder/map.png");
        d.frames(60);
        REQUIRE(d.shell->ui.edits("export/path"));
        ui::shim::press_key(Key::enter, true);
        d.frame();
        ui::shim::press_key(Key::enter, false);
        d.frames(between);
        ui::shim::set_modifiers(true, false);
        ui::shim::press_key(Key::a, true);
        d.frame();
        ui::shim::press_key(Key::a, false);
        d.frame();
        ui::shim::set_modifiers(false, false);
        d.frames(3);
        d.type("x");
        CHECK(d.find("export/path").text == "x");
    }
}

TEST_CASE(
    "the name in the export card is marked where its letters stand, from the first frame on") {
    Driver d;
    const ImU32 mark = ui::packed(figure::faded(d.shell->ui.theme().accent, 0.3f));
    REQUIRE_FALSE(d.draws_colour(mark));
    ui::shim::set_modifiers(true, false);
    d.frame();
    ui::shim::press_key(Key::e, true);
    bool marked = false;
    for (int i = 0; i < 12; ++i) {
        const bool edited = d.shell->ui.edits("export/path"); // in the frame before
        d.frame();
        if (d.draws_colour(mark)) {
            CHECK(edited); // else the end of a long path stands there
            marked = true;
        }
    }
    CHECK(marked);
    ui::shim::press_key(Key::e, false);
    ui::shim::set_modifiers(false, false);
    d.frame();
}

TEST_CASE("the list of keys says which views only some models have") {
    Driver d;
    d.click("keys");
    d.frames(3);
    CHECK(d.shows("Picture (image models)"));
    CHECK(d.shows("Unrolled (recurrent models)"));
    CHECK(d.shows("Beam")); // the transformer that is open searches, too
    const auto& transformer = d.snapshot().run->model->config();
    CHECK_FALSE(app::fits(app::View::unrolled, transformer));
    CHECK(app::fits(app::View::step, transformer));
    CHECK(d.shows("Heatmap"));
}
