// The stage alone, panels that are put away, and the cues of the first start.
#include "ui/driver.hpp"

#include "app/files/shipped_models.hpp"
#include "app/views/reading.hpp"
#include "catch.hpp"
#include "figure/base/fitted.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/free_place.hpp"
#include "ui/window/edge_panels.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

using namespace heed;
using ui::shim::Key;
using ui::test::Driver;

namespace {

const ui::Box& picture(Driver& d) { return d.find("picture").box; }

/// The pointer rests there while panels slide.
void rest_at(Driver& d, float x, float y) {
    d.hover(ui::Point{x, y});
    d.frames(20);
}

} // namespace

TEST_CASE("a modifier whose release the system kept holds no key back") {
    Driver d;
    ui::shim::forward_key(nullptr, GLFW_KEY_LEFT_ALT, 0, GLFW_PRESS, 0);
    d.frames(2);
    CHECK(ui::shim::alt_down());
    ui::shim::forward_key(nullptr, GLFW_KEY_3, 0, GLFW_PRESS, 0);
    d.frames(2);
    ui::shim::forward_key(nullptr, GLFW_KEY_3, 0, GLFW_RELEASE, 0);
    d.settle();
    CHECK_FALSE(ui::shim::alt_down());
    CHECK(d.shell->state.view.view == app::View::heads);

    ui::shim::forward_key(nullptr, GLFW_KEY_LEFT_CONTROL, 0, GLFW_PRESS, 0);
    d.frames(2);
    CHECK(ui::shim::command_down());
    ui::shim::forward_modifiers(0); // as a click tells it
    d.frames(2);
    CHECK_FALSE(ui::shim::command_down());
}

TEST_CASE("presenting, the stage is alone and larger, and Esc brings the panels back") {
    Driver d;
    const ui::Box before = picture(d);
    d.key(Key::f11);
    d.settle();
    for (const char* gone : {"source", "heads", "scale", "stages", "view/0", "room/train"}) {
        INFO(gone);
        CHECK_FALSE(d.has(gone));
    }
    CHECK(d.shell->ui.canvas.scale() == 1.5f);
    CHECK(picture(d).x == 0);
    CHECK(picture(d).w == Approx(1600 / 1.5f));
    CHECK(picture(d).w > before.w);
    CHECK(d.shows("Panels slide in at the edges. Esc: back"));

    d.key(Key::five); // keys go on as ever
    d.settle();
    CHECK(d.shell->state.view.view == app::View::flow);
    d.key(Key::one);
    d.key(Key::escape);
    d.settle();
    CHECK(d.has("source"));
    CHECK(d.shell->ui.canvas.scale() == 1);
    CHECK(picture(d).w == before.w);
    CHECK_FALSE(d.shows("Panels slide in at the edges. Esc: back"));
}

TEST_CASE("presenting, the map stands in the middle of the stage") {
    Driver d;
    d.key(Key::f11);
    d.settle();
    const figure::Figure map = d.picture();
    CHECK(map.width == Approx(picture(d).w));
    const figure::Box drawn = figure::drawn_box(map);
    CAPTURE(drawn.x, drawn.w, figure::dump(map).substr(0, 1500));
    CHECK(std::abs(drawn.x - (map.width - drawn.x - drawn.w)) < 0.1f * map.width);
}

TEST_CASE("presenting, links leave a foot above the edge of the screen") {
    constexpr float kFoot = 12; // with the ground of their own picture as much as above the title
    Driver d;
    d.key(Key::f11);
    d.settle_all();
    REQUIRE(d.has("links"));
    const ui::Box links = d.find("links").box;
    CHECK(links.y + links.h <= 1000 / 1.5f - kFoot + 0.5f);
}

TEST_CASE("presenting a comparison, its titles stand as high as that of one map") {
    Driver d;
    d.key(Key::f11);
    const auto first_line = [&] {
        d.settle_all();
        float y = 1e9f;
        for (const figure::Primitive& item : d.picture().items) {
            if (const auto* text = std::get_if<figure::Text>(&item)) y = std::min(y, text->at.y);
        }
        return y;
    };
    const float alone = first_line();
    d.shell->state.view.compare = app::Compare::beside;
    CHECK(first_line() <= alone + 1);
}

TEST_CASE("presenting in a small window, pictures of several cards have the height they need") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    options.document.source = "the black cat did not eat the red apple";
    options.document.target = "le chat noir n'a pas mangé la pomme rouge";
    Driver d(options);
    d.click("room/softmax");
    d.key(Key::f11);
    d.settle();
    CHECK(d.shell->ui.canvas.scale() > 1.1f); // words are larger all the same
    for (const figure::Primitive& item : d.picture().items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (text) CHECK(text->text.find("the largest weights") == std::string::npos);
    }
    d.key(Key::escape);
    d.click("room/train");
    d.key(Key::f11);
    d.settle();
    CHECK(d.has("training"));
    CHECK_FALSE(d.has("train/stage/scroll")); // no picture lies below the film
}

