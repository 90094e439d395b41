// The window's content under a person's hands, without a window.
#include "app/files/shipped_models.hpp"
#include "app/small_document.hpp"
#include "app/views/view_figure.hpp"
#include "lab/number_words.hpp"
#include "ui/driver.hpp"
#include "ui/window/zoom.hpp"

#include "catch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

using namespace heed;
using ui::Widget;
using ui::shim::Key;
using ui::test::Driver;
using ScaleKind = models::Scale::Kind;

namespace {

models::Scope head_scope(const Driver& d) {
    return ui::scope_of(ui::ApplyTo::head, d.shell->work.focus().head);
}

figure::Point cell(Driver& d, int row, int col) { return d.cell(row, col); }

} // namespace

TEST_CASE("the window is zoomed no further than words fit into it") {
    CHECK(ui::largest_zoom(1280, 800, 1) == 2.5f);
    CHECK(ui::largest_zoom(2560, 1600, 2) == 2.5f);
    CHECK(ui::largest_zoom(400, 300, 1) == 1); // too small as it is
    CHECK(ui::zoomed(1, 1, 4) == 1.1f);
    CHECK(ui::zoomed(1.25f, 1, 1.4f) == 1.25f);
    CHECK(ui::zoomed(2, -1, 1.4f) == 1.25f); // of what is seen
    CHECK(ui::zoomed(2, 1, 1.4f) == 2);      // wanted still, in a larger window
    CHECK(ui::zoomed(1, -9, 1.4f) == 0.5f);
    CHECK(ui::zoomed(2.5f, 2000, 4) == 1);
}

TEST_CASE("in the lowest window the rooms lie above the other signs of the rail") {
    for (const int height : {320, 400, 480, 800}) {
        INFO(height);
        Driver::Options options;
        options.width = 512;
        options.height = height;
        Driver d(options);
        d.settle();
        const auto train = d.find("room/train").box, theme = d.find("theme").box;
        CHECK(train.y + train.h <= theme.y);
        CHECK(train.h >= 24);
        CHECK(d.shows("Train") == (height >= 480));
    }
}

TEST_CASE("the first frame shows the sentence, its heads and their stages") {
    Driver d;
    CHECK(d.shows("because"));
    CHECK(d.shows("Encoder layer 1 \u00b7 head 1"));
    CHECK(d.shows("heed"));
    CHECK(d.find("source").text == d.document().source);
    // Eight thumbnails, the large map, the stages of the strip.
    CHECK(d.renderer.jobs.size() >= 8 + 1 + 8);
}

TEST_CASE("every widget has a label and an id of its own, and lies inside the window") {
    Driver d;
    for (const char* card : {"", "export", "keys", "model", "score"}) {
        if (*card != 0) d.click(card);
        std::set<std::string> ids;
        for (const Widget& w : d.shell->ui.widgets()) {
            INFO(w.id);
            CHECK_FALSE(w.label.empty());
            CHECK(ids.insert(w.id).second);
            CHECK(w.box.x >= -1);
            CHECK(w.box.x + w.box.w <= d.shell->ui.width() + 1);
        }
        d.key(Key::escape);
    }
}

TEST_CASE("every view and every kind of attention can be drawn") {
    Driver d;
    for (const char* kind : {"kind/Encoder", "kind/Decoder", "kind/Cross"}) {
        d.click(kind);
        for (const char* view :
             {"view/Lines", "view/Heads", "view/Neurons", "view/Flow", "view/Stages",
              "room/positions", "room/softmax", "room/explore", "view/Heatmap"}) {
            INFO(kind << " " << view);
            d.click(view);
            CHECK(d.find(view).on);
        }
    }
    d.click("theme");
    CHECK(d.shell->ui.theme().dark);
}

