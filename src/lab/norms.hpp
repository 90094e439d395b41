// Norms over a batch, and gradients through deep stacks.
#pragma once

#include "lab/draws.hpp"

#include <vector>

namespace heed::lab {

/// Each feature to mean 0 and variance 1 over all rows of a batch, with the biased variance (Ioffe
/// and Szegedy 2015, algorithm 1), no gain and no shift: rows × features.
Matrix<double> batch_norm(const Matrix<double>& x, double epsilon = 1e-5);

enum class Path {
    plain,     // x ← f(x)
    residual,  // x ← x + f(x)
    post_norm, // x ← LayerNorm(x + f(x))
    pre_norm,  // x ← x + f(LayerNorm(x))
};

/// The variance of random weights that read what a ReLU gives, times their number of inputs. With 1
/// a ReLU halves what passes; 2 makes up for that (He et al. 2015, section 2.2, eq. 10).
inline constexpr double kPlainGain = 1, kHeGain = 2;

/// ‖∂L/∂x‖ before each of `layers` feed-forward networks of random weights, and behind the last
/// one, where the gradient is drawn: layers + 1 numbers, the input's first.
std::vector<double> gradient_sizes(Path path, std::uint64_t seed, int layers, Index width,
                                   double gain = kPlainGain);

} // namespace heed::lab