TEST_CASE("words of Inside grow in presenting as far as its cards need no scroll") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    Driver d(options);
    d.click("room/inside");
    d.settle_all();
    d.key(Key::f11);
    d.settle_all();
    CHECK(d.shell->ui.canvas.scale() >= 1.25f);
    CHECK_FALSE(d.has("stage/scroll"));
}

TEST_CASE("presenting, a panel slides in at its edge and goes when the pointer does") {
    Driver d;
    d.key(Key::f11);
    d.settle();
    const float w = d.shell->ui.width(), h = d.shell->ui.height();
    const ui::Box alone = picture(d);
    rest_at(d, 1, h / 2);
    CHECK(d.has("heads"));
    CHECK(d.has("room/train"));
    CHECK(picture(d).w == alone.w); // it lies over the stage
    d.click("heads");
    d.settle();
    CHECK(d.has("heads"));
    rest_at(d, w / 2, h / 2);
    CHECK_FALSE(d.has("heads"));

    rest_at(d, w - 1, h / 2);
    CHECK(d.has("scale"));
    d.click("scale");
    d.settle();
    CHECK_FALSE(d.document().controls == models::Controls{});
    rest_at(d, w / 2, h / 2);
    rest_at(d, w / 2, h - 1);
    CHECK(d.has("stages"));
    rest_at(d, w / 2, h / 2);
    rest_at(d, w / 2, 1);
    CHECK(d.has("view/0"));
    d.replace_field("source", "the dog ran"); // stays while it is typed in
    CHECK(d.document().source == "the dog ran");
    d.key(Key::escape); // leaves the field
    rest_at(d, w / 2, h / 2);
    CHECK_FALSE(d.has("source"));
    CHECK_FALSE(d.shell->wants_frame());
}

TEST_CASE("presenting in a small window, the lower edge brings the strip") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    Driver d(options);
    d.key(Key::f11);
    d.settle();
    const float w = d.shell->ui.width(), h = d.shell->ui.height();
    rest_at(d, w / 2, h / 2);
    rest_at(d, w / 2, h - 1);
    REQUIRE(d.has("stages"));
    CHECK(d.find("stages").box.y < h);
    rest_at(d, w / 2, h / 2);
    CHECK_FALSE(d.has("stages"));
}

TEST_CASE("panels are put away by their handles and by keys") {
    Driver d;
    const ui::Box before = picture(d);
    d.click("edge/left");
    d.settle();
    CHECK_FALSE(d.has("heads"));
    CHECK_FALSE(d.shell->state.layout.panels.shows_left);
    CHECK(picture(d).w > before.w + 150);
    d.click("edge/left");
    d.settle();
    CHECK(d.has("heads"));
    CHECK(picture(d).w == before.w);

    d.key(Key::right_bracket, true);
    d.settle();
    CHECK_FALSE(d.has("scale"));
    d.key(Key::right_bracket, true);
    d.settle();
    CHECK(d.has("scale"));

    const ui::Box handle = d.find("edge/bottom").box; // upon no arc or word of the picture
    CHECK(handle.y >= d.find("split/bottom").box.y + 3);
    d.click("edge/bottom");
    d.settle();
    CHECK_FALSE(d.has("stages"));
    CHECK_FALSE(d.shell->state.layout.panels.shows_bottom);
    CHECK(picture(d).h > before.h);
}

TEST_CASE("the left panel ends where the window does, but above a strip that is shown") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 800;
    Driver d(options);
    const auto bottom = [&] {
        const ui::Box box = ui::places_of(d.shell->ui, d.shell->state).of(ui::Edge::left);
        return box.y + box.h;
    };
    CHECK(bottom() == d.find("split/bottom").box.y + 3);
    d.click("edge/bottom");
    d.settle();
    CHECK(bottom() == d.shell->ui.height());
}

TEST_CASE("the panels leave a step of a decoder the room that it needs") {
    const std::string model = app::shipped_model("zh-en-bahdanau");
    for (const int width : {1024, 1044, 1060}) {
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = 700;
        Driver d(options);
        open(d, model);
        d.shell->state.view.view = app::View::step;
        d.settle();
        INFO(width);
        CHECK_FALSE(d.shows("This picture needs more room"));
    }
}

TEST_CASE("a small window puts its sides away, and a handle slides them in over the stage") {
    Driver::Options options = Driver::tiny();
    options.width = 720;
    options.height = 480;
    Driver d(options);
    CHECK_FALSE(d.has("heads"));
    CHECK_FALSE(d.has("scale"));
    CHECK(picture(d).w > 600);
    d.click("edge/right");
    rest_at(d, 500, 200);
    CHECK(d.has("scale"));
    CHECK(picture(d).w > 600);
    rest_at(d, 200, 200);
    CHECK_FALSE(d.has("scale"));
    d.resize(1280, 800, 1);
    d.settle();
    CHECK(d.has("scale")); // as it was
    CHECK(d.has("heads"));
}

