#include "train/nets/classifier_net.hpp"

#include "models/classifier_models.hpp"
#include "train/classes.hpp"
#include "train/loop/evaluation.hpp"
#include "train/nets.hpp"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace heed::tests;
using models::ModelSpec;
using models::Transformer;
using train::Example;
using train::Index;

namespace {

/// Those of make_classifier.py.
const std::vector<Example>& classified_sentences() {
    static const std::vector<Example> examples{{{3, 4, 5, 17}, {}, {}, 2},
                                               {{8}, {}, {}, 0},
                                               {{7, 6, 3, 5, 19}, {}, {}, 1},
                                               {{3, 9, 4, 4, 6, 12, 5, 8}, {}, {}, 0}};
    return examples;
}

std::shared_ptr<const Transformer> classifier_with(const std::string& variant,
                                                   nn::Positions positions) {
    num::ThreadPool pool(1);
    auto archive = models::classifier_archive(variant);
    archive.metadata["positions"] = std::string(nn::name(positions));
    auto model = Transformer::read(archive, "a model", pool);
    REQUIRE(model);
    return *model;
}

void check_classifier_differences(const Transformer& model,
                                  const train::Regularization& regularization) {
    train::ParameterLayout places(named_tensors(model.parameters()));
    const auto net = train::classifier_net<double>(model.parameters(), places);
    train::check_differences(*net, places, classified_sentences(), regularization);
}

train::Plan small_classes(int heads, std::uint64_t steps) {
    ModelSpec config = train::small_classifier();
    config.d_model = 32;
    config.n_heads = heads;
    config.dense = 48;
    train::Plan plan = train::usual_plan(train::Task::headlines_en, config);
    plan.sentences.training = 600;
    plan.sentences.held_out = 60;
    plan.steps = steps;
    return plan;
}

} // namespace

TEST_CASE("whole classifiers pass back what central differences say") {
    for (const std::string variant : models::kClassifiers) {
        for (const auto positions : {nn::Positions::none, nn::Positions::sinusoidal,
                                     nn::Positions::learned, nn::Positions::relative}) {
            INFO(variant << ", " << nn::name(positions));
            check_classifier_differences(*classifier_with(variant, positions), {});
        }
    }
}

TEST_CASE("classifiers do so under dropout and label smoothing") {
    for (const std::string variant : models::kClassifiers) {
        check_classifier_differences(*classifier_with(variant, nn::Positions::learned),
                                     {0.3f, 0.1f, 0});
    }
}

TEST_CASE("gradients of classifiers agree with PyTorch") {
    const auto batch = train::pointers(classified_sentences());
    for (const std::string variant : models::kClassifiers) {
        const auto expected = models::under(models::classifier_reference().arrays, variant + "/");
        auto wanted = models::under(expected, "gradient/");
        for (const int threads : {1, 2}) {
            INFO(variant << ", " << threads << " threads");
            num::ThreadPool pool(threads);
            const auto learner =
                train::make_learner(pool, models::classifier_variant(variant, pool));
            const float smoothing = variant == "two_heads" ? 0.1f : 0.f;
            const auto result = learner->learn(pool, batch, {0, smoothing, 0}, 1);
            CHECK(result.objective == Approx(expected.at("loss").values[0]).epsilon(1e-5));
            CHECK(result.tokens == 4);
            for (const auto& p : learner->parameters()) {
                std::copy(p.gradients.begin(), p.gradients.end(), p.values.begin());
            }
            // By the names and in the layout of a model's file.
            const auto model = std::dynamic_pointer_cast<const Transformer>(learner->model(pool));
            tensors::Archive archive;
            write(named_tensors(model->parameters()), archive);
            CHECK(learner->parameters().size() == wanted.size());
            for (const auto& p : learner->parameters()) {
                INFO(p.name);
                REQUIRE(wanted.contains(p.name));
                const auto& found = archive.arrays.at(p.name).values;
                const auto& torch = wanted[p.name].values;
                REQUIRE(found.size() == torch.size());
                float largest = 1e-2f, worst = 0;
                for (std::size_t i = 0; i < torch.size(); ++i) {
                    largest = std::max(largest, std::abs(torch[i]));
                    worst = std::max(worst, std::abs(found[i] - torch[i]));
                }
                CHECK(worst <= 1e-5f * largest);
            }
        }
    }
}

