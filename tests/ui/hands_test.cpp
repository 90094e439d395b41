// Hands on the model: what a person turns, paints, drags and keeps.
#include "app/views/view_figure.hpp"
#include "ui/driver.hpp"

#include "app/document/gains.hpp"
#include "app/document/weight_edits.hpp"
#include "app/files/shipped_models.hpp"
#include "catch.hpp"
#include "models/transformer/transformer.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/free_place.hpp"

#include <fmt/format.h>

#include <set>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

float gain_at(const Driver& d, int layer, int head) {
    return app::gain_of(d.document().controls, {trace::AttentionKind::encoder_self, layer, head});
}

} // namespace

TEST_CASE("Tab goes down the rail as it is seen") {
    Driver d;
    float y = 0;
    std::vector<std::string> order;
    for (int i = 0; i < 200 && (order.empty() || order.back() != "keys"); ++i) {
        d.key(Key::tab);
        const std::string at = d.shell->ui.keyboard_at();
        if (d.find(at).box.x + d.find(at).box.w > 60 || at.starts_with("edge/")) continue;
        CHECK(d.find(at).box.y >= y);
        y = d.find(at).box.y;
        order.push_back(at);
    }
    REQUIRE(order.size() > 3);
    CHECK(order.back() == "keys");
    CHECK(order[order.size() - 3] == "search");
}

TEST_CASE("every stop of Tab shows a ring, in every room and at every size") {
    Driver d;
    const auto walk = [&](const std::string& where) {
        std::set<std::string> seen;
        while (seen.size() < 400) {
            d.key(Key::tab);
            d.frames(2);
            const std::string at = d.shell->ui.keyboard_at();
            if (!seen.insert(at).second) break;
            INFO(where << ": " << at);
            const ui::Ui& ui = d.shell->ui;
            REQUIRE((ui.ring_shown() || ui.typing()));
            const figure::Box ring = ui.typing() ? d.find(at).box : *ui.ring_shown();
            CHECK(ring.w >= 6);
            CHECK(ring.h >= 6);
            CHECK(ring.x >= 0);
            CHECK(ring.y >= 0);
            CHECK(ring.x + ring.w <= d.shell->ui.width());
            CHECK(ring.y + ring.h <= d.shell->ui.height());
        }
        CHECK(seen.size() > 10);
    };
    for (const auto& [width, height] : {std::pair{1280, 800}, {900, 600}, {720, 480}}) {
        d.resize(width, height, 1);
        for (const char* room : {"explore", "inside", "learn", "positions", "softmax", "train"}) {
            d.click("room/" + std::string(room));
            d.settle();
            walk(fmt::format("{} at {}", room, width));
        }
    }
    d.click("room/explore");
    d.settle();
    d.key(Key::e, true);
    walk("export");
}

