#include "train/transformer_net.hpp"

#include "central_differences.hpp"
#include "models/model.hpp"
#include "text/vocabulary.hpp"
#include "train/model_learners.hpp"

#include <cmath>
#include <vector>

using namespace heed;
using namespace heed::tests;
using models::Architecture;
using models::TransformerConfig;
using train::Example;

namespace {

TransformerConfig tiny() {
    TransformerConfig c;
    c.d_model = 8;
    c.n_heads = 2;
    c.n_encoder_layers = c.n_decoder_layers = 1;
    c.d_ff = 5;
    c.vocabulary = 9;
    c.speaks = true;
    c.max_positions = 12;
    return c;
}

const std::vector<Example>& sentences() {
    static const std::vector<Example> examples{
        {{3, 4, 5}, {6, 7}, {}, -1}, {{8}, {3, 3, 4, 5}, {}, -1}, {{7, 6}, {}, {}, -1}};
    return examples;
}

std::vector<const Example*> pointers(const std::vector<Example>& examples) {
    std::vector<const Example*> list;
    for (const Example& e : examples) list.push_back(&e);
    return list;
}

struct Variant {
    const char* name;
    TransformerConfig config;
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
    add("encoder alone", [](auto& c) { c.architecture = Architecture::encoder_only; });
    auto& hard = add("dropout and label smoothing", [](auto&) {});
    hard.dropout = 0.2f;
    hard.smoothing = 0.1f;
    return list;
}

std::vector<Example> examples_for(const TransformerConfig& c) {
    auto examples = sentences();
    for (Example& e : examples) {
        if (!models::has_decoder(c)) e.target.resize(e.source.size(), 4);
    }
    return examples;
}

std::shared_ptr<const models::Transformer> draw(const TransformerConfig& config) {
    num::Team team(1);
    auto model = models::Transformer::draw(config, team);
    REQUIRE(model);
    return *model;
}

} // namespace

TEST_CASE("a whole transformer passes back what central differences say") {
    num::Team team(1);
    for (const Variant& v : variants()) {
        INFO(v.name);
        const auto model = draw(v.config);
        train::Places places(slots(model->parameters()));
        const auto net = train::transformer_net<double>(model->parameters(), places);
        std::vector<double> values(static_cast<std::size_t>(net->size())), gradients(values.size());
        places.read(values.data());
        const auto pass = net->pass(gradients.data());
        const auto examples = examples_for(v.config);
        const auto batch = pointers(examples);
        train::PassSettings settings;
        settings.hardships = {v.dropout, v.smoothing, 0};
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
}

TEST_CASE("a transformer's loss is that of the probabilities that a live run shows") {
    num::Team team(2);
    const bool decoder_alone = GENERATE(false, true);
    TransformerConfig config = tiny();
    if (decoder_alone) config.architecture = Architecture::decoder_only;
    const auto model = draw(config);
    const auto learner = train::make_learner(team, model);
    const Example example{{3, 4, 5}, {6, 7}, {}, -1};
    const Index first = decoder_alone ? std::ssize(example.source) : 0; // the row of ⟨start⟩
    const Example* one = &example;
    const auto judged = learner->judge(team, std::span(&one, 1));
    models::Input input;
    for (const Index row : example.source) input.source.push_back({model->vocabulary_word(row)});
    for (const Index row : example.target) input.target.push_back({model->vocabulary_word(row)});
    const auto run = models::run(model, input, {}, team);
    REQUIRE(run);
    const auto p = (*run)->trace.tensor("decoder.probabilities");
    REQUIRE(p);
    const double expected = -std::log(double(p->values(first, 6))) -
                            std::log(double(p->values(first + 1, 7))) -
                            std::log(double(p->values(first + 2, 2)));
    CHECK(judged.tokens == 3);
    CHECK(judged.loss == Approx(expected).epsilon(1e-5));
}

TEST_CASE("a transformer's gradients are nearly the same on one thread and on two, and the same "
          "each time") {
    const auto model = draw(tiny());
    const auto batch = pointers(sentences());
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 2}) {
        num::Team team(threads);
        const auto learner = train::make_learner(team, model);
        const auto result = learner->learn(team, batch, {}, 1);
        CHECK(result.tokens == 9);
        CHECK(result.objective == Approx(result.loss / 9));
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

TEST_CASE("a transformer's gradients do not depend on the batch before") {
    num::Team team(2);
    const auto learner = train::make_learner(team, draw(tiny()));
    const auto batch = pointers(sentences());
    const auto gradients = [&] {
        std::vector<float> all;
        for (const auto& p : learner->parameters()) {
            all.insert(all.end(), p.gradients.begin(), p.gradients.end());
        }
        return all;
    };
    learner->learn(team, batch, {}, 1);
    const auto first = gradients();
    learner->learn(team, std::span(batch).first(1), {0.2f, 0, 0}, 5);
    CHECK(gradients() != first);
    learner->learn(team, batch, {}, 1);
    CHECK(gradients() == first);
}
