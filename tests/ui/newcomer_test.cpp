// What a newcomer does first: typing at once, going back, and looking for what to do next.
#include "app/document/changes.hpp"
#include "app/files/shipped_models.hpp"
#include "app/temporary_folder.hpp"
#include "app/views/filter.hpp"
#include "app/views/map_views.hpp"
#include "app/views/titles.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/train/train_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>

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

TEST_CASE("on a Chinese system the window starts with Chinese, and has its letters") {
    const char* const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    std::map<std::string, std::string> before;
    for (const char* name : variables) {
        if (const char* value = std::getenv(name)) before[name] = value;
        unsetenv(name);
    }
    setenv("LANG", "zh_CN.UTF-8", 1);
    const app::Opening opening = app::first_opening();
    unsetenv("LANG");
    for (const auto& [name, value] : before) setenv(name.c_str(), value.c_str(), 1);
    Driver::Options options;
    options.width = 1280;
    options.height = 800;
    options.document = opening.document;
    options.focus = opening.focus;
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK(d.shows("\u4e2d\u6587 \u2192 English \u00b7 transformer"));
    CHECK(d.shows("\u6628\u5929"));
    CHECK(d.shows("yesterday"));
    CHECK(d.snapshot().missing_letters.empty());
    CHECK_FALSE(d.lacking);
    CHECK(d.find("source").box.w > 200);
}

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

TEST_CASE("Escape takes back none of the letters that came with it in a slow frame") {
    FirstStart d;
    d.type("the old cat sees a blue bi");
    ui::shim::type_text("rd");
    d.key(Key::escape);
    CHECK_FALSE(d.shell->ui.typing());
    CHECK(d.document().source == "the old cat sees a blue bird");
    d.click("target"); // of another field, likewise
    d.key(Key::a, true);
    ui::shim::type_text("le chat");
    d.key(Key::escape);
    CHECK_FALSE(d.shell->ui.typing());
    CHECK(d.document().target == "le chat");
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
    d.shell->state.files.model_words = {{folder / "gold.align", "attention weights"}};
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

TEST_CASE("the text in sight goes along to the model that is opened; where there is none, another") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt");
    make_text_checkpoint(folder / "bert", "bert");
    Driver d;
    const auto empty = [&](const char* field) {
        d.replace_field(field, "");
        d.settle();
        REQUIRE(d.snapshot().error);
    };
    empty("source");
    open(d, folder / "gpt");
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().target == app::Document().source);
    empty("target");
    d.replace_field("target", "the cat sat");
    open(d, folder / "bert");
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().source == "the cat sat");
    d.replace_field("source", "the mat");
    open(d, folder / "gpt");
    CHECK(d.document().target == "the mat");
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

namespace {

Driver with_first_model(int width = 1600, int height = 1000) {
    setenv("LC_ALL", "C", 1);
    const app::Opening opening = app::first_opening();
    Driver::Options options;
    options.width = width;
    options.height = height;
    options.document = opening.document;
    options.focus = opening.focus;
    return Driver(std::move(options));
}

} // namespace

TEST_CASE("another kind of attention keeps the chosen word, at the key that it looks at most") {
    Driver d = with_first_model();
    d.settle();
    d.shell->state.view.selected = {3, 4};
    d.frames(2);
    d.click("kind/1"); // the decoder's own
    d.settle();
    REQUIRE(d.snapshot().focus.head.kind == trace::AttentionKind::decoder_self);
    const auto chosen = d.shell->state.view.selected;
    REQUIRE(chosen);
    CHECK(chosen->first == 3);
    const auto map = d.snapshot().run->trace.map(d.snapshot().focus.head);
    CHECK(map->cell(chosen->first, chosen->second).allowed);
    num::Index key = 0;
    map->whole(trace::Stage::weights).row(3).maxCoeff(&key);
    CHECK(chosen->second == key);
    d.click("kind/2"); // and back
    d.settle();
    CHECK(d.shell->state.view.selected == std::pair(3, 4));
}

