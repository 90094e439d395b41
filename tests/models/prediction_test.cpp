#include "models/sentences.hpp"
#include "models/transformer/parameters.hpp"

#include <cmath>

using namespace heed;
using namespace heed::models;

TEST_CASE("the next token's probabilities are the softmax over the vocabulary's rows") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    const auto run = ran(model, sentence(), {}, pool);
    const auto found = model->next_token_probabilities(*run, pool);
    const auto& rows = model->parameters().output;
    const auto x = run->trace.tensor("decoder_output")->values.row(4);
    REQUIRE(found.size() == rows.rows());
    std::vector<double> e;
    double sum = 0;
    for (num::Index r = 0; r < rows.rows(); ++r) {
        e.push_back(std::exp(static_cast<double>(x.dot(rows.row(r)))));
        sum += e.back();
    }
    for (num::Index r = 0; r < rows.rows(); ++r) {
        CHECK(found(r) == Approx(e[static_cast<std::size_t>(r)] / sum).epsilon(1e-4));
    }
}

TEST_CASE("padding after the target does not become what the prediction reads") {
    num::ThreadPool pool(1);
    const auto model = drawn(tiny(), pool);
    Input padded = sentence();
    const auto alone = model->next_token_probabilities(*ran(model, padded, {}, pool), pool);
    padded.pad_to = 9;
    Controls masked; // the padding is masked for everybody, so that nothing else reads it either
    HeadControls padding;
    padding.mask.emplace();
    padding.mask->padding = true;
    masked.set({}, padding);
    padding.mask->causal = true;
    masked.set({trace::AttentionKind::decoder_self, {}, {}}, padding);
    const auto beside = model->next_token_probabilities(*ran(model, padded, masked, pool), pool);
    CHECK((alone - beside).cwiseAbs().maxCoeff() < 1e-7f);
}

TEST_CASE("an encoder alone predicts nothing") {
    num::ThreadPool pool(1);
    const auto run =
        ran(drawn(tiny(Architecture::encoder_only), pool), {tokens(3), {}, 0}, {}, pool);
    CHECK(run->model->next_token_probabilities(*run, pool).size() == 0);
}

TEST_CASE("two threads predict what one does") {
    num::ThreadPool one(1), two(2);
    ModelSpec config = tiny();
    config.vocabulary = 8192;
    const auto run = ran(drawn(config, one), sentence(), {}, one);
    const auto alone = run->model->next_token_probabilities(*run, one);
    REQUIRE(alone.size() == config.vocabulary);
    CHECK((alone - run->model->next_token_probabilities(*run, two)).cwiseAbs().maxCoeff() < 1e-9f);
}
