// Words for a thumbnail that is pointed at: the value that is drawn there, and of what.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// Words for a stage's thumbnail.
std::string stage_words(const Panel& panel, const app::StripItem& item);
/// Words for a stage's thumbnail, with the value that the strip shows at a place.
std::string stage_words(const Panel& panel, const figure::Figure& strip, Point at,
                        const app::StripItem& item);
/// Words for a head: its layer, its number, and the value that the grid shows there.
std::string head_words(const Panel& panel, const figure::Figure& grid, Point at,
                       const figure::Hit& hit);

} // namespace heed::ui