TEST_CASE("Escape sends away the panel that slid in, until the pointer comes to the edge again") {
    Driver d;
    d.key(Key::f11);
    d.settle();
    const float w = d.shell->ui.width(), h = d.shell->ui.height();
    rest_at(d, 1, h / 2);
    REQUIRE(d.has("heads"));
    d.key(Key::escape);
    d.frames(20);
    CHECK_FALSE(d.has("heads")); // though the pointer is at the edge
    CHECK(d.shell->state.layout.presenting);
    rest_at(d, w / 2, h / 2);
    rest_at(d, 1, h / 2);
    CHECK(d.has("heads"));
    rest_at(d, w / 2, h / 2);
    d.key(Key::escape);
    CHECK_FALSE(d.shell->state.layout.presenting);

    d.resize(900, 600, 1); // beside a window's edge
    d.settle();
    d.click("edge/left");
    d.frames(20);
    REQUIRE(d.has("heads"));
    d.key(Key::escape);
    d.frames(20);
    CHECK_FALSE(d.has("heads"));
}

TEST_CASE("a low window has a place for the search, and its rooms keep their names") {
    Driver d;
    d.resize(720, 480, 1);
    d.settle();
    const ui::Box search = d.find("search").box, train = d.find("room/train").box;
    CHECK(search.y >= train.y + train.h);
    CHECK(d.shows("Positions"));
    CHECK(d.find("theme").box.y >= search.y + search.h);
}

TEST_CASE("the left panel of Explore is as far down as it was, after another room") {
    Driver d;
    d.resize(1280, 700, 1);
    d.settle();
    const ui::Box heads = d.find("heads").box;
    d.wheel({heads.x + 40, 400}, -6);
    const float offset = d.shell->state.explore->left_scroll.offset;
    REQUIRE(offset > 100);
    for (const char* room : {"room/softmax", "room/positions", "room/inside"}) {
        d.click(room);
        d.frames(3);
        d.click("room/explore");
        d.frames(3);
        CHECK(d.shell->state.explore->left_scroll.offset == offset);
    }
}

TEST_CASE("the cue of the heads goes while they are scrolled away") {
    Driver d;
    d.resize(1280, 700, 1);
    d.shell->state.layout.cues.head = true;
    d.shell->wake();
    d.settle();
    REQUIRE(d.has("cue/heads"));
    const ui::Box heads = d.find("heads").box;
    d.shell->state.explore->left_scroll.offset = heads.y + heads.h - 30; // below the top bar
    d.frames(3);
    CHECK_FALSE(d.has("cue/heads"));
    d.shell->state.explore->left_scroll.offset = 0;
    d.frames(3);
    CHECK(d.has("cue/heads"));
}

TEST_CASE("what is told of a whole room goes when the wheel is turned, scrolled or not") {
    Driver d;
    d.click("room/train");
    d.settle();
    const ui::Box room = d.find("training").box;
    d.hover(ui::Point{room.x + room.w / 2, room.y + 8});
    d.frames(60);
    REQUIRE(d.shell->ui.tip_shown().w > 0);
    ui::shim::turn_wheel(-1);
    d.frames(40);
    CHECK(d.shell->ui.tip_shown().w == 0);
}

TEST_CASE("each cue of the first start goes when it is followed, and for ever") {
    Driver d;
    CHECK_FALSE(d.has("cue/source"));
    d.shell->state.layout.cues = {true, true, true};
    d.shell->wake();
    d.settle();
    CHECK(d.has("cue/source"));
    CHECK(d.has("cue/heads"));
    CHECK(d.has("cue/temperature"));
    d.shell->state.view.view = app::View::lines; // no map that answers
    d.shell->wake();
    d.settle();
    CHECK_FALSE(d.has("cue/source"));
    CHECK_FALSE(d.has("cue/temperature"));
    d.shell->state.view.view = app::View::heatmap;
    d.shell->wake();
    d.settle();
    d.replace_field("source", "the dog");
    d.settle();
    CHECK_FALSE(d.has("cue/source"));
    d.click("scale");
    d.settle();
    CHECK_FALSE(d.has("cue/temperature"));
    CHECK(d.has("cue/heads"));
    d.click("cue/heads"); // clicked away
    d.settle();
    CHECK(d.shell->state.layout.cues == app::Cues{});
}

