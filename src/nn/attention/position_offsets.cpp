#include "nn/attention/position_offsets.hpp"

#include <algorithm>
#include <cmath>

namespace heed::nn {

template <class S> OffsetProfile<S> position_products(const Matrix<S>& table) {
    const Index n = table.rows();
    if (n == 0) return {};
    const auto count = static_cast<std::size_t>(2 * n - 1);
    OffsetProfile<S> profile{std::vector<S>(count), std::vector<S>(count), std::vector<S>(count)};
    const Matrix<S> products = table * table.transpose();
    for (Index offset = 0; offset < n; ++offset) {
        const auto diagonal = products.diagonal(offset);
        for (const Index at : {n - 1 + offset, n - 1 - offset}) { // the products are symmetric
            const auto place = static_cast<std::size_t>(at);
            profile.mean[place] = diagonal.mean();
            profile.least[place] = diagonal.minCoeff();
            profile.most[place] = diagonal.maxCoeff();
        }
    }
    return profile;
}

template <class S> std::vector<S> rotary_products(Index offsets, Index d_k, double base) {
    std::vector<S> products;
    const auto pairs = d_k / 2;
    for (Index offset = 0; offset < offsets; ++offset) {
        double sum = 0;
        for (Index c = 0; c < pairs; ++c) {
            sum += 2 * std::cos(static_cast<double>(offset) *
                                std::pow(base,
                                         -2.0 * static_cast<double>(c) / static_cast<double>(d_k)));
        }
        sum += static_cast<double>(d_k % 2); // the last feature of an odd d_k stays
        products.push_back(static_cast<S>(d_k > 0 ? sum / static_cast<double>(d_k) : 0));
    }
    return products;
}

template OffsetProfile<float> position_products(const Matrix<float>&);
template OffsetProfile<double> position_products(const Matrix<double>&);
template std::vector<float> rotary_products(Index, Index, double);
template std::vector<double> rotary_products(Index, Index, double);

} // namespace heed::nn
