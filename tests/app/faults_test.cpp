#include "catch.hpp"

#include "app/engine/computation.hpp"
#include "app/engine/faults.hpp"
#include "app/views/head_views.hpp"
#include "app/views/map_data.hpp"
#include "app/views/view_figure.hpp"

#include <limits>

using namespace heed;

namespace {

app::Document slight_document() {
    app::Document d;
    models::spec_of(d.model)->d_model = 32;
    models::spec_of(d.model)->n_heads = 2;
    models::spec_of(d.model)->n_encoder_layers = models::spec_of(d.model)->n_decoder_layers = 1;
    models::spec_of(d.model)->d_ff = 32;
    d.source = "one two three four five";
    d.target = "un deux trois";
    return d;
}

models::Scope first_head() {
    models::Scope scope;
    scope.kind = trace::AttentionKind::encoder_self;
    scope.layer = 0;
    scope.head = 0;
    return scope;
}

std::shared_ptr<const app::Snapshot> answer(const models::HeadControls& controls) {
    app::Document document = slight_document();
    document.controls.set(first_head(), controls);
    app::Computation computation(1);
    auto snapshot = computation.answer({1, document, {}}, {});
    REQUIRE_FALSE(snapshot->error);
    return snapshot;
}

} // namespace

TEST_CASE("a run of any mask, edit and dropout has no faults") {
    models::HeadControls controls;
    CHECK(answer(controls)->faults == app::MapFaults{});
    controls.mask = nn::Mask{};
    controls.mask->causal = true;
    controls.mask->painted = {{3, 0}, {3, 1}};
    CHECK(answer(controls)->faults == app::MapFaults{});
    controls.edits = std::vector<nn::WeightEdit>{{1, 4, 0.5f}}; // of a masked key
    const auto edited = answer(controls);
    CHECK(edited->faults == app::MapFaults{});
    CHECK(app::fault_words(edited->faults).empty());
}

TEST_CASE("weights that do not hold what they promise are found and told") {
    models::HeadControls controls;
    controls.mask = nn::Mask{};
    controls.mask->causal = true;
    controls.mask->painted = {{3, 1}};
    const auto snapshot = answer(controls);
    const auto map = *snapshot->run->trace.map(snapshot->focus.head);
    app::Matrix<float> weights = *snapshot->map;
    weights(2, 0) += 0.02f;
    weights(4, 1) += 0.00005f; // within what rounding may do
    weights(1, 3) = 1e-9f;     // past the query
    weights(3, 1) = 1e-9f;     // painted
    app::MapFaults faults = app::faults_of(map, weights);
    CHECK(faults.rows == std::vector<num::Index>{2});
    CHECK(faults.farthest == Approx(0.02f).epsilon(0.01));
    CHECK(faults.masked == 2);
    CHECK(faults.other_rows == std::vector<num::Index>{1, 3});
    CHECK(faults.not_finite == 0);
    CHECK(app::fault_words(faults) ==
          "The weights of query 3 do not sum to 1 (by up to 0.02). 2 masked cells have a weight.");
    weights(0, 0) = std::numeric_limits<float>::quiet_NaN();
    faults = app::faults_of(map, weights);
    CHECK(faults.not_finite == 1);
    CHECK(faults.other_rows == std::vector<num::Index>{0, 1, 3});
    CHECK(app::fault_words(faults).ends_with("1 weights are not finite."));
}

TEST_CASE("rows that were edited, and rows that do not add up, are marked at their label") {
    models::HeadControls controls;
    controls.edits = std::vector<nn::WeightEdit>{{1, 4, 0.5f}};
    app::Snapshot snapshot = *answer(controls);
    snapshot.faults.rows = {3};
    const figure::MapData data = app::map_data(snapshot);
    REQUIRE(data.row_notes.size() == 2);
    CHECK(data.row_notes[0].row == 1);
    CHECK(data.row_notes[0].words == "edited");
    CHECK_FALSE(data.row_notes[0].bad);
    CHECK(data.row_notes[1].row == 3);
    CHECK(data.row_notes[1].bad);
    const std::string dump = figure::dump(app::make_figure(snapshot, {}, 900, 700));
    CHECK(dump.find("\"two\"") != std::string::npos);
    CHECK(dump.find("\"edited\"") != std::string::npos);
    CHECK(dump.find("\"Σ ≠ 1\"") != std::string::npos);
    snapshot.faults.rows.clear();
    snapshot.faults.other_rows = {2};
    const figure::MapData other = app::map_data(snapshot);
    REQUIRE(other.row_notes.size() == 2);
    CHECK(other.row_notes[1].row == 2);
    CHECK(other.row_notes[1].words == "check failed");
    CHECK(other.row_notes[1].bad);
    // The label of the numbers themselves stays the token.
    CHECK(data.row_labels[1] == "two");
}

