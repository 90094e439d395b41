// What heed attend writes beside attention, and which sentence it reads.
#include "app/document/prepare_input.hpp"
#include "app/files/open_file.hpp"
#include "app/files/shipped_models.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace heed;

namespace {

tensors::Archive attended(const std::vector<std::string>& flags) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments{"attend", "-o", folder / "x.npz"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const HeedRan ran = heed_ran(arguments);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return tensors::read_npz(folder.bytes("x.npz"), "npz").value();
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
    return text;
}

/// The most probable word of every row.
std::vector<std::string> likeliest(const tensors::Archive& archive) {
    const auto& p = archive.arrays.at("probabilities");
    const auto columns = static_cast<std::ptrdiff_t>(p.shape[1]);
    std::vector<std::string> words;
    for (auto row = p.values.begin(); row != p.values.end(); row += columns) {
        const auto best = std::max_element(row, row + columns) - row;
        words.push_back(archive.strings.at("vocabulary")[static_cast<std::size_t>(best)]);
    }
    return words;
}

/// Rows of probabilities are the softmax of rows of logits.
void check_softmax(const tensors::Archive& archive) {
    const auto &logits = archive.arrays.at("logits"), &p = archive.arrays.at("probabilities");
    REQUIRE(logits.shape == p.shape);
    const auto columns = static_cast<std::size_t>(p.shape[1]);
    for (std::size_t row = 0; row < p.values.size(); row += columns) {
        double sum = 0, total = 0;
        for (std::size_t c = 0; c < columns; ++c) {
            sum += std::exp(static_cast<double>(logits.values[row + c]));
            total += static_cast<double>(p.values[row + c]);
        }
        CHECK(total == Approx(1).margin(1e-4));
        for (std::size_t c = 0; c < columns; ++c) {
            CHECK(static_cast<double>(p.values[row + c]) ==
                  Approx(std::exp(static_cast<double>(logits.values[row + c])) / sum).margin(1e-6));
        }
    }
}

} // namespace

TEST_CASE("attend says of random weights that they are, and of no others") {
    const auto said = [](const std::vector<std::string>& flags) {
        const auto archive = attended(flags);
        const auto found = archive.metadata.find("weights");
        return found == archive.metadata.end() ? std::string() : found->second;
    };
    CHECK(said({"--size", "tiny"}) == "untrained: random weights");
    CHECK(said({"--model", "seq2seq", "--source", "a b"}) == "untrained: random weights");
    CHECK(said({"--model", "dates"}).empty());
}

TEST_CASE("attend reads a model's sentences as its file says: its own example, by characters") {
    for (const std::vector<std::string>& flags :
         {std::vector<std::string>{"--model", "dates", "--source", "8 May 2035"},
          {"--model", "dates"}}) {
        const auto archive = attended(flags);
        CHECK(joined(archive.strings.at("source_tokens"), "") == "8May2035");
        CHECK(joined(archive.strings.at("target_tokens"), "") == "2035-05-08\u27e8end\u27e9");
    }
    num::ThreadPool pool(1);
    for (const std::string& name : app::shipped_models()) {
        INFO(name);
        const std::string path = app::shipped_model(name);
        const auto model = models::load_model(path, pool).value();
        const app::Document own = app::opening_of(path, *model->provenance()).document;
        std::vector<std::string> words;
        for (const auto& token : app::prepare_input(own, model.get()).input.source) {
            words.push_back(token.text);
        }
        // A language model reads its text in the place of a target.
        const bool leads = model->traits().source_leads;
        const char* side = leads ? "target_tokens" : "source_tokens";
        CHECK(attended({"--model", name}).strings.at(side) == words);
    }
}

