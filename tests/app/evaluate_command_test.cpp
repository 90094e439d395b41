#include "app/files/shipped_models.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "models/open.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"
#include "tensors/named.hpp"
#include "train/tasks/pair.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace heed;

namespace {

/// Of six steps: it gets nothing right.
std::string trained_model(const TemporaryFolder& folder) {
    const std::string path = folder / "reverse.safetensors";
    const HeedRan ran =
        heed_ran({"train", "--task",     "reverse", "--model",      "transformer", "--d-model",
                  "16",    "--heads",    "2",       "--d-ff",       "24",          "--layers",
                  "1",     "--steps",    "6",       "--batch",      "8",           "--sentences",
                  "60",    "--held-out", "10",      "--min-length", "2",           "--max-length",
                  "5",     "-o",         path});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return path;
}

tensors::Json evaluation_of(const HeedRan& ran) {
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return tensors::parse_json(ran.out, "evaluation").value();
}

std::pair<int, int> lengths_of(const tensors::Json& json) {
    const auto& by_length = json["by_length"];
    return {by_length.front()["length"].get<int>(), by_length.back()["length"].get<int>()};
}

} // namespace

TEST_CASE("a model is judged by sentences as long as those it was trained on, unless others are "
          "asked for") {
    const TemporaryFolder folder;
    const std::string path = trained_model(folder);
    num::ThreadPool pool(1);
    const auto model = models::load_model(path, pool).value();
    CHECK(model->provenance()->lengths == std::pair(2, 5));
    CHECK(lengths_of(evaluation_of(heed_ran({"evaluate", path, "--json"}))) == std::pair(2, 5));
    CHECK(lengths_of(evaluation_of(heed_ran({"evaluate", path, "--max-length", "9", "--json"}))) ==
          std::pair(2, 9));
    CHECK(lengths_of(evaluation_of(heed_ran({"evaluate", path, "--task", "sort", "--json"}))) ==
          std::pair(3, 15)); // another task's
    const HeedRan crossed = heed_ran({"evaluate", path, "--min-length", "7"});
    CHECK(crossed.code == 2);
    CHECK(crossed.complains("--min-length: is 7, more than --max-length 5"));
}

TEST_CASE("a file whose lengths cannot be any is refused with the lengths") {
    const TemporaryFolder folder;
    const std::string path = trained_model(folder);
    for (const auto& [shortest, longest] : {std::pair("5", "4"), {"0", "4"}, {"2", "99999"}}) {
        auto archive = tensors::read_safetensors(folder.bytes("reverse.safetensors"), path).value();
        archive.metadata["trained.min_length"] = shortest;
        archive.metadata["trained.max_length"] = longest;
        const std::string other = folder / "other.safetensors";
        REQUIRE(base::write_file_atomic(other, tensors::write_safetensors(archive)));
        const HeedRan ran = heed_ran({"evaluate", other});
        CHECK(ran.code == 1);
        CHECK(ran.complains(std::string("are ") + shortest + " and " + longest));
    }
}

TEST_CASE("the shipped model that reverses is judged by words of up to twelve letters") {
    const auto json =
        evaluation_of(heed_ran({"evaluate", "reverse", "--sentences", "200", "--json"}));
    CHECK(lengths_of(json) == std::pair(3, 12));
    CHECK(json["exact_match"].get<double>() > 0.98);
}

TEST_CASE("mistakes are told in JSON as they are in words") {
    const TemporaryFolder folder;
    const std::string path = trained_model(folder);
    const auto json =
        evaluation_of(heed_ran({"evaluate", path, "--sentences", "30", "--json", "--mistakes"}));
    const double right = json["exact_match"].get<double>();
    const auto wrong = static_cast<std::size_t>(30 * (1 - right) + 0.5);
    REQUIRE(json["mistakes"].size() == wrong);
    REQUIRE(wrong > 0);
    const auto& first = json["mistakes"][0];
    std::string reversed = first["source"].get<std::string>();
    std::reverse(reversed.begin(), reversed.end());
    CHECK(first["wanted"] == reversed);
    CHECK(first["said"] != first["wanted"]);
    const HeedRan words = heed_ran({"evaluate", path, "--sentences", "30", "--mistakes"});
    CHECK(words.says(first["source"].get<std::string>() + "\n  said   "));
    CHECK_FALSE(evaluation_of(heed_ran({"evaluate", path, "--sentences", "30", "--json"}))
                    .contains("mistakes"));
}

TEST_CASE("a file of nothing but held-out sentences judges a model") {
    const TemporaryFolder folder;
    const std::string path = trained_model(folder), data = folder / "held_out.tsv";
    std::string lines;
    int count = 0;
    for (char a = 'a'; a <= 'z'; ++a) {
        for (char b = 'a'; b <= 'z'; ++b) {
            // Longer ones than it was trained on, too: they are the user's.
            std::vector<std::string> source{std::string(1, a), std::string(1, b), "c"};
            if (b > 'm') source.insert(source.end(), {"d", "e", "f", "g"});
            if (!train::is_held_out(source)) continue;
            lines += train::joined(source) + "\tc " + b + " " + a + "\n";
            ++count;
        }
    }
    REQUIRE(count > 20);
    REQUIRE(base::write_file_atomic(data, lines));
    const HeedRan ran = heed_ran({"evaluate", path, "--data", data});
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(ran.says("sentences         " + std::to_string(count) + "\n"));
    // To learn from there is nothing, still.
    const HeedRan trained = heed_ran({"train", "--data", data, "-o", folder / "m.safetensors"});
    CHECK(trained.code != 0);
    CHECK(trained.complains("0 pairs"));
}

TEST_CASE("the help of evaluate says what is measured with the right target given") {
    const HeedRan help = heed_ran({"evaluate", "--help"});
    std::string words = help.out;
    std::replace(words.begin(), words.end(), '\n', ' ');
    CHECK(words.find("token accuracy are measured with the right target given (teacher forcing), "
                     "words without \u27e8end\u27e9") != std::string::npos);
    CHECK(words.find("Sentence accuracy (the share that is fully correct) and BLEU (Papineni et "
                     "al. 2002, not smoothed) are of what the model says freely") !=
          std::string::npos);
}
