// The room Inside in the window.
#include "ui/driver.hpp"

#include "app/engine/inside_picture.hpp"
#include "catch.hpp"
#include "figure/views/inside_room.hpp"

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;

namespace {

Driver::Options decoder() {
    Driver::Options options = Driver::tiny();
    models::transformer_of(options.document.model)->architecture =
        models::Architecture::decoder_only;
    return options;
}

const app::InsidePicture& inside_of(const Driver& d) {
    REQUIRE(d.snapshot().inside != nullptr);
    return *d.snapshot().inside;
}

} // namespace

TEST_CASE("the room Inside opens from the rail and measures all of its cards") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shell->state.view.view == app::View::inside);
    CHECK(inside_of(d).complete());
    CHECK(d.shows("Logit lens"));
    CHECK(d.shows("Without each head"));
    CHECK_FALSE(d.has("inside/reset"));
    CHECK(d.has("inside/make"));
    d.click("room/explore");
    d.settle_all();
    CHECK(d.snapshot().inside == nullptr); // nobody asks
}

TEST_CASE("a click on a word asks about it, Shift+click holds it against another") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    const auto words = inside_of(d).likeliest;
    REQUIRE(words.size() >= 3);
    d.click(fmt::format("inside/word/{}", words[1].word));
    d.settle_all();
    CHECK(inside_of(d).question.word == words[1].word);
    d.shell->state.view.inside.against = static_cast<int>(words[2].word);
    d.settle_all();
    CHECK(inside_of(d).question.against == words[2].word);
    d.click("inside/reset");
    d.settle_all();
    CHECK(inside_of(d).question.word == words[0].word);
    CHECK_FALSE(inside_of(d).question.against);
}

TEST_CASE("a click in the lens asks at that token, one in the heads looks at that head") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    for (const figure::Target& target : d.picture().targets) {
        if (target.tag.kind != figure::Tag::Kind::cells) continue;
        const Box place = d.find("picture").box;
        const Point at{place.x + target.box.x + 3, place.y + target.box.y + 3};
        if (target.tag.c == static_cast<int>(figure::InsidePart::lens)) {
            d.click(at);
            d.settle_all();
            CHECK(inside_of(d).question.token == inside_of(d).first_token);
            CHECK(inside_of(d).question.token == 0);
            d.click("inside/reset");
            d.settle_all();
        } else if (target.tag.c == static_cast<int>(figure::InsidePart::heads)) {
            d.click(at);
            d.settle_all();
            CHECK(d.snapshot().focus.head.layer == target.tag.a - 1);
            CHECK(d.snapshot().focus.head.head == 0);
        }
    }
}

TEST_CASE("an other sentence is made by a click, and patched token by token") {
    Driver d(decoder());
    d.click("room/inside");
    d.settle_all();
    CHECK(d.shows("Needs another sentence"));
    d.click("inside/make");
    d.settle_all();
    CHECK_FALSE(d.shell->state.view.inside.other.empty());
    CHECK_FALSE(inside_of(d).other_error);
    CHECK(inside_of(d).patched.size() == inside_of(d).patches.size());
    CHECK_FALSE(d.shows("Needs another sentence"));
    d.click("inside/patch/heads");
    d.settle_all();
    CHECK(inside_of(d).patches.front().kind == inside::Patch::Kind::head);
    CHECK(inside_of(d).patched.size() == inside_of(d).patches.size());
    d.replace_field("inside/other", "too short");
    d.settle_all();
    CHECK(inside_of(d).other_error);
    CHECK(d.shows("both need the same number"));
}
