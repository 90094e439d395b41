#include "trace/head_pattern.hpp"

#include "catch.hpp"

using namespace heed;

namespace {

std::vector<text::Token> words(const std::vector<std::string>& list) {
    std::vector<text::Token> tokens;
    for (const std::string& word : list) tokens.push_back({word, 0, 0});
    return tokens;
}

trace::HeadPattern head_pattern(const num::Matrix<float>& weights,
                                const std::vector<text::Token>& keys) {
    return trace::head_pattern(weights, keys, keys, "\u27e8pad\u27e9");
}

} // namespace

TEST_CASE("a head that looks one word back is told from one that looks on") {
    num::Matrix<float> w = num::Matrix<float>::Zero(4, 4);
    w(0, 0) = 1; // it has no previous word
    for (int i = 1; i < 4; ++i) w(i, i - 1) = 1;
    const auto back = head_pattern(w, words({"the", "cat", "sat", "."}));
    CHECK(back.previous == Approx(1));
    CHECK(back.same == 0); // the first row has no choice
    CHECK(back.first == Approx(1.0 / 3));
    CHECK(back.next == 0);
    CHECK(back.separator == 0);
    CHECK(back.rows == 4);
    CHECK(back.settled == 4);
    const auto on = head_pattern(w.transpose(), words({"the", "cat", "sat", "."}));
    CHECK(on.next == Approx(1));
    CHECK(on.separator == Approx(1.0 / 3)); // “sat” looks at the full stop
}

TEST_CASE("breadth is 1 of a uniform row, over the keys that it may see") {
    num::Matrix<float> w = num::Matrix<float>::Zero(3, 3);
    w(0, 0) = 1; // sees one key: left out
    w.row(1) << 0.5f, 0.5f, 0;
    w.row(2).setConstant(1.0f / 3);
    const auto causal = head_pattern(w, words({"a", "b", "\u27e8end\u27e9"}));
    CHECK(causal.breadth == Approx(1).epsilon(1e-6));
    CHECK(causal.settled == 1);
    CHECK(causal.separator == Approx(1.0 / 9));
    w.row(2).setZero(); // a row without a distribution counts nowhere
    CHECK(head_pattern(w, {}).rows == 2);
    CHECK(head_pattern(num::Matrix<float>(0, 0), {}).rows == 0);
}

TEST_CASE("the key that gets most from all rows is told, and how much") {
    num::Matrix<float> w(3, 3);
    w << 0.1f, 0.2f, 0.7f, 0, 0.1f, 0.9f, 0.5f, 0.3f, 0.2f;
    const auto pattern = head_pattern(w, words({"a", "b", "c"}));
    CHECK(pattern.one_key == 2);
    CHECK(pattern.to_one_key == Approx(0.6));
    CHECK(pattern.at_one_key == 2); // of three
    w.row(2).setZero(); // has no distribution
    CHECK(head_pattern(w, words({"a", "b", "c"})).to_one_key == Approx(0.8));
    CHECK(head_pattern(num::Matrix<float>(0, 3), {}).to_one_key == 0);
}

TEST_CASE("punctuation and marks are separators, words are not") {
    for (const char* word : {".", ",", "。", "，", "?", "...", "\u27e8start\u27e9"}) {
        CHECK(text::is_separator({word, 0, 0}));
    }
    for (const char* word : {"a", "n't", "3.14", "苹果", ""})
        CHECK_FALSE(text::is_separator({word, 0, 0}));
}

TEST_CASE("rows of padding count nowhere") {
    num::Matrix<float> w = num::Matrix<float>::Zero(3, 3);
    w.col(0).setOnes();
    CHECK(head_pattern(w, words({"a", "b", "c"})).rows == 3);
    CHECK(head_pattern(w, words({"a", "b", "\u27e8pad\u27e9"})).rows == 2);
}
