// Remark on a path that is typed: what its letters say is known at once, what the disk says once
// typing rests. The disk is asked on a thread of its own, since a folder of a network may hang.
#pragma once

#include "ui/dialogs/disk_question.hpp"

#include <functional>
#include <string>
#include <utility>

namespace heed::ui {

struct PathCheck {
    std::string words{}; // why nothing can be written
    bool refuses = false;
    bool there = false;   // a file, which would be replaced
    std::string writes{}; // of a name without an ending, the file's name with it
};

/// True of a path whose ending says what an exported file is.
bool says_format(const std::string& path);
/// Check of a path's letters alone. `end`: of a name without an ending, ".png".
PathCheck checked_by_letters(const std::string& path, const std::string& end);
/// Check of its letters and of what the disk says.
PathCheck checked_on_disk(const std::string& path, const std::string& end);

/// The newest path and what is known of it; answers about former ones are let go.
class PathWatch {
  public:
    using Look = std::function<PathCheck(const std::string& path, const std::string& end)>;
    explicit PathWatch(Look on_disk = checked_on_disk) : on_disk_(std::move(on_disk)) {}

    /// Once a frame; `passed`: seconds since the last one. True where it is another path.
    bool follow(const std::string& path, const std::string& end, float passed);
    /// The disk is asked anew and at once; what was known stays until it answers.
    void ask_now();
    void forget();
    /// True where the disk has answered, or the letters alone refuse.
    bool settled() const { return settled_; }
    /// True where the disk takes its time.
    bool waits() const { return disk_.waits(); }
    const PathCheck& check() const { return check_; }

  private:
    void ask();

    Look on_disk_;
    std::string path_, end_;
    bool follows_ = false, settled_ = false, due_ = false;
    float rested_ = 0; // seconds without another letter
    PathCheck check_;
    DiskQuestion<PathCheck> disk_;
};

} // namespace heed::ui
