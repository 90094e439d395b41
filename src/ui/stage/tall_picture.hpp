// Pictures that need more height than a low window has: they are as high as they need to be, and
// are scrolled.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Height of the picture in a box: the box's, or where its cards would be cut in that, the least
/// one that shows them whole.
float height_of_picture(const Panel& panel, const Box& box);
/// True of a picture that is scrolled in its box, whose right edge is the thumb's.
bool is_tall(const figure::Figure& figure, const Box& box);
/// Paints a picture, scrolled where it is tall; returns the place of its corner.
Point paint_picture(Panel& panel, const figure::Figure& figure, const Box& box);

} // namespace heed::ui