TEST_CASE("typed characters reach the model as they are typed") {
    Driver d;
    d.click("source");
    d.key(Key::end);
    d.type(" again");
    CHECK(d.document().source == "The cat sat on the mat because it was tired again");
    CHECK(d.snapshot().run->trace.source.back().text == "again");
    CHECK(d.shows("again"));
    // A word is one step back, not five.
    d.key(Key::escape);
    d.key(Key::z, true);
    CHECK(d.document().source == "The cat sat on the mat because it was tired");
    d.key(Key::z, true, true);
    CHECK(d.document().source.ends_with("again"));
}

TEST_CASE("letters that no font has are told once, until there are others") {
    Driver d;
    d.click("source");
    d.key(Key::end);
    d.paste(" \U0010ABCD");
    CHECK(d.shell->work.notice.text.find("U+10ABCD") != std::string::npos);
    d.type("s");
    CHECK(d.shell->work.notice.text.empty());
    d.paste("\U000F1234");
    CHECK(d.shell->work.notice.text.find("U+F1234") != std::string::npos);
}

TEST_CASE("Chinese typed over a selection becomes tokens") {
    Driver d;
    d.click("source");
    d.key(Key::a, true);
    d.type("\u6211\u7231\u5317\u4eac");
    CHECK(d.document().source == "\u6211\u7231\u5317\u4eac");
    const auto& tokens = d.snapshot().run->trace.source;
    REQUIRE(tokens.size() == 3);
    CHECK(tokens[2].text == "\u5317\u4eac");
}

TEST_CASE("what 16 bits cannot hold is pasted, typed and copied without loss") {
    Driver d;
    const std::string text = "\u6211 \U0001F600 \U00020BB7 \uE000";
    d.replace_field("source", text);
    CHECK(d.document().source == text);
    d.shell->ui.type_astral(U'\U0001F680');
    d.frames(3);
    d.settle();
    CHECK(d.document().source == text + "\U0001F680");
    d.key(Key::a, true);
    d.key(Key::c, true);
    CHECK(d.clipboard == text + "\U0001F680");
}

TEST_CASE("no frame shows a field whose letters are not built") {
    Driver d;
    d.replace_field("source", "\u6211\u7231\u5317\u4eac");
    d.type("\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35");
    d.paste("\U0001F600");
    d.key(Key::z, true);
    d.click("model");
    d.replace_field("model/file", "/tmp/\u0434\u043e\u043c/\u05d1\u05d9\u05ea");
    CHECK_FALSE(d.lacking);
}

TEST_CASE("undo reaches a sentence while it is edited") {
    Driver d;
    d.replace_field("target", "Eins zwei");
    d.key(Key::z, true);
    CHECK(d.document().target == "Le chat s'est assis sur le tapis");
    CHECK(d.find("target").text == "Le chat s'est assis sur le tapis");
}

TEST_CASE("each sentence that was pasted over another one is a step back") {
    Driver d;
    const std::string start = d.document().source;
    for (const char* sentence : {"the dog ran", "one two three", "a third"}) {
        d.replace_field("source", sentence);
    }
    d.key(Key::z, true);
    CHECK(d.document().source == "one two three");
    d.key(Key::z, true);
    CHECK(d.document().source == "the dog ran");
    d.key(Key::z, true);
    CHECK(d.document().source == start);
    d.key(Key::z, true, true);
    CHECK(d.document().source == "the dog ran");
}

TEST_CASE("a sentence that is gone on with after a second is a step back of its own") {
    Driver d;
    const std::string start = d.document().source;
    d.click("source");
    d.key(Key::end);
    for (const char* letter : {" ", "n", "o", "w"}) d.type(letter);
    d.frames(70); // a sixtieth of a second each
    for (const char* letter : {" ", "o", "n"}) d.type(letter);
    CHECK(d.document().source == start + " now on");
    d.key(Key::z, true);
    CHECK(d.document().source == start + " now");
    d.key(Key::z, true);
    CHECK(d.document().source == start);
}

