#include "inside/head_score.hpp"

#include <cmath>
#include <limits>

namespace heed::inside {

std::optional<HeadScore> head_score_named(std::string_view name) {
    for (const HeadScoreInfo& row : kHeadScores) {
        if (row.name == name) return row.score;
    }
    return std::nullopt;
}

ScoreValues::ScoreValues() { values_.fill(std::numeric_limits<float>::quiet_NaN()); }

bool ScoreValues::has(HeadScore score) const { return !std::isnan((*this)[score]); }

} // namespace heed::inside
