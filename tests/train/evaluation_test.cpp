#include "train/classes.hpp"
#include "train/loop/evaluation.hpp"
#include "train/nets.hpp"

using namespace heed;
using namespace heed::train;

namespace {

/// A transformer that has learned most of a small task, judged by all that is held out.
struct Judged {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const models::Model> model;
    Evaluation result;
};

Judged judged_model(num::ThreadPool& pool,
                    models::Architecture architecture = models::Architecture::encoder_decoder) {
    Plan plan = small_plan(400);
    models::spec_of(plan.model)->architecture = architecture;
    // One layer of a decoder alone cannot find out how long the source was.
    if (architecture == models::Architecture::decoder_only) plan.sentences.max_length = 3;
    plan.regularization = {};
    plan.sentences.symbols = Symbols::shapes;
    plan.sentences.training = 400;
    plan.schedule = {Schedule::Kind::constant, 5e-3f, 1000, 0.5f, 400};
    auto training = begun(plan, pool);
    take(*training, 400, pool);
    const auto& dataset = training->dataset();
    const auto model = training->model(pool);
    auto result = evaluate(pool, model, *dataset, dataset->pairs.size());
    if (!result) FAIL(base::describe(result.error()));
    return {dataset, model, *std::move(result)};
}

} // namespace

TEST_CASE("an evaluation's loss is that of judging the same sentences in one batch") {
    num::ThreadPool pool(2);
    const auto [shared, model, result] = judged_model(pool);
    const Dataset& dataset = *shared;
    const auto judged = make_learner(pool, model)->evaluate_batch(pool, pointers(dataset.held_out));
    const auto tokens = static_cast<double>(judged.tokens);
    CHECK(result.measures.loss == Approx(judged.loss / tokens).epsilon(1e-4));
    // ⟨end⟩ is judged, too, and no place of a target's words.
    std::size_t wrong_ends = 0, words = 0;
    for (std::size_t i = 0; i < dataset.pairs.size(); ++i) {
        const auto run = run_pair(pool, model, dataset.pairs[i]);
        REQUIRE(run);
        const auto p = (*run)->trace.tensor("decoder.probabilities");
        Index best = 0;
        p->values.row(std::ssize(dataset.pairs[i].target)).maxCoeff(&best);
        wrong_ends += best == static_cast<Index>(text::Vocabulary::kEnd) ? 0 : 1;
        words += dataset.pairs[i].target.size();
    }
    const double wrong_words = (1 - result.measures.token_accuracy) * static_cast<double>(words);
    CHECK(static_cast<double>(judged.tokens - judged.right) ==
          Approx(wrong_words + static_cast<double>(wrong_ends)).margin(1e-6));
}

TEST_CASE("a sentence counts as right just when greedy decoding says it") {
    num::ThreadPool pool(2);
    const auto [shared, model, result] = judged_model(pool);
    const Dataset& dataset = *shared;
    std::size_t right = 0;
    for (std::size_t i = 0; i < dataset.pairs.size(); ++i) {
        models::Input input;
        for (const std::string& word : dataset.pairs[i].source)
            input.source.push_back({word, 0, 0});
        const auto run = models::run(model, input, {}, pool);
        REQUIRE(run);
        std::vector<std::string> said;
        for (const auto& token : (*run)->trace.target) {
            if (token.text != models::kStartToken) said.push_back(token.text);
        }
        CHECK(said == result.samples[i].said);
        CHECK(result.samples[i].right == (said == dataset.pairs[i].target));
        right += said == dataset.pairs[i].target;
    }
    CHECK(result.measures.exact_match ==
          Approx(static_cast<double>(right) / static_cast<double>(dataset.pairs.size())));
    CHECK(right > 0); // or nothing was tested
}

