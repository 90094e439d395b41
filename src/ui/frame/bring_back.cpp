#include "ui/frame/workspace.hpp"

#include <algorithm>
#include <utility>

namespace heed::ui {

std::string Workspace::words_of(const Gone& gone) {
    const auto* kept = std::get_if<app::Bookmark>(&gone.what);
    return kept == nullptr ? std::string("pinned another baseline")
                           : "deleted \u201c" + kept->name + "\u201d";
}

void Workspace::undo() {
    std::string lacks_room;
    if (can_bring_back()) {
        if (bring_back()) return;
        lacks_room = notice.text;
    }
    const std::string left = history_.now().model_file, undone = history_.words(history_.at());
    std::string told_beside;
    if (history_.undo()) {
        come_back_from(left, "Undone: " + undone);
        told_beside = ". Undone: " + undone;
    }
    if (!lacks_room.empty()) notice = {lacks_room + told_beside, false};
}

void Workspace::redo() {
    if (can_go_again()) return go_again();
    const std::string left = history_.now().model_file;
    if (history_.redo()) come_back_from(left, "Redone: " + history_.words(history_.at()));
}

void Workspace::go_again() {
    const Gone gone = std::move(back_.back());
    back_.pop_back();
    if (const auto* baseline = std::get_if<app::Reference>(&gone.what)) {
        if (pinned_) gone_.push_back({*pinned_, 0, gone.at});
        pin(*baseline);
        notice = {"Redone: the other baseline is pinned again", false};
        return;
    }
    remove_kept(gone.index);
    notice = {"Redone: \u201c" + std::get<app::Bookmark>(gone.what).name + "\u201d is deleted",
              false};
}

bool Workspace::bring_back() {
    const Gone gone = std::move(gone_.back());
    gone_.pop_back();
    if (const auto* baseline = std::get_if<app::Reference>(&gone.what)) {
        if (pinned_) back_.push_back({*pinned_, 0, gone.at});
        pin(*baseline);
        notice = {"Undone: the former baseline is pinned again", false};
        return true;
    }
    const auto& kept = std::get<app::Bookmark>(gone.what);
    if (kept_.size() >= app::kMaxKept) {
        notice = {"\u201c" + kept.name + "\u201d has no room among the snapshots, and is gone",
                  false};
        return false;
    }
    const auto place = static_cast<std::ptrdiff_t>(std::min(gone.index, kept_.size()));
    kept_.insert(kept_.begin() + place, kept);
    back_.push_back({kept, static_cast<std::size_t>(place), gone.at});
    notice = {"Undone: \u201c" + kept.name + "\u201d is back", false};
    return true;
}

void Workspace::pin_now() {
    const app::Reference now{"pinned", history_.now(), focus_};
    if (pinned_ && *pinned_ != now) {
        gone_.push_back({*pinned_, 0, history_.id()});
    } else if (!pinned_) { // what went before is not the last act any more
        std::erase_if(gone_, [&](const Gone& gone) { return gone.at == history_.id(); });
    }
    pin(now);
    const bool back = can_bring_back() && std::holds_alternative<app::Reference>(gone_.back().what);
    notice = {.text = back ? "Pinned as the baseline; Undo brings the former one back"
                           : "Pinned as the baseline",
              .way = back ? WayOut::undo : WayOut::none};
}

void Workspace::pin_former(const std::optional<app::Reference>& former) {
    const auto* gone = gone_.empty() ? nullptr : std::get_if<app::Reference>(&gone_.back().what);
    if (gone && former == *gone) gone_.pop_back();
    pin(former);
}

void Workspace::remove_kept(std::size_t index) {
    if (index >= kept_.size()) return;
    const auto kept = kept_.begin() + static_cast<std::ptrdiff_t>(index);
    notice = {.text = "\u201c" + kept->name + "\u201d is deleted; Undo brings it back",
              .way = WayOut::undo};
    gone_.push_back({std::move(*kept), index, history_.id()});
    kept_.erase(kept);
}

} // namespace heed::ui
