#include "nn/attention/score_info.hpp"

namespace heed::nn {

std::string_view name(Score score) { return info(score).name; }

std::optional<Score> score_named(std::string_view wanted) {
    for (const ScoreInfo& row : kScoreInfos) {
        if (row.name == wanted) return row.score;
    }
    return std::nullopt;
}

std::string formula(std::string_view pattern, std::string_view q, std::string_view k) {
    std::string text;
    while (!pattern.empty()) {
        const std::string_view at = pattern.substr(0, 3);
        if (at == "{q}" || at == "{k}") {
            text += at == "{q}" ? q : k;
            pattern.remove_prefix(3);
        } else {
            text += pattern.front();
            pattern.remove_prefix(1);
        }
    }
    return text;
}

} // namespace heed::nn
