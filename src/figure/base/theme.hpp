// The colours of everything that is no number. Figures and the window read the same ones.
#pragma once

#include "figure/base/palette.hpp"

#include <array>

namespace heed::figure {

struct Theme {
    bool dark;
    Color ground; // behind the main picture
    Color panel;  // side panels, bars
    Color raised; // fields, cards, buttons
    Color border;
    Color text;
    Color muted;                 // second-rank text
    Color faint;                 // disabled text, rules inside pictures
    Color accent;                // selection, switches, the one loud button
    Color on_accent;             // text upon accent
    Color link;                  // arcs and lines that are not selected
    Color bad;                   // errors
    Color good;                  // what came out right
    PaletteId weights;           // default palettes
    PaletteId stripes;           // q, k, v and other signed features
    std::array<Color, 4> series; // curves of one chart, told apart by the colour-blind
};

const Theme& light_theme();
const Theme& dark_theme();

} // namespace heed::figure
