#include "app/engine/computation.hpp"
#include "app/engine/engine.hpp"
#include "app/engine/measures.hpp"
#include "app/engine/speech.hpp"
#include "app/engine/strip_shares.hpp"
#include "app/files/shipped_models.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/titles.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "small_document.hpp"

#include <cmath>

using namespace heed;
using app::Compare;
using app::Focus;
using app::Reference;
using trace::AttentionKind;
using trace::Stage;

namespace {

std::shared_ptr<const app::Snapshot> answered_after(app::Computation& computation,
                                                    const app::Request& request) {
    auto snapshot = computation.answer(request, {});
    REQUIRE(snapshot != nullptr);
    REQUIRE_FALSE(snapshot->error.has_value());
    return snapshot;
}

} // namespace

TEST_CASE("a focus on several heads shows their combined weights and says so") {
    app::Computation computation(1);
    Focus focus;
    focus.head = {AttentionKind::encoder_self, 1, 2};
    focus.combine = trace::Combine::mean;
    const auto all = answered_after(computation, {1, small_document(), focus});
    CHECK(app::map_data(*all).title == "Encoder · mean of 8 heads");
    for (num::Index i = 0; i < all->map->rows(); ++i) {
        CHECK(all->map->row(i).sum() == Approx(1).epsilon(1e-5));
    }
    focus.layers = {1};
    focus.heads = {2, 99};
    const auto one = answered_after(computation, {2, small_document(), focus});
    CHECK(app::map_data(*one).title == "Encoder layer 2 · head 3");
    CHECK(*one->map == one->run->trace.map(focus.head)->whole(Stage::weights));
    focus.layers = {};
    focus.heads = {2};
    app::Document changed = small_document();
    models::HeadControls hot;
    hot.temperature = 2.0f;
    changed.controls.set({AttentionKind::encoder_self, 1, {}}, hot);
    models::HeadControls mute;
    mute.gain = 0.0f;
    changed.controls.set({AttentionKind::encoder_self, 1, 3}, mute);
    const auto over = answered_after(computation, {4, changed, focus});
    CHECK(app::map_data(*over).title == "Encoder · mean of head 3 over 2 layers");
    // Of heads that are not drawn nothing is said.
    CHECK(contains(app::map_data(*over).subtitle, "temperature 2 in layer 2, head 3"));
    CHECK_FALSE(contains(app::map_data(*over).subtitle, "switched off"));
    focus.combine.reset();
    focus.layers = {1};
    const auto head = answered_after(computation, {3, small_document(), focus});
    CHECK(app::map_data(*head).title == "Encoder layer 2 · head 3");
}

TEST_CASE("links of several heads are their map's, below it as in Lines") {
    app::Computation computation(1);
    Focus focus;
    focus.combine = trace::Combine::sum;
    const auto snapshot = answered_after(computation, {1, small_document(), focus});
    app::ViewState state; // Heatmap
    CHECK(app::map_data(*snapshot).sums);
    CHECK(app::shows_combined(*snapshot, state));
    app::Place below{600, 200};
    below.links_of_map = true;
    const std::string of_map = figure::dump(app::make_figure(*snapshot, state, below));
    CHECK(contains(of_map, "Encoder · sum of 8 heads"));
    state.view = app::View::lines;
    CHECK(app::shows_combined(*snapshot, state));
    CHECK(contains(figure::dump(app::make_figure(*snapshot, state, 600, 200)),
                   "Encoder · sum of 8 heads"));
    CHECK(contains(app::provenance(*snapshot, state.view), "sum of 8 heads"));
    app::Needs needs;
    needs.overlay = state.overlay = {0, 2};
    const auto laid = answered_after(computation, {2, small_document(), focus, needs});
    CHECK_FALSE(app::shows_combined(*laid, state)); // heads over each other are what was asked for
}

TEST_CASE("no link or word lies in the line that says that links are of the weights") {
    app::Computation computation(1);
    Focus focus;
    app::Place below{600, 140};
    below.links_of_map = true;
    below.titled = false;
    const auto first = [&](trace::Stage stage) {
        focus.stage = stage;
        const auto snapshot = answered_after(computation, {1, small_document(), focus});
        const figure::Figure links = app::make_figure(*snapshot, app::ViewState{}, below);
        CHECK(links.height == Approx(140));
        float top = 140;
        for (const figure::Primitive& item : links.items) {
            if (const auto* text = std::get_if<figure::Text>(&item))
                top = std::min(top, text->at.y);
        }
        return top;
    };
    CHECK(first(trace::Stage::scores) >= first(trace::Stage::weights) + 10);
}

