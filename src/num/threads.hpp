// A fixed pool of threads for work that is split by rows, heads or panels. Spawning a thread a
// call loses to one thread, and so does sleeping between the hundred products of a model: workers
// are bound to a core each, spin for tens of microseconds when they run out, then sleep.
#pragma once

#include "num/matrix.hpp"

#include <memory>

namespace heed::num {

/// Below this many multiplications and additions a second thread costs more than it brings.
constexpr double kWorthSharing = 5e5;

class ThreadPool {
  public:
    /// `threads` counts the caller, who works too: ThreadPool(1) starts none. 0 means every core
    /// that this process may use.
    explicit ThreadPool(int threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int size() const;

    /// Calls work(i) once for every i in [0, count), on all threads, and returns when all are
    /// done. One caller at a time; work must not call for_each of the same pool. What the first
    /// failing call throws is thrown here.
    template <class Work> void for_each(Index count, Work&& work) {
        run(
            count, [](void* w, Index i) { (*static_cast<std::remove_reference_t<Work>*>(w))(i); },
            const_cast<void*>(static_cast<const void*>(&work)));
    }

  private:
    void run(Index count, void (*call)(void*, Index), void* work);
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::num
