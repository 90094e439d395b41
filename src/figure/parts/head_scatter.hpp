// Heads as points between two scores.
#pragma once

#include "figure/base/frame.hpp"
#include "figure/base/value_range.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::figure {

/// The axis of a scatter's control: `axis` of its tag.
enum class ScatterAxis { across, up };

struct HeadScatter {
    struct Axis {
        std::string name, formula; // "Induction", "mean Σ A(i, j+1), …"
        float low = 0, high = 1;
    };
    struct Point {
        int layer = 0, head = 0;      // from 0, as the target's tag has them
        float x = 0, y = 0;           // finite
        std::string name{};           // "5.3"
        std::optional<float> shade{}; // as HeadScatter::shades colours it
        bool faded = false;           // stands back, and has no name
        bool told = false;            // is spoken of beside the picture: named before others
    };
    std::string title{}, subtitle{};
    Axis across{}, up{};
    std::vector<Point> points{};
    std::optional<std::pair<int, int>> selected{}; // layer, head
    std::optional<ValueRange> shades{};            // a colour bar, and what it spans
};

/// The selected point, those that are spoken of and the outermost are named, as far as names stand
/// apart. Targets: head, and control (axis: a ScatterAxis). Without points a sentence says so.
Figure head_scatter(const HeadScatter& scatter, const Frame& frame);

} // namespace heed::figure