TEST_CASE("a reference is computed beside the present state") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::encoder_self, 0);
    const Reference unaltered{"original", small_document(), {}};
    const auto snapshot = answered_after(computation, {1, altered, {}, {}, unaltered});
    REQUIRE(snapshot->reference != nullptr);
    REQUIRE(snapshot->reference->run != nullptr);
    CHECK(snapshot->reference->run->controls == small_document().controls);
    CHECK(snapshot->reference->prediction != nullptr);

    const auto difference = app::difference_data(*snapshot);
    REQUIRE(difference.has_value());
    CHECK(difference->signed_values);
    CHECK(contains(difference->subtitle, "now − original"));
    CHECK(difference->values->isApprox(*snapshot->map - *snapshot->reference->map));
    CHECK(difference->values->cwiseAbs().maxCoeff() > 0.001f);
}

TEST_CASE("a difference names what was changed in what it takes off") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::encoder_self, 0);
    const auto snapshot = answered_after(
        computation, {1, small_document(), {}, {}, Reference{"pinned", altered, {}}});
    const std::string named = app::reference_named(*snapshot);
    CHECK(contains(named, "pinned (scale off"));
    CHECK(contains(app::difference_data(*snapshot)->subtitle, "now − " + named));
    app::ViewState state;
    state.compare = app::Compare::difference;
    CHECK(contains(app::caption(*snapshot, state), "minus " + named));
}

TEST_CASE("no link lies in the line that says whose links they are, below maps that are compared") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::encoder_self, 0);
    const Reference unaltered{"original", small_document(), {}};
    const auto snapshot = answered_after(computation, {1, altered, {}, {}, unaltered});
    app::Place below{600, 110};
    below.links_of_map = true;
    below.titled = false;
    const auto highest = [&](app::Compare compare) {
        app::ViewState state;
        state.compare = compare;
        const figure::Figure links = app::make_figure(*snapshot, state, below);
        CHECK(links.height == Approx(110));
        float top = 110;
        int curves = 0;
        for (const figure::Primitive& item : links.items) {
            const auto* curve = std::get_if<figure::Curve>(&item);
            if (!curve) continue;
            ++curves;
            top = std::min(top, 0.25f * curve->a.y + 0.75f * curve->control_a.y);
        }
        CHECK(curves > 0);
        return top;
    };
    CHECK(highest(app::Compare::off) < 16);
    CHECK(highest(app::Compare::beside) >= 16);
}

TEST_CASE("a difference that is none yet says what to do") {
    app::Computation computation(1);
    const Reference unaltered{"original", small_document(), {}};
    const auto snapshot = answered_after(computation, {1, small_document(), {}, {}, unaltered});
    CHECK(app::difference_data(*snapshot)->subtitle ==
          "no difference from original yet: change a control to see one");
    // Beside each other, the sentence above both maps says it.
    app::ViewState state;
    state.compare = app::Compare::beside;
    CHECK(app::reading(*snapshot, state) ==
          "No difference from original yet: change a control to see one.");
}

TEST_CASE("a difference of masked scores is zero where both are masked") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::decoder_self, 0);
    Focus focus;
    focus.head = {AttentionKind::decoder_self, 0, 0};
    focus.stage = Stage::masked;
    const auto snapshot = answered_after(
        computation, {1, altered, focus, {}, Reference{"original", small_document(), focus}});
    CHECK(app::difference_data(*snapshot)->values->allFinite());
}

TEST_CASE("a difference names both words where they are not the same") {
    app::Computation computation(1);
    app::Document now = small_document(), pinned = small_document();
    now.source = "the cat sat";
    pinned.source = "the dog sat";
    Focus focus;
    focus.head = {AttentionKind::encoder_self, 0, 0};
    const auto snapshot =
        answered_after(computation, {1, now, focus, {}, Reference{"pinned", pinned, focus}});
    const auto data = app::difference_data(*snapshot);
    REQUIRE(data);
    CHECK(data->row_labels == std::vector<std::string>{"the", "cat / dog", "sat"});
    CHECK(data->col_labels == data->row_labels);
    CHECK(contains(data->subtitle, "a / b: now a, b in pinned"));
    CHECK(contains(app::compared_reading(*snapshot, {}),
                   "\u201ccat\u201d (pinned: \u201cdog\u201d)"));
}

