// What a newcomer does first: typing at once, going back, and looking for what to do next.
#include "app/document/changes.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/filter.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "ui/train/train_state.hpp"

#include <algorithm>
#include <filesystem>

using namespace heed;
using namespace heed::ui::test;
using ui::shim::Key;

namespace {

/// As the window is at its first start.
struct FirstStart : Driver {
    FirstStart() {
        shell->state.layout.cues = {true, true, true};
        shell->offer_sentence();
        frames(4);
        settle();
    }
};

} // namespace

TEST_CASE("what is typed at the first start is the sentence, and no command") {
    FirstStart d;
    const bool dark = d.shell->state.view.dark;
    REQUIRE(d.shell->ui.typing());
    CHECK(d.has("cue/source")); // it is still to be told
    d.type("the dog ate");
    CHECK(d.document().source == "the dog ate");
    CHECK(d.shell->state.view.dark == dark);
    CHECK_FALSE(d.shell->state.layout.cues.type);
    CHECK_FALSE(d.has("cue/source"));
}

TEST_CASE("letters before the first picture wait for the sentence") {
    Driver d;
    CHECK(d.shell->holds() == ui::Holds::nothing);
    d.shell->offer_sentence();
    CHECK(d.shell->holds() == ui::Holds::letters);
    d.frame();
    CHECK(d.shell->holds() == ui::Holds::everything); // the field is about to have them
    d.frames(3);
    CHECK(d.shell->holds() == ui::Holds::nothing);
    CHECK(d.shell->ui.typing());
}

TEST_CASE("Escape leaves a sentence that was offered, and letters are commands again") {
    FirstStart d;
    const std::string before = d.document().source;
    const bool dark = d.shell->state.view.dark;
    d.key(Key::escape);
    CHECK_FALSE(d.shell->ui.typing());
    d.key(Key::t);
    CHECK(d.shell->state.view.dark != dark);
    CHECK(d.document().source == before);
}

TEST_CASE("a sentence that was offered keeps no key from undo, F11 and Space") {
    FirstStart d;
    const app::Document before = d.document();
    d.click("scale");
    REQUIRE_FALSE(d.document() == before);
    d.shell->offer_sentence();
    d.frames(4);
    REQUIRE(d.shell->ui.typing());
    d.key(Key::z, true);
    CHECK(d.document() == before);
    REQUIRE(d.shell->ui.typing()); // and what is typed still replaces it
    d.type("a");
    CHECK(d.document().source == "a");
    d.key(Key::escape);
    d.shell->offer_sentence();
    d.frames(4);
    d.key(Key::f11);
    CHECK(d.shell->state.layout.presenting);
    d.key(Key::escape);
    CHECK_FALSE(d.shell->state.layout.presenting);
    d.shell->offer_sentence();
    d.frames(4);
    d.key(Key::escape);
    d.click("source");
    d.key(Key::a, true);
    d.type(" "); // a person chose this field: Space is the field's
    CHECK(d.document().source == " ");
}

TEST_CASE("a model that was opened by its card is typed to at once") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d;
    d.key(Key::o, true);
    d.key(Key::a, true);
    d.paste(folder / "gpt2");
    d.key(Key::enter);
    for (int i = 0; i < 1000 && !says(d, "Opened gpt2"); ++i) d.frames(1);
    d.frames(6);
    CHECK_FALSE(d.shell->ui.any_popup());
    d.type("cat w7");
    CHECK(d.document().target == "cat w7");
}

TEST_CASE("rooms beside Explore offer no sentence, and a card keeps the keys") {
    Driver d;
    d.click("room/learn");
    d.shell->offer_sentence();
    d.frames(4);
    CHECK_FALSE(d.shell->ui.typing());
    d.click("room/explore");
    d.frames(4);
    CHECK_FALSE(d.shell->ui.typing());
    d.key(Key::p, true, true);
    d.shell->offer_sentence();
    d.frames(4);
    CHECK(d.shell->ui.edits("search/field"));
}

TEST_CASE("one Escape stops what goes on, whatever has the keys") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    Driver d;
    open(d, folder / "gpt2");
    d.click("target");
    REQUIRE(d.shell->ui.typing());
    d.shell->state.player = {.playing = true}; // token by token
    d.frame();
    REQUIRE(d.shell->state.player.playing);
    ui::shim::press_key(Key::escape, true);
    d.frame();
    CHECK_FALSE(d.shell->state.player.playing);
    ui::shim::press_key(Key::escape, false);
    d.frames(2);
}

TEST_CASE("what is typed and taken out again by hand is no step back") {
    Driver d;
    d.click("scale");
    const app::Document scaled = d.document();
    d.click("source");
    d.key(Key::end);
    d.type("s");
    d.key(Key::backspace);
    d.key(Key::escape);
    REQUIRE(d.document() == scaled);
    d.key(Key::z, true);
    CHECK_FALSE(d.document() == scaled);
}

TEST_CASE("attention that was opened is no model in the gallery") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "gold.align", "a b\tx y\t0-0 1-1\n"));
    Driver d;
    d.shell->state.files.recent_files = {folder / "gold.align", folder / "notes.align",
                                         folder / "m.safetensors", folder / "opt-1.3b"};
    d.shell->state.files.attention_files = {folder / "gold.align"};
    d.click("model");
    CHECK(d.has(folder / "m.safetensors"));
    CHECK(d.has(folder / "opt-1.3b"));
    CHECK_FALSE(d.has(folder / "notes.align"));
    REQUIRE(d.has(folder / "gold.align"));
    CHECK(d.shows("attention weights"));
}

