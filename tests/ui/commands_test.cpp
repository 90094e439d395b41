// Commands: by their keys, in the list of keys, and found by name.
#include "app/temporary_folder.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"
#include "trace/stages.hpp"
#include "ui/frame/field_words.hpp"

#include "app/document/gains.hpp"
#include "app/files/shipped_models.hpp"
#include "catch.hpp"
#include "paths.hpp"
#include "ui/actions/actions.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/learn/learn_room.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

using namespace heed;
using ui::Action;
using ui::Chord;
using ui::shim::Key;
using ui::test::Driver;
using ui::test::says;

namespace {

std::string title_of(const Action& action) {
    return fmt::format("{}: {}", ui::group_words(action.group), action.name);
}

void press(Driver& d, const Chord& chord) {
    if (chord.character != 0) {
        d.type(std::string(1, chord.character));
    } else {
        d.key(chord.key, chord.command, chord.shift, chord.alt);
    }
}

constexpr trace::HeadId kHead{trace::AttentionKind::encoder_self, 1, 1};

/// Somewhere in the middle of everything, with something to undo and to redo.
std::unique_ptr<Driver> in_the_middle() {
    Driver::Options options = Driver::tiny();
    models::spec_of(options.document.model)->n_encoder_layers = 3;
    options.focus.head = kHead;
    options.view.selected = {2, 2};
    auto d = std::make_unique<Driver>(options);
    d->click("mask/causal");
    d->click("mask/padding");
    d->key(Key::z, true);
    return d;
}

models::HeadControls controls(const Driver& d) { return d.document().controls.resolved(kHead); }
float gain(const Driver& d, int head) {
    return app::gain_of(d.document().controls, {kHead.kind, kHead.layer, head});
}
trace::HeadId head(const Driver& d) { return d.shell->work.focus().head; }
bool at(const Driver& d, int query, int key) {
    return d.shell->state.view.selected == std::pair(query, key);
}
bool shows_view(const Driver& d, app::View view) { return d.shell->state.view.view == view; }
/// The chosen cell's weight in the middle. Requires, the first time, that there is no driver.
float computed_weight() {
    static const float weight =
        in_the_middle()->snapshot().run->trace.map(kHead)->cell(2, 2).weight;
    return weight;
}
/// Whether that cell alone was edited, by so much.
bool edited(const Driver& d, float by) {
    const auto& edits = controls(d).edits;
    return edits && edits->size() == 1 && edits->front().query == 2 && edits->front().key == 2 &&
           std::abs(edits->front().weight - computed_weight() - by) < 1e-3f;
}
float rows_seen(const Driver& d) {
    const auto& viewport = d.shell->state.view.viewport;
    return viewport ? viewport->rows : 10;
}
/// Where a command would change nothing in the middle, somewhere else.
void prepare(Driver& d, const std::string& title) {
    if (title == "View: Heatmap") d.click("view/Lines");
    if (title == "Map: Zoom out of the map") d.type("++");
    if (title == "Map: Fit the map") d.type("+");
    if (title == "View: Picture") {
        d.shell->open_file(HEED_SOURCE_DIR "/tests/models/checkpoints/vit");
        d.settle();
        d.click("view/Heatmap");
    }
    if (title == "Cell: Mask the selected token") {
        static const TemporaryFolder folder;
        static const bool made = (make_masked_checkpoint(folder / "bert"), true);
        if (made) d.shell->open_file(folder / "bert");
        d.settle();
        d.replace_field("source", "the cat sat w9");
        d.key(Key::escape);
        d.settle();
        d.shell->state.view.selected = {2, 2};
        d.settle();
    }
    const bool of_steps =
        title == "View: Step" || title == "View: Unrolled" || title == "View: Beam";
    if (of_steps || title == "Stage: Play the decoder's steps") {
        d.click("model");
        d.click("Recurrent");
        d.click("model/make");
        d.key(Key::escape);
        d.settle();
    }
}

/// What each command that has a key is to have done, from the middle.
const std::map<std::string, std::function<bool(Driver&)>>& promises() {
    using D = Driver;
    using View = app::View;
    using Stage = trace::Stage;
    static const std::map<std::string, std::function<bool(Driver&)>> list = {
        {"View: Heatmap", [](D& d) { return shows_view(d, View::heatmap); }},
        {"View: Lines", [](D& d) { return shows_view(d, View::lines); }},
        {"View: Heads", [](D& d) { return shows_view(d, View::heads); }},
        {"View: Neurons", [](D& d) { return shows_view(d, View::neurons); }},
        {"View: Flow", [](D& d) { return shows_view(d, View::flow); }},
        {"View: Stages", [](D& d) { return shows_view(d, View::stages); }},
        {"View: Step", [](D& d) { return shows_view(d, View::step); }},
        {"View: Unrolled", [](D& d) { return shows_view(d, View::unrolled); }},
        {"View: Beam", [](D& d) { return shows_view(d, View::beam); }},
        {"View: Picture", [](D& d) { return shows_view(d, View::picture); }},
        {"Head: Previous head",
         [](D& d) {
             return head(d) == trace::HeadId{kHead.kind, 1, 0};
         }},
        {"Head: Next head",
         [](D& d) {
             return head(d) == trace::HeadId{kHead.kind, 1, 2};
         }},
        {"Head: Previous layer",
         [](D& d) {
             return head(d) == trace::HeadId{kHead.kind, 0, 1};
         }},
        {"Head: Next layer",
         [](D& d) {
             return head(d) == trace::HeadId{kHead.kind, 2, 1};
         }},
        {"Head: Mute", [](D& d) { return gain(d, 1) == 0 && gain(d, 0) == 1; }},
        {"Head: Solo", [](D& d) { return gain(d, 1) == 1 && gain(d, 0) == 0; }},
        {"Head: Pin or unpin a head",
         [](D& d) { return d.shell->state.view.slots == std::vector<trace::HeadId>{kHead}; }},
        {"Stage: Previous stage",
         [](D& d) { return d.shell->work.focus().stage == Stage::masked; }},
        {"Stage: Next stage", [](D& d) { return d.shell->work.focus().stage == Stage::v; }},
        {"Cell: Above", [](D& d) { return at(d, 1, 2); }},
        {"Cell: Below", [](D& d) { return at(d, 3, 2); }},
        {"Cell: To the left", [](D& d) { return at(d, 2, 1); }},
        {"Cell: To the right", [](D& d) { return at(d, 2, 3); }},
        {"Cell: First in the row", [](D& d) { return at(d, 2, 0); }},
        {"Cell: Last in the row", [](D& d) { return at(d, 2, 9); }},
        {"Stage: Play the decoder's steps", [](D& d) { return d.shell->state.player.playing; }},
        {"Cell: Mask the selected token",
         [](D& d) { return d.document().source.find("[MASK]") != std::string::npos; }},
        {"Cell: Selected weight + 0.05", [](D& d) { return edited(d, 0.05f); }},
        {"Cell: Selected weight \u2212 0.05", [](D& d) { return edited(d, -0.05f); }},
        {"Cell: Selected weight + 0.01", [](D& d) { return edited(d, 0.01f); }},
        {"Cell: Selected weight \u2212 0.01", [](D& d) { return edited(d, -0.01f); }},
        {"Map: Zoom in on the map", [](D& d) { return rows_seen(d) < 10; }},
        {"Map: Zoom out of the map",
         [](D& d) { return rows_seen(d) < 10 && rows_seen(d) > 10 / 1.9f; }},
        {"Map: Fit the map", [](D& d) { return !d.shell->state.view.viewport.has_value(); }},
        {"Compare: Pin as baseline", [](D& d) { return d.shell->work.pinned().has_value(); }},
        {"Colours: Light or dark theme", [](D& d) { return d.shell->ui.theme().dark; }},
        {"Controls: Scale 1/\u221ad\u2096",
         [](D& d) {
             return controls(d).scale && controls(d).scale->kind == models::Scale::Kind::off;
         }},
        {"Changes: Undo", [](D& d) { return d.document().controls.scoped.empty(); }},
        {"Changes: Redo", [](D& d) { return controls(d).mask && controls(d).mask->padding; }},
        {"Snapshot: Save snapshot", [](D& d) { return d.shell->work.kept().size() == 1; }},
        {"File: Open \u2026", [](D& d) { return d.has("open/open"); }},
        {"File: Choose a model \u2026", [](D& d) { return d.has("model/file"); }},
        {"File: Save the session", [](D& d) { return d.has("save/save"); }},
        {"File: Save the session as \u2026", [](D& d) { return d.has("save/save"); }},
        {"File: Export \u2026", [](D& d) { return d.has("export/save"); }},
        {"File: Copy numbers", [](D& d) { return d.clipboard.starts_with("\tThe\tcat\t"); }},
        {"Window: Presenter mode", [](D& d) { return d.shell->state.layout.presenting; }},
        {"Window: Left panel", [](D& d) { return !d.has("heads"); }},
        {"Window: Right panel", [](D& d) { return !d.has("scale"); }},
        {"Window: Command palette", [](D& d) { return d.has("search/field"); }},
        {"Window: List of keys", [](D& d) { return d.has("keys/close"); }},
        {"Window: Close, clear selection", [](D& d) { return !d.shell->state.view.selected; }},
        {"Window: Zoom in", [](D& d) { return d.shell->state.layout.zoom_steps == 1; }},
        {"Window: Zoom out", [](D& d) { return d.shell->state.layout.zoom_steps == -1; }},
        {"Window: Reset zoom", [](D& d) { return d.shell->state.layout.zoom_steps > 1000; }},
        {"Window: Quit", [](D& d) { return d.shell->state.leaving.asked; }},
    };
    return list;
}

} // namespace

