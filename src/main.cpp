// Chooses between the window and the command line.
#include "app/cli/cli.hpp"
#include "base/result.hpp"
#include "ui/window/frame_bench.hpp"
#include "ui/window/screenshot.hpp"
#include "ui/window/window.hpp"

#include <iostream>

int main(int argc, char** argv) {
    const heed::app::CliOutcome outcome =
        heed::app::run_cli(argc, argv, heed::ui::screenshot, heed::ui::bench_frames);
    if (!outcome.open_window) return outcome.exit_code;
    const auto closed = heed::ui::run_window(outcome.file);
    if (closed) return *closed;
    return heed::app::export_demonstration(heed::base::describe(closed.error()), std::cout,
                                           std::cerr);
}