TEST_CASE("undo never stops inside a word, however slowly or at once its letters came") {
    Driver d;
    const std::string start = d.document().source;
    d.click("source");
    d.key(Key::end);
    for (const char* letter : {" ", "n", "o"}) d.type(letter);
    d.frames(70);
    d.type("tabl");
    d.frames(70);
    ui::shim::type_text("enough"); // in one frame
    d.frames(3);
    d.settle();
    CHECK(d.document().source == start + " notablenough");
    d.key(Key::z, true);
    CHECK(d.document().source == start);
    d.key(Key::z, true, true);
    CHECK(d.document().source == start + " notablenough");
}

TEST_CASE("undo takes words back one by one, however many letters came in a frame") {
    for (const std::size_t at_once : {1u, 2u, 3u, 4u, 7u, 20u}) {
        CAPTURE(at_once);
        Driver d;
        const std::string start = d.document().source, typed = " a small dog";
        d.click("source");
        d.key(Key::end);
        for (std::size_t at = 0; at < typed.size(); at += at_once) {
            ui::shim::type_text(typed.substr(at, at_once));
            d.frames(1);
        }
        d.frames(3);
        d.settle();
        REQUIRE(d.document().source == start + typed);
        for (const char* left : {" a small ", " a ", ""}) {
            d.key(Key::z, true);
            CHECK(d.document().source == start + left);
        }
    }
}

TEST_CASE("undo stops at no letter of a word whose rest came with others in a slow frame") {
    Driver d;
    const std::string start = d.document().source;
    d.click("source");
    d.key(Key::end);
    for (const char* letters : {" a sm", "all dog ran", "s"}) {
        ui::shim::type_text(letters);
        d.frames(80); // more than a second
    }
    d.settle();
    REQUIRE(d.document().source == start + " a small dog rans");
    for (int i = 0; i < 5 && d.document().source != start; ++i) {
        d.key(Key::z, true);
        const std::string& now = d.document().source;
        const std::string left = now.size() > start.size() ? now.substr(start.size()) : "";
        CAPTURE(left);
        CHECK((left.empty() || left.ends_with(' ')));
    }
    CHECK(d.document().source == start);
}

TEST_CASE("several words that are pasted are one step back") {
    Driver d;
    const std::string start = d.document().source;
    d.click("source");
    d.key(Key::end);
    d.paste(" and a small dog");
    REQUIRE(d.document().source == start + " and a small dog");
    d.key(Key::z, true);
    CHECK(d.document().source == start);
}

TEST_CASE("undo in an edited field goes on where the field has nothing left to take back") {
    Driver d;
    const std::string source = d.document().source, target = d.document().target;
    const auto first = d.document().controls;
    d.click("scale");
    const auto controls = d.document().controls;
    d.replace_field("source", "one two");
    d.replace_field("target", "Eins zwei");
    d.key(Key::z, true);
    CHECK(d.document().target == target);
    CHECK(d.shell->work.notice.text.empty()); // it is seen in the field
    d.key(Key::z, true);                      // the source is another field's
    CHECK(d.document().source == source);
    CHECK(d.shell->work.notice.text.starts_with("Undone: "));
    d.key(Key::z, true); // the switch is no field's
    CHECK_FALSE(d.document().controls == controls);
    CHECK(d.document().controls == first);
    CHECK(d.shell->work.notice.text.starts_with("Undone: "));
    CHECK(d.shell->ui.edits("target"));
    d.key(Key::z, true, true);
    CHECK(d.document().controls == controls);
    CHECK(d.shell->work.notice.text.starts_with("Redone: "));
    d.key(Key::z, true, true);
    CHECK(d.document().source == "one two");
    d.key(Key::z, true, true);
    CHECK(d.document().target == "Eins zwei");
}

TEST_CASE("Escape leaves a field and keeps what was typed") {
    Driver d;
    d.replace_field("source", "one two");
    d.key(Key::escape);
    CHECK(d.document().source == "one two");
    CHECK_FALSE(d.shell->ui.typing());
}

