#include "ui/window/screenshot.hpp"

#include "app/engine/missing_letters.hpp"
#include "base/file.hpp"
#include "base/visible.hpp"
#include "ui/explore/explore_state.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/learn/learn_room.hpp"
#include "ui/train/train_state.hpp"
#include "ui/window/offscreen.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <thread>

namespace heed::ui {

namespace {
constexpr int kGood = 0, kFailed = 1;
constexpr auto kLongest = std::chrono::minutes(2); // that measures are waited for

int complain(const base::Error& error) {
    base::tell("heed screenshot: " + base::describe(error));
    return kFailed;
}

/// The room's own class; with steps, the first four models of its task take them: more lines than
/// that are a thicket.
void let_learn(Offscreen& window, int steps) {
    ExperimentDesk& desk = window.shell().experiment;
    if (steps > 0) {
        app::ExperimentForm& form = window.shell().state.train->form;
        form.steps = steps;
        int left = 4;
        for (std::size_t i = 0; i < app::kTraineeKinds.size(); ++i) {
            form.learns[i] = left > 0 && app::is_offered(app::kTraineeKinds[i], form.task);
            left -= form.learns[i] ? 1 : 0;
        }
    }
    TrainState& train = *window.shell().state.train;
    train.view = {app::first_attending(train.form), {}};
    desk.open(train.form);
    if (steps > 0) desk.play();
    desk.room().wait_until_it_rests();
}

/// In the order of app::kScreenshotCards.
constexpr CardId kCards[] = {CardId::export_picture, CardId::keys, CardId::model, CardId::search};
static_assert(std::size(kCards) == std::size(app::kScreenshotCards));

void show_card(Offscreen& window, const std::string& name) {
    const auto* named = std::ranges::find(app::kScreenshotCards, name);
    window.shell().state.open_dialog = kCards[named - std::begin(app::kScreenshotCards)];
    window.settle();
    const auto& models = window.shell().state.explore->gallery;
    while (models && !models->complete()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    window.settle();
}

} // namespace

int screenshot(const app::ScreenshotRequest& request) {
    auto opened = Offscreen::open(request.width, request.height, request.scale, request.document,
                                  request.focus, request.view);
    if (!opened) return complain(opened.error());
    Offscreen& window = **opened;
    window.shell().state.timings = false;
    if (request.view.view == app::View::train) let_learn(window, request.train_steps);
    if (request.view.view == app::View::learn) show_page(window.shell().state, request.page);
    window.shell().state.layout.presenting = request.presents;
    if (!request.lesson.empty()) follow_lesson(window.shell().state, request.lesson);
    const auto until = std::chrono::steady_clock::now() + kLongest;
    window.settle(until);
    wait_for_learning(window.shell().state);
    window.settle(until);
    if (!request.card.empty()) show_card(window, request.card);
    if (window.measures()) {
        base::tell("heed screenshot: drawn after two minutes, before all was measured; a shorter "
                   "sentence takes less");
    }
    if (const auto& error = window.shell().work.snapshot().error) return complain(*error);
    const std::u32string& missing = window.shell().work.snapshot().missing_letters;
    if (!missing.empty()) {
        base::tell("heed screenshot: " + app::missing_letters_note(missing, app::kMostNamed));
    }
    const std::vector<std::uint8_t> pixels = window.pixels();
    const std::string png =
        app::png_bytes(pixels, window.context().width(), window.context().height());
    if (request.output == "-") {
        const bool whole = std::fwrite(png.data(), 1, png.size(), stdout) == png.size() &&
                           std::fflush(stdout) == 0;
        return whole ? kGood
                     : complain({base::ErrorKind::unwritable, "standard output",
                                 "could not be written: closed, or its disk is full"});
    }
    const auto written = base::write_file_atomic(request.output, png);
    return written ? kGood : complain(written.error());
}

} // namespace heed::ui
