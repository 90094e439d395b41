// Pointing at the views of a model that goes step by step: its words, and what a click there does.
#pragma once

#include "ui/frame/panel.hpp"

namespace heed::ui {

struct Pointing;

bool point_at_step(Panel& panel, const Pointing& pointing);
bool point_at_unrolled(Panel& panel, const Pointing& pointing);
bool point_at_beam(Panel& panel, const Pointing& pointing);

} // namespace heed::ui
