#include "app/training/saved_runs.hpp"

#include "train/tasks/task.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heed::app {

void SavedRuns::look(const std::string& first) {
    put_off();
    std::erase_if(runs_, [](const Run& run) { return !run.place; });
    has_another_ = false;
    if (first.empty()) return;
    for (const std::string& folder : saved_places(first)) {
        const auto saved = read_saved_experiment(folder);
        const bool free = find(folder) == runs_.end() && ExperimentFolder::hold(folder);
        if (saved && free) runs_.push_back({folder, *saved});
    }
    remove_superseded();
    offer_from(0);
}

void SavedRuns::remove_superseded() {
    constexpr int kMostFinished = 8; // of a task: far more than anybody comes back to
    std::map<std::string, int> finished;
    std::erase_if(runs_, [&](const Run& run) {
        if (!run.saved.finished || ++finished[run.saved.task] <= kMostFinished) return false;
        const auto place = ExperimentFolder::hold(run.folder);
        if (place) forget_saved_experiment(run.folder);
        return true;
    });
}

/// The first unfinished run from there on that can be held, in turn.
void SavedRuns::offer_from(std::size_t first) {
    if (const auto before = offered_ ? find(*offered_) : runs_.end(); before != runs_.end())
        before->place.reset();
    offered_.reset();
    const std::size_t n = runs_.size();
    for (std::size_t i = 0; i < n && !offered_; ++i) {
        Run& run = runs_[(first + i) % n];
        if (run.saved.finished || run.place) continue;
        run.place = ExperimentFolder::hold(run.folder);
        if (run.place) offered_ = run.folder;
    }
    has_another_ = std::ranges::any_of(
        runs_, [](const Run& run) { return !run.saved.finished && !run.place; });
}

std::vector<SavedRuns::Run>::iterator SavedRuns::find(const std::string& folder) {
    return std::ranges::find(runs_, folder, &Run::folder);
}

std::vector<SavedRuns::Run>::const_iterator SavedRuns::find_task(const std::string& task) const {
    return std::ranges::find_if(runs_, [&](const Run& run) { return run.saved.task == task; });
}

const SavedExperiment* SavedRuns::resumable() const {
    if (!offered_) return nullptr;
    const auto run = std::ranges::find(runs_, *offered_, &Run::folder);
    return run == runs_.end() ? nullptr : &run->saved;
}

void SavedRuns::offer_another() {
    if (!offered_) return;
    offer_from(static_cast<std::size_t>(find(*offered_) - runs_.begin()) + 1);
}

void SavedRuns::put_off() {
    if (const auto run = offered_ ? find(*offered_) : runs_.end(); run != runs_.end())
        run->place.reset();
    offered_.reset();
}

void SavedRuns::forget_offered() {
    if (!offered_) return;
    const auto run = find(*offered_);
    const auto place = static_cast<std::size_t>(run - runs_.begin());
    forget_saved_experiment(run->folder);
    runs_.erase(run);
    offer_from(place);
}

ExperimentFolder SavedRuns::take_offered() {
    const auto run = find(*offered_);
    ExperimentFolder place = *std::move(run->place);
    runs_.erase(run);
    offered_.reset();
    return place;
}

const SavedExperiment* SavedRuns::of_task(const std::string& task) const {
    const auto run = find_task(task);
    return run == runs_.end() ? nullptr : &run->saved;
}

std::set<std::string> SavedRuns::own_files() const {
    std::set<std::string> files;
    for (const Run& run : runs_) {
        const std::string& task = run.saved.task; // empty: not saved yet
        if (!task.empty() && !train::task_named(task)) files.insert(task);
    }
    return files;
}

std::optional<ExperimentFolder> SavedRuns::take(const std::string& task) {
    const auto found = find_task(task);
    if (found == runs_.end()) return std::nullopt;
    const auto run = runs_.begin() + (found - runs_.cbegin());
    auto place = run->place ? std::move(run->place) : ExperimentFolder::hold(run->folder);
    if (offered_ == run->folder) offered_.reset();
    runs_.erase(run);
    return place;
}

void SavedRuns::leave(ExperimentFolder place, bool last) {
    std::string folder = place.folder();
    runs_.insert(last ? runs_.end() : runs_.begin(), Run{std::move(folder), {}, std::move(place)});
    read_again();
}

/// Where one is offered and a later one was left since, that is the last.
void SavedRuns::offer_left() {
    if (!offered_ || runs_.empty()) return;
    const Run& left = runs_.front();
    if (!left.place || left.saved.task.empty() || left.saved.finished) return;
    if (left.folder == *offered_) return;
    if (const auto before = find(*offered_); before != runs_.end()) before->place.reset();
    offered_ = left.folder;
    has_another_ = true;
}

void SavedRuns::read_again() {
    for (Run& run : runs_) {
        if (auto saved = read_saved_experiment(run.folder)) run.saved = *std::move(saved);
    }
    offer_left();
}

} // namespace heed::app