TEST_CASE("a head's fader goes from 0 to 200 %, catches at 100, and a drag is one step") {
    Driver d;
    const figure::Box fader = d.find("head/gain").box;
    const float y = fader.y + fader.h / 2;
    CHECK(d.shows("100 %"));
    d.drag({fader.x + fader.w / 2, y}, {fader.x + fader.w + 20, y});
    CHECK(gain_at(d, 0, 0) == 2);
    CHECK(d.shows("200 %"));
    CHECK(d.shell->work.history().at() == 1);
    d.drag({fader.x + fader.w - 7, y}, {fader.x + fader.w * 0.505f, y});
    CHECK(gain_at(d, 0, 0) == 1);
    CHECK(d.document().controls.scoped.empty());
    d.drag({fader.x + fader.w / 2, y}, {fader.x - 20, y});
    CHECK(gain_at(d, 0, 0) == 0);
    CHECK(d.find("head/mute").on);
    d.double_click("head/gain");
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("mute and solo by click and by key, and the grid strikes silent heads through") {
    Driver d;
    d.key(Key::m);
    CHECK(gain_at(d, 0, 0) == 0);
    CHECK(d.find("head/mute").on);
    d.click("head/mute");
    CHECK(gain_at(d, 0, 0) == 1);
    d.click("head/solo");
    CHECK(d.find("head/solo").on);
    CHECK(gain_at(d, 0, 0) == 1);
    CHECK(gain_at(d, 0, 3) == 0);
    CHECK(gain_at(d, 1, 3) == 1);
    d.hover("source"); // what was pressed tells no tip until the pointer moves
    d.hover("head/solo");
    d.frames(60);
    CHECK(d.shows("Solo (O): mutes the other 3 heads"));
    d.key(Key::o);
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("what a silent head attends to is seen under a veil, in the window and in exports") {
    Driver d;
    app::ViewState heads = d.shell->state.view;
    heads.view = app::View::heads;
    const auto veils = [&] {
        const figure::Figure figure = app::make_figure(d.snapshot(), heads, 600, 500);
        return std::count_if(figure.items.begin(), figure.items.end(), [](const auto& item) {
            return std::holds_alternative<figure::Line>(item);
        });
    };
    const auto before = veils();
    d.click("head/solo");
    CHECK(veils() == before + 3);
}

TEST_CASE("a panel scrolls to its end and no farther") {
    Driver d;
    const figure::Point inside{1500, 500};
    for (int turn = 0; turn < 3; ++turn) d.wheel(inside, -200);
    const float end = d.shell->state.explore->inspector_scroll.offset;
    for (int turn = 0; turn < 3; ++turn) d.wheel(inside, -200);
    CHECK(d.shell->state.explore->inspector_scroll.offset == end);
    CHECK(end <= d.shell->state.explore->inspector_scroll.content);
    CHECK(end < 2000);
}

TEST_CASE("a short text in place of a long one is seen from its first letter") {
    Driver d;
    d.click("source");
    d.key(Key::a, true);
    std::string longer;
    for (int i = 0; i < 80; ++i) longer += "word ";
    d.paste(longer);
    CHECK(ui::shim::field_scroll() > 0);
    d.key(Key::a, true);
    d.paste("the cat");
    d.frames(2);
    CHECK(ui::shim::field_scroll() == 0);
}

TEST_CASE("a field has one line: breaks and tabs of what is pasted are spaces") {
    Driver d;
    d.replace_field("source", "\nline one\r\nline two\tend\n");
    CHECK(d.document().source == "line one  line two end");
}

TEST_CASE("what a change does to the next word is shown beside what it was") {
    Driver d;
    CHECK(d.shows("Next word \u00b7 untrained")); // of draws, which have no words
    CHECK(d.shows("Random weights and no vocabulary"));
    CHECK(d.shows("other rows"));
    CHECK_FALSE(d.shows("before the last change"));
    const app::Prediction before = *d.snapshot().prediction;
    const float entropy = before.entropy_bits;
    d.key(Key::m);
    CHECK(d.shows("before the last change"));
    CHECK(d.shows(
        fmt::format("{:.2f} \u2192 {:.2f} bits", entropy, d.snapshot().prediction->entropy_bits)));
    REQUIRE(d.shell->work.former().prediction);
    CHECK(d.shell->work.former().prediction->probabilities == before.probabilities);
    // How far a number of a row moved would leave no room for the number.
    for (const char* arrow : {"\n\u2191", "\n\u2193"}) CHECK_FALSE(d.shows(arrow));
    // A drag is one change: what was before it stays, whatever the slider passes.
    const app::Prediction muted = *d.snapshot().prediction;
    const figure::Box fader = d.find("head/gain").box;
    const float y = fader.y + fader.h / 2;
    d.drag({fader.x + 7, y}, {fader.x + fader.w, y}, 9);
    CHECK(d.shell->work.former().prediction->probabilities == muted.probabilities);
    d.key(Key::z, true);
    CHECK(d.snapshot().prediction->probabilities == muted.probabilities);
    CHECK_FALSE(d.shell->work.former().prediction->probabilities == muted.probabilities);
}

TEST_CASE("what the model says after two texts is not held against each other") {
    Driver d;
    d.key(Key::m);
    REQUIRE(d.shows("before the last change"));
    d.replace_field("source", "the dog ran");
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.shows("before the last change"));
    CHECK(d.shows("other text before: not compared"));
    d.key(Key::m);
    d.settle();
    CHECK(d.shows("before the last change")); // of one text again
    CHECK_FALSE(d.shows("other text before"));
}

TEST_CASE("what is held against a text that failed is what ran before it") {
    Driver d;
    d.key(Key::m);
    REQUIRE(d.shows("before the last change"));
    const std::string source = d.document().source;
    d.replace_field("source", "");
    d.key(Key::escape);
    d.settle();
    REQUIRE(d.snapshot().error);
    d.replace_field("source", source);
    d.key(Key::escape);
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    CHECK_FALSE(d.shows("other text before"));
}

TEST_CASE("what an encoder makes of two texts is not held against each other") {
    auto options = Driver::tiny();
    models::spec_of(options.document.model)->architecture = models::Architecture::encoder_only;
    Driver d(options);
    std::string other = d.document().source;
    other.replace(other.rfind(' '), other.npos, " again"); // as many words
    d.replace_field("source", other);
    d.key(Key::escape);
    d.settle();
    CHECK(d.shows("Change of output"));
    CHECK_FALSE(d.shows("compared with before the last change"));
    CHECK(d.shows("other text before: not compared"));
}

TEST_CASE("a baseline of another text is not held against the next word") {
    Driver d;
    d.key(Key::p);
    d.replace_field("source", "the dog ran");
    d.key(Key::escape);
    d.click("against/pinned");
    d.click("compare/difference");
    d.settle();
    REQUIRE(d.snapshot().reference);
    CHECK(d.shows("pinned has another text: not compared"));
}

TEST_CASE("a row of the vocabulary is called by words that were written") {
    auto options = Driver::tiny();
    models::spec_of(options.document.model)->vocabulary = 7; // every row is somebody's
    Driver d(options);
    CHECK(d.shows("tapis"));
    d.replace_field("target", "un deux trois");
    d.replace_field("source", "a b c d e f g h i j k");
    CHECK(d.shell->work.seen_words()
              .name(models::embedding_row("chat", 7), *d.snapshot().run)
              .find("row") == std::string::npos);
}

TEST_CASE("an encoder alone tells how far its memory moved") {
    auto options = Driver::tiny();
    models::spec_of(options.document.model)->architecture = models::Architecture::encoder_only;
    Driver d(options);
    CHECK(d.shows("Change of output"));
    CHECK_FALSE(d.shows("Next word \u00b7 untrained"));
    const auto now = app::outcome_of(d.snapshot());
    d.key(Key::m);
    const auto change = app::memory_change(app::outcome_of(d.snapshot()), now);
    REQUIRE(change);
    CHECK(*change > 0);
    CHECK(d.shows("compared with before the last change"));
}

TEST_CASE("where Undo takes back a text, the list of changes says what it is of") {
    Driver d;
    CHECK(d.shows("No changes yet"));
    d.replace_field("source", "the dog ran");
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.shows("No changes yet"));
    CHECK(d.shows("No changes to this model"));
}