TEST_CASE("the head that aligns is the one whose strongest links agree best with gold") {
    num::ThreadPool pool(1);
    const auto [shared, model, result] = judged_model(pool);
    const Dataset& dataset = *shared;
    REQUIRE(result.aligned_by);
    REQUIRE(result.measures.alignment_error_rate);
    std::vector<GoldLinks> gold;
    for (const Example& example : dataset.held_out) gold.push_back(example.gold);
    for (int head = 0; head < 2; ++head) {
        std::vector<Aligned> aligned;
        for (const Pair& pair : dataset.pairs) {
            const auto run = run_pair(pool, model, pair);
            const auto map = (*run)->trace.map({trace::AttentionKind::cross, 0, head});
            const num::Matrix<float> rows =
                map->rectangle(trace::Stage::weights, {0, 0, static_cast<Index>(pair.target.size()),
                                                       static_cast<Index>(pair.source.size())});
            aligned.push_back(strongest(num::view(rows)));
        }
        const double error = *alignment_error_rate(aligned, gold);
        CHECK(error >= *result.measures.alignment_error_rate);
        if (head == result.aligned_by->head) {
            CHECK(error == Approx(*result.measures.alignment_error_rate));
        }
    }
}

TEST_CASE("a decoder alone is judged by what it says after the source, and aligned by its own "
          "attention") {
    num::ThreadPool pool(2);
    const auto [shared, model, result] = judged_model(pool, models::Architecture::decoder_only);
    const Dataset& dataset = *shared;
    const auto judged = make_learner(pool, model)->evaluate_batch(pool, pointers(dataset.held_out));
    CHECK(result.measures.loss ==
          Approx(judged.loss / static_cast<double>(judged.tokens)).epsilon(1e-4));
    CHECK(result.measures.exact_match > 0);
    REQUIRE(result.aligned_by);
    CHECK(result.aligned_by->kind == trace::AttentionKind::decoder_self);
    std::vector<Aligned> aligned;
    std::vector<GoldLinks> gold;
    for (std::size_t i = 0; i < dataset.pairs.size(); ++i) {
        const auto& [source, target] = std::tie(dataset.pairs[i].source, dataset.pairs[i].target);
        const auto run = run_pair(pool, model, dataset.pairs[i]);
        REQUIRE(run);
        const auto weights = (*run)->trace.map(*result.aligned_by)->whole(trace::Stage::weights);
        const auto n = std::ssize(source);
        REQUIRE(weights.rows() == n + 1 + std::ssize(target));
        // The row that says a target's word is that of the token before it, ⟨start⟩ at first.
        const num::Matrix<float> links = weights.block(n, 0, std::ssize(target), n);
        aligned.push_back(strongest(num::view(links)));
        gold.push_back(dataset.held_out[i].gold);

        models::Input input;
        for (const std::string& word : source) input.source.push_back({word, 0, 0});
        const auto free = models::run(model, input, {}, pool);
        REQUIRE(free);
        std::vector<std::string> said;
        const auto& tokens = (*free)->trace.target;
        for (std::size_t t = source.size() + 1; t < tokens.size(); ++t) {
            said.push_back(tokens[t].text);
        }
        CHECK(result.samples[i].said == said);
        CHECK(result.samples[i].right == (said == target));
    }
    CHECK(*alignment_error_rate(aligned, gold) == Approx(*result.measures.alignment_error_rate));
}

TEST_CASE("an evaluation can be stopped") {
    num::ThreadPool pool(1);
    const auto training = begun(small_plan(), pool);
    std::stop_source stop;
    stop.request_stop();
    const auto result =
        evaluate(pool, training->model(pool), *training->dataset(), 12, stop.get_token());
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == base::ErrorKind::cancelled);
}

TEST_CASE("sentences that are not said freely are counted all the same") {
    num::ThreadPool pool(2);
    const auto [shared, model, all] = judged_model(pool);
    const auto few = evaluate(pool, model, *shared, shared->pairs.size(), {}, 2);
    REQUIRE(few);
    CHECK(few->samples.size() == 2);
    CHECK(few->samples[1].said == all.samples[1].said);
    CHECK(few->measures.loss == all.measures.loss);
    CHECK(few->measures.exact_match == all.measures.exact_match);
    CHECK(few->measures.by_length == all.measures.by_length);
    CHECK(few->measures.token_accuracy == all.measures.token_accuracy);
}
