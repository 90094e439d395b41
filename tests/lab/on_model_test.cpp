// What pages say of a model that somebody runs: any kind of model.
#include "lab/model_heads.hpp"
#include "lab/numbers.hpp"
#include "models/open.hpp"
#include "nn/attention/score_info.hpp"
#include "paths.hpp"
#include "text/token.hpp"

#include <map>

using namespace heed;
using namespace heed::lab;

namespace {

std::shared_ptr<const models::Run> run_of(const models::Config& config,
                                          const std::string& sentence = "the dog chased the cat",
                                          const std::string& target = "le chien a chassé le chat") {
    num::ThreadPool pool(1);
    auto model = models::draw_model(config, pool);
    REQUIRE(model);
    models::Input input;
    input.source = text::tokenize(sentence, text::Segmentation::words, 100);
    input.target = text::tokenize(target, text::Segmentation::words, 100);
    auto run = models::run(*model, input, {}, pool);
    INFO((run ? std::string() : base::describe(run.error())));
    REQUIRE(run);
    return *std::move(run);
}

models::ModelSpec small(models::Architecture architecture) {
    models::ModelSpec spec;
    spec.architecture = architecture;
    spec.d_model = 16;
    spec.n_heads = 2;
    spec.n_encoder_layers = spec.n_decoder_layers = 2;
    spec.d_ff = 32;
    spec.vocabulary = 64;
    return spec;
}

std::vector<models::Config> kinds_of_models() {
    models::RecurrentConfig recurrent;
    recurrent.hidden = recurrent.embedding = 8;
    models::ModelSpec learned = small(models::Architecture::encoder_only);
    learned.positions = nn::Positions::learned;
    learned.max_positions = 32;
    return {small(models::Architecture::encoder_decoder), small(models::Architecture::decoder_only),
            learned, recurrent, models::classifier_spec()};
}

} // namespace

TEST_CASE("every page answers, or says nothing, to every kind of model") {
    std::map<std::string, int> answers;
    for (const models::Config& config : kinds_of_models()) {
        const auto run = run_of(config);
        for (const Page& page : pages()) {
            if (!page.on_model) continue;
            CAPTURE(page.name, config.index());
            const auto seen = page.on_model(*run, usual_settings(page.parameters));
            if (!seen) continue;
            ++answers[page.name];
            CHECK(!seen->words.empty());
            if (seen->open) CHECK(run->trace.map(*seen->open).has_value());
            if (!seen->controls) continue;
            CHECK(*seen->controls != run->controls);
            CHECK(models::check(*seen->controls, config));
        }
    }
    for (const char* page :
         {"steps", "sqrt-dk", "softmax-gradient", "heads", "self-cross", "shuffle", "masks",
          "scores", "cost", "bottleneck", "norms", "subwords"}) {
        CAPTURE(page);
        CHECK(answers[page] > 0);
    }
    CHECK(answers["positions"] >= 3); // sines and those that were learned
    CHECK(answers["warm-up"] > 0);
}

TEST_CASE("words are counted of the one text that a decoder alone reads") {
    num::ThreadPool pool(1);
    const auto model = models::load_model(
        std::string(HEED_SOURCE_DIR) + "/assets/models/repeat.safetensors", pool);
    REQUIRE(model);
    models::Input input;
    input.target = text::tokenize("m q a x t f m q a", text::Segmentation::words, 100);
    const auto run = models::run(*model, input, {}, pool);
    REQUIRE(run);
    const Page& page = *page_named("long-copies");
    const auto seen = page.on_model(**run, usual_settings(page.parameters));
    REQUIRE(seen);
    CHECK(seen->words.find("the present one has 9.") != std::string::npos);
}

TEST_CASE("tokens that begin with a space begin a row") {
    const auto run = run_of(small(models::Architecture::encoder_decoder));
    models::Run spaced = *run;
    spaced.trace.source = {{"The", 0, 3}, {"cat", 3, 7}, {"s", 7, 8}};
    const auto seen = page_named("subwords")->on_model(
        spaced, usual_settings(page_named("subwords")->parameters));
    REQUIRE(seen);
    const auto& rows = std::get<Words>(seen->pictures.at(0).data).rows;
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].tokens.size() == 1);
    CHECK(rows[1].tokens.size() == 2);
}

TEST_CASE("√d_k is asked of dot products alone") {
    models::RecurrentConfig additive;
    additive.hidden = additive.embedding = 8;
    REQUIRE(additive.score == nn::Score::additive);
    const Page& page = *page_named("sqrt-dk");
    CHECK(!page.on_model(*run_of(additive), usual_settings(page.parameters)));
}

TEST_CASE("nothing is said of a shuffled sentence that was not shuffled") {
    const Page& page = *page_named("shuffle");
    const Settings settings = usual_settings(page.parameters);
    // A causal mask makes an order of its own.
    CHECK(!page.on_model(*run_of(small(models::Architecture::decoder_only)), settings));
    const auto seen = page.on_model(*run_of(small(models::Architecture::encoder_only)), settings);
    REQUIRE(seen);
    CHECK(seen->words.find("the map is the same") == std::string::npos);
}

TEST_CASE(
    "numbers of long sentences are of the first 64 words, with all of their keys, and say so") {
    std::string sentence;
    for (int i = 0; i < 80; ++i) sentence += "word" + std::to_string(i) + " ";
    models::ModelSpec spec = small(models::Architecture::decoder_only);
    const auto run = run_of(spec, sentence, sentence);
    const auto heads = heads_of(*run, 1);
    const auto rows = first_rows(*run, heads.at(0), trace::Stage::weights);
    CHECK(rows.rows() == kMostCells);
    CHECK(rows.cols() == run->trace.map(heads[0])->cols(trace::Stage::weights));
    CHECK(rows.cols() > kMostCells);
    const Page& page = *page_named("masks");
    const auto seen = page.on_model(*run, usual_settings(page.parameters));
    REQUIRE(seen);
    CHECK(seen->words.find("of the first 64 words") != std::string::npos);
    CHECK(std::get<Grid>(seen->pictures.at(0).data).values->size() == kMostCells * kMostCells);
}

TEST_CASE("what masks say of a decoder is what its weights are") {
    const auto run = run_of(small(models::Architecture::decoder_only));
    const Page& page = *page_named("masks");
    const auto seen = page.on_model(*run, usual_settings(page.parameters));
    REQUIRE(seen);
    REQUIRE(seen->open);
    CHECK(seen->open->kind == trace::AttentionKind::decoder_self);
    CHECK(seen->words.find("gives 0 % of its attention to later words now") != std::string::npos);
    num::ThreadPool pool(1);
    const auto open = models::run(run->model, run->input, *seen->controls, pool);
    REQUIRE(open);
    const auto weights = (*open)->trace.map(*seen->open)->whole(trace::Stage::weights);
    CHECK(weights(0, 1) > 0);
}
