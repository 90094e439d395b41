// Random rows of numbers, the same on every machine.
#pragma once

#include "num/dot_histogram.hpp"
#include "num/matrix.hpp"

#include <cstdint>
#include <string_view>

namespace heed::lab {

using num::Index;
using num::Matrix;
using num::RowVector;

/// rows × cols independent numbers of mean 0 and variance 1, a function of the seed and the name.
Matrix<double> draw_features(std::uint64_t seed, std::string_view name, Index rows, Index cols,
                             num::FeatureDraws kind = num::FeatureDraws::normal);

/// A linear map that keeps the variance of what it reads: in × out, of variance 1 / in.
Matrix<double> draw_map(std::uint64_t seed, std::string_view name, Index in, Index out);

} // namespace heed::lab
