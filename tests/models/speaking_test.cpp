// Transformers that know a list of words: they read ⟨start⟩ first and can go on by themselves.
#include "models/model/sides.hpp"
#include "models/open.hpp"
#include "models/sentences.hpp"
#include "models/temporary_file.hpp"
#include "models/transformer/parameters.hpp"

using namespace heed;
using namespace heed::models;

namespace {

ModelSpec speaking(Architecture architecture = Architecture::encoder_decoder) {
    ModelSpec config = tiny(architecture);
    config.has_vocabulary = true;
    config.vocabulary = 40;
    return config;
}

Input source_alone() {
    Input input = sentence();
    input.target.clear();
    return input;
}

std::vector<std::string> texts(const std::vector<text::Token>& tokens) {
    std::vector<std::string> list;
    for (const auto& token : tokens) list.push_back(token.text);
    return list;
}

} // namespace

TEST_CASE("the decoder of a transformer that speaks reads start before the target") {
    num::ThreadPool pool(1);
    const auto model = drawn(speaking(), pool);
    const auto run = ran(model, sentence(), {}, pool);
    CHECK(run->trace.target.front().text == kStartToken);
    CHECK(run->trace.target.size() == sentence().target.size() + 1);
    const auto x = run->trace.tensor("decoder.embedding")->values.row(0);
    const Index start = static_cast<Index>(text::Vocabulary::kStart);
    const float root = std::sqrt(static_cast<float>(model->config().d_model));
    CHECK((x - root * model->parameters().embedding.row(start)).cwiseAbs().maxCoeff() < 1e-6f);
}

TEST_CASE("without a target it says the most probable words, each after those before") {
    num::ThreadPool pool(2);
    const auto model = drawn(speaking(), pool);
    Input input = source_alone();
    input.decoding.limit = 6;
    const auto free = ran(model, input, {}, pool);
    const auto said = texts(free->trace.target);
    REQUIRE(said.size() >= 2);
    CHECK(said.size() <= 7);
    CHECK(free->trace.stopped_at_limit == (said.size() == 7));

    const auto p = free->trace.tensor("decoder.probabilities");
    REQUIRE(p);
    for (std::size_t i = 0; i + 1 < said.size(); ++i) {
        const auto row = p->values.row(static_cast<Index>(i));
        CHECK(row.sum() == Approx(1).epsilon(1e-5));
        Index best = static_cast<Index>(text::Vocabulary::kEnd);
        for (Index r = best; r < row.size(); ++r) {
            if (model->words()->can_be_said(static_cast<std::size_t>(r)) && row(r) > row(best))
                best = r;
        }
        CHECK(model->vocabulary_word(best) == said[i + 1]);
    }

    // The same words, given, make the same run.
    Input given = input;
    for (std::size_t i = 1; i < said.size(); ++i) given.target.push_back({said[i], 0, 0});
    const auto forced = ran(model, given, {}, pool);
    CHECK(forced->trace.tensor("decoder_output")->values ==
          free->trace.tensor("decoder_output")->values);
}

TEST_CASE("a greedy transformer goes on where the target ends") {
    num::ThreadPool pool(1);
    for (const auto architecture : {Architecture::encoder_decoder, Architecture::decoder_only}) {
        Input input = sentence();
        input.decoding = {Decoding::Rule::greedy, 4, static_cast<int>(input.target.size()) + 2, 0};
        const auto run = ran(drawn(speaking(architecture), pool), input, {}, pool);
        const auto source = static_cast<std::size_t>(leading_source(*run));
        CHECK(source == (architecture == Architecture::decoder_only ? input.source.size() : 0));
        REQUIRE(run->trace.target.size() > source + input.target.size());
        CHECK(run->trace.target[source + 1].text == input.target[0].text);
        CHECK(most_tokens(run->model->config(), input).second >=
              static_cast<Index>(run->trace.target.size()));
    }
}

