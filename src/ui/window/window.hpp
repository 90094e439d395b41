// The program's window: GLFW, OpenGL 3.3, and the shell inside it.
#pragma once

#include "base/result.hpp"

namespace heed::ui {

/// Opens the window with what was remembered, and the file in it, if one is named, and returns when
/// the person closes it. The exit code is 1 where something that was done could not be saved, which
/// the standard error names. Errors: unavailable, where no window or no OpenGL 3.3 can be had, with
/// the system's reason. HEED_STATUS_FILE in the environment names a file into which every frame
/// writes what the window shows (Shell::status): for tests that watch from outside.
base::Result<int> run_window(const std::string& file = {});

} // namespace heed::ui
