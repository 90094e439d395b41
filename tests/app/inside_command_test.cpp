// heed inside: its tables and JSON against the numbers of the checkpoint they are of, and what it
// refuses.
#include "base/file.hpp"
#include "catch.hpp"
#include "models/text_checkpoint.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
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

std::vector<std::string> inside_with(std::vector<std::string> flags) {
    flags.insert(flags.end(), kIds.begin(), kIds.end());
    return flags;
}

} // namespace

TEST_CASE("heed inside: the lens' last layer is what the model says") {
    const auto json = json_of(inside_of("gpt2", inside_with({"--what", "lens", "--top", "3"})));
    CHECK(json["layers"] == 2);
    CHECK(json["tokens"].size() == 6);
    REQUIRE(json["cells"].size() == 12);
    const auto& last = json["cells"].back();
    CHECK(last["layer"] == 1);
    CHECK(last["token"] == 5);
    CHECK(last["words"].size() == 3);
    CHECK(last["words"][0]["id"] == json["id"]); // the most probable word is asked about
    CHECK(last["rank"] == 0);
    const auto whole = json_of(inside_of("gpt2", inside_with({"--what", "ablation"})))["whole"];
    CHECK(std::abs(whole["probability"].get<double>() - last["probability"].get<double>()) < 1e-5);
}

TEST_CASE("heed inside: the parts add up to the difference of two logits") {
    const auto json = json_of(inside_of(
        "llama", inside_with({"--what", "attribution", "--word", "17", "--against", "9"})));
    double sum = 0;
    for (const auto& part : json["parts"]) sum += part["logit"].get<double>();
    CHECK(std::abs(sum - json["logit"].get<double>()) < 1e-4);
    CHECK(json["parts"].size() == 1 + 2 * (3 + 1) + 1);
    const auto ablation = json_of(
        inside_of("llama", inside_with({"--what", "ablation", "--word", "17", "--against", "9"})));
    CHECK(std::abs(ablation["whole"]["logit"].get<double>() - json["logit"].get<double>()) < 1e-3);
}

TEST_CASE("heed inside: four accounts of tokens, and where they disagree") {
    const auto json =
        json_of(inside_of("gpt2", inside_with({"--what", "gradients", "--word", "17"})));
    REQUIRE(json["accounts"].size() == 4);
    CHECK(json["agreement"].size() == 6);
    double sum = 0;
    for (const auto& account : json["accounts"]) {
        REQUIRE(account["target"].size() == 6);
        if (account["name"] != "integrated_gradients") continue;
        for (const auto& score : account["target"]) sum += score.get<double>();
    }
    const auto& whole = json["integrated"];
    CHECK(std::abs(whole["sum"].get<double>() - sum) < 1e-6);
    const double change = whole["logit"].get<double>() - whole["baseline"].get<double>();
    CHECK(std::abs(change - sum - whole["remainder"].get<double>()) < 1e-6);
    CHECK(std::abs(whole["remainder"].get<double>()) <= 0.005 * std::abs(change));
    std::vector<std::string> flags = inside_with({"--what", "gradients"});
    flags.pop_back();
    CHECK(inside_of("gpt2", flags).says("Spearman"));
    CHECK(inside_of("gemma2", flags).code != 0);
}

TEST_CASE("heed inside: other weights, what they change, and a verdict") {
    std::vector<std::string> flags =
        inside_with({"--what", "weights", "--layer", "2", "--head", "1", "--query", "6"});
    const auto json = json_of(inside_of("gpt2", flags));
    REQUIRE(json["weights"].size() == 6);
    double sum = 0, far = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        const double own = json["weights"][i].get<double>();
        const double other = json["other_weights"][i].get<double>();
        sum += other;
        far += std::abs(own - other) / 2;
    }
    CHECK(std::abs(sum - 1) < 1e-6);
    CHECK(std::abs(far - json["total_variation"].get<double>()) < 1e-6);
    CHECK(json["answer_change"].get<double>() <= 0.01);
    CHECK(json["layer"] == 1);
    CHECK(json["query"] == 5);
    flags.pop_back();
    CHECK(inside_of("gpt2", flags).says(json["words"].get<std::string>()));
    CHECK(inside_of("gpt2", inside_with({"--what", "weights", "--layer", "3"})).code == 2);
    CHECK(inside_of("gpt2", inside_with({"--what", "weights", "--attention", "cross"})).code == 2);
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