TEST_CASE("another model keeps the chosen word, and no cell of it that is masked") {
    Driver d;
    d.settle();
    d.shell->state.view.selected = {1, 2};
    d.frames(2);
    const auto& queries = d.snapshot().run->trace.queries(d.snapshot().focus.head.kind);
    const std::string word = queries[1].text;
    app::Document next = d.document();
    auto spec = std::get<models::ModelSpec>(next.model);
    spec.architecture = models::Architecture::decoder_only;
    next.model = spec;
    next.target = next.source;
    d.shell->work.apply(ui::ChangeDocument{next, {}, "decoder", true});
    d.settle();
    const auto chosen = d.shell->state.view.selected;
    REQUIRE(chosen);
    const trace::HeadId head = d.snapshot().focus.head;
    REQUIRE(head.kind == trace::AttentionKind::decoder_self);
    const auto& now = d.snapshot().run->trace.queries(head.kind);
    CHECK(now[static_cast<std::size_t>(chosen->first)].text == word);
    CHECK(d.snapshot().run->trace.map(head)->cell(chosen->first, chosen->second).allowed);
}

TEST_CASE("the chosen row goes with its word where a control changes what the model says") {
    Driver d = with_first_model();
    app::Document document = d.document();
    document.source = "the young teacher did not read the old book";
    d.shell->work.apply(ui::ChangeDocument{document, {}, "text", true, true});
    d.settle();
    const auto said = [&](int row) { // the token that the decoder reads next
        return d.snapshot().run->trace.target.at(static_cast<std::size_t>(row) + 1).text;
    };
    const auto chosen = [&] { return d.shell->state.view.selected.value_or(std::pair(-1, -1)); };
    app::Document muted = d.document();
    models::HeadControls off;
    off.gain = 0.f;
    muted.controls.set({trace::AttentionKind::cross, 1, 0}, off);
    const auto mute_and_undo = [&](int row, const std::function<void()>& then) {
        d.shell->state.view.selected = {row, 7};
        d.settle();
        d.shell->work.apply(ui::ChangeDocument{muted, {}, "head off"});
        d.settle();
        then();
        d.shell->work.apply(ui::Undo{});
        d.settle();
        CHECK(chosen() == std::pair(row, 7));
    };
    REQUIRE(said(7) == "vieux");
    mute_and_undo(7, [&] { // "a lu" instead of "n'a pas lu"
        CHECK(chosen() == std::pair(6, 7));
        CHECK(said(chosen().first) == "vieux");
    });
    REQUIRE(said(4) == "pas");
    mute_and_undo(4, [&] { CHECK(chosen() == std::pair(4, 7)); }); // said no more
}

TEST_CASE("a control that is set back to what it was is no change") {
    Driver d;
    const models::Controls before = d.document().controls;
    d.click("scale");
    d.settle();
    REQUIRE_FALSE(d.document().controls == before);
    d.click("scale");
    d.settle();
    CHECK(d.document().controls == before);
    CHECK(d.shows("No changes to this model"));
    d.click("mask/causal");
    d.settle();
    REQUIRE_FALSE(d.document().controls == before);
    d.click("mask/causal");
    d.settle();
    CHECK(d.document().controls == before);
}

TEST_CASE("a change of another head leads to its map") {
    Driver d = with_first_model();
    d.settle();
    const trace::HeadId changed = d.snapshot().focus.head;
    d.click("scale");
    d.settle();
    CHECK_FALSE(d.has("change/0/show")); // it is there already
    d.click("kind/0");
    d.settle();
    d.click("change/0/show");
    d.settle();
    CHECK(d.snapshot().focus.head == changed);
}

TEST_CASE("in a small window the sides that are put away say what they hold") {
    Driver d = with_first_model(720, 480);
    d.settle();
    CHECK_FALSE(d.has("heads"));
    CHECK(d.find("edge/left").box.w >= 14);
    CHECK(d.shows("Controls"));
    const auto named = [&](const char* word) { // along the handle: the tab of this name is level
        const auto figures = d.painted();
        return std::ranges::any_of(figures, [&](const figure::Figure& figure) {
            return std::ranges::any_of(figure.items, [&](const auto& item) {
                const auto* text = std::get_if<figure::Text>(&item);
                return text != nullptr && text->text == word && text->degrees == -90;
            });
        });
    };
    CHECK(named("Heads"));
    d.click("edge/left");
    d.frames(20);
    REQUIRE(d.has("heads"));
}

TEST_CASE("lesson 4 opens on a head whose map its scale changes") {
    Driver d = with_first_model();
    d.settle();
    d.click("room/learn");
    d.frames(3);
    d.click("learn/lesson/3");
    d.settle();
    const double before = d.snapshot().summary.mean_entropy_bits;
    d.click("lesson/skip");
    d.click("scale");
    d.settle();
    CHECK(before - d.snapshot().summary.mean_entropy_bits > 1);
}

