#include "models/recurrent/recurrent_parameters.hpp"
#include "models/transformer/transformer.hpp"
#include "train/nets.hpp"

#include <memory>
#include <vector>

using namespace heed;
using train::Example;

namespace {

/// The last loss a token of a model that sees nothing but one batch.
double loss_after(num::ThreadPool& pool, std::shared_ptr<const models::Model> model, int steps,
                  float rate,
                  const std::vector<Example>& examples = {{{3, 4, 5}, {6, 7}, {}, -1},
                                                          {{8, 3}, {3, 3, 4, 5}, {}, -1},
                                                          {{7, 6, 5, 4}, {5, 6}, {}, -1},
                                                          {{5, 5}, {7, 8, 3}, {}, -1}}) {
    const auto batch = train::pointers(examples);
    const auto learner = train::make_learner(pool, std::move(model));
    train::learn_one_batch(pool, *learner, examples, steps, rate);
    // What it learned is in the model that it gives away.
    const auto again = train::make_learner(pool, learner->model(pool));
    const auto judged = again->evaluate_batch(pool, batch);
    CHECK(judged.right == judged.tokens);
    CHECK(judged.loss == Approx(learner->evaluate_batch(pool, batch).loss));
    return judged.loss / double(judged.tokens);
}

} // namespace

TEST_CASE("a transformer of every form of positions and norms overfits one batch") {
    num::ThreadPool pool(2);
    for (const auto order : {nn::NormOrder::post, nn::NormOrder::pre}) {
        for (const auto positions : {nn::Positions::sinusoidal, nn::Positions::rotary}) {
            models::ModelSpec c;
            c.d_model = 16;
            c.n_heads = 2;
            c.n_encoder_layers = c.n_decoder_layers = 1;
            c.d_ff = 32;
            c.vocabulary = 12;
            c.has_vocabulary = true;
            c.norm = order;
            c.positions = positions;
            const auto model = models::Transformer::draw(c, pool);
            REQUIRE(model);
            CHECK(loss_after(pool, *model, 300, 0.01f) < 0.01);
        }
    }
}

TEST_CASE("a recurrent model of every shape overfits one batch") {
    num::ThreadPool pool(2);
    const std::vector<Example> each{{{3, 4, 5}, {6, 7, 3}, {}, -1},
                                    {{8, 3}, {3, 4}, {}, -1},
                                    {{7, 6, 5, 4}, {5, 6, 8, 8}, {}, -1}};
    const std::vector<Example> one{
        {{3, 4, 5}, {6}, {}, -1}, {{8, 3}, {3}, {}, -1}, {{7, 6, 5, 4}, {5}, {}, -1}};
    const std::vector<Example> many{
        {{3}, {6, 7, 3}, {}, -1}, {{8}, {3, 4}, {}, -1}, {{7}, {5, 6, 8, 8}, {}, -1}};
    const std::pair<models::Shape, const std::vector<Example>&> shapes[] = {
        {models::Shape::n_to_n, each},
        {models::Shape::n_to_one, one},
        {models::Shape::one_to_n, many}};
    for (const auto& [shape, examples] : shapes) {
        auto p = std::make_unique<models::Recurrent::Parameters>();
        p->config.shape = shape;
        p->config.hidden = 16;
        p->config.embedding = 8;
        p->vocabulary = text::Vocabulary({"ate", "an", "apple", "yesterday"}, 2);
        make_room(*p);
        models::draw(named_tensors(*p), 5, pool);
        INFO(models::name(shape));
        CHECK(loss_after(pool, models::Recurrent::of(std::move(p)), 300, 0.01f, examples) < 0.01);
    }
}

TEST_CASE("a transformer's decoder alone overfits one batch, judged by the target alone") {
    num::ThreadPool pool(2);
    models::ModelSpec c;
    c.architecture = models::Architecture::decoder_only;
    c.d_model = 16;
    c.n_heads = 2;
    c.n_decoder_layers = 1;
    c.d_ff = 32;
    c.vocabulary = 12;
    c.has_vocabulary = true;
    const auto model = models::Transformer::draw(c, pool);
    REQUIRE(model);
    // The sources alone tell the targets from each other.
    CHECK(loss_after(pool, *model, 300, 0.01f,
                     {{{3, 4, 5}, {6, 7}, {}, -1},
                      {{8, 3}, {3, 3, 4, 5}, {}, -1},
                      {{7, 6, 5, 4}, {6, 6}, {}, -1},
                      {{5, 5}, {6, 8, 3}, {}, -1}}) < 0.01);
}

TEST_CASE("a transformer's encoder alone overfits one batch, a word at each of its own") {
    num::ThreadPool pool(2);
    models::ModelSpec c;
    c.architecture = models::Architecture::encoder_only;
    c.d_model = 16;
    c.n_heads = 2;
    c.n_encoder_layers = 1;
    c.d_ff = 32;
    c.vocabulary = 12;
    c.has_vocabulary = true;
    const auto model = models::Transformer::draw(c, pool);
    REQUIRE(model);
    CHECK(loss_after(pool, *model, 300, 0.01f,
                     {{{3, 4, 5}, {6, 7, 3}, {}, -1},
                      {{8, 3}, {3, 4}, {}, -1},
                      {{7, 6, 5, 4}, {5, 6, 8, 8}, {}, -1}}) < 0.01);
}

TEST_CASE("a recurrent model of every cell and context overfits one batch") {
    num::ThreadPool pool(2);
    for (const nn::Cell cell : nn::kCells) {
        for (const auto context : {models::Context::attention, models::Context::last}) {
            auto p = std::make_unique<models::Recurrent::Parameters>();
            p->config.cell = cell;
            p->config.context = context;
            p->config.hidden = 16;
            p->config.embedding = 8;
            p->vocabulary = text::Vocabulary({"ate", "an", "apple", "yesterday"}, 2);
            make_room(*p);
            models::draw(named_tensors(*p), 5, pool);
            INFO(nn::name(cell) << ", " << models::name(context));
            CHECK(loss_after(pool, models::Recurrent::of(std::move(p)), 300, 0.01f) < 0.01);
        }
    }
}
