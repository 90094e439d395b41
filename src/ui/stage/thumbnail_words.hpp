// What pointing at a thumbnail says: the value that is drawn under the pointer, and of what.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// What a stage's thumbnail is for.
std::string stage_words(const Panel& panel, const app::StripItem& item);
/// The same with the value that the strip shows at a place.
std::string stage_words(const Panel& panel, const figure::Figure& strip, Point at,
                        const app::StripItem& item);
/// Of a head: layer, head, and the value that the grid shows there.
std::string head_words(const Panel& panel, const figure::Figure& grid, Point at,
                       const figure::Hit& hit);

} // namespace heed::ui