TEST_CASE("no two commands share a key or a name") {
    std::map<std::string, std::string> by_key;
    std::set<std::string> titles;
    for (const Action& action : ui::actions()) {
        INFO(title_of(action));
        CHECK(titles.insert(title_of(action)).second);
        CHECK((!action.keys.empty() || action.listed));
        for (const Chord& chord : action.keys) {
            INFO(ui::words_of(chord) << " is also " << by_key[ui::words_of(chord)]);
            CHECK(by_key[ui::words_of(chord)].empty());
            CHECK((ui::words_of(chord) != "?" || chord.character == '?')); // a key without a name
            by_key[ui::words_of(chord)] = title_of(action);
        }
    }
}

TEST_CASE("every key in the list does what the list says, and its name does the same") {
    REQUIRE(computed_weight() > 0);
    std::size_t keys = 0;
    for (const Action& action : ui::actions()) {
        const std::string title = title_of(action);
        for (const Chord& chord : action.keys) {
            INFO(title << " by " << ui::words_of(chord));
            REQUIRE(promises().contains(title));
            const auto d = in_the_middle();
            prepare(*d, title);
            const bool already = promises().at(title)(*d);
            CHECK_FALSE(already);
            press(*d, chord);
            CHECK(promises().at(title)(*d));
            ++keys;
        }
        if (action.keys.empty() || !action.listed) continue;
        INFO(title << " by name");
        const auto d = in_the_middle();
        prepare(*d, title);
        d->key(Key::p, true, true);
        d->type(title);
        REQUIRE(d->find("search/0").label == title);
        d->key(Key::enter);
        CHECK(promises().at(title)(*d));
    }
    CHECK(keys >= promises().size());
}