TEST_CASE("no cue of the first start covers words of the picture or of a panel") {
    const auto meet = [](const ui::Box& a, const ui::Box& b) {
        return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
    };
    const std::pair<int, int> sizes[] = {{900, 600}, {1024, 700}, {1280, 800}, {1600, 1000}};
    for (const auto& [width, height] : sizes) {
        Driver::Options options;
        options.document.model_file = app::shipped_model("en-fr-transformer");
        options.document.source = "the black cat did not eat the red apple";
        options.document.target.clear();
        options.focus.head = {trace::AttentionKind::cross, 1, 0};
        options.width = width;
        options.height = height;
        Driver d(options);
        d.shell->state.layout.cues = {true, true, true};
        d.shell->state.view.selected = {1, 2};
        d.shell->wake();
        d.settle_all();
        const ui::Canvas& canvas = d.shell->ui.canvas;
        for (const ui::Widget& cue : d.shell->ui.widgets()) {
            if (!cue.id.starts_with("cue/")) continue;
            INFO(width << " " << cue.id);
            const auto covers = [&](const ui::Box& words) { return meet(words, cue.box); };
            CHECK(std::ranges::count_if(canvas.worded(), covers) == 1); // its own
            REQUIRE_FALSE(canvas.drawn().empty());
            for (const ui::Canvas::Drawn& drawn : canvas.drawn()) {
                const auto* text = std::get_if<figure::Text>(&drawn.item);
                if (text == nullptr) continue;
                figure::Figure alone;
                alone.items.push_back(*text);
                INFO(text->text);
                CHECK_FALSE(covers(ui::placed(figure::content_box(alone),
                                              ui::Box{drawn.origin.x, drawn.origin.y, 0, 0})));
            }
        }
    }
}

TEST_CASE(
    "beside a panel that lies over the picture no cue is half under it, or strikes out words") {
    for (const char* edge : {"edge/left", "edge/right"}) {
        CAPTURE(edge);
        Driver::Options options;
        options.document.model_file = app::shipped_model("en-fr-transformer");
        options.document.source = "the black cat did not eat the red apple";
        options.document.target.clear();
        options.focus.head = {trace::AttentionKind::cross, 1, 0};
        options.view.selected = {1, 2};
        options.width = 900;
        options.height = 600;
        Driver d(options);
        d.shell->state.layout.cues = {false, true, true};
        d.shell->wake();
        d.settle_all();
        d.click(edge);
        d.settle_all();
        const bool left = std::string(edge) == "edge/left";
        constexpr float kPad = 14; // of the panel
        const ui::Box inner = d.find(left ? "heads/scroll" : "temperature").box;
        const ui::Canvas& canvas = d.shell->ui.canvas;
        for (const ui::Widget& cue : d.shell->ui.widgets()) {
            if (!cue.id.starts_with("cue/") || cue.id.ends_with("/left")) continue;
            INFO(cue.id);
            const ui::Box& box = cue.box;
            CHECK((left ? box.x >= inner.x + inner.w : box.x + box.w <= inner.x - kPad));
            const float y = box.y + box.h / 2, from = left ? inner.x + inner.w : box.x + box.w,
                        to = left ? box.x : inner.x - kPad;
            for (const ui::Canvas::Drawn& drawn : canvas.drawn()) {
                const auto* text = std::get_if<figure::Text>(&drawn.item);
                if (text == nullptr) continue;
                figure::Figure alone;
                alone.items.push_back(*text);
                const ui::Box words =
                    ui::placed(figure::content_box(alone), {drawn.origin.x, drawn.origin.y, 0, 0});
                INFO(text->text);
                const bool struck = words.y < y && y < words.y + words.h && words.x < to &&
                                    from < words.x + words.w;
                CHECK_FALSE(struck);
            }
        }
    }
}

TEST_CASE("where the heads are put away, their cue points at the way to them") {
    Driver::Options options = Driver::tiny();
    options.width = 900;
    options.height = 600;
    Driver d(options);
    d.shell->state.layout.cues = {false, true, false};
    d.shell->wake();
    d.settle();
    REQUIRE_FALSE(d.has("heads"));
    CHECK_FALSE(d.has("cue/heads"));
    if (!d.has("cue/edge/left")) return; // no room: the way to them is outlined
    d.click("cue/edge/left");
    CHECK_FALSE(d.shell->state.layout.cues.head);
}

TEST_CASE("the handle of a panel is another sign than the arrow from card to card in Stages") {
    Driver d;
    d.resize(1280, 800, 4);
    d.settle();
    for (const char* id : {"edge/left", "edge/right"}) {
        INFO(id);
        const ui::Box handle = d.find(id).box;
        int signs = 0;
        ImU32 before = d.colour_at({handle.x + 0.5f, handle.y + 4}), ground = before;
        for (float x = 0.5f; x < handle.w - 0.5f; x += 0.1f) {
            const ImU32 now = d.colour_at({handle.x + x, handle.y + handle.h / 2});
            if (now != ground && before == ground) ++signs;
            before = now;
        }
        CHECK(signs == 2);
    }
}

TEST_CASE("in a low window lines give way before names of rows do") {
    Driver::Options options = Driver::tiny();
    options.document.source = options.document.target = "a b c d e f g h i j k l m n o p q r";
    options.width = 900;
    options.height = 600;
    Driver d(options);
    CHECK_FALSE(d.has("links"));
    d.resize(1280, 800, 1);
    d.settle();
    CHECK(d.has("links"));
}

TEST_CASE("what there is to say of a run leaves the map where it is") {
    Driver::Options options = Driver::tiny();
    options.document.source = "the cat sat";
    Driver d(options);
    const ui::Point before = d.cell(0, 0);
    std::string words = "the cat sat";
    for (int i = 0; i < 3000; ++i) words += " on";
    d.replace_field("source", words);
    d.replace_field("source", "the cat sat");
    const ui::Point back = d.cell(0, 0);
    CHECK(back.x == before.x);
    app::Document failing = d.document();
    failing.model_file = "/nowhere.safetensors";
    d.shell->work.apply(ui::ChangeDocument{failing, {}, "test", true});
    d.settle();
    REQUIRE(d.snapshot().error);
    CHECK(d.cell(0, 0).y == before.y);
}

