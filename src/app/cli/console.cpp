#include "app/cli/console.hpp"

#include <iostream>
#include <unistd.h>

namespace heed::app {

Console::Console(std::ostream& out, std::ostream& err)
    : out_(out), err_(err),
      terminal_(&err == &std::cerr && ::isatty(STDERR_FILENO) != 0 ? &err : nullptr) {
    if (&out == &std::cout && ::isatty(STDOUT_FILENO) != 0) visible_out_.emplace(out);
}

Io Console::io(Screenshot screenshot, FrameBench frames) {
    std::ostream& out = visible_out_ ? *visible_out_ : out_;
    return {out, err_, screenshot, frames, terminal_};
}

int Console::ended(int code) {
    out_.flush();
    if (out_ || code != kGood) return code;
    return complain(io(), not_printed(), kFailed);
}

std::string progress_bar(double share) {
    constexpr int kWidth = 28;
    const int full = static_cast<int>(share * kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i) text += i < full ? "█" : "░";
    return text;
}

} // namespace heed::app
