#include "app/files/settings_saver.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

SettingsSaver::SettingsSaver(std::string path, Settings known, Write write)
    : path_(std::move(path)), write_(std::move(write)), handed_over_(std::move(known)),
      seen_(handed_over_), worker_([this](const std::stop_token& ending) { work(ending); }) {}

void SettingsSaver::work(const std::stop_token& ending) {
    while (const auto settings = mailbox_.take(ending)) {
        if (const auto written = write_(*settings, path_); !written) trouble_.set(written.error());
    }
}

void SettingsSaver::look(const Settings& now, Clock::time_point at) {
    if (path_.empty()) return;
    if (now == handed_over_) { // taken back before it was due
        seen_ = now;
        due_.reset();
        return;
    }
    if (!due_) first_ = at;
    if (!due_ || !(now == seen_)) {
        seen_ = now;
        // What is due by now is not put off again.
        const auto next = std::min(at + kRest, first_ + kLongest);
        due_ = due_ && *due_ <= at ? *due_ : next;
    }
    if (at < *due_) return;
    handed_over_ = now;
    mailbox_.put(now);
    due_.reset();
}

std::optional<SettingsSaver::Clock::time_point> SettingsSaver::due() const { return due_; }

std::optional<base::Error> SettingsSaver::take_trouble() {
    auto trouble = trouble_.get();
    if (trouble) trouble_.set(std::nullopt);
    return trouble;
}

base::Result<void> SettingsSaver::close(const Settings& last) {
    worker_.request_stop();
    if (worker_.joinable()) worker_.join();
    if (path_.empty()) return {};
    due_.reset();
    handed_over_ = last;
    return write_(last, path_);
}

} // namespace heed::app
