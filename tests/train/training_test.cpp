#include "base/file.hpp"
#include "models/open.hpp"
#include "tensors/named.hpp"
#include "train/classes.hpp"
#include "train/loop/evaluation.hpp"
#include "train/nets/model_learners.hpp"

#include <map>

using namespace heed;
using namespace heed::train;

namespace {

std::map<std::string, std::vector<float>> weights_of(const models::Model& model) {
    std::map<std::string, std::vector<float>> weights;
    for (const auto& [name, array] : model.archive().arrays) weights[name] = array.values;
    return weights;
}
std::map<std::string, std::vector<float>> weights_of(const Training& training,
                                                     num::ThreadPool& pool) {
    return weights_of(*training.model(pool));
}

} // namespace

TEST_CASE("the same seed and threads give the same weights") {
    num::ThreadPool pool(2);
    const auto a = begun(small_plan(), pool), b = begun(small_plan(), pool);
    take(*a, 5, pool);
    take(*b, 5, pool);
    CHECK(weights_of(*a, pool) == weights_of(*b, pool));
    Plan other = small_plan();
    other.seed = 2;
    const auto c = begun(other, pool);
    take(*c, 5, pool);
    CHECK(weights_of(*a, pool) != weights_of(*c, pool));
}

TEST_CASE("resuming gives the weights of an unbroken training") {
    num::ThreadPool pool(2);
    for (const UpdateRule& rule : {UpdateRule(Adam{}), UpdateRule(RmsProp{}), UpdateRule(Sgd{})}) {
        INFO(name(rule));
        Plan plan = small_plan(9);
        plan.rule = rule;
        plan.schedule.rate = 1e-3f;
        const auto unbroken = begun(plan, pool), first = begun(plan, pool);
        take(*unbroken, 9, pool);
        take(*first, 4, pool);
        const TemporaryFile file("heed_checkpoint.safetensors");
        REQUIRE(first->save(file.path, pool));
        auto resumed = Training::resume(file.path, pool);
        if (!resumed) FAIL(base::describe(resumed.error()));
        CHECK((*resumed)->steps_done() == 4);
        CHECK((*resumed)->plan() == first->plan());
        take(**resumed, 5, pool);
        CHECK((*resumed)->finished());
        CHECK(weights_of(**resumed, pool) == weights_of(*unbroken, pool));
    }
}

TEST_CASE("what speaks without an encoder has the same weights each time, interrupted or not") {
    num::ThreadPool pool(2);
    const bool recurrent = GENERATE(false, true);
    Plan plan = small_plan(9);
    if (recurrent) {
        models::RecurrentConfig from_word = small_recurrent();
        from_word.shape = models::Shape::one_to_n;
        plan.model = from_word;
    } else {
        models::spec_of(plan.model)->architecture = models::Architecture::decoder_only;
    }
    const auto unbroken = begun(plan, pool), again = begun(plan, pool), first = begun(plan, pool);
    take(*unbroken, 9, pool);
    take(*again, 9, pool);
    CHECK(weights_of(*again, pool) == weights_of(*unbroken, pool));
    take(*first, 4, pool);
    const TemporaryFile file("heed_checkpoint.safetensors");
    REQUIRE(first->save(file.path, pool));
    auto resumed = Training::resume(file.path, pool);
    if (!resumed) FAIL(base::describe(resumed.error()));
    take(**resumed, 5, pool);
    CHECK(weights_of(**resumed, pool) == weights_of(*unbroken, pool));
}

TEST_CASE("a training that gets no better stops, and a checkpoint knows how patient it still is") {
    num::ThreadPool pool(2);
    Plan plan = small_plan(50);
    plan.patience = 2;
    const auto training = begun(plan, pool);
    take(*training, 2, pool);
    CHECK(training->observe(1.0));
    take(*training, 2, pool);
    CHECK_FALSE(training->observe(1.5));
    CHECK_FALSE(training->finished());
    const TemporaryFile file("heed_checkpoint.safetensors");
    REQUIRE(training->save(file.path, pool, "what was seen"));
    const auto resumed = Training::resume(file.path, pool);
    if (!resumed) FAIL(base::describe(resumed.error()));
    CHECK((*resumed)->early_stop() == training->early_stop());
    CHECK((*resumed)->notes() == "what was seen");
    CHECK((*resumed)->threads_before() == 2);
    CHECK_FALSE((*resumed)->observe(1.25));
    CHECK((*resumed)->finished());
    CHECK((*resumed)->early_stop().best_step == 2);
}

