// Questions that can be asked of a model, and what comes of it where the answer is known.
#include "inside/ablation.hpp"
#include "inside/attribution.hpp"
#include "inside/checkpoint_runs.hpp"
#include "inside/head_values.hpp"
#include "inside/lens.hpp"
#include "inside/paths.hpp"
#include "inside/token_accounts.hpp"
#include "models/recurrent_models.hpp"
#include "models/sentences.hpp"
#include "models/transformer/parameters.hpp"

using namespace heed;
using namespace heed::inside;
using models::Architecture;

namespace {

std::shared_ptr<const models::Run> drawn_run(const models::ModelSpec& spec, num::ThreadPool& pool) {
    return models::ran(models::drawn(spec, pool), models::sentence(), {}, pool);
}

} // namespace

TEST_CASE("a model without words at tokens says what to open in its place") {
    num::ThreadPool pool(1);
    const auto bare = readout_of(*Checkpoint("bert_alone", pool).run(pool));
    REQUIRE_FALSE(bare);
    CHECK(bare.error().message.find("open one with a language-model head") != std::string::npos);
    const auto recurrent =
        models::ran(models::drawn(models::small_recurrent(), pool), models::question(), {}, pool);
    REQUIRE_FALSE(readout_of(*recurrent));
    CHECK(readout_of(*recurrent).error().message.find("open a transformer") != std::string::npos);
}

TEST_CASE("a question that names what is not there is refused by name") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("gpt2", pool).run(pool);
    const auto refused = [&](const Question& question) {
        const auto ok = check(question, *run);
        REQUIRE_FALSE(ok);
        return ok.error().subject;
    };
    CHECK(refused({99, 1, {}}) == "token");
    CHECK(refused({1, 61, {}}) == "word");
    CHECK(refused({1, 1, Index(-1)}) == "against");
    CHECK_FALSE(logit_lens(*run, {{2, 0}}, pool));
    CHECK_FALSE(logit_lens(*run, {{0, 11}}, pool));
    for (const Index word : {Index(-1), Index(61)}) {
        LensOptions options;
        options.word = word;
        const auto cells = logit_lens(*run, {{0, 0}}, pool, options);
        REQUIRE_FALSE(cells);
        CHECK(cells.error().subject == "word");
    }
}

TEST_CASE("the usual question is the last token's most probable word") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("llama", pool).run(pool);
    const auto question = usual_question(*run, pool);
    REQUIRE(question);
    const auto logits = run->model->logits(*run, pool);
    Index best = 0;
    logits.row(logits.rows() - 1).maxCoeff(&best);
    CHECK(question->token == logits.rows() - 1);
    CHECK(question->word == best);
}

TEST_CASE("a model that ends its sentences is asked about its last word, not about its end") {
    num::ThreadPool pool(1);
    models::ModelSpec spec = models::tiny();
    spec.has_vocabulary = true;
    const auto model = models::drawn(spec, pool);
    const auto run = models::ran(model, models::sentence(), {}, pool);
    const auto question = usual_question(*run, pool);
    REQUIRE(question);
    const auto logits = model->logits(*run, pool);
    Index last = 0;
    logits.row(logits.rows() - 1).maxCoeff(&last);
    const bool ends = last == static_cast<Index>(text::Vocabulary::kEnd);
    CHECK(question->token == logits.rows() - (ends ? 2 : 1));
    CHECK(logits(question->token, question->word) == logits.row(question->token).maxCoeff());
}

TEST_CASE("parts are called by their stack where a model has two") {
    const PartId encoder{PartId::Kind::head, AttentionKind::encoder_self, 0, 1};
    const PartId network{PartId::Kind::feed_forward, AttentionKind::encoder_self, 1, 0};
    const PartId decoder{PartId::Kind::head, AttentionKind::decoder_self, 0, 1};
    const auto both = models::traits(models::tiny());
    CHECK(name(encoder, both) == "encoder head 1.2");
    CHECK(name(network, both) == "encoder feed-forward 2");
    CHECK(name(decoder, both) == "decoder head 1.2");
    CHECK(name({PartId::Kind::feed_forward, AttentionKind::decoder_self, 1, 0}, both) ==
          "decoder feed-forward 2");
    CHECK(name({PartId::Kind::head, AttentionKind::cross, 0, 1}, both) == "cross head 1.2");
    CHECK(name({PartId::Kind::embedding, AttentionKind::decoder_self, 0, 0}, both) == "embedding");
    CHECK(name(encoder, models::traits(models::tiny(Architecture::encoder_only))) == "head 1.2");
}

