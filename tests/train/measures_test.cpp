#include "train/loop/measures.hpp"

#include "catch.hpp"

#include <cmath>
#include <utility>

using namespace heed;
using train::Aligned;
using train::GoldLinks;
using train::WordRows;

namespace {

using Sentences = std::vector<WordRows>;

} // namespace

TEST_CASE("token accuracy counts the places of the target") {
    CHECK(train::token_accuracy(Sentences{{1, 2, 3}, {9}}, Sentences{{1, 5, 3}, {9, 8}}) ==
          3.0 / 5);
    CHECK(train::token_accuracy(Sentences{{1, 2, 3}}, Sentences{{1, 2}}) == 1);
    CHECK(train::token_accuracy(Sentences{}, Sentences{}) == 0);
}

TEST_CASE("an exact match has every word and no other") {
    const Sentences targets = {{1, 2}, {1, 2}, {1, 2}, {1, 2}};
    CHECK(train::exact_match(Sentences{{1, 2}, {2, 1}, {1, 2, 3}, {1}}, targets) == 0.25);
}

TEST_CASE("BLEU clips: the paper's seven times the") {
    // "the the the the the the the" against "the cat is on the mat": 2/7 for single words, and
    // nothing longer, so that the whole is 0.
    const Sentences said = {{1, 1, 1, 1, 1, 1, 1}};
    CHECK(train::bleu(said, Sentences{{1, 2, 3, 4, 1, 5}}) == 0);
    // With the same words twice in a row in the reference: 3/7, 2/6, 1/5 and nothing of four.
    CHECK(train::bleu(said, Sentences{{1, 1, 1}}) == 0);
    // 4/7, 3/6, 2/5, 1/4.
    CHECK(train::bleu(said, Sentences{{1, 1, 1, 1}}) ==
          Approx(std::pow(4.0 / 7 * 3 / 6 * 2 / 5 / 4, 0.25)));
}

TEST_CASE("BLEU is a corpus measure with a penalty for brevity") {
    const Sentences references = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10}};
    CHECK(train::bleu(references, references) == Approx(1));
    // Right but short: 4 + 4 words of 10; every precision is 1.
    CHECK(train::bleu(Sentences{{1, 2, 3, 4}, {7, 8, 9, 10}}, references) ==
          Approx(std::exp(1 - 10.0 / 8)));
    // Longer is punished by the precisions alone: 10/11, 8/9, 6/7, 4/5.
    CHECK(train::bleu(Sentences{{1, 2, 3, 4, 5, 6, 99}, {7, 8, 9, 10}}, references) ==
          Approx(std::pow(10.0 / 11 * 8 / 9 * 6 / 7 * 4 / 5, 0.25)));
    // Sums over the corpus, not a mean over sentences: 6/10, 5/8, 4/6, 3/4.
    CHECK(train::bleu(Sentences{{1, 2, 3, 4, 5, 6}, {99, 99, 99, 99}}, references) ==
          Approx(std::pow(6.0 / 10 * 5 / 8 * 4 / 6 * 3 / 4, 0.25)));
}

TEST_CASE("each target word's strongest source word, the first of equals") {
    num::Matrix<float> weights(3, 3);
    weights << 0.2f, 0.7f, 0.1f, 0.4f, 0.2f, 0.4f, 0, 0, 0;
    CHECK(train::strongest(num::view(std::as_const(weights))) == Aligned{1, 0, -1});
}

TEST_CASE("alignment errors are Och and Ney's") {
    // Sure: 0-0, 1-2; possible beside them: 1-1, 2-1.
    const std::vector<GoldLinks> gold = {
        {{0, 0, true}, {1, 2, true}, {1, 1, false}, {2, 1, false}}};
    const auto rate = [&](Aligned aligned) {
        return train::alignment_error_rate(std::vector<Aligned>{std::move(aligned)}, gold).value();
    };
    CHECK(rate({0, 2, 1}) == Approx(0)); // all sure ones, and none that is not possible
    CHECK(rate({0, 1, 1}) == Approx(1 - (1 + 3) / 5.0));
    CHECK(rate({0, 0, 0}) == Approx(1 - (1 + 1) / 5.0));
    CHECK(rate({-1, 2, -1}) == Approx(1 - (1 + 1) / 3.0));
    CHECK(rate({2, 0, 0}) == Approx(1));
}

