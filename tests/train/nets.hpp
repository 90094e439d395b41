// What tests of networks hold against what, whatever kind of model it is.
#pragma once

#include "central_differences.hpp"
#include "models/model/model.hpp"
#include "text/vocabulary.hpp"
#include "train/loop/optimizer.hpp"
#include "train/nets/model_learners.hpp"
#include "train/nets/net.hpp"
#include "train/nets/parameter_layout.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace heed::train {

/// The examples must stay.
inline std::vector<const Example*> pointers(const std::vector<Example>& examples) {
    std::vector<const Example*> list;
    for (const Example& e : examples) list.push_back(&e);
    return list;
}

/// Gradients of every parameter of a net on these places, against central differences.
inline void check_differences(Net<double>& net, const ParameterLayout& places,
                              const std::vector<Example>& examples,
                              const Regularization& regularization) {
    num::ThreadPool pool(1);
    std::vector<double> values(static_cast<std::size_t>(net.size())), gradients(values.size());
    places.read(values.data());
    const auto pass = net.pass(gradients.data());
    const auto batch = pointers(examples);
    PassSettings settings;
    settings.regularization = regularization;
    settings.factor = 0.25;
    const auto loss = [&] {
        net.set(pool, values.data());
        auto judge = settings;
        judge.factor = 0;
        return pass->run(batch, judge).smoothed * settings.factor;
    };
    net.set(pool, values.data());
    pass->run(batch, settings);
    const std::vector<double> found = gradients;
    for (const auto& tensor : places.tensors()) {
        tests::check_gradient(tensor.name, values.data() + tensor.offset, tensor.size,
                              found.data() + tensor.offset, loss, 1e-6);
    }
}

/// One after another, as parameters() lists them.
inline std::vector<float> gradients_of(Learner& learner) {
    std::vector<float> all;
    for (const auto& p : learner.parameters()) {
        all.insert(all.end(), p.gradients.begin(), p.gradients.end());
    }
    return all;
}

/// Nearly the same gradients on one thread and on two, and the same each time.
inline void check_threads(const std::shared_ptr<const models::Model>& model,
                          const std::vector<Example>& examples, std::size_t tokens) {
    const auto batch = pointers(examples);
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 2}) {
        num::ThreadPool pool(threads);
        const auto learner = make_learner(pool, model);
        const auto result = learner->learn(pool, batch, {}, 1);
        CHECK(result.tokens == tokens);
        CHECK(result.objective == Approx(result.loss / static_cast<double>(tokens)));
        found.push_back(gradients_of(*learner));
    }
    for (std::size_t i = 0; i < found[0].size(); ++i) {
        CHECK(found[1][i] == Approx(found[0][i]).margin(1e-5));
        CHECK(found[1][i] == found[2][i]);
    }
}

/// The loss of an example is that of the probabilities that a live run shows for its target and
/// the end, from the row of ⟨start⟩ on.
inline void check_live_loss(const std::shared_ptr<const models::Model>& model,
                            const Example& example, Index start = 0) {
    num::ThreadPool pool(2);
    const Example* one = &example;
    const auto judged = make_learner(pool, model)->evaluate_batch(pool, std::span(&one, 1));
    models::Input input;
    for (const Index row : example.source) input.source.push_back({model->vocabulary_word(row)});
    for (const Index row : example.target) input.target.push_back({model->vocabulary_word(row)});
    const auto run = models::run(model, input, {}, pool);
    REQUIRE(run);
    const auto p = (*run)->trace.tensor("decoder.probabilities");
    REQUIRE(p);
    std::vector<Index> wanted = example.target;
    wanted.push_back(static_cast<Index>(text::Vocabulary::kEnd));
    double expected = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Index row = start + static_cast<Index>(i);
        expected -= std::log(static_cast<double>(p->values(row, wanted[i])));
    }
    CHECK(judged.tokens == wanted.size());
    CHECK(judged.loss == Approx(expected).epsilon(1e-5));
}

/// So many steps on one batch and nothing else.
inline void learn_one_batch(num::ThreadPool& pool, Learner& learner,
                            const std::vector<Example>& examples, int steps, float rate) {
    const auto batch = pointers(examples);
    const auto parameters = learner.parameters();
    Optimizer optimizer(Adam{}, count(parameters));
    for (int step = 0; step < steps; ++step) {
        learner.learn(pool, batch, {}, 1);
        optimizer.step(pool, parameters, rate);
        learner.parameters_changed(pool);
    }
}

} // namespace heed::train
