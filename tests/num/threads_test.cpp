#include "catch.hpp"
#include "num/threads.hpp"

#include <atomic>
#include <chrono>
#include <ctime>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

using heed::num::Index;
using heed::num::ThreadPool;

TEST_CASE("jobs of changing sizes, close upon each other, neither share an item nor hang") {
    for (const int threads : {2, 3}) {
        ThreadPool pool(threads);
        std::vector<std::atomic<int>> times(64);
        for (int job = 0; job < 200000; ++job) {
            const Index count = job % 2 == 0 ? 2 : 64;
            for (auto& n : times) n.store(0, std::memory_order_relaxed);
            pool.for_each(count, [&](Index i) { ++times[static_cast<std::size_t>(i)]; });
            int wrong = 0;
            for (Index i = 0; i < count; ++i) wrong += times[static_cast<std::size_t>(i)] != 1;
            if (wrong != 0) FAIL("job " << job << ": " << wrong << " items not done once");
        }
    }
}

TEST_CASE("every item is worked on exactly once") {
    for (const int threads : {1, 2, 3, 8}) {
        ThreadPool pool(threads);
        CHECK(pool.size() == threads);
        for (const Index count : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
            for (int round = 0; round < 20; ++round) {
                pool.for_each(count, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; });
            }
            for (const auto& n : calls) CHECK(n == 20);
        }
    }
}

TEST_CASE("what was written before a job is seen in it, and what it wrote is seen after") {
    ThreadPool pool(3);
    std::vector<long> numbers(64, 1);
    for (int round = 0; round < 2000; ++round) {
        pool.for_each(64, [&](Index i) { ++numbers[static_cast<std::size_t>(i)]; });
        for (auto& n : numbers) ++n; // plain memory: a race would show under the sanitizer
    }
    for (const long n : numbers) CHECK(n == 4001);
}

TEST_CASE("a team wakes up from sleep") {
    ThreadPool pool(4);
    for (int round = 0; round < 5; ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        std::atomic<int> calls = 0;
        pool.for_each(100, [&](Index) { ++calls; });
        CHECK(calls == 100);
    }
}

TEST_CASE("a caller that sleeps for a slow worker is woken") {
    ThreadPool pool(2);
    for (int round = 0; round < 3; ++round) {
        std::atomic<int> calls = 0;
        pool.for_each(2, [&](Index i) {
            if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ++calls;
        });
        CHECK(calls == 2);
    }
}

TEST_CASE("the first failure is thrown to the caller, and the team works on") {
    for (const int threads : {1, 2, 4}) {
        ThreadPool pool(threads);
        CHECK_THROWS_WITH(pool.for_each(50,
                                        [](Index i) {
                                            if (i == 7) throw std::runtime_error("seven");
                                        }),
                          "seven");
        std::atomic<int> calls = 0;
        pool.for_each(50, [&](Index) { ++calls; });
        CHECK(calls == 50);
    }
}

TEST_CASE("a team that is called from its own work says so") {
    ThreadPool pool(2);
    CHECK_THROWS(pool.for_each(4, [&](Index) { pool.for_each(4, [](Index) {}); }));
}

TEST_CASE("two teams work side by side") {
    std::vector<std::thread> callers;
    std::atomic<int> calls = 0;
    for (int caller = 0; caller < 2; ++caller) {
        callers.emplace_back([&] {
            ThreadPool pool(2);
            for (int round = 0; round < 300; ++round) pool.for_each(10, [&](Index) { ++calls; });
        });
    }
    for (auto& caller : callers) caller.join();
    CHECK(calls == 2 * 300 * 10);
}

TEST_CASE("an idle team takes no processor time") {
    ThreadPool pool(3);
    pool.for_each(30, [](Index) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the spinning ends
    const auto before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    CHECK(std::clock() - before < CLOCKS_PER_SEC / 100);
}

#ifdef __linux__
TEST_CASE("the caller stays free to run where it could before") {
    cpu_set_t before, after;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    ThreadPool pool;
    CHECK(pool.size() == CPU_COUNT(&before));
    for (int round = 0; round < 200; ++round) pool.for_each(16, [](Index) {});
    REQUIRE(sched_getaffinity(0, sizeof after, &after) == 0);
    CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("workers are bound to a core each, when there are enough") {
    cpu_set_t usable;
    REQUIRE(sched_getaffinity(0, sizeof usable, &usable) == 0);
    const int cores = CPU_COUNT(&usable);
    const auto masks_of = [](ThreadPool& pool) {
        const auto caller = std::this_thread::get_id();
        std::vector<cpu_set_t> masks(static_cast<std::size_t>(pool.size()));
        std::vector<char> taken(masks.size(), 0);
        std::atomic<int> arrived = 0;
        pool.for_each(pool.size(), [&](Index i) {
            ++arrived; // nobody leaves before all have come: each thread has one item
            while (arrived < pool.size()) std::this_thread::yield();
            if (std::this_thread::get_id() == caller) return;
            const auto at = static_cast<std::size_t>(i);
            sched_getaffinity(0, sizeof masks[at], &masks[at]);
            taken[at] = 1;
        });
        std::vector<cpu_set_t> result;
        for (std::size_t i = 0; i < masks.size(); ++i) {
            if (taken[i]) result.push_back(masks[i]);
        }
        return result;
    };
    if (cores > 1) {
        ThreadPool pool(cores);
        std::set<int> bound;
        for (const auto& mask : masks_of(pool)) {
            CHECK(CPU_COUNT(&mask) == 1);
            for (int core = 0; core < CPU_SETSIZE; ++core) {
                if (CPU_ISSET(core, &mask)) bound.insert(core);
            }
        }
        CHECK(static_cast<int>(bound.size()) == cores - 1);
    }
    ThreadPool crowd(cores + 1);
    for (const auto& mask : masks_of(crowd)) CHECK(CPU_EQUAL(&mask, &usable));
}
#endif
