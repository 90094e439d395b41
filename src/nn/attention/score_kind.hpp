// The kinds of score by their names, without their rows: what settings keep, so that a new score
// does not compile again whoever only passes it on. See score_info.hpp.
#pragma once

#include <optional>
#include <string_view>

namespace heed::nn {

/// A score's kind; its enumerators stand in score_info.hpp.
enum class Score : int;

/// Score::dot and Score::additive, which transformers and recurrent models begin with.
inline constexpr Score kDotScore{0}, kAdditiveScore{1};

/// "additive", "concat", "dot", "scaled", "bilinear", "cosine", "squared-distance": the names of
/// flags and files.
std::string_view name(Score score);
std::optional<Score> score_named(std::string_view name);

} // namespace heed::nn
