// The kinds of positions as a table: one row each, from which names, menus and checks come; and
// what they can be told.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace heed::nn {

enum class Positions { none, sinusoidal, learned, rotary, alibi, relative };

/// The place where positions act.
enum class PositionPlace {
    nowhere,
    embedding, // a row a token, joined to its embedding
    rotating,  // q and k of every head are rotated by their positions
    bias,      // a number a head and offset j − i is added to the scaled scores
};

struct PositionInfo {
    Positions positions;
    std::string_view name;     // of flags and files
    std::string_view label;    // in the window
    std::string_view keywords; // that a search finds it by, too
    std::string_view formula;
    std::string_view citation;
    std::string_view tip; // how a model is told the order of words by it, in one sentence
    PositionPlace place;
    bool learned;          // read from a table of parameters
    bool needs_even_width; // of a head
};

inline constexpr PositionInfo kPositionInfos[] = {
    {Positions::none, "none", "off", "", "", "",
     "No positions: the model cannot tell the order of its words.", PositionPlace::nowhere, false,
     false},
    {Positions::sinusoidal, "sinusoidal", "sinusoidal", "", "sin, cos(p / 10000^(2i/d))",
     "Vaswani et al. 2017, section 3.5",
     "Waves of many lengths are added to the words, a different pattern for each place.",
     PositionPlace::embedding, false, false},
    {Positions::learned, "learned", "learned", "", "P[p]", "Gehring et al. 2017, section 3.1",
     "Each place has a vector of its own, learned in training and added to the word there.",
     PositionPlace::embedding, true, false},
    {Positions::rotary, "rotary", "RoPE", "rope", "R(p) q · R(p) k", "Su et al. 2021",
     "Queries and keys are rotated by their place, so that scores depend on the distance.",
     PositionPlace::rotating, false, true},
    {Positions::alibi, "alibi", "ALiBi", "", "−m |i − j|", "Press et al. 2022",
     "The farther away a word is, the more is taken off its score.", PositionPlace::bias, false,
     false},
    {Positions::relative, "relative", "relative", "", "b[bucket(j − i)]",
     "Raffel et al. 2020, section 2.1",
     "A learned number for each distance between two words is added to their score.",
     PositionPlace::bias, true, false},
};

/// All kinds, in the order of their rows.
inline constexpr auto kPositions = [] {
    std::array<Positions, std::size(kPositionInfos)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = kPositionInfos[i].positions;
    return all;
}();

constexpr const PositionInfo& info(Positions positions) {
    for (const PositionInfo& row : kPositionInfos) {
        if (row.positions == positions) return row;
    }
    return kPositionInfos[0];
}

/// Sinusoidal and learned positions join the embedding; the others act inside an attention head.
constexpr bool joins_embedding(Positions p) { return info(p).place == PositionPlace::embedding; }
constexpr bool rotates(Positions p) { return info(p).place == PositionPlace::rotating; }
constexpr bool adds_bias(Positions p) { return info(p).place == PositionPlace::bias; }

/// "none", "sinusoidal", "learned", "rotary", "alibi", "relative".
std::string_view name(Positions positions);
std::optional<Positions> positions_named(std::string_view name);

/// The way that positions join the embedding. Concatenated: [embedding; position] W, of which
/// adding is the case that W is one identity above another.
enum class Join { add, concatenate };

/// The length that waves of sinusoidal and rotary positions grow to, over 2π (Vaswani et al. 2017).
inline constexpr double kPositionBase = 10000;

/// Scaling of rotary angles for longer texts than a model was trained on: LLaMA 3's rule
/// (Grattafiori et al. 2024; "llama3" in its rope_scaling). With λ a pair's wavelength and L
/// `original_length`: angles of λ > L / low are divided by `factor`, of λ < L / high stay, and
/// between them are mixed by how far L / λ stands from `low` to `high`.
struct RotaryScaling {
    double factor = 8, low = 1, high = 4;
    double original_length = 8192; // tokens
    bool operator==(const RotaryScaling&) const = default;
};

/// Rotary positions of one attention module.
struct RotarySettings {
    /// The features that are rotated together: 2c and 2c + 1 (Su et al. 2021, eq. 15), or c and
    /// c + width/2 ("rotate_half" of GPT-NeoX and LLaMA).
    enum class Pairs { adjacent, halves } pairs = Pairs::adjacent;
    double base = kPositionBase;
    int width = 0; // first features of each head that are rotated; 0: all
    std::optional<RotaryScaling> scaling;
    bool operator==(const RotarySettings&) const = default;
};

inline constexpr int kRelativeBuckets = 32;

/// Buckets of relative positions (Raffel et al. 2020, section 2.1).
struct RelativeSettings {
    int buckets = kRelativeBuckets;
    int max_distance = 128; // tokens; all that lie further apart share a bucket
    bool operator==(const RelativeSettings&) const = default;
};

struct PositionSettings {
    RotarySettings rotary;
    RelativeSettings relative;
    bool operator==(const PositionSettings&) const = default;
};

} // namespace heed::nn