TEST_CASE("the scale switch changes the chosen head alone") {
    Driver d;
    const auto before = *d.snapshot().map;
    d.click("scale");
    const auto controls = d.document().controls.at(head_scope(d));
    REQUIRE(controls.scale);
    CHECK(controls.scale->kind == ScaleKind::off);
    CHECK((*d.snapshot().map - before).cwiseAbs().maxCoeff() > 0.01f);
    CHECK(d.shows("scale off"));
    d.key(Key::z, true);
    CHECK(d.document().controls.scoped.empty());
    CHECK((*d.snapshot().map - before).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("controls hold where they are applied") {
    Driver d;
    d.click("apply/model");
    d.click("scale");
    CHECK(d.document().controls.at({}).scale.has_value());
    d.click("apply/layer");
    d.click("positions/RoPE");
    models::Scope layer;
    layer.kind = trace::AttentionKind::encoder_self;
    layer.layer = 0;
    CHECK(d.document().controls.at(layer).positions == nn::Positions::rotary);
    d.click("apply/all encoder heads");
    d.click("mask/causal");
    models::Scope kind;
    kind.kind = trace::AttentionKind::encoder_self;
    REQUIRE(d.document().controls.at(kind).mask);
    CHECK(d.document().controls.at(kind).mask->causal);
    CHECK((*d.snapshot().map)(0, 1) == 0);
    d.click("reset");
    CHECK_FALSE(d.document().controls.at(kind).mask);
}

TEST_CASE("masks are switched one by one and intersect") {
    Driver d;
    d.click("mask/causal");
    d.click("mask/window");
    auto mask = d.document().controls.at(head_scope(d)).mask;
    REQUIRE(mask);
    CHECK(mask->causal);
    CHECK(mask->window == 2);
    CHECK((*d.snapshot().map)(5, 2) == 0);
    CHECK((*d.snapshot().map)(5, 3) > 0);
    CHECK((*d.snapshot().map)(5, 6) == 0);
    d.click("mask/none");
    CHECK_FALSE(d.document().controls.at(head_scope(d)).mask); // as it was: no change is left
    CHECK((*d.snapshot().map)(5, 6) > 0);
}

TEST_CASE("a painted cell receives no weight") {
    Driver d;
    d.click("mask/paint");
    d.click(cell(d, 2, 4));
    CHECK((*d.snapshot().map)(2, 4) == 0);
    d.click(cell(d, 2, 4));
    CHECK((*d.snapshot().map)(2, 4) > 0);
}

TEST_CASE("a painted cell that the sentence lost is let go and told, and is back after Undo") {
    Driver d;
    d.click("mask/paint");
    d.click(cell(d, 9, 4));
    CHECK_FALSE(d.shows("was removed"));
    d.replace_field("source", "The cat sat");
    CHECK(d.shows("1 painted cell was removed"));
    d.key(Key::escape);
    d.key(Key::z, true);
    CHECK_FALSE(d.shows("was removed"));
    CHECK((*d.snapshot().map)(9, 4) == 0);
}

TEST_CASE("a painted cell that the sentence never had is told, as people count") {
    Driver d;
    app::Document document = d.document();
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    controls.mask->painted = {{9, 4}};
    document.controls.set({trace::AttentionKind::encoder_self, 0, 0}, controls);
    document.source = "The cat sat"; // as a session file may have it
    d.shell->work.apply(ui::ChangeDocument{document, {}, "opened", true});
    d.settle();
    CHECK(d.shows("the painted cell 10:5 lies outside"));
}

TEST_CASE("the brush is let go with the head that it was taken up for, and by Escape") {
    Driver d;
    d.click("mask/paint");
    CHECK(d.shell->state.choices.painting);
    d.key(Key::right_bracket);
    CHECK_FALSE(d.shell->state.choices.painting);
    CHECK_FALSE(d.find("mask/paint").on);
    d.click(cell(d, 2, 4)); // chooses the cell and paints nothing
    CHECK(d.document().controls.scoped.empty());
    d.click("mask/paint");
    d.click("view/Lines");
    CHECK_FALSE(d.shell->state.choices.painting);
    d.click("mask/paint");
    CHECK(d.shell->state.choices.painting);
    d.key(Key::escape);
    CHECK_FALSE(d.shell->state.choices.painting);
}

TEST_CASE("a head is named with its attention in heading and changes") {
    Driver d;
    for (const auto& [tab, name] :
         {std::pair("kind/Encoder", "encoder"), std::pair("kind/Decoder", "decoder"),
          std::pair("kind/Cross", "cross")}) {
        d.click(tab);
        d.click("scale");
        CHECK(d.shows(fmt::format("Controls \u00b7 {} 1.1", name)));
        CHECK(d.shows(fmt::format("{} 1.1: scale off", name)));
        d.click("head/mute");
        CHECK(d.shows(fmt::format("{} 1.1: head switched off", name)));
    }
}

TEST_CASE("a smaller model drops the controls of heads that it lacks, and undo brings them back") {
    auto options = Driver::tiny();
    options.focus.head.layer = 1;
    options.focus.head.head = 3;
    Driver d(options);
    d.click("scale");
    const models::Scope scope = head_scope(d);
    REQUIRE(d.document().controls.at(scope).scale);
    d.click("model");
    d.click("model/layers/less");
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().controls.scoped.empty());
    d.key(Key::escape);
    d.key(Key::z, true);
    CHECK(d.document().controls.at(scope).scale);
    CHECK_FALSE(d.snapshot().error);
    d.click("model");
    d.click("model/form/decoder");
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.document().controls.scoped.empty());
}

