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
            CHECK(seen->controls.has_value() != seen->controls_words.empty());
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
    CHECK(seen->words.find("yours has 9.") != std::string::npos);
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

TEST_CASE("words of a text without spaces have a row each, and pieces of one word share theirs") {
    const auto run = run_of(small(models::Architecture::encoder_decoder));
    const auto rows_of = [&](std::vector<text::Token> tokens) {
        models::Run read = *run;
        read.trace.source = std::move(tokens);
        const Page& page = *page_named("subwords");
        const auto seen = page.on_model(read, usual_settings(page.parameters));
        REQUIRE(seen);
        std::vector<std::size_t> sizes;
        for (const auto& row : std::get<Words>(seen->pictures.at(0).data).rows) {
            sizes.push_back(row.tokens.size());
        }
        return sizes;
    };
    const auto words = text::tokenize("我昨天吃了一个苹果", text::Segmentation::words, 20);
    CHECK(rows_of(words) == std::vector<std::size_t>(words.size(), 1));
    // 我 and 昨天, each character a token.
    CHECK(rows_of({{"我", 0, 3}, {"昨", 3, 6}, {"天", 6, 9}}) == std::vector<std::size_t>{1, 2});
    CHECK(rows_of({{"play", 0, 4}, {"##ing", 4, 7}}) == std::vector<std::size_t>{2});
    // Bytes of one character are written as nothing that is its text.
    CHECK(rows_of({{"\uFFFD", 0, 1}, {"\uFFFD", 1, 3}}) == std::vector<std::size_t>{2});
}

TEST_CASE("each token of a model that reads words is one") {
    num::ThreadPool pool(1);
    const auto model = models::load_model(
        std::string(HEED_SOURCE_DIR) + "/assets/models/zh-en-transformer.safetensors", pool);
    REQUIRE(model);
    models::Input input;
    input.source = {{"吃", 0, 3}, {"了", 3, 6}}; // one word of the dictionary
    input.target = text::tokenize("ate", text::Segmentation::words, 4);
    const auto run = models::run(*model, input, {}, pool);
    REQUIRE(run);
    const Page& page = *page_named("subwords");
    const auto seen = page.on_model(**run, usual_settings(page.parameters));
    REQUIRE(seen);
    CHECK(std::get<Words>(seen->pictures.at(0).data).rows.size() == 2);
}

TEST_CASE("the sides of cross-attention are shown of the head that is looked at") {
    const auto run = run_of(small(models::Architecture::encoder_decoder));
    const Page& page = *page_named("self-cross");
    const Settings settings = usual_settings(page.parameters);
    const trace::HeadId second{trace::AttentionKind::cross, 1, 0};
    const auto seen = asked_of(page, *run, settings, second);
    REQUIRE(seen);
    CHECK(seen->open == second);
    CHECK(seen->pictures.at(0).subtitle == "cross-attention layer 2 · head 1");
    const auto first = asked_of(page, *run, settings, trace::HeadId{});
    REQUIRE(first);
    CHECK(first->open == trace::HeadId{trace::AttentionKind::cross, 0, 0});
}

TEST_CASE("heads that matter most are shown where there are many, and all of a few") {
    const Page& page = *page_named("heads");
    Settings settings = usual_settings(page.parameters);
    const auto maps = [&] {
        const auto pictures = page.look(settings);
        const auto& bars = std::get<Bars>(pictures.back().data).series.at(0).values;
        const auto tallest = std::ranges::max_element(bars) - bars.begin() + 1;
        const std::string title = fmt::format("Head {} of {}", tallest, bars.size());
        CHECK(std::ranges::count(pictures, title, &Picture::title) == 1);
        return std::ranges::count_if(
            pictures, [](const Picture& picture) { return picture.title.starts_with("Head "); });
    };
    CHECK(maps() == 4);
    REQUIRE(set(page.parameters, settings, "heads", "8"));
    CHECK(maps() == 2);
}