TEST_CASE("what another model said is no translation of a model that comes") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "t5", "t5");
    Driver d;
    open(d, app::shipped_model("repeat"));
    d.replace_field("target", "q"); // as if it had been said
    open(d, folder / "t5");
    CHECK(d.document().target.empty());
}

TEST_CASE("the export card types its name, and Enter exports") {
    const TemporaryFolder folder;
    Driver d;
    d.shell->state.files.written_folder = folder.path();
    d.key(Key::e, true);
    REQUIRE(d.shell->ui.edits("export/path"));
    d.type("mine");
    CHECK(d.find("export/path").text == folder / "mine.png");
    d.key(Key::enter);
    d.settle();
    CHECK(std::filesystem::exists(folder / "mine.png"));
}

TEST_CASE("pictures go where one was written last, and not where a model lies") {
    const TemporaryFolder models, pictures;
    Driver d;
    d.shell->state.files.folder = models.path();
    d.key(Key::e, true);
    CHECK_FALSE(d.find("export/path").text.starts_with(models.path()));
    d.key(Key::escape);
    d.shell->state.files.written_folder = pictures.path();
    d.key(Key::e, true);
    CHECK(d.find("export/path").text.starts_with(pictures.path()));
}

TEST_CASE("a masked language model says where a token is masked") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    Driver d;
    open(d, folder / "bert");
    CHECK(says(d, "To mask a token, click it under Masked token below"));
    CHECK(d.find("source").tip.find("mask a token") != std::string::npos);
}

TEST_CASE("kinds of positions are called as papers call them") {
    Driver d;
    d.click("positions/3");
    REQUIRE_FALSE(app::changes(d.document()).empty());
    const std::string words = app::changes(d.document()).front().words;
    CHECK(words.find("positions alibi") == std::string::npos);
    CHECK(app::positions_words(nn::Positions::rotary) == "rotary (RoPE)");
    CHECK(app::positions_words(nn::Positions::alibi) == "ALiBi");
}

TEST_CASE("a file that is not there is told with what to do") {
    Driver d;
    d.shell->open_file("/no/such/model.safetensors");
    for (int i = 0; i < 1000 && d.shell->busy_with_files(); ++i) d.frames(1);
    d.frames(3);
    CHECK(says(d, "/no/such/model.safetensors"));
    CHECK(says(d, "find the file with Ctrl+O"));
}

TEST_CASE("a click on the thin strip beside the heads tells how it is undone") {
    Driver d;
    d.shell->state.view.strips = true;
    d.settle();
    const figure::Box heads = d.find("heads").box;
    bool filtered = false;
    for (float x = heads.x + 1; x < heads.x + 60 && !filtered; x += 2) {
        const app::Focus before = d.shell->work.focus();
        d.click(figure::Point{x, heads.y + heads.h * 0.75f});
        filtered = !app::chosen_layers(d.shell->work.focus()).empty();
        if (!filtered) d.shell->work.apply(ui::ChangeFocus{before});
    }
    REQUIRE(filtered);
    CHECK(says(d, "Esc clears it"));
    d.key(Key::escape);
    CHECK(app::chosen_layers(d.shell->work.focus()).empty());
}

TEST_CASE("nothing is measured of a sentence that is empty, and nothing says so") {
    Driver d;
    d.replace_field("source", "");
    d.replace_field("target", "");
    d.key(Key::escape);
    d.click("room/inside");
    d.settle_all();
    CHECK(d.snapshot().error);
    INFO(d.screen());
    CHECK_FALSE(d.shows("Measuring …"));
}

TEST_CASE("a model that is dropped while a sentence has the keys is typed to at once") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    const bool by_hand = GENERATE(false, true);
    FirstStart d;
    if (by_hand) d.click("source");
    REQUIRE(d.shell->ui.edits("source"));
    const bool dark = d.shell->state.view.dark;
    d.shell->open_file(folder / "gpt2");
    CHECK(d.shell->holds() == ui::Holds::letters);
    for (int i = 0; i < 1000 && !says(d, "Opened gpt2"); ++i) d.frames(1);
    d.frames(6);
    d.type("cat w7");
    CHECK(d.document().target == "cat w7");
    CHECK(d.shell->state.view.dark == dark);
}

TEST_CASE("why a model was not opened stays while somebody types, and goes with the next act") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "empty");
    FirstStart d;
    d.shell->open_file(folder / "empty");
    for (int i = 0; i < 1000 && !d.shell->work.notice.bad; ++i) d.frames(1);
    REQUIRE(d.shell->work.notice.bad);
    const std::string why = d.shell->work.notice.text;
    d.type("the dog");
    CHECK(d.shell->work.notice.text == why);
    d.key(Key::escape);
    d.click("scale");
    CHECK(d.shell->work.notice.text != why);
}

TEST_CASE("a click beside a snapshot's new name takes the name and does what it says") {
    Driver d;
    d.settle();
    d.click("keep");
    d.frames(3);
    REQUIRE(d.has("kept/name"));
    const app::Document before = d.document();
    d.click("scale");
    CHECK_FALSE(d.document() == before);
    CHECK_FALSE(d.has("kept/name"));
}
