#include "ui/window/reading_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace heed::ui {

std::string reading_words(const app::ModelReading& reading) {
    const std::filesystem::path path = reading.file;
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    const std::string share = fmt::format("{:.0f} %", 100 * reading.fraction);
    const auto left = reading.seconds_left();
    if (!left) return fmt::format("Reading {} \u00b7 {}", name, share);
    return fmt::format("Reading {} \u00b7 {} \u00b7 {:.0f} s left", name, share, std::ceil(*left));
}

void reading_bar(Panel& panel, const Box& stage) {
    constexpr double kMoment = 0.3; // seconds
    const auto reading = panel.work.reading();
    if (!reading) return;
    Ui& ui = panel.ui;
    const double soon = kMoment - reading->seconds;
    ui.wake_in(soon > 0 ? static_cast<float>(soon) : 0.1f);
    if (soon > 0) return;
    const figure::Theme& t = ui.theme();
    Canvas& c = ui.canvas;
    constexpr float kHeight = 58, kStop = 64;
    const float w = std::min(380.f, stage.w - 24);
    const Box box{stage.x + (stage.w - w) / 2, stage.y + stage.h - kHeight - 16, w, kHeight};
    ui.begin_over("reading", box);
    c.shadow(box, 8);
    c.fill(box, t.panel, 8);
    c.outline(box, t.border, 8);
    const Box track{box.x + 14, box.y + 38, w - kStop - 40, 6};
    const std::string words = reading_words(*reading);
    ui.area({box.x, box.y, w - kStop - 14, kHeight}, "reading/progress", words);
    ui.tip("How much of the model's file has been read.");
    c.text({track.x, box.y + 10, track.w, 20}, Face::control, t.text, words);
    c.fill(track, t.raised, 3);
    const float done = track.w * static_cast<float>(reading->fraction);
    if (done > 0) c.fill({track.x, track.y, std::max(done, 6.f), 6}, t.accent, 3);
    if (ui.button({box.x + w - kStop - 14, box.y + 15, kStop, 28}, "reading/stop", "Stop")) {
        panel.commands.push_back(StopReading{});
    }
    ui.tip("Reads no further; the model that was open stays. Esc does the same.");
    ui.end_over();
}

} // namespace heed::ui
