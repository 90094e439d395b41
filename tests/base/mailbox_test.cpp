#include "base/mailbox.hpp"

#include "catch.hpp"

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

using namespace heed::base;

TEST_CASE("the newest request wins") {
    Mailbox<int> box;
    box.put(1);
    box.put(2);
    CHECK(box.has_newer());
    CHECK(box.take({}) == 2);
    CHECK_FALSE(box.has_newer());
}

TEST_CASE("a stop wakes a waiting worker") {
    Mailbox<int> box;
    bool ended = false;
    {
        std::jthread worker([&](std::stop_token stop) { ended = !box.take(stop).has_value(); });
    }
    CHECK(ended);
}

TEST_CASE("a reader keeps what it has read while a newer value is published") {
    Published<std::shared_ptr<const int>> place;
    place.set(std::make_shared<const int>(1));
    const auto first = place.get();
    place.set(std::make_shared<const int>(2));
    CHECK(*first == 1);
    CHECK(*place.get() == 2);
}

TEST_CASE("a worker gets the last of many requests, and none twice") {
    Mailbox<int> box;
    constexpr int kLast = 2000;
    std::vector<int> taken;
    {
        std::jthread worker([&](std::stop_token stop) {
            while (const auto value = box.take(stop)) {
                taken.push_back(*value);
                if (*value == kLast) return;
            }
        });
        for (int i = 1; i <= kLast; ++i) box.put(i);
        worker.join();
    }
    CHECK(taken.back() == kLast);
    CHECK(std::is_sorted(taken.begin(), taken.end()));
    CHECK(std::adjacent_find(taken.begin(), taken.end()) == taken.end());
}
