// A place for one value between two threads: whoever writes replaces, whoever reads takes the
// newest. One mutex and one condition, because std::atomic<std::shared_ptr> is reported as a race
// by the thread sanitizer of GCC 12.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace heed::base {

/// Requests going to a worker. A newer one replaces one that was not taken yet.
template <class T>
class Mailbox {
  public:
    void put(T value) {
        {
            const std::lock_guard lock(mutex_);
            value_ = std::move(value);
        }
        arrived_.notify_one();
    }

    /// Waits for a value; empty when `stop` was requested first.
    std::optional<T> take(std::stop_token stop) {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, stop, [this] { return value_.has_value(); });
        return stop.stop_requested() ? std::nullopt : std::exchange(value_, std::nullopt);
    }

    bool has_newer() const {
        const std::lock_guard lock(mutex_);
        return value_.has_value();
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable_any arrived_;
    std::optional<T> value_;
};

/// The newest published value, readable at any time by any thread.
template <class T>
class Published {
  public:
    void set(T value) {
        const std::lock_guard lock(mutex_);
        std::swap(value_, value); // the old one dies after the lock
    }
    T get() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }

  private:
    mutable std::mutex mutex_;
    T value_{};
};

} // namespace heed::base