TEST_CASE("a decoder alone that speaks reads the source, start and the target in one sequence") {
    num::ThreadPool pool(1);
    const auto model = drawn(speaking(Architecture::decoder_only), pool);
    const auto run = ran(model, sentence(), {}, pool);
    std::vector<std::string> expected = texts(sentence().source);
    expected.emplace_back(kStartToken);
    for (const auto& token : sentence().target) expected.push_back(token.text);
    CHECK(run->trace.source.empty());
    CHECK(texts(run->trace.target) == expected);
    CHECK(most_tokens(model->config(), sentence()) ==
          std::pair<Index, Index>(0, std::ssize(expected)));
    // Its mask is causal: what was read of the source does not depend on the target.
    const auto alone =
        ran(model, {sentence().source, {}, 0, {Decoding::Rule::greedy, 4, 1, 0}}, {}, pool);
    const auto n = std::ssize(sentence().source) + 1;
    CHECK(alone->trace.tensor("decoder_output")
              ->values.topRows(n)
              .isApprox(run->trace.tensor("decoder_output")->values.topRows(n), 1e-5f));
}

TEST_CASE("without a target a decoder alone that speaks goes on after start") {
    num::ThreadPool pool(2);
    const auto model = drawn(speaking(Architecture::decoder_only), pool);
    Input input = source_alone();
    input.decoding.limit = 4;
    const auto free = ran(model, input, {}, pool);
    const auto said = texts(free->trace.target);
    const std::size_t first = input.source.size() + 1;
    REQUIRE(said.size() > first);
    CHECK(said.size() <= first + 4);
    CHECK(free->trace.stopped_at_limit == (said.size() == first + 4));
    const auto p = free->trace.tensor("decoder.probabilities");
    for (std::size_t i = first; i < said.size(); ++i) {
        const auto row = p->values.row(static_cast<Index>(i) - 1);
        const auto word = static_cast<Index>(model->words()->row(said[i]));
        for (Index other = 0; other < row.size(); ++other) {
            const bool sayable = model->words()->can_be_said(static_cast<std::size_t>(other));
            if (sayable) CHECK(row(other) <= row(word));
        }
    }
}

TEST_CASE("a decoder alone that speaks has no room for both sentences where they are too long") {
    num::ThreadPool pool(1);
    ModelSpec config = speaking(Architecture::decoder_only);
    config.positions = nn::Positions::learned;
    config.max_positions = 12;
    const auto model = drawn(config, pool);
    CHECK(models::run(model, {tokens(6), tokens(5), 0}, {}, pool)); // and start
    const auto refused = models::run(model, {tokens(6), tokens(6), 0}, {}, pool);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().subject == "source and target");
    // Speaking freely it stops where its positions end.
    const auto free = models::run(model, {tokens(6), {}, 0}, {}, pool);
    REQUIRE(free);
    CHECK((*free)->trace.target.size() <= 12);
}

TEST_CASE("saying words takes the encoder's layers from the run before") {
    num::ThreadPool pool(1);
    const auto model = drawn(speaking(), pool);
    const auto first = ran(model, source_alone(), {}, pool);
    const auto second = ran(model, source_alone(), {}, pool, {{}, first, nullptr});
    CHECK(second->trace.layers[1] == first->trace.layers[1]);
    CHECK(second->trace.tensor("decoder_output")->values ==
          first->trace.tensor("decoder_output")->values);
}

TEST_CASE("a transformer that says no words refuses a beam by name") {
    num::ThreadPool pool(1);
    ModelSpec spec = speaking();
    spec.has_vocabulary = false;
    Input input = sentence();
    input.decoding.rule = Decoding::Rule::beam;
    const auto run = models::run(drawn(spec, pool), input, {}, pool);
    REQUIRE_FALSE(run);
    CHECK(run.error().subject == "decoding");
}

