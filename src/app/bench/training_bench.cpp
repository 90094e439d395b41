#include "app/bench/training_bench.hpp"

#include "base/check.hpp"
#include "models/open.hpp"
#include "models/recurrent/recurrent_parameters.hpp"
#include "models/transformer/parameters.hpp"
#include "train/loop/optimizer.hpp"
#include "train/nets/model_learners.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

namespace heed::app {

namespace {

using train::Example;

constexpr int kBatch = 32;

/// The 2017 base model, that says words.
models::ModelSpec base_config() {
    models::ModelSpec c;
    c.vocabulary = 4000;
    c.has_vocabulary = true;
    return c;
}

models::ModelSpec transformer_config(bool small) {
    models::ModelSpec c;
    c.d_model = small ? 64 : 128;
    c.d_ff = 4 * c.d_model;
    c.n_heads = 4;
    c.n_encoder_layers = c.n_decoder_layers = 2;
    c.vocabulary = small ? 800 : 4000;
    c.has_vocabulary = true;
    return c;
}

models::RecurrentConfig recurrent_config(bool small) {
    models::RecurrentConfig c;
    c.hidden = small ? 96 : 256;
    c.embedding = small ? 64 : 256;
    return c;
}

/// Multiplications and additions of a pass forward for n words of each side.
double gflop_of(const models::ModelSpec& c, int n) {
    const double d = c.d_model, feed_forward = 2 * d * c.d_ff, rows = kBatch * n;
    const double attention = 4 * d * d + 2 * n * d;
    const double encoder = c.n_encoder_layers * (attention + feed_forward);
    const double decoder = c.n_decoder_layers * (2 * attention + feed_forward);
    return 2e-9 * rows * (encoder + decoder + d * c.vocabulary);
}

double gflop_of(const models::RecurrentConfig& c, int n, double words) {
    const double h = c.hidden, e = c.embedding, k = models::key_width(c), rows = kBatch * n;
    const double gates = static_cast<double>(nn::n_gates(c.cell)) * h;
    const double encoder = models::directions(c) * (e + h) * gates;
    const double keys = models::state_width(c) * k + k * h;
    const double step = (e + k + h) * gates + h * h + n * (h + k);
    return 2e-9 * rows * (encoder + keys + step + (h + k + e) * h + h * words);
}

/// Sentences of n words, and of n with ⟨end⟩.
std::vector<Example> sentences(int n, int words) {
    std::vector<Example> examples(kBatch);
    for (int i = 0; i < kBatch; ++i) {
        Example& e = examples[static_cast<std::size_t>(i)];
        const auto word = [&](int j) { return static_cast<train::Index>(3 + j % (words - 4)); };
        for (int j = 0; j < n; ++j) e.source.push_back(word(7 * i + 13 * j));
        for (int j = 0; j + 1 < n; ++j) e.target.push_back(word(5 * i + 11 * j));
    }
    return examples;
}

base::Result<std::shared_ptr<const models::Model>>
draw_recurrent(const models::RecurrentConfig& c, int words, num::ThreadPool& pool) {
    std::vector<std::string> list;
    for (int i = 0; i + 4 < words; ++i) list.push_back(fmt::format("word{}", i));
    auto p = std::make_unique<models::Recurrent::Parameters>();
    p->config = c;
    p->vocabulary = text::Vocabulary(std::move(list), 1);
    make_room(*p);
    models::draw(named_tensors(*p), c.seed, pool);
    return models::Recurrent::of(std::move(p));
}

struct Training {
    std::unique_ptr<train::Learner> learner;
    std::vector<train::Parameter> parameters;
    train::Optimizer optimizer;
    std::vector<Example> examples;
    std::vector<const Example*> batch;

    Training(num::ThreadPool& pool, std::shared_ptr<const models::Model> model,
             std::vector<Example> e)
        : learner(train::make_learner(pool, std::move(model))), parameters(learner->parameters()),
          optimizer(train::Adam{}, train::count(parameters)), examples(std::move(e)) {
        for (const Example& example : examples) batch.push_back(&example);
    }
    void step(num::ThreadPool& pool) {
        learner->learn(pool, batch, {}, 1);
        optimizer.step(pool, parameters, 1e-4f);
        learner->parameters_changed(pool);
    }
};

} // namespace

const std::vector<std::string_view>& training_steps() {
    static const std::vector<std::string_view> names{
        "train/transformer",   "train/seq2seq",        "train/small-transformer",
        "train/small-seq2seq", "train/forward-of-one", "train/live-of-one"};
    return names;
}

namespace {

/// One sentence through the base model, as training judges it or as a live run does.
base::Result<TrainingStep> one_sentence(std::string_view name, num::ThreadPool& pool) {
    const int n = 16;
    const auto model = models::draw_model(base_config(), pool);
    if (!model) return tl::make_unexpected(model.error());
    const double gflop = gflop_of(base_config(), n) / kBatch;
    if (name == "train/live-of-one") {
        models::Input input;
        for (int i = 0; i < n; ++i) {
            input.source.push_back({fmt::format("word{}", i)});
            if (i > 0) input.target.push_back({fmt::format("word{}", i)});
        }
        return TrainingStep{std::string(name), n, gflop, [input, model = *model, t = &pool] {
                                HEED_CHECK(models::run(model, input, {}, *t), "a live run");
                            }};
    }
    auto examples = sentences(n, base_config().vocabulary);
    examples.resize(1);
    const auto training = std::make_shared<Training>(pool, *model, std::move(examples));
    return TrainingStep{std::string(name), n, gflop, [training, t = &pool] {
                            training->learner->evaluate_batch(*t, training->batch);
                        }};
}

} // namespace

base::Result<TrainingStep> training_step(std::string_view name, num::ThreadPool& pool) {
    if (name.ends_with("-of-one")) return one_sentence(name, pool);
    const bool small = name.find("small") != std::string_view::npos;
    const bool recurrent = name.ends_with("seq2seq");
    const int n = small ? 10 : 16, words = small ? 800 : 4000;
    base::Result<std::shared_ptr<const models::Model>> model;
    double gflop = 0;
    if (recurrent) {
        const auto config = recurrent_config(small);
        model = draw_recurrent(config, words, pool);
        gflop = gflop_of(config, n, words);
    } else {
        const auto config = transformer_config(small);
        model = models::draw_model(config, pool);
        gflop = gflop_of(config, n);
    }
    if (!model) return tl::make_unexpected(model.error());
    const auto training = std::make_shared<Training>(pool, *model, sentences(n, words));
    return TrainingStep{std::string(name), n, 3 * gflop,
                        [training, t = &pool] { training->step(*t); }};
}

} // namespace heed::app