TEST_CASE("an undo that brings back another model says so") {
    Driver d;
    const std::string before = d.document().model_file;
    d.shell->open_file(app::shipped_model("reverse"));
    while (d.shell->busy_with_files()) d.frames(1);
    d.settle();
    REQUIRE(d.document().model_file != before);
    d.key(Key::z, true);
    CHECK(d.document().model_file == before);
    CHECK(d.shell->work.notice.text.starts_with("Undone: model "));
    d.key(Key::y, true);
    CHECK(d.document().model_file != before);
    CHECK(d.shell->work.notice.text.starts_with("Redone: model "));
}

TEST_CASE("dragging a slider is one step of the history") {
    Driver d;
    const figure::Box slider = d.find("temperature").box;
    const float y = slider.y + slider.h / 2;
    d.drag({slider.x + slider.w / 2, y}, {slider.x + slider.w * 0.8f, y});
    const auto temperature = d.document().controls.at(head_scope(d)).temperature;
    REQUIRE(temperature);
    CHECK(*temperature > 2);
    CHECK(d.shell->work.history().at() == 1);
    d.double_click("temperature");
    CHECK_FALSE(d.document().controls.at(head_scope(d)).temperature);
}

TEST_CASE("a head is chosen in the grid, named when pointed at, and muted") {
    Driver d;
    const figure::Box grid = d.find("heads").box;
    const figure::Point at{grid.x + grid.w * 0.62f, grid.y + grid.h * 0.8f};
    d.hover(at);
    CHECK(d.shows("layer 2 \u00b7 head 3"));
    d.click(at);
    CHECK(d.shell->work.focus().head.layer == 1);
    CHECK(d.shell->work.focus().head.head == 2);
    d.click("head/mute");
    CHECK(d.document().controls.at(head_scope(d)).gain == 0.0f);
    d.click("head/mute");
    CHECK(d.document().controls.scoped.empty());
    d.key(Key::page_up);
    CHECK(d.shell->work.focus().head.layer == 0);
    d.key(Key::right_bracket);
    CHECK(d.shell->work.focus().head.head == 3);
}

TEST_CASE("a cell tells its value, is pinned by a click, moved by arrows, let go by Escape") {
    Driver d;
    d.hover(cell(d, 3, 1));
    CHECK(d.shows("on \u2192 cat"));
    d.click(cell(d, 3, 1));
    CHECK(d.shell->state.view.selected == std::pair(3, 1));
    CHECK(d.shows("softmax = "));
    d.key(Key::down);
    d.key(Key::right);
    CHECK(d.shell->state.view.selected == std::pair(4, 2));
    d.key(Key::escape);
    CHECK_FALSE(d.shell->state.view.selected);
}