TEST_CASE("heed inside patches a sentence into another: at the last layer the asked token is all") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    const HeedRan ran =
        heed_ran({"inside", "--model", folder / "bert", "--what", "patching", "--source",
                  "the [MASK] sat w9", "--other", "the [MASK] sat w8", "--json"});
    const auto json = json_of(ran);
    CHECK(json["token"] == 2); // ⟨CLS⟩ the [MASK]: what is masked is asked about
    CHECK(json["stack"] == "encoder");
    CHECK(json["patched_tokens"].size() == 6);
    int last = 0;
    for (const auto& patch : json["patches"]) {
        if (patch["part"] != "residual" || patch["layer"] != 1) continue;
        ++last;
        const double wanted = patch["token"] == 2 ? 1 : 0;
        CHECK(std::abs(patch["recovered"].get<double>() - wanted) < 1e-3);
    }
    CHECK(last == 6);
}

TEST_CASE("heed inside follows paths from head to head, and asks for what they need") {
    const HeedRan alone = inside_of("gpt2", inside_with({"--what", "paths"}));
    CHECK(alone.code == 2);
    CHECK(alone.complains("--other"));
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    const std::vector<std::string> asked{"--source", "the [MASK] sat w9", "--other",
                                         "the [MASK] sat w8"};
    std::vector<std::string> flags{"inside", "--model", folder / "bert", "--what", "paths"};
    flags.insert(flags.end(), asked.begin(), asked.end());
    const HeedRan post = heed_ran(flags);
    CHECK(post.code == 1);
    CHECK(post.complains("pre-norm"));
}

TEST_CASE(
    "heed inside puts a sentence into another of a decoder: nothing comes back before the change") {
    const TemporaryFolder folder;
    make_text_checkpoint(folder / "gpt2");
    const auto asked = [&](const char* what) {
        return json_of(heed_ran({"inside", "--model", folder / "gpt2", "--what", what, "--source",
                                 "the cat w9 sat", "--other", "the cat w8 sat", "--json"}));
    };
    const auto patching = asked("patching");
    int before = 0, whole = 0;
    for (const auto& patch : patching["patches"]) {
        if (patch["part"] != "residual") continue;
        const double back = patch["recovered"];
        if (patch["token"] < 2) {
            ++before;
            CHECK(std::abs(back) < 1e-4);
        } else if (patch["token"] == 3 && patch["layer"] == 1) {
            ++whole;
            CHECK(std::abs(back - 1) < 1e-4);
        }
    }
    CHECK(before == 2 * 2);
    CHECK(whole == 1);
    const auto paths = asked("paths");
    CHECK(paths["paths"].size() == 3 * 3);
    CHECK(paths["from_layer"] == 0);
    CHECK(paths["to_layer"] == 1);
}

TEST_CASE("an encoder is asked about its last word, or its mask, and not about [SEP]") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    const auto token = [&](const char* source) {
        return json_of(heed_ran(
            {"inside", "--model", folder / "bert", "--source", source, "--json"}))["token"]
            .get<int>();
    };
    CHECK(token("the cat sat w9") == 4); // behind [CLS]
    CHECK(token("the [MASK] sat w9") == 2);
    CHECK(token("[SEP]") == 2); // nothing but marks: the last one
}

TEST_CASE("heed inside: ablation says what a part is set to") {
    const std::vector<std::string> flags{"--target-ids", "7,12,40", "--what", "ablation"};
    CHECK(inside_of("gpt2", flags).says("with one part set to its mean"));
    auto zero = flags;
    zero.insert(zero.end(), {"--instead", "zero"});
    CHECK(inside_of("gpt2", zero).says("with one part set to zero"));
}

TEST_CASE("heed inside takes the mean over a corpus where one is given") {
    const TemporaryFolder folder;
    make_masked_checkpoint(folder / "bert");
    REQUIRE(base::write_file_atomic(folder / "corpus.txt", "the w5 sat\n\nw7 [MASK] w9 w11\n"));
    const auto asked = [&](const std::vector<std::string>& more) {
        std::vector<std::string> flags{"inside",   "--model",  folder / "bert",     "--what",
                                       "ablation", "--source", "the [MASK] sat w9", "--json"};
        flags.insert(flags.end(), more.begin(), more.end());
        return json_of(heed_ran(flags));
    };
    const auto own = asked({}), corpus = asked({"--corpus", folder / "corpus.txt"});
    CHECK(own["whole"] == corpus["whole"]);
    CHECK(own["parts"] != corpus["parts"]);
    const HeedRan none = heed_ran({"inside", "--model", folder / "bert", "--what", "ablation",
                                   "--corpus", folder / "none.txt", "--source", "the sat"});
    CHECK(none.code == 1);
}

