// A question to the disk, asked on a thread of its own: a folder of a network may never answer, and
// the window goes on meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace heed::ui {

/// The newest question and its answer; answers to former ones are let go.
template <class Answer> class DiskQuestion {
  public:
    using Look = std::function<Answer()>;

    /// Asks. What answers within a moment, as the disk of this machine does, has answered then.
    void ask(Look look, std::chrono::milliseconds moment = std::chrono::milliseconds(4)) {
        look_ = std::move(look);
        answer_ = {};
        asked_at_ = Clock::now();
        begin();
        if (answer_.valid()) answer_.wait_for(moment);
    }
    /// The answer, once it is there, and once.
    std::optional<Answer> take() {
        if (look_) begin();
        if (!answer_.valid()) return std::nullopt;
        const bool ready = answer_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        return ready ? std::optional(answer_.get()) : std::nullopt;
    }
    void forget() {
        look_ = nullptr;
        answer_ = {};
    }
    /// True until the answer is taken.
    bool asks() const { return look_ != nullptr || answer_.valid(); }
    /// True where the disk takes its time.
    bool waits() const {
        constexpr std::chrono::milliseconds kLong(300);
        return asks() && Clock::now() - asked_at_ >= kLong;
    }

  private:
    using Clock = std::chrono::steady_clock;

    void begin() {
        constexpr int kMostAway = 4; // that hang; the newest question waits for one of them
        if (*away_ >= kMostAway) return;
        ++*away_;
        std::packaged_task<Answer()> task(std::exchange(look_, nullptr));
        answer_ = task.get_future();
        std::thread([task = std::move(task), away = away_]() mutable {
            task();
            --*away;
        }).detach(); // it may hang: neither a frame nor the window's end waits for it
    }

    Look look_; // that no thread has taken up yet
    std::future<Answer> answer_;
    Clock::time_point asked_at_{};
    /// Threads that have not come back from the disk.
    std::shared_ptr<std::atomic<int>> away_ = std::make_shared<std::atomic<int>>(0);
};

} // namespace heed::ui
