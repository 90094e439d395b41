// heed inside: its tables and JSON against the numbers of the checkpoint they are of, and what it
// refuses.
#include "catch.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "tensors/json.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace heed;

namespace {

HeedRan inside_of(const std::string& model, const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"inside", "--model",
                                       HEED_SOURCE_DIR "/tests/models/checkpoints/" + model};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return heed_ran(arguments);
}

tensors::Json json_of(const HeedRan& ran) {
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    auto json = tensors::parse_json(ran.out, "heed inside");
    REQUIRE(json);
    return *std::move(json);
}

const std::vector<std::string> kIds{"--target-ids", "7,12,40,9,31,8", "--json"};

std::vector<std::string> with(std::vector<std::string> flags) {
    flags.insert(flags.end(), kIds.begin(), kIds.end());
    return flags;
}

} // namespace

TEST_CASE("heed inside: the lens' last layer is what the model says") {
    const auto json = json_of(inside_of("gpt2", with({"--what", "lens", "--top", "3"})));
    CHECK(json["layers"] == 2);
    CHECK(json["tokens"].size() == 6);
    REQUIRE(json["cells"].size() == 12);
    const auto& last = json["cells"].back();
    CHECK(last["layer"] == 1);
    CHECK(last["token"] == 5);
    CHECK(last["words"].size() == 3);
    CHECK(last["words"][0]["id"] == json["id"]); // the most probable word is asked about
    CHECK(last["rank"] == 0);
    const auto whole = json_of(inside_of("gpt2", with({"--what", "ablation"})))["whole"];
    CHECK(std::abs(whole["probability"].get<double>() - last["probability"].get<double>()) < 1e-5);
}

TEST_CASE("heed inside: the parts add up to the difference of two logits") {
    const auto json = json_of(
        inside_of("llama", with({"--what", "attribution", "--word", "17", "--against", "9"})));
    double sum = 0;
    for (const auto& part : json["parts"]) sum += part["logit"].get<double>();
    CHECK(std::abs(sum - json["logit"].get<double>()) < 1e-4);
    CHECK(json["parts"].size() == 1 + 2 * (3 + 1) + 1);
    const auto ablation =
        json_of(inside_of("llama", with({"--what", "ablation", "--word", "17", "--against", "9"})));
    CHECK(std::abs(ablation["whole"]["logit"].get<double>() - json["logit"].get<double>()) < 1e-3);
}

TEST_CASE("heed inside prints tables that count layers, heads and tokens from 1") {
    const std::vector<std::string> ids{"--target-ids", "7,12,40"};
    auto flags = ids;
    flags.insert(flags.end(), {"--what", "attribution"});
    const HeedRan parts = inside_of("gpt2", flags);
    CHECK(parts.says("head 2.3"));
    CHECK(parts.says("feed-forward 1"));
    CHECK(parts.says("remainder"));
    CHECK_FALSE(parts.says("head 0"));
    flags.back() = "ablation";
    CHECK(inside_of("gpt2", flags).says("whole"));
    flags.back() = "lens";
    CHECK(inside_of("gpt2", flags).says("most probable"));
}

TEST_CASE("heed inside patches a sentence into another, all of it back at the last layer") {
    const HeedRan ran =
        heed_ran({"inside", "--size", "tiny", "--layers", "2", "--what", "patching", "--source",
                  "the black cat is small", "--other", "the black dog is small", "--json"});
    if (ran.code == 0) {
        const auto json = json_of(ran);
        for (const auto& patch : json["patches"]) CHECK(patch["recovered"].is_number());
    } else {
        CHECK(ran.complains("model"));
    }
}

TEST_CASE("heed inside says what is wrong with a question") {
    CHECK(inside_of("gpt2", {"--what", "magic"}).complains("--what"));
    CHECK(inside_of("gpt2", {"--what", "patching"}).complains("--other"));
    CHECK(inside_of("gpt2", {"--what", "ablation", "--instead", "other"}).complains("--other"));
    CHECK(inside_of("gpt2", with({"--word", "999"})).complains("--word"));
    CHECK(inside_of("gpt2", with({"--at", "7"})).complains("--at"));
    CHECK(inside_of("gpt2", with({"--at", "7"})).code == 2);
    const HeedRan none = inside_of("bert_alone", {"--source-ids", "7,12,40"});
    CHECK(none.code == 1);
    CHECK(none.complains("predicts no words"));
}