TEST_CASE("maps of different shape have no difference, and the picture says so") {
    app::Computation computation(1);
    app::Document pinned = small_document();
    pinned.source = "Two words";
    const auto snapshot =
        answered_after(computation, {1, small_document(), {}, {}, Reference{"pinned", pinned, {}}});
    CHECK_FALSE(app::difference_data(*snapshot).has_value());
    app::ViewState state;
    state.compare = Compare::difference;
    const auto figure = app::make_figure(*snapshot, state, 1000, 600);
    const std::string words = app::lacks_difference(*snapshot, state);
    CHECK(contains(words, "The two maps differ in size: there is no difference to show."));
    CHECK(contains(words, "\npinned, 2 rows: Two words\nnow, 6 rows: "));
    CHECK(contains(figure::dump(figure), "pinned, 2 rows: Two words"));
    CHECK(figure.targets.empty()); // where the map would be
    CHECK(app::compared_reading(*snapshot, {}).empty());
    state.compare = Compare::beside;
    CHECK(app::lacks_difference(*snapshot, state).empty());
    CHECK(app::heatmap_tables(*snapshot, state).all.size() == 2);
}

TEST_CASE("side by side tells what either model says, where that differs") {
    app::Computation computation(1);
    app::Document now = small_document(), pinned = small_document();
    now.target = "le chat";
    pinned.target = "le chat noir dort";
    Focus focus;
    focus.head = {AttentionKind::cross, 0, 0};
    const auto snapshot =
        answered_after(computation, {1, now, focus, {}, Reference{"pinned", pinned, focus}});
    app::ViewState state;
    state.compare = Compare::beside;
    const std::string beside = figure::dump(app::make_figure(*snapshot, state, 1400, 700));
    CHECK(contains(beside, "says “le chat”"));
    CHECK(contains(beside, "says “le chat noir dort”"));
    state.compare = Compare::difference;
    const std::string words = app::lacks_difference(*snapshot, state);
    CHECK(contains(words, "The output has another length now"));
    CHECK(contains(words, "le chat noir dort"));
}

TEST_CASE("the cell that changed most is told") {
    app::Computation computation(1);
    app::Document altered = small_document();
    scale_off(altered, AttentionKind::encoder_self, 0);
    Focus focus;
    focus.head = {AttentionKind::encoder_self, 0, 0};
    const auto snapshot = answered_after(
        computation, {1, altered, focus, {}, Reference{"original", small_document(), focus}});
    const auto cell = app::most_changed(*snapshot);
    REQUIRE(cell);
    const auto& difference = *snapshot->reference->difference;
    CHECK(std::abs(difference(cell->first, cell->second)) == difference.cwiseAbs().maxCoeff());
    const auto same =
        answered_after(computation, {2, altered, focus, {}, Reference{"pinned", altered, focus}});
    CHECK_FALSE(app::most_changed(*same));
}

TEST_CASE("a picture beside its reference has the cells of both") {
    app::Computation computation(1);
    const auto snapshot = answered_after(
        computation, {1, small_document(), {}, {}, Reference{"pinned", small_document(), {}}});
    app::ViewState state;
    state.compare = Compare::beside;
    const auto figure = app::make_figure(*snapshot, state, 1000, 600);
    CHECK(figure.width == Approx(1000));
    int grids = 0;
    for (const auto& target : figure.targets) grids += target.as<figure::tag::Cells>() != nullptr;
    CHECK(grids == 2);
    CHECK(contains(figure.title, "pinned"));
}

TEST_CASE("a reference that cannot be computed takes nothing else with it") {
    app::Computation computation(1);
    app::Document broken = small_document();
    broken.model_file = "/nowhere.safetensors";
    const auto snapshot =
        answered_after(computation, {1, small_document(), {}, {}, Reference{"pinned", broken, {}}});
    REQUIRE(snapshot->reference != nullptr);
    CHECK(snapshot->reference->error.has_value());
    CHECK(snapshot->run != nullptr);
    app::ViewState state;
    state.compare = Compare::difference;
    CHECK(app::make_figure(*snapshot, state, 800, 600).items.size() > 10);
}