TEST_CASE("the formula says what the numbers of softmax are") {
    Driver d;
    d.click(cell(d, 3, 1));
    const auto map = *d.snapshot().run->trace.map(d.snapshot().focus.head);
    const trace::Cell chosen = map.cell(3, 1);
    const float most = map.rectangle(trace::Stage::masked, {3, 0, 1, 10}).maxCoeff();
    CHECK(d.shows("row maximum = " + lab::digits_text(static_cast<double>(most), 4)));
    CHECK(d.shows("softmax = exp(x \u2212 max) / \u03a3"));
    CHECK(d.find("formula/softmax").tip.find("x: each key's score") != std::string::npos);
    const float exponential = std::exp(chosen.masked - most);
    CHECK(d.shows(fmt::format("= {:.4g} / {:.4g} = ", exponential, chosen.sum)));
    CHECK(d.shows(fmt::format("{:.3f}", exponential / chosen.sum)));
    CHECK_FALSE(d.shows("weight after dropout"));
    d.click("dropout");
    const trace::Cell dropped = d.snapshot().run->trace.map(d.snapshot().focus.head)->cell(3, 1);
    const bool changed = std::abs(dropped.weight - dropped.exponential / dropped.sum) >= 5e-4f;
    CHECK(d.shows("weight after dropout = ") == changed);
}

TEST_CASE("the map and the formula point at the same cell, whatever becomes of the sentence") {
    Driver d;
    const auto agree = [&] {
        const auto shown = app::selected_cell(d.snapshot(), d.shell->state.view);
        CHECK(d.shows("softmax = ") == shown.has_value());
        CHECK(d.shows("Click a cell") == !shown.has_value());
        app::ViewState as_shown = d.shell->state.view;
        as_shown.selected = shown;
        for (const app::View view : {app::View::heatmap, app::View::lines}) {
            as_shown.view = view;
            app::ViewState as_kept = d.shell->state.view;
            as_kept.view = view;
            CHECK(figure::dump(app::make_figure(d.snapshot(), as_kept, 600, 500)) ==
                  figure::dump(app::make_figure(d.snapshot(), as_shown, 600, 500)));
        }
    };
    d.click(cell(d, 7, 3));
    agree();
    d.replace_field("source", "one two three four five");
    CHECK_FALSE(app::selected_cell(d.snapshot(), d.shell->state.view));
    agree();
    d.key(Key::escape);
    d.key(Key::down); // from nowhere to the first
    CHECK(d.shell->state.view.selected == std::pair(0, 0));
    agree();
    d.replace_field("source", "a");
    agree();
    // A column of queries or keys is a feature: only the row is a token.
    d.replace_field("source", "one two three four five");
    d.key(Key::escape);
    d.click(cell(d, 1, 2));
    app::Focus focus = d.shell->work.focus();
    for (const trace::Stage stage : {trace::Stage::q, trace::Stage::k}) {
        focus.stage = stage;
        d.shell->work.apply(ui::ChangeFocus{focus});
        d.settle();
        d.click(cell(d, 4, 12));
        agree();
    }
    CHECK(d.shell->state.view.selected == std::pair(4, 4));
}

TEST_CASE("the formula's numbers are those of the cell") {
    Driver d;
    d.click(cell(d, 3, 1));
    const trace::Cell numbers = d.snapshot().run->trace.map(d.snapshot().focus.head)->cell(3, 1);
    char weight[16];
    std::snprintf(weight, sizeof weight, "%.3f", static_cast<double>(numbers.weight));
    CHECK(d.shows(weight));
    CHECK(d.shows(lab::digits_text(static_cast<double>(numbers.score), 4)));
}

