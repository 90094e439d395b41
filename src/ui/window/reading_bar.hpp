// The progress of reading a large model, above the stage, with what stops it.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

/// Draws nothing unless a model is read, and longer than a moment already.
void reading_bar(Panel& panel, const Box& stage);

} // namespace heed::ui