TEST_CASE("undoing a text leaves a cell chosen, though its row is gone") {
    Driver d;
    d.settle();
    d.replace_field("source", "The cat sat on the mat and the dog ran");
    d.key(Key::escape);
    d.settle();
    d.click(d.cell(9, 3));
    d.settle();
    REQUIRE(d.shell->state.view.selected->first == 9);
    d.key(Key::z, true);
    d.settle();
    REQUIRE(d.shell->state.view.selected);
    CHECK(app::selected_cell(d.snapshot(), d.shell->state.view));
}

TEST_CASE("undoing a sentence that was emptied letter by letter brings the chosen cell back") {
    Driver d;
    open(d, app::shipped_model("en-fr-transformer"));
    d.replace_field("source", "the black cat did not eat the red apple");
    d.key(Key::escape);
    d.settle();
    d.click(d.cell(4, 7));
    REQUIRE(d.shell->state.view.selected == std::pair(4, 7));
    d.click("source");
    d.key(Key::end);
    while (!d.document().source.empty()) d.key(Key::backspace);
    d.settle();
    d.key(Key::z, true);
    d.settle();
    REQUIRE(d.document().source == "the black cat did not eat the red apple");
    CHECK(d.shell->state.view.selected == std::pair(4, 7));
}

TEST_CASE("every change is a line that is ticked off and on, taken away, and undone") {
    Driver d;
    CHECK(d.shows("No changes yet"));
    const auto before = *d.snapshot().map;
    d.click("scale");
    d.click("apply/model");
    d.click("mask/causal");
    const auto both = *d.snapshot().map;
    REQUIRE(d.has("change/1"));
    CHECK(d.find("change/0").label == "whole model: mask causal");
    CHECK(d.find("change/1").label == "encoder 1.1: scale off");
    d.click("change/1");
    CHECK_FALSE(d.find("change/1").on);
    CHECK((*d.snapshot().map)(0, 1) == 0); // the mask alone
    CHECK((*d.snapshot().map)(5, 1) != both(5, 1));
    d.click("change/1");
    CHECK(*d.snapshot().map == both);
    d.click("change/1/remove");
    CHECK_FALSE(d.has("change/1"));
    d.click("undo");
    CHECK(*d.snapshot().map == both);
    d.click("redo");
    CHECK_FALSE(d.has("change/1"));
    d.click("changes/clear");
    CHECK(*d.snapshot().map == before);
    CHECK_FALSE(d.has("change/0"));
    d.hover("undo");
    d.frames(60);
    CHECK(d.shows("Undo (Ctrl+Z): cleared all changes"));
    d.key(Key::z, true);
    CHECK(d.has("change/0"));
}

TEST_CASE("a control that is set to what it is anyway is no change") {
    Driver d(Driver::high());
    d.click("apply/model");
    const auto norm = models::traits(d.document().model).norm;
    const char* const own = norm == models::NormOrder::pre ? "norm/1" : "norm/0";
    const char* const other = norm == models::NormOrder::pre ? "norm/0" : "norm/1";
    for (const char* control : {own, "join/0", "positions/sinusoidal"}) {
        CAPTURE(control);
        d.click(control);
        CHECK(d.document().controls == models::Controls{});
    }
    for (const char* control :
         {other, own, "join/1", "join/0", "positions/RoPE", "positions/sinusoidal"})
        d.click(control);
    CHECK(d.document().controls == models::Controls{});
    CHECK(d.shows("No changes to this model"));
}

TEST_CASE("a mask takes the chosen cell along with its word, and undo brings both back") {
    Driver::Options options;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat is small";
    options.document.target.clear();
    options.focus.head = {trace::AttentionKind::cross, 1, 0};
    Driver d(options);
    d.replace_field("source", "the black cat did not eat the red apple");
    d.settle();
    const std::pair cell(2, 0);
    d.shell->state.view.selected = cell;
    d.shell->wake();
    d.settle();
    const auto said = [&](int row = 1) {
        return d.snapshot().run->trace.target.at(static_cast<std::size_t>(row) + 1).text;
    };
    const std::string before = said(), word = said(cell.first);
    const auto follows = [&] { // or stays, where nobody says it any more
        const auto at = d.shell->state.view.selected.value_or(std::pair(-1, -1));
        return at.second == cell.second && (at.first == cell.first || said(at.first) == word);
    };
    d.click("apply/model");
    d.click("mask/causal");
    REQUIRE(said() != before); // else nothing could move
    CHECK(follows());
    d.key(Key::z, true);
    d.settle();
    CHECK(said() == before);
    CHECK(d.shell->state.view.selected == cell);
    d.key(Key::z, true, true);
    d.settle();
    CHECK(follows());
}

