// Brand, model, sentences, run time, export.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void top_bar(Panel& panel, const Box& box);

} // namespace heed::ui