TEST_CASE("the list of keys shows every key beside its command") {
    for (const int width : {1280, 720}) {
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = width == 720 ? 480 : 800;
        Driver d(options);
        d.type("?");
        REQUIRE(d.has("keys/close"));
        for (const Action& action : ui::actions()) {
            for (const Chord& chord : action.keys) {
                INFO(title_of(action));
                CHECK((!chord.primary || d.shows(ui::words_of(chord))));
                CHECK(d.shows(action.name));
            }
        }
        const figure::Box close = d.find("keys/close").box;
        CHECK(close.y + close.h < static_cast<float>(options.height));
        for (int wheel = 0; wheel < 12; ++wheel) {
            const float edge = close.y - 14; // of the rows
            for (const figure::Box& words : d.shell->ui.canvas.worded()) {
                CHECK_FALSE((words.y < edge - 0.5f && words.y + words.h > edge + 0.5f));
            }
            d.wheel({static_cast<float>(width) / 2, edge - 30}, -0.3f);
        }
        const bool scrolls = d.shell->state.dialogs->keys_scroll.offset > 0;
        CHECK(scrolls == (width == 720)); // columns are as high as each other
        d.key(Key::escape);
        CHECK_FALSE(d.has("keys/close"));
    }
}

TEST_CASE("the list of keys says of every gesture what it is done to") {
    Driver d(Driver::tiny());
    d.type("?");
    const std::string screen = "\n" + d.screen();
    for (const char* line :
         {"C, Shift+click\nPin or unpin a head", "Wheel, drag\nZoom, move the map",
          "Click a token\nIsolate it; Shift: add it", "+\nZoom in on the map", "Ctrl+=\nZoom in",
          "Double click\nReset a slider"}) {
        INFO(line);
        CHECK(screen.find(fmt::format("\n{}\n", line)) != std::string::npos);
    }
}

TEST_CASE("a command is found by parts of its words, in any order, and done by Enter") {
    Driver d;
    d.key(Key::p, true, true);
    REQUIRE(d.has("search/field"));
    d.type("DIFF com");
    CHECK(d.find("search/0").label == "Compare: Difference");
    CHECK_FALSE(d.has("search/1"));
    d.key(Key::enter);
    CHECK_FALSE(d.has("search/field"));
    CHECK(d.shell->state.view.compare == app::Compare::difference);
}

TEST_CASE("models are found by the English names of their languages, and no others with them") {
    Driver d;
    const auto found = [&](const char* language) {
        d.key(Key::p, true, true);
        d.type(language);
        std::vector<std::string> labels;
        for (const ui::Widget& w : d.shell->ui.widgets()) {
            if (w.id.starts_with("search/") && w.label.starts_with("Model: Open ")) {
                labels.push_back(w.label);
            }
        }
        d.key(Key::escape);
        return labels;
    };
    const auto french = found("french"), chinese = found("chinese");
    REQUIRE_FALSE(french.empty());
    REQUIRE_FALSE(chinese.empty());
    for (const std::string& label : french) CHECK(label.find("français") != std::string::npos);
    for (const std::string& label : chinese) CHECK(label.find("中文") != std::string::npos);
}

TEST_CASE("a menu is walked by arrows, taken by Enter, and left by Escape") {
    Driver d;
    const auto rows = [&] { // as they stand below each other
        std::vector<ui::Widget> all;
        for (const ui::Widget& w : d.shell->ui.widgets()) {
            if (w.id.starts_with("score/")) all.push_back(w);
        }
        return all;
    };
    const auto chosen = [&] {
        const auto all = rows();
        return std::ranges::find_if(all, &ui::Widget::on) - all.begin();
    };
    d.click("score");
    const auto before = chosen();
    const bool last = before + 1 == std::ssize(rows());
    REQUIRE(before < std::ssize(rows()));
    d.key(last ? Key::up : Key::down);
    d.key(Key::enter);
    d.settle();
    CHECK_FALSE(d.has("score/0"));
    CHECK(d.shell->ui.keyboard_at() == "score");
    d.click("score");
    const auto after = chosen();
    CHECK(after == (last ? before - 1 : before + 1));
    d.key(Key::down);
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.has("score/0"));
    d.click("score");
    CHECK(chosen() == after);
}

TEST_CASE(
    "the search is walked by arrows, taken by a click, and left by Escape or a click outside") {
    Driver d;
    const auto open = [&](const char* words) {
        d.key(Key::p, true, true);
        d.type(words);
    };
    open("score");
    const std::string third = d.find("search/2").label;
    d.key(Key::down);
    d.key(Key::down);
    d.key(Key::down);
    d.key(Key::up);
    d.key(Key::enter);
    open("");
    CHECK(d.find("search/0").label == third);
    d.key(Key::escape);
    CHECK_FALSE(d.has("search/field"));

    open("mask causal");
    d.click("search/0");
    CHECK_FALSE(d.has("search/field"));
    CHECK(ui::mask_in(d.document().model, d.document().controls, {},
                      trace::AttentionKind::encoder_self)
              .causal == false); // the model's own; the head has it
    CHECK(d.find("mask/causal").on);

    const app::Document before = d.document();
    d.hover(figure::Point{20, 600}); // off the picture, whose handles fade
    d.frames(30);
    open("dropout");
    d.key(Key::escape);
    CHECK_FALSE(d.has("search/field"));
    d.frames(6);
    CHECK(d.shell->wants_frame_in() < 0); // nothing waits for its field
    CHECK_FALSE(d.shell->wants_frame());
    open("dropout");
    d.click(figure::Point{20, 900});
    CHECK_FALSE(d.has("search/field"));
    CHECK(d.document() == before);
}