TEST_CASE("a target word without gold is not judged, a corpus without gold has no rate") {
    const std::vector<GoldLinks> gold = {{{0, 0, true}}, {{0, 1, true}, {2, 0, true}}};
    const std::vector<Aligned> aligned = {{0, 5}, {1, 7, 0}};
    CHECK(train::alignment_error_rate(aligned, gold).value() == Approx(0));
    CHECK(!train::alignment_error_rate(std::vector<Aligned>{{0, 1}}, std::vector<GoldLinks>{{}}));
}

TEST_CASE("accuracy by length counts exact matches") {
    const std::vector<train::Example> examples = {
        {{3, 3, 3}, {1}, {}, -1}, {{3}, {1}, {}, -1}, {{4, 4, 4}, {2}, {}, -1}};
    const auto found = train::by_length(examples, Sentences{{1}, {2}, {1}});
    using train::LengthAccuracy;
    CHECK(found == std::vector<LengthAccuracy>{{1, 1, 0}, {3, 2, 1}});
    CHECK(found[1].accuracy() == 0.5);
}

TEST_CASE("neighbouring lengths share a bin, so that each has enough sentences") {
    using train::LengthAccuracy, train::LengthBin;
    const std::vector<LengthAccuracy> lengths = {{2, 4, 4}, {3, 5, 5}, {5, 3, 1}, {9, 8, 2}};
    CHECK(train::in_bins(lengths) ==
          std::vector<LengthBin>{{1, 2, 4, 4}, {3, 5, 8, 6}, {9, 9, 8, 2}});
    const std::vector<LengthAccuracy> up_to_13 = {{9, 4, 4}, {12, 5, 5}, {13, 3, 1}};
    CHECK(train::in_bins(up_to_13) ==
          std::vector<LengthBin>{{9, 11, 4, 4}, {12, 13, 8, 6}}); // none of 14 words
    CHECK(train::in_bins({}).empty());
}

TEST_CASE("BLEU is of the sentences that were said, exact match of all") {
    const std::vector<train::Example> examples = {
        {{3}, {1, 2, 3, 4}, {}, -1}, {{3}, {5, 6, 7, 8}, {}, -1}, {{3}, {5, 6, 7, 8}, {}, -1}};
    const Sentences right = {{1, 2, 3, 4}, {5, 6, 7, 8}, {}};
    std::vector<train::Answer> answers;
    for (const auto& said : right) answers.push_back({said, said, {}, -1});
    CHECK(train::measure(examples, answers, 2).bleu == Approx(1));
    CHECK(train::measure(examples, answers).bleu < 1);
    CHECK(train::measure(examples, answers, 2).exact_match == Approx(2.0 / 3));
}

TEST_CASE("measures of examples and answers") {
    const std::vector<train::Example> examples = {{{3, 4}, {5, 6}, {{0, 1}, {1, 0}}, 2},
                                                  {{3}, {5}, {{0, 0}}, 1}};
    const std::vector<train::Answer> answers = {{{5, 9}, {5, 9}, {1, 1}, 2}, {{5}, {5}, {0}, 0}};
    const auto found = train::measure(examples, answers);
    CHECK(found.token_accuracy == Approx(2.0 / 3));
    CHECK(found.exact_match == 0.5);
    CHECK(found.bleu == 0);
    CHECK(found.alignment_error_rate.value() == Approx(1 - (2 + 2) / 6.0));
    CHECK(found.label_accuracy.value() == 0.5);
    CHECK(found.by_length.size() == 2);
    const std::vector<train::Example> bare = {{{3, 4}, {5, 6}, {}, -1}};
    const std::vector<train::Answer> silent = {{{5, 6}, {5, 6}, {}, -1}};
    CHECK(!train::measure(bare, silent).alignment_error_rate);
    CHECK(!train::measure(bare, silent).label_accuracy);
    CHECK_THROWS(train::measure(bare, answers));
}
