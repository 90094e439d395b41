#include "trace/head_pattern.hpp"

#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>

namespace heed::trace {

using num::Index;

namespace {

/// A mean over the rows where something is.
struct Mean {
    double sum = 0;
    int count = 0;
    void add(float value) {
        sum += static_cast<double>(value);
        ++count;
    }
    float value() const { return count > 0 ? static_cast<float>(sum / count) : 0; }
};

} // namespace

HeadPattern head_pattern(const num::Matrix<float>& weights, const std::vector<text::Token>& queries,
                         const std::vector<text::Token>& keys, std::string_view padding) {
    std::vector<Index> separators;
    for (std::size_t j = 1; j < keys.size() && static_cast<Index>(j) < weights.cols(); ++j) {
        if (text::is_separator(keys[j])) separators.push_back(static_cast<Index>(j));
    }
    HeadPattern pattern;
    Mean previous, next, same, first, separator, largest, breadth;
    const Index cols = weights.cols();
    num::RowVector<float> received = num::RowVector<float>::Zero(cols);
    std::vector<int> led(
        static_cast<std::size_t>(cols)); // rows, by the key of their largest weight
    for (Index i = 0; i < weights.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (at < queries.size() && queries[at].text == padding) continue;
        const num::RowVector<float> row = weights.row(i);
        if (!(row.sum() > 0)) continue; // no distribution, or not a number
        ++pattern.rows;
        received += row;
        Index key = 0;
        const float most = row.maxCoeff(&key);
        ++led[static_cast<std::size_t>(key)];
        pattern.settled += most > HeadPattern::kSettled;
        largest.add(most);
        if (i > 0 && i - 1 < cols) previous.add(row(i - 1));
        if (i + 1 < cols) next.add(row(i + 1));
        if (i > 0 && i < cols) same.add(row(i));
        if (i > 0) first.add(row(0));
        float of_separators = 0;
        for (const Index j : separators) of_separators += row(j);
        separator.add(of_separators);
        const auto seen = (row.array() > 0).count();
        if (seen > 1) {
            breadth.add(num::entropy_bits(row) / std::log2(static_cast<float>(seen)));
        }
    }
    if (pattern.rows > 0) {
        pattern.to_one_key = received.maxCoeff(&pattern.one_key) / static_cast<float>(pattern.rows);
        pattern.at_one_key = led[static_cast<std::size_t>(pattern.one_key)];
    }
    pattern.previous = previous.value();
    pattern.next = next.value();
    pattern.same = same.value();
    pattern.first = first.value();
    pattern.separator = separator.value();
    pattern.largest = largest.value();
    pattern.breadth = breadth.value();
    return pattern;
}

} // namespace heed::trace
