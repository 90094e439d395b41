#include "app/document/names.hpp"
#include "app/engine/computation.hpp"
#include "app/views/export.hpp"
#include "app/views/reading.hpp"
#include "app/views/rooms.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "models/text_checkpoint.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"
#include "small_document.hpp"
#include "temporary_folder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

using namespace heed;
using app::View;
using nn::Positions;

namespace {

std::shared_ptr<const app::Snapshot> room_snapshot(const app::ViewState& state,
                                                   const app::Document& document,
                                                   const trace::HeadId& head = {}) {
    app::Computation computation(1);
    app::Focus focus;
    focus.head = head;
    auto snapshot = computation.answer({1, document, focus, app::needs_of(state, focus)}, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

bool shows(const app::Snapshot& snapshot, const app::ViewState& state, const std::string& words) {
    return figure::dump(app::make_figure(snapshot, state, 1000, 800)).find(words) !=
           std::string::npos;
}

app::ViewState positions_room() {
    app::ViewState state;
    state.view = View::positions;
    return state;
}

/// A small checkpoint that reads "the cat sat", in the Positions room.
struct Checkpoint {
    explicit Checkpoint(const std::string& name, const trace::HeadId& head = {}) {
        make_text_checkpoint(folder / name, name);
        document.model_file = folder / name;
        document.source = "the cat sat";
        document.target.clear();
        snapshot = room_snapshot(positions_room(), document, head);
    }
    bool shows(const std::string& words) const {
        return ::shows(*snapshot, positions_room(), words);
    }
    num::Matrix<float> table(const std::string& name) const {
        const auto tables = app::view_tables(*snapshot, positions_room());
        const auto found = std::ranges::find(tables.all, name, &files::Table::name);
        REQUIRE(found != tables.all.end());
        return *found->values;
    }

    const TemporaryFolder folder;
    app::Document document;
    std::shared_ptr<const app::Snapshot> snapshot;
};

/// The small document, whose first head alone has such positions.
app::Document with_one_head(Positions positions) {
    app::Document document = small_document();
    models::HeadControls own;
    own.positions = positions;
    document.controls.set({trace::AttentionKind::encoder_self, 0, 0}, own);
    return document;
}

} // namespace

TEST_CASE("the Positions room shows the head's own positions until another kind is chosen") {
    app::ViewState state;
    state.view = View::positions;
    app::Document document = small_document();
    models::spec_of(document.model)->positions = Positions::alibi;
    const auto snapshot = room_snapshot(state, document);
    CHECK(shows(*snapshot, state, "ALiBi positions"));
    state.position_room.kind = Positions::sinusoidal;
    state.position_room.d_model = 64;
    state.position_room.length = 40;
    state.position_room.base = 100;
    CHECK(shows(*snapshot, state, "d_model 64 · 40 positions · base 100"));
}

TEST_CASE("relative positions are the model's own: its buckets and its largest distance") {
    const Checkpoint t5("t5"); // 8 buckets up to a distance of 20
    const num::Matrix<float>& own =
        *t5.snapshot->run->model->relative_biases(trace::AttentionKind::encoder_self);
    const num::Matrix<float> offsets = t5.table("offsets");
    constexpr num::Index kHere = 127; // of 128 positions
    CHECK(offsets.cols() == 3);
    for (num::Index head = 0; head < 3; ++head) {
        CHECK(offsets(kHere, head) == own(0, head));
        CHECK(offsets(kHere - 1, head) == own(1, head));
        CHECK(offsets(kHere - 6, head) == own(2, head)); // 2 + ⌊2 ln(6/2) / ln(20/2)⌋
        CHECK(offsets(kHere - 7, head) == own(3, head));
        CHECK(offsets(kHere + 1, head) == own(5, head));
    }
    CHECK(t5.shows("what each head of Encoder self-attention adds to its scores"));
    CHECK_FALSE(t5.shows("not trained"));
    const Checkpoint cross("t5", {trace::AttentionKind::cross, 0, 0});
    CHECK(cross.shows("No positions in this head"));
    CHECK_FALSE(cross.shows("cannot tell the order"));
    app::ViewState tried = positions_room();
    for (const Positions kind : nn::kPositions) {
        tried.position_room.kind = kind;
        CHECK_FALSE(app::make_figure(*cross.snapshot, tried, 700, 600).items.empty());
    }
}

TEST_CASE("rotary positions are the model's own: base, scaling, pairs and width") {
    const Checkpoint llama("llama"); // base 500; long waves of texts beyond 32 tokens × 8
    CHECK(llama.shows("dₖ 6 · pairs c, c + 3 · base 500 · long waves × 8 · 128 positions"));
    const num::Matrix<float> cosines = llama.table("table");
    CHECK(cosines.cols() == 3);
    CHECK(cosines(40, 0) == Approx(std::cos(40.0)));
    CHECK(cosines(40, 1) == Approx(std::cos(40 * std::pow(500, -1.0 / 3) / 8)));
    CHECK(app::base_shown(*llama.snapshot->run, Positions::rotary, {}) == 500);
    CHECK(app::base_shown(*llama.snapshot->run, Positions::sinusoidal, {}) == 10000);

    const Checkpoint neox("neox"); // a quarter of each head's 8 features
    CHECK(neox.table("table").cols() == 1);
    CHECK(neox.table("offsets")(1, 0) == Approx((2 * std::cos(1.0) + 6) / 8));
}

TEST_CASE("learned positions are those that tokens read, and the reading claims no more") {
    const Checkpoint gpt2("gpt2");
    CHECK(gpt2.shows("this model's table · d_model 18 · all 32"));
    CHECK(gpt2.shows("thin lines: least and most"));
    const std::string words = app::reading(*gpt2.snapshot, positions_room());
    CHECK(words.starts_with("A position's dot product with itself is 5.8,"));
    CHECK(words.find("how near") == std::string::npos); // its table is noise

    using enum trace::AttentionKind;
    const Checkpoint encoder("bart", {encoder_self, 0, 0}), decoder("bart", {decoder_self, 0, 0});
    const auto& model = *encoder.snapshot->run->model;
    CHECK(encoder.table("table").row(0) == model.learned_positions(encoder_self)->row(2));
    CHECK(decoder.table("table").row(0) == model.learned_positions(decoder_self)->row(2));
    CHECK(encoder.table("table") != decoder.table("table"));

    app::ViewState tried = positions_room();
    tried.position_room.kind = Positions::learned;
    CHECK(shows(*room_snapshot(tried, small_document()), tried, "random numbers, not trained"));
}

TEST_CASE("sinusoidal positions stand as the model has them, sines first or in turn") {
    const Checkpoint marian("marian");
    const num::Matrix<float> table = marian.table("table");
    const num::Index d = table.cols(), sines = (d + 1) / 2;
    const double slower = std::pow(10000, -2.0 / static_cast<double>(d));
    CHECK(table(3, 1) == Approx(std::sin(3 * slower)));
    CHECK(table(3, sines) == Approx(std::cos(3.0)));
    CHECK(table(3, sines + 1) == Approx(std::cos(3 * slower)));
}

TEST_CASE("of a head that was changed alone the Positions room speaks of this head") {
    const app::ViewState state = positions_room();
    const auto off = room_snapshot(state, with_one_head(Positions::none));
    CHECK(shows(*off, state, "No positions in this head"));
    CHECK(shows(*off, state, "the embedding has sinusoidal positions all the same"));
    CHECK_FALSE(shows(*off, state, "cannot tell the order"));

    const auto alibi = room_snapshot(state, with_one_head(Positions::alibi));
    CHECK(
        shows(*alibi, state, "what head 1 of Encoder layer 1 adds to its scores; other heads do"));
    CHECK(shows(*alibi, state, "Bias of head 1"));
    CHECK(shows(*alibi, state, "\"head 1"));
    CHECK_FALSE(shows(*alibi, state, "\"head 2"));
    CHECK(shows(*alibi, state, "The embedding has sinusoidal positions"));
    CHECK(app::reading(*alibi, state).find("head 4") == std::string::npos);

    const auto relative = room_snapshot(state, with_one_head(Positions::relative));
    CHECK(shows(*relative, state, "random numbers, not trained"));
    // Its neighbour has those of the embedding, as before.
    const auto other = room_snapshot(state, with_one_head(Positions::relative),
                                     {trace::AttentionKind::encoder_self, 0, 1});
    CHECK(shows(*other, state, "Sinusoidal positions"));

    app::Document none = small_document();
    models::spec_of(none.model)->positions = Positions::none;
    CHECK(shows(*room_snapshot(state, none), state, "the model cannot tell the order"));
    models::spec_of(none.model)->positions = Positions::alibi;
    const auto all = room_snapshot(state, none);
    CHECK(shows(*all, state, "what each head of Encoder self-attention adds to its scores"));
    CHECK(shows(*all, state, "\"head 4"));
}

TEST_CASE("every kind of positions makes a room of every size") {
    app::ViewState state;
    state.view = View::positions;
    const auto snapshot = room_snapshot(state, small_document());
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

TEST_CASE("the Softmax room's legends are of its factor itself, not of a neighbour") {
    app::ViewState state;
    state.view = View::softmax;
    state.selected = {1, 2};
    state.softmax_factor = 3.8548f; // between the factors of its curves
    const auto snapshot = room_snapshot(state, small_document());
    const auto tables = app::view_tables(*snapshot, state);
    const files::Table& weights = *std::ranges::find(tables.all, "weights", &files::Table::name);
    const num::RowVector<float> y = weights.values->col(2).transpose();
    CHECK(shows(*snapshot, state,
                "Jacobian norm  " + figure::scale_text(num::jacobian_norm<float>(y))));
    CHECK(shows(*snapshot, state,
                "entropy, bits  " + figure::number_text(num::entropy_bits<float>(y), 2)));
    num::Index most = 0;
    y.maxCoeff(&most);
    CHECK(shows(*snapshot, state,
                weights.rows[static_cast<std::size_t>(most)] + "  " +
                    figure::row_weight_text(y[most], figure::span_of(y))));
}

TEST_CASE("the Softmax room multiplies the selected query's scores by its factor") {
    app::ViewState state;
    state.view = View::softmax;
    state.selected = {1, 0};
    const auto snapshot = room_snapshot(state, small_document());
    REQUIRE(snapshot->histograms != nullptr);
    CHECK(shows(*snapshot, state, "Softmax of query 2 “cat”"));
    CHECK(shows(*snapshot, state, "y = softmax of the run's scores × 1"));
    state.softmax_factor = 4;
    CHECK(shows(*snapshot, state, "y = softmax of the run's scores × 4"));
}

TEST_CASE("the histograms are of q · k, whose variance is d_k before and 1 after scaling") {
    app::ViewState state;
    state.view = View::softmax;
    const auto snapshot = room_snapshot(state, small_document());
    for (const auto& histogram : *snapshot->histograms) {
        const double expected = histogram.scaled ? 1 : static_cast<double>(histogram.d_k);
        CHECK(histogram.variance == Approx(expected).epsilon(0.08));
    }
}
