// A ViT in the window: its picture under the map of a head; and attention without a model.
#include "app/document/prepare_image.hpp"
#include "app/run_heed.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/picture_view.hpp"
#include "catch.hpp"
#include "paths.hpp"
#include "ui/driver.hpp"

#include <algorithm>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

const std::string kPictures = HEED_SOURCE_DIR "/tests/files/pictures/";
const std::string kVit = HEED_SOURCE_DIR "/tests/models/checkpoints/vit";

/// The cells that lie over the picture, if they do.
std::shared_ptr<const figure::Pixels> cover(Driver& d) {
    std::shared_ptr<const figure::Pixels> found;
    for (const figure::Figure& painted : d.painted()) {
        for (const figure::Primitive& item : painted.items) {
            const auto* image = std::get_if<figure::Image>(&item);
            if (image && !image->smooth) found = image->pixels;
        }
    }
    return found;
}

std::string tabs(Driver& d) { return d.has("Picture") ? "with a picture" : "without"; }

std::string maps_of(const TemporaryFolder& folder, const std::string& name) {
    const HeedRan ran = heed_ran({"attend", "--size", "tiny", "--source", "the black cat",
                                  "--target", "le chat noir", "-o", folder / name});
    REQUIRE(ran.code == 0);
    return folder / name;
}

} // namespace

TEST_CASE("a ViT shows its picture: what a patch attends to follows the pointer and the arrows") {
    Driver d;
    d.settle();
    CHECK(tabs(d) == "without");
    open(d, kVit);
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shell->state.view.view == app::View::picture);
    CHECK(d.shows("Drop a PNG or JPEG here, or press Ctrl+O."));
    CHECK(d.has("picture/open"));
    CHECK_FALSE(d.has("source"));
    open(d, kPictures + "rgb.png");
    REQUIRE(cover(d));
    CHECK(d.shows("rgb.png"));
    CHECK(d.shows("thing 0"));

    // Pointing shows another patch's attention, and going away the chosen one's.
    d.shell->state.view.selected = {1, 0};
    d.settle();
    const auto first = cover(d)->rgba;
    d.hover(d.cell(2, 1));
    d.frames(3);
    CHECK(d.shows("patch 3,2 gets "));
    CHECK(cover(d)->rgba != first);
    d.hover("export");
    d.frames(3);
    CHECK(cover(d)->rgba == first);

    d.click(d.cell(2, 1));
    CHECK(d.shell->state.view.selected->first == 1 + 2 * 3 + 1);
    d.hover("export");
    d.settle();
    CHECK(d.shows("patch 3,2 attends to patches"));
    d.key(Key::left);
    CHECK(d.shell->state.view.selected->first == 7);
    d.key(Key::up);
    CHECK(d.shell->state.view.selected->first == 4);
    d.key(Key::up);
    d.key(Key::up);
    CHECK(d.shell->state.view.selected->first == 0); // the class token, before the patches
    d.key(Key::up);
    CHECK(d.shell->state.view.selected->first == 0);
    d.key(Key::right);
    CHECK(d.shell->state.view.selected->first == 1);
    d.key(Key::down);
    CHECK(d.shell->state.view.selected->first == 4);

    // Heads are small pictures, and a click on one shows its map.
    d.key(Key::three);
    d.settle();
    int small = 0;
    for (const figure::Primitive& item : d.picture().items) {
        small += std::holds_alternative<figure::Image>(item);
    }
    CHECK(small == 6);
    d.key(Key::v);
    d.settle();
    CHECK(d.shell->state.view.view == app::View::picture);

    std::string gone;
    {
        const TemporaryFolder folder;
        gone = maps_of(folder, "x.npz");
    }
    open(d, gone);
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shell->state.view.view == app::View::picture);
    REQUIRE(cover(d));
}

TEST_CASE("a class and its probability follow the picture of a DeiT with two heads") {
    Driver d;
    open(d, HEED_SOURCE_DIR "/tests/models/checkpoints/deit_teacher");
    REQUIRE_FALSE(d.snapshot().error);
    open(d, kPictures + "rgb.png");
    REQUIRE(d.snapshot().prediction);
    CHECK(d.snapshot().prediction->probabilities.size() == 4);
    CHECK(d.shows("thing 3"));
    CHECK(d.shows("⟨distillation⟩"));
}

TEST_CASE("a file of maps is looked into without a model, and says what would need one") {
    const TemporaryFolder folder;
    Driver d;
    open(d, maps_of(folder, "x.npz"));
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shows("Opened x"));
    CHECK(d.snapshot().run->trace.source.size() == 3);
    CHECK_FALSE(d.has("source"));
    CHECK_FALSE(d.has("scale"));
    CHECK_FALSE(d.has("head/gain"));
    CHECK(d.shows("Open the model that made them"));
    d.click(d.cell(1, 2));
    d.settle();
    CHECK(d.shows("Weight"));
    CHECK(d.shows("black"));
    for (const Key key : {Key::four, Key::six}) { // neurons, stages
        d.key(key);
        d.settle();
        CHECK(d.shows("attention weights alone"));
    }
    for (const Key key : {Key::one, Key::two, Key::three, Key::five}) {
        d.key(key);
        d.settle();
        CHECK(figure::dump(d.picture()).find("attention weights alone") == std::string::npos);
    }
    d.key(Key::z, true); // the model that was open before
    d.settle();
    CHECK(d.has("source"));
    CHECK(d.has("scale"));
}

TEST_CASE("a file of alignments is gone through sentence by sentence") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "a.align", "0-0 1-1\n0-0 1-2 2-1\n0-0\n"));
    Driver d;
    open(d, folder / "a.align");
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shows("sentence 1 of 3"));
    d.click("sentence/next");
    d.settle();
    CHECK(d.document().sentence == 1);
    CHECK(d.snapshot().run->trace.target.size() == 3);
    d.click("sentence/previous");
    d.settle();
    CHECK(d.snapshot().run->trace.target.size() == 2);
}

TEST_CASE("a broken file of maps says what is wrong, and the former picture stays") {
    const TemporaryFolder folder;
    Driver d;
    d.settle();
    const std::string before = figure::dump(d.picture());
    const app::Document document = d.document();
    REQUIRE(base::write_file_atomic(folder / "bad.npz", "PK no more"));
    REQUIRE(base::write_file_atomic(folder / "sum.json", R"({"a": [[[[3]]]], "tokens": ["a"]})"));
    REQUIRE(base::write_file_atomic(folder / "bad.align", "0-0 1-1\n0-0 one\n"));
    for (const auto& [name, words] :
         {std::pair("bad.npz", "bad.npz"), {"sum.json", "sums to 3"}, {"bad.align", "line 2"}}) {
        CAPTURE(name);
        open(d, folder / name);
        CHECK(d.shell->work.notice.bad);
        INFO(d.shell->work.notice.text);
        CHECK(d.shell->work.notice.text.find(words) != std::string::npos);
        CHECK(d.document() == document);
        d.settle();
        CHECK(figure::dump(d.picture()) == before);
    }
}