TEST_CASE("a stroke of the brush forbids every cell that it crosses, or allows them again") {
    Driver d;
    d.click("mask/paint");
    d.drag(d.cell(1, 1), d.cell(5, 3), 2); // far apart: no cell on the way is left out
    const auto& map = d.snapshot().map;
    for (const auto& [row, col] : {std::pair(1, 1), {2, 2}, {3, 2}, {4, 3}, {5, 3}}) {
        INFO(row << ":" << col);
        CHECK((*map)(row, col) == 0);
    }
    CHECK(d.shell->work.history().at() == 1);
    CHECK_FALSE(d.shell->state.view.selected == std::pair(5, 3));
    d.drag(d.cell(2, 2), d.cell(2, 6)); // begun on a painted cell: it allows
    CHECK((*d.snapshot().map)(2, 2) > 0);
    CHECK((*d.snapshot().map)(2, 5) > 0);
    CHECK(d.shell->work.history().at() == 2);
    d.key(Key::z, true);
    CHECK((*d.snapshot().map)(2, 2) == 0);
    d.key(Key::escape);
    d.drag(d.cell(1, 5), d.cell(5, 6));
    CHECK(d.shell->work.history().at() == 1);
}

TEST_CASE("what a map is held against is not painted, only chosen from") {
    Driver d;
    d.click("mask/paint");
    d.click("compare/side by side");
    d.settle();
    const auto at = d.shell->work.history().at();
    d.click(d.cell(3, 1, 0));
    CHECK(d.shell->work.history().at() == at);
    CHECK(d.shell->state.view.selected == std::pair(3, 1));
    d.click(d.cell(3, 1, 1));
    CHECK(d.shell->work.history().at() == at + 1);
}

TEST_CASE("the weight's slider stays in its place when the weight becomes another") {
    Driver d;
    d.shell->state.view.selected = {1, 1};
    d.settle();
    const figure::Box before = d.find("weight").box;
    d.click(figure::Point{before.x + before.w * 0.9f, before.y + before.h / 2});
    d.settle();
    REQUIRE(d.shows("weight as edited = "));
    CHECK(d.find("weight").box.y == before.y);
}

TEST_CASE("undo in a snapshot's name takes back what was typed, not what was done") {
    Driver d;
    d.click("scale");
    d.settle();
    const app::Document changed = d.document();
    d.click("keep");
    d.frames(3);
    REQUIRE(d.has("kept/name"));
    d.type("mine");
    d.key(Key::z, true);
    CHECK(d.document() == changed);
    CHECK(d.has("kept/name"));
    CHECK(d.find("kept/name").text != "mine");
}

TEST_CASE("painting keeps the mask that the model has of itself") {
    Driver d;
    d.click("kind/Decoder");
    CHECK((*d.snapshot().map)(1, 3) == 0);
    d.click("mask/paint");
    d.click(d.cell(4, 2));
    CHECK((*d.snapshot().map)(4, 2) == 0);
    CHECK((*d.snapshot().map)(1, 3) == 0);
}

