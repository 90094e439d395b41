#include "num/threads.hpp"

#include "base/check.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace heed::num {

namespace {

/// Longer than anything serial between two products of a run, short enough not to be seen.
constexpr std::chrono::microseconds kSpin{60};

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Spins until `ready()` or until it has lasted kSpin; whether it is ready.
template <class Ready> bool spin_until(Ready ready) {
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        for (int i = 0; i < 32; ++i) {
            if (ready()) return true;
            pause_briefly();
        }
        if (std::chrono::steady_clock::now() - start > kSpin) return ready();
    }
}

/// The cores that this process may use.
std::vector<int> usable_cores() {
    std::vector<int> cores;
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int core = 0; core < CPU_SETSIZE; ++core) {
            if (CPU_ISSET(core, &set)) cores.push_back(core);
        }
    }
#endif
    if (cores.empty()) {
        const int n = static_cast<int>(std::thread::hardware_concurrency());
        for (int core = 0; core < (n > 0 ? n : 1); ++core) cores.push_back(core);
    }
    return cores;
}

void bind_this_thread(int core) {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    // Failing leaves the thread where it is: slower, not wrong.
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#else
    static_cast<void>(core);
#endif
}

/// Moves a caller that runs on a core to which a worker is bound (both would share it while another
/// stands idle) to `core`, and lets it go again, so that it is bound to nothing.
void leave_for(int core) {
#ifdef __linux__
    cpu_set_t before;
    if (sched_getaffinity(0, sizeof before, &before) != 0 || !CPU_ISSET(core, &before)) return;
    bind_this_thread(core);
    pthread_setaffinity_np(pthread_self(), sizeof before, &before);
#else
    static_cast<void>(core);
#endif
}

} // namespace

struct ThreadPool::State {
    // One job: written by the caller before `ticket` announces it, read by a worker before it takes
    // an item of that job. Atomic, because a worker that comes too late may read while the next
    // job is written. `count` says in its upper half which job it counts: a late worker that took
    // the next job's count for its own would find items left in a job that is over.
    std::atomic<void (*)(void*, Index)> call{nullptr};
    std::atomic<void*> work{nullptr};
    std::atomic<std::uint64_t> count{0};

    /// The job's number in the upper half, the next item in the lower.
    alignas(64) std::atomic<std::uint64_t> ticket{0};
    alignas(64) std::atomic<std::uint32_t> done{0};
    alignas(64) std::atomic<int> sleepers{0};
    std::atomic<bool> caller_sleeps{false}, failed{false}, busy{false};
    std::exception_ptr failure; // guarded by mutex

    std::mutex mutex;
    std::condition_variable wake_workers, wake_caller;
    std::atomic<bool> stopping{false};

    int caller_core = -1; // left free by the workers; −1 when nobody is bound
    std::vector<int> worker_cores;
    std::vector<std::thread> workers;

    static std::uint32_t job_of(std::uint64_t t) { return static_cast<std::uint32_t>(t >> 32); }
    static std::uint32_t item_of(std::uint64_t t) { return static_cast<std::uint32_t>(t); }

    void work_off(std::uint32_t job);
    void worker(int core);
    void finish_one(std::uint32_t of);
};

void ThreadPool::State::finish_one(std::uint32_t of) {
    if (done.fetch_add(1, std::memory_order_seq_cst) + 1 != of) return;
    if (!caller_sleeps.load(std::memory_order_seq_cst)) return;
    const std::lock_guard lock(mutex);
    wake_caller.notify_one();
}

void ThreadPool::State::work_off(std::uint32_t job) {
    auto t = ticket.load(std::memory_order_acquire);
    while (job_of(t) == job) {
        const auto counted = count.load(std::memory_order_relaxed);
        const auto n = item_of(counted);
        const auto function = call.load(std::memory_order_relaxed);
        void* const argument = work.load(std::memory_order_relaxed);
        if (job_of(counted) != job || item_of(t) >= n) return;
        // Success means that the job was not over, so that what was read belongs to it.
        if (!ticket.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
            continue;
        }
        if (!failed.load(std::memory_order_relaxed)) {
            try {
                function(argument, item_of(t));
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
                failed.store(true, std::memory_order_relaxed);
            }
        }
        finish_one(n);
        t = ticket.load(std::memory_order_acquire);
    }
}

