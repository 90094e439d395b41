#include "train/nets/transformer_net.hpp"

#include "train/nets.hpp"

#include <vector>

using namespace heed;
using namespace heed::tests;
using models::Architecture;
using models::ModelSpec;
using train::Example;

namespace {

ModelSpec tiny() {
    ModelSpec c;
    c.d_model = 8;
    c.n_heads = 2;
    c.n_encoder_layers = c.n_decoder_layers = 1;
    c.d_ff = 5;
    c.vocabulary = 9;
    c.has_vocabulary = true;
    c.max_positions = 12;
    return c;
}

const std::vector<Example>& sentences() {
    static const std::vector<Example> examples{
        {{3, 4, 5}, {6, 7}, {}, -1}, {{8}, {3, 3, 4, 5}, {}, -1}, {{7, 6}, {}, {}, -1}};
    return examples;
}

struct Variant {
    const char* name;
    ModelSpec config;
    float dropout = 0, smoothing = 0;
};

std::vector<Variant> variants() {
    std::vector<Variant> list;
    const auto add = [&](const char* name, auto&& change) -> Variant& {
        Variant v{name, tiny()};
        change(v.config);
        list.push_back(v);
        return list.back();
    };
    add("2017", [](auto&) {});
    add("pre-norm, GELU, two layers", [](auto& c) {
        c.norm = nn::NormOrder::pre;
        c.activation = nn::Activation::gelu;
        c.n_encoder_layers = c.n_decoder_layers = 2;
    });
    add("learned positions", [](auto& c) { c.positions = nn::Positions::learned; });
    add("concatenated sines", [](auto& c) { c.join = nn::Join::concatenate; });
    add("concatenated learned positions", [](auto& c) {
        c.positions = nn::Positions::learned;
        c.join = nn::Join::concatenate;
    });
    add("rotary", [](auto& c) { c.positions = nn::Positions::rotary; });
    add("ALiBi", [](auto& c) { c.positions = nn::Positions::alibi; });
    add("relative", [](auto& c) { c.positions = nn::Positions::relative; });
    add("no positions", [](auto& c) { c.positions = nn::Positions::none; });
    add("decoder alone", [](auto& c) { c.architecture = Architecture::decoder_only; });
    add("one text", [](auto& c) {
        c.architecture = Architecture::decoder_only;
        c.one_text = true;
    });
    add("encoder alone", [](auto& c) { c.architecture = Architecture::encoder_only; });
    auto& hard = add("dropout and label smoothing", [](auto&) {});
    hard.dropout = 0.2f;
    hard.smoothing = 0.1f;
    return list;
}

std::vector<Example> examples_for(const ModelSpec& c) {
    auto examples = sentences();
    for (Example& e : examples) {
        if (!models::has_decoder(c)) e.target.resize(e.source.size(), 4);
    }
    return examples;
}

std::shared_ptr<const models::Transformer> draw(const ModelSpec& config) {
    num::ThreadPool pool(1);
    auto model = models::Transformer::draw(config, pool);
    REQUIRE(model);
    return *model;
}

} // namespace

TEST_CASE("a whole transformer passes back what central differences say") {
    for (const Variant& v : variants()) {
        INFO(v.name);
        const auto model = draw(v.config);
        train::ParameterLayout places(named_tensors(model->parameters()));
        const auto net = train::transformer_net<double>(model->parameters(), places);
        train::check_differences(*net, places, examples_for(v.config), {v.dropout, v.smoothing, 0});
    }
}

TEST_CASE("a transformer's loss is that of the probabilities that a live run shows") {
    const Example example{{3, 4, 5}, {6, 7}, {}, -1};
    train::check_live_loss(draw(tiny()), example);
    ModelSpec alone = tiny();
    alone.architecture = Architecture::decoder_only;
    train::check_live_loss(draw(alone), example, std::ssize(example.source));
}

TEST_CASE("a transformer's gradients are nearly the same on one thread and on two, and the same "
          "each time") {
    train::check_threads(draw(tiny()), sentences(), 9);
}

TEST_CASE("a transformer's gradients do not depend on the batch before") {
    num::ThreadPool pool(2);
    const auto learner = train::make_learner(pool, draw(tiny()));
    const auto batch = train::pointers(sentences());
    learner->learn(pool, batch, {}, 1);
    const auto first = train::gradients_of(*learner);
    learner->learn(pool, std::span(batch).first(1), {0.2f, 0, 0}, 5);
    CHECK(train::gradients_of(*learner) != first);
    learner->learn(pool, batch, {}, 1);
    CHECK(train::gradients_of(*learner) == first);
}