TEST_CASE("a stage of the strip becomes the large picture") {
    Driver d;
    const auto& strip = d.snapshot().strip;
    std::size_t scores = 0;
    while (strip[scores].stage != trace::Stage::scores) ++scores;
    const figure::Box box = d.find("stages").box;
    const float share = (static_cast<float>(scores) + 0.5f) / static_cast<float>(strip.size());
    d.click(figure::Point{box.x + box.w * share, box.y + box.h / 2});
    CHECK(d.shell->work.focus().stage == trace::Stage::scores);
    CHECK(d.shows("\u00b7 scores"));
}

TEST_CASE("large in the middle, the stages tell their size and are not drawn twice") {
    Driver d;
    CHECK(d.has("stages"));
    d.click("view/Stages");
    CHECK_FALSE(d.has("stages"));
    CHECK(d.shows("10 \u00d7 16 \u00b7 \u00b1"));
    CHECK(d.shows("10 \u00d7 64 \u00b7 \u00b1"));
    d.click("view/Heatmap");
    CHECK(d.has("stages"));
}

TEST_CASE("Tab visits controls, Space presses them, and a field takes the keys") {
    Driver d;
    for (int i = 0; i < 200 && d.shell->ui.keyboard_at() != "scale"; ++i) d.key(Key::tab);
    REQUIRE(d.shell->ui.keyboard_at() == "scale");
    d.key(Key::space);
    CHECK(d.document().controls.at(head_scope(d)).scale.has_value());
    for (int i = 0; i < 200 && d.shell->ui.keyboard_at() != "source"; ++i) {
        d.key(Key::tab, false, true);
    }
    REQUIRE(d.shell->ui.keyboard_at() == "source");
    CHECK(d.shell->ui.typing());
    d.type("x");
    CHECK(d.document().source.find('x') != std::string::npos);
}

TEST_CASE("figures are built when something changed and never else") {
    Driver d;
    const int built = d.shell->figures.built();
    d.frames(10);
    d.hover(cell(d, 1, 1));
    d.hover(cell(d, 2, 3));
    CHECK(d.shell->figures.built() == built);
    d.click(cell(d, 2, 3));
    CHECK(d.shell->figures.built() > built);
}

TEST_CASE("a width that heads do not divide is told beside the last good picture") {
    Driver d;
    app::Document odd = d.document(); // as from a session: the card offers no such number
    models::spec_of(odd.model)->n_heads = 3;
    d.shell->work.apply(ui::ChangeDocument{odd, {}, "3 heads"});
    d.settle();
    REQUIRE(d.snapshot().error);
    CHECK(d.shows("64"));
    CHECK(d.shows("because"));
    CHECK(d.renderer.jobs.size() > 8);
}

TEST_CASE("an empty sentence, one token and two thousand are each shown or told") {
    Driver d;
    d.replace_field("source", "");
    d.click("source");
    d.key(Key::a, true);
    d.key(Key::backspace);
    CHECK(d.document().source.empty());
    REQUIRE(d.snapshot().error);
    CHECK(d.shows(d.snapshot().error->message.substr(0, 12)));
    d.replace_field("source", "alone");
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.snapshot().map->size() == 1);
    std::string long_sentence;
    for (int i = 0; i < 2000; ++i) long_sentence += "word" + std::to_string(i % 50) + " ";
    d.replace_field("source", long_sentence);
    CHECK_FALSE(d.snapshot().error);
    CHECK(d.snapshot().map->rows() == 2000);
}

TEST_CASE("of a source that leads the target it is said how much of it is read") {
    auto options = Driver::tiny();
    options.document = app::Document{};
    options.document.model_file = app::shipped_model("repeat");
    options.document.target.clear();
    for (int i = 0; i < 2500; ++i) options.document.source += "m ";
    Driver d(options);
    REQUIRE(d.snapshot().source_tokens_dropped > 0);
    CHECK(d.shows("Showing the first 2,048 tokens"));
}