TEST_CASE("the window rests once the handles of a filter have come, and once they have gone") {
    Driver d;
    d.settle();
    for (const bool over : {true, false}) {
        CAPTURE(over);
        const figure::Box picture = d.find("picture").box;
        d.hover(over ? figure::Point{picture.x + 3, picture.y + 3} : figure::Point{20, 900});
        d.frames(700); // until a tip, too, is read and gone
        CHECK(d.shell->wants_frame_in() < 0);
        CHECK_FALSE(d.shell->wants_frame());
    }
}

TEST_CASE("what was used of late comes first, what cannot be done comes last and does nothing") {
    Driver d;
    const auto run = [&](const char* words) {
        d.key(Key::p, true, true);
        d.type(words);
        d.key(Key::enter);
    };
    run("palette grey");
    run("view flow");
    run("palette grey");
    d.key(Key::p, true, true);
    CHECK(d.find("search/0").label == "Colours: Palette: grey");
    CHECK(d.find("search/1").label == "View: Flow");
    d.type("undo");
    CHECK(d.shows("Undo"));
    d.key(Key::enter); // nothing to undo: the card stays
    CHECK(d.has("search/field"));
    d.click("search/0");
    CHECK(d.has("search/field"));
    d.type(" never such a thing");
    CHECK(d.shows("No matching command"));
    d.key(Key::enter);
    CHECK(d.has("search/field"));
    d.key(Key::escape);
}

TEST_CASE("a long list of commands scrolls, and the chosen line stays in sight") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    Driver d(options);
    d.key(Key::p, true, true);
    const figure::Box field = d.find("search/field").box;
    for (int i = 0; i < 40; ++i) d.key(Key::down);
    const figure::Box line = d.find("search/40").box;
    CHECK(line.y > field.y + field.h - 1);
    CHECK(line.y + line.h < 720);
    CHECK_FALSE(d.has("search/0"));
    const std::string label = d.find("search/40").label;
    d.key(Key::enter);
    d.key(Key::p, true, true);
    CHECK(d.find("search/0").label == label);
    d.wheel({640, 300}, -100);
    CHECK_FALSE(d.has("search/0"));
}

TEST_CASE("kept states are found by name") {
    Driver d;
    d.click("mask/causal");
    const app::Document kept = d.document();
    d.key(Key::k, true);
    d.key(Key::a, true);
    d.type("\u0411\u0435\u0437 \u0431\u0443\u0434\u0443\u0449\u0435\u0433\u043e");
    d.key(Key::enter);
    d.click("changes/clear");
    d.click("source"); // from a field too
    d.key(Key::p, true, true);
    d.type("\u0411\u0423\u0414\u0423");
    d.key(Key::enter);
    CHECK(d.document() == kept);
}

TEST_CASE("keys that follow a key that opens a card wait until the card hears them") {
    Driver d;
    const auto holds = [&] { return d.shell->holds() == ui::Holds::everything; };
    for (const char* field : {"search/field", "open/path", "save/path"}) {
        INFO(field);
        CHECK_FALSE(holds());
        ui::shim::set_modifiers(true, field[1] == 'e');
        d.frame();
        const Key key = *field == 'o' ? Key::o : field[1] == 'a' ? Key::s : Key::p;
        ui::shim::press_key(key, true);
        int waited = 0;
        do d.frame();
        while (!holds() && ++waited < 3);
        CHECK(holds());
        for (waited = 0; holds() && waited < 10; ++waited) d.frame();
        CHECK(waited < 10);
        CHECK(d.find(field).on);
        ui::shim::press_key(key, false);
        ui::shim::set_modifiers(false, false);
        d.key(Key::escape);
        CHECK_FALSE(d.has(field));
    }
}

TEST_CASE("the window rests when all that was typed is taken in, however fast it came") {
    Driver d;
    d.key(Key::p, true, true);
    REQUIRE(d.find("search/field").on);
    const std::pair<Key, const char*> strokes[] = {
        {Key::t, "t"}, {Key::o, "o"}, {Key::a, "a"}, {Key::s, "s"}, {Key::t, "t"}};
    d.shell->wake();
    for (const auto& [key, text] : strokes) {
        ui::shim::press_key(key, true);
        ui::shim::type_text(text);
        ui::shim::press_key(key, false);
    }
    for (int drawn = 0; d.shell->wants_frame() && drawn < 50; ++drawn) d.frame();
    CHECK(d.shell->state.dialogs->search.query == "toast");
}

TEST_CASE("what a model does not have is no command, and one head is not combined") {
    Driver d;
    open(d, app::shipped_model("dates"));
    d.settle();
    CHECK_FALSE(d.has("combine/mean"));
    for (const char* title :
         {"Model: Norm: post", "Controls: Apply to: model", "Head: Combine heads: mean"}) {
        INFO(title);
        d.key(Key::p, true, true);
        d.type(title);
        REQUIRE(d.find("search/0").label == title);
        const app::Document before = d.document();
        const app::Focus focus = d.shell->work.focus();
        const auto apply_to = d.shell->state.choices.apply_to;
        d.key(Key::enter);
        d.click("search/0");
        CHECK(d.document() == before);
        CHECK(d.shell->work.focus() == focus);
        CHECK(d.shell->state.choices.apply_to == apply_to);
        d.key(Key::escape);
    }
}

