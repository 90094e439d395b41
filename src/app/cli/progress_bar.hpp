// How far a command has come, for a terminal.
#pragma once

#include <string>

namespace heed::app {

/// "████░░░░" of a share from 0 to 1.
inline std::string progress_bar(double share) {
    constexpr int kWidth = 28;
    const int full = static_cast<int>(share * kWidth);
    std::string text;
    for (int i = 0; i < kWidth; ++i) text += i < full ? "█" : "░";
    return text;
}

} // namespace heed::app
