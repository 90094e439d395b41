// heed heads: scores over a corpus, whole and in parts.
#include "app/inside/measure_corpus.hpp"
#include "base/file.hpp"
#include "models/sentences.hpp"
#include "paths.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

using namespace heed;

namespace {

constexpr const char* kLines = "the black cat sleeps\n"
                               "\n"
                               "a b c d a b c\n"
                               "I ate an apple yesterday , and an apple today .\r\n"
                               "the dog chased the cat\n"
                               "she sees the red house\n"
                               "the cat and the dog and the bird";

void write_text(const std::string& path, const std::string& bytes) {
    REQUIRE(base::write_file_atomic(path, bytes));
}

/// The table of a run with these flags beside --corpus.
std::string table_of(const std::string& corpus, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"heads", "--corpus", corpus});
    const HeedRan ran = heed_ran(flags);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return ran.out;
}

tensors::Json json_of_heads(const std::string& corpus, std::vector<std::string> flags) {
    flags.push_back("--json");
    auto json = tensors::parse_json(table_of(corpus, flags), "heads");
    REQUIRE(json);
    return *json;
}

} // namespace

TEST_CASE("parts merge in any order to the table of one run, byte for byte") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    for (const std::string model : {"repeat", "en-fr-transformer", "en-fr-bahdanau"}) {
        INFO(model);
        const std::vector<std::string> flags = {"--model", model, "--sequences", "5"};
        const std::string whole = table_of(folder / "lines.txt", flags);
        for (const int parts : {2, 3, 9}) {
            std::vector<std::string> merge = {"heads", "--merge"};
            for (int part = parts; part >= 1; --part) {
                auto own = flags;
                own.insert(own.end(), {"--shard", fmt::format("{}/{}", part, parts), "--threads",
                                       part % 2 == 0 ? "1" : "2"});
                const std::string path = folder / fmt::format("{}-{}.csv", part, parts);
                write_text(path, table_of(folder / "lines.txt", own));
                merge.push_back(path);
            }
            merge.insert(merge.end(), {"-o", folder / "all.csv"});
            REQUIRE(heed_ran(merge).code == 0);
            CHECK(folder.bytes("all.csv") == whole);
        }
    }
}

TEST_CASE("some of the parts can be merged, and the sum with the rest") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    std::vector<std::string> paths;
    for (int part = 1; part <= 4; ++part) {
        paths.push_back(folder / fmt::format("{}.csv", part));
        write_text(paths.back(), table_of(folder / "lines.txt", {"--model", "repeat", "--shard",
                                                                 fmt::format("{}/4", part)}));
    }
    const HeedRan some = heed_ran({"heads", "--merge", paths[3], paths[1], "-o", folder / "s.csv"});
    CHECK(some.code == 0);
    CHECK(some.complains("2 of 4 parts are here"));
    const HeedRan all = heed_ran({"heads", "--merge", paths[0], folder / "s.csv", paths[2]});
    CHECK(all.out == table_of(folder / "lines.txt", {"--model", "repeat"}));
    const HeedRan twice = heed_ran({"heads", "--merge", paths[1], folder / "s.csv"});
    CHECK(twice.code == 1);
    CHECK(twice.complains("s.csv: holds part 2 of 4, which a file before it holds, too"));
}

TEST_CASE("every head of every kind has its scores, its name, and the lines that show them") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    const auto json = json_of_heads(folder / "lines.txt", {"--model", "en-fr-transformer"});
    CHECK(json["lines"] == 6);
    CHECK(json["sequences"] == 16);
    std::set<std::string> kinds;
    for (const auto& head : json["heads"]) {
        kinds.insert(head["kind"]);
        CHECK(head["layer"] >= 1);
        CHECK_FALSE(head["label"].get<std::string>().empty());
        const auto& scores = head["scores"];
        CHECK(scores["entropy"]["count"] == 6);
        REQUIRE(scores["previous"]["top"].size() == 3);
        const auto& first = scores["previous"]["top"][0];
        CHECK(first["value"] >= scores["previous"]["top"][2]["value"]);
        CHECK(std::string(kLines).find(first["text"].get<std::string>()) != std::string::npos);
        CHECK(scores["induction"]["mean"].is_null() == (head["kind"] == "cross"));
    }
    CHECK(kinds == std::set<std::string>{"encoder", "decoder", "cross"});
}