TEST_CASE("a room that has nothing for a model says so, and is not entered") {
    Driver::Options options = Driver::tiny();
    models::RecurrentConfig config;
    config.shape = models::Shape::n_to_n;
    options.document.model = config;
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(app::fits(app::View::softmax, d.snapshot().run->model->config()));
    d.click("room/softmax");
    CHECK(d.shell->state.view.view != app::View::softmax);
    CHECK(d.find("room/softmax").tip.find("no attention") != std::string::npos);
}

TEST_CASE("a key that cannot act says why and the way out, and leaves nothing to undo") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.settle();
    d.key(Key::escape); // the sentence that is offered
    const auto says_after = [&](Key key, bool ctrl, const char* words) {
        INFO(words);
        d.shell->work.clear_notices();
        d.shell->work.notice.bad = true; // of one that has gone
        d.frames(60);                    // no word of letters
        const std::size_t made = d.shell->work.history().made();
        const app::Document before = d.document();
        d.key(key, ctrl);
        CHECK(d.shell->work.notice.text.find(words) != std::string::npos);
        CHECK_FALSE(d.shell->work.notice.bad);
        CHECK(d.shell->work.history().made() == made);
        CHECK(d.document() == before);
    };
    says_after(Key::k, false, "fills no masked tokens");
    says_after(Key::y, true, "nothing to redo");
    says_after(Key::v, false, "has no Picture");
    d.click("room/train");
    d.frames(3);
    says_after(Key::m, true, "at the left");
    says_after(Key::k, true, "is for Explore");
}

TEST_CASE("keys that are pressed at once beside Explore are told of, too") {
    Driver d;
    d.click("room/train");
    d.frames(60);
    d.key(Key::k);
    d.key(Key::m);
    CHECK(d.shell->work.notice.text ==
          "There is no sentence to type here; letter keys act in Explore");
    CHECK_FALSE(d.shell->work.notice.bad);
}

TEST_CASE("a period takes a step in Train, and says nothing of stages") {
    Driver d;
    d.click("room/train");
    d.frames(60);
    d.type(".");
    CHECK(d.shell->work.notice.text.empty());
}

TEST_CASE("a key in a field, or beside a card, is told of nothing") {
    Driver d;
    d.click("source");
    d.key(Key::y, true);
    CHECK(d.shell->work.notice.text.empty());
    d.key(Key::escape);
    d.click("model");
    d.key(Key::k);
    CHECK(d.shell->work.notice.text.empty());
}

TEST_CASE("whoever types beside the fields is told what each letter did, and undo takes it back") {
    Driver d;
    const app::Document before = d.document();
    for (const auto& [letter, words] :
         {std::pair(Key::s, "S: scale off"), std::pair(Key::m, "M: "), std::pair(Key::o, "O: ")}) {
        d.key(letter);
        INFO(d.shell->work.notice.text);
        CHECK(d.shell->work.notice.text.starts_with(words));
        CHECK(d.shell->work.notice.text.ends_with("Ctrl+Z takes it back"));
        d.key(Key::z, true);
        CHECK(d.document() == before);
    }
    const bool dark = d.shell->state.view.dark;
    d.key(Key::t);
    CHECK(d.shell->work.notice.text.ends_with("T again takes it back"));
    d.key(Key::t);
    CHECK(d.shell->state.view.dark == dark);
}

namespace {

/// Types a word where no field has the keys, this many frames between its letters.
void type_beside(Driver& d, const std::string& word, int between) {
    constexpr std::string_view kKeys = "acekmopqstvxyz";
    for (const char letter : word) {
        const auto at = kKeys.find(letter);
        const bool has_key = at != kKeys.npos;
        const auto key = letter == ' '
                             ? Key::space
                             : static_cast<Key>(static_cast<int>(Key::a) + static_cast<int>(at));
        ui::shim::type_text(std::string(1, letter));
        if (has_key || letter == ' ') ui::shim::press_key(key, true);
        d.frame();
        if (has_key || letter == ' ') ui::shim::press_key(key, false);
        d.frames(between - 1);
    }
    d.settle();
}

} // namespace

TEST_CASE("a word that is typed beside the fields changes nothing, and the notice says where to") {
    Driver d;
    for (const char* word : {"most cats", "scope", "tomatoes 10, 20", "the small cat took my pack",
                             "pop", "Paris", "cake", "oops", "a cat", "mmm so"}) {
        INFO(word);
        const app::Document before = d.document();
        const app::ViewState view = d.shell->state.view;
        const auto pinned = d.shell->work.pinned();
        type_beside(d, word, 8); // 0.13 s
        CHECK((d.shell->work.pinned() == pinned));
        CHECK(d.document() == before);
        CHECK(d.shell->state.view == view);
        CHECK_FALSE(d.shell->state.player.playing);
        CHECK(d.shell->work.notice.text == "Click a sentence to type in it");
        d.frames(90);
    }
    const app::Document before = d.document();
    type_beside(d, "m", 8); // alone it is what it always was, and at once
    CHECK_FALSE(d.document() == before);
    d.frames(30);
    type_beside(d, "m", 8);
    CHECK(d.document() == before);
    type_beside(d, "mm", 8); // there and back
    CHECK(d.document() == before);
}

TEST_CASE("a word that begins with P leaves the baselines that undo goes back to") {
    Driver d;
    d.key(Key::p);
    const auto first = d.shell->work.pinned();
    d.key(Key::right_bracket);
    d.key(Key::p);
    const auto second = d.shell->work.pinned();
    d.key(Key::right_bracket);
    d.frames(90);
    type_beside(d, "Paris", 8);
    CHECK((d.shell->work.pinned() == second));
    d.frames(90);
    d.key(Key::z, true);
    CHECK((d.shell->work.pinned() == first));
}