TEST_CASE("heads are kept one after the other by Shift+click, and the grid stays") {
    Driver::Options options = Driver::tiny();
    options.view.view = app::View::heads;
    Driver d(options);
    const auto thumbnail = [&](int head) {
        const ui::Box place = d.find("picture").box;
        for (const figure::Target& t : d.picture().targets) {
            if (t.tag == figure::Tag(figure::tag::Head{0, head})) {
                return ui::Point{place.x + t.box.x + t.box.w / 2, place.y + t.box.y + t.box.h / 2};
            }
        }
        FAIL("no such thumbnail");
        return ui::Point{};
    };
    const ui::Point second = thumbnail(1);
    ui::shim::set_modifiers(false, true);
    d.click(thumbnail(0));
    CHECK(thumbnail(1).x == second.x);
    CHECK(thumbnail(1).y == second.y);
    d.click(second);
    CHECK(d.shell->state.view.slots.size() == 2);
    CHECK(d.snapshot().slots.empty());
    ui::shim::set_modifiers(false, false);
    d.frames(2);
    d.settle();
    // Shift let go in between moves nothing below the pointer either.
    const ui::Point third = thumbnail(2);
    CHECK(d.snapshot().slots.empty());
    CHECK(thumbnail(1).x == second.x);
    CHECK(thumbnail(1).y == second.y);
    ui::shim::set_modifiers(false, true);
    d.click(third);
    ui::shim::set_modifiers(false, false);
    d.frames(2);
    d.settle();
    CHECK(d.shell->state.view.slots.size() == 3);
    CHECK(d.snapshot().slots.empty());
    CHECK(thumbnail(1).y == second.y);
    CHECK(d.shows("Shown large once the pointer leaves the grid"));
    d.hover(ui::Point{-100, -100});
    d.settle();
    CHECK(d.snapshot().slots.size() == 3);
}

TEST_CASE("in a small window the picture has the height, and nothing lies upon its words") {
    for (const auto& [width, height] : {std::pair(900, 600), {1024, 640}}) {
        INFO(width << " × " << height);
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = height;
        options.focus.head = {trace::AttentionKind::cross, 0, 0};
        options.view.view = app::View::flow; // has nothing to show of it
        Driver d(options);
        CHECK_FALSE(d.has("stages")); // their names would be cut
        CHECK(picture(d).h > static_cast<float>(height) * 0.85f - 48);
        const ui::Box button = d.find("flow/encoder").box, at = picture(d);
        const figure::Box words = figure::content_box(d.picture());
        CHECK(button.y >= at.y + words.y + words.h);
        CHECK(button.y + button.h < at.y + at.h);
        d.click("edge/bottom");
        rest_at(d, 400, static_cast<float>(height) - 30);
        REQUIRE(d.has("stages"));
        CHECK(d.find("stages").box.w > 800);
    }
}

TEST_CASE("titles and what is said below them keep their place from tab to tab") {
    for (const auto& [width, height] : {std::pair(1280, 800), {1600, 1000}, {1024, 640}}) {
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = height;
        Driver d(options);
        std::optional<figure::Point> title;
        std::optional<float> reading;
        for (const app::View view : app::kExploreViews) {
            d.shell->state.view.view = view;
            d.shell->wake();
            d.settle_all();
            if (d.shell->state.view.view != view) continue; // there is none of this model
            INFO(app::info(view).name << " in " << width << " × " << height);
            const std::string words = app::reading(d.snapshot(), d.shell->state.view);
            const figure::Figure picture = d.picture();
            const figure::Text* first = nullptr;
            const figure::Text* said = nullptr;
            for (const figure::Primitive& item : picture.items) {
                const auto* text = std::get_if<figure::Text>(&item);
                if (text == nullptr) continue;
                if (!first && text->style.weight == figure::Weight::bold) first = text;
                const std::string begin = text->text.substr(0, 12);
                if (!said && begin.size() == 12 && words.starts_with(begin)) said = text;
            }
            REQUIRE(first);
            if (!title) title = first->at;
            CHECK(first->at == *title);
            if (!said || width < 1280) continue; // where some subtitles need two lines
            if (!reading) reading = said->at.y;
            CHECK(said->at.y == *reading);
        }
        CHECK((reading || width < 1280));
    }
}

