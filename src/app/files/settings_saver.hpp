// Keeps the settings file close behind what a person does: a change is on the disk a moment after
// the hand rests, and in a long gesture every two seconds, however the program ends. The file is
// written on a thread of its own, because a disk may take its time.
#pragma once

#include "app/files/settings.hpp"
#include "base/mailbox.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace heed::app {

class SettingsSaver {
  public:
    using Clock = std::chrono::steady_clock;
    using Write = std::function<base::Result<void>(const Settings&, const std::string& path)>;

    /// The time from the last change to its writing; and from the first that is not written, which
    /// steady typing puts off no longer.
    static constexpr std::chrono::milliseconds kRest{300}, kLongest{2000};

    /// `known`: what the file holds, or what would stand without one. Nothing is ever written to an
    /// empty path. `write` is called on the saver's thread, and by close() on the caller's.
    SettingsSaver(std::string path, Settings known, Write write = save_settings);
    /// Waits for a write that is under way; what is not yet due is lost unless close() was called.
    ~SettingsSaver() = default;
    SettingsSaver(const SettingsSaver&) = delete;
    SettingsSaver& operator=(const SettingsSaver&) = delete;

    /// The settings of this moment. Hands it to the thread when a change is due; never waits.
    void look(const Settings& now, Clock::time_point at);
    /// The time when look() is to be called again; none while all is written or on its way.
    std::optional<Clock::time_point> due() const;
    /// The error of the last write on the saver's thread, once for each time.
    std::optional<base::Error> take_trouble();
    /// Ends the thread and writes what holds at the end. Does nothing without a path.
    base::Result<void> close(const Settings& last);

  private:
    void work(const std::stop_token& ending);

    std::string path_;
    Write write_;
    Settings handed_over_;    // the newest that the file has or will have
    Settings seen_;           // at the last look
    Clock::time_point first_; // when the first change was seen that is not handed over
    std::optional<Clock::time_point> due_;
    base::Mailbox<Settings> mailbox_;
    base::Published<std::optional<base::Error>> trouble_;
    std::jthread worker_; // last: it is joined before anything above dies
};

} // namespace heed::app