TEST_CASE("the induction head of the repeat model is found and named") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", "a b c d a b c\nq r s t q\n");
    const auto json = json_of_heads(folder / "lines.txt", {"--model", "repeat", "--top", "1"});
    double most = 0;
    tensors::Json best;
    for (const auto& head : json["heads"]) {
        const double mean = head["scores"]["induction"]["mean"];
        if (mean > most) std::tie(most, best) = std::pair(mean, head);
    }
    INFO(best.dump());
    CHECK(most > 0.6);
    CHECK(best["layer"] == 2);
    CHECK(best["label"].get<std::string>().starts_with("induction ("));
    CHECK(best["scores"]["followed"]["top"].size() == 1);
}

TEST_CASE("the seed draws other sequences, and the same seed the same") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", "a b c");
    const auto table = [&](const char* seed) {
        return table_of(folder / "lines.txt", {"--model", "repeat", "--seed", seed});
    };
    CHECK(table("1") == table("1"));
    CHECK(table("1") != table("2"));
}

TEST_CASE("what is wrong with a corpus or a part is told with its file and line") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", "a b c\nd e");
    write_text(folder / "empty.txt", "\n \n");
    const auto complaint = [&](std::vector<std::string> flags) {
        flags.insert(flags.begin(), "heads");
        const HeedRan ran = heed_ran(flags);
        CHECK(ran.code != 0);
        CHECK(std::ranges::count(ran.err, '\n') == 1);
        return ran.err;
    };
    const auto has = [](const std::string& text, const char* words) {
        INFO(text);
        return text.find(words) != std::string::npos;
    };
    CHECK(has(complaint({"--model", "repeat"}), "--corpus: is needed"));
    CHECK(has(complaint({"--corpus", folder / "none.txt"}), "none.txt"));
    CHECK(has(complaint({"--corpus", folder / "empty.txt"}), "empty.txt: has no line"));
    CHECK(has(complaint({"--corpus", folder / "lines.txt", "--shard", "3/2"}), "--shard: '3/2'"));
    CHECK(has(complaint({"--corpus", folder / "lines.txt", "--shard", "1/2", "--json"}),
              "--shard: writes a table"));
    CHECK(
        has(complaint({"--merge", folder / "lines.txt"}), "lines.txt: is no table of heed heads"));
    CHECK(
        has(complaint({"--merge", folder / "lines.txt", "--seed", "2"}), "--seed: cannot be set"));

    const std::string good =
        table_of(folder / "lines.txt", {"--model", "repeat", "--shard", "1/2"});
    write_text(folder / "good.csv", good);
    write_text(folder / "cut.csv", good.substr(0, good.size() - 60));
    CHECK(has(complaint({"--merge", folder / "cut.csv"}), "cut.csv: line "));
    std::string bad = good;
    bad.replace(bad.find("\r\ndecoder,1,1"), 13, "\r\ndecoder,x,1");
    write_text(folder / "bad.csv", bad);
    CHECK(has(complaint({"--merge", folder / "bad.csv"}), "line 2, column layer has 'x'"));
    write_text(folder / "other.csv", table_of(folder / "lines.txt", {"--model", "repeat", "--shard",
                                                                     "2/2", "--seed", "7"}));
    CHECK(has(complaint({"--merge", folder / "good.csv", folder / "other.csv"}), "another --seed"));
    write_text(folder / "third.csv",
               table_of(folder / "lines.txt", {"--model", "repeat", "--shard", "2/3"}));
    CHECK(has(complaint({"--merge", folder / "good.csv", folder / "third.csv"}), "of 3 parts"));
}

TEST_CASE("every shorter table is refused or read, and never more") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", "a b c a b");
    const std::string good = table_of(folder / "lines.txt", {"--model", "repeat"});
    const auto whole = app::read_heads_csv(good, "good.csv");
    REQUIRE(whole);
    CHECK(app::write_heads_csv(*whole) == good);
    for (std::size_t size = 0; size < good.size(); size += 7) {
        const auto part = app::read_heads_csv(good.substr(0, size), "cut.csv");
        if (part) CHECK(*part == *whole); // without the last line's end
    }
}

TEST_CASE("a table that was changed by hand is refused, and sums are what counts") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", "a b c a b");
    const std::string good = table_of(folder / "lines.txt", {"--model", "repeat"});
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string bytes = good;
        const std::size_t at = bytes.find(from);
        REQUIRE(at != std::string::npos);
        return app::read_heads_csv(bytes.replace(at, from.size(), to), "bad.csv");
    };
    CHECK_FALSE(changed("decoder,1,1", "decoder,-1,1"));
    CHECK_FALSE(changed("decoder,1,1", "decoders,1,1"));
    CHECK_FALSE(changed(",1=", ",1=nan 2="));
    CHECK_FALSE(changed(",1/1,", ",2/1,"));
    CHECK_FALSE(changed(",1/1,3,8,", ",1/1,3,9,"));
    CHECK_FALSE(changed("1:", "one:"));
    // Means and spreads follow from the sums: what stands there is not read.
    const auto mean = changed("decoder,1,1,", "decoder,1,1,another ");
    REQUIRE(mean);
    CHECK(app::write_heads_csv(*mean) == good);
}

