// What is said of a path while it is typed.
#include "catch.hpp"
#include "ui/dialogs/dialog_state.hpp"
#include "ui/dialogs/path_check.hpp"
#include "ui/driver.hpp"

#include <atomic>
#include <chrono>
#include <functional>
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
    for (int i = 0; i < 2000 && !watch.waits(); ++i) {
        watch.follow("/hangs/a", ".png", 0.05f);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
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

namespace {

double seconds_of(const std::function<void()>& act) {
    const auto from = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

/// Frames until something holds; false where it never does.
bool until(ui::test::Driver& d, const std::function<bool()>& holds) {
    for (int i = 0; i < 500 && !holds(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        d.frame();
    }
    return holds();
}

} // namespace

TEST_CASE("a folder that hangs is listed beside the window, and another one meanwhile") {
    std::promise<void> let_go;
    const std::shared_future<void> released(let_go.get_future());
    ui::test::Driver d;
    ui::FilesForm& form = d.shell->state.dialogs->files;
    form.listed.look = [released](const std::string& folder, app::Listed) {
        if (folder == "/hangs/") released.wait();
        const std::string name = folder == "/hangs/" ? "late.json" : "quick.json";
        return ui::FolderFound{{{name, folder + name}}, {{"Home", "/home/"}}};
    };
    d.shell->state.open_dialog = ui::CardId::open_file;
    d.frames(4);
    REQUIRE(d.has("open/path"));
    REQUIRE(until(d, [&] { return d.shows("quick.json"); }));
    form.open_path = "/hangs/";
    for (int i = 0; i < 5; ++i) CHECK(seconds_of([&] { d.frame(); }) < 0.5);
    CHECK_FALSE(d.shows("quick.json"));
    CHECK_FALSE(d.shows("Nothing here"));
    REQUIRE(until(d, [&] { return d.shows("Reading \u2026"); }));
    form.open_path = "/quick/";
    REQUIRE(until(d, [&] { return d.shows("quick.json"); }));
    CHECK_FALSE(d.shows("Reading \u2026"));
    let_go.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    d.frames(3);
    CHECK_FALSE(d.shows("late.json")); // the newest question has been answered
}

TEST_CASE("a session is written once the disk has said that nothing is replaced") {
    std::promise<void> let_go;
    const std::shared_future<void> released(let_go.get_future());
    ui::test::Driver d;
    ui::FilesForm& form = d.shell->state.dialogs->files;
    form.write.look = [released](const std::string&) {
        released.wait();
        return true; // it is there already
    };
    d.shell->state.open_dialog = ui::CardId::save_session;
    d.frames(4);
    REQUIRE(d.has("save/path"));
    form.save_path = "/hangs/a.json";
    d.frames(2);
    ui::shim::press_key(ui::shim::Key::enter, true);
    for (int i = 0; i < 4; ++i) CHECK(seconds_of([&] { d.frame(); }) < 0.5);
    ui::shim::press_key(ui::shim::Key::enter, false);
    REQUIRE(until(d, [&] { return d.shows("Waiting for the folder to answer"); }));
    CHECK(form.replaces.empty());
    let_go.set_value();
    REQUIRE(until(d, [&] { return !form.replaces.empty(); }));
    d.frames(2);
    CHECK(d.shows("is there already"));
}
