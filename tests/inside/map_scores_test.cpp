// Scores of maps against NumPy (tests/reference/make_head_scores.py), and what they are called.
#include "inside/map_scores.hpp"
#include "reference_arrays.hpp"

using namespace heed;
using inside::HeadScore;
using inside::ScoreValues;
using num::Matrix;

namespace {

const tests::ReferenceArrays& arrays() {
    static const tests::ReferenceArrays all("head_scores.txt");
    return all;
}

/// Words of the reference: numbers, of which 99 is a full stop.
std::vector<text::Token> reference_words() {
    std::vector<text::Token> tokens;
    const auto numbers = arrays().at("words");
    for (num::Index i = 0; i < numbers.size(); ++i) {
        const int word = static_cast<int>(numbers(0, i));
        tokens.push_back({word == 99 ? "." : "w" + std::to_string(word), 0, 0});
    }
    return tokens;
}

inside::MapScores scores_of(const std::string& map) {
    const auto tokens = reference_words();
    return inside::map_scores(arrays().at<float>(map), {tokens, tokens, true, map == "causal"});
}

std::vector<text::Token> letters(const std::string& text) {
    std::vector<text::Token> tokens;
    for (const char c : text) tokens.push_back({std::string(1, c), 0, 0});
    return tokens;
}

/// Every query puts all of its weight on one key.
Matrix<float> pointing(const std::vector<int>& keys) {
    const auto n = static_cast<num::Index>(keys.size());
    Matrix<float> map = Matrix<float>::Zero(n, n);
    for (num::Index i = 0; i < n; ++i) map(i, keys[static_cast<std::size_t>(i)]) = 1;
    return map;
}

} // namespace

TEST_CASE("scores of a map are those of NumPy, causal or not") {
    for (const std::string map : {"causal", "both"}) {
        const auto scores = scores_of(map);
        for (const auto& row : inside::kHeadScores) {
            INFO(map << ": " << row.name);
            const std::string name = map + "." + std::string(row.name);
            CHECK(scores.values.has(row.score) == arrays().has(name));
            if (!arrays().has(name)) continue;
            CHECK(static_cast<double>(scores.values[row.score]) ==
                  Approx(arrays().at(name)(0, 0)).epsilon(1e-5).margin(1e-7));
        }
        CHECK(static_cast<double>(scores.offset) == arrays().at(map + ".offset")(0, 0));
        const auto curve = arrays().at(map + ".offsets");
        REQUIRE(std::ssize(scores.by_offset) == curve.size());
        CHECK(scores.first_offset == -11);
        for (num::Index d = 0; d < curve.size(); ++d) {
            CHECK(static_cast<double>(scores.by_offset[static_cast<std::size_t>(d)]) ==
                  Approx(curve(0, d)).epsilon(1e-5).margin(1e-7));
        }
        CHECK(scores.rows == 12);
    }
}

TEST_CASE("a head that looks at what followed before does all of that, and nothing else") {
    const auto tokens = letters("abcabc");
    const auto scores =
        inside::map_scores(pointing({0, 0, 0, 1, 2, 3}), {tokens, tokens, true, true});
    CHECK(scores.values[HeadScore::followed] == 1);
    CHECK(scores.values[HeadScore::duplicate] == 0);
    CHECK(inside::head_label(scores.values, scores.offset) == "induction (1.00)");
    const auto same =
        inside::map_scores(pointing({0, 0, 0, 0, 1, 2}), {tokens, tokens, true, true});
    CHECK(same.values[HeadScore::duplicate] == 1);
    CHECK(same.values[HeadScore::followed] == 0);
}

TEST_CASE("without a token that comes twice, and of cross-attention, repeats are not measured") {
    const auto once = letters("abcd"), twice = letters("abab");
    const auto map = pointing({0, 0, 1, 2});
    const auto none = inside::map_scores(map, {once, once, true, true}).values;
    const auto cross = inside::map_scores(map, {twice, twice, false, false}).values;
    for (const HeadScore score : {HeadScore::duplicate, HeadScore::followed}) {
        CHECK_FALSE(none.has(score));
        CHECK_FALSE(cross.has(score));
    }
    CHECK(cross.has(HeadScore::previous));
    CHECK_FALSE(cross.has(HeadScore::same)); // the same place of another sentence
    CHECK(none.has(HeadScore::same));
    // "aa": what followed is the token itself, which is no induction.
    const auto beside = letters("aab");
    const auto values =
        inside::map_scores(pointing({0, 1, 2}), {beside, beside, true, true}).values;
    CHECK(values.has(HeadScore::duplicate));
    CHECK_FALSE(values.has(HeadScore::followed));
}

