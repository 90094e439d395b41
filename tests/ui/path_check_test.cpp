// What is said of a path while it is typed.
#include "catch.hpp"
#include "ui/dialogs/path_check.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

using namespace heed;

namespace {

/// Frames until the disk has answered; false where it does not.
bool follow(ui::PathWatch& watch, const std::string& path) {
    for (int i = 0; i < 2000; ++i) {
        watch.follow(path, ".png", 0.05f);
        if (watch.settled()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

} // namespace

TEST_CASE("a folder that hangs holds nobody up, and what it says in the end is not of the newest") {
    std::promise<void> let_go;
    const std::shared_future<void> released(let_go.get_future());
    ui::PathWatch watch([released](const std::string& path, const std::string&) {
        if (path == "/hangs/a") released.wait();
        return ui::PathCheck{"of " + path, true};
    });
    for (int i = 0; i < 40; ++i) watch.follow("/hangs/a", ".png", 0.05f);
    CHECK_FALSE(watch.settled());
    CHECK(watch.waits());
    CHECK(watch.check().words == "");
    REQUIRE(follow(watch, "/quick/b"));
    CHECK(watch.check().words == "of /quick/b");
    let_go.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    watch.follow("/quick/b", ".png", 0.05f);
    CHECK(watch.check().words == "of /quick/b");
}

TEST_CASE("no more than a few questions hang at a time") {
    std::promise<void> let_go;
    const std::shared_future<void> released(let_go.get_future());
    const auto asked = std::make_shared<std::atomic<int>>(0);
    ui::PathWatch watch([released, asked](const std::string&, const std::string&) {
        ++*asked;
        released.wait();
        return ui::PathCheck{"", false, true};
    });
    for (int i = 0; i < 50; ++i) {
        const std::string path = "/hangs/" + std::to_string(i);
        for (int k = 0; k < 6; ++k) watch.follow(path, ".png", 0.05f);
    }
    let_go.set_value();
    REQUIRE(follow(watch, "/hangs/49"));
    CHECK(watch.check().there);
    CHECK(*asked <= 5);
}
