// `heed screenshot`: the real window, drawn off-screen.
#pragma once

#include "app/cli/cli.hpp"

namespace heed::ui {

/// Draws the request's room once its run is done and the frame has settled, and writes a PNG. The
/// same request gives the same bytes. Messages go to standard error; returns the exit code.
int screenshot(const app::ScreenshotRequest& request);

} // namespace heed::ui
