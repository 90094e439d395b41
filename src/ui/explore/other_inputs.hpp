// Inputs in the top bar in the place of a sentence: the picture of a model that reads one, and
// which sentence of a file of alignments is looked at.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

void picture_input(Panel& panel, const Box& box);  // of a model that reads pictures
void sentence_input(Panel& panel, const Box& box); // of a file of alignments

} // namespace heed::ui