TEST_CASE("a checkpoint on a full disk is an error, and the one before stands") {
    if (!std::filesystem::exists("/dev/full")) return;
    num::ThreadPool pool(1);
    const auto training = begun(small_plan(), pool);
    const auto saved = training->save("/dev/full", pool);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().kind == base::ErrorKind::unwritable);
    take(*training, 1, pool); // it goes on
}

TEST_CASE("a checkpoint is a model file, and a model file no checkpoint") {
    num::ThreadPool pool(1);
    const auto training = begun(small_plan(), pool);
    take(*training, 1, pool);
    const TemporaryFile checkpoint("heed_is_model.safetensors"), file("heed_model.safetensors");
    REQUIRE(training->save(checkpoint.path, pool));
    const auto model = models::load_model(checkpoint.path, pool);
    REQUIRE(model);
    CHECK(weights_of(**model) == weights_of(*training, pool));
    REQUIRE((*model)->save(file.path));
    const auto resumed = Training::resume(file.path, pool);
    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().subject == file.path);
}

TEST_CASE("what was trained tells of its task, its words and a sentence of it") {
    num::ThreadPool pool(1);
    const auto training = begun(small_plan(), pool);
    const TemporaryFile file("heed_schooled.safetensors");
    REQUIRE(training->model(pool)->save(file.path));
    const auto model = models::load_model(file.path, pool);
    REQUIRE(model);
    REQUIRE((*model)->provenance());
    CHECK((*model)->provenance() == training->model(pool)->provenance());
    CHECK((*model)->provenance()->task == "reverse");
    CHECK((*model)->words()->words() == training->dataset()->vocabulary.words());

    const trace::HeadId head{trace::AttentionKind::cross, 0, 1};
    REQUIRE((*model)->save(file.path, {head}));
    const auto aligned = models::load_model(file.path, pool);
    REQUIRE(aligned);
    CHECK((*aligned)->provenance()->aligned_by == head);
    CHECK(weights_of(**aligned) == weights_of(**model));
    auto archive = (*aligned)->archive();
    archive.metadata["trained.aligned_by.head"] = "second";
    REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(archive)));
    const auto broken = models::load_model(file.path, pool);
    REQUIRE_FALSE(broken);
    CHECK(broken.error().message.find("trained.aligned_by.head") != std::string::npos);
}

TEST_CASE("a checkpoint whose optimiser lost numbers is refused by name") {
    num::ThreadPool pool(1);
    const auto training = begun(small_plan(), pool);
    take(*training, 1, pool);
    const TemporaryFile file("heed_short.safetensors");
    REQUIRE(training->save(file.path, pool));
    auto bytes = base::read_file(file.path, 1 << 24);
    auto archive = tensors::read_safetensors(*bytes, file.path);
    REQUIRE(archive);
    auto& first = archive->arrays.at("training.optimizer.first");
    first.values.pop_back();
    first.shape[0] -= 1;
    REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(*archive)));
    const auto resumed = Training::resume(file.path, pool);
    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().subject == file.path);
    CHECK(resumed.error().message.find("optimiser") != std::string::npos);
}

TEST_CASE("a training that blows up says so and moves nothing") {
    num::ThreadPool pool(1);
    Plan plan = small_plan(50);
    plan.rule = Sgd{0};
    plan.schedule = {Schedule::Kind::constant, 100, 1000, 0.5f, 400};
    plan.max_norm = 0;
    const auto training = begun(plan, pool);
    base::Result<Progress> progress;
    std::map<std::string, std::vector<float>> before;
    while (progress && !training->finished()) {
        before = weights_of(*training, pool);
        progress = training->step(pool);
    }
    REQUIRE_FALSE(progress);
    CHECK(progress.error().kind == base::ErrorKind::out_of_range);
    CHECK(weights_of(*training, pool) == before);
}

