// The program without a face: the command line.
#pragma once

#include "app/bench/bench.hpp"
#include "app/document/document.hpp"
#include "app/document/view_state.hpp"

#include <iosfwd>
#include <string>

namespace heed::app {

/// The next step of main.
struct CliOutcome {
    bool open_window = false; // no command was given
    int exit_code = 0;        // 0 good, 1 a run that failed, 2 wrong usage
    std::string file{};       // with open_window: what to open in it, if anything
};

inline constexpr std::string_view kScreenshotCards[] = {"export", "keys", "models", "search"};

/// `heed screenshot`: the real window, drawn off-screen.
struct ScreenshotRequest {
    int width = 1600, height = 1000; // window units; the picture has scale times as many pixels
    float scale = 1;
    Document document;
    Focus focus;
    ViewState view;       // `dark` chooses the theme
    std::string page{};   // of the Learn room; none: the first
    std::string lesson{}; // whose card is followed; none: no card
    std::string card{};   // that lies over it, one of kScreenshotCards; none: no card
    bool presents = false;
    int train_steps = 0;  // that the Train room's four models take before the picture
    std::string output;   // a .png path; "-" is standard output
};

/// Draws and writes the picture; what goes wrong goes to standard error. Returns the exit code.
using Screenshot = int (*)(const ScreenshotRequest&);

/// The cases of `heed bench` that are about the window.
using FrameBench = base::Result<std::vector<BenchCase>> (*)(const BenchOptions&);

/// Runs the command that the arguments name. `heed screenshot` and a part of `heed bench` need the
/// window's own drawing, so the caller passes it in; null means that this build has none.
CliOutcome run_cli(int argc, char** argv, Screenshot screenshot, FrameBench frames);
/// Runs the command with results to `out` and messages to `err`.
CliOutcome run_cli(int argc, const char* const* argv, Screenshot screenshot, std::ostream& out,
                   std::ostream& err, FrameBench frames = nullptr);

/// Says, with the reason, that no window can be opened, writes the demonstration picture
/// (heed-demonstration.png) into the current folder, or the temporary one where that is not
/// writable, and prints its path. Returns the exit code, 0 unless nothing could be written.
int export_demonstration(const std::string& reason, std::ostream& out, std::ostream& err);

} // namespace heed::app
