// The cost of one layer that mixes n words of width d, and how far a word is from another in it
// (Vaswani et al. 2017, table 1).
#pragma once

#include "lab/draws.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace heed::lab {

enum class Mixer {
    attention,   // n² · d, twice: scores and context; without the linear maps
    recurrence,  // n · d², twice: input and state of an Elman cell
    convolution, // k · n · d²
    window,      // attention to w words on either side: (2w + 1) · n · d at most, twice
};
inline constexpr Mixer kMixers[] = {Mixer::attention, Mixer::recurrence, Mixer::convolution,
                                    Mixer::window};

struct MixerShape {
    Index n = 64, d = 32;
    Index kernel = 3; // of a convolution; odd
    Index window = 8; // w
};

/// Multiplications by the closed form: 2n²d, 2nd², and for convolution and window what is left at
/// the ends of the sentence taken off.
std::uint64_t formula_multiplications(Mixer mixer, const MixerShape& shape);
/// Multiplications, counted one by one while the layer is computed by loops.
std::uint64_t counted_multiplications(Mixer mixer, const MixerShape& shape);

/// Steps that lie between the first word and the last, found by following what each word reads:
/// layers, or in a recurrence states one after another.
Index path_length(Mixer mixer, const MixerShape& shape);

/// The layer by the kernels of every model, on random numbers in 32 bits and one thread: seconds,
/// the least of a few tries.
double mixer_seconds(Mixer mixer, const MixerShape& shape, std::uint64_t seed);

/// The least time of a few tries, each of which goes on for a millisecond at the least: seconds.
double least_seconds(const std::function<void()>& work);

} // namespace heed::lab