TEST_CASE("what went wrong goes when a sentence is typed, unless a model was refused") {
    Driver d;
    d.settle();
    d.shell->work.notice = {"That failed", true};
    d.replace_field("source", "a b c");
    d.settle();
    CHECK_FALSE(d.shows("That failed"));
    d.shell->work.notice = {"It was not opened", true, {}, true};
    d.replace_field("source", "a b d");
    d.settle();
    CHECK(d.shows("It was not opened"));
    d.shell->work.notice = {"That failed", true};
    d.frames(60 * 35);
    CHECK(d.shows("That failed")); // until it is closed
    d.click("That failed"); // a click on it does
    CHECK_FALSE(d.shows("That failed"));
}

TEST_CASE("a field that is no longer drawn takes nothing") {
    Driver d;
    d.settle();
    d.click("source");
    REQUIRE(d.shell->ui.edits("source"));
    d.shell->state.view.view = app::View::train;
    d.frames(3);
    CHECK_FALSE(d.shell->ui.edits("source"));
    CHECK_FALSE(d.shell->ui.edited_sentence());
}

TEST_CASE("positions are one choice in one frame") {
    Driver d;
    d.settle();
    const ui::Box first = d.find("positions/0").box, last = d.find("positions/5").box;
    CHECK(last.y == first.y + first.h);
    d.click("positions/3");
    d.settle();
    CHECK(d.find("positions/3").on);
    CHECK_FALSE(d.find("positions/0").on);
}

TEST_CASE("Inside asks for a sentence where there is none, and counts nothing") {
    Driver d = with_first_model();
    d.settle();
    d.click("room/inside");
    d.settle();
    d.replace_field("source", " ");
    d.settle();
    CHECK(d.shows("Type a sentence: without one nothing is measured"));
}

TEST_CASE("a file that is dropped on Train is of sentences, a folder is of a model") {
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "pairs.tsv", "a b\tb a\n"));
    make_text_checkpoint(folder / "gpt2");
    Driver d;
    d.click("room/train");
    d.frames(3);
    d.shell->open_file(folder / "pairs.tsv");
    d.settle();
    CHECK(d.shell->state.train->form.file == folder / "pairs.tsv");
    d.shell->open_file(folder / "gpt2");
    for (int i = 0; i < 1000 && d.document().model_file != folder / "gpt2"; ++i) d.frames(1);
    CHECK(d.document().model_file == folder / "gpt2");
}

TEST_CASE(
    "a word that the model does not know is dotted in its field, at rest and while it is typed") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    const auto dots = [&] {
        d.frame();
        const ui::Box field = d.find("source").box;
        const ImU32 ink = ui::packed(d.shell->ui.theme().bad);
        const ImDrawData& drawn = *ImGui::GetDrawData();
        int found = 0;
        for (int k = 0; k < drawn.CmdListsCount; ++k) {
            for (const ImDrawVert& corner : drawn.CmdLists[k]->VtxBuffer) {
                found += corner.col == ink && field.contains({corner.pos.x, corner.pos.y});
            }
        }
        return found;
    };
    d.replace_field("source", "the xyzzy cat");
    d.settle();
    REQUIRE(d.shell->ui.edits("source"));
    CHECK(dots() > 0);
    d.key(Key::escape);
    d.settle();
    REQUIRE_FALSE(d.shell->ui.edits("source"));
    CHECK(dots() > 0);
    d.replace_field("source", "the black cat");
    d.settle();
    CHECK(dots() == 0);
    d.key(Key::escape);
    d.settle();
    CHECK(dots() == 0);
}

TEST_CASE(
    "what is said of a thumbnail stays in its panel, beside the title that the click changes") {
    FirstStart d;
    const figure::Box grid = d.find("heads").box;
    for (const float at : {0.2f, 0.5f, 0.85f}) {
        for (const float down : {0.15f, 0.5f, 0.9f}) {
            d.hover(figure::Point{grid.x + at * grid.w, grid.y + down * grid.h});
            d.frames(3);
            const figure::Box tip = d.shell->ui.tip_shown();
            CAPTURE(at, down);
            if (tip.w == 0) continue; // between two thumbnails
            CHECK(tip.x + tip.w <= d.find("picture").box.x);
            // Nor does it cover another thumbnail, which may be clicked next.
            CHECK((tip.y >= grid.y + grid.h || tip.y + tip.h <= grid.y));
            // Nor the name of the head that is shown.
            const figure::Box name = d.find("head/name").box;
            CHECK((tip.y >= name.y + name.h || tip.y + tip.h <= grid.y));
        }
    }
}