TEST_CASE("parts add up to the logit in both norm orders and all three architectures") {
    num::ThreadPool pool(2);
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        for (const auto norm : {nn::NormOrder::pre, nn::NormOrder::post}) {
            models::ModelSpec spec = models::tiny(architecture);
            spec.norm = norm;
            spec.has_vocabulary = true;
            models::Input input = models::sentence();
            const auto run = models::ran(models::drawn(spec, pool), input, {}, pool);
            const auto question = usual_question(*run, pool);
            REQUIRE(question);
            const auto found = attribute(*run, *question);
            REQUIRE(found);
            CHECK(std::abs(found->residue()) < 1e-4);
            CHECK(found->parts.front().id.kind == PartId::Kind::embedding);
            CHECK(found->parts.back().id.kind == PartId::Kind::bias);
        }
    }
}

TEST_CASE("dropout and classes are no sum of parts, and say so") {
    num::ThreadPool pool(1);
    const auto model = models::drawn(models::tiny(Architecture::decoder_only), pool);
    models::Controls controls;
    controls.dropout.rate = 0.2f;
    const auto run = models::ran(model, models::sentence(), controls, pool);
    const auto question = usual_question(*run, pool);
    REQUIRE(question);
    const auto refused = attribute(*run, *question);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().subject == "dropout");
    const auto classifier = drawn_run(models::classifier_spec(), pool);
    const auto attributed = attribute(*classifier, {0, 1, {}});
    REQUIRE_FALSE(attributed);
    CHECK(attributed.error().message ==
          "predicts one class of a sentence; open one that predicts words");
    CHECK(attention_times_gradient(*classifier, {0, 1, {}})); // its gradient is one all the same
    CHECK_FALSE(logit_lens(*classifier, {{0, 0}}, pool));
    const auto ablation = ablate(classifier, {0, 1, {}}, pool);
    REQUIRE(ablation); // its heads can be taken away all the same
    CHECK(std::ssize(ablation->parts) == classifier->model->traits().n_heads);
    CHECK(layer_by_token(*classifier, AttentionKind::encoder_self).empty()); // it has no stream
    models::Input other = classifier->input;
    other.source[1] = models::tokens({"dog"})[0];
    const auto second = models::ran(classifier->model, other, {}, pool);
    const auto patched = patch(classifier, second, {0, 1, {}}, head_by_head(*classifier), pool);
    REQUIRE(patched); // but heads
    CHECK(patched->patches.size() == ablation->parts.size());
}

TEST_CASE("a part at another run's activation, where that is the run itself, changes nothing") {
    num::ThreadPool pool(2);
    const auto run = Checkpoint("bart", pool).run(pool);
    AblationOptions options;
    options.instead = Instead::other;
    options.other = run;
    std::size_t told = 0;
    options.told = [&](const std::vector<Ablated>& parts) { told += parts.size(); };
    const auto found = ablate(run, {5, 17, {}}, pool, options);
    REQUIRE(found);
    CHECK(told == found->parts.size());
    for (const Ablated& part : found->parts) {
        CHECK(std::abs(part.answer.logit - found->whole.logit) < 1e-5);
    }
}

TEST_CASE("the mean of several runs is the mean over all of their tokens") {
    num::ThreadPool pool(2);
    const Checkpoint checkpoint("gpt2", pool);
    const auto run = checkpoint.run(pool), other = checkpoint.run(checkpoint.changed(0, 5), pool);
    MeanActivations means;
    means.add(*run);
    means.add(*other);
    CHECK(means.tokens() == 22);
    const PartId part{PartId::Kind::head, AttentionKind::decoder_self, 1, 2};
    const num::RowVector<float> expected = (activation_of(*run, part).colwise().mean() +
                                            activation_of(*other, part).colwise().mean()) /
                                           2;
    CHECK((means.of(part) - expected).cwiseAbs().maxCoeff() < 1e-6f);
}

