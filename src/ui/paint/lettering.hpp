// What letters are drawn with, made on one thread for another: finding and reading fonts takes as
// long as making a window.
#pragma once

#include "figure/base/text_layout.hpp"
#include "ui/paint/fonts.hpp"

#include <memory>

namespace heed::ui {

struct Lettering {
    std::unique_ptr<Fonts> fonts;
    std::shared_ptr<figure::Shaper> shaper; // the fonts of every face are loaded
};

/// Any thread but the one that draws, which is to take the shaper over.
Lettering load_lettering();

} // namespace heed::ui
