// Norms, gradients by depth, subwords, costs and small trainings.
#include "lab/costs.hpp"
#include "lab/norms.hpp"
#include "lab/numbers.hpp"
#include "lab/subwords.hpp"
#include "lab/trained.hpp"
#include "reference_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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
    // ReLU halves what weights of gain 1 pass: without that the stack is no reason to vanish.
    CHECK(value_of(finding, "gradient_plain") < 0.1);
    CHECK(value_of(finding, "gradient_plain_he") > 0.2);
    CHECK(finding.judgement.verdict == Verdict::depends);
    // One layer is not deep.
    CHECK(found("norms", {{"layers", "1"}}).judgement.verdict == Verdict::depends);
}

TEST_CASE("the gradient at layer 1 that is told is the one that its curve shows there") {
    const auto finding = found("norms");
    const auto& curves = std::get<Curves>(finding.pictures.at(0).data);
    CHECK(curves.xs.front() == 1); // layers count from 1
    CHECK(curves.xs.back() == 12);
    REQUIRE(curves.series.at(0).values.size() == curves.xs.size());
    CHECK(curves.series[0].values.back() == Approx(1)); // times that at the last
    CHECK(curves.series[0].values.front() == Approx(value_of(finding, "gradient_plain")));
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

namespace {

/// Σ ln p of a text's tokens, each by its share of all.
double log_likelihood(const std::vector<std::vector<std::string>>& words) {
    std::map<std::string, double> counts;
    double all = 0, sum = 0;
    for (const auto& word : words) {
        for (const std::string& token : word) {
            ++counts[token];
            ++all;
        }
    }
    for (const auto& [token, count] : counts) sum += count * std::log(count / all);
    return sum;
}

/// The text with one pair joined wherever it stands.
std::vector<std::vector<std::string>> joined_once(std::vector<std::vector<std::string>> words,
                                                  const std::string& left, const std::string& right,
                                                  const std::string& name) {
    for (auto& word : words) {
        for (std::size_t i = 0; i + 1 < word.size(); ++i) {
            if (word[i] != left || word[i + 1] != right) continue;
            word[i] = name;
            word.erase(word.begin() + static_cast<long>(i) + 1);
        }
    }
    return words;
}

} // namespace

TEST_CASE("WordPiece joins the pair that makes the text most likely, as trying all of them finds") {
    std::vector<std::vector<std::string>> words;
    std::string text;
    const std::pair<const char*, int> counted[] = {
        {"hug", 10}, {"pug", 5}, {"pun", 12}, {"bun", 4}, {"hugs", 5}};
    for (const auto& [word, count] : counted) {
        for (int i = 0; i < count; ++i) {
            text += std::string(word) + " ";
            words.emplace_back();
            for (const char c : std::string(word)) {
                words.back().push_back((words.back().empty() ? "" : "##") + std::string(1, c));
            }
        }
    }
    const Learned learned = learn_subwords(Subwords::wordpiece, text, 6);
    REQUIRE(learned.merges.size() == 6);
    for (const Merge& merge : learned.merges) {
        double best = -1e300;
        for (const auto& word : words) {
            for (std::size_t i = 0; i + 1 < word.size(); ++i) {
                const std::string name = word[i] + word[i + 1].substr(2);
                best =
                    std::max(best, log_likelihood(joined_once(words, word[i], word[i + 1], name)));
            }
        }
        const double before = log_likelihood(words);
        words = joined_once(words, merge.left, merge.right, merge.joined);
        CHECK(log_likelihood(words) == Approx(best).margin(1e-6));
        CHECK(merge.score == Approx(best - before).margin(1e-6));
    }
    // One pair by hand: of 113 letters joining n times changes Σ x ln x of the counts and of all.
    const auto f = [](double x) { return x * std::log(x); };
    CHECK(likelihood_gain(15, 15, 36, 113, false) ==
          Approx(f(15) - f(15) + f(21) - f(36) - f(98) + f(113)));
}

TEST_CASE("BPE learns what counting every pair anew in a plain list learns, ties and all") {
    std::vector<std::vector<std::string>> words;
    std::string text;
    for (std::uint32_t i = 0, state = 7; i < 60; ++i) {
        words.emplace_back();
        for (std::uint32_t n = 0; n < 1 + i % 9; ++n) {
            state = state * 1664525u + 1013904223u;
            words.back().push_back(std::string(1, static_cast<char>('a' + (state >> 24) % 4)));
            text += words.back().back();
        }
        words.back().push_back("·");
        text += " ";
    }
    const Learned learned = learn_subwords(Subwords::bpe, text, 40);
    REQUIRE(learned.merges.size() == 40);
    for (const Merge& merge : learned.merges) {
        std::vector<std::pair<std::pair<std::string, std::string>, std::size_t>> pairs;
        for (const auto& word : words) {
            for (std::size_t i = 0; i + 1 < word.size(); ++i) {
                const std::pair pair(word[i], word[i + 1]);
                const auto at =
                    std::ranges::find(pairs, pair, [](const auto& p) { return p.first; });
                if (at == pairs.end()) {
                    pairs.push_back({pair, 1});
                } else {
                    ++at->second;
                }
            }
        }
        const auto best =
            std::ranges::max_element(pairs, {}, [](const auto& p) { return p.second; });
        REQUIRE(best != pairs.end());
        CHECK(merge.left == best->first.first);
        CHECK(merge.right == best->first.second);
        CHECK(merge.count == best->second);
        words = joined_once(words, merge.left, merge.right, merge.joined);
    }
}

TEST_CASE("WordPiece writes a word by the longest known piece first") {
    Learned learned;
    learned.alphabet = {"##g", "##s", "##u", "b", "h"};
    learned.merges = {{"##g", "##s", "##gs"}, {"h", "##u", "hu"}, {"hu", "##gs", "hugs"}};
    const auto pieces = [&](std::size_t merges, const char* word) {
        return segment(Subwords::wordpiece, learned, merges, word);
    };
    CHECK(pieces(3, "hugs") == std::vector<std::string>{"hugs"});
    CHECK(pieces(2, "hugs") == std::vector<std::string>{"hu", "##gs"});
    CHECK(pieces(3, "bugs") == std::vector<std::string>{"b", "##u", "##gs"});
    CHECK(pieces(3, "mug") == std::vector<std::string>{"[UNK]"});
}

TEST_CASE("joining ends where every word is one piece, and letters of any script are whole") {
    const Learned learned = learn_subwords(Subwords::wordpiece, "汉字 汉字", 100);
    CHECK(learned.alphabet == std::vector<std::string>{"##字", "汉"});
    CHECK(joined_by(learned) == std::vector<std::string>{"汉字"});
    CHECK(learn_subwords(Subwords::bpe, "", 5).merges.empty());
}

TEST_CASE("texts without spaces are split into words, and cut behind a whole letter") {
    CHECK(text_words("我昨天吃了苹果").size() > 1);
    const Learned learned = learn_subwords(Subwords::bpe, "我昨天吃了苹果，昨天我吃了苹果", 50);
    for (const Merge& merge : learned.merges) CHECK(merge.joined.size() < 12);
    CHECK(beginning_of("汉字", 4) == "汉");
    CHECK(beginning_of("汉字", 6) == "汉字");
    CHECK(beginning_of("abc", 2) == "ab");
    // No white space at all is no reason to learn nothing.
    const Page& page = *page_named("subwords");
    Settings settings = usual_settings(page.parameters);
    for (settings.texts["text"].clear(); settings.texts["text"].size() < 9000;) {
        settings.texts["text"] += "苹果和昨天";
    }
    const auto pictures = page.look(settings);
    CHECK(pictures.back().subtitle.find("of its first") != std::string::npos);
    CHECK(!std::get<Words>(pictures.front().data).rows.empty());
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

TEST_CASE("the bars of the bottleneck tell their numbers, and that states are of two directions") {
    const Page& page = *page_named("bottleneck");
    const auto pictures = page.look(usual_settings(page.parameters));
    const auto& bars = std::get<Bars>(pictures.back().data);
    CHECK(bars.labels == std::vector<std::string>{"last state: 64", "mean: 64", "attention: 832"});
    CHECK(bars.series[0].values == std::vector<double>{64, 64, 832});
    CHECK(pictures.back().subtitle.find("two directions: 2 × 32 numbers") != std::string::npos);
}

TEST_CASE("what moves a context is told in shares of the whole, so that two of them compare") {
    const Page& page = *page_named("bottleneck");
    const auto pictures = page.look(usual_settings(page.parameters));
    const auto& curves = std::get<Curves>(pictures.at(1).data);
    REQUIRE(curves.series.size() == 2);
    for (const Series& context : curves.series) {
        CAPTURE(context.name);
        CHECK(std::accumulate(context.values.begin(), context.values.end(), 0.0) == Approx(1));
    }
    // What the words beside the picture say of it.
    const auto &last = curves.series[0].values, &mean = curves.series[1].values;
    CHECK(last.back() > mean.back());
    CHECK(last.front() < mean.front());
}

TEST_CASE("the rate that is drawn is that of the formula, with the largest rate for r") {
    const Page& page = *page_named("warm-up");
    const Settings usual = usual_settings(page.parameters);
    const auto pictures = page.look(usual);
    const auto& rates = std::get<Curves>(pictures.front().data);
    CHECK(page.formula.starts_with("rate(t) = r min(t/w, \\sqrt{w/t})"));
    const double r = usual.number("rate"), w = usual.number("warm_up");
    for (std::size_t i = 0; i < rates.xs.size(); ++i) {
        const double t = rates.xs[i];
        const double by_formula = r * std::min(t / w, std::sqrt(w / t));
        CHECK(rates.series.at(0).values[i] == Approx(by_formula).epsilon(1e-5));
    }
}

TEST_CASE("a run that ends before its warm-up says so") {
    const Page& page = *page_named("warm-up");
    Settings settings = usual_settings(page.parameters);
    const auto words = [&] { return page.look(settings).front().subtitle; };
    CHECK(words().find("ends before") == std::string::npos);
    settings.numbers["steps"] = settings.number("warm_up") - 1;
    CHECK(words().find("training ends before it does") != std::string::npos);
}

TEST_CASE("pieces that both kinds learned are counted without the marks, and it is said") {
    const auto finding = found("subwords");
    CHECK(value_of(finding, "shared") == Approx(7.0 / 11)); // by hand: low and low· are one
    CHECK(finding.judgement.because.find("without the marks “·” and “##”, 63.6 %") !=
          std::string::npos);
}

TEST_CASE("the share that dropout set to 0 is told beside its picture") {
    const Page& page = *page_named("warm-up");
    const Picture dropped = page.look(usual_settings(page.parameters)).back();
    const auto& values = *std::get<Grid>(dropped.data).values;
    CHECK(dropped.subtitle.starts_with(
        fmt::format("{} of 128 numbers times 0", (values.array() == 0).count())));
    CHECK(dropped.subtitle.find("chance 0.1: about 13 expected") != std::string::npos);
}

TEST_CASE("pages that train answer with few steps, one seed, and what they measured") {
    for (const char* page : {"bottleneck", "heads", "warm-up", "scores", "long-copies"}) {
        CAPTURE(page);
        const auto finding = found(page, {{"steps", "50"}}, 1);
        CHECK(!finding.pictures.empty());
        CHECK(!finding.judgement.because.empty());
        CHECK(finding.seeds.size() == 1);
        for (const Number& n : finding.measured) {
            CAPTURE(n.label);
            const bool share = n.label.find("right") != std::string::npos ||
                               n.label.find("share") != std::string::npos;
            if (share) CHECK(n.unit == kShare); // as in the verdict: in per cent
        }
    }
}
