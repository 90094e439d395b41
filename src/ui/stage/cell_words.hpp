// Words for a cell of the large map that is pointed at: its tokens, its exact value, and the value
// that it is held against.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// True of what is pointed at in the first of two maps, beside each other or above each other: that
/// of the reference.
bool is_at_reference(const Panel& panel, const figure::Figure& picture, const figure::Hit& hit);
/// Words for a cell of the large map; empty outside of it.
std::string cell_words(const Panel& panel, const figure::Figure& picture, const figure::Hit& hit);
/// Words for a grid or a stripe of any other view.
std::string value_words(const Panel& panel, const figure::Figure& picture, Point at,
                        const figure::Hit& hit);

} // namespace heed::ui
