// The progress of reading a large model, above the stage, with what stops it.
#pragma once

#include "ui/frame/panel.hpp"

#include <string>

namespace heed::ui {

/// "Reading large · 25 % · 6 s left".
std::string reading_words(const app::ModelReading& reading);

/// Draws nothing unless a model is read, and longer than a moment already.
void reading_bar(Panel& panel, const Box& stage);

} // namespace heed::ui
