#include "lab/draws.hpp"

#include "num/random.hpp"

#include <cmath>
#include <numbers>

namespace heed::lab {

Matrix<double> draw_features(std::uint64_t seed, std::string_view name, Index rows, Index cols,
                             num::FeatureDraws kind) {
    const num::Rng draws(seed, name);
    Matrix<double> made(rows, cols);
    for (Index i = 0; i < made.size(); ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        const auto u = static_cast<double>(draws.uniform(2 * at));
        const auto v = static_cast<double>(draws.uniform(2 * at + 1));
        made.data()[i] = kind == num::FeatureDraws::uniform
                             ? (2 * u - 1) * std::numbers::sqrt3
                             : std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * v);
    }
    return made;
}

Matrix<double> draw_map(std::uint64_t seed, std::string_view name, Index in, Index out) {
    return draw_features(seed, name, in, out) / std::sqrt(static_cast<double>(in));
}

} // namespace heed::lab
