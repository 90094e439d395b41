// Pointing at patches of a picture: what they attend to is shown as long as the pointer is there.
#pragma once

#include "app/views/view_figure.hpp"
#include "ui/frame/panel.hpp"

namespace heed::ui {

struct Pointing;

bool point_at_picture(Panel& panel, const Pointing& pointing);
/// The patch, or the token before the patches, that the pointer was at in the last frame.
app::Hovered hovered_patch(const Panel& panel);
/// Moves the chosen patch; beyond the first row and patch lie the tokens before them.
void move_patch(Panel& panel, int down, int right);

} // namespace heed::ui
