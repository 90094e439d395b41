// Size, theme and caption that every plot is drawn into.
#pragma once

#include "figure/base/figure.hpp"
#include "figure/base/text_layout.hpp"
#include "figure/base/theme.hpp"

#include <optional>
#include <string>

namespace heed::figure {

using Measure = Extent (*)(const std::string&, const TextStyle&);

/// The place of a map's columns.
struct Columns {
    float left = 0, width = 0;
    float type = 0; // points of their names; 0: not told
    bool operator==(const Columns&) const = default;
};

/// Marks of what stands out among others: the chosen head, the chosen stage.
struct Marks {
    bool head = true, stage = true;
};

/// The request that every plot is given. A size of 0 means: as large as the content wants.
struct Frame {
    float width = 0, height = 0;
    const Theme* theme = nullptr; // never null in a call
    std::string caption{};        // the optional line that says model, layer, head and controls
    std::string reading{};        // the picture in words, below the title
    int reading_lines = 0;        // that are kept free for it, with or without words: nothing jumps
    float beside_title = 0; // points at the right of the title's line that are somebody else's
    bool headline = true;   // false: no words above the content, which is whole otherwise
    bool in_file = false;   // what is said to the user of a window is left out
    Marks marks{};
    bool grows = false;     // may be higher than asked for the sake of names: it is scrolled
    float pixels = 0;       // of a screen, a point: digits smaller than are read there are left out
    bool titled = true;     // false: no title and no subtitle, the content takes their place
    bool small_title = false; // as a narrow figure has: of one beside it
    int subtitle_lines = 0; // that are kept free at the least, so that the content stays put
    std::optional<Columns> above{}; // of the map above: links stand below it where their words fit
    std::optional<float> margin{}; // at the sides, where it is not of the figure's own width
    Measure measure = &figure::measure; // tests that must not depend on fonts give their own
};

} // namespace heed::figure