TEST_CASE("a toggle of the steps that does nothing says why") {
    const Page& page = *page_named("steps");
    Settings settings = usual_settings(page.parameters);
    const Parameter& scale = *std::ranges::find(page.parameters, "scale", &Parameter::name);
    for (const char* score : {"dot", "scaled", "additive", "bilinear", "cosine"}) {
        REQUIRE(set(page.parameters, settings, "score", score));
        const auto drawn = [&](const char* on) {
            REQUIRE(set(page.parameters, settings, "scale", on));
            const auto pictures = page.look(settings);
            return *std::get<Grid>(pictures.at(pictures.size() - 3).data).values; // scaled scores
        };
        INFO(score);
        CHECK((drawn("on") == drawn("off")) == !scale.idle(settings).empty());
    }
}

TEST_CASE("the bottleneck is asked of the head of cross-attention that is looked at") {
    const auto run = run_of(small(models::Architecture::encoder_decoder));
    const Page& page = *page_named("bottleneck");
    const Settings settings = usual_settings(page.parameters);
    const trace::HeadId second{trace::AttentionKind::cross, 1, 0};
    const auto seen = asked_of(page, *run, settings, second);
    REQUIRE(seen);
    CHECK(seen->open == second);
    CHECK(seen->words.starts_with("Cross-attention layer 2 · head 1 reads"));
    for (const std::optional<trace::HeadId>& other : {std::optional<trace::HeadId>(),
                                                      {{trace::AttentionKind::encoder_self, 1, 1}},
                                                      {{trace::AttentionKind::cross, 7, 7}}}) {
        const auto first = asked_of(page, *run, settings, other);
        REQUIRE(first);
        CHECK(first->open == trace::HeadId{trace::AttentionKind::cross, 0, 0});
        CHECK(first->words.starts_with(
            "Cross-attention layer 1 · head 1, the first head of cross-attention, reads"));
    }
}

TEST_CASE("the lengths of word vectors are told from the start to the end of each stack") {
    const Page& page = *page_named("norms");
    const auto seen = page.on_model(*run_of(small(models::Architecture::encoder_decoder)),
                                    usual_settings(page.parameters));
    REQUIRE(seen);
    INFO(seen->words);
    const auto behind = [&](const char* words) { return seen->words.find(words); };
    CHECK(behind("after encoder") < behind("and from"));
    CHECK(behind("and from") < behind("after decoder"));
    CHECK(behind("after decoder") != std::string::npos);
}

TEST_CASE("pages of norms tell a model's own order from the one that is set") {
    models::Controls set;
    const auto words = [&](const char* page) {
        models::Run run = *run_of(small(models::Architecture::encoder_decoder));
        run.controls = set;
        const Page& asked = *page_named(page);
        const auto seen = asked.on_model(run, usual_settings(asked.parameters));
        REQUIRE(seen);
        return seen->words;
    };
    CHECK(words("norms").starts_with("This model has post-norm"));
    CHECK(words("norms").ends_with("It was not trained for the other order of norms."));
    CHECK(words("warm-up").starts_with("This model has post-norm: by the claim it needed a"));
    set.norm = nn::NormOrder::pre;
    CHECK(words("norms").starts_with("This model has pre-norm"));
    CHECK(words("norms").ends_with("Its own order is post-norm."));
    CHECK(words("warm-up").starts_with("This model has post-norm of its own, not as set now: by"));
}

TEST_CASE("large counts of multiplications are in groups, with the sizes that they are of") {
    const Page& page = *page_named("cost");
    models::ModelSpec spec = small(models::Architecture::encoder_decoder);
    spec.d_model = 64;
    const auto seen = page.on_model(*run_of(spec), usual_settings(page.parameters));
    REQUIRE(seen);
    CHECK(seen->words.find("81,920") != std::string::npos); // 2 (5 + 5) 64²
    CHECK(seen->pictures.at(0).subtitle ==
          "n = 5, d = 64, r = 2, w = 16; the window covers the whole sentence");
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