TEST_CASE("a line longer than the model's positions is cut, and that is told") {
    const TemporaryFolder folder;
    REQUIRE(heed_ran({"model", "--size", "tiny", "--positions", "learned", "--architecture",
                      "decoder-only", "-o", folder / "m.safetensors"})
                .code == 0);
    std::string line;
    for (int i = 0; i < 5000; ++i) line += "cat ";
    write_text(folder / "lines.txt", "a cat\n" + line);
    const HeedRan ran = heed_ran({"heads", "--model", folder / "m.safetensors", "--corpus",
                                  folder / "lines.txt", "--sequences", "1"});
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(ran.complains("1 of 2 lines are longer than the model reads, and were cut"));
}

TEST_CASE("an offset names a head only where it is the strongest of nearly all lines") {
    app::CorpusHead head;
    head.tallies.resize(app::corpus_scores().size());
    for (std::size_t s = 0; s < head.tallies.size(); ++s) {
        const auto score = app::corpus_scores()[s];
        if (score == inside::HeadScore::positional) head.tallies[s].add(0.45f);
        if (score == inside::HeadScore::same) head.tallies[s].add(0.25f);
        if (score == inside::HeadScore::confidence) head.tallies[s].add(0.9f);
    }
    head.offsets = {{-3, 19}, {4, 1}};
    CHECK(head.label() == "fixed offset −3 (0.45)");
    CHECK(head.label("-") == "fixed offset -3 (0.45)"); // of files
    head.offsets = {{-3, 11}, {4, 9}};
    CHECK(head.label() == "confident (0.90)");
}

TEST_CASE("parts of models whose weights differ are not merged") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    const std::vector<std::vector<std::string>> kinds = {{"--size", "tiny"},
                                                         {"--model", "seq2seq"}};
    for (const auto& kind : kinds) {
        for (const std::string part : {"1", "2"}) {
            std::vector<std::string> model = {"model", "--seed", part, "-o",
                                              folder / "m.safetensors"};
            model.insert(model.end(), kind.begin(), kind.end());
            const HeedRan made = heed_ran(model);
            INFO(made.err);
            REQUIRE(made.code == 0);
            write_text(folder / (part + ".csv"),
                       table_of(folder / "lines.txt",
                                {"--model", folder / "m.safetensors", "--shard", part + "/2"}));
        }
        const HeedRan ran = heed_ran({"heads", "--merge", folder / "1.csv", folder / "2.csv"});
        CHECK(ran.code == 1);
        CHECK(ran.complains("2.csv: was measured with another version of the corpus or model"));
    }
}

TEST_CASE("only the corpus that was measured is quoted") {
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    write_text(folder / "other.txt", std::string("one more\n") + kLines);
    write_text(folder / "all.csv", table_of(folder / "lines.txt", {"--model", "repeat"}));
    const auto merge = [&](const std::string& corpus) {
        return heed_ran(
            {"heads", "--merge", folder / "all.csv", "--corpus", folder / corpus, "--json"});
    };
    CHECK(merge("lines.txt").code == 0);
    const HeedRan other = merge("other.txt");
    CHECK(other.code == 1);
    CHECK(other.complains("other.txt: is not the text that "));
    CHECK(other.complains("all.csv was measured on (lines.txt)"));
}

