// What each view of Explore lets one choose.
#include "app/files/shipped_models.hpp"
#include "base/check.hpp"
#include "ui/driver.hpp"
#include "ui/frame/cell_formula.hpp"

#include "catch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

using namespace heed;
using namespace heed::ui;
using namespace heed::ui::test;
using app::View;
using shim::Key;

TEST_CASE("leaving Explore for a room and coming back shows the view that was left") {
    Driver d;
    d.click("view/Neurons");
    d.click("room/positions");
    CHECK(d.shell->state.view.view == View::positions);
    d.click("room/softmax");
    CHECK(d.shell->state.view.view == View::softmax);
    d.click("room/explore");
    CHECK(d.shell->state.view.view == View::neurons);
}

TEST_CASE("heads of a layer become one map by mean, maximum and sum, and the title says which") {
    Driver d;
    d.click("combine/mean");
    CHECK(d.shows("mean of"));
    CHECK(d.snapshot().focus.combine == trace::Combine::mean);
    d.click("combine/of/layer 1");
    CHECK(d.snapshot().focus.layers == std::vector<int>{0});
    CHECK(d.shows("Encoder layer 1 \u00b7 mean of"));
    d.click("combine/sum");
    CHECK(d.shows("sum of"));
    d.click("combine/one");
    CHECK_FALSE(d.snapshot().focus.combine.has_value());
    CHECK(d.shows("head 1"));
}

TEST_CASE("the selected cell of combined heads says their value and what each head gives") {
    Driver d;
    if (d.shell->state.view.selected != std::pair(1, 2)) d.click(d.cell(1, 2));
    CHECK(d.shows("softmax = exp(x \u2212 max) / \u03a3"));
    d.click("combine/mean");
    const auto& s = d.snapshot();
    REQUIRE(s.map);
    const auto heads = trace::heads_in(s.run->trace, s.focus.head.kind, {}, {});
    float sum = 0;
    for (const auto& head : heads) sum += s.run->trace.map(head)->cell(1, 2).weight;
    const float mean = sum / static_cast<float>(heads.size());
    CHECK((*s.map)(1, 2) == Approx(mean));
    CHECK_FALSE(d.shows("softmax = exp(x \u2212 max) / \u03a3"));
    CHECK_FALSE(d.has("weight")); // a head's is set by hand, not that of several
    CHECK(d.shows(fmt::format("mean of {} heads = ", heads.size())));
    CHECK(d.shows("entropy"));
    d.click("combine/sum");
    CHECK(d.shows(fmt::format("sum of {} heads = ", heads.size())));
    CHECK(d.shows("Along one head or a mean only"));
    d.click("view/Lines"); // links of the same map
    CHECK(d.shows(fmt::format("sum of {} heads = ", heads.size())));
    d.click("view/Neurons"); // of the head again
    CHECK(d.shows("softmax = exp(x \u2212 max) / \u03a3"));
    d.click("view/Lines");
    d.click("combine/one");
    CHECK(d.shows("softmax = exp(x \u2212 max) / \u03a3"));
}

TEST_CASE("a view with nothing to choose has no heading for it") {
    Driver d;
    open(d, app::shipped_model("zh-en-bahdanau"));
    d.settle();
    REQUIRE(d.has("heading/Heatmap"));
    auto focus = d.shell->work.focus();
    focus.stage = trace::Stage::v;
    d.shell->work.apply(ChangeFocus{focus});
    d.settle();
    CHECK_FALSE(d.has("heading/Heatmap"));
}

TEST_CASE("links below a map say which of them are drawn") {
    Driver d;
    REQUIRE(d.shell->state.view.view == View::heatmap);
    CHECK(d.shows("Top links (90 % of attention)"));
    d.shell->state.view.pinned_queries = {1}; // of a filter none is left out
    d.frames(2);
    CHECK_FALSE(d.shows("Top links"));
    d.shell->state.view.pinned_queries.clear();
    d.shell->state.view.threshold = 1;
    d.frames(2);
    CHECK_FALSE(d.shows("Top links"));
}