TEST_CASE("all of the clean answer comes back where the last layer's state is put in") {
    num::ThreadPool pool(2);
    const Checkpoint checkpoint("gpt2", pool);
    const auto clean = checkpoint.run(pool),
               other = checkpoint.run(checkpoint.changed(3, 44), pool);
    const Patch last{Patch::Kind::residual, AttentionKind::decoder_self, 1, 0, 5};
    const Patch before{Patch::Kind::residual, AttentionKind::decoder_self, 0, 0, 2};
    const auto found = patch(clean, other, {5, 17, {}}, {last, before}, pool);
    REQUIRE(found);
    CHECK(found->patches[0].recovered == Approx(1).margin(1e-5));
    CHECK(found->patches[1].recovered ==
          Approx(0).margin(1e-5)); // tokens before the change are alike
}

TEST_CASE("two sentences that cannot be held against each other say why") {
    num::ThreadPool pool(1);
    const Checkpoint checkpoint("gpt2", pool);
    const auto clean = checkpoint.run(pool);
    models::Input shorter = checkpoint.input;
    shorter.target.pop_back();
    const auto lengths = patch(clean, checkpoint.run(shorter, pool), {5, 17, {}}, {}, pool);
    REQUIRE_FALSE(lengths);
    CHECK(lengths.error().message.find("both need the same number") != std::string::npos);
    const auto same = patch(clean, checkpoint.run(pool), {5, 17, {}}, {}, pool);
    REQUIRE_FALSE(same);
    CHECK(same.error().message.find("gives the same answer") != std::string::npos);
}

TEST_CASE("measuring stops when it is told to") {
    num::ThreadPool pool(1);
    const Checkpoint checkpoint("gpt2", pool);
    const auto run = checkpoint.run(pool);
    std::stop_source source;
    source.request_stop();
    AblationOptions ablation;
    ablation.stop = source.get_token();
    const auto stopped = ablate(run, {5, 17, {}}, pool, ablation);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().kind == base::ErrorKind::cancelled);
    LensOptions lens;
    lens.stop = source.get_token();
    CHECK_FALSE(logit_lens(*run, {{0, 0}}, pool, lens));
}

TEST_CASE("what only some controls read is drawn by no question, and read where they ask for it") {
    num::ThreadPool pool(1);
    const Checkpoint checkpoint("gpt2", pool);
    const auto run = checkpoint.run(pool);
    constexpr Question kAsked{5, 17, {}};
    REQUIRE(usual_question(*run, pool));
    REQUIRE(logit_lens(*run, {{0, 0}}, pool));
    REQUIRE(attribute(*run, kAsked));
    REQUIRE(ablate(run, kAsked, pool));
    REQUIRE(token_accounts(*run, kAsked, pool));
    const auto other = checkpoint.run(checkpoint.changed(3, 44), pool);
    REQUIRE(patch_paths(run, other, kAsked, {}, pool));
    CHECK_FALSE(copying_scores(*run, trace::AttentionKind::decoder_self, 0).empty());
    const auto& usual = models::transformer(*checkpoint.model)->usual_parameters();
    CHECK(usual.join.out() == 0);
    CHECK(usual.scores[static_cast<int>(trace::AttentionKind::decoder_self)][0].hidden.size() == 0);

    models::Controls controls;
    controls.join = nn::Join::concatenate;
    models::HeadControls additive;
    additive.score = nn::kAdditiveScore;
    controls.set({}, additive);
    const auto drawn = models::ran(checkpoint.model, checkpoint.input, controls, pool);
    const auto found = integrated_gradients(*drawn, kAsked, pool);
    REQUIRE(found);
    const num::Matrix<float> logits = checkpoint.model->logits(*drawn, pool);
    CHECK(found->logit == Approx(static_cast<double>(logits(5, 17))).margin(1e-4));
}