TEST_CASE("lines without a word are passed over, and what cannot be read is counted") {
    const TemporaryFolder folder;
    const std::string lines = "a b c a b\n\u3000\n \u200B\uFEFF\nthe cat";
    write_text(folder / "lines.txt", lines);
    const HeedRan ran =
        heed_ran({"heads", "--model", "repeat", "--corpus", folder / "lines.txt", "--json"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    CHECK((*tensors::parse_json(ran.out, "heads"))["lines"] == 2);
    CHECK(ran.err.empty());

    write_text(folder / "odd.txt", "a b c a b\n\u00AD\nthe cat"); // nothing but a soft hyphen
    const HeedRan odd = heed_ran({"heads", "--model", "repeat", "--corpus", folder / "odd.txt"});
    INFO(odd.err);
    CHECK(odd.code == 0);
    CHECK(odd.complains("1 of 3 lines cannot be read and were left out; the first: "));
    CHECK(odd.complains("odd.txt:2"));
    for (const std::string part : {"1", "2", "3"}) { // the second has no line at all
        write_text(folder / (part + ".csv"),
                   table_of(folder / "odd.txt", {"--model", "repeat", "--shard", part + "/3"}));
    }
    CHECK(
        heed_ran({"heads", "--merge", folder / "1.csv", folder / "2.csv", folder / "3.csv"}).out ==
        odd.out);
    write_text(folder / "none.txt", "\u00AD\n");
    const HeedRan none = heed_ran({"heads", "--model", "repeat", "--corpus", folder / "none.txt"});
    CHECK(none.code == 1);
    CHECK(none.complains("none.txt:1"));
}

TEST_CASE("a text that begins with no mark takes all of the model's positions") {
    num::ThreadPool pool(1);
    models::ModelSpec spec = models::tiny(models::Architecture::decoder_only);
    spec.has_vocabulary = spec.one_text = true;
    spec.positions = nn::Positions::learned;
    spec.max_positions = 12;
    app::CorpusPlan plan;
    plan.model = models::drawn(spec, pool);
    plan.model_name = plan.corpus_name = plan.path = "test";
    plan.sequences = 0;
    for (const bool longer : {false, true}) {
        const std::string text = longer ? "a b c d e f g h i j k l m" : "a b c d e f g h i j k l";
        plan.text = text;
        const auto measured = app::measure_corpus(plan, pool);
        if (!measured) FAIL(base::describe(measured.error()));
        CHECK(measured->cut == (longer ? 1 : 0));
    }
}

TEST_CASE("the Slurm script takes the number of parts from PARTS, where some are run again") {
    const std::string script =
        "HEED=echo MODEL=m CORPUS=c SLURM_ARRAY_TASK_ID=3 "
        "SLURM_ARRAY_TASK_COUNT=1 sh '" HEED_SOURCE_DIR "/assets/slurm/heads.sbatch' > '";
    const TemporaryFolder folder;
    REQUIRE(std::system((script + folder / "array.txt'").c_str()) == 0);
    CHECK(folder.bytes("array.txt").find("--shard 3/1 ") != std::string::npos);
    REQUIRE(std::system(("PARTS=8 " + script + folder / "parts.txt'").c_str()) == 0);
    CHECK(folder.bytes("parts.txt").find("--shard 3/8 ") != std::string::npos);
}

TEST_CASE("parts that GNU parallel ran merge to one run") {
    if (std::system("parallel --version >/dev/null 2>&1") != 0) {
        WARN("GNU parallel is not installed (Debian: parallel); skipped");
        return;
    }
    const TemporaryFolder folder;
    write_text(folder / "lines.txt", kLines);
    const std::string heed = HEED_BINARY_DIR "/bin/heed";
    const std::string command =
        "cd '" + folder.path() + "' && parallel --will-cite -j2 " + heed +
        " heads --model repeat --corpus lines.txt --threads 1 --shard {}/5 -o part-{}.csv "
        "::: 1 2 3 4 5 >/dev/null && " +
        heed + " heads --merge part-*.csv -o heads.csv >/dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    CHECK(folder.bytes("heads.csv") == table_of(folder / "lines.txt", {"--model", "repeat"}));
}

TEST_CASE("the repeat model is listed with its task, and attend reads a text whole and goes on") {
    const auto list = tensors::parse_json(heed_ran({"models", "--json"}).out, "models");
    REQUIRE(list);
    const auto own = std::ranges::find_if(
        *list, [](const tensors::Json& model) { return model["name"] == "repeat"; });
    REQUIRE(own != list->end());
    CHECK((*own)["task"] == "repeat");

    const HeedRan ran =
        heed_ran({"attend", "--model", "repeat", "--source", "a b c d a b c", "--logits"});
    const auto json = tensors::parse_json(ran.out, "attend");
    REQUIRE(json);
    CHECK((*json)["target_tokens"] == tensors::Json({"a", "b", "c", "d", "a", "b", "c"}));
    const HeedRan said = heed_ran({"attend", "--model", "repeat", "--source", "a b c d a b c",
                                   "--decode", "greedy", "--limit", "1"});
    const auto on = tensors::parse_json(said.out, "attend");
    REQUIRE(on);
    CHECK((*on)["target_tokens"] == tensors::Json({"a", "b", "c", "d", "a", "b", "c", "d"}));
}