TEST_CASE("plans that make no sense are refused by their field") {
    num::ThreadPool pool(1);
    const auto refused = [&](auto edit) {
        Plan plan = small_plan();
        edit(plan);
        const auto ok = check(plan);
        return ok ? std::string() : ok.error().subject;
    };
    CHECK(refused([](Plan&) {}).empty());
    CHECK(refused([](Plan& p) { p.steps = 0; }) == "steps");
    CHECK(refused([](Plan& p) { p.batch_size = 0; }) == "batch");
    CHECK(refused([](Plan& p) { p.schedule.rate = std::nanf(""); }) == "rate");
    CHECK(refused([](Plan& p) { p.regularization.dropout = 1; }) == "dropout");
    CHECK(refused([](Plan& p) { p.sentences.max_length = 2; }) == "max_length");
    CHECK(refused([](Plan& p) { models::spec_of(p.model)->n_heads = 3; }) == "d_model");
    CHECK(refused([](Plan& p) { p.rule = Adam{1.5f}; }) == "beta1");
}

TEST_CASE("a plan may have the ends of its ranges, and the message has the number that is not in") {
    Plan plan = small_plan();
    plan.schedule.rate = 1e-9f; // a little less, as a float
    plan.schedule.drop = 1e-6f;
    CHECK(check(plan));
    plan.schedule.rate = 100;
    plan.regularization.dropout = 0.95f;
    CHECK(check(plan));
    plan.schedule.rate = 9.9999e-10f;
    const auto refused = check(plan);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "is 9.9999e-10; allowed are 1e-09 to 100");
}

TEST_CASE("every model learns the tasks that it has words for, and is refused the others") {
    const auto learned_by = [](const models::Config& config) {
        std::string list;
        for (const Task task : all_tasks()) {
            Plan plan = usual_plan(task, config);
            const auto ok = check(plan);
            if (ok) {
                list += std::string(name(task)) + " ";
            } else {
                CHECK(ok.error().subject == "model");
            }
        }
        return list;
    };
    models::ModelSpec transformer = small_transformer();
    CHECK(learned_by(transformer).find("zh-en ") != std::string::npos);
    transformer.architecture = models::Architecture::decoder_only;
    CHECK(learned_by(transformer) == learned_by(small_transformer()));
    transformer.architecture = models::Architecture::encoder_only;
    CHECK(learned_by(transformer) == "copy reverse sort ");
    models::RecurrentConfig recurrent = small_recurrent();
    recurrent.shape = models::Shape::n_to_n;
    CHECK(learned_by(recurrent) == "copy reverse sort ");
    recurrent.shape = models::Shape::n_to_one;
    CHECK(learned_by(recurrent) == "headlines-zh headlines-en ");
    recurrent.shape = models::Shape::one_to_n;
    CHECK(learned_by(recurrent) + "headlines-zh headlines-en " == learned_by(small_recurrent()));
    CHECK(learned_by(small_classifier()) == "headlines-zh headlines-en ");
}

TEST_CASE("what says a word at each of the source's, or one of the whole, learns and is judged") {
    num::ThreadPool pool(2);
    models::RecurrentConfig each = small_recurrent(), one = each;
    each.shape = models::Shape::n_to_n;
    one.shape = models::Shape::n_to_one;
    each.hidden = one.hidden = 32;
    models::ModelSpec encoder = small_transformer();
    encoder.architecture = models::Architecture::encoder_only;
    encoder.d_model = 32;
    encoder.d_ff = 48;
    const std::pair<models::Config, Task> learners[] = {
        {each, Task::copy}, {one, Task::headlines_en}, {encoder, Task::copy}};
    for (const auto& [config, task] : learners) {
        INFO(models::traits(config).form << ", " << name(task));
        Plan plan = usual_plan(task, config);
        plan.schedule = {Schedule::Kind::constant, 4e-3f, 1000, 0.5f, 400};
        plan.sentences.training = 3000;
        plan.sentences.held_out = 40;
        plan.sentences.max_length = 6;
        plan.sentences.symbols = Symbols::shapes;
        const auto training = begun(plan, pool);
        take(*training, task == Task::copy ? 150 : 500, pool);
        const auto result = evaluate(pool, training->model(pool), *training->dataset(), 40);
        if (!result) FAIL(base::describe(result.error()));
        CHECK(result->measures.token_accuracy > (task == Task::copy ? 0.9 : 0.3));
        CHECK(result->measures.exact_match <= result->measures.token_accuracy + 1e-9);
        // The same sentences in one batch, by the way that learns.
        std::vector<const Example*> batch;
        for (const Example& e : training->dataset()->held_out) batch.push_back(&e);
        const auto judged = make_learner(pool, training->model(pool))->evaluate_batch(pool, batch);
        CHECK(result->measures.loss ==
              Approx(judged.loss / static_cast<double>(judged.tokens)).epsilon(1e-3));
        CHECK(result->samples[0].said.size() == training->dataset()->pairs[0].target.size());
    }
}