TEST_CASE("what the model says without the head is told in small windows too") {
    for (const auto& [width, height] : {std::pair(900, 600), {1024, 700}, {1280, 800}}) {
        for (const bool presents : {false, true}) {
            INFO(width << " × " << height << ' ' << presents);
            Driver::Options options;
            options.document.model_file = app::shipped_model("en-fr-transformer");
            options.document.source = "the black cat did not eat the red apple";
            options.document.target.clear();
            options.focus.head = {trace::AttentionKind::cross, 1, 0};
            options.width = width;
            options.height = height;
            Driver d(options);
            d.shell->state.view.selected = {1, 2};
            d.shell->state.layout.presenting = presents;
            d.shell->wake();
            d.settle_all();
            std::string said;
            const figure::Figure picture = d.picture();
            for (const figure::Primitive& item : picture.items) {
                if (const auto* text = std::get_if<figure::Text>(&item)) said += text->text + " ";
            }
            INFO(said);
            CHECK(said.find("Without this head: ") != std::string::npos);
        }
    }
}

TEST_CASE("the next word follows the chosen row") {
    Driver::Options options;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat sleeps";
    options.document.target.clear();
    options.focus.head = {trace::AttentionKind::cross, 1, 0};
    Driver d(options);
    d.shell->state.view.selected = {1, 1};
    d.shell->wake();
    d.settle();
    REQUIRE(d.snapshot().run->trace.target.size() > 3);
    const std::string said = d.snapshot().run->trace.target[2].text;
    INFO(d.screen());
    CHECK(d.find("next/" + std::to_string(d.snapshot().run->model->vocabulary_row(said))).label ==
          said);
    CHECK(d.shows(d.snapshot().run->trace.target[1].text)); // after which it comes
}

TEST_CASE("a score that the model was not trained with says so") {
    Driver::Options options;
    options.document.model_file = app::shipped_model("zh-en-bahdanau");
    options.document.source = "我 昨天 吃 了 一个 苹果";
    options.focus.head = {trace::AttentionKind::cross, 0, 0};
    Driver d(options);
    d.settle_all();
    CHECK(d.shows("Trained with additive only"));
    const figure::Box gallery = d.find("gallery").box; // its third row's first: bilinear
    d.hover(figure::Point{gallery.x + gallery.w * 0.5f, gallery.y + gallery.h * 0.5f});
    CHECK(d.shows("q W kᵀ"));
}

namespace {

/// A translation in a small window, one head of its cross-attention.
Driver::Options translation_in_small_window() {
    Driver::Options options;
    options.width = 1280;
    options.height = 800;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat did not eat the red apple";
    options.focus.head = {trace::AttentionKind::cross, 1, 0};
    return options;
}

} // namespace

TEST_CASE("what went well is said where it covers nothing, in every view and room") {
    const Driver::Options options = translation_in_small_window();
    for (const bool presenting : {false, true}) {
        Driver d(options);
        d.settle_all();
        if (presenting) d.key(Key::f11);
        for (const app::ViewInfo& view : app::kViews) {
            const bool no_stage = view.view == app::View::train || view.view == app::View::picture;
            if (no_stage || !app::fits(view.view, d.snapshot().run->model->config())) continue;
            CAPTURE(view.name, presenting);
            d.shell->state.view.view = view.view;
            d.shell->work.notice = {};
            d.settle_all();
            const auto worded = d.shell->ui.canvas.worded(); // without the notice
            d.shell->work.notice = {"Opened English → français · transformer", false};
            d.frames(2);
            REQUIRE(d.shows("Opened English → français · transformer"));
            if (view.view == app::View::learn) {
                continue; // it has a place below the page
            }
            const ui::Box note = d.find("notice").box;
            for (const ui::Box& words : worded) CHECK_FALSE(ui::meet(words, note));
            for (const auto& drawn : d.shell->ui.canvas.drawn()) {
                const auto* text = std::get_if<figure::Text>(&drawn.item);
                if (!text) continue;
                figure::Figure alone;
                alone.items.push_back(*text);
                const ui::Box box = figure::content_box(alone);
                INFO(text->text);
                CHECK_FALSE(
                    ui::meet({drawn.origin.x + box.x, drawn.origin.y + box.y, box.w, box.h}, note));
            }
        }
    }
}

TEST_CASE("where a file was written is said over no map, if need be without its folders") {
    Driver d(translation_in_small_window());
    d.settle_all();
    const std::string name = "/heed-en-fr-transformer-cross-heads.png";
    for (const app::View view : {app::View::heads, app::View::heatmap, app::View::stages}) {
        CAPTURE(view);
        d.shell->state.view.view = view;
        d.settle_all();
        d.shell->work.notice = {"Saved /home/someone/pictures/of-attention" + name, false};
        d.frames(2);
        CHECK(d.shows(name));
        const ui::Box note = d.find("notice").box;
        for (const auto& drawn : d.shell->ui.canvas.drawn()) {
            const auto* cells = std::get_if<figure::Box>(&drawn.item);
            if (!cells) continue;
            CHECK_FALSE(ui::meet(
                {drawn.origin.x + cells->x, drawn.origin.y + cells->y, cells->w, cells->h}, note));
        }
    }
}