TEST_CASE("the hint to type stands at its field, whatever was just opened") {
    FirstStart d;
    const auto away = [&] { // from the field to the hint
        const figure::Box field = d.find("source").box, hint = d.find("cue/source").box;
        return std::pair(hint.x - field.x, hint.y - field.y);
    };
    const auto before = away();
    d.shell->work.notice = {"Opened English → français · transformer", false};
    d.frames(5);
    CHECK(d.has("notice"));
    CHECK(away() == before);
    open(d, app::shipped_model("reverse"));
    d.frames(5);
    if (d.has("cue/source")) CHECK(std::abs(away().second) < 60);
}

TEST_CASE("the hint to type is not put away from its field, without a line, by what was opened") {
    FirstStart d;
    d.resize(1280, 800, 1);
    open(d, app::shipped_model("zh-en-transformer"));
    d.shell->work.notice = {"Opened \u4e2d\u6587 \u2192 English \u00b7 transformer", false};
    d.frames(5);
    CHECK(d.has("notice"));
    const auto& widgets = d.shell->ui.widgets();
    const auto cue = std::ranges::find(widgets, std::string("cue/source"), &ui::Widget::id);
    const figure::Box field = d.find("source").box;
    if (cue != widgets.end()) CHECK(cue->box.y - field.y - field.h < 30);
}

TEST_CASE("what another untrained model said is not held against this one") {
    Driver d;
    d.settle();
    d.key(ui::shim::Key::m);
    d.settle();
    REQUIRE(d.shows("before the last change"));
    app::Document next = d.document();
    std::get<models::ModelSpec>(next.model).seed += 1;
    d.shell->work.apply(ui::ChangeDocument{next, {}, "another draw"});
    d.settle();
    CHECK_FALSE(d.shows("before the last change"));
}

TEST_CASE("a snapshot of another model names it, and what is undone is the step to it") {
    Driver d;
    d.settle();
    const app::Document before = d.document();
    d.click("keep");
    d.frames(3);
    d.key(ui::shim::Key::enter);
    const std::string name = d.shell->work.kept()[0].name;
    CHECK(d.find("kept/0").tip.starts_with("Goes back to"));
    d.key(ui::shim::Key::m);
    app::Document next = d.document();
    next.model = models::RecurrentConfig{.hidden = 16, .embedding = 8};
    d.shell->work.apply(ui::ChangeDocument{next, {}, "another model", true});
    d.settle();
    const std::string title = app::model_title({}, before.model);
    CHECK(d.find("kept/0").tip.starts_with("Opens " + title));
    CHECK(d.shows(title));
    d.click("kept/0");
    d.settle();
    CHECK(d.document() == before);
    CHECK(d.shell->work.undo_words() == "the step to \u201c" + name + "\u201d");
}

TEST_CASE("the empty field of a target says that the source is read in its place") {
    Driver d;
    d.click("target");
    d.key(ui::shim::Key::a, true);
    d.key(ui::shim::Key::backspace);
    d.settle();
    REQUIRE(d.document().target.empty());
    REQUIRE(d.snapshot().run->trace.target.size() == d.snapshot().run->trace.source.size());
    CHECK(d.find("target").tip.find("Leave it empty, and it reads the source") !=
          std::string::npos);
}

TEST_CASE("a chosen step stays in all pictures where its key goes with the text") {
    Driver d = with_first_model();
    d.settle();
    d.click(d.cell(3, 8));
    REQUIRE(d.shell->state.view.selected == std::pair(3, 8));
    const std::string whole = d.document().source;
    d.replace_field("source", "the cat the cat");
    d.key(Key::escape);
    d.settle();
    const auto chosen = app::selected_cell(d.snapshot(), d.shell->state.view);
    REQUIRE(d.snapshot().run->trace.target.size() > 3);
    REQUIRE(chosen);
    CHECK(chosen->first == 3);
    d.click("view/Step");
    d.settle();
    CHECK(d.picture().title.find("Step 4 of ") != std::string::npos);
    CHECK(d.shows("4/" + std::to_string(d.snapshot().run->trace.target.size())));
    while (d.document().source != whole) d.key(Key::z, true);
    d.settle();
    CHECK(d.shell->state.view.selected == std::pair(3, 8));
}

