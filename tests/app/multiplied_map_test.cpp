// Weights times the length of what they pass on.
#include "app/engine/computation.hpp"
#include "app/engine/multiplied_map.hpp"
#include "app/views/map_data.hpp"
#include "app/views/reading.hpp"
#include "app/views/view_figure.hpp"
#include "catch.hpp"
#include "figure/base/number_text.hpp"
#include "inside/head_values.hpp"
#include "small_document.hpp"

using namespace heed;

namespace {

std::shared_ptr<const app::Snapshot> looked_at(app::Times times) {
    app::Computation computation(1);
    app::Focus focus;
    focus.times = times;
    return computation.answer({1, small_document(), focus}, {});
}

} // namespace

TEST_CASE("a map of weights times norms is each weight times its key's norm") {
    for (const auto times : {app::Times::value, app::Times::transformed}) {
        const auto snapshot = looked_at(times);
        REQUIRE(snapshot->multiplied);
        const trace::HeadId& head = snapshot->focus.head;
        const auto norms = times == app::Times::value
                               ? inside::value_norms(*snapshot->run, head)
                               : inside::transformed_norms(*snapshot->run, head).value();
        const auto& weights = *snapshot->map;
        REQUIRE(snapshot->multiplied->rows() == weights.rows());
        for (num::Index i = 0; i < weights.rows(); ++i) {
            for (num::Index j = 0; j < weights.cols(); ++j) {
                CHECK((*snapshot->multiplied)(i, j) == weights(i, j) * norms(j));
            }
        }
        const figure::MapData data = app::map_data(*snapshot);
        CHECK(data.values == snapshot->multiplied);
        CHECK_FALSE(data.weights);
        CHECK(data.title.find(app::times_words(snapshot->focus)) != std::string::npos);
        // Lines, whose widths are shares, keep the weights.
        CHECK(*app::weights_data(*snapshot).values == weights);
    }
    CHECK(looked_at(app::Times::nothing)->multiplied == nullptr);
}

TEST_CASE("several heads and other stages are not multiplied") {
    app::Computation computation(1);
    app::Focus focus;
    focus.times = app::Times::value;
    focus.combine = trace::Combine::mean;
    CHECK(computation.answer({1, small_document(), focus}, {})->multiplied == nullptr);
    focus.combine.reset();
    focus.stage = trace::Stage::scores;
    CHECK(computation.answer({2, small_document(), focus}, {})->multiplied == nullptr);
}

TEST_CASE("the sentence of a map of weights times norms reports what is drawn") {
    for (const auto times : {app::Times::value, app::Times::transformed}) {
        const auto snapshot = looked_at(times);
        const auto& drawn = *snapshot->multiplied;
        for (int query = 0; query < drawn.rows(); ++query) {
            num::Index key = 0;
            const float most = drawn.row(query).maxCoeff(&key);
            app::ViewState state;
            state.selected = {query, static_cast<int>(key)};
            const std::string words = app::reading(*snapshot, state);
            INFO(words);
            CHECK(words.find(app::times_words(snapshot->focus)) != std::string::npos);
            const int decimals = figure::decimals_for(drawn.maxCoeff()); // as in its cells
            CHECK(words.find("(" + figure::number_text(most, decimals) + ")") != std::string::npos);
            CHECK(words.find("attends most") == std::string::npos);
        }
    }
}