void ThreadPool::State::worker(int core) {
    if (core >= 0) bind_this_thread(core);
    std::uint32_t seen = 0;
    const auto news = [&] {
        return job_of(ticket.load(std::memory_order_seq_cst)) != seen ||
               stopping.load(std::memory_order_relaxed);
    };
    for (;;) {
        if (!spin_until(news)) {
            std::unique_lock lock(mutex);
            sleepers.fetch_add(1, std::memory_order_seq_cst);
            wake_workers.wait(lock, news);
            sleepers.fetch_sub(1, std::memory_order_relaxed);
        }
        if (stopping.load(std::memory_order_relaxed)) return;
        seen = job_of(ticket.load(std::memory_order_acquire));
        work_off(seen);
    }
}

ThreadPool::ThreadPool(int threads) : state_(std::make_unique<State>()) {
    const auto cores = usable_cores();
    if (threads <= 0) threads = static_cast<int>(cores.size());
    const bool bound = threads > 1 && cores.size() >= static_cast<std::size_t>(threads);
    if (bound) state_->caller_core = cores[0];
    for (int i = 1; i < threads; ++i) {
        const int core = bound ? cores[static_cast<std::size_t>(i)] : -1;
        state_->worker_cores.push_back(core);
        state_->workers.emplace_back([this, core] { state_->worker(core); });
    }
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping.store(true, std::memory_order_relaxed);
    }
    state_->wake_workers.notify_all();
    for (auto& worker : state_->workers) worker.join();
}

int ThreadPool::size() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::run(Index count, void (*call)(void*, Index), void* work) {
    if (count <= 0) return;
    State& s = *state_;
    if (count == 1 || s.workers.empty()) {
        for (Index i = 0; i < count; ++i) call(work, i);
        return;
    }
    HEED_CHECK(count < std::numeric_limits<std::uint32_t>::max(), "{} items for one team", count);
    HEED_CHECK(!s.busy.exchange(true, std::memory_order_acquire),
               "a team was called while it works");
#ifdef __linux__
    if (s.caller_core >= 0) {
        const int here = sched_getcpu();
        for (const int core : s.worker_cores) {
            if (core == here) leave_for(s.caller_core);
        }
    }
#endif
    const auto n = static_cast<std::uint32_t>(count);
    s.call.store(call, std::memory_order_relaxed);
    s.work.store(work, std::memory_order_relaxed);
    const auto job = State::job_of(s.ticket.load(std::memory_order_relaxed)) + 1;
    const auto tag = static_cast<std::uint64_t>(job) << 32;
    s.count.store(tag | n, std::memory_order_relaxed);
    s.done.store(0, std::memory_order_relaxed);
    s.failed.store(false, std::memory_order_relaxed);
    s.ticket.store(tag, std::memory_order_seq_cst);
    if (s.sleepers.load(std::memory_order_seq_cst) > 0) {
        const std::lock_guard lock(s.mutex);
        s.wake_workers.notify_all();
    }
    s.work_off(job);
    const auto all_done = [&] { return s.done.load(std::memory_order_seq_cst) == n; };
    if (!spin_until(all_done)) {
        std::unique_lock lock(s.mutex);
        s.caller_sleeps.store(true, std::memory_order_seq_cst);
        s.wake_caller.wait(lock, all_done);
        s.caller_sleeps.store(false, std::memory_order_relaxed);
    }
    std::exception_ptr failure;
    if (s.failed.load(std::memory_order_relaxed)) {
        const std::lock_guard lock(s.mutex);
        failure = std::exchange(s.failure, nullptr);
    }
    s.busy.store(false, std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
}

} // namespace heed::num
