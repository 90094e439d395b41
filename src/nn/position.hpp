// How a model knows the order of its tokens.
#pragma once

#include <optional>
#include <string_view>

namespace heed::nn {

enum class Positions {
    none,
    sinusoidal, // joined to the embedding: Vaswani et al. 2017, section 3.5
    learned,    // joined to the embedding, a table of parameters
    rotary,     // turns q and k in every head: Su et al. 2021
    alibi,      // adds −m (i − j), |i − j| in an encoder, to the scaled scores: Press et al. 2022
    relative,   // adds a learned bias a bucket of j − i to the scaled scores: Raffel et al. 2020
};

inline constexpr Positions kPositions[] = {Positions::none,   Positions::sinusoidal,
                                           Positions::learned, Positions::rotary,
                                           Positions::alibi,   Positions::relative};

/// Sinusoidal and learned positions join the embedding; the others act inside an attention head.
constexpr bool joins_embedding(Positions p) {
    return p == Positions::sinusoidal || p == Positions::learned;
}

/// How positions join the embedding. Concatenated: [embedding; position] W, of which adding is the
/// case that W is one identity above another.
enum class Join { add, concatenate };

std::string_view name(Positions positions);
std::optional<Positions> positions_named(std::string_view name);

} // namespace heed::nn