TEST_CASE(
    "what went well is said for a while, what went wrong until it is closed or the next act") {
    Driver d;
    d.shell->work.notice = {"Saved it", false};
    d.frames(60);
    CHECK(d.shows("Saved it"));
    d.frames(11 * 60);
    CHECK_FALSE(d.shows("Saved it"));
    d.shell->work.notice = {"That failed", true};
    d.frames(40 * 60);
    CHECK(d.shows("That failed"));
    d.click("scale");
    CHECK_FALSE(d.shows("That failed"));
    for (const char* room : {"room/explore", "room/train", "room/learn"}) {
        CAPTURE(room);
        d.click(room);
        d.frames(3);
        d.shell->work.notice = {"That failed", true};
        d.frames(3);
        REQUIRE(d.shows("That failed"));
        d.click("That failed"); // a click on it closes it
        CHECK_FALSE(d.shows("That failed"));
        d.shell->work.notice = {"That failed", true};
        d.frames(3);
        d.key(Key::escape);
        CHECK_FALSE(d.shows("That failed"));
    }
}

TEST_CASE("the command palette has a place to be clicked") {
    Driver d;
    d.click("search");
    CHECK(d.has("search/field"));
}

TEST_CASE("comparing from another view shows the heat map") {
    Driver d;
    d.key(Key::two);
    d.settle();
    d.click("compare/side by side");
    d.settle();
    CHECK(d.shell->state.view.view == app::View::heatmap);
    CHECK(d.shell->state.view.compare == app::Compare::beside);
}

namespace {

/// Calls `see` with the colour, the lower and the upper corner of every box that is drawn.
template <class See> void each_drawn_box(const See& see) {
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int k = 0; k < drawn.CmdListsCount; ++k) {
        const auto& corners = drawn.CmdLists[k]->VtxBuffer;
        for (int i = 0; i + 2 < corners.Size; ++i) { // of a box, one after another
            const ImDrawVert &low = corners[i], &high = corners[i + 2];
            if (low.col == high.col) see(low.col, low.pos, high.pos);
        }
    }
}

/// True where something that steps back towards this ground lies over this point.
bool steps_back_at(Driver& d, ui::Point at, std::optional<figure::Color> ground = {}) {
    const figure::Color panel = d.shell->ui.theme().panel;
    const ImU32 veil = ui::packed(figure::faded(ground.value_or(panel), 0.62f));
    bool found = false;
    each_drawn_box([&](ImU32 color, ImVec2 low, ImVec2 high) {
        found |=
            color == veil && low.x <= at.x && at.x <= high.x && low.y <= at.y && at.y <= high.y;
    });
    return found;
}

/// How far the bar of a key that is not chosen reaches; 0: there is none.
float bar_of(Driver& d, int key) {
    const ui::Box row = d.find("row/" + std::to_string(key)).box;
    const ImU32 ink = ui::packed(d.shell->ui.theme().accent);
    float left = 1e9f, right = 0;
    const ImDrawData& drawn = *ImGui::GetDrawData();
    for (int k = 0; k < drawn.CmdListsCount; ++k) {
        for (const ImDrawVert& corner : drawn.CmdLists[k]->VtxBuffer) {
            const bool inside = corner.pos.x >= row.x && corner.pos.x <= row.x + row.w &&
                                corner.pos.y > row.y && corner.pos.y < row.y + row.h;
            if (corner.col != ink || !inside) continue;
            left = std::min(left, corner.pos.x);
            right = std::max(right, corner.pos.x);
        }
    }
    return right > left ? right - left : 0;
}

} // namespace

TEST_CASE("bars of a row are shares of one, and a masked key has none") {
    Driver d;
    d.shell->state.view.selected = {1, 3};
    d.settle();
    const auto weights = [&] {
        const auto map = d.snapshot().run->trace.map(d.snapshot().focus.head);
        std::vector<float> row;
        for (int key = 0; key < 2; ++key) row.push_back(map->cell(1, key).weight);
        return row;
    };
    d.click("mask/causal");
    d.settle();
    CHECK(d.shows("\u2013"));
    const auto causal = weights();
    const float first = bar_of(d, 0), second = bar_of(d, 1);
    REQUIRE(causal[0] > 0.02f);
    REQUIRE(causal[1] > 0.02f);
    CHECK(first / second == Approx(causal[0] / causal[1]).epsilon(0.1));
    CHECK(bar_of(d, 2) == 0); // masked
    d.shell->state.view.selected = {0, 3};
    d.settle();
    CHECK(bar_of(d, 0) == Approx(first / causal[0]).epsilon(0.1)); // a weight of 1 has all of it
    CHECK(bar_of(d, 1) == 0);
}

namespace {

ui::Point middle_of(Driver& d, const char* widget) {
    const ui::Box box = d.find(widget).box;
    return {box.x + box.w / 2, box.y + box.h / 2};
}

} // namespace