TEST_CASE("the effect of a head is the relative change of the output without it") {
    app::Computation computation(1);
    app::Needs needs;
    needs.effects = true;
    auto snapshot = answered_after(computation, {1, small_document(), {}, needs});
    REQUIRE(snapshot->effects != nullptr);
    while (auto more = computation.refine({})) {
        CHECK(more->revision == snapshot->revision);
        snapshot = more;
    }
    REQUIRE(snapshot->effects->complete());
    CHECK(computation.refine({}) == nullptr);

    app::Document without = small_document();
    models::HeadControls off;
    off.gain = 0.0f;
    without.controls.set({AttentionKind::encoder_self, 1, 2}, off);
    const auto other = answered_after(computation, {2, without, {}});
    const auto& whole = snapshot->run->trace.tensor("decoder_output")->values;
    const auto& less = other->run->trace.tensor("decoder_output")->values;
    CHECK(snapshot->effects->relative_change[4 + 2].value() ==
          Approx((less - whole).norm() / whole.norm()).epsilon(1e-5));
}

TEST_CASE("effects of a model that speaks are measured with its own words as the target") {
    app::Computation computation(1);
    app::Document document = small_document();
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "she does not see the black cat";
    document.target.clear();
    app::Needs needs;
    needs.effects = true;
    for (const AttentionKind kind :
         {AttentionKind::encoder_self, AttentionKind::decoder_self, AttentionKind::cross}) {
        app::Focus focus;
        focus.head.kind = kind;
        auto snapshot = answered_after(computation, {1, document, focus, needs});
        while (auto more = computation.refine({})) snapshot = more;
        REQUIRE(snapshot->effects->complete());
        const std::string said = app::said_line(*snapshot->run, document.segmentation);
        for (std::size_t i = 0; i < snapshot->effects->says.size(); ++i) {
            const float change = snapshot->effects->relative_change[i].value();
            const std::string says = snapshot->effects->says[i].value_or("");
            INFO(said << " / " << says << ", " << change);
            CHECK(std::isfinite(change));
            CHECK(change > 0);
            CHECK(change < 2); // neither output is longer than the other's words
            CHECK(says != said);
        }
    }
}

TEST_CASE("the engine measures effects after its answer until a newer request comes") {
    app::Engine engine(nullptr, 2);
    app::Needs needs;
    needs.effects = true;
    const auto revision = engine.submit(small_document(), {}, needs);
    engine.wait_for_all();
    CHECK(engine.latest()->effects->complete());
    CHECK(engine.latest()->revision == revision);
    for (int i = 0; i < 20; ++i) {
        app::Document document = small_document();
        document.source += " word" + std::to_string(i);
        CHECK(engine.wait_for(engine.submit(document, {}, needs))->document == document);
    }
}

TEST_CASE("whoever waits for all may stop waiting, and has the answer with what is there by then") {
    app::Engine engine(nullptr, 1);
    app::Needs needs;
    needs.effects = true;
    const auto revision = engine.submit(small_document(), {}, needs);
    const auto some = engine.wait_for_all(std::chrono::steady_clock::now());
    REQUIRE(some->run);
    CHECK(some->revision == revision);
    CHECK(engine.wait_for_all()->effects->complete());
    CHECK_FALSE(engine.refining());
}

TEST_CASE(
    "what comes after each token of the target is known, and the last of it is the next word") {
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat sleeps";
    document.target.clear();
    app::Computation computation(1);
    const auto snapshot = computation.answer({1, document, {}, {}}, {});
    REQUIRE(snapshot->prediction);
    const app::Prediction& said = *snapshot->prediction;
    const auto& target = snapshot->run->trace.target;
    REQUIRE(target.size() > 3);
    REQUIRE(said.after_each.rows() == std::ssize(target));
    const int end = static_cast<int>(said.after_each.rows()) - 1;
    const auto last = app::prediction_after(said, end);
    REQUIRE(last);
    CHECK((last->probabilities - said.probabilities).cwiseAbs().maxCoeff() < 1e-6f);
    CHECK(last->entropy_bits == Approx(said.entropy_bits).margin(1e-4));
    for (std::size_t i = 0; i + 1 < target.size(); ++i) { // the model said each of them itself
        const auto after = app::prediction_after(said, static_cast<int>(i));
        num::Index best = 0;
        after->probabilities.maxCoeff(&best);
        CHECK(snapshot->run->model->answer(best) == target[i + 1].text);
        CHECK(after->probabilities.sum() == Approx(1));
    }
    CHECK_FALSE(app::prediction_after(said, -1));
    CHECK_FALSE(app::prediction_after(said, end + 1));
}