TEST_CASE("what is pressed behind another key or a click is no word with the letter before") {
    Driver d;
    d.key(Key::m);
    const app::Document muted = d.document();
    d.key(Key::escape); // at once
    d.key(Key::m);
    CHECK_FALSE(d.document() == muted);
    CHECK(d.shell->work.notice.text != "Click a sentence to type in it");
}

TEST_CASE("two letters of one frame take back nothing of long ago") {
    Driver d;
    type_beside(d, "m", 8);
    d.frames(120);
    d.click("scale");
    d.settle();
    const app::Document before = d.document();
    d.frames(120);
    ui::shim::type_text("ok");
    d.frames(2);
    d.settle();
    CHECK(d.document() == before);
}

TEST_CASE("letters behind each other with time between them are commands, each") {
    Driver d;
    const app::Document before = d.document();
    const bool dark = d.shell->state.view.dark;
    type_beside(d, "mt", 30);
    CHECK_FALSE(d.document() == before);
    CHECK(d.shell->state.view.dark != dark);
}

TEST_CASE("M and O answer where a head is seen, and nowhere else") {
    Driver d;
    open(d, app::shipped_model("dates"));
    const app::Document before = d.document();
    for (const char* room : {"room/positions", "room/inside", "room/softmax"}) {
        INFO(room);
        d.click(room);
        d.settle();
        d.key(Key::m);
        d.frames(60);
        d.key(Key::o);
        d.frames(60);
        CHECK(d.document() == before);
    }
    d.click("room/explore");
    d.settle();
    d.key(Key::m);
    CHECK_FALSE(d.document() == before);
}

TEST_CASE("a notice that tells of Undo has it as a link, one that tells of nothing has none") {
    Driver d;
    const bool narrow = GENERATE(false, true);
    if (narrow) d.resize(560, 600, 1);
    const app::Document before = d.document();
    d.key(Key::m);
    d.frames(3);
    REQUIRE_FALSE(d.document() == before);
    REQUIRE(d.has("notice/way"));
    const figure::Box notice = d.find("notice").box, link = d.find("notice/way").box;
    const bool apart = notice.x + notice.w <= link.x || notice.y + notice.h <= link.y;
    CHECK(apart);
    d.click("notice/way");
    d.settle();
    CHECK(d.document() == before);
    CHECK_FALSE(d.has("notice/way"));
    d.key(Key::p); // pinned, over nothing
    d.frames(3);
    CHECK(d.has("notice"));
    CHECK_FALSE(d.has("notice/way"));
}

TEST_CASE("a notice that a file is not there opens the list of files by its link") {
    Driver d;
    d.shell->open_file("/nowhere/model.safetensors");
    for (int i = 0; i < 1000 && d.shell->busy_with_files(); ++i) d.frames(1);
    d.frames(3);
    REQUIRE(d.shell->work.notice.bad);
    d.click("notice/way");
    d.frames(3);
    CHECK(d.has("open/path"));
}

TEST_CASE("a sentence that is typed after a click on the picture costs nothing") {
    Driver d;
    d.click(d.cell(1, 1));
    d.click(d.cell(1, 1));
    const app::Document before = d.document();
    for (const char letter : std::string("the small cat at the mop took my pack")) {
        ui::shim::type_text(std::string(1, letter));
        for (int key = static_cast<int>(Key::a); key <= static_cast<int>(Key::z); ++key) {
            if (std::string(
                    "acekmopqstvxyz")[static_cast<std::size_t>(key - static_cast<int>(Key::a))] ==
                letter) {
                d.key(static_cast<Key>(key));
            }
        }
        if (letter == ' ') d.key(Key::space);
        d.frames(2);
    }
    for (int i = 0; i < 60 && d.shell->work.history().can_undo(); ++i) d.key(Key::z, true);
    CHECK(d.document() == before);
}

TEST_CASE("words of the field are found by their names, each with its sentence") {
    Driver d;
    for (const char* word : {"attention",
                             "self-attention",
                             "encoder",
                             "decoder",
                             "embedding",
                             "transformer",
                             "logit lens",
                             "attention sink",
                             "perplexity",
                             "query",
                             "key",
                             "value",
                             "head",
                             "mask",
                             "softmax",
                             "Jacobian",
                             "temperature",
                             "cross-attention",
                             "entropy",
                             "bits",
                             "logit",
                             "nats",
                             "feed-forward (FF)",
                             "residual stream",
                             "d_model",
                             "pre-norm",
                             "post-norm",
                             "RoPE",
                             "ALiBi",
                             "greedy",
                             "beam",
                             "teacher forcing",
                             "gold alignment",
                             "alignment error",
                             "BLEU",
                             "token",
                             "special tokens",
                             "weight",
                             "layer",
                             "confident",
                             "mean distance",
                             "induction head",
                             "dropout",
                             "gradient",
                             "norm",
                             "warm-up",
                             "held-out",
                             "label smoothing"}) {
        INFO(word);
        d.key(Key::p, true, true);
        d.type(word);
        const std::string title = fmt::format("Word: {}", word);
        const auto& widgets = d.shell->ui.widgets();
        const auto row = std::ranges::find(widgets, title, &ui::Widget::label);
        const bool found = row != widgets.end();
        CHECK(found);
        const auto actions = ui::actions();
        const auto action = std::ranges::find_if(
            actions, [&](const Action& one) { return title_of(one) == title; });
        REQUIRE((!found || action != actions.end()));
        if (found) {
            CHECK(action->tip.size() > 40);
            CHECK(says(d, action->tip.substr(0, action->tip.find('\n'))));
        }
        d.key(Key::escape);
    }
    d.key(Key::p, true, true);
    CHECK_FALSE(d.shows("Word")); // they are no commands: who looks for nothing sees those
}

