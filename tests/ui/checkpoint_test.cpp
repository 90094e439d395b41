// A checkpoint in the window: opened, typed to, gone on with.
#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "ui/frame/continuation.hpp"

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

void open(Driver& d, const std::string& path) {
    d.shell->open_file(path);
    d.settle();
}

} // namespace

TEST_CASE("a checkpoint's folder opens, reads what is typed, and says what comes next") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "tiny-gpt");
    Driver d;
    d.replace_field("source", "the cat sat");
    open(d, folder / "tiny-gpt");
    CHECK(d.shows("Opened tiny-gpt"));
    REQUIRE_FALSE(d.snapshot().error);
    d.replace_field("target", "the cat sat w5 w8");
    d.settle();
    REQUIRE(d.snapshot().run);
    CHECK(d.snapshot().run->trace.target.size() == 5);
    CHECK(d.shows("w8"));
    CHECK(d.shows("Next token"));
    // What it says next is written behind the text by a click.
    num::Index best = 0;
    d.snapshot().prediction->probabilities.maxCoeff(&best);
    if (best == 60) best = 3;
    d.click(fmt::format("next/{}", best));
    d.settle();
    CHECK(d.document().target.starts_with("the cat sat w5 w8 "));
    CHECK(d.snapshot().run->trace.target.back().row == static_cast<int>(best));
    d.key(Key::z, true);
    CHECK(d.document().target == "the cat sat w5 w8");
    // Space goes on until the end, or until it is stopped.
    d.key(Key::space);
    for (int i = 0; i < 5; ++i) d.settle();
    CHECK(d.document().target.size() > std::string("the cat sat w5 w8").size());
    d.shell->state.player.playing = false;
    d.settle();
    // A control acts on it as on any other model.
    const float before = d.snapshot().prediction->entropy_bits;
    d.click("scale");
    d.settle();
    CHECK(d.snapshot().prediction->entropy_bits != before);
}

TEST_CASE("a broken checkpoint says what is wrong, and the model that was open stays") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "broken");
    std::filesystem::resize_file(folder / "broken/model.safetensors", 5000);
    Driver d;
    const models::Config before = d.document().model;
    open(d, folder / "broken");
    CHECK(d.shell->work.notice.bad);
    CHECK(d.shell->work.notice.text.find("model.safetensors") != std::string::npos);
    CHECK(d.document().model == before);
    CHECK(d.document().model_file.empty());
    CHECK(d.snapshot().run);
}