TEST_CASE("a difference strikes the cells that one side alone masks, and keeps their values") {
    app::Computation computation(1);
    app::Document altered = small_document();
    models::HeadControls controls;
    nn::Mask mask;
    mask.window = 1;
    controls.mask = mask;
    altered.controls.set({AttentionKind::encoder_self, 0, std::nullopt}, controls);
    Focus focus;
    focus.head = {AttentionKind::encoder_self, 0, 0};
    const auto snapshot = answered_after(
        computation, {1, altered, focus, {}, Reference{"original", small_document(), focus}});
    const auto data = app::difference_data(*snapshot);
    REQUIRE(data);
    CHECK(data->masked.empty()); // of both
    CHECK(data->struck_words == "masked now");
    num::Index struck = 0;
    for (const figure::CellRun& run : data->struck) {
        for (num::Index col = run.first; col < run.last; ++col, ++struck) {
            CHECK(std::abs(run.row - col) > 1);
            CHECK((*data->values)(run.row, col) < 0);
        }
    }
    const num::Index n = data->values->rows();
    CHECK(struck == n * n - (3 * n - 2));
    app::ViewState state;
    state.compare = Compare::difference;
    CHECK(contains(figure::dump(app::make_figure(*snapshot, state, 1000, 700)), "masked now"));
}

TEST_CASE("maps beside each other have their numbers on the stage of a small window") {
    app::Computation computation(1);
    app::Document document;
    document.model_file = app::shipped_model("en-fr-transformer");
    document.source = "the black cat did not eat the red apple";
    document.target.clear();
    const Focus focus{{AttentionKind::cross, 0, 0}};
    app::Document altered = document;
    scale_off(altered, AttentionKind::cross, 0);
    app::ViewState state;
    state.compare = app::Compare::beside;
    const auto snapshot = answered_after(
        computation, {1, altered, focus, {}, Reference{"original", document, focus}});
    app::Place place{720, 380};
    place.beside_title = 420;
    place.reads = true;
    const auto drawn = app::make_figure(*snapshot, state, place);
    int left = 0, right = 0; // texts that are a weight
    for (const figure::Primitive& item : drawn.items) {
        const auto* text = std::get_if<figure::Text>(&item);
        if (!text || !text->text.starts_with("0.")) continue;
        ++(text->at.x < 360 ? left : right);
    }
    CHECK(left > 10);
    CHECK(right > 5); // no longer as sharp
    CHECK(app::drawn_model_title(app::as_snapshot(*snapshot->reference)) ==
          app::drawn_model_title(*snapshot)); // of either half: no seed, for it was trained
}

TEST_CASE("a stage is called above its map as its tile is, and a mask that is off so") {
    app::Computation computation(1);
    Focus focus{{AttentionKind::encoder_self, 0, 0}, trace::Stage::masked};
    const auto title = [&](AttentionKind kind) {
        focus.head.kind = kind;
        return app::map_data(*computation.answer({1, small_document(), focus}, {})).title;
    };
    CHECK(title(AttentionKind::encoder_self).ends_with(" · no mask"));
    CHECK(title(AttentionKind::decoder_self).ends_with(" · + mask"));
    focus.stage = trace::Stage::scaled;
    CHECK(title(AttentionKind::encoder_self).ends_with(" · ÷ √dₖ"));
    focus.stage = trace::Stage::q;
    CHECK(title(AttentionKind::encoder_self).ends_with(" · Q"));
    focus.stage = trace::Stage::context;
    CHECK(title(AttentionKind::encoder_self).ends_with(" · weights · V"));
}
