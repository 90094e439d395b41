#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/views/rooms.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "small_document.hpp"

#include <string>

using namespace heed;
using app::View;
using nn::Positions;

namespace {

std::shared_ptr<const app::Snapshot> snapshot_for(const app::ViewState& state,
                                                  const app::Document& document) {
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, {}, app::needs_of(state, {})}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

bool shows(const app::Snapshot& snapshot, const app::ViewState& state, const std::string& words) {
    return figure::dump(app::make_figure(snapshot, state, 1000, 800)).find(words) !=
           std::string::npos;
}

} // namespace

TEST_CASE("the Positions room shows the head's own positions until another kind is chosen") {
    app::ViewState state;
    state.view = View::positions;
    app::Document document = small_document();
    models::spec_of(document.model)->positions = Positions::alibi;
    const auto snapshot = snapshot_for(state, document);
    CHECK(shows(*snapshot, state, "ALiBi positions"));
    state.position_room.kind = Positions::sinusoidal;
    state.position_room.d_model = 64;
    state.position_room.length = 40;
    state.position_room.base = 100;
    CHECK(shows(*snapshot, state, "d_model 64 · 40 positions · base 100"));
}

TEST_CASE("every kind of positions makes a room of every size") {
    app::ViewState state;
    state.view = View::positions;
    const auto snapshot = snapshot_for(state, small_document());
    for (const Positions kind : nn::kPositions) {
        state.position_room.kind = kind;
        for (const int length : {8, 256}) {
            for (const int d_model : {2, 6, 1024}) {
                state.position_room.length = length;
                state.position_room.d_model = d_model;
                CHECK_FALSE(app::make_figure(*snapshot, state, 700, 600).items.empty());
            }
        }
    }
}

TEST_CASE("the Softmax room multiplies the selected query's scores by its factor") {
    app::ViewState state;
    state.view = View::softmax;
    state.selected = {1, 0};
    const auto snapshot = snapshot_for(state, small_document());
    REQUIRE(snapshot->histograms != nullptr);
    CHECK(shows(*snapshot, state, "Softmax of query 2 “cat”"));
    CHECK(shows(*snapshot, state, "softmax of the run's scores × 1"));
    state.softmax_factor = 4;
    CHECK(shows(*snapshot, state, "softmax of the run's scores × 4"));
}

TEST_CASE("the histograms are of q · k, whose variance is d_k before and 1 after scaling") {
    app::ViewState state;
    state.view = View::softmax;
    const auto snapshot = snapshot_for(state, small_document());
    for (const auto& histogram : *snapshot->histograms) {
        const double expected = histogram.scaled ? 1 : static_cast<double>(histogram.d_k);
        CHECK(histogram.variance == Approx(expected).epsilon(0.08));
    }
}
