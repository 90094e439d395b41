// Composition of a frame, for all who show the window's content: the window, pictures without a
// display, tests.
#pragma once

#include "ui/window/shell.hpp"

#include <functional>

namespace heed::ui {

struct FrameHooks {
    std::function<void()> atlas_built; // hand the font atlas to the graphics card
    std::function<void()> begin;       // ready the back ends for ImGui::NewFrame
};

/// Leaves draw data that can be shown. `scale`: pixels a point. What is pasted into a field is
/// known only once the frame is under way; where the atlas lacks its characters, that frame is
/// thrown away unseen, the atlas is built, and the frame is made again.
void compose_frame(Shell& shell, Fonts& fonts, float scale, const FrameHooks& hooks);

} // namespace heed::ui
