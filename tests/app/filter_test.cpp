// The four-way filter: what the strips of queries, keys, layers and heads say of each other.
#include "app/views/filter.hpp"

#include "app/engine/computation.hpp"
#include "app/views/map_views.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "small_document.hpp"

using namespace heed;
using app::Focus;
using app::ViewState;
using num::Index;
using trace::AttentionKind;
using trace::Stage;

namespace {

std::shared_ptr<const app::Snapshot> snapshot_in(app::Computation& computation,
                                                 const app::Document& document,
                                                 const ViewState& state, Focus focus = {}) {
    static std::uint64_t revision = 0;
    auto snapshot =
        computation.answer({++revision, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

} // namespace

TEST_CASE("strips say what the shown map gives to and gets from what is chosen") {
    app::Computation computation(1);
    ViewState state;
    state.pinned_queries = {1, 3};
    state.pinned_keys = {0, 5};
    const auto snapshot = snapshot_in(computation, small_document(), state);
    REQUIRE(snapshot->strips != nullptr);
    const auto& w = *snapshot->map;
    for (Index i = 0; i < w.rows(); ++i) {
        CHECK((*snapshot->strips->given)(i, 0) == Approx(w(i, 0) + w(i, 5)));
    }
    for (Index j = 0; j < w.cols(); ++j) {
        CHECK((*snapshot->strips->received)(0, j) == Approx((w(1, j) + w(3, j)) / 2));
    }
}

TEST_CASE("strips of layers and heads are the chosen cells of every head, averaged") {
    app::Computation computation(2);
    ViewState state;
    state.pinned_queries = {2};
    state.pinned_keys = {0, 1};
    Focus focus;
    focus.combine = trace::Combine::mean;
    focus.layers = {1};
    const auto snapshot = snapshot_in(computation, small_document(), state, focus);
    REQUIRE(snapshot->strips->heads != nullptr);
    const auto share = [&](int layer, int head) {
        const auto map = *snapshot->run->trace.map({AttentionKind::encoder_self, layer, head});
        return map.cell(2, 0).weight + map.cell(2, 1).weight;
    };
    float sum = 0;
    for (int head = 0; head < 4; ++head) {
        sum += share(0, head);
        CHECK((*snapshot->strips->heads)(1, head) == Approx(share(1, head)));
    }
    const figure::Strip layers = app::layer_strip(*snapshot, 2, 4);
    CHECK(layers.tinted);
    CHECK((*layers.shares)(0, 0) == Approx(sum / 4));
    // Over the chosen layer alone.
    const figure::Strip heads = app::head_strip(*snapshot, 2, 4);
    CHECK((*heads.shares)(0, 2) == Approx(share(1, 2)));
}

TEST_CASE("without chosen keys every head gives all, and its strip has no colour") {
    app::Computation computation(1);
    ViewState state;
    state.pinned_queries = {2};
    const auto snapshot = snapshot_in(computation, small_document(), state);
    CHECK(snapshot->strips->heads == nullptr);
    CHECK_FALSE(app::layer_strip(*snapshot, 2, 4).tinted);
    CHECK_FALSE(app::head_strip(*snapshot, 2, 4).tinted);
}

TEST_CASE("another head asks for no new shares of all heads, another choice does") {
    app::Computation computation(1);
    ViewState state;
    state.pinned_keys = {1};
    const auto first = snapshot_in(computation, small_document(), state);
    Focus other;
    other.head.head = 2;
    const auto second = snapshot_in(computation, small_document(), state, other);
    CHECK(second->strips->heads == first->strips->heads);
    CHECK(second->strips->given != first->strips->given);
    state.pinned_keys = {2};
    const auto third = snapshot_in(computation, small_document(), state, other);
    CHECK(third->strips->heads != first->strips->heads);
}

TEST_CASE("hidden strips are not computed, nor are those of scores") {
    app::Computation computation(1);
    ViewState state;
    state.strips = false;
    state.pinned_keys = {1};
    CHECK(snapshot_in(computation, small_document(), state)->strips == nullptr);
    state.strips = true;
    Focus scores;
    scores.stage = Stage::scores;
    const auto snapshot = snapshot_in(computation, small_document(), state, scores);
    CHECK(snapshot->strips->given == nullptr);
    CHECK(snapshot->strips->heads != nullptr);
}

TEST_CASE("a picture names what it is filtered to, and not what is not there any more") {
    app::Computation computation(1);
    ViewState state;
    state.pinned_queries = {1, 99};
    state.pinned_keys = {0, 2, 3, 5};
    const auto snapshot = snapshot_in(computation, small_document(), state);
    const std::string dump = figure::dump(app::make_figure(*snapshot, state, 900, 640));
    CHECK(contains(dump, "filtered: query “cat” · keys “The”, “sat”, “on” and 1 more"));
    state.pinned_queries = {99};
    state.pinned_keys = {};
    const std::string none = figure::dump(app::make_figure(*snapshot, state, 900, 640));
    CHECK_FALSE(contains(none, "filtered"));
    Focus focus;
    focus.combine = trace::Combine::mean;
    focus.layers = {1};
    focus.heads = {0, 2};
    CHECK(app::filter_phrase(app::filter_words(focus)) == " · filtered: layer 2 · heads 1, 3");
}

TEST_CASE("merged to words, what is chosen and what the strips say are words") {
    app::Computation computation(1);
    app::Document document = small_document();
    document.source = "The cat sat";
    document.segmentation = text::Segmentation::characters;
    ViewState state;
    state.pinned_keys = {4}; // the "a" of "cat"
    Focus focus;
    focus.merge_words = true;
    const auto snapshot = snapshot_in(computation, document, state, focus);
    REQUIRE(snapshot->strips->given->rows() == 3);
    for (Index i = 0; i < 3; ++i) {
        CHECK((*snapshot->strips->given)(i, 0) == Approx((*snapshot->map)(i, 1)));
    }
    CHECK((*snapshot->strips->heads)(0, 0) == Approx(snapshot->map->col(1).mean()));
    const std::string dump = figure::dump(app::make_figure(*snapshot, state, 900, 640));
    CHECK(contains(dump, "filtered: key “cat”"));
}

TEST_CASE("a reference has strips of its own map") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::encoder_self, 0);
    ViewState state;
    state.pinned_keys = {1};
    state.compare = app::Compare::beside;
    const Focus focus;
    const auto snapshot = computation.answer(
        {1, altered, focus, app::needs_of(state, focus), app::unaltered(altered, focus)}, {});
    REQUIRE(snapshot->reference->strips != nullptr);
    CHECK((*snapshot->reference->strips->given)(2, 0) == (*snapshot->reference->map)(2, 1));
    CHECK((*snapshot->strips->given)(2, 0) == (*snapshot->map)(2, 1));
    const std::string dump = figure::dump(app::make_figure(*snapshot, state, 1400, 640));
    CHECK(contains(dump, "strip"));
}

TEST_CASE("the cell of a filter is its largest weight, unless the selected one is of it") {
    app::Computation computation(1);
    ViewState state;
    const auto snapshot = snapshot_in(computation, small_document(), state);
    const auto& w = *snapshot->map;
    CHECK_FALSE(app::cell_of_filter(*snapshot, state));
    state.pinned_queries = {2};
    Index key = 0;
    w.row(2).maxCoeff(&key);
    CHECK(app::cell_of_filter(*snapshot, state) == std::pair(2, static_cast<int>(key)));
    CHECK(app::first_cell(*snapshot, state) == std::pair(2, static_cast<int>(key)));
    state.pinned_keys = {0, 3};
    const int larger = w(2, 0) > w(2, 3) ? 0 : 3;
    CHECK(app::cell_of_filter(*snapshot, state) == std::pair(2, larger));
    state.selected = {2, larger == 0 ? 3 : 0};
    CHECK_FALSE(app::cell_of_filter(*snapshot, state)); // it is of the filter
    state.selected = {1, 0};
    CHECK(app::cell_of_filter(*snapshot, state) == std::pair(2, larger));
}
