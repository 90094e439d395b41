// Sinusoidal positions as rotations of one another.
#pragma once

#include "lab/draws.hpp"

namespace heed::lab {

/// R with PE(p + k) = PE(p) R for every p, as rows of sines and cosines in turn: d × d, a 2 × 2
/// rotation by k / base^(2c/d) a pair (Vaswani et al. 2017, section 3.5). d is even.
Matrix<double> offset_rotation(Index d, double offset, double base);

/// R found by least squares from a table of positions and one that is `offset` rows
/// later: what tells that it is linear without being told how. The table has independent columns.
Matrix<double> fitted_offset(const Matrix<double>& table, Index offset);

} // namespace heed::lab
