#include "app/files/settings_saver.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

#include <mutex>
#include <vector>

using namespace heed;
using app::Settings;
using app::SettingsSaver;
using namespace std::chrono_literals;

namespace {

/// A disk that notes what it is given, and can be full.
struct Disk {
    std::mutex mutex;
    std::vector<std::string> sources; // of each file written
    bool full = false;

    SettingsSaver::Write write() {
        return [this](const Settings& settings, const std::string& path) -> base::Result<void> {
            const std::lock_guard lock(mutex);
            if (full) return base::fail(base::ErrorKind::unwritable, path, "no space left");
            sources.push_back(settings.session.document.source);
            return {};
        };
    }
    std::vector<std::string> written() {
        const std::lock_guard lock(mutex);
        return sources;
    }
};

Settings settings_with(const std::string& source) {
    Settings settings;
    settings.session.document.source = source;
    return settings;
}

template <class F> bool soon(F holds) {
    for (int i = 0; i < 2000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

constexpr SettingsSaver::Clock::time_point kStart{};

} // namespace

TEST_CASE("a change is written once the hand rests, and nothing while nothing changes") {
    Disk disk;
    SettingsSaver saver("file", settings_with("a"), disk.write());
    saver.look(settings_with("a"), kStart);
    CHECK_FALSE(saver.due());
    saver.look(settings_with("b"), kStart + 1s);
    CHECK(saver.due() == kStart + 1300ms);
    saver.look(settings_with("bc"), kStart + 1200ms);
    CHECK(saver.due() == kStart + 1500ms);
    saver.look(settings_with("b"), kStart + 1250ms);
    saver.look(settings_with("b"), kStart + 1500ms);
    CHECK(saver.due() == kStart + 1550ms);
    CHECK(disk.written().empty());
    saver.look(settings_with("b"), kStart + 1550ms);
    CHECK_FALSE(saver.due());
    CHECK(soon([&] { return disk.written() == std::vector<std::string>{"b"}; }));
    saver.look(settings_with("b"), kStart + 100s);
    CHECK_FALSE(saver.due());
}

TEST_CASE("steady typing does not put the writing off, and what is taken back is not written") {
    Disk disk;
    SettingsSaver saver("file", settings_with(""), disk.write());
    std::string typed;
    for (int i = 0; i <= 20; ++i) saver.look(settings_with(typed += "x"), kStart + i * 100ms);
    CHECK(soon([&] { return disk.written() == std::vector<std::string>{std::string(21, 'x')}; }));
    saver.look(settings_with("other"), kStart + 5s);
    saver.look(settings_with(typed), kStart + 6s);
    CHECK_FALSE(saver.due());
}

TEST_CASE("what holds at the end is written once more, due or not") {
    Disk disk;
    SettingsSaver saver("file", settings_with("a"), disk.write());
    saver.look(settings_with("b"), kStart);
    REQUIRE(saver.close(settings_with("c")).has_value());
    CHECK(disk.written() == std::vector<std::string>{"c"});
}

TEST_CASE("a failed write is told once, and the next change tries again") {
    Disk disk;
    disk.full = true;
    SettingsSaver saver("file", settings_with("a"), disk.write());
    saver.look(settings_with("b"), kStart);
    saver.look(settings_with("b"), kStart + 2s);
    std::optional<base::Error> trouble;
    REQUIRE(soon([&] { return (trouble = saver.take_trouble()).has_value(); }));
    CHECK(trouble->kind == base::ErrorKind::unwritable);
    CHECK_FALSE(saver.take_trouble());
    {
        const std::lock_guard lock(disk.mutex);
        disk.full = false;
    }
    saver.look(settings_with("c"), kStart + 3s);
    saver.look(settings_with("c"), kStart + 5s);
    CHECK(soon([&] { return disk.written() == std::vector<std::string>{"c"}; }));
}

TEST_CASE("without a path nothing is due and nothing is written") {
    Disk disk;
    SettingsSaver saver("", settings_with("a"), disk.write());
    saver.look(settings_with("b"), kStart);
    CHECK_FALSE(saver.due());
    CHECK(saver.close(settings_with("b")).has_value());
    CHECK(disk.written().empty());
}

TEST_CASE("the file that the saver writes is the one that is read at the next start") {
    const TemporaryFolder folder;
    const std::string path = folder / "heed/settings.json";
    SettingsSaver saver(path, Settings{});
    saver.look(settings_with("kept"), kStart);
    saver.look(settings_with("kept"), kStart + 2s);
    CHECK(soon([&] { return app::load_settings(path).settings == settings_with("kept"); }));
}
