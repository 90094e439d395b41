// The console that a command's words go to: results to one stream, messages to the other.
#pragma once

#include "app/cli/command.hpp"
#include "base/visible.hpp"

#include <iosfwd>
#include <optional>
#include <string>

namespace heed::app {

/// Output for a person. Nothing that is printed (messages, and results on a terminal) can move a
/// cursor: control characters of paths, arguments and files are made visible here, and only here.
class Console {
  public:
    /// `out` and `err` outlive it.
    Console(std::ostream& out, std::ostream& err);

    Io io(Screenshot screenshot = nullptr, FrameBench frames = nullptr);
    /// The exit code of a command that ended with `code`: good only when its results were written.
    int ended(int code);

  private:
    std::ostream& out_;
    std::optional<base::VisibleStream> visible_out_;
    base::VisibleStream err_;
    std::ostream* terminal_; // of a person who watches
};

/// "████░░░░" of a share from 0 to 1.
std::string progress_bar(double share);

} // namespace heed::app