TEST_CASE("Alt and a drag set a cell's weight, the row sums to one and later layers follow") {
    Driver d;
    const auto before = *d.snapshot().map;
    const auto later = d.snapshot().run->trace.map({trace::AttentionKind::encoder_self, 1, 0});
    const auto later_before = later->whole(trace::Stage::weights);
    const figure::Point at = d.cell(3, 1);
    d.hold_alt(true);
    d.drag(at, {at.x, at.y - 80});
    d.hold_alt(false);
    const auto& map = *d.snapshot().map;
    CHECK(map(3, 1) == Approx(std::min(1.0f, before(3, 1) + 0.5f)).margin(2e-3));
    CHECK(map.row(3).sum() == Approx(1).margin(1e-5));
    CHECK((map.row(2) - before.row(2)).cwiseAbs().maxCoeff() == 0);
    CHECK((d.snapshot()
               .run->trace.map({trace::AttentionKind::encoder_self, 1, 0})
               ->whole(trace::Stage::weights) -
           later_before)
              .cwiseAbs()
              .maxCoeff() > 1e-6f);
    CHECK(d.shell->work.history().at() == 1);
    CHECK(d.shell->state.view.selected == std::pair(3, 1));
    CHECK(d.find("change/0").label == "encoder 1.1: 1 edited weight");
    CHECK(d.shows("set by hand"));
    d.click("weight/row");
    CHECK(*d.snapshot().map == before);
    CHECK_FALSE(d.has("weight/row"));
    d.key(Key::z, true);
    d.click("weight/head");
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE(
    "a change that is listed above a weight's fader does not move it from under the pointer") {
    Driver d;
    d.click("scale"); // a change is listed already
    d.click(d.cell(3, 1));
    const figure::Box fader = d.find("weight").box;
    const float middle = fader.y + fader.h / 2;
    d.drag({fader.x + fader.w * 0.3f, middle}, {fader.x + fader.w * 0.6f, middle}, 12);
    d.settle();
    CHECK(d.has("change/1"));
    CHECK(d.find("weight").box.y == Approx(fader.y).margin(0.5));
    CHECK((*d.snapshot().map)(3, 1) == Approx(0.6f).margin(0.03));
}

TEST_CASE("a weight that was set by hand and is another one says why") {
    Driver::Options options = Driver::tiny();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    for (num::Index key = 0; key < 10; ++key) controls.mask->painted.emplace_back(2, key);
    controls.edits = {{2, 1, 0.3f}};
    options.document.controls.set({trace::AttentionKind::encoder_self, 0, 0}, controls);
    Driver d(options);
    d.shell->state.view.selected = {2, 1};
    d.settle();
    REQUIRE((*d.snapshot().map)(2, 1) == 1);
    CHECK(says(d, "The only key with a weight: a row sums to 1"));
    controls.edits = {{2, 1, 0.3f}, {2, 3, 0.3f}};
    app::Document two = d.document();
    two.controls.set({trace::AttentionKind::encoder_self, 0, 0}, controls);
    d.shell->work.apply(ui::ChangeDocument{two, {}, "weights"});
    d.settle();
    CHECK((*d.snapshot().map)(2, 1) == Approx(0.5f));
    CHECK(says(d, "Weights set by hand are scaled: a row sums to 1"));
}

TEST_CASE("a weight is set by Alt and the arrows and by its fader, and not without Alt") {
    Driver d;
    d.click(d.cell(3, 1));
    const float before = (*d.snapshot().map)(3, 1);
    d.drag(d.cell(3, 1), d.cell(6, 1));
    CHECK(d.document().controls.scoped.empty());
    d.shell->state.view.selected = {3, 1};
    const bool up = before < 0.5f;
    d.key(up ? Key::up : Key::down, false, false, true);
    CHECK((*d.snapshot().map)(3, 1) == Approx(before + (up ? 0.05f : -0.05f)).margin(1e-3));
    CHECK(d.shell->state.view.selected == std::pair(3, 1));
    const figure::Box fader = d.find("weight").box;
    d.click(figure::Point{fader.x + 7 + (fader.w - 14) * 0.25f, fader.y + fader.h / 2});
    CHECK((*d.snapshot().map)(3, 1) == Approx(0.25f).margin(0.01));
    d.double_click("weight");
    CHECK(d.document().controls.scoped.empty());
    // Of another stage's map nothing can be set.
    app::Focus focus = d.shell->work.focus();
    focus.stage = trace::Stage::scores;
    d.shell->work.apply(ui::ChangeFocus{focus});
    d.settle();
    d.hold_alt(true);
    d.drag(d.cell(3, 1), d.cell(2, 1));
    d.hold_alt(false);
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("a snapshot that is deleted comes back by undo, and no change before it goes") {
    Driver d;
    d.click("scale");
    d.key(Key::k, true);
    d.key(Key::enter);
    d.click("mask/causal");
    const app::Document document = d.document();
    d.key(Key::k, true);
    d.key(Key::enter);
    const auto kept = d.shell->work.kept();
    REQUIRE(kept.size() == 2);
    d.click("kept/0/remove");
    REQUIRE(d.shell->work.kept().size() == 1);
    CHECK(d.shows("is deleted; Undo brings it back"));
    d.key(Key::z, true);
    CHECK(d.shell->work.kept() == kept);
    CHECK(d.document() == document);
    d.key(Key::z, true);
    CHECK_FALSE(d.document() == document);
    d.key(Key::y, true);
    d.click("kept/1/remove");
    d.click("scale"); // a change behind it is undone first, and alone
    d.key(Key::z, true);
    CHECK(d.document() == document);
}

namespace {

/// Saves two snapshots, each behind a change of its own.
std::vector<app::Bookmark> keep_two(Driver& d) {
    for (const char* control : {"scale", "mask/causal"}) {
        d.click(control);
        d.key(Key::k, true);
        d.key(Key::enter);
    }
    return d.shell->work.kept();
}

} // namespace

TEST_CASE("snapshots that are deleted one after the other come back, the last one first") {
    Driver d;
    const auto kept = keep_two(d);
    d.key(Key::p);
    d.click("mask/causal");
    const app::Document document = d.document();
    d.click("kept/0/remove");
    d.key(Key::p); // over another baseline
    d.click("kept/0/remove");
    REQUIRE(d.shell->work.kept().empty());
    d.key(Key::z, true);
    CHECK(d.shell->work.kept().size() == 1);
    d.key(Key::z, true);
    CHECK_FALSE(d.shell->work.pinned()->document == document);
    d.key(Key::z, true);
    CHECK(d.shell->work.kept() == kept);
    CHECK(d.document() == document);
}

TEST_CASE("a first baseline hides the undo of a snapshot that was deleted before it") {
    Driver d;
    keep_two(d);
    const app::Document document = d.document();
    d.click("kept/0/remove");
    d.key(Key::p);
    d.key(Key::z, true);
    CHECK(d.shell->work.kept().size() == 1);
    CHECK_FALSE(d.document() == document); // the last change of the model
}

TEST_CASE(
    "redo deletes a snapshot again that undo brought back, and nothing once another act came") {
    Driver d;
    const auto kept = keep_two(d);
    const app::Document document = d.document();
    d.click("kept/0/remove");
    REQUIRE(d.shell->work.kept().size() == 1);
    CHECK_FALSE(d.find("redo").enabled);
    d.click("undo");
    REQUIRE(d.shell->work.kept() == kept);
    CHECK(d.find("redo").enabled);
    CHECK(d.find("redo").tip.find(kept[0].name) != std::string::npos);
    d.click("redo");
    CHECK(d.shell->work.kept().size() == 1);
    CHECK(d.shell->work.kept()[0] == kept[1]);
    d.key(Key::z, true);
    CHECK(d.shell->work.kept() == kept);
    d.key(Key::z, true, true);
    CHECK(d.shell->work.kept().size() == 1);
    d.key(Key::z, true);
    CHECK(d.document() == document);
    d.click("kept/1/remove"); // another act
    CHECK_FALSE(d.find("redo").enabled);
    CHECK(d.shell->work.kept().size() == 1);
}

TEST_CASE("redo pins a baseline again that undo let go of") {
    Driver d;
    d.key(Key::p);
    d.click("scale");
    d.key(Key::p);
    const auto second = d.shell->work.pinned();
    d.key(Key::z, true);
    REQUIRE_FALSE(d.shell->work.pinned() == second);
    d.key(Key::z, true, true);
    CHECK(d.shell->work.pinned() == second);
    d.key(Key::z, true);
    CHECK_FALSE(d.shell->work.pinned() == second);
}

TEST_CASE("where no snapshot has room any more, Undo says so once and goes on") {
    Driver d;
    keep_two(d);
    auto kept = d.shell->work.kept();
    while (kept.size() < app::kMaxKept) kept.push_back(kept.back());
    d.shell->work.set_kept(kept);
    d.frames(2);
    const app::Document document = d.document();
    d.click("kept/0/remove");
    d.key(Key::k, true); // another in its place
    d.key(Key::escape);
    REQUIRE(d.shell->work.kept().size() == app::kMaxKept);
    d.key(Key::z, true);
    CHECK(ui::test::says(d, "has no room among the snapshots"));
    CHECK(d.shell->work.notice.text.find(". Undone: ") != std::string::npos);
    CHECK_FALSE(d.document() == document); // it is no end of undoing
    CHECK_FALSE(d.shell->work.can_bring_back());
}

TEST_CASE("a snapshot that comes back takes no name that was typed for another") {
    Driver d;
    const auto kept = keep_two(d);
    d.click("kept/0/remove");
    d.click("kept/0/rename");
    d.key(Key::z, true);
    d.frames(2);
    REQUIRE(d.shell->work.kept() == kept);
    CHECK_FALSE(d.has("kept/name"));
}

TEST_CASE("a state is kept under a name, and returned to, and the return is undone") {
    Driver d;
    d.click("scale");
    const auto map = *d.snapshot().map;
    const app::Document kept = d.document();
    d.key(Key::k, true);
    REQUIRE(d.shell->work.kept().size() == 1);
    CHECK(d.shell->work.kept()[0].name == "encoder 1.1: scale off");
    CHECK(d.shell->ui.typing()); // its name waits to be edited
    d.key(Key::a, true);
    d.type("no scale");
    d.key(Key::enter);
    CHECK(d.shell->work.kept()[0].name == "no scale");
    CHECK_FALSE(d.shell->ui.typing());
    CHECK(d.find("kept/0").on);
    d.click("kind/Cross");
    d.click("changes/clear");
    d.click("view/Lines");
    const app::Document left = d.document();
    CHECK_FALSE(d.find("kept/0").on);
    d.click("kept/0");
    CHECK(d.document() == kept);
    CHECK(*d.snapshot().map == map);
    CHECK(d.shell->state.view.view == app::View::heatmap);
    CHECK(d.shell->work.focus().head.kind == trace::AttentionKind::encoder_self);
    d.key(Key::z, true);
    CHECK(d.document() == left);
    d.click("kept/0/rename");
    d.type(" or so");
    d.key(Key::enter);
    CHECK(d.shell->work.kept()[0].name == "no scale or so");
    d.click("kept/0/remove");
    CHECK(d.shell->work.kept().empty());
}

TEST_CASE("a model that cannot be computed from the start leaves every key without effect") {
    Driver::Options options = Driver::tiny();
    models::spec_of(options.document.model)->n_heads = 5; // 64 does not divide
    options.view.selected = {1, 2};
    for (const app::View view :
         {app::View::heatmap, app::View::lines, app::View::heads, app::View::neurons,
          app::View::flow, app::View::stages, app::View::positions, app::View::softmax}) {
        options.view.view = view;
        Driver d(options);
        REQUIRE(d.snapshot().error);
        REQUIRE_FALSE(d.snapshot().run);
        for (int k = 0; k < static_cast<int>(Key::count); ++k) {
            if (static_cast<Key>(k) == Key::t) continue; // the theme
            d.key(static_cast<Key>(k), false, false, false);
            d.key(static_cast<Key>(k), false, false, true);
        }
        d.key(Key::escape);
        CHECK(d.shows("does not divide"));
    }
}

TEST_CASE("Esc leaves a kept state's name as it was") {
    Driver d;
    d.key(Key::k, true);
    d.key(Key::a, true);
    d.type("mine");
    d.key(Key::enter);
    REQUIRE(d.shell->work.kept()[0].name == "mine");
    d.click("kept/0/rename");
    d.type("other");
    d.key(Key::escape);
    CHECK_FALSE(d.has("kept/name"));
    CHECK(d.shell->work.kept()[0].name == "mine");
}

TEST_CASE("a name that is half typed is taken once another state is saved, or a card opens") {
    Driver d;
    d.settle();
    d.key(Key::k, true);
    d.key(Key::a, true);
    d.type("mine");
    d.key(Key::k, true);
    d.frames(3);
    REQUIRE(d.shell->work.kept().size() == 2);
    CHECK(d.shell->work.kept()[0].name == "mine");
    CHECK(d.has("kept/name")); // of the second
    d.key(Key::a, true);
    d.type("other");
    d.key(Key::p, true, true);
    d.frames(3);
    REQUIRE(d.has("search/field"));
    d.key(Key::escape);
    d.frames(3);
    CHECK(d.shell->work.kept()[1].name == "other");
}

TEST_CASE("the name of every kept state is typed over as a whole") {
    Driver d;
    for (const std::string name : {"first", "second"}) {
        d.key(Key::k, true);
        d.type(name);
        d.key(Key::enter);
        CHECK(d.shell->work.kept().back().name == name);
        d.click("scale");
    }
}

TEST_CASE("what was set cell by cell goes along with its words, or is let go, told and undone") {
    Driver d;
    d.click(d.cell(3, 1)); // on, cat
    d.key(Key::up, false, false, true);
    d.click("mask/paint");
    d.click(d.cell(1, 2)); // cat, sat
    d.click("mask/paint");
    const auto painted = [&] {
        for (const auto& entry : d.document().controls.scoped) {
            if (entry.controls.mask) return entry.controls.mask->painted;
        }
        return std::vector<std::pair<num::Index, num::Index>>{};
    };
    const auto edits = [&] {
        return app::edits_of(d.document().controls, d.shell->work.focus().head);
    };
    REQUIRE(painted().size() == 1);
    REQUIRE(edits().size() == 1);
    d.replace_field("source", "So " + d.document().source);
    REQUIRE(painted().size() == 1);
    REQUIRE(edits().size() == 1);
    CHECK(painted().front() == std::pair<num::Index, num::Index>(2, 3));
    CHECK(edits().front().query == 4);
    CHECK(edits().front().key == 2);
    d.replace_field("source", "Une autre phrase");
    CHECK(painted().empty());
    CHECK(edits().empty());
    CHECK(d.shows("1 painted cell and 1 edited weight were removed"));
    d.key(Key::escape);
    d.key(Key::z, true);
    CHECK(painted().size() == 1);
    CHECK(edits().size() == 1);
}

TEST_CASE("a word that is typed anew keeps what was set for it") {
    Driver d;
    d.click(d.cell(9, 8)); // tired, was
    d.key(Key::up, false, false, true);
    const auto edits = [&] {
        return app::edits_of(d.document().controls, d.shell->work.focus().head);
    };
    const auto before = edits();
    REQUIRE(before.size() == 1);
    d.click("source");
    d.key(Key::end);
    d.key(Key::backspace);
    d.settle();
    CHECK(edits().empty());
    d.type("d");
    d.settle();
    CHECK(edits() == before);
    CHECK(d.shell->work.notice.text.empty());
}

TEST_CASE("pinned tokens stay with their words, and come back with them") {
    Driver d;
    d.click("view/Lines");
    d.shell->state.view.pinned_queries = {1, 5}; // cat, mat
    d.settle();
    const std::string whole = d.document().source;
    d.replace_field("source", "So " + whole);
    d.key(Key::escape);
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{2, 6});
    d.key(Key::z, true);
    REQUIRE(d.document().source == whole);
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{1, 5});
    d.replace_field("source", "one two");
    CHECK(d.shell->state.view.pinned_queries.empty());
    d.key(Key::escape);
    d.key(Key::z, true);
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{1, 5});
}