TEST_CASE("a decoder alone learns a task that goes on from its source as one text") {
    num::ThreadPool pool(2);
    const auto is_one_text = [&](const Plan& plan) {
        return models::spec_of(begun(plan, pool)->model(pool)->config())->one_text;
    };
    models::ModelSpec decoder = small_transformer(models::Architecture::decoder_only);
    decoder.d_model = 16;
    decoder.d_ff = 24;
    Plan plan = usual_plan(Task::repeat, decoder);
    plan.sentences.training = 60;
    plan.sentences.held_out = 20;
    CHECK(is_one_text(plan));
    Plan other = plan;
    other.task = Task::reverse;
    CHECK_FALSE(is_one_text(other));
    other = plan;
    other.model = small_transformer();
    CHECK_FALSE(is_one_text(other));

    const auto training = begun(plan, pool);
    take(*training, 3, pool);
    const TemporaryFile file("heed_one_text.safetensors");
    REQUIRE(training->save(file.path, pool));
    const auto resumed = Training::resume(file.path, pool);
    REQUIRE(resumed);
    CHECK((*resumed)->plan() == training->plan());
    // What is said of a text, live and by the way that learns.
    const auto result = evaluate(pool, training->model(pool), *training->dataset(), 20);
    if (!result) FAIL(base::describe(result.error()));
    std::vector<const Example*> batch;
    for (const Example& e : training->dataset()->held_out) batch.push_back(&e);
    const auto judged = make_learner(pool, training->model(pool))->evaluate_batch(pool, batch);
    CHECK(result->measures.loss ==
          Approx(judged.loss / static_cast<double>(judged.tokens)).epsilon(1e-5));
    CHECK(result->aligned_by.has_value());
}

TEST_CASE("a model that reads one word learns what that word tells, and no more") {
    num::ThreadPool pool(2);
    models::RecurrentConfig config = small_recurrent();
    config.shape = models::Shape::one_to_n;
    config.hidden = 32;
    Plan plan = usual_plan(Task::copy, config);
    plan.schedule = {Schedule::Kind::constant, 4e-3f, 1000, 0.5f, 400};
    plan.sentences.training = 3000;
    plan.sentences.held_out = 60;
    plan.sentences.min_length = 3;
    plan.sentences.max_length = 4;
    plan.sentences.symbols = Symbols::shapes;
    const auto training = begun(plan, pool);
    take(*training, 300, pool);
    const auto model = training->model(pool);
    const Dataset& dataset = *training->dataset();
    const auto result = evaluate(pool, model, dataset, 60);
    if (!result) FAIL(base::describe(result.error()));
    std::vector<const Example*> batch;
    for (const Example& e : dataset.held_out) batch.push_back(&e);
    const auto judged = make_learner(pool, model)->evaluate_batch(pool, batch);
    CHECK(result->measures.loss ==
          Approx(judged.loss / static_cast<double>(judged.tokens)).epsilon(1e-3));
    std::size_t first_right = 0;
    for (const Sample& sample : result->samples) {
        const bool said = !sample.said.empty();
        first_right += said && sample.said[0] == dataset.pairs[sample.pair].target[0] ? 1 : 0;
    }
    CHECK(first_right > 54); // of a copy the first word is the one that it read
    CHECK(result->measures.exact_match < 0.2);
    CHECK_FALSE(result->measures.alignment_error_rate);
    CHECK_FALSE(result->aligned_by);
}
