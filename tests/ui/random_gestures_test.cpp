// Thousands of random gestures on random states: nothing crashes, no frame keeps the window
// waiting, and in the end the window shows what a fresh start from the saved session shows.
//
// HEED_GESTURES: how many, instead of 10 000. HEED_GESTURES_SEED: other stories for each number.
// HEED_GESTURES_TRACE: writes each gesture and how long its longest frame took.
#include "ui/random_hand.hpp"

#include "app/document/session.hpp"
#include "app/files/open_file.hpp"
#include "app/files/path_entries.hpp"
#include "app/files/settings.hpp"
#include "app/temporary_folder.hpp"
#include "catch.hpp"
#include "tensors/json.hpp"
#include "ui/explore/explore_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

using namespace heed;
using namespace heed::ui::test;

namespace {

constexpr int kParts = 8, kGesturesASession = 125;

int from_environment(const char* name, int otherwise) {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : std::atoi(value);
}

/// What is on the screen, without who points where.
struct Shown {
    std::string words; // the figures' dumps
    std::vector<figure::Matrix<float>> values;
};

Shown shown(Driver& driver) {
    Shown all;
    for (const figure::Figure& figure : driver.painted()) {
        all.words += figure::dump(figure);
        for (const figure::Primitive& item : figure.items) {
            const auto* heat = std::get_if<figure::Heat>(&item);
            if (heat != nullptr && heat->values) all.values.push_back(*heat->values);
        }
    }
    return all;
}

/// The largest difference of any number; infinite where one is a number and the other is none.
float distance(const Shown& a, const Shown& b) {
    if (a.values.size() != b.values.size()) return INFINITY;
    float largest = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const auto &x = a.values[i], &y = b.values[i];
        if (x.rows() != y.rows() || x.cols() != y.cols()) return INFINITY;
        for (figure::Index k = 0; k < x.size(); ++k) {
            const float p = x.data()[k], q = y.data()[k];
            if (p == q || (std::isnan(p) && std::isnan(q))) continue;
            const float d = std::abs(p - q) / std::max(1.0f, std::abs(p));
            largest = std::max(largest, std::isnan(d) ? INFINITY : d);
        }
    }
    return largest;
}

/// The first line in which two texts differ, and what led there.
std::string first_difference(const std::string& a, const std::string& b) {
    std::size_t at = 0, line = 0;
    while (at < a.size() && at < b.size() && a[at] == b[at]) {
        if (a[at++] == '\n') line = at;
    }
    const auto from = [&](const std::string& s) {
        return line < s.size() ? s.substr(line, s.find('\n', line) - line) : "(its end)";
    };
    return from(a) + "\n" + from(b);
}

/// Nothing is pressed, open or scrolled away, and the newest state could be computed.
void come_to_rest(Driver& d) {
    for (int button = 0; button < 3; ++button) ui::shim::press_mouse(button, false);
    ui::shim::set_modifiers(false, false, false);
    ui::shim::move_mouse(-100, -100);
    d.settle();
    for (int i = 0; i < 4; ++i) d.key(ui::shim::Key::escape);
    if (d.shell->state.view.view == app::View::train) { // what a class has learned is in no session
        d.shell->experiment.pause();
        d.shell->state.view.view = d.shell->state.choices.explore_view;
    }
    if (!app::of_snapshot(d.shell->state.view.view)) {
        d.shell->state.view.view = d.shell->state.choices.explore_view;
    }
    d.shell->state.learn.reset(); // nor is the lesson that is followed,
    d.shell->state.explore->left_scroll.offset = d.shell->state.explore->inspector_scroll.offset =
        0;
    d.shell->state.leaving.asked = false;
    while (d.snapshot().error && d.shell->work.history().can_undo()) {
        d.shell->work.apply(ui::Undo{});
        d.settle();
    }
    d.shell->wake();
    d.settle_all();
}

app::Session session_of(const ui::Shell& shell) {
    return {shell.work.document(), shell.work.focus(), shell.state.view, shell.work.pinned(),
            shell.work.kept()};
}

/// A new window, opened with what the session's file holds.
std::unique_ptr<Driver> reopened(const ui::Shell& shell, const Driver::Options& size,
                                 const std::string& path) {
    const auto written = app::save_session(session_of(shell), path);
    if (!written) FAIL(base::describe(written.error()));
    auto session = app::load_session(path);
    if (!session) FAIL(base::describe(session.error()));
    session->view.dark = shell.state.view.dark;
    if (!(session->document == shell.work.document())) {
        const auto again = app::session_to_json(*session),
                   first = app::session_to_json(session_of(shell));
        FAIL_CHECK(first_difference(tensors::dump_json(first, 2), tensors::dump_json(again, 2)));
    }
    Driver::Options options = size;
    options.document = session->document;
    options.focus = session->focus;
    options.view = session->view;
    const app::PanelSizes panels = shell.state.layout.panels;
    ImGui::SetCurrentContext(nullptr);
    auto fresh = std::make_unique<Driver>(options);
    fresh->shell->work.pin(session->pinned);
    fresh->shell->work.set_kept(session->kept);
    fresh->shell->state.layout.panels = panels;
    fresh->shell->state.view = session->view;
    fresh->shell->wake();
    fresh->settle_all();
    return fresh;
}

