#include "train/nets/recurrent_net.hpp"

#include "nn/attention/score_info.hpp"
#include "train/nets.hpp"

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

RecurrentConfig tiny_recurrent() {
    RecurrentConfig c;
    c.hidden = 4;
    c.embedding = 3;
    return c;
}

std::shared_ptr<const Recurrent> draw_recurrent(const RecurrentConfig& config) {
    num::ThreadPool pool(1);
    auto p = std::make_unique<Recurrent::Parameters>();
    p->config = config;
    p->vocabulary = text::Vocabulary({"ate", "an", "apple", "yesterday"}, 2);
    make_room(*p);
    models::draw(named_tensors(*p), 5, pool);
    return Recurrent::of(std::move(p));
}

const std::vector<Example>& recurrent_sentences() {
    static const std::vector<Example> examples{
        {{3, 4, 5}, {6, 7}, {}, -1}, {{8}, {3, 3, 4, 5}, {}, -1}, {{7, 6, 3, 5}, {}, {}, -1}};
    return examples;
}

std::string name_of(const RecurrentConfig& c) {
    return std::string(nn::name(c.cell)) + ", " + std::string(models::name(c.context)) + ", " +
           std::string(nn::name(c.score)) + ", " + std::string(models::name(c.order)) + ", " +
           std::string(models::name(c.projection)) + ", " + std::string(models::name(c.shape)) +
           ", from " + std::string(models::name(c.beginning)) + ", " + std::to_string(c.n_layers) +
           (c.bidirectional ? " both ways" : " one way");
}

/// Every cell, context, score, order and projection, each at least once with each of two orders.
std::vector<RecurrentConfig> recurrent_variants() {
    std::vector<RecurrentConfig> list;
    for (const auto order : {StepOrder::attend_first, StepOrder::update_first}) {
        for (const nn::Score score : nn::kScores) {
            RecurrentConfig c = tiny_recurrent();
            c.order = order;
            c.score = score;
            list.push_back(c);
            if (!nn::has_parameters(score)) continue;
            c.projection = Projection::none; // keys wider than queries
            list.push_back(c);
        }
        for (const nn::Cell cell : nn::kCells) {
            RecurrentConfig c = tiny_recurrent();
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
                RecurrentConfig c = tiny_recurrent();
                c.order = order;
                c.context = context;
                c.projection = projection;
                list.push_back(c);
            }
        }
    }
    for (const auto context : {Context::last, Context::mean, Context::attention}) {
        RecurrentConfig c = tiny_recurrent();
        c.context = context;
        c.n_layers = 2;
        c.beginning = models::Beginning::nothing;
        list.push_back(c);
    }
    return list;
}

void check_recurrent_differences(const RecurrentConfig& config,
                                 const train::Regularization& regularization,
                                 const std::vector<Example>& examples = recurrent_sentences()) {
    INFO(name_of(config));
    const auto model = draw_recurrent(config);
    train::ParameterLayout places(named_tensors(model->parameters()));
    const auto net = train::recurrent_net<double>(model->parameters(), places);
    train::check_differences(*net, places, examples, regularization);
}

} // namespace

TEST_CASE("whole recurrent models pass back what central differences say") {
    for (const RecurrentConfig& config : recurrent_variants())
        check_recurrent_differences(config, {});
}

TEST_CASE("recurrent models of the other shapes pass back what central differences say") {
    static const std::vector<Example> each{
        {{3, 4, 5}, {6, 7, 3}, {}, -1}, {{8}, {4}, {}, -1}, {{7, 6, 3, 5}, {3, 3, 4, 8}, {}, -1}};
    static const std::vector<Example> one{
        {{3, 4, 5}, {6}, {}, -1}, {{8}, {4}, {}, -1}, {{7, 6, 3, 5}, {3}, {}, -1}};
    for (const nn::Cell cell : nn::kCells) {
        for (const bool both_ways : {false, true}) {
            RecurrentConfig c = tiny_recurrent();
            c.cell = cell;
            c.n_layers = 2;
            c.bidirectional = both_ways;
            c.shape = models::Shape::n_to_n;
            check_recurrent_differences(c, {}, each);
            c.shape = models::Shape::n_to_one;
            check_recurrent_differences(c, {}, one);
            check_recurrent_differences(c, {0.3f, 0.1f, 0}, one);
        }
        RecurrentConfig c = tiny_recurrent();
        c.cell = cell;
        c.n_layers = 2;
        c.shape = models::Shape::one_to_n;
        check_recurrent_differences(c, {}, recurrent_sentences());
    }
}

TEST_CASE("they do so under dropout, label smoothing and scheduled sampling") {
    check_recurrent_differences(tiny_recurrent(), {0.3f, 0.1f, 0});
    check_recurrent_differences(
        tiny_recurrent(), {0, 0, 0.7f}); // what it says itself stays within a difference's step
}

TEST_CASE("a recurrent model's loss is that of the probabilities that a live run shows") {
    for (const RecurrentConfig& config : recurrent_variants()) {
        INFO(name_of(config));
        train::check_live_loss(draw_recurrent(config), {{3, 4, 6}, {5, 6}, {}, -1});
    }
}

TEST_CASE("a recurrent model's gradients are nearly the same on one thread and on two, and the "
          "same each time") {
    train::check_threads(draw_recurrent(tiny_recurrent()), recurrent_sentences(), 9);
}
