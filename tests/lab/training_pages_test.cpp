// Norms, gradients by depth, subwords, costs and small trainings.
#include "lab/costs.hpp"
#include "lab/norms.hpp"
#include "lab/numbers.hpp"
#include "lab/subwords.hpp"
#include "lab/trained.hpp"
#include "reference_arrays.hpp"

#include <numeric>

using namespace heed;
using namespace heed::lab;
using tests::found;
using tests::value_of;

TEST_CASE("BatchNorm is PyTorch's") {
    const tests::ReferenceArrays arrays("lab.txt");
    tests::check_close(batch_norm(draw_features(4, "rows", 6, 5)), arrays.at("norms/batch"), 1e-12);
}

TEST_CASE("gradients through deep stacks are PyTorch's, with and without residuals and norms") {
    const tests::ReferenceArrays arrays("lab.txt");
    const std::pair<Path, const char*> paths[] = {{Path::plain, "plain"},
                                                  {Path::residual, "residual"},
                                                  {Path::post_norm, "post_norm"},
                                                  {Path::pre_norm, "pre_norm"}};
    for (const auto& [path, name] : paths) {
        CAPTURE(name);
        const std::vector<double> sizes = gradient_sizes(path, 7, 4, 6);
        const Matrix<double> expected = arrays.at(std::string("gradients/") + name);
        REQUIRE(static_cast<Index>(sizes.size()) == expected.cols());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            CHECK(sizes[i] == Approx(expected(0, static_cast<Index>(i))).epsilon(1e-10));
        }
    }
}

TEST_CASE("LayerNorm knows nothing of the batch, BatchNorm does") {
    const auto finding = found("norms");
    CHECK(value_of(finding, "layer_norm_change") == 0);
    CHECK(value_of(finding, "batch_norm_change") > 0.5);
    CHECK(finding.judgement.verdict == Verdict::holds);
    // One layer is not deep.
    CHECK(found("norms", {{"layers", "1"}}).judgement.verdict == Verdict::depends);
}

namespace {

std::vector<std::string> joined_by(const Learned& learned) {
    std::vector<std::string> joined;
    for (const Merge& merge : learned.merges) joined.push_back(merge.joined);
    return joined;
}

std::string times(int count, const std::string& word) {
    std::string text;
    for (int i = 0; i < count; ++i) text += word + " ";
    return text;
}

} // namespace

TEST_CASE("BPE joins what the algorithm of Sennrich et al. joins on its own example") {
    const std::string text =
        times(5, "low") + times(2, "lower") + times(6, "newest") + times(3, "widest");
    const Learned learned = learn_subwords(Subwords::bpe, text, 10);
    CHECK(joined_by(learned) == std::vector<std::string>{"es", "est", "est·", "lo", "low", "ne",
                                                         "new", "newest·", "low·", "wi"});
    CHECK(learned.merges[0].count == 9);
    // Letters and ends of words: 5·4 + 2·6 + 6·7 + 3·7.
    CHECK(learned.letters == 95);
    CHECK(learned.merges[0].tokens == 95 - 9);
    CHECK(segment(Subwords::bpe, learned, 10, "lowest") == std::vector<std::string>{"low", "est·"});
    CHECK(segment(Subwords::bpe, learned, 0, "low") ==
          std::vector<std::string>{"l", "o", "w", "·"});
}

TEST_CASE("WordPiece joins what is worked out by hand") {
    const std::string text =
        times(10, "hug") + times(5, "pug") + times(12, "pun") + times(4, "bun") + times(5, "hugs");
    const Learned learned = learn_subwords(Subwords::wordpiece, text, 3);
    // ##g ##s: 5/(20·5); then of five pairs with 1/36 the first; then hu ##gs: 5/(15·5).
    CHECK(joined_by(learned) == std::vector<std::string>{"##gs", "hu", "hugs"});
    CHECK(learned.merges[0].score == Approx(1.0 / 20));
    CHECK(learned.merges[1].score == Approx(1.0 / 36));
    CHECK(learned.merges[2].score == Approx(1.0 / 15));
    // The longest known piece first (Devlin et al. 2019).
    CHECK(segment(Subwords::wordpiece, learned, 3, "hugs") == std::vector<std::string>{"hugs"});
    CHECK(segment(Subwords::wordpiece, learned, 3, "bugs") ==
          std::vector<std::string>{"b", "##u", "##gs"});
    CHECK(segment(Subwords::wordpiece, learned, 3, "mug") == std::vector<std::string>{"[UNK]"});
}

TEST_CASE("joining ends where every word is one piece, and letters of any script are whole") {
    const Learned learned = learn_subwords(Subwords::wordpiece, "汉字 汉字", 100);
    CHECK(learned.alphabet == std::vector<std::string>{"##字", "汉"});
    CHECK(joined_by(learned) == std::vector<std::string>{"汉字"});
    CHECK(learn_subwords(Subwords::bpe, "", 5).merges.empty());
}

