#include "inside/map_scores.hpp"

#include "inside/head_table.hpp"
#include "num/softmax.hpp"
#include "trace/head_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace heed::inside {

using num::Index;
using num::Matrix;

namespace {

/// A mean of what was added, in the order of the rows.
struct RowMean {
    double sum = 0;
    Index count = 0;
    void add(double value) {
        sum += value;
        ++count;
    }
    float value_or(float none) const {
        return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : none;
    }
};
constexpr float kUnmeasured = std::numeric_limits<float>::quiet_NaN();

bool has_distribution(const Matrix<float>& weights, Index row) {
    return weights.row(row).sum() > 0; // not so for NaN
}

bool same_token(const text::Token& a, const text::Token& b) {
    return a.row >= 0 && b.row >= 0 ? a.row == b.row : a.text == b.text;
}

/// The rows that count: no padding, and a distribution.
std::vector<Index> counted_rows(const Matrix<float>& weights, const MapTokens& tokens) {
    std::vector<Index> rows;
    for (Index i = 0; i < weights.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const bool pads = at < tokens.queries.size() && tokens.queries[at].text == tokens.padding;
        if (!pads && has_distribution(weights, i)) rows.push_back(i);
    }
    return rows;
}

std::vector<Index> rows_with_distribution(const Matrix<float>& weights) {
    std::vector<Index> rows;
    for (Index i = 0; i < weights.rows(); ++i) {
        if (has_distribution(weights, i)) rows.push_back(i);
    }
    return rows;
}

float entropy_of(const Matrix<float>& weights, const std::vector<Index>& rows) {
    RowMean mean;
    for (const Index i : rows) {
        mean.add(static_cast<double>(num::entropy_bits(num::RowVector<float>(weights.row(i)))));
    }
    return mean.value_or(0);
}

float distance_of(const Matrix<float>& weights, const std::vector<Index>& rows) {
    RowMean mean;
    for (const Index i : rows) {
        double distance = 0, total = 0;
        for (Index j = 0; j < weights.cols(); ++j) {
            const auto weight = static_cast<double>(weights(i, j));
            distance += weight * static_cast<double>(std::abs(i - j));
            total += weight;
        }
        mean.add(distance / total);
    }
    return mean.value_or(0);
}

void score_offsets(const Matrix<float>& weights, const std::vector<Index>& rows,
                   MapScores& scores) {
    scores.first_offset = 1 - weights.rows();
    const Index offsets = weights.rows() + weights.cols() - 1;
    std::vector<RowMean> means(static_cast<std::size_t>(std::max<Index>(offsets, 0)));
    for (const Index i : rows) {
        for (Index j = 0; j < weights.cols(); ++j) {
            means[static_cast<std::size_t>(j - i - scores.first_offset)].add(
                static_cast<double>(weights(i, j)));
        }
    }
    float most = -1;
    for (std::size_t d = 0; d < means.size(); ++d) {
        scores.by_offset.push_back(means[d].value_or(0));
        const bool common = 2 * means[d].count >= std::ssize(rows);
        if (!common || means[d].count == 0 || scores.by_offset[d] <= most) continue;
        most = scores.by_offset[d];
        scores.offset = scores.first_offset + static_cast<Index>(d);
    }
    if (most >= 0 && weights.cols() > 1) scores.values[HeadScore::positional] = most;
}

void score_repeats(const Matrix<float>& weights, const MapTokens& tokens,
                   const std::vector<Index>& rows, MapScores& scores) {
    const Index n = std::min({weights.rows(), weights.cols(), std::ssize(tokens.keys)});
    RowMean duplicate, followed;
    for (const Index i : rows) {
        if (i >= n) continue;
        double to_same = 0, to_following = 0;
        bool occurs = false, follows = false;
        const text::Token& own = tokens.keys[static_cast<std::size_t>(i)];
        for (Index j = 0; j < (tokens.causal ? i : n); ++j) {
            if (j == i || !same_token(tokens.keys[static_cast<std::size_t>(j)], own)) continue;
            occurs = true;
            to_same += static_cast<double>(weights(i, j));
            if (j + 1 >= i) continue;
            follows = true;
            to_following += static_cast<double>(weights(i, j + 1));
        }
        if (occurs) duplicate.add(to_same);
        if (follows) followed.add(to_following);
    }
    scores.values[HeadScore::duplicate] = duplicate.value_or(kUnmeasured);
    scores.values[HeadScore::followed] = followed.value_or(kUnmeasured);
}

/// " +3", " −3".
std::string signed_offset(Index offset, std::string_view minus) {
    return fmt::format(" {}{}", offset < 0 ? minus : "+", std::abs(offset));
}


/// The largest of the scores that heads are named by, of equal ones the last; null where there is
/// none.
const HeadScoreInfo* largest_score(const ScoreValues& values, Index offset) {
    const bool inducts = values[HeadScore::induction] >= kNamed;
    if (values.across && values[HeadScore::alignment] >= kNamed) return &info(HeadScore::alignment);
    const auto counts = [&](HeadScore score) {
        switch (score) {
        // Places of two sentences have little to do with each other: that words stand alike says
        // nothing of a head which follows them.
        case HeadScore::previous:
        case HeadScore::next: return !values.across;
        // An offset of at most one token has a score of its own. What followed stands at one offset
        // where a whole text comes again.
        case HeadScore::positional:
            return std::abs(offset) > 1 && !values.across && values.one_key < values[score] &&
                   !(inducts && values[HeadScore::followed] >= kNamed);
        case HeadScore::followed: return !values.has(HeadScore::induction);
        // What induction finds is the alignment of a repetition.
        case HeadScore::alignment: return values.across || !inducts;
        // Where an induction head rests as long as nothing comes again.
        case HeadScore::same:
        case HeadScore::first:
        case HeadScore::separator: return !inducts;
        default: return true;
        }
    };
    const HeadScoreInfo* most = nullptr;
    for (const HeadScoreInfo& row : kHeadScores) {
        if (row.phrase.empty() || !values.has(row.score) || !counts(row.score)) continue;
        if (!most || values[row.score] >= values[most->score]) most = &row;
    }
    return most;
}

bool names(const HeadScoreInfo& score, const ScoreValues& values) {
    constexpr float kByOffset = 0.4f; // it need exist in half of the rows only: one can lift it far
    const bool beside = score.score == HeadScore::previous || score.score == HeadScore::next ||
                        score.score == HeadScore::same;
    // Where one token gets more than that place, the place says little of the head.
    if (beside && values[score.score] <= kConfident && values[score.score] < values.one_key)
        return false;
    return values[score.score] >= (score.score == HeadScore::positional ? kByOffset : kNamed);
}

} // namespace

