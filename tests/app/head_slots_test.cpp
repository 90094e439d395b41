// Heads that are kept side by side: as many as fit, computed once, drawn as what they are.
#include "app/document/session.hpp"
#include "app/engine/computation.hpp"
#include "app/views/head_slots.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/viewport.hpp"
#include "small_document.hpp"
#include "tensors/json.hpp"

#include <algorithm>
#include <set>

using namespace heed;
using app::ViewState;
using trace::AttentionKind;
using trace::HeadId;

namespace {

std::shared_ptr<const app::Snapshot> slots_snapshot(app::Computation& computation,
                                                    const ViewState& state) {
    auto snapshot = computation.answer({1, small_document(), {}, app::needs_of(state, {})}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

ViewState keeping(std::vector<HeadId> slots) {
    ViewState state;
    state.view = app::View::heads;
    state.slots = std::move(slots);
    return state;
}

const HeadId kEncoder{AttentionKind::encoder_self, 1, 2}, kCross{AttentionKind::cross, 0, 1};

} // namespace

TEST_CASE("a head is kept, let go when kept again, and no more than eight are") {
    std::vector<HeadId> slots;
    CHECK(app::toggle_slot(slots, kEncoder));
    CHECK(app::toggle_slot(slots, kCross));
    CHECK(slots == std::vector<HeadId>{kEncoder, kCross});
    CHECK(app::toggle_slot(slots, kEncoder));
    CHECK(slots == std::vector<HeadId>{kCross});
    for (int head = 10; slots.size() < app::kMostSlots; ++head) {
        CHECK(app::toggle_slot(slots, {AttentionKind::encoder_self, 0, head}));
    }
    CHECK_FALSE(app::toggle_slot(slots, kEncoder));
    CHECK(slots.size() == app::kMostSlots);
    CHECK(app::toggle_slot(slots, kCross)); // one that is kept can still go
}

TEST_CASE("heads that are kept are drawn large, with their own values, above the grid of all") {
    app::Computation computation(1);
    const ViewState state = keeping({kEncoder, kCross});
    const auto snapshot = slots_snapshot(computation, state);
    REQUIRE(snapshot->slots.size() == 2);
    for (const app::SlotPicture& slot : snapshot->slots) {
        const auto weights = snapshot->run->trace.map(slot.head)->whole(trace::Stage::weights);
        CHECK((*slot.map - weights).cwiseAbs().maxCoeff() == 0);
    }
    const figure::Figure figure = app::make_figure(*snapshot, state, 1000, 800);
    std::set<int> maps;
    int heads = 0, slots = 0;
    for (const figure::Target& t : figure.targets) {
        CHECK(t.box.y + t.box.h <= 801);
        slots += t.as<figure::tag::Slot>() != nullptr;
        heads += t.as<figure::tag::Head>() != nullptr;
        if (const auto* cells = t.as<figure::tag::Cells>()) maps.insert(cells->part);
    }
    CHECK(maps == std::set<int>{0, 1});
    CHECK(slots == 2);
    CHECK(heads == 2 * 4);
    const std::string dump = figure::dump(figure);
    for (const char* words : {"Encoder 2.3", "Cross-attention 1.2", "2 heads side by side"}) {
        CHECK(dump.find(words) != std::string::npos);
    }
    // What is read of all heads stands once, not above each.
    app::Place read{1000, 800};
    read.reads = true;
    const std::string said = figure::dump(app::make_figure(*snapshot, state, read));
    const auto first = said.find("\"The sharpest is");
    REQUIRE(first != std::string::npos);
    CHECK(said.find("\"The sharpest is", first + 1) == std::string::npos);
    // Of the same run they are not made again.
    const auto again = slots_snapshot(computation, keeping({kCross}));
    REQUIRE(again->slots.size() == 1);
    CHECK(again->slots[0].map == snapshot->slots[1].map);
}

TEST_CASE("a head that the model lacks is not kept in a picture, and asks for nothing elsewhere") {
    app::Computation computation(1);
    const auto snapshot =
        slots_snapshot(computation, keeping({{AttentionKind::encoder_self, 7, 0}, kCross}));
    REQUIRE(snapshot->slots.size() == 1);
    CHECK(snapshot->slots[0].head == kCross);
    ViewState elsewhere = keeping({kCross});
    elsewhere.view = app::View::heatmap;
    CHECK(app::needs_of(elsewhere, {}).slots.empty());
}

TEST_CASE("kept heads outlive a session, and the same state draws the same figure") {
    app::Session session;
    session.view = keeping({kCross, kEncoder});
    const auto loaded = app::session_from_json(app::session_to_json(session), "");
    REQUIRE(loaded.has_value());
    CHECK(loaded->view == session.view);
    app::Computation one(1), other(1);
    CHECK(figure::dump(
              app::make_figure(*slots_snapshot(one, session.view), session.view, 900, 700)) ==
          figure::dump(
              app::make_figure(*slots_snapshot(other, loaded->view), loaded->view, 900, 700)));
}

TEST_CASE("any number of kept heads finds its place in any frame") {
    app::Computation computation(1);
    std::vector<HeadId> slots;
    for (int i = 0; i < 8; ++i) {
        slots.push_back({AttentionKind::encoder_self, i / 4, i % 4});
        const ViewState state = keeping(slots);
        const auto snapshot = slots_snapshot(computation, state);
        for (const auto& [width, height] :
             {std::pair<float, float>{1200, 800}, {720, 560}, {320, 240}, {60, 40}, {0, 0}}) {
            const figure::Figure figure = app::make_figure(*snapshot, state, width, height);
            int places = 0;
            for (const figure::Target& t : figure.targets) {
                places += t.as<figure::tag::Slot>() != nullptr;
                CHECK(std::isfinite(t.box.x + t.box.y + t.box.w + t.box.h));
            }
            CHECK(places == i + 1);
        }
    }
}

TEST_CASE("kept heads on a page have one colour bar, and no blank below the grid of all") {
    app::Computation computation(1);
    const ViewState state = keeping({kEncoder, kCross});
    const auto snapshot = slots_snapshot(computation, state);
    ViewState bare = state;
    bare.caption = false;
    const figure::Figure figure = app::make_figure(*snapshot, bare, 391, 0);
    float last = 0;
    int bars = 0;
    for (const figure::Target& t : figure.targets) {
        if (t.as<figure::tag::Head>()) last = std::max(last, t.box.y + t.box.h);
    }
    for (const figure::Primitive& item : figure.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        bars += text != nullptr && text->text == "weights";
        if (text != nullptr && text->style.font == figure::Font::mono) {
            CHECK(text->style.size >= 9);
        }
    }
    CHECK(bars == 1);
    CHECK(figure.height > last);
    CHECK(figure.height < last + 40);
}

TEST_CASE("heads side by side in a window have one colour bar where it is the same") {
    app::Computation computation(1);
    ViewState state = keeping({kEncoder, kCross});
    const auto snapshot = slots_snapshot(computation, state);
    const auto bars = [&](const figure::Figure& figure) {
        return std::ranges::count_if(figure.items, [](const figure::Primitive& item) {
            const auto* text = std::get_if<figure::Text>(&item);
            return text != nullptr && (text->text == "weights" || text->text == "0 to max" ||
                                       text->text == "min to max" || text->text == "0-centred");
        });
    };
    for (const float width : {500.f, 812.f, 1300.f}) {
        INFO(width);
        const figure::Figure figure = app::make_figure(*snapshot, state, width, 800);
        CHECK(bars(figure) == 1);
        for (const figure::Target& t : figure.targets) {
            CHECK(t.box.x + t.box.w <= width + 0.5f);
        }
    }
}

TEST_CASE("heads of another attention are counted in plain words") {
    app::Computation computation(1);
    const ViewState state = keeping({kEncoder, kCross});
    const auto snapshot = slots_snapshot(computation, state);
    const std::string dump = figure::dump(app::make_figure(*snapshot, state, 1300, 800));
    CHECK(dump.find("1 from another attention than the heads below") != std::string::npos);
}
