#include "base/file.hpp"
#include "catch.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"
#include "train/data/dataset.hpp"
#include "train/data/own_sentences.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace heed;

namespace {

tensors::Json listed(const std::vector<std::string>& arguments) {
    const HeedRan ran = heed_ran(arguments);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return tensors::parse_json(ran.out, "sentences").value();
}

} // namespace

TEST_CASE("heed task lists the sentences that a training learns from, with their gold links") {
    const auto json = listed({"task", "zh-en", "--sentences", "30", "--json"});
    REQUIRE(json.size() == 30);
    train::TaskOptions options;
    options.training = 200;
    options.held_out = 20;
    const train::TaskData data = train::make_task(train::Task::zh_en, options);
    for (std::size_t i = 0; i < 30; ++i) {
        const train::Pair& pair = data.training[i];
        CHECK(json[i]["source"] == pair.source);
        CHECK(json[i]["target"] == pair.target);
        REQUIRE(json[i]["links"].size() == pair.gold.size());
        for (std::size_t l = 0; l < pair.gold.size(); ++l) {
            CHECK(json[i]["links"][l]["target"] == pair.gold[l].target);
            CHECK(json[i]["links"][l]["source"] == pair.gold[l].source);
            CHECK(json[i]["links"][l]["sure"] == pair.gold[l].sure);
        }
    }
    const auto held_out = listed({"task", "zh-en", "--sentences", "20", "--held-out", "--json"});
    for (std::size_t i = 0; i < 20; ++i) CHECK(held_out[i]["source"] == data.held_out[i].source);
}

TEST_CASE("in words every link stands under its sentence, and a label instead of a target") {
    const HeedRan reversed =
        heed_ran({"task", "reverse", "--sentences", "1", "--min-length", "4", "--max-length", "4"});
    REQUIRE(reversed.code == 0);
    const std::string a = reversed.out.substr(0, 1), d = reversed.out.substr(6, 1);
    CHECK(reversed.says("\n  " + d + " \u2190 " + d + ", "));
    CHECK(reversed.says(a + " \u2190 " + a + "\n"));
    const auto headlines = listed({"task", "headlines-en", "--sentences", "5", "--json"});
    CHECK(headlines[0]["label"].is_string());
    CHECK_FALSE(headlines[0].contains("target"));
    CHECK(headlines[0]["links"].empty());
    CHECK(heed_ran({"task", "dates", "--seed", "7"}).out !=
          heed_ran({"task", "dates", "--seed", "8"}).out);
}

TEST_CASE("a task's sentences are a file that a training reads") {
    const HeedRan pairs = heed_ran({"task", "copy", "--sentences", "400", "--tsv"});
    REQUIRE(pairs.code == 0);
    const auto tab = pairs.out.find('\t');
    CHECK(pairs.out.substr(0, tab) == pairs.out.substr(tab + 1, tab));
    CHECK(std::ranges::count(pairs.out, '\n') == 400);
    const TemporaryFolder folder;
    REQUIRE(base::write_file_atomic(folder / "pairs.tsv", pairs.out));
    train::TaskOptions options;
    options.own.file = folder / "pairs.tsv";
    options.training = options.held_out = 1000;
    train::LeftOut left_out;
    const auto read = train::own_sentences(train::Task::copy, options, left_out);
    REQUIRE(read);
    CHECK(read->training.size() + read->held_out.size() > 380); // some come twice
    CHECK(read->held_out.size() > 30);
    CHECK(heed_ran({"task", "copy", "--tsv", "--held-out"}).code != 0);
    CHECK(heed_ran({"task", "copy", "--tsv", "--json"}).code != 0);
    const HeedRan topics = heed_ran({"task", "headlines-en", "--sentences", "5", "--tsv"});
    const auto headlines = listed({"task", "headlines-en", "--sentences", "5", "--json"});
    CHECK(topics.out.starts_with(headlines[0]["label"].get<std::string>() + "\t"));
}

TEST_CASE("heed task says which tasks there are") {
    const HeedRan none = heed_ran({"task"});
    CHECK(none.code == 2);
    CHECK(none.complains("name: is needed: one of copy, reverse"));
    CHECK(heed_ran({"task", "dance"}).complains("'dance' is not one of copy"));
    CHECK(heed_ran({"task", "copy", "--min-length", "9", "--max-length", "3"}).code == 2);
}
