// Gold alignments of a corpus: how a file of links is read, what a head scores by hand, and what
// heed heads makes of it.
#include "app/inside/corpus_alignment.hpp"
#include "app/inside/corpus_desk.hpp"
#include "base/file.hpp"
#include "catch.hpp"
#include "inside/checkpoint_runs.hpp"
#include "models/recurrent_models.hpp"
#include "models/sentences.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"
#include "tensors/json.hpp"

#include <string>

using namespace heed;
using num::Index;

namespace {

constexpr trace::HeadId kCross{trace::AttentionKind::cross, 0, 0};

void write_alignment(const std::string& path, const std::string& text) {
    REQUIRE(base::write_file_atomic(path, text));
}

/// "source ⇥ target", aligned with links.
struct Corpus {
    TemporaryFolder folder;
    std::string lines = folder / "lines.txt", links = folder / "lines.txt.talp";
    std::string model = folder / "m.safetensors";
    Corpus(const std::string& text, const std::string& gold) {
        write_alignment(lines, text);
        write_alignment(links, gold);
        REQUIRE(heed_ran({"model", "--model", "seq2seq", "-o", model}).code == 0);
    }
    HeedRan heads(std::vector<std::string> more = {}) const {
        std::vector<std::string> flags = {"heads",    "--model",     model,
                                          "--corpus", lines,         "--alignments",
                                          links,      "--sequences", "0"};
        flags.insert(flags.end(), more.begin(), more.end());
        return heed_ran(flags);
    }
};

} // namespace

TEST_CASE("gold links are read a line a sentence, and what is wrong is named by its line") {
    const auto gold = app::read_gold("0-0 1-2\n\n2-1\n", "gold", 3);
    REQUIRE(gold);
    CHECK(gold->lines ==
          std::vector<train::GoldLinks>{{{0, 0, true}, {2, 1, true}}, {}, {{1, 2, true}}});
    const auto refusal = [](const char* text, std::size_t lines) {
        const auto read = app::read_gold(text, "gold", lines);
        REQUIRE_FALSE(read);
        CHECK(read.error().subject == "gold");
        return read.error().message;
    };
    CHECK(refusal("0-0\n0-x\n", 2).find("line 2") != std::string::npos);
    CHECK(refusal("0-0\n0.5,0.5\n", 2).find("line 2 has weights") != std::string::npos);
    CHECK(refusal("0-0\n", 2) == "lines: 1, of the corpus: 2; both need the same number");
    CHECK_FALSE(app::sentence_pair("no tab"));
}

TEST_CASE("a head that looks where gold says has a score of 1, another of 0") {
    num::ThreadPool pool(1);
    models::Input input = models::question();
    input.target = models::tokens({"le", "chat"});
    const auto run = models::ran(models::drawn(models::small_recurrent(), pool), input, {}, pool);
    const num::Matrix<float> weights = models::alignment(*run);
    train::GoldLinks right, wrong;
    for (int i = 0; i < 2; ++i) {
        Index most = 0;
        weights.row(i).maxCoeff(&most);
        right.push_back({i, static_cast<int>(most), true});
        wrong.push_back({i, static_cast<int>(most == 0 ? 1 : 0), true});
    }
    const auto score = [&](const train::GoldLinks& gold) {
        return app::gold_scores(*run, {}, gold, {kCross}).value()[0];
    };
    CHECK(score(right) == 1.0f);
    CHECK(score(wrong) == 0.0f);
    CHECK_FALSE(score({}));
    CHECK(*score({right[0], wrong[1]}) == Approx(0.5)); // (1 + 1) / (2 + 2)
    const auto past = app::gold_scores(*run, {}, {{2, 0, true}}, {kCross});
    REQUIRE_FALSE(past);
    CHECK(past.error().message == "0-2 is past the 6 source and 2 target words");
}

TEST_CASE("pieces of a word are summed over a source word and meaned over a target word") {
    num::ThreadPool pool(1);
    inside::Checkpoint marian("marian", pool);
    auto& source = marian.input.source;
    auto& target = marian.input.target;
    source.resize(3); // "ab c": two pieces and one
    target.resize(3); // what is read first, then "xy" in two pieces
    const auto place = [](text::Token& token, std::size_t begin, std::size_t end) {
        token.begin = begin;
        token.end = end;
    };
    place(source[0], 0, 1);
    place(source[1], 1, 2);
    place(source[2], 2, 4); // with the space before it
    place(target[0], 0, 0);
    place(target[1], 0, 1);
    place(target[2], 1, 2);
    const auto run = marian.run(pool);
    const num::Matrix<float> weights = run->trace.map(kCross)->whole(trace::Stage::weights);
    // The rows that say the pieces are those that read what stands before them.
    const float first = (weights.block(0, 0, 2, 2).sum()) / 2;
    const float second = weights.block(0, 2, 2, 1).sum() / 2;
    REQUIRE(std::abs(first - second) > 1e-4f);
    const int most = first > second ? 0 : 1;
    const auto score = [&](int word) {
        return app::gold_scores(*run, {"ab c", "xy"}, {{0, word, true}}, {kCross}).value()[0];
    };
    CHECK(score(most) == 1.0f);
    CHECK(score(1 - most) == 0.0f);
}