TEST_CASE("every head's weights are checked, the same by strips of a long map as at once") {
    app::Document document = slight_document();
    for (const char* more : {" six seven", " eight nine ten"}) document.source += more;
    std::string sentence;
    for (int i = 0; i < 15; ++i) sentence += document.source + " ";
    document.source = sentence; // more than a thumbnail has rows
    app::Computation computation(2);
    const auto snapshot = computation.answer({1, document, {}}, {});
    REQUIRE(snapshot->map->rows() > 64);
    const auto& thumbnails = *snapshot->thumbnails[0];
    REQUIRE(thumbnails.faults.size() == thumbnails.weights.size());
    for (const app::MapFaults& faults : thumbnails.faults) CHECK_FALSE(faults.any());
    const auto map = *snapshot->run->trace.map({});
    app::Matrix<float> weights = *snapshot->map;
    weights(70, 3) += 0.1f;
    app::MapFaults by_strips;
    for (num::Index row = 0; row < weights.rows(); row += 7) {
        const num::Index rows = std::min<num::Index>(7, weights.rows() - row);
        app::look_for_faults(by_strips, map, weights.middleRows(row, rows), row);
    }
    CHECK(by_strips == app::faults_of(map, weights));
    CHECK(by_strips.rows == std::vector<num::Index>{70});
}

TEST_CASE("a head with a fault is framed in the grid, and a map of several heads marks its row") {
    app::Snapshot snapshot = *answer({});
    auto thumbnails = std::make_shared<app::Thumbnails>(*snapshot.thumbnails[0]);
    thumbnails->faults[1].rows = {2};
    snapshot.thumbnails[0] = thumbnails;
    figure::HeadGrid grid;
    grid.layers = thumbnails->layers;
    grid.heads = thumbnails->heads;
    app::note_heads(grid, snapshot, {});
    CHECK(grid.faulty == std::vector<bool>{false, true});
    app::ViewState heads;
    heads.view = app::View::heads;
    const figure::Color bad = figure::light_theme().bad;
    int framed = 0;
    for (const auto& item : app::make_figure(snapshot, heads, 900, 700).items) {
        const auto* stroke = std::get_if<figure::Stroke>(&item);
        if (stroke != nullptr && stroke->color == bad) ++framed;
    }
    CHECK(framed == 1);
    snapshot.focus.combine = trace::Combine::mean;
    const figure::MapData data = app::map_data(snapshot);
    REQUIRE(data.row_notes.size() == 1);
    CHECK(data.row_notes[0].row == 2);
    CHECK(data.row_notes[0].bad);
}

TEST_CASE("every view of several heads names the controls that any of them has changed") {
    models::HeadControls controls;
    controls.temperature = 2;
    app::Snapshot snapshot = *answer(controls);
    const auto says = [&](app::View view) {
        app::ViewState state;
        state.view = view;
        state.caption = false;
        const std::string dump = figure::dump(app::make_figure(snapshot, state, 1400, 800));
        return dump.find("temperature 2") != std::string::npos;
    };
    for (const app::View view : {app::View::heatmap, app::View::heads, app::View::lines,
                                 app::View::neurons, app::View::stages, app::View::softmax}) {
        INFO(static_cast<int>(view));
        CHECK(says(view));
    }
    snapshot.focus.combine = trace::Combine::mean;
    CHECK(says(app::View::heatmap));
    app::Document document = slight_document();
    document.controls.set(first_head(), controls);
    app::Needs needs;
    needs.flow = app::FlowFocus{trace::FlowRule::rollout, 0};
    app::Computation computation(1);
    snapshot = *computation.answer({1, document, {}, needs}, {});
    CHECK(says(app::View::flow));
}