TEST_CASE("pinned tokens come back with a word that is typed anew after pauses") {
    Driver d;
    d.click("view/Lines");
    const auto pause = [&] { d.frames(90); }; // a second and a half
    d.click("source");
    d.key(Key::end);
    d.type(" now");
    const std::string typed = d.document().source;
    REQUIRE(typed.ends_with(" now"));
    d.shell->state.view.pinned_queries = {1, 10}; // cat, now
    pause();
    for (int i = 0; i < 3; ++i) d.key(Key::backspace);
    REQUIRE(d.document().source + "now" == typed);
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{1});
    pause();
    d.type("now");
    REQUIRE(d.document().source == typed);
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{1, 10});
    d.key(Key::escape);
    // Through both pauses back to where they were pinned.
    for (const bool gone : {true, false}) {
        const bool was = d.document().source == typed;
        for (int i = 0; i < 8 && (d.document().source == typed) == was; ++i) d.key(Key::z, true);
        INFO(d.document().source);
        REQUIRE((d.document().source == typed) != gone);
        CHECK((d.shell->state.view.pinned_queries.size() == 2) != gone);
    }
}

TEST_CASE("a weight that is nudged by a held key is one step back") {
    Driver d;
    d.click(d.cell(3, 1));
    for (int i = 0; i < 6; ++i) d.key(Key::down, false, false, true);
    CHECK(d.shell->work.history().at() == 1);
}