TEST_CASE("the rules between groups of the left panel are equally far below the last rows") {
    Driver::Options options = Driver::high();
    options.document.model_file = app::shipped_model("en-fr-transformer");
    options.document.source = "the black cat";
    options.view.view = app::View::flow;
    Driver d(options);
    d.settle();
    const auto free = [&](const char* last, const char* heading) {
        const ui::Box row = d.find(last).box;
        return d.find(heading).box.y - row.y - row.h;
    };
    const float below_flow = free("flow/rule/raw", "heading/Decoding");
    CHECK(below_flow >= 26); // the rule lies 14 above the heading
    CHECK(below_flow == Approx(free("decode/greedy", "heading/Compare")));
    CHECK(std::abs(below_flow - free("pin", "heading/encoder 1.1")) <= 4);
}

TEST_CASE("a weight times the length of its value stands below the weight that it is made of") {
    Driver d;
    if (d.shell->state.view.selected != std::pair(1, 2)) d.click(d.cell(1, 2));
    CHECK_FALSE(d.shows("\u00d7 \u2016v\u2016 = "));
    d.click("times/\u2016v\u2016");
    REQUIRE(d.snapshot().multiplied);
    CHECK(d.shows("\u00d7 \u2016v\u2016 = "));
    CHECK(d.shows(ui::cell_figures((*d.snapshot().multiplied)(1, 2))));
    d.click("view/Lines"); // draws the weights
    CHECK_FALSE(d.shows("\u00d7 \u2016v\u2016 = "));
}

TEST_CASE("heads lie over each other in Lines as they are clicked") {
    Driver d;
    d.click("view/Lines");
    d.click("overlay/0/3");
    CHECK(d.shell->state.view.overlay == std::vector<int>{0, 2});
    REQUIRE(d.snapshot().overlay.size() == 2);
    CHECK(d.shows("heads 1, 3"));
    CHECK(d.shows("2 heads"));
    d.click("overlay/0/1");
    CHECK(d.shell->state.view.overlay == std::vector<int>{2});
    d.click("overlay/0/3"); // the last one stays
    CHECK(d.shell->state.view.overlay == std::vector<int>{2});
    d.click("lines/shape/columns");
    CHECK(d.shell->state.view.columns);
}

TEST_CASE("what a view does not show is not asked of the engine") {
    Driver d;
    d.click("view/Flow");
    CHECK(d.snapshot().flow != nullptr);
    d.click("flow/rule/raw");
    CHECK(d.snapshot().flow->rule == trace::FlowRule::raw);
    d.click("view/Heads");
    CHECK(d.snapshot().flow == nullptr);
    d.click("heads/order");
    d.click("heads/order/entropy");
    CHECK(d.snapshot().summaries != nullptr);
    d.click("view/Heatmap");
    CHECK(d.snapshot().summaries == nullptr);
}

TEST_CASE("heads are sorted by a score, or so that like ones stand together, with a click") {
    Driver d;
    d.click("view/Heads");
    CHECK_FALSE(d.has("heads/order/followed")); // one menu, which is closed
    d.click("heads/order");
    d.click("heads/order/followed");
    CHECK_FALSE(d.has("heads/order/place"));
    d.settle();
    CHECK(d.shell->state.view.head_order == app::HeadOrder::followed);
    d.click("heads/order");
    d.click("heads/order/alike");
    d.settle();
    REQUIRE(d.snapshot().alike);
    CHECK(d.shell->state.view.head_order == app::HeadOrder::alike);
    d.click("heads/order");
    d.click("heads/order/place");
    d.settle();
    CHECK_FALSE(d.snapshot().alike);
    CHECK(d.shows(d.snapshot().summary.label())); // what the head is for, in plain words
}

TEST_CASE("the flow goes to the token that is selected") {
    Driver d;
    d.click("view/Flow");
    d.shell->state.view.selected = {3, 1};
    d.settle();
    CHECK(d.snapshot().flow->token == 3);
    CHECK(d.shows("what flows into"));
}