TEST_CASE("multiplications counted one by one are those of the formulas") {
    for (const MixerShape& shape : {MixerShape{10, 6, 3, 2}, MixerShape{7, 4, 5, 20},
                                    MixerShape{1, 3, 3, 1}, MixerShape{16, 8, 1, 4}}) {
        for (const Mixer mixer : kMixers) {
            CAPTURE(static_cast<int>(mixer), shape.n);
            CHECK(counted_multiplications(mixer, shape) == formula_multiplications(mixer, shape));
        }
    }
    const MixerShape shape{10, 6, 3, 2};
    CHECK(formula_multiplications(Mixer::attention, shape) == 2 * 10 * 10 * 6);
    CHECK(formula_multiplications(Mixer::recurrence, shape) == 2 * 10 * 6 * 6);
    CHECK(formula_multiplications(Mixer::convolution, shape) == (3 * 10 - 2) * 6 * 6);
    CHECK(formula_multiplications(Mixer::window, shape) == 2 * (5 * 10 - 6) * 6);
}

namespace {

/// Layers until the last word has seen the first, by following every word.
Index steps_by_search(const MixerShape& shape, Index reach) {
    std::vector<bool> knows(static_cast<std::size_t>(shape.n));
    knows[0] = true;
    Index steps = 0;
    while (!knows.back()) {
        std::vector<bool> next = knows;
        for (Index i = 0; i < shape.n; ++i) {
            for (Index j = std::max<Index>(0, i - reach); j <= std::min(shape.n - 1, i + reach);
                 ++j) {
                if (knows[static_cast<std::size_t>(j)]) next[static_cast<std::size_t>(i)] = true;
            }
        }
        knows = next;
        ++steps;
    }
    return steps;
}

} // namespace

TEST_CASE("longest paths are those that a search finds") {
    for (const Index n : {2, 9, 64, 100}) {
        const MixerShape shape{n, 4, 5, 8};
        CHECK(path_length(Mixer::attention, shape) == steps_by_search(shape, n));
        CHECK(path_length(Mixer::recurrence, shape) == steps_by_search(shape, 1));
        CHECK(path_length(Mixer::convolution, shape) == steps_by_search(shape, 2));
        CHECK(path_length(Mixer::window, shape) == steps_by_search(shape, 8));
    }
}

namespace {

train::TaskOptions few_sentences() {
    train::TaskOptions options;
    options.training = 300;
    options.held_out = 40;
    options.min_length = 2;
    options.max_length = 6;
    return options;
}

} // namespace

TEST_CASE("a tiny model learns, and tells its losses and how long ones go") {
    num::ThreadPool pool(2);
    const auto options = few_sentences();
    const auto data = train::prepare_dataset(train::Task::copy, options);
    REQUIRE(data);
    const models::Config config = tiny_recurrent(1, 16);
    const Course course{"copying", plan_for(config, options, train::Task::copy, 1, 60), *data};
    std::vector<double> told;
    Work work{pool};
    work.tell = [&](double done, const std::string&, const Finding*) { told.push_back(done); };
    const auto outcome = learn(course, work);
    REQUIRE(outcome);
    REQUIRE(outcome->losses.size() == kLossPoints);
    CHECK(outcome->losses.back() < outcome->losses.front());
    CHECK(!outcome->diverged);
    CHECK(std::is_sorted(told.begin(), told.end()));
    const auto again = learn(course, Work{pool});
    REQUIRE(again);
    CHECK(again->losses == outcome->losses); // the same seed, the same curve
}

TEST_CASE("a training that is stopped ends at once") {
    num::ThreadPool pool(1);
    const auto options = few_sentences();
    const auto data = train::prepare_dataset(train::Task::copy, options);
    REQUIRE(data);
    std::stop_source stop;
    stop.request_stop();
    const auto outcome = learn(
        {"copying", plan_for(tiny_recurrent(1, 16), options, train::Task::copy, 1, 1000), *data},
        Work{pool, stop.get_token()});
    REQUIRE(!outcome);
    CHECK(outcome.error().kind == base::ErrorKind::cancelled);
}

TEST_CASE("sentences of some lengths are taken from a dataset, with their pairs") {
    const auto data = train::prepare_dataset(train::Task::copy, few_sentences());
    REQUIRE(data);
    const auto some = of_lengths(**data, 2, 4);
    CHECK(some->pairs.size() == some->held_out.size());
    CHECK(!some->training.empty());
    for (std::size_t i = 0; i < some->pairs.size(); ++i) {
        CHECK(some->pairs[i].source.size() <= 4);
        CHECK(some->pairs[i].source.size() == some->held_out[i].source.size());
    }
    const std::size_t rest = of_lengths(**data, 5, 6)->training.size();
    CHECK(some->training.size() + rest == (*data)->training.size());
}

TEST_CASE("the share of right sentences is taken over all of some lengths") {
    train::Measures measures;
    measures.by_length = {{2, 10, 9}, {3, 30, 15}, {9, 5, 0}};
    CHECK(right_share(measures, 2, 3) == Approx(24.0 / 40));
    CHECK(right_share(measures, 9, 12) == 0);
    CHECK(right_share(measures, 20, 30) == 0);
}

TEST_CASE("pages that train answer with few steps, one seed, and what they measured") {
    for (const char* page : {"bottleneck", "heads", "warm-up", "scores", "long-copies"}) {
        CAPTURE(page);
        const auto finding = found(page, {{"steps", "50"}}, 1);
        CHECK(!finding.pictures.empty());
        CHECK(!finding.judgement.because.empty());
        CHECK(finding.seeds.size() == 1);
    }
}