TEST_CASE("the right button opens the menu of a head, of the map or of a word") {
    Driver d;
    d.settle();
    const auto told = [&] {
        int entries = 0;
        for (const ui::Widget& w : d.shell->ui.widgets()) {
            if (!w.id.starts_with("context/")) continue;
            INFO(w.id);
            CHECK_FALSE(w.tip.empty());
            ++entries;
        }
        return entries;
    };
    const ui::Box heads = d.find("heads").box;
    const trace::HeadId before = d.shell->work.focus().head;
    d.right_click({heads.x + heads.w * 0.75f, heads.y + heads.h * 0.75f});
    const trace::HeadId head = d.shell->work.focus().head;
    CHECK_FALSE(head == before); // it is the one that the menu is of
    CHECK(told() >= 4);
    d.click("context/mute");
    CHECK(app::muted(d.document().controls, head));
    CHECK(told() == 0);
    d.right_click({heads.x + heads.w * 0.75f, heads.y + heads.h * 0.75f});
    d.click("context/unchanged");
    CHECK(d.document().controls == models::Controls{});

    d.right_click(d.cell(1, 1));
    CHECK(told() >= 3);
    d.click("context/numbers");
    d.right_click(d.cell(1, 1));
    d.key(Key::escape);
    CHECK(told() == 0);

    const auto label = [&] {
        const ui::Box place = d.find("picture").box;
        std::optional<ui::Point> found;
        for (const figure::Target& target : d.picture().targets) {
            const auto* row = target.as<figure::tag::RowLabel>();
            if (row && !found)
                found = ui::Point{place.x + target.box.x + target.box.w / 2,
                                  place.y + target.box.y + target.box.h / 2};
        }
        return found.value_or(ui::Point{});
    };
    d.right_click(label());
    CHECK(told() >= 1);
    d.click("context/isolate");
    CHECK(d.shell->state.view.pinned_queries == std::vector<int>{0});
    d.right_click(label());
    d.replace_field("source", "another text"); // of which the menu is not
    d.settle();
    CHECK(told() == 0);
    d.key(Key::menu);
    CHECK(d.has("context/export"));
    d.key(Key::escape);

    app::Focus focus = d.shell->work.focus();
    focus.stage = trace::Stage::q; // whose rows are tokens, and whose columns are features
    d.shell->work.apply(ui::ChangeFocus{focus});
    d.settle();
    d.right_click(label());
    CHECK(d.has("context/export"));
    CHECK_FALSE(d.has("context/isolate"));
    CHECK(d.has("context/copy"));
}