TEST_CASE("the rooms turn with their own sliders and leave the model alone") {
    Driver d;
    const auto before = d.document();
    d.click("room/positions");
    CHECK_FALSE(d.has("positions/RoPE")); // the model's own are chosen in Explore
    CHECK(d.screen().find("Controls · ") == std::string::npos); // there would be nothing below
    d.click("room/kind/RoPE");
    CHECK(d.shows("Rotary positions"));
    CHECK((d.has("room/base") && d.has("room/d_model") && d.has("room/length")));
    const Box base = d.find("room/base").box;
    CHECK_FALSE(d.shell->state.view.position_room.base); // as the model has it
    d.click(ui::Point{base.x + base.w * 0.25f, base.y + base.h / 2});
    CHECK(d.shell->state.view.position_room.base < 1000.0f);
    d.double_click("room/base");
    CHECK_FALSE(d.shell->state.view.position_room.base);
    d.click("room/kind/learned");
    CHECK_FALSE((d.has("room/base") || d.has("room/d_model"))); // a table has its own
    CHECK(d.has("room/length"));
    d.click("room/kind/off");
    CHECK_FALSE((d.has("room/base") || d.has("room/d_model") || d.has("room/length")));
    d.click("room/kind/ALiBi");
    CHECK(d.shows("ALiBi positions"));
    CHECK_FALSE((d.has("room/base") || d.has("room/d_model")));
    d.click("room/softmax");
    d.click("room/known/as run");
    const Box factor = d.find("room/factor").box;
    d.click(ui::Point{factor.x + factor.w * 0.75f, factor.y + factor.h / 2});
    CHECK(d.shell->state.view.softmax_factor > 2);
    CHECK(d.document() == before);
}

TEST_CASE("a picture that breaks a contract is a sentence, and the next one is drawn") {
    FigureCache figures;
    FigureCache::Key key;
    key.width = 600;
    key.height = 400;
    const auto broken = [] {
        HEED_CHECK(false, "a table of {} x {}", 32, 3);
        return figure::Figure{};
    };
    const figure::Figure& told = figures.get(FigureCache::Slot::main, key, broken);
    CHECK(figure::dump(told).find("a table of 32 x 3") != std::string::npos);
    CHECK(figures.mistake() == "a table of 32 x 3");
    key.width = 601;
    CHECK(figures.get(FigureCache::Slot::main, key, [] { return figure::Figure{}; }).items.empty());
}

TEST_CASE("heads that a smaller model lacks are asked for once, not in every frame") {
    Driver::Options options = Driver::tiny();
    options.view.view = View::lines;
    options.view.overlay = {1, 7};
    Driver d(options);
    CHECK(d.snapshot().overlay.size() == 1);
    const auto revision = d.shell->work.requested_revision();
    d.frames(20);
    CHECK(d.shell->work.requested_revision() == revision);
}

TEST_CASE("every view's tab is within the picture's panel in the smallest window") {
    for (const int width : {720, 760, 900, 1100, 1280}) {
        Driver::Options options = Driver::tiny();
        options.width = width;
        options.height = 500;
        Driver d(options);
        for (const char* view : {"Heatmap", "Lines", "Heads", "Neurons", "Flow", "Stages"}) {
            INFO(view << " at " << width);
            const Box picture = d.find("picture").box;
            const Box tab = d.find(std::string("view/") + view).box;
            CHECK(tab.x >= picture.x);
            CHECK(tab.x + tab.w <= picture.x + picture.w);
            d.click(std::string("view/") + view);
            CHECK(d.find(std::string("view/") + view).on);
        }
    }
}

TEST_CASE("where no cell is chosen the panel tells of the one that Stages and Neurons name") {
    Driver d;
    d.settle();
    d.key(ui::shim::Key::escape);
    REQUIRE_FALSE(d.shell->work.snapshot().run == nullptr);
    d.shell->state.view.selected.reset();
    d.frames(3);
    CHECK(d.shows("Click a cell to see how it is computed"));
    for (const char* view : {"view/Stages", "view/Neurons"}) {
        CAPTURE(view);
        d.click(view);
        d.settle();
        d.shell->state.view.selected.reset();
        d.frames(3);
        CHECK_FALSE(d.shows("Click a cell to see how it is computed"));
        CHECK(d.screen().find("Shown \u00b7 ") != std::string::npos);
    }
}