TEST_CASE(
    "a transformer's beam of one is greedy, and a hypothesis counts what its words are worth") {
    num::ThreadPool pool(1);
    const auto model = drawn(speaking(), pool);
    const auto greedy = ran(model, source_alone(), {}, pool);
    for (const int width : {1, 2, 8}) {
        CAPTURE(width);
        Input input = source_alone();
        input.decoding.rule = Decoding::Rule::beam;
        input.decoding.beam_width = width;
        const auto found = ran(model, input, {}, pool);
        REQUIRE(found->trace.beam);
        const trace::Beam& beam = *found->trace.beam;
        REQUIRE_FALSE(beam.hypotheses.empty());
        CHECK(static_cast<int>(beam.hypotheses.size()) <= width);
        if (width == 1) CHECK(found->trace.target == greedy->trace.target);
        // A hypothesis counts the sum of its words, and ends in ⟨end⟩ or at the limit.
        const auto p = found->trace.tensor("decoder.probabilities");
        float sum = 0;
        Index step = 0;
        for (const int node : beam.path(0)) {
            const auto word = static_cast<Index>(beam.nodes[static_cast<std::size_t>(node)].row);
            sum += std::log(p->values(step++, word));
        }
        const auto& last = beam.nodes[static_cast<std::size_t>(beam.hypotheses[0])];
        CHECK(last.total == Approx(sum).epsilon(1e-4));
        CHECK(last.ended != found->trace.stopped_at_limit);
    }
}

TEST_CASE("a file of a transformer that speaks brings its words") {
    num::ThreadPool pool(1);
    const auto model = drawn(speaking(), pool);
    const TemporaryFile file("heed_speaking.safetensors");
    REQUIRE(model->save(file.path));
    const auto loaded = load_model(file.path, pool);
    REQUIRE(loaded);
    CHECK((*loaded)->config() == Config(model->config()));
    REQUIRE((*loaded)->words());
    CHECK((*loaded)->words()->words() == model->words()->words());
    const auto a = ran(model, source_alone(), {}, pool);
    const auto b = models::run(*loaded, source_alone(), {}, pool);
    REQUIRE(b);
    CHECK(texts(a->trace.target) == texts((*b)->trace.target));
}

TEST_CASE("a language model of one text reads the source whole, and no more unless it is asked") {
    num::ThreadPool pool(1);
    ModelSpec config = speaking(Architecture::decoder_only);
    config.one_text = true;
    const auto model = drawn(config, pool);
    const auto read = ran(model, source_alone(), {}, pool);
    CHECK(texts(read->trace.target) == texts(source_alone().source));
    CHECK(read->trace.source.empty());
    CHECK(leading_source(*read) == std::ssize(source_alone().source));
    CHECK(first_saying_row(*read) == std::ssize(source_alone().source) - 1);

    const auto both = ran(model, sentence(), {}, pool);
    auto text = texts(sentence().source);
    for (const auto& word : texts(sentence().target)) text.push_back(word);
    CHECK(texts(both->trace.target) == text);

    Input asked = source_alone();
    asked.decoding.rule = Decoding::Rule::greedy;
    asked.decoding.limit = 2;
    const auto said = ran(model, asked, {}, pool);
    CHECK(said->trace.target.size() > asked.source.size());
    CHECK(texts(forced_input(*said).source) == texts(asked.source));
}

TEST_CASE("a model of one text is the same in its file, and has no encoder") {
    num::ThreadPool pool(1);
    ModelSpec config = speaking(Architecture::decoder_only);
    config.one_text = true;
    const TemporaryFile file("one-text.safetensors");
    REQUIRE(drawn(config, pool)->save(file.path));
    const auto back = load_model(file.path, pool);
    REQUIRE(back);
    CHECK(spec_of((*back)->config())->one_text);
    config.architecture = Architecture::encoder_decoder;
    CHECK(check(Config(config)).error().subject == "one_text");
}
