#include "trace/merged.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace heed::trace {

namespace {

/// The first token of a word; of one past the last, the number of tokens.
Index first_of(const text::Words& words, Index word) {
    return static_cast<Index>(words.first[static_cast<std::size_t>(word)]);
}

/// One past the last token of a word.
Index end_of(const text::Words& words, Index word) {
    return static_cast<Index>(words.end(static_cast<std::size_t>(word)));
}

Index count_of(const text::Words& words) { return static_cast<Index>(words.count()); }

void check_tokens(const text::Words& words, Index tokens, const char* what) {
    HEED_CHECK(static_cast<Index>(words.tokens()) == tokens, "words of {} tokens for {} {}",
               words.tokens(), tokens, what);
}

/// rows × words: every row summed over the pieces of each word.
Matrix<float> summed_columns(const Matrix<float>& values, const text::Words& keys) {
    Matrix<float> sums(values.rows(), count_of(keys));
    for (Index word = 0; word < sums.cols(); ++word) {
        const Index first = first_of(keys, word), end = end_of(keys, word);
        sums.col(word) = values.middleCols(first, end - first).rowwise().sum();
    }
    return sums;
}

/// Rows `from` up to and without `to`, averaged over those that have a distribution.
num::RowVector<float> mean_row(const Matrix<float>& rows, Index from, Index to) {
    num::RowVector<float> mean = num::RowVector<float>::Zero(rows.cols());
    Index counted = 0;
    for (Index row = from; row < to; ++row) {
        if ((rows.row(row).array() == 0).all()) continue;
        mean += rows.row(row);
        ++counted;
    }
    if (counted > 1) mean /= static_cast<float>(counted);
    return mean;
}

} // namespace

Matrix<float> merged_weights(const Matrix<float>& weights, const text::Words& queries,
                             const text::Words& keys) {
    check_tokens(queries, weights.rows(), "queries");
    check_tokens(keys, weights.cols(), "keys");
    const Matrix<float> sums = summed_columns(weights, keys);
    Matrix<float> merged(count_of(queries), count_of(keys));
    for (Index word = 0; word < merged.rows(); ++word) {
        merged.row(word) = mean_row(sums, first_of(queries, word), end_of(queries, word));
    }
    return merged;
}

Matrix<float> merged_weights(const AttentionMap& map, const text::Words& queries,
                             const text::Words& keys, const AttentionMap::RowVisitor& visit) {
    constexpr Index kStrip = 32; // queries that are made at once, as in AttentionMap::reduced
    const Index m = map.cols(Stage::weights);
    check_tokens(queries, map.rows(Stage::weights), "queries");
    check_tokens(keys, m, "keys");
    Matrix<float> merged(count_of(queries), count_of(keys));
    for (Index word = 0; word < merged.rows();) {
        const Index begin = first_of(queries, word);
        Index last = word + 1;
        while (last < merged.rows() && end_of(queries, last) - begin <= kStrip) ++last;
        const Index rows = end_of(queries, last - 1) - begin;
        const Matrix<float> strip = map.rectangle(Stage::weights, {begin, 0, rows, m});
        if (visit) visit(strip, begin);
        const Matrix<float> sums = summed_columns(strip, keys);
        for (; word < last; ++word) {
            merged.row(word) =
                mean_row(sums, first_of(queries, word) - begin, end_of(queries, word) - begin);
        }
    }
    return merged;
}

namespace {

/// Flow of a step's input between words: summed over the pieces of the word below, and over those
/// of the word above as each holds of the flow.
std::shared_ptr<const Matrix<float>> merged_step(const Matrix<float>& step,
                                                 const num::RowVector<float>& above,
                                                 const text::Words& words) {
    const Matrix<float> sums = summed_columns(step, words);
    auto merged = std::make_shared<Matrix<float>>(Matrix<float>::Zero(sums.cols(), sums.cols()));
    for (Index word = 0; word < sums.cols(); ++word) {
        const Index first = first_of(words, word), pieces = end_of(words, word) - first;
        const auto held = above.middleCols(first, pieces);
        const float whole = held.sum();
        if (whole > 0) merged->row(word) = held * sums.middleRows(first, pieces) / whole;
    }
    return merged;
}

} // namespace

Flow flow_to_word(const LayerMaps& layers, FlowRule rule, const text::Words& words, Index word) {
    HEED_CHECK(word >= 0 && word < count_of(words), "word {} of {}", word, words.count());
    const Index first = first_of(words, word), end = end_of(words, word);
    // Linear in where it ends: one walk down from all pieces at once.
    Flow tokens = flow_to(layers, rule, first);
    check_tokens(words, tokens.n_tokens(), "tokens");
    tokens.reach.row(tokens.n_layers())
        .middleCols(first, end - first)
        .setConstant(1 / static_cast<float>(end - first));
    Flow flow;
    flow.rule = rule;
    flow.token = word;
    flow.steps.resize(tokens.steps.size());
    for (Index layer = tokens.n_layers() - 1; layer >= 0; --layer) {
        const Matrix<float>& step = *tokens.steps[static_cast<std::size_t>(layer)];
        const num::RowVector<float> above = tokens.reach.row(layer + 1);
        tokens.reach.row(layer).noalias() = above * step;
        flow.steps[static_cast<std::size_t>(layer)] = merged_step(step, above, words);
    }
    flow.reach = summed_columns(tokens.reach, words);
    return flow;
}

} // namespace heed::trace
