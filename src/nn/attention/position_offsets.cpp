#include "nn/attention/position_offsets.hpp"

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

template <class S> bool falls_with_distance(const std::vector<S>& products, Index zero, Index far) {
    const auto at = [&](Index offset) { return products[static_cast<std::size_t>(zero + offset)]; };
    int pairs = 0, falling = 0;
    for (Index near = 1; near < far; ++near) {
        for (Index further = near + 1; further <= far; ++further, ++pairs) {
            falling += at(near) > at(further);
        }
    }
    return at(0) > at(1) && 10 * falling >= 9 * pairs;
}

template <class S>
std::vector<S> rotary_products(Index offsets, Index d_k, const RotarySettings& settings) {
    const Matrix<double> cosines = rotary_table<double>(offsets, d_k, 0, settings).cosine;
    const auto still = static_cast<double>(d_k - 2 * cosines.cols());
    std::vector<S> products;
    for (Index offset = 0; offset < offsets; ++offset) {
        const double sum = 2 * cosines.row(offset).sum() + still;
        products.push_back(static_cast<S>(d_k > 0 ? sum / static_cast<double>(d_k) : 0));
    }
    return products;
}

template OffsetProfile<float> position_products(const Matrix<float>&);
template OffsetProfile<double> position_products(const Matrix<double>&);
template bool falls_with_distance(const std::vector<float>&, Index, Index);
template bool falls_with_distance(const std::vector<double>&, Index, Index);
template std::vector<float> rotary_products(Index, Index, const RotarySettings&);
template std::vector<double> rotary_products(Index, Index, const RotarySettings&);

} // namespace heed::nn
