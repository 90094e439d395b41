// The shipped model of the task `repeat`: an induction head formed on it.
#include "app/temporary_folder.hpp"
#include "inside/repeated.hpp"
#include "models/open.hpp"
#include "models/sentences.hpp"
#include "models/text_checkpoint.hpp"
#include "paths.hpp"

#include <algorithm>

using namespace heed;
using inside::HeadScore;

namespace {

std::shared_ptr<const models::Model> repeat_model(num::ThreadPool& pool) {
    auto model = models::load_model(HEED_SOURCE_DIR "/assets/models/repeat.safetensors", pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

} // namespace

TEST_CASE("the shipped repeat model has an induction head in layer 2, which copies what it reads") {
    num::ThreadPool pool(2);
    const auto model = repeat_model(pool);
    REQUIRE(model->traits().layers(trace::AttentionKind::decoder_self) == 2);
    const auto heads = inside::all_heads(model->traits());
    std::vector<double> induction(heads.size()), copying(heads.size());
    constexpr int kSequences = 8;
    for (std::uint64_t number = 0; number < kSequences; ++number) {
        const auto input = inside::repeated_input(*model, 5, number);
        REQUIRE(input);
        const auto run = models::ran(model, *input, {}, pool);
        const auto scores = inside::repeated_scores(*run, pool);
        REQUIRE(scores);
        for (std::size_t h = 0; h < heads.size(); ++h) {
            induction[h] += static_cast<double>((*scores)[h][HeadScore::induction]) / kSequences;
            copying[h] += static_cast<double>((*scores)[h][HeadScore::copying]) / kSequences;
        }
    }
    const auto best =
        static_cast<std::size_t>(std::ranges::max_element(induction) - induction.begin());
    INFO("layer " << heads[best].layer + 1 << " head " << heads[best].head + 1 << ": "
                  << induction[best] << ", copying " << copying[best]);
    CHECK(induction[best] > 0.6);
    CHECK(heads[best].layer == 1);
    CHECK(copying[best] > 0.3); // of 21 letters
    for (std::size_t h = 0; h < heads.size(); ++h) {
        if (heads[h].layer > 0) continue;
        CHECK(induction[h] < 0.3);
        CHECK(copying[h] < copying[best]);
    }
    CHECK(heads[best] == model->provenance()->aligned_by); // what it opens with
}

TEST_CASE("a head of its layer 1 looks at the token before, which induction is made of") {
    num::ThreadPool pool(1);
    const auto model = repeat_model(pool);
    const auto run = models::ran(model, *inside::repeated_input(*model, 1, 0), {}, pool);
    const auto rows = inside::head_scores(*run, pool);
    REQUIRE(rows);
    float most = 0;
    for (const auto& row : *rows) {
        if (row.head.layer == 0) most = std::max(most, row.scores.values[HeadScore::previous]);
    }
    CHECK(most > 0.5f);
}

TEST_CASE("what the repeat model is given is read whole, and the next letter is predicted") {
    num::ThreadPool pool(1);
    const auto model = repeat_model(pool);
    models::Input input;
    input.source = models::tokens({"a", "b", "c", "d", "a", "b", "c"});
    const auto run = models::ran(model, input, {}, pool);
    REQUIRE(run->trace.target.size() == 7);
    for (std::size_t i = 0; i < 7; ++i) CHECK(run->trace.target[i].text == input.source[i].text);
    const auto p = model->next_token_probabilities(*run, pool);
    CHECK(p(model->vocabulary_row("d")) > 0.9f);
}

TEST_CASE("a model whose tokeniser knows one word has no random sequence") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "one");
    const std::string tokenizer =
        R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": )"
        R"({"type": "Whitespace"}, "post_processor": null, "decoder": null, "model": )"
        R"({"type": "WordLevel", "vocab": {"the": 0}, "unk_token": "the"}})";
    REQUIRE(base::write_file_atomic(folder / "one/tokenizer.json", tokenizer));
    num::ThreadPool pool(1);
    const auto model = models::load_model(folder / "one", pool);
    if (!model) FAIL(base::describe(model.error()));
    REQUIRE(inside::repeated_length(**model) >= 2); // by the rows of its embedding
    const auto none = inside::repeated_input(**model, 1, 0);
    REQUIRE_FALSE(none);
    CHECK(none.error().kind == base::ErrorKind::unsupported);
}