struct Slow {
    int gesture = 0;
    double ms = 0;
    std::string what;
};

struct Story {
    std::vector<Slow> slow; // gestures with a frame over the limit
    Slow slowest;
};

/// Of a frame, in milliseconds of the window's own thread.
constexpr double kFrameLimit = 100;
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kAsBuiltForUsers = true;
#else
constexpr bool kAsBuiltForUsers = false;
#endif

bool traced() { return std::getenv("HEED_GESTURES_TRACE") != nullptr; }

void check_against_a_fresh_start(Driver& driver, const std::string& path) {
    come_to_rest(driver);
    if (driver.snapshot().error) return; // it shows the run before, which no session holds
    const Shown before = shown(driver);
    ImGuiContext* const context = ImGui::GetCurrentContext();
    {
        const auto fresh = reopened(*driver.shell, driver.options(), path);
        const Shown after = shown(*fresh);
        if (before.words != after.words) FAIL_CHECK(first_difference(before.words, after.words));
        CHECK(distance(before, after) < 1e-4f);
    }
    ImGui::SetCurrentContext(context);
}

/// Where files go that nobody gave a path: folder and home of a story, and nothing of the person's
/// who runs it.
class OwnHome {
  public:
    explicit OwnHome(const std::string& folder) : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(folder);
        for (const char* name : kNames) {
            const char* value = std::getenv(name);
            former_.emplace_back(value == nullptr ? std::nullopt : std::optional(value));
            ::unsetenv(name);
        }
        ::setenv(kNames[0], folder.c_str(), 1);
    }
    OwnHome(const OwnHome&) = delete;
    OwnHome& operator=(const OwnHome&) = delete;
    ~OwnHome() {
        std::error_code ignored;
        std::filesystem::current_path(before_, ignored);
        for (std::size_t i = 0; i < former_.size(); ++i) {
            former_[i] ? ::setenv(kNames[i], former_[i]->c_str(), 1) : ::unsetenv(kNames[i]);
        }
    }

  private:
    static constexpr const char* kNames[] = {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"};
    std::filesystem::path before_;
    std::vector<std::optional<std::string>> former_;
};

Story tell(int seed, int gestures) {
    const TemporaryFolder folder;
    const OwnHome at_home(folder.path());
    TaskRng rng(static_cast<std::uint64_t>(seed));
    Driver driver(some_state(rng));
    RandomHand hand(driver, rng, folder.path(), seed % 2 == 0);
    Story story;
    for (int i = 0; i < gestures; ++i) {
        hand.act();
        const Slow now{i, hand.slowest_ms(), hand.last()};
        if (traced()) fmt::print("{} {} {} {:.1f} ms\n", seed, i, now.what, now.ms);
        if (now.ms > story.slowest.ms) story.slowest = now;
        if (now.ms > kFrameLimit) story.slow.push_back(now);
    }
    INFO("session " << seed << " of " << gestures << " gestures, the last: " << hand.last());
    check_against_a_fresh_start(driver, folder / "session.json");
    return story;
}

/// Time is measured on the window's own thread, so that a busy machine adds little, and a story
/// with a slow frame is told once more: only what is slow both times is.
void check_pace(int seed, const Story& story) {
    if (!kAsBuiltForUsers || story.slow.empty()) return;
    const Story again = tell(seed, kGesturesASession);
    for (const Slow& slow : story.slow) {
        const bool twice = std::any_of(again.slow.begin(), again.slow.end(),
                                       [&](const Slow& s) { return s.gesture == slow.gesture; });
        INFO("session " << seed << ", gesture " << slow.gesture << ": " << slow.what);
        if (twice) FAIL_CHECK("a frame took " << slow.ms << " ms");
    }
}

} // namespace

TEST_CASE("what random gestures write lies in a folder of their own") {
    const TemporaryFolder folder;
    const std::string before = app::whole_path("~/x");
    {
        const OwnHome at_home(folder.path());
        CHECK(app::whole_path("~/x") == folder / "x");
        CHECK(app::whole_path("x") == std::filesystem::canonical(folder.path()).string() + "/x");
        CHECK(app::documents_folder().starts_with(folder.path()));
        CHECK(app::models_folder().starts_with(folder.path()));
    }
    CHECK(app::whole_path("~/x") == before);
}

TEMPLATE_TEST_CASE_SIG("random gestures neither crash nor stall and leave no stale picture",
                       "[gestures]", ((int Part), Part), 0, 1, 2, 3, 4, 5, 6, 7) {
    const int all = from_environment("HEED_GESTURES", 10000);
    const int sessions = std::max(1, all / kParts / kGesturesASession);
    const int first = from_environment("HEED_GESTURES_SEED", 0) * kParts * sessions;
    Slow slowest;
    for (int i = 0; i < sessions; ++i) {
        const int seed = first + i * kParts + Part;
        const Story story = tell(seed, kGesturesASession);
        check_pace(seed, story);
        if (story.slowest.ms > slowest.ms) slowest = story.slowest;
    }
    if (traced()) WARN("slowest frame: " << slowest.ms << " ms, " << slowest.what);
}