TEST_CASE("heed heads scores alignment of a corpus, and parts of it merge to the same") {
    const Corpus corpus("the cat\tle chat\nthe black cat\tle chat noir\n\nhe\til\n",
                        "0-0 1-1\n0-0 1-2 2-1\n\n\n");
    const HeedRan ran = corpus.heads({"--json"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    const auto json = tensors::parse_json(ran.out, "heads");
    REQUIRE(json);
    const auto& alignment = (*json)["heads"][0]["scores"]["alignment"];
    CHECK((*json)["lines"] == 3);
    CHECK(alignment["count"] == 2); // the last line has no link
    CHECK(alignment["mean"].get<double>() >= 0);
    CHECK(alignment["mean"].get<double>() <= 1);

    const std::string whole = corpus.heads().out;
    for (const std::string part : {"1", "2"}) {
        write_alignment(corpus.folder / (part + ".csv"), corpus.heads({"--shard", part + "/2"}).out);
    }
    const HeedRan merged =
        heed_ran({"heads", "--merge", corpus.folder / "1.csv", corpus.folder / "2.csv"});
    INFO(merged.err);
    CHECK(merged.out == whole);
}

TEST_CASE("heed heads names the line whose alignment cannot be used") {
    const Corpus broken("the cat\tle chat\n", "0-0 cat\n");
    CHECK(broken.heads().code == 1);
    CHECK(broken.heads().complains("line 1"));
    const Corpus past("the cat\tle chat\nhe\til\n", "0-0 7-1\n0-0\n");
    const HeedRan ran = past.heads();
    CHECK(ran.code == 0);
    CHECK(ran.complains("1 of 2 lines cannot be read and were left out"));
    CHECK(ran.complains("lines.txt:1"));
    CHECK(ran.complains("7-1 is past the 2 source and 2 target words"));
    const std::string reader = past.folder / "reader.safetensors";
    REQUIRE(heed_ran({"model", "--size", "tiny", "--architecture", "encoder-only", "-o", reader})
                .code == 0);
    const HeedRan other = heed_ran({"heads", "--model", reader, "--corpus", past.lines,
                                    "--alignments", past.links, "--sequences", "0"});
    CHECK(other.code == 1);
    CHECK(other.complains("has no attention from target words to source words"));
}

TEST_CASE("a file of alignments beside the corpus is read by the window, too") {
    const Corpus corpus("the cat\tle chat\n", "0-0 1-1\n");
    num::ThreadPool pool(1);
    app::CorpusTask task;
    task.model = models::drawn(models::small_recurrent(), pool);
    task.model_name = "small";
    task.path = corpus.lines;
    task.sequences = 0;
    app::CorpusDesk desk;
    desk.measure(task);
    desk.wait();
    const auto found = desk.latest().found;
    REQUIRE(found);
    CHECK(found->alignments == corpus.links);
    CHECK_FALSE(found->gold_error);
    CHECK(found->measured.corpus.heads.front().means().has(inside::HeadScore::alignment));
}

TEST_CASE("a file of alignments beside the corpus that cannot be used is left out, and says why") {
    const char* const kPairs = "the cat\tle chat\nhe\til\n";
    struct Case {
        std::string lines, links, why;
    };
    const Case cases[] = {
        {kPairs, "0-0 cat\n0-0\n", "line 1"},                     // no links
        {kPairs, "0-0 1-1\n", "lines: 1, of the corpus: 2"},      // another number of lines
        {kPairs, "0-0 99999999-1\n0-0\n", "99999999-1 is past"},  // longer than is read
        {kPairs, "7-0\n0-7\n", "7-0 is past the 2 source and 2"}, // of another corpus
        {"the cat\nhe\n", "0-0 1-1\n0-0\n", "has no tab"},        // of no pairs
    };
    num::ThreadPool pool(1);
    app::CorpusTask task;
    task.model = models::drawn(models::small_recurrent(), pool);
    task.model_name = "small";
    task.sequences = 0;
    for (const Case& bad : cases) {
        INFO(bad.links);
        const Corpus corpus(bad.lines, bad.links);
        task.path = corpus.lines;
        app::CorpusDesk desk;
        desk.measure(task);
        desk.wait();
        CHECK_FALSE(desk.latest().error);
        const auto found = desk.latest().found;
        REQUIRE(found);
        CHECK(found->alignments.empty());
        REQUIRE(found->gold_error);
        CHECK(base::describe(*found->gold_error).find(bad.why) != std::string::npos);
        CHECK(found->measured.corpus.lines == 2);
        CHECK(found->measured.refused == 0);
        CHECK_FALSE(found->measured.corpus.heads.front().means().has(inside::HeadScore::alignment));
    }
}
