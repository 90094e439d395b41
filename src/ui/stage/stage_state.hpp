// State of the stage while the window is open.
#pragma once

#include "ui/stage/look_around.hpp"
#include "ui/stage/pointing.hpp"
#include "ui/stage/strokes.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace heed::ui {

/// A token or word beside a map, as the map counts them.
struct PointedWord {
    int unit = 0;
    bool of_key = false;
};

/// The height of a picture of tokens, measured once for its words and its width.
struct TokensHeight {
    std::shared_ptr<const app::InsidePicture> of{};
    std::shared_ptr<const app::TokenWords> units{};
    float width = 0, height = 0;
};

struct StageState {
    Looking looking;
    /// Tokens of source and target that the zoom is of; none: those of the next run.
    std::optional<std::pair<std::size_t, std::size_t>> zoomed_text;
    Stroke stroke;
    Pointed pointed, pointing;                 // as the last frame found it, as this frame does
    std::optional<trace::HeadId> pointed_head; // the thumbnail under the pointer, in this frame
    std::optional<PointedWord> pointed_word;   // the name of a map's row or column, likewise
    bool over_heads = false;                   // the pointer is in the large grid of heads
    Point colours_at;                          // where the colour bar was clicked
    bool stacked = false;                      // two maps stand above each other
    std::optional<bool> compared;              // a comparison was there; nothing: no frame was
    bool waits = false;                        // the newest state has been computed for a while
    Scroll scroll;                             // of a picture that is higher than the stage
    TokensHeight tokens_height;
    float handles_of_picture = 0, handles_of_grid = 0; // of a filter: how far they are seen, 0 to 1
    std::optional<Box> failure;                // where the stage says in this frame what went wrong
};

} // namespace heed::ui
