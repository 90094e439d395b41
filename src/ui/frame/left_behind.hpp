// What a change of the document leaves behind, and the way back to it.
#pragma once

#include "ui/frame/workspace.hpp"

#include <vector>

namespace heed::ui {

/// Notices where a model from a file goes: its changes, which are cleared, and the model itself,
/// where random weights take its place.
std::vector<Notice> left_behind(const app::Document& now, const app::Document& next);

} // namespace heed::ui