TEST_CASE("padding and rows without a distribution count nowhere") {
    auto tokens = letters("abc");
    Matrix<float> map = pointing({0, 0, 1});
    tokens[2].text = "⟨pad⟩";
    CHECK(inside::map_scores(map, {tokens, tokens}).rows == 2);
    map(2, 1) = map(2, 2) = 0.5f; // the padding's own entropy
    CHECK(inside::map_scores(map, {tokens, tokens}).values[HeadScore::entropy] == 0);
    CHECK(inside::mean_entropy_bits(map) > 0);
    map.row(1).setZero();
    CHECK(inside::map_scores(map, {tokens, tokens}).rows == 1);
    map.setZero();
    const auto none = inside::map_scores(map, {tokens, tokens});
    CHECK(none.rows == 0);
    for (const auto& row : inside::kHeadScores) CHECK_FALSE(none.values.has(row.score));
    CHECK(inside::map_scores(Matrix<float>(0, 0), {{}, {}}).rows == 0);
}

TEST_CASE("tokens that a tokeniser told are compared by their ids") {
    auto tokens = letters("aaxa");
    for (int i = 0; i < 4; ++i) tokens[static_cast<std::size_t>(i)].row = i == 3 ? 0 : i;
    const auto map = pointing({0, 0, 0, 1});
    const auto values = inside::map_scores(map, {tokens, tokens, true, true}).values;
    CHECK(values[HeadScore::followed] == 1); // of the last "a" alone
}

TEST_CASE("a head is named by its largest score, and by how much") {
    ScoreValues values;
    CHECK(inside::head_label(values, 0).empty());
    values[HeadScore::previous] = 0.2f;
    values[HeadScore::confidence] = 0.2f;
    values[HeadScore::entropy] = 2.5f;
    CHECK(inside::head_label(values, 0) == "broad (2.50 bits)");
    values[HeadScore::confidence] = 0.4f;
    CHECK(inside::head_label(values, 0) == "mixed: previous token (0.20)");
    values.breadth = 0.8f; // of few keys
    CHECK(inside::head_label(values, 0) == "broad (2.50 bits)");
    values[HeadScore::confidence] = 0.9f;
    CHECK(inside::head_label(values, 0) == "confident (0.90)");
    values.one_key = 0.7f;
    CHECK(inside::head_label(values, 0) == "one token (0.70)");
    values.one_key = values.breadth = 0;
    values[HeadScore::previous] = 0.6f;
    values.across = true; // where no place of the other sentence names a head
    values[HeadScore::positional] = 0.9f;
    values[HeadScore::separator] = 0.1f;
    CHECK(inside::head_label(values, 0) == "confident (0.90)");
    CHECK(inside::head_label(values, -3) == "confident (0.90)");
    values[HeadScore::confidence] = 0.4f;
    CHECK(inside::head_label(values, 0) == "broad (2.50 bits)");
    values[HeadScore::confidence] = 0.9f;
    values[HeadScore::separator] = 0.8f;
    CHECK(inside::head_label(values, 0) == "separators (0.80)");
    values[HeadScore::alignment] = 0.7f;
    CHECK(inside::head_label(values, 0) == "gold alignment (0.70)");
    values[HeadScore::alignment] = values[HeadScore::separator] = 0;
    values.across = false;
    values[HeadScore::positional] = 0.9f; // of an offset that has a score of its own
    CHECK(inside::head_label(values, -1) == "previous token (0.60)");
    CHECK(inside::head_label(values, -3) == "fixed offset −3 (0.90)");
    values[HeadScore::followed] = 0.97f;
    CHECK(inside::head_label(values, -3) == "induction (0.97)");
    values[HeadScore::induction] = 0.95f; // the same, where no meaning helps
    CHECK(inside::head_label(values, -3) == "induction (0.95)");

    // The alignment of a repetition is what an induction head finds; of a translation it is not.
    values[HeadScore::positional] = 0;
    values[HeadScore::alignment] = 1;
    values[HeadScore::induction] = 0.2f;
    CHECK(inside::head_label(values, 0) == "gold alignment (1.00)");
    values[HeadScore::induction] = 0.95f;
    CHECK(inside::head_label(values, 0) == "induction (0.95)");
}

