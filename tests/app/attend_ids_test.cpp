// heed attend with the ids that a checkpoint reads.
#include "catch.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace heed;

namespace {

std::string checkpoint(const std::string& name) {
    return HEED_SOURCE_DIR "/tests/models/checkpoints/" + name;
}

HeedRan attend_ids(const std::vector<std::string>& flags) {
    std::vector<std::string> arguments{"attend"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return heed_ran(arguments);
}

/// "4,8,15" of an array.
std::string ids_listed(const tensors::Array& ids) {
    std::string text;
    for (const float id : ids.values) {
        text += (text.empty() ? "" : ",") + std::to_string(static_cast<int>(id));
    }
    return text;
}

} // namespace

TEST_CASE("heed attend writes what transformers says of ids, under the usual names") {
    for (const std::string name : {"gpt2", "bert", "bart", "llama_tied"}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        const std::string path = checkpoint(name) + "/expected.safetensors";
        const auto expected =
            tensors::read_safetensors(base::read_file(path, 1 << 20).value(), path);
        REQUIRE(expected);
        std::vector<std::string> flags = {"--model",
                                          checkpoint(name),
                                          "--logits",
                                          "-o",
                                          folder / "x.npz",
                                          "--source-ids",
                                          ids_listed(expected->arrays.at("source_ids"))};
        for (const auto& [array, flag] :
             {std::pair("target_ids", "--target-ids"), std::pair("type_ids", "--type-ids")}) {
            if (!expected->arrays.contains(array)) continue;
            flags.insert(flags.end(), {flag, ids_listed(expected->arrays.at(array))});
        }
        const HeedRan ran = attend_ids(flags);
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        const auto made = tensors::read_npz(folder.bytes("x.npz"), "npz").value();
        for (const auto& [array, wanted] : expected->arrays) {
            if (array.ends_with("_ids")) continue;
            CAPTURE(array);
            REQUIRE(made.arrays.contains(array));
            const auto& found = made.arrays.at(array);
            CHECK(found.shape == wanted.shape);
            REQUIRE(found.values.size() == wanted.values.size());
            float worst = 0;
            for (std::size_t i = 0; i < found.values.size(); ++i) {
                worst = std::max(worst, std::abs(found.values[i] - wanted.values[i]));
            }
            CHECK(worst < (array.ends_with("weights") ? 1e-5f : 5e-4f));
        }
        const char* side =
            name == "gpt2" || name == "llama_tied" ? "target_tokens" : "source_tokens";
        CHECK(made.strings.at(side)[0] ==
              std::to_string(static_cast<int>(expected->arrays.at("source_ids").values[0])));
    }
}

TEST_CASE("ids that do not fit the model are refused by their flag") {
    const auto error = [](const std::vector<std::string>& flags) {
        const HeedRan ran = attend_ids(flags);
        CHECK(ran.code != 0);
        return ran.err;
    };
    const auto says = [](const std::string& text, const char* words) {
        INFO(text);
        return text.find(words) != std::string::npos;
    };
    const std::string gpt2 = checkpoint("gpt2"), bart = checkpoint("bart");
    CHECK(says(error({"--model", gpt2, "--source-ids", "3,61"}),
               "has the id 61; the vocabulary of this model has 61 rows, from 0 to 60"));
    CHECK(says(error({"--model", gpt2, "--source-ids", "3,,4"}), "--source-ids"));
    CHECK(says(error({"--model", gpt2, "--source-ids", "-3"}), "--source-ids"));
    CHECK(says(error({"--model", gpt2, "--source-ids", "3", "--target-ids", "4"}), "--target-ids"));
    CHECK(says(error({"--model", gpt2, "--source", "a cat"}), "--source-ids"));
    CHECK(says(error({"--model", bart, "--source-ids", "3"}), "--target-ids"));
    CHECK(says(error({"--model", bart, "--target-ids", "3"}), "--source-ids"));
    CHECK(says(error({"--size", "tiny", "--source-ids", "3"}), "--source-ids"));
    CHECK(says(error({"--model", gpt2, "--source-ids", "3,4", "--type-ids", "0,1"}),
               "source_types: this model has none"));
    CHECK(says(error({"--model", checkpoint("bert"), "--source-ids", "3", "--type-ids", "0,1"}),
               "source_types: there are more of them than tokens"));
    CHECK(says(error({"--model", "zh-en-bahdanau", "--type-ids", "0,1"}),
               "--type-ids: this model has no types of tokens"));
    CHECK(says(error({"--model", checkpoint("bert_alone"), "--source-ids", "3", "--logits"}),
               "says no words"));
}
