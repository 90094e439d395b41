#include "trace/shares.hpp"

#include "base/check.hpp"

#include <numeric>

namespace heed::trace {

namespace {

std::vector<int> all_or(const std::vector<int>& chosen, Index count) {
    std::vector<int> places = chosen;
    if (places.empty()) {
        places.resize(static_cast<std::size_t>(count));
        std::iota(places.begin(), places.end(), 0);
    }
    for (const int i : places) HEED_CHECK(i >= 0 && i < count, "{} of {}", i, count);
    return places;
}

} // namespace

Matrix<float> given(const Matrix<float>& weights, const std::vector<int>& keys) {
    if (keys.empty()) return weights.rowwise().sum();
    Matrix<float> sums = Matrix<float>::Zero(weights.rows(), 1);
    for (const int key : all_or(keys, weights.cols())) sums += weights.col(key);
    return sums;
}

Matrix<float> received(const Matrix<float>& weights, const std::vector<int>& queries) {
    Matrix<float> mean = Matrix<float>::Zero(1, weights.cols());
    Index counted = 0;
    for (const int query : all_or(queries, weights.rows())) {
        if ((weights.row(query).array() == 0).all()) continue;
        mean += weights.row(query);
        ++counted;
    }
    if (counted > 1) mean /= static_cast<float>(counted);
    return mean;
}

float share(const Matrix<float>& weights, const std::vector<int>& queries,
            const std::vector<int>& keys) {
    const Matrix<float> mean = received(weights, queries);
    float sum = 0;
    for (const int key : all_or(keys, weights.cols())) sum += mean(0, key);
    return sum;
}

} // namespace heed::trace
