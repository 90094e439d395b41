// The view state: what the window shows of a snapshot. One plain struct of defaults, saved whole.
#pragma once

#include "app/document.hpp"
#include "app/engine.hpp"
#include "figure/figure.hpp"
#include "figure/plots.hpp"

#include <optional>
#include <string>
#include <utility>

namespace heed::app {

enum class View { heatmap, heads, lines, stages, positions, softmax };

struct ViewState {
    View view = View::heatmap;
    std::optional<std::pair<int, int>> selected; // query, key
    figure::RangeMode range = figure::RangeMode::fixed;
    std::optional<figure::PaletteId> palette;
    bool numbers = true;
    bool dark = false;
    bool caption = true; // the provenance line of exports
    bool operator==(const ViewState&) const = default;
};

/// The title and subtitle of what is focused: layer, head, stage, direction, and every control that
/// is not at its default.
figure::MapData map_data(const Snapshot& snapshot);
std::string provenance(const Snapshot& snapshot);

/// The one road from state to picture, for the window and for `heed export` alike.
/// Requires snapshot.run. A size of 0 is the figure's own.
figure::Figure make_figure(const Snapshot& snapshot, const ViewState& state, float width,
                           float height);

} // namespace heed::app
