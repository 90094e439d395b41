// The next token in the panel: where it stands, behind what it is written, and sampling's sliders.
#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "models/model/sampling.hpp"
#include "models/text_checkpoint.hpp"
#include "ui/driver.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

TEST_CASE("the list is of the token behind which a click writes, whatever row is chosen") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "t5", "t5");
    Driver d;
    open(d, folder / "t5");
    d.replace_field("source", "the cat sat");
    d.replace_field("target", "w5 w8 w9");
    d.settle();
    REQUIRE_FALSE(d.snapshot().error);
    d.click("kind/Cross");
    d.settle();
    d.shell->state.view.selected = {0, 1};
    d.settle();
    REQUIRE(d.snapshot().prediction->after_each.rows() > 1);
    const auto& likeliest = d.snapshot().prediction->likeliest;
    for (int i = 0; i < 5; ++i) {
        CHECK(d.has(fmt::format("next/{}", likeliest[static_cast<std::size_t>(i)])));
    }
    const int row = static_cast<int>(likeliest[0]);
    d.click(fmt::format("next/{}", row));
    d.settle();
    CHECK(d.document().target.starts_with("w5 w8 w9 "));
    CHECK(d.snapshot().run->trace.target.back().row == row);
}

TEST_CASE("a clicked token is read as itself, however the tokeniser would cut the text") {
    const TemporaryFolder folder;
    make_piece_checkpoint(folder / "m");
    Driver d;
    const auto read = [&](const std::string& path) {
        open(d, path);
        d.replace_field("target", "the cat");
        d.settle();
        return d.snapshot().prediction->likeliest;
    };
    const auto likeliest = read(folder / "m"); // weights of the same ids say the same
    const auto piece = std::ranges::find_if(likeliest, [](num::Index row) { return row > 5; });
    REQUIRE(piece - likeliest.begin() < 5);
    make_piece_checkpoint(folder / "n", static_cast<int>(*piece));
    REQUIRE(read(folder / "n") == likeliest);
    d.click(fmt::format("next/{}", *piece));
    d.settle();
    const auto rows = [&] { return models::ids_of(d.snapshot().run->trace.target); };
    CHECK(d.document().target.ends_with("cats"));
    CHECK(rows() == std::vector{0, 1, static_cast<int>(*piece)});
    SECTION("until the text is another") {
        d.replace_field("target", "the cats ");
        d.settle();
        CHECK(rows() == std::vector{0, 4});
    }
    SECTION("until the model is another") {
        open(d, folder / "m");
        d.settle();
        CHECK(d.document().written.ids.empty());
        CHECK(rows() == std::vector{0, 4});
    }
}

TEST_CASE("a text that fills all places of a model goes on no further") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt");
    Driver d;
    open(d, folder / "gpt");
    std::string text = "the";
    for (int i = 0; i < 60; ++i) text += " cat";
    d.replace_field("target", text);
    d.settle();
    const bool too_long = GENERATE(true, false);
    if (!too_long) {
        text.resize(text.size() - 4 * d.snapshot().target_tokens_dropped); // as many " cat"
        d.replace_field("target", text);
        d.settle();
    }
    REQUIRE((d.snapshot().target_tokens_dropped > 0) == too_long);
    CHECK(says(d, fmt::format("takes all {} places of this model. Delete words to go on",
                              d.snapshot().run->trace.target.size())));
    CHECK_FALSE(d.shows("Click to append"));
    const auto row = d.snapshot().prediction->likeliest.front();
    d.click(fmt::format("next/{}", row));
    d.settle();
    CHECK(d.document().target == text);
    CHECK(says(d, fmt::format("takes all {} places of this model. Delete words to go on",
                              d.snapshot().run->trace.target.size())));
}

namespace {

/// A decoder alone that has read a text, high enough that nothing has to be scrolled to.
struct Sampling {
    Sampling() {
        make_text_checkpoint(folder / "gpt");
        open(d, folder / "gpt");
        d.replace_field("target", "the cat sat w5");
        d.settle();
    }
    static Driver::Options high() {
        Driver::Options options = Driver::tiny();
        options.height = 1600;
        return options;
    }

    TemporaryFolder folder;
    Driver d{high()};
};

} // namespace

TEST_CASE("the sliders of sampling stand still while they are dragged") {
    Sampling sampling;
    Driver& d = sampling.d;
    const auto places = [&] {
        std::vector<float> y;
        for (const char* name :
             {"sampling/temperature", "sampling/top_k", "sampling/top_p", "merge"}) {
            y.push_back(d.find(name).box.y);
        }
        return y;
    };
    const auto before = places();
    for (const char* name : {"sampling/top_k", "sampling/top_p", "sampling/temperature"}) {
        for (const float share : {0.1f, 0.5f, 0.8f}) {
            const auto box = d.find(name).box;
            d.click(figure::Point{box.x + box.w * share, box.y + box.h / 2});
            d.settle();
            INFO(name << " " << share);
            CHECK(places() == before);
        }
    }
    REQUIRE(d.snapshot().prediction->cut);
}