TEST_CASE("Enter on a word opens the place where it is seen, or leaves its sentence") {
    Driver d;
    const auto enter = [&](const char* word) {
        d.key(Key::p, true, true);
        d.type(std::string("word: ") + word);
        d.key(Key::enter);
        d.frames(20);
    };
    enter("jacobian");
    CHECK_FALSE(d.has("search/field"));
    CHECK(shows_view(d, app::View::softmax));
    enter("temperature");
    CHECK(shows_view(d, app::View::heatmap));
    CHECK(d.shell->ui.keyboard_at() == "temperature");
    CHECK(d.shell->ui.keyboard_visible());
    enter("cross-attention");
    CHECK(head(d).kind == trace::AttentionKind::cross);
    enter("beam"); // a transformer has no such view
    CHECK(d.has("search/field"));
    CHECK(says(d, "Keep several half-finished sentences at once"));
    d.key(Key::escape);
    d.resize(720, 480, 1); // where the panel is put away
    enter("mask");
    d.frames(30);
    CHECK(d.has("mask/0"));
}

TEST_CASE("who looks up a word changes nothing: it stands before commands of its name") {
    Driver d;
    const app::Document before = d.document();
    const auto search = [&](const char* words) {
        d.key(Key::p, true, true);
        d.type(words);
        return d.find("search/0").label;
    };
    for (const char* word : {"dropout", "beam", "attention", "entropy"}) {
        CHECK(search(word) == std::string("Word: ") + word);
        d.key(Key::escape);
    }
    CHECK(search("dropo") == "Word: dropout");
    d.key(Key::enter);
    d.frames(20);
    CHECK(d.document() == before);
    CHECK(d.shell->ui.keyboard_at() == "dropout");
    d.key(Key::right);
    d.key(Key::space);
    d.key(Key::enter);
    CHECK(d.document() == before);
    for (const char* word : {"temperature", "entropy", "mask"}) {
        CAPTURE(word);
        search(word);
        d.key(Key::enter);
        d.frames(20);
        d.key(Key::left);
        d.key(Key::enter);
        CHECK(d.document() == before);
    }
    search("temperature");
    d.key(Key::enter);
    d.frames(20);
    d.key(Key::tab); // now it has the keyboard
    CHECK(d.shell->ui.keyboard_at() == "temperature");
    d.key(Key::left);
    CHECK_FALSE(d.document() == before);
}

TEST_CASE("entropy frames its own figure, and attention leads to the weights from any stage") {
    Driver d;
    const auto look_up = [&](const char* word) {
        d.key(Key::p, true, true);
        d.type(word);
        d.key(Key::enter);
        d.frames(20);
    };
    look_up("entropy");
    CHECK(d.shell->ui.keyboard_at() == "label/Entropy");
    REQUIRE(d.shell->ui.ring_shown());
    const figure::Box ring = *d.shell->ui.ring_shown(), figure = d.find("label/Entropy").box;
    CHECK(ring.y <= figure.y);
    CHECK(ring.y + ring.h >= figure.y + figure.h);
    CHECK(ring.h < figure.h + 8);
    look_up("query");
    d.settle();
    REQUIRE(d.snapshot().focus.stage == trace::Stage::q);
    look_up("attention");
    d.settle();
    CHECK(d.snapshot().focus.stage == trace::Stage::weights);
    CHECK(d.shell->state.view.view == app::View::heatmap);
}

TEST_CASE("words of the field that are typed together are all found") {
    Driver d;
    d.key(Key::p, true, true);
    d.type("query key");
    CHECK(d.find("search/0").label == "Word: query");
    CHECK(d.find("search/1").label == "Word: key");
    CHECK(d.find("search/2").label == "Learn: Query, key, value"); // the card on both
    CHECK_FALSE(d.has("search/3"));
}

TEST_CASE("pages and cards of the Learn room are found by their names") {
    Driver d;
    const auto take = [&](const char* words, const char* label) {
        d.key(Key::p, true, true);
        d.type(words);
        d.frames(2);
        CHECK(d.find("search/0").label == label);
        d.key(Key::enter);
        d.frames(4);
    };
    take("why divide", "Learn: Why divide by √dₖ?");
    CHECK(d.shell->state.view.view == app::View::learn);
    CHECK(ui::learn_status(d.shell->state).starts_with("page\tsqrt-dk"));
    take("bottleneck", "Learn: Is one vector a bottleneck, and the mean a worse one?");
    CHECK(ui::learn_status(d.shell->state).starts_with("page\tbottleneck"));
    d.click("room/explore");
    take("what attention is", "Learn: What attention is");
    CHECK(ui::follows_lesson(d.shell->state));
}

TEST_CASE("a word of the model leads there from the Train room, and says why it does not") {
    Driver d;
    const auto search = [&](const char* word) {
        d.key(Key::p, true, true);
        d.type(std::string("word: ") + word);
        d.frames(2);
    };
    for (const char* word : {"d_model", "entropy"}) {
        INFO(word);
        d.click("room/train");
        d.frames(3);
        search(word);
        CHECK(d.find("search/0").tip == "Enter: shows where it is seen");
        d.key(Key::enter);
        d.frames(20);
        CHECK(app::in_explore(d.shell->state.view.view));
        CHECK(d.has("model/file") == (std::string(word) == "d_model"));
        d.key(Key::escape);
    }
    CHECK(d.shell->state.dialogs->recent_commands.empty()); // what is read is no command
    search("beam");
    CHECK(d.find("search/0").tip == "The model that is open shows none");
    d.key(Key::escape);
    d.shell->state.layout.presenting = true;
    d.frames(3);
    search("d_model");
    CHECK(d.find("search/0").tip == "It cannot be shown while presenting");
}