TEST_CASE("logits and next-word probabilities are written of every model that says words") {
    const auto spoken =
        attended({"--model", "en-fr-transformer", "--source", "the black cat sleeps", "--logits"});
    check_softmax(spoken);
    const auto& target = spoken.strings.at("target_tokens"); // with the start before it
    const auto next = likeliest(spoken);
    REQUIRE(next.size() == target.size());
    CHECK(std::equal(target.begin() + 1, target.end(), next.begin()));
    CHECK(next.back() == "\u27e8end\u27e9"); // what comes after the last

    const auto recurrent = attended({"--model", "zh-en-bahdanau", "--logits"});
    check_softmax(recurrent);
    CHECK(likeliest(recurrent) == recurrent.strings.at("target_tokens"));

    const auto classifier = attended({"--model", "headlines-en-one-head", "--logits"});
    check_softmax(classifier);
    CHECK(classifier.arrays.at("logits").values == classifier.arrays.at("class_logits").values);
    CHECK(likeliest(classifier) == classifier.strings.at("target_tokens"));

    const auto drawn =
        attended({"--size", "tiny", "--source", "a b c", "--target", "x y", "--logits"});
    check_softmax(drawn);
    CHECK(drawn.arrays.at("logits").shape[0] == 2);
    CHECK_FALSE(drawn.strings.contains("vocabulary")); // a hash finds the rows
    CHECK_FALSE(attended({"--size", "tiny"}).arrays.contains("logits"));
}

TEST_CASE("norms of values and of what layers add are written of every model that has them") {
    const auto a = attended({"--model", "en-fr-transformer", "--source", "the cat", "--norms"});
    const auto& plain = a.arrays.at("decoder.layers.1.multihead_attn.value_norms");
    CHECK(plain.shape == a.arrays.at("decoder.layers.1.multihead_attn.transformed_norms").shape);
    CHECK(plain.shape == std::vector<std::int64_t>{4, 2});
    CHECK(*std::ranges::min_element(plain.values) > 0);
    CHECK(a.strings.at("norm_layers").front() == "encoder.layers.0");
    CHECK(a.arrays.at("update_norms").shape == a.arrays.at("stream_norms").shape);
    const auto recurrent = attended({"--model", "zh-en-bahdanau", "--norms"});
    CHECK(recurrent.arrays.contains("attention.value_norms"));
    CHECK_FALSE(recurrent.arrays.contains("attention.transformed_norms"));
    CHECK_FALSE(recurrent.strings.contains("norm_layers"));
    CHECK_FALSE(attended({"--size", "tiny"}).arrays.contains("stream_norms"));
}

TEST_CASE("a model that says nothing has no logits, and says so") {
    const HeedRan ran = heed_ran({"attend", "--architecture", "encoder-only", "--size", "tiny",
                                  "--source", "a b", "--logits"});
    CHECK(ran.code == 2);
    CHECK(ran.complains("--logits: this model says no words and no class"));
}

TEST_CASE("an encoder alone does not speak of a target that it has not got") {
    std::string many;
    for (int i = 0; i < 2100; ++i) many += "cat ";
    const HeedRan ran =
        heed_ran({"export", "--architecture", "encoder-only", "--size", "tiny", "--source", many,
                  "--view", "positions", "--format", "csv", "-o", "-"});
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(ran.complains("--source: 52 tokens past the first 2048 are left out"));
    CHECK_FALSE(ran.complains("--target"));
}

TEST_CASE("a hypothesis that the beam does not keep is refused with a sentence") {
    const std::vector<std::string> beam{"attend", "--model", "en-fr-bahdanau", "--beam", "4"};
    auto ninth = beam, fourth = beam;
    ninth.insert(ninth.end(), {"--hypothesis", "9"});
    fourth.insert(fourth.end(), {"--hypothesis", "4"});
    const HeedRan refused = heed_ran(ninth);
    CHECK(refused.code == 2);
    CHECK(refused.complains(
        "--hypothesis: is 9, but the beam keeps 4: choose 1 to 4, or a wider --beam"));
    CHECK(heed_ran(fourth).code == 0);
    CHECK(heed_ran({"attend", "--model", "en-fr-bahdanau", "--hypothesis", "2"})
              .complains("--hypothesis: is of a beam search: add --beam N"));
}