TEST_CASE("a snapshot's name is closed by whatever else is done, and kept") {
    Driver d;
    d.settle();
    const std::string typed = GENERATE(std::string(), std::string("mine"));
    const auto open_name = [&] {
        d.key(Key::k, true);
        d.frames(3);
        REQUIRE(d.has("kept/name"));
        if (!typed.empty()) d.type(typed);
    };
    const std::function<void()> acts[] = {
        [&] { d.key(Key::f11); }, [&] { d.click("room/softmax"); },
        [&] { d.wheel(d.cell(2, 2), 3); }, [&] { d.click(d.cell(3, 1)); }};
    for (const auto& act : acts) {
        open_name();
        act();
        d.frames(3);
        CHECK_FALSE(d.shell->state.explore->renaming);
        CHECK_FALSE(d.shell->ui.typing());
        if (!typed.empty()) CHECK(d.shell->work.kept().back().name == typed);
        d.key(Key::escape);
        if (d.shell->state.layout.presenting) d.key(Key::f11);
        d.click("room/explore");
        d.frames(3);
        CHECK_FALSE(d.has("kept/name"));
    }
}

TEST_CASE("Undo while a snapshot's name waits closes it") {
    Driver d;
    d.click("scale");
    d.settle();
    const std::size_t at = d.shell->work.history().at();
    d.key(Key::k, true);
    d.frames(3);
    d.key(Key::z, true);
    d.frames(3);
    CHECK(d.shell->work.history().at() + 1 == at);
    CHECK_FALSE(d.has("kept/name"));
}

TEST_CASE("the model that the window is started with has nothing before it to come back to") {
    Driver d;
    const bool fails = GENERATE(false, true);
    d.shell->opens_first = true;
    if (fails) {
        open(d, "/no/such/model.safetensors");
        REQUIRE(d.shell->work.notice.bad);
    }
    const app::Document before = d.document();
    open(d, app::shipped_model("zh-en-bahdanau"));
    REQUIRE_FALSE(d.document() == before);
    CHECK(d.shell->work.can_undo() == fails); // else what was shown in its place
    d.click("decode/beam");
    d.settle();
    CHECK(d.shell->work.can_undo());
    d.key(Key::z, true);
    CHECK(d.document().model_file == app::shipped_model("zh-en-bahdanau"));
}

TEST_CASE("F1 lists the keys, also where a sentence has the keyboard") {
    Driver d;
    d.settle();
    if (GENERATE(false, true)) d.click("source");
    d.key(Key::f1);
    d.frames(3);
    CHECK(d.shows("?, F1"));
}

TEST_CASE("the chosen cell and its row name a word that comes again with its position") {
    Driver d = with_first_model();
    d.replace_field("source", "the cat the cat");
    d.key(Key::escape);
    d.settle();
    d.click(d.cell(0, 2));
    d.settle();
    const std::string screen = d.screen(), name = "\nthe (3)\n";
    const std::size_t first = screen.find(name);
    REQUIRE(first != std::string::npos);
    CHECK(screen.find(name, first + 1) != std::string::npos); // in the list of the row, too
}

TEST_CASE("the player stands at the step that is drawn, though the chosen key is of another text") {
    Driver d = with_first_model();
    d.click("view/Step");
    d.shell->state.view.selected = {3, 1000};
    d.shell->wake();
    d.settle();
    CHECK(d.picture().title.find("Step 4 of ") != std::string::npos);
    d.click("step/next");
    d.settle();
    CHECK(d.picture().title.find("Step 5 of ") != std::string::npos);
}

TEST_CASE("what is the model's own is no change, be it chosen or come back to") {
    Driver d(Driver::high());
    d.click("apply/model");
    d.settle();
    const bool pre = d.find("norm/1").on;
    const std::string own = pre ? "norm/1" : "norm/0", other = pre ? "norm/0" : "norm/1";
    REQUIRE(d.find("join/0").on);
    REQUIRE(d.find("positions/0").on);
    for (const std::string& usual : {own, std::string("join/0"), std::string("positions/0")}) {
        INFO(usual);
        d.click(usual);
        CHECK(d.document().controls == models::Controls{});
        d.click(usual == own ? other : usual.substr(0, usual.size() - 1) + "1");
        CHECK_FALSE(d.document().controls == models::Controls{});
        d.click(usual);
        CHECK(d.document().controls == models::Controls{});
    }
}