TEST_CASE("a head that looks at one token from everywhere looks at no offset") {
    std::vector<text::Token> tokens;
    for (const char* word : {"banks", "lend", "more", "money", "to", "firms"}) {
        tokens.push_back({word, 0, 1});
    }
    Matrix<float> weights = Matrix<float>::Constant(6, 6, 0.02f);
    weights.col(3).setConstant(0.9f);
    const auto scores = inside::map_scores(weights, {tokens, tokens});
    CHECK(scores.values.one_key == Approx(0.9f));
    CHECK(inside::head_label(scores.values, scores.offset).find("offset") == std::string::npos);
    Matrix<float> slanted = Matrix<float>::Constant(6, 6, 0.02f);
    for (num::Index i = 0; i < 6; ++i) slanted(i, i < 3 ? i + 3 : 0) = 0.9f;
    const auto other = inside::map_scores(slanted, {tokens, tokens});
    CHECK(inside::head_label(other.values, other.offset) == "fixed offset +3 (0.90)");
}

TEST_CASE("a head that gives one token more than the place beside is not named by the place") {
    Matrix<float> w(6, 6);                         // of a classifier of headlines
    w << 0.00f, 0.01f, 0.92f, 0.06f, 0.01f, 0.00f, //
        0.00f, 0.00f, 0.01f, 0.56f, 0.43f, 0.00f,  //
        0.00f, 0.00f, 1.00f, 0.00f, 0.00f, 0.00f,  //
        0.00f, 0.01f, 0.00f, 0.60f, 0.21f, 0.18f,  //
        0.00f, 0.00f, 0.00f, 0.95f, 0.05f, 0.00f,  //
        0.00f, 0.00f, 0.02f, 0.98f, 0.00f, 0.00f;
    const auto tokens = letters("abcdef");
    const auto scores = inside::map_scores(w, {tokens, tokens});
    CHECK(scores.values[HeadScore::same] == Approx(0.33));
    CHECK(scores.values.one_key == Approx(0.525));
    CHECK(inside::naming_score(scores.values, scores.offset) != HeadScore::same);
}

TEST_CASE("one token tells nothing of where a head looks") {
    const std::vector<text::Token> one = {{"a", 0, 1}};
    const auto scores = inside::map_scores(Matrix<float>::Ones(1, 1), {one, one});
    CHECK_FALSE(scores.values.has(HeadScore::same));
    CHECK_FALSE(scores.values.has(HeadScore::positional));
    CHECK(inside::head_label(scores.values, scores.offset).find("mixed") == std::string::npos);
}

TEST_CASE("an induction head is not named by the place where it rests") {
    ScoreValues values;
    values[HeadScore::first] = 0.95f;
    values[HeadScore::separator] = 0.97f;
    values[HeadScore::same] = 0.7f;
    values[HeadScore::induction] = 0.2f;
    CHECK(inside::head_label(values, 0) == "separators (0.97)");
    values[HeadScore::induction] = 0.6f;
    CHECK(inside::head_label(values, 0) == "induction (0.60)");
    values[HeadScore::positional] = 0.9f; // where a text comes again, all that followed is at one
    values[HeadScore::followed] = 0.9f;
    CHECK(inside::head_label(values, -5) == "induction (0.60)");
    values[HeadScore::followed] = 0;
    CHECK(inside::head_label(values, -5) == "fixed offset −5 (0.90)");
    values[HeadScore::previous] = 0.95f;
    CHECK(inside::head_label(values, -5) == "previous token (0.95)");
}

TEST_CASE("every score has a row, a name of its own and a source") {
    for (std::size_t i = 0; i < inside::kScores; ++i) {
        const auto& row = inside::kHeadScores[i];
        CHECK(static_cast<std::size_t>(row.score) == i);
        CHECK(inside::head_score_named(row.name) == row.score);
        CHECK_FALSE(row.formula.empty());
        CHECK_FALSE(row.citation.empty());
        CHECK(row.tip.ends_with('.'));
    }
    CHECK_FALSE(inside::head_score_named("sharpness"));
}
