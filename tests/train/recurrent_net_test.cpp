#include "train/recurrent_net.hpp"

#include "central_differences.hpp"
#include "models/model.hpp"
#include "train/model_learners.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace heed;
using namespace heed::tests;
using models::Context;
using models::Projection;
using models::Recurrent;
using models::RecurrentConfig;
using models::StepOrder;
using train::Example;

namespace {

RecurrentConfig tiny() {
    RecurrentConfig c;
    c.hidden = 4;
    c.embedding = 3;
    return c;
}

std::shared_ptr<const Recurrent> draw(const RecurrentConfig& config) {
    num::Team team(1);
    auto p = std::make_unique<Recurrent::Parameters>();
    p->config = config;
    p->vocabulary = text::Vocabulary({"ate", "an", "apple", "yesterday"}, 2);
    make_room(*p);
    models::draw(slots(*p), 5, team);
    return Recurrent::of(std::move(p));
}

const std::vector<Example>& sentences() {
    static const std::vector<Example> examples{
        {{3, 4, 5}, {6, 7}, {}, -1}, {{8}, {3, 3, 4, 5}, {}, -1}, {{7, 6, 3, 5}, {}, {}, -1}};
    return examples;
}

std::vector<const Example*> pointers(const std::vector<Example>& examples) {
    std::vector<const Example*> list;
    for (const Example& e : examples) list.push_back(&e);
    return list;
}

std::string name_of(const RecurrentConfig& c) {
    return std::string(nn::name(c.cell)) + ", " + std::string(models::name(c.context)) + ", " +
           std::string(nn::name(c.score)) + ", " + std::string(models::name(c.order)) + ", " +
           std::string(models::name(c.projection)) + ", " + std::string(models::name(c.shape)) +
           ", " + std::to_string(c.n_layers) + (c.bidirectional ? " both ways" : " one way");
}

/// Every cell, context, score, order and projection, each at least once with each of two orders.
std::vector<RecurrentConfig> variants() {
    std::vector<RecurrentConfig> list;
    for (const auto order : {StepOrder::attend_first, StepOrder::update_first}) {
        for (const nn::Score score : nn::kScores) {
            RecurrentConfig c = tiny();
            c.order = order;
            c.score = score;
            list.push_back(c);
            if (!nn::has_parameters(score)) continue;
            c.projection = Projection::none; // keys wider than queries
            list.push_back(c);
        }
        for (const nn::Cell cell : nn::kCells) {
            RecurrentConfig c = tiny();
            c.order = order;
            c.cell = cell;
            c.n_layers = 2;
            c.projection = Projection::two;
            list.push_back(c);
            c.bidirectional = false;
            c.projection = Projection::none;
            list.push_back(c);
        }
        for (const auto context : {Context::last, Context::mean}) {
            for (const auto projection : {Projection::none, Projection::one, Projection::two}) {
                RecurrentConfig c = tiny();
                c.order = order;
                c.context = context;
                c.projection = projection;
                list.push_back(c);
            }
        }
    }
    return list;
}

void check_differences(const RecurrentConfig& config, const train::Hardships& hardships,
                       const std::vector<Example>& examples = sentences()) {
    INFO(name_of(config));
    num::Team team(1);
    const auto model = draw(config);
    train::Places places(slots(model->parameters()));
    const auto net = train::recurrent_net<double>(model->parameters(), places);
    std::vector<double> values(static_cast<std::size_t>(net->size())), gradients(values.size());
    places.read(values.data());
    const auto pass = net->pass(gradients.data());
    const auto batch = pointers(examples);
    train::PassSettings settings;
    settings.hardships = hardships;
    settings.factor = 0.1;
    const auto loss = [&] {
        net->set(team, values.data());
        auto judge = settings;
        judge.factor = 0;
        return pass->run(batch, judge).smoothed * 0.1;
    };
    net->set(team, values.data());
    pass->run(batch, settings);
    const std::vector<double> found = gradients;
    for (const auto& tensor : places.tensors()) {
        check_gradient(tensor.name, values.data() + tensor.offset, tensor.size,
                       found.data() + tensor.offset, loss, 1e-6);
    }
}

} // namespace

TEST_CASE("whole recurrent models pass back what central differences say") {
    for (const RecurrentConfig& config : variants()) check_differences(config, {});
}

TEST_CASE("recurrent models of the other shapes pass back what central differences say") {
    static const std::vector<Example> each{
        {{3, 4, 5}, {6, 7, 3}, {}, -1}, {{8}, {4}, {}, -1}, {{7, 6, 3, 5}, {3, 3, 4, 8}, {}, -1}};
    static const std::vector<Example> one{
        {{3, 4, 5}, {6}, {}, -1}, {{8}, {4}, {}, -1}, {{7, 6, 3, 5}, {3}, {}, -1}};
    for (const nn::Cell cell : nn::kCells) {
        for (const bool both_ways : {false, true}) {
            RecurrentConfig c = tiny();
            c.cell = cell;
            c.n_layers = 2;
            c.bidirectional = both_ways;
            c.shape = models::Shape::n_to_n;
            check_differences(c, {}, each);
            c.shape = models::Shape::n_to_one;
            check_differences(c, {}, one);
            check_differences(c, {0.3f, 0.1f, 0}, one);
        }
        RecurrentConfig c = tiny();
        c.cell = cell;
        c.n_layers = 2;
        c.shape = models::Shape::one_to_n;
        check_differences(c, {}, sentences());
    }
}

TEST_CASE("they do so under dropout, label smoothing and free running") {
    check_differences(tiny(), {0.3f, 0.1f, 0});
    check_differences(tiny(), {0, 0, 0.7f}); // what it says itself stays within a difference's step
}

TEST_CASE("a recurrent model's loss is that of the probabilities that a live run shows") {
    num::Team team(2);
    for (const RecurrentConfig& config : variants()) {
        INFO(name_of(config));
        const auto model = draw(config);
        const auto learner = train::make_learner(team, model);
        const Example example{{3, 4, 6}, {5, 6}, {}, -1};
        const Example* one = &example;
        const auto judged = learner->judge(team, std::span(&one, 1));
        models::Input input;
        for (const Index row : example.source) {
            input.source.push_back({model->vocabulary_word(row)});
        }
        for (const Index row : example.target) {
            input.target.push_back({model->vocabulary_word(row)});
        }
        const auto run = models::run(model, input, {}, team);
        REQUIRE(run);
        const auto p = (*run)->trace.tensor("decoder.probabilities");
        REQUIRE(p);
        const double expected = -std::log(double(p->values(0, 5))) -
                                std::log(double(p->values(1, 6))) -
                                std::log(double(p->values(2, 2)));
        CHECK(judged.tokens == 3);
        CHECK(judged.loss == Approx(expected).epsilon(1e-5));
    }
}

TEST_CASE("a recurrent model's gradients are nearly the same on one thread and on two, and the "
          "same each time") {
    const auto model = draw(tiny());
    const auto batch = pointers(sentences());
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 2}) {
        num::Team team(threads);
        const auto learner = train::make_learner(team, model);
        CHECK(learner->learn(team, batch, {}, 1).tokens == 9);
        auto& all = found.emplace_back();
        for (const auto& p : learner->parameters()) {
            all.insert(all.end(), p.gradients.begin(), p.gradients.end());
        }
    }
    for (std::size_t i = 0; i < found[0].size(); ++i) {
        CHECK(found[1][i] == Approx(found[0][i]).margin(1e-5));
        CHECK(found[1][i] == found[2][i]);
    }
}