TEST_CASE("gold alignment is shown where a model's task has some, and sorts no heads anew") {
    Driver d;
    const auto word = [&] {
        d.key(Key::p, true, true);
        d.type("word: gold alignment");
        d.key(Key::enter);
        d.frames(20);
    };
    word();
    CHECK(d.has("search/field")); // nobody trained it
    d.key(Key::escape);
    open(d, app::shipped_model(app::default_model()));
    d.settle();
    word();
    CHECK_FALSE(d.has("search/field"));
    CHECK(shows_view(d, app::View::heads));
    CHECK(head(d).kind == trace::AttentionKind::cross);
    CHECK(d.shell->state.view.head_colour == inside::HeadScore::alignment);
    CHECK(d.shell->state.view.head_order == app::HeadOrder::place);
}

TEST_CASE("where a word is met its tip begins with what it means") {
    Driver d(Driver::high());
    const auto meaning = [](const char* word) {
        const auto title = fmt::format("Word: {}", word);
        for (const Action& action : ui::actions()) {
            if (title_of(action) == title) return action.tip.substr(0, action.tip.find('\n'));
        }
        return std::string("no such word");
    };
    const auto begins = [&](const char* widget, const char* word) {
        INFO(widget << " tells of " << word << ": " << d.find(widget).tip);
        CHECK(d.find(widget).tip.starts_with(meaning(word)));
    };
    begins("label/Entropy", "entropy");
    begins("outcome/entropy", "entropy");
    begins("temperature", "temperature");
    begins("norm/0", "post-norm");
    begins("norm/1", "pre-norm");
    begins("label/Mask", "mask");
    d.click("room/inside");
    d.settle_all();
    begins("inside/entropy", "entropy");
    begins("inside/heading/Answer", "logit");
    CHECK(says(d, "learned matrix"));
}

TEST_CASE("every word of the field leads to its place, or says why it does not") {
    Driver d;
    open(d, app::shipped_model(app::default_model()));
    d.settle();
    int led = 0, words = 0;
    for (const Action& action : ui::actions()) {
        if (action.group != ui::ActionGroup::word) continue;
        CAPTURE(action.name, action.leads_to);
        ++words;
        d.click("room/explore");
        d.frames(3);
        d.key(Key::p, true, true);
        d.type("word: " + action.name);
        d.frames(2);
        int row = 0; // longer names hold shorter ones
        while (d.has(fmt::format("search/{}", row)) &&
               d.find(fmt::format("search/{}", row)).label != title_of(action))
            ++row;
        REQUIRE(d.has(fmt::format("search/{}", row)));
        const std::string tip = d.find(fmt::format("search/{}", row)).tip;
        for (int i = 0; i < row; ++i) d.key(Key::down);
        d.key(Key::enter);
        d.frames(30);
        if (tip == "The model that is open shows none") {
            CHECK(d.has("search/field"));
            d.key(Key::escape);
            continue;
        }
        ++led;
        CHECK(tip == "Enter: shows where it is seen");
        CHECK_FALSE(d.has("search/field"));
        const std::string& place = action.leads_to;
        if (place == "Controls" || place == "Heads panel") {
            CHECK(d.shell->ui.keyboard_visible());
            CHECK(d.has(d.shell->ui.keyboard_at()));
        } else if (place == "Model") {
            CHECK(d.has("model/file"));
            d.key(Key::escape);
        } else if (place.starts_with("Stage ")) {
            CHECK(place == "Stage " + std::string(trace::info(d.snapshot().focus.stage).name));
        } else if (place == "Cross") {
            CHECK(head(d).kind == trace::AttentionKind::cross);
        } else {
            CHECK(place == app::info(d.shell->state.view.view).label);
        }
    }
    CHECK(words == static_cast<int>(std::size(ui::kFieldWords)));
    CHECK(led > words / 2);
}

TEST_CASE("words of the field are found by their Chinese names, too") {
    Driver d;
    for (const auto& [chinese, english] : {std::pair("熵", "entropy"),
                                           {"查询", "query"},
                                           {"键", "key"},
                                           {"值", "value"},
                                           {"层", "layer"},
                                           {"头", "head"},
                                           {"掩码", "mask"},
                                           {"对齐", "gold alignment"},
                                           {"词元", "token"},
                                           {"权重", "weight"},
                                           {"残差", "residual stream"},
                                           {"位置编码", "RoPE"},
                                           {"注意力", "attention"},
                                           {"自注意力", "self-attention"},
                                           {"编码器", "encoder"},
                                           {"解码器", "decoder"},
                                           {"嵌入", "embedding"},
                                           {"变换器", "transformer"},
                                           {"困惑度", "perplexity"},
                                           {"注意力", "weight"},
                                           {"梯度", "gradient"}}) {
        CAPTURE(chinese, english);
        d.key(Key::p, true, true);
        d.type(chinese);
        d.frames(2);
        const auto& widgets = d.shell->ui.widgets();
        CHECK(std::ranges::find(widgets, fmt::format("Word: {}", english), &ui::Widget::label) !=
              widgets.end());
        d.key(Key::escape);
    }
}