TEST_CASE("a classifier overfits one batch to nothing") {
    num::ThreadPool pool(2);
    for (const std::string variant : models::kClassifiers) {
        INFO(variant);
        const auto learner = train::make_learner(pool, models::classifier_variant(variant, pool));
        train::learn_one_batch(pool, *learner, classified_sentences(), 300, 0.01f);
        const auto judged = learner->evaluate_batch(pool, train::pointers(classified_sentences()));
        CHECK(judged.right == 4);
        CHECK(judged.loss / 4 < 0.01);
    }
}

TEST_CASE("a classifier's loss is that of the probabilities that a live run shows") {
    num::ThreadPool pool(2);
    for (const std::string variant : models::kClassifiers) {
        const auto model = models::classifier_variant(variant, pool);
        const auto learner = train::make_learner(pool, model);
        for (Example example : classified_sentences()) {
            // A row that words share cannot be typed.
            std::replace(example.source.begin(), example.source.end(), Index(19), Index(16));
            const Example* one = &example;
            models::Input input;
            input.source = models::words_at(*model, example.source);
            const auto run = models::run(model, input, {}, pool);
            REQUIRE(run);
            const auto p = (*run)->trace.tensor("class_probabilities");
            CHECK(learner->evaluate_batch(pool, std::span(&one, 1)).loss ==
                  Approx(-std::log(double(p->values(0, example.label)))).epsilon(1e-5));
        }
    }
}

TEST_CASE("a classifier learns topics of headlines that it never saw") {
    num::ThreadPool pool(2);
    for (const int heads : {1, 4}) {
        train::Plan plan = small_classes(heads, 250);
        plan.sentences.training = 4000;
        const auto training = train::begun(plan, pool);
        train::take(*training, 250, pool);
        const auto result = train::evaluate(pool, training->model(pool), *training->dataset(), 60);
        if (!result) FAIL(base::describe(result.error()));
        const train::Measures& m = result->measures;
        INFO(heads << " heads, " << m.exact_match);
        CHECK(m.exact_match > 0.4); // of ten topics
        CHECK(m.label_accuracy == m.exact_match);
        CHECK(m.token_accuracy == m.exact_match);
        CHECK_FALSE(m.alignment_error_rate);
        // The same sentences in one batch, by the way that learns.
        const auto learner = train::make_learner(pool, training->model(pool));
        const auto judged =
            learner->evaluate_batch(pool, train::pointers(training->dataset()->held_out));
        CHECK(m.loss == Approx(judged.loss / double(judged.tokens)).epsilon(1e-4));
        CHECK(m.exact_match == Approx(double(judged.right) / double(judged.tokens)));
    }
}

TEST_CASE("a resumed classifier has the weights of an unbroken training") {
    num::ThreadPool pool(2);
    train::Plan plan = small_classes(2, 8);
    plan.regularization.dropout = 0.1f;
    const auto unbroken = train::begun(plan, pool), first = train::begun(plan, pool);
    train::take(*unbroken, 8, pool);
    train::take(*first, 3, pool);
    const train::TemporaryFile file("heed_classifier_checkpoint.safetensors");
    REQUIRE(first->save(file.path, pool));
    auto resumed = train::Training::resume(file.path, pool);
    if (!resumed) FAIL(base::describe(resumed.error()));
    train::take(**resumed, 5, pool);
    const auto a = (*resumed)->model(pool)->archive(), b = unbroken->model(pool)->archive();
    for (const auto& [name, array] : a.arrays) CHECK(array.values == b.arrays.at(name).values);
    CHECK(models::classifier(*(*resumed)->model(pool))->classes() == train::labels(plan.task));
}

TEST_CASE("a classifier learns labels alone") {
    train::Plan plan = small_classes(1, 1);
    CHECK(train::check(plan));
    plan.task = train::Task::reverse;
    const auto ok = train::check(plan);
    REQUIRE_FALSE(ok);
    CHECK(ok.error().message == "is a classifier, which learns headlines-zh, headlines-en and not "
                                "reverse");
}
