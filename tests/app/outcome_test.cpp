#include "app/engine/outcome.hpp"

#include "catch.hpp"
#include "models/model/sampling.hpp"
#include "models/transformer/transformer.hpp"

using namespace heed;
using app::Prediction;

namespace {

Prediction prediction(std::initializer_list<float> probabilities) {
    Prediction p;
    p.probabilities.resize(static_cast<num::Index>(probabilities.size()));
    num::Index i = 0;
    for (const float value : probabilities) p.probabilities(i++) = value;
    return p;
}

text::Token token(const std::string& text) {
    text::Token t;
    t.text = text;
    return t;
}

} // namespace

TEST_CASE("the next word's candidates come most probable first, with what they were") {
    const Prediction now = prediction({0.1f, 0.4f, 0.05f, 0.25f, 0.2f});
    const Prediction before = prediction({0.1f, 0.1f, 0.5f, 0.2f, 0.1f});
    const app::NextWord words = app::next_word(now, &before, 2);
    REQUIRE(words.candidates.size() == 3); // the former first one has fallen
    CHECK(words.candidates[0].row == 1);
    CHECK(words.candidates[0].former == 0.1f);
    CHECK(words.candidates[1].row == 3);
    CHECK(words.candidates[2].row == 2);
    CHECK(words.candidates[2].probability == 0.05f);
    CHECK(words.rest == Approx(0.3));
    CHECK(app::next_word(now, nullptr, 9).candidates.size() == 5);
    CHECK(app::next_word(now, nullptr, 9).rest == Approx(0).margin(1e-6));
    // Where all are listed nothing is left, and no rounding: 1 − 0.7 − 0.2 − 0.1 is 7e-9.
    const Prediction three = prediction({0.7f, 0.2f, 0.1f});
    CHECK(app::next_word(three, nullptr, 3).rest == 0);
    CHECK(app::next_word(three, nullptr, 2).rest == Approx(0.1));
    Prediction kept = prediction({0.7f, 0.2f, 0.1f, 0.5f}); // sampling draws the first three alone
    models::Cut cut{kept.probabilities, {true, true, true, false}, 3};
    kept.cut = std::make_shared<const models::Cut>(cut);
    CHECK(app::next_word(kept, nullptr, 4).rest == 0);
    CHECK(app::next_word(kept, nullptr, 3).rest == Approx(0.1));
    // Another vocabulary has other rows.
    const Prediction other = prediction({1});
    CHECK_FALSE(app::next_word(now, &other, 1).candidates[0].former);
}

TEST_CASE("a row is called by the words that fall on it, those of the sentence first") {
    app::SeenWords words;
    const auto with_rows = [](int rows) {
        models::ModelSpec config = models::narrowest();
        config.vocabulary = rows;
        num::ThreadPool pool(1);
        auto model = models::Transformer::draw(config, pool);
        REQUIRE(model);
        models::Run run;
        run.model = *model;
        return run;
    };
    models::Run now = with_rows(64);
    const num::Index row = models::embedding_row("cat", 64);
    CHECK(words.name(row, now) == "no. " + std::to_string(row));
    words.note({token("cat"), token("cat")});
    CHECK(words.name(row, now) == "cat");
    // Another word that falls on the same row.
    std::string twin;
    for (int i = 0; twin.empty(); ++i) {
        const std::string word = "w" + std::to_string(i);
        if (models::embedding_row(word, 64) == row) twin = word;
    }
    now.input.target = {token(twin)};
    CHECK(words.name(row, now) == twin + ", cat");
    const models::Run large = with_rows(4096);
    CHECK(words.name(models::embedding_row("cat", 4096), large) == "cat");
}

TEST_CASE("the memory's change is relative, and none between sentences of different length") {
    const auto memory = [](float value, num::Index rows) {
        auto tensor = std::make_shared<trace::Tensor>();
        tensor->values = num::Matrix<float>::Constant(rows, 3, value);
        return app::Outcome{nullptr, tensor};
    };
    CHECK(app::memory_change(memory(3, 4), memory(2, 4)) == Approx(0.5f));
    CHECK_FALSE(app::memory_change(memory(3, 4), memory(2, 5)));
    CHECK_FALSE(app::memory_change({}, memory(2, 5)));
}