TEST_CASE("numbers of a run before an empty source step back, and controls do not") {
    Driver::Options options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat";
    options.document.target.clear();
    Driver d(options);
    const auto empty_source = [&](bool empty) {
        d.replace_field("source", empty ? "" : "the black cat");
        d.key(Key::escape);
        d.settle_all();
    };
    for (const bool empty : {false, true}) {
        empty_source(empty);
        CHECK(steps_back_at(d, middle_of(d, "label/Entropy")) == empty);
        CHECK(steps_back_at(d, middle_of(d, "outcome")) == empty);
        CHECK(steps_back_at(d, middle_of(d, "picture"), d.shell->ui.theme().ground) == empty);
        CHECK_FALSE(steps_back_at(d, middle_of(d, "head/gain")));
    }
    empty_source(false);
    d.click("room/inside");
    d.settle_all();
    for (const bool empty : {false, true}) {
        empty_source(empty);
        CHECK(steps_back_at(d, middle_of(d, "inside/heading/Next word")) == empty);
        CHECK(steps_back_at(d, middle_of(d, "inside/score/previous")) == empty);
    }
    d.click("room/positions"); // which need no sentence
    d.settle_all();
    CHECK_FALSE(d.shows("of the last state that ran"));
}

TEST_CASE("a step of a run before an empty source steps back, and its player does not") {
    Driver::Options options = Driver::tiny();
    options.width = 1280;
    options.height = 1600; // nothing has to be scrolled to
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("en-fr-bahdanau");
    options.document.source = "the black cat";
    options.document.target.clear();
    Driver d(options);
    d.settle_all();
    for (const bool empty : {false, true}) {
        d.replace_field("source", empty ? "" : "the black cat");
        d.key(Key::escape);
        d.settle_all();
        CHECK(steps_back_at(d, middle_of(d, "say/0")) == empty);
        const ui::Box speed = d.find("step/speed").box; // in the line of the step's word
        CHECK(steps_back_at(d, {speed.x - 60, speed.y + speed.h / 2}) == empty);
        CHECK_FALSE(steps_back_at(d, middle_of(d, "step/play")));
    }
}

TEST_CASE("while a state takes its time, the picture before it steps back and says what it is of") {
    Driver::Options options = Driver::tiny();
    models::spec_of(options.document.model)->d_model = 512;
    options.document.source = "one two three";
    Driver d(options);
    app::Document other = d.document();
    other.source.clear();
    for (int i = 0; i < 1500; ++i) other.source += "word ";
    d.shell->work.apply(ui::ChangeDocument{other, {}, "typed", true});
    bool told = false, dimmed = false;
    for (int i = 0; i < 60 && !d.shell->work.up_to_date(); ++i) {
        d.frame();
        told = told || d.shows("The pictures are still of");
        dimmed = dimmed || steps_back_at(d, middle_of(d, "picture"), d.shell->ui.theme().ground);
    }
    CHECK(told);
    CHECK(dimmed);
    d.settle();
    CHECK_FALSE(steps_back_at(d, middle_of(d, "picture"), d.shell->ui.theme().ground));
    CHECK_FALSE(d.shows("The pictures are still of"));
}

TEST_CASE("what a file would hold is seen as it will be, of the last sentence that ran, too") {
    Driver::Options options = Driver::tiny();
    options.document.source = "the black cat";
    options.document.target.clear();
    Driver d(options);
    d.replace_field("source", "");
    d.key(Key::escape);
    d.settle_all();
    REQUIRE(d.snapshot().error);
    d.key(Key::e, true);
    d.frames(3);
    const figure::Color white{255, 255, 255}; // the file's ground
    CHECK_FALSE(steps_back_at(d, middle_of(d, "export/preview"), white));
}

TEST_CASE(
    "a second notice does not hide the first: each is said, what went wrong before the rest") {
    Driver d;
    d.settle();
    d.shell->work.notice = {"That failed", true};
    d.shell->work.tell({"Saved it", false});
    d.frames(3);
    CHECK(d.shows("That failed"));
    CHECK_FALSE(d.shows("Saved it"));
    d.click("notice"); // read
    d.frames(3);
    CHECK(d.shows("Saved it"));
    d.shell->work.tell({"That failed, too", true});
    d.frames(3);
    CHECK(d.shows("That failed, too"));
    d.click("notice");
    d.frames(3);
    CHECK(d.shows("Saved it"));
    d.shell->work.tell({"Saved that, too", false});
    d.shell->work.tell({"And that", false});
    d.shell->work.apply(ui::ChangeFocus{d.shell->work.focus()}); // the next act
    d.frames(3);
    CHECK_FALSE(d.shows("Saved it"));
    CHECK_FALSE(d.shows("Saved that, too"));
}

TEST_CASE("a narrow window gives its width to the stage, and a lesson the panel that it needs") {
    Driver::Options options = Driver::tiny();
    options.width = 900;
    options.height = 600;
    Driver d(options);
    CHECK(picture(d).w > 800);
    REQUIRE(d.has("edge/left"));
    REQUIRE(d.has("edge/right"));
    CHECK(d.shows("Controls"));
    d.click("edge/right"); // which slides over the stage
    d.frames(30);
    CHECK(d.has("scale"));
    CHECK(picture(d).w > 800);
    d.resize(1024, 700, 1);
    d.settle();
    CHECK(picture(d).w < 800); // there is room for one of them
}