TEST_CASE(
    "Clear all stands nowhere where another act can be pressed, however many changes there are") {
    Driver d(Driver::high());
    std::vector<std::pair<std::string, figure::Box>> others;
    std::vector<figure::Box> clears;
    const auto note_all = [&] {
        for (const ui::Widget& widget : d.shell->ui.widgets()) {
            const bool of_section = widget.id == "keep" || widget.id == "undo" ||
                                    widget.id == "redo" || widget.id.starts_with("kept/") ||
                                    widget.id.starts_with("change/");
            if (of_section) others.emplace_back(widget.id, widget.box);
            if (widget.id == "changes/clear" && widget.enabled) clears.push_back(widget.box);
        }
    };
    note_all();
    for (const char* change : {"scale", "mask/padding", "positions/learned"}) {
        d.click(change);
        d.settle();
        note_all();
    }
    d.click("keep");
    d.settle();
    d.key(Key::enter);
    note_all();
    REQUIRE(clears.size() >= 3);
    for (const figure::Box& clear : clears) {
        for (const auto& [id, box] : others) {
            INFO(id);
            CHECK_FALSE(ui::meet(clear, box));
        }
    }
    d.click("changes/clear");
    d.settle();
    CHECK(d.document().controls == app::Document{}.controls);
    const bool off = !d.has("changes/clear") || !d.find("changes/clear").enabled;
    CHECK(off); // nothing is left to clear
}

TEST_CASE("the token that the next one is listed after is quoted, be a row chosen or none") {
    Driver d;
    open(d, app::shipped_model("repeat"));
    d.settle();
    d.shell->state.view.selected.reset();
    d.settle();
    REQUIRE(d.snapshot().run);
    const std::string last = d.snapshot().run->trace.target.back().text;
    CHECK(d.shows("\u201c" + last + "\u201d"));
}

TEST_CASE("a drag that begins where nobody pointed before sets the cell that was pressed") {
    Driver d;
    const auto before = *d.snapshot().map;
    const figure::Point at = d.cell(3, 1), above = d.cell(2, 1);
    d.hover(figure::Point{10, 10});
    d.hold_alt(true);
    ui::shim::move_mouse(at.x, at.y);
    ui::shim::press_mouse(0, true);
    d.frame();
    ui::shim::move_mouse(above.x, above.y);
    d.frames(6);
    ui::shim::press_mouse(0, false);
    d.frames(2);
    d.hold_alt(false);
    d.settle();
    const auto& map = *d.snapshot().map;
    CHECK((map.row(2) - before.row(2)).cwiseAbs().maxCoeff() == 0);
    CHECK(map(3, 1) > before(3, 1));
}