float mean_entropy_bits(const Matrix<float>& weights) {
    return entropy_of(weights, rows_with_distribution(weights));
}

float mean_distance(const Matrix<float>& weights) {
    return distance_of(weights, rows_with_distribution(weights));
}

MapScores map_scores(const Matrix<float>& weights, const MapTokens& tokens) {
    MapScores scores;
    const auto rows = counted_rows(weights, tokens);
    scores.rows = static_cast<int>(rows.size());
    if (rows.empty()) return scores;
    const auto p = trace::head_pattern(weights, tokens.queries, tokens.keys, tokens.padding);
    ScoreValues& v = scores.values;
    v.across = !tokens.self;
    v.one_key = p.to_one_key;
    v.breadth = p.breadth;
    if (weights.cols() > 1) { // of one key there is nothing to tell
        v[HeadScore::previous] = p.previous;
        v[HeadScore::next] = p.next;
        if (tokens.self) v[HeadScore::same] = p.same;
        v[HeadScore::first] = p.first;
        v[HeadScore::separator] = p.separator;
    }
    v[HeadScore::confidence] = p.largest;
    v[HeadScore::entropy] = entropy_of(weights, rows);
    v[HeadScore::distance] = distance_of(weights, rows);
    score_offsets(weights, rows, scores);
    if (tokens.self) score_repeats(weights, tokens, rows, scores);
    return scores;
}

namespace {

/// "0.97"; a share that is less than 1 never reads 1.
std::string share_words(float share) {
    return share < 1 && share >= 0.995f ? "> 0.99" : fmt::format("{:.2f}", share);
}

} // namespace

std::string head_label(const ScoreValues& values, Index offset, std::string_view minus) {
    const HeadScoreInfo* most = largest_score(values, offset);
    if (!most) return {};
    const bool positional = most->score == HeadScore::positional;
    const std::string named =
        fmt::format("{}{} ({})", most->phrase, positional ? signed_offset(offset, minus) : "",
                    share_words(values[most->score]));
    if (names(*most, values)) return named;
    if (values.one_key >= trace::HeadPattern::kSettled)
        return fmt::format("one token ({})", share_words(values.one_key));
    const float confidence = values[HeadScore::confidence];
    if (confidence > kConfident) return fmt::format("confident ({})", share_words(confidence));
    const bool broad = values.across || values.breadth >= kBroad;
    if (!broad && confidence > kNamed) return "mixed: " + named;
    return fmt::format("broad ({:.2f} bits)", values[HeadScore::entropy]);
}

std::optional<HeadScore> naming_score(const ScoreValues& values, Index offset) {
    const HeadScoreInfo* most = largest_score(values, offset);
    return most && names(*most, values) ? std::optional(most->score) : std::nullopt;
}

} // namespace heed::inside
