// The program without a face.
#pragma once

namespace heed::app {

/// What main does next.
struct CliOutcome {
    bool open_window = false; // no command was given
    int exit_code = 0;        // 0 good, 1 a run that failed, 2 wrong usage
};

/// Runs the command that the arguments name. `heed screenshot` needs the window's own drawing, so
/// the caller passes it in: returns an exit code.
struct ScreenshotRequest;
using Screenshot = int (*)(const ScreenshotRequest&);
CliOutcome run_cli(int argc, char** argv, Screenshot screenshot);

} // namespace heed::app
