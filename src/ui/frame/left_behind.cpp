#include "ui/frame/left_behind.hpp"

#include "app/document/changes.hpp"
#include "app/views/titles.hpp"
#include "ui/frame/chords.hpp"

#include <fmt/format.h>

namespace heed::ui {

std::vector<Notice> left_behind(const app::Document& now, const app::Document& next) {
    std::vector<Notice> notices;
    if (now.model_file.empty() || !next.model_file.empty()) return notices;
    const bool changed = !(now.controls == models::Controls{} && now.resting == models::Controls{});
    if (changed && next.controls == models::Controls{})
        notices.push_back({.text = app::kChangesCleared, .way = WayOut::undo});
    notices.push_back(
        {.text = fmt::format("{} has random weights. {} brings {} back",
                             app::model_title(next.model_file, next.model), keys_of(ActionId::undo),
                             app::model_title(now.model_file, now.model)),
         .way = WayOut::undo});
    return notices;
}

} // namespace heed::ui