TEST_CASE("what a decoder alone says next stands above the options of its view") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt");
    Driver d;
    open(d, folder / "gpt");
    d.replace_field("target", "the cat sat w5");
    d.settle();
    CHECK(d.find("outcome").box.y < d.find("strips").box.y);
}

TEST_CASE("sampling cuts the list where it is drawn, goes on with what it draws, and is undone") {
    Sampling sampling;
    Driver& d = sampling.d;
    CHECK(d.shows("greedy"));
    CHECK_FALSE(d.has("sampling/seed/more"));
    const auto before = d.document();
    const ui::Widget slider = d.find("sampling/top_k");
    d.click(figure::Point{slider.box.x + slider.box.w * 0.18f, slider.box.y + slider.box.h / 2});
    d.settle();
    const int k = d.document().decoding.sampling.top_k;
    REQUIRE(k > 1);
    REQUIRE(k < 6);
    REQUIRE(d.snapshot().prediction->cut);
    CHECK(d.shows(fmt::format("of the {} kept, renormalised", k)));
    CHECK(d.shows(fmt::format("cut: {} tokens", 61 - k)));
    d.key(Key::z, true);
    d.settle();
    CHECK(d.document() == before);
    CHECK_FALSE(d.shows("renormalised"));
    // Drawn: the seed is shown, and Space writes what it draws.
    const ui::Widget heat = d.find("sampling/temperature");
    d.click(figure::Point{heat.box.x + heat.box.w * 0.9f, heat.box.y + heat.box.h / 2});
    d.settle();
    REQUIRE(d.document().decoding.sampling.temperature > 1.5f);
    d.click("sampling/seed/more");
    d.settle();
    CHECK(d.document().decoding.sampling.seed == 2);
    const auto& p = d.snapshot().prediction->probabilities;
    const num::Index next = models::drawn(p, d.document().decoding.sampling, 4);
    d.key(Key::escape);
    d.key(Key::space);
    d.frame();
    d.shell->state.player.playing = false;
    d.settle();
    if (next != 60) CHECK(d.snapshot().run->trace.target[4].row == static_cast<int>(next));
}

TEST_CASE("in Step the list says that it is of the text's end, not of the step that is chosen") {
    const TemporaryFolder folder;
    make_piece_checkpoint(folder / "m");
    Driver d;
    open(d, folder / "m");
    d.replace_field("target", "the cat the cat");
    d.key(Key::escape);
    d.settle();
    CHECK_FALSE(d.shows("after the text"));
    d.shell->state.view.view = app::View::step;
    d.shell->state.view.selected = {1, 0};
    d.shell->wake();
    d.settle();
    REQUIRE(d.snapshot().prediction);
    CHECK(d.shows("after the text"));
}

TEST_CASE("Space goes on with the text where it is seen, and in no other room") {
    Sampling sampling;
    Driver& d = sampling.d;
    d.key(Key::escape);
    const std::string before = d.document().target;
    for (const app::View room :
         {app::View::softmax, app::View::positions, app::View::learn, app::View::train}) {
        INFO(app::info(room).label);
        d.shell->state.view.view = room;
        d.settle();
        d.key(Key::space);
        d.settle();
        d.shell->state.view.view = app::View::heatmap; // nor when it is seen again
        for (int i = 0; i < 3; ++i) d.settle();
        CHECK(d.document().target == before);
        CHECK_FALSE(d.shell->state.player.playing);
    }
    // What goes on stops where it is out of sight.
    d.shell->state.player.playing = true;
    d.shell->state.view.view = app::View::learn;
    d.frames(2);
    CHECK_FALSE(d.shell->state.player.playing);
    CHECK(d.document().target == before);
}

TEST_CASE("Space goes on with the text with the panel of its next word put away, and in Inside") {
    Sampling sampling;
    Driver& d = sampling.d;
    d.key(Key::escape);
    const std::string before = d.document().target;
    const bool inside = GENERATE(true, false);
    if (inside) {
        d.shell->state.view.view = app::View::inside;
    } else {
        d.shell->state.layout.panels.shows_left = false;
    }
    d.settle();
    d.key(Key::space);
    for (int i = 0; i < 3; ++i) d.settle();
    CHECK(d.document().target.size() > before.size());
}