TEST_CASE("heed inside says that parts of a logit with a softcap are those before it") {
    const HeedRan capped =
        inside_of("gemma2", {"--target-ids", "7,12,40", "--what", "attribution"});
    INFO(capped.err);
    CHECK(capped.says("before the softcap of"));
    CHECK(json_of(inside_of("gemma2", inside_with({"--what", "attribution"})))
              .contains("before_softcap"));
    CHECK_FALSE(
        inside_of("gpt2", {"--target-ids", "7,12,40", "--what", "attribution"}).says("softcap"));
}

TEST_CASE("heed inside tells the encoder's parts from the decoder's") {
    const HeedRan bart =
        inside_of("bart", {"--source-ids", "7,12,40", "--target-ids", "2,9", "--what", "ablation"});
    INFO(bart.err);
    CHECK(bart.says("encoder head 1.1"));
    CHECK(bart.says("encoder feed-forward 2"));
    CHECK(bart.says("cross head 2.3"));
}

TEST_CASE("heed inside names the parts that a recurrent model's readout reads") {
    const auto bahdanau = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"inside", "--model", "en-fr-bahdanau", "--source", "the cat"});
        return heed_ran(more);
    };
    const HeedRan lens = bahdanau({});
    INFO(lens.err);
    REQUIRE(lens.code == 0);
    CHECK(lens.says("Heed's extension, no paper"));
    CHECK(lens.says("word before"));
    const auto json = tensors::parse_json(bahdanau({"--json"}).out, "inside");
    REQUIRE(json);
    CHECK((*json)["parts_read"] == tensors::Json({"word before", "context", "state", "all"}));
    CHECK((*json)["layers"] == 4);
    CHECK((*json)["cells"].size() == 4 * (*json)["tokens"].size());
    for (const char* what : {"attribution", "ablation", "gradients", "weights"}) {
        const HeedRan refused = bahdanau({"--what", what});
        CHECK(refused.code == 1);
        CHECK(refused.complains("has no residual stream"));
    }
}

TEST_CASE("heed inside says what is wrong with a question") {
    CHECK(inside_of("gpt2", {"--what", "magic"}).complains("--what"));
    CHECK(inside_of("gpt2", {"--what", "patching"}).complains("--other"));
    CHECK(inside_of("gpt2", {"--what", "ablation", "--instead", "other"}).complains("--other"));
    CHECK(inside_of("gpt2", inside_with({"--word", "999"})).complains("--word"));
    CHECK(inside_of("gpt2", inside_with({"--at", "7"})).complains("--at"));
    CHECK(inside_of("gpt2", inside_with({"--at", "7"})).code == 2);
    const HeedRan none = inside_of("bert_alone", {"--source-ids", "7,12,40"});
    CHECK(none.code == 1);
    CHECK(none.complains("predicts no words"));
}

TEST_CASE("heed export asks the room Inside what heed inside asks") {
    const TemporaryFolder folder;
    const auto table_of = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(),
                     {"export", "--view", "inside", "--architecture", "decoder-only", "--d-model",
                      "32", "--heads", "2", "--layers", "2", "--source", "a b c d", "--target",
                      "a b c d", "-o", folder / "inside.csv"});
        const HeedRan ran = heed_ran(flags);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        return folder.bytes("inside.csv");
    };
    const std::string usual = table_of({});
    CHECK(usual.find("patching") != std::string::npos);
    CHECK(usual.find("norms") != std::string::npos);
    CHECK(table_of({"--patch", "paths", "--norm", "pre"}).find("paths") != std::string::npos);
    CHECK(table_of({"--instead", "zero"}) != usual);
    CHECK(table_of({"--other", "a b x d"}) != usual);
    CHECK(table_of({"--at", "2"}) != usual);
    const HeedRan bad =
        heed_ran({"export", "--view", "inside", "--patch", "nothing", "-o", folder / "inside.csv"});
    CHECK(bad.code == 2);
    CHECK(bad.err.find("'nothing' is not one of stream, heads, paths") != std::string::npos);
    const HeedRan far = heed_ran({"export", "--view", "inside", "--source", "a b", "--at", "70",
                                  "-o", folder / "inside.csv"});
    CHECK(far.code == 2);
    CHECK(far.err.find("--at") != std::string::npos);
}
