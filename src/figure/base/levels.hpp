// A large matrix made ready for drawing: what takes time to find out about it, made once by who has
// the time.
#pragma once

#include "num/matrix.hpp"

#include <memory>
#include <vector>

namespace heed::figure {

using num::Index;
using num::Matrix;

/// The matrix, then ever coarser ones, each with one value for two by two of the one before: that
/// of largest size, so that no peak vanishes; not finite only where all four are not.
struct Levels {
    std::vector<std::shared_ptr<const Matrix<float>>> coarser; // 2 × 2, 4 × 4, … of the matrix
};
/// Down to the first of at most 64 rows and columns.
std::shared_ptr<const Levels> make_levels(const Matrix<float>& values);

/// The one of a matrix and its levels that is drawn where a cell of the matrix is so many pixels
/// large, and how many cells one of its values stands for each way: the coarsest that still has a
/// value for each pixel.
struct Level {
    std::shared_ptr<const Matrix<float>> values;
    int cells = 1;
};
Level level_for(const std::shared_ptr<const Matrix<float>>& values, const Levels* levels,
                float pixels);

/// Logarithms to base 10 of a matrix, counted from a floor: 0 at it, `span` at the top.
struct Decades {
    float floor = 0, span = 1; // the top's logarithm is floor + span
    std::shared_ptr<const Matrix<float>> values;
    std::shared_ptr<const Levels> levels{};
};

/// The decades of a map of weights in each of its ranges: 0 to 1, the whole map, each row.
struct Logarithms {
    Decades fixed, map, row;
};

/// A map with what its colours and numbers need to know of all its values.
struct PreparedMap {
    std::shared_ptr<const Matrix<float>> values;
    std::shared_ptr<const Levels> levels;
    float low = 0, high = 0;                     // of its finite values; 0 where there is none
    std::shared_ptr<const Matrix<float>> by_row; // each row divided by its own largest size
    std::shared_ptr<const Levels> by_row_levels;
    std::shared_ptr<const Logarithms> logarithms; // null where they were not asked for
    std::vector<float> row_largest;               // largest_of_rows
};
/// Null for a map that is small enough to be looked through whenever it is drawn.
std::shared_ptr<const PreparedMap> prepared(const std::shared_ptr<const Matrix<float>>& values,
                                            bool with_logarithms = false);

} // namespace heed::figure