TEST_CASE("panels are resized by their boundaries and go back by a double click") {
    Driver d;
    const float before = d.find("heads").box.w;
    const figure::Box edge = d.find("split/left").box;
    const figure::Point at{edge.x + 3, edge.y + 300};
    d.drag(at, {at.x + 60, at.y});
    CHECK(d.find("heads").box.w > before + 40);
    d.double_click("split/left");
    CHECK(d.find("heads").box.w == Approx(before).margin(1));
}

TEST_CASE("a small window keeps every control within reach of the wheel") {
    auto options = Driver::tiny();
    options.width = 1280;
    options.height = 720;
    Driver d(options);
    const figure::Box before = d.find("dropout").box;
    d.wheel({before.x + 20, 400}, -20);
    const figure::Box after = d.find("dropout").box;
    CHECK(after.y < before.y - 50);
    CHECK(after.y + after.h < 720);
}

TEST_CASE("the window is laid out alike at every scale") {
    figure::Box places[2];
    for (const int scale : {1, 2}) {
        auto options = Driver::tiny();
        options.scale = static_cast<float>(scale);
        Driver d(options);
        places[scale - 1] = d.find("scale").box;
    }
    CHECK(places[0] == places[1]);
}

TEST_CASE("cards of a small window lie in it, and scroll where they are higher") {
    auto options = Driver::tiny();
    options.width = 720;
    options.height = 480;
    Driver d(options);
    const auto in_sight = [&](const std::string& id) {
        const auto box = d.find(id).box;
        return box.x >= 0 && box.y >= 0 && box.x + box.w <= 720 && box.y + box.h <= 480;
    };
    for (int i = 0; i < 6; ++i) {
        d.shell->state.files.recent_files.push_back("/nowhere/" + std::to_string(i) + ".json");
    }
    d.key(Key::o, true);
    d.frames(5);
    CHECK(in_sight("open/close"));
    d.key(Key::escape);
    d.click("model");
    d.frames(3);
    CHECK_FALSE(in_sight("model/seed/more"));
    for (int i = 0; i < 30; ++i) d.wheel({300, 300}, -1);
    d.frames(2);
    CHECK(in_sight("model/seed/more"));
    d.key(Key::escape);
}

TEST_CASE("a drag with Ctrl up a cell sets its weight") {
    Driver d;
    const ui::Point cell = d.cell(1, 1);
    ui::shim::set_modifiers(true, false);
    d.frame();
    d.drag(cell, {cell.x, cell.y - 60});
    ui::shim::set_modifiers(false, false);
    d.settle();
    const trace::HeadId head = d.snapshot().focus.head;
    const auto own = d.document().controls.at({head.kind, head.layer, head.head});
    REQUIRE(own.edits);
    REQUIRE(own.edits->size() == 1);
    CHECK(own.edits->front().query == 1);
    CHECK(own.edits->front().key == 1);
}

TEST_CASE("letters that no font has are told calmly, and the notice passes") {
    Driver::Options options = Driver::tiny();
    options.document.source = "the \U0010ABCD cat";
    Driver d(options);
    d.settle();
    REQUIRE_FALSE(d.snapshot().missing_letters.empty());
    CHECK(d.shell->work.notice.text.starts_with("No installed font has U+10ABCD"));
    CHECK_FALSE(d.shell->work.notice.bad);
    for (int i = 0; i < 2000 && !d.shell->work.notice.text.empty(); ++i) d.frame();
    CHECK(d.shell->work.notice.text.empty());
}

TEST_CASE("a quotient of small numbers is whole, in two lines where one is too narrow") {
    Driver::Options options;
    options.width = 1200;
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat did not eat the red apple";
    set_temperature(options.document, 0.15f);
    options.focus.head = {trace::AttentionKind::encoder_self, 0, 0};
    options.view.selected = {4, 8};
    Driver d(options);
    d.settle();
    REQUIRE(d.shows("\u00b710\u207b"));
    for (const std::string& cut : d.shell->ui.canvas.cut()) {
        CAPTURE(cut);
        CHECK(cut.find("\u00b710") == cut.npos);
    }
}
