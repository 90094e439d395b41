// The trained models in the model card: a card each, and those opened lately.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

inline constexpr float kGalleryWidth = 480; // points

void model_gallery(Panel& panel, Form& form);

} // namespace heed::ui
