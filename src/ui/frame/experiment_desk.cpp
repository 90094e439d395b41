#include "ui/frame/experiment_desk.hpp"

#include "app/training/trainee_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::ui {

namespace {

/// Exact match of a model that was not measured as it is, on as many sentences as one that learns;
/// nothing where it cannot be judged.
std::optional<double> exact_match_of(const std::shared_ptr<const models::Model>& model,
                                     const std::shared_ptr<const train::Dataset>& dataset) {
    if (!dataset) return std::nullopt;
    num::ThreadPool pool(1);
    const auto found = train::evaluate(pool, model, *dataset, app::TraineeRun::kWatched, {}, 0);
    return found ? std::optional(found->measures.exact_match) : std::nullopt;
}

} // namespace

app::Experiment& ExperimentDesk::room() {
    if (!room_) room_ = std::make_unique<app::Experiment>([this] { published(); });
    return *room_;
}

bool ExperimentDesk::poll() {
    if (!room_) return false;
    auto now = room_->latest();
    if (now == seen_) return false;
    const bool another = now->number != seen_->number;
    seen_ = std::move(now);
    if (another) runs_.read_again(); // what was left for it is saved by now
    const bool there = seen_->state != app::ExperimentSnapshot::State::preparing;
    if (seen_->number == resuming_ && there) take_resumed();
    return true;
}

bool ExperimentDesk::has_progress() const {
    return is_present() &&
           std::any_of(seen_->trainees.begin(), seen_->trainees.end(),
                       [](const app::Trainee& trainee) { return trainee.step > 0; });
}

/// Begins an experiment: steps of the one before that were saved say nothing of its own.
void ExperimentDesk::begin_experiment() {
    resuming_.reset();
    saved_.clear();
    if (keeping_) keeping_->saved_steps.clear();
}

/// The folder that this window saves in; nothing where it saves nowhere.
std::optional<std::string> ExperimentDesk::own_folder() {
    if (!place_ && !folder.empty()) place_ = app::ExperimentFolder::hold_empty(folder);
    return place_ ? std::optional(place_->folder()) : std::nullopt;
}

/// Leaves: what was learned stays in its folder; another one is taken for what comes.
void ExperimentDesk::leave(bool last) {
    if (!place_ || !has_progress()) return;
    runs_.leave(*std::move(place_), last);
    place_.reset();
}

void ExperimentDesk::switch_to(const app::ExperimentForm& form) {
    leave();
    open(form);
}

bool ExperimentDesk::come_back_to(const std::string& task) {
    auto before = runs_.take(task);
    if (!before) return false;
    leave(opened_ && app::task_word(*opened_) == task); // its runs follow one another in turn
    resume(*std::move(before));
    return true;
}

void ExperimentDesk::go_on() {
    if (!runs_.resumable()) return;
    leave();
    resume(runs_.take_offered());
}

void ExperimentDesk::resume(app::ExperimentFolder place) {
    place_ = std::move(place);
    begin_experiment();
    opened_.reset();
    number_ = room().resume(place_->folder());
    resuming_ = resumed_ = number_;
}

void ExperimentDesk::take_resumed() {
    resuming_.reset();
    if (seen_->trainees.empty()) { // it stays as it is, and another one goes elsewhere
        place_.reset();
        return;
    }
    std::vector<train::Plan> plans;
    for (const app::Trainee& trainee : seen_->trainees) plans.push_back(trainee.plan);
    set_saved(steps_now()); // that much is saved
    opened_ = app::form_of(plans);
}

ExperimentDesk::Steps ExperimentDesk::steps_now() const {
    Steps steps;
    for (const app::Trainee& trainee : seen_->trainees) steps.push_back(trainee.step);
    return steps;
}

void ExperimentDesk::set_saved(const Steps& steps) {
    saved_.resize(std::max(saved_.size(), steps.size()));
    for (std::size_t i = 0; i < steps.size(); ++i) saved_[i] = std::max(saved_[i], steps[i]);
}

bool ExperimentDesk::has_unsaved_steps() const {
    const auto& trainees = seen_->trainees;
    for (std::size_t i = 0; i < trainees.size(); ++i) {
        const std::uint64_t saved = i < saved_.size() ? saved_[i] : 0;
        if (trainees[i].step > saved) return true;
    }
    return false;
}

void ExperimentDesk::save() {
    if (saving()) return;
    saving_from_ = room().latest()->saves;
    room().save();
}

std::optional<base::Result<void>> ExperimentDesk::save_ended() {
    if (!saving() || seen_->saves <= *saving_from_) return std::nullopt;
    saving_from_.reset();
    if (seen_->save_error) return tl::make_unexpected(*seen_->save_error);
    if (!folder.empty() && !learning()) set_saved(steps_now()); // it rests since
    return base::Result<void>();
}

base::Result<void> ExperimentDesk::close() {
    if (!room_) return {};
    const auto saved = room_->close();
    if (saved) return {};
    poll();
    std::uint64_t farthest = 0;
    for (const std::uint64_t step : steps_now()) farthest = std::max(farthest, step);
    return base::fail(
        saved.error().kind, "training run",
        fmt::format("at step {}, not saved: {}", farthest, base::describe(saved.error())));
}

void ExperimentDesk::open(const app::ExperimentForm& form) {
    opened_ = form;
    begin_experiment();
    number_ = room().open(app::plans_of(form), own_folder());
}

void ExperimentDesk::keep(std::shared_ptr<const models::Model> model, const std::string& path,
                          const models::Findings& found) {
    if (keeping()) return;
    Steps saved_steps;
    for (const app::Trainee& trainee : seen_->trainees) {
        saved_steps.push_back(trainee.model == model ? trainee.step : 0);
    }
    auto written = std::async(std::launch::async, [model = std::move(model), path, found = found,
                                                   dataset = seen_->dataset]() mutable {
        try {
            if (!found.exact_match) found.exact_match = exact_match_of(model, dataset);
            std::error_code ignored; // what matters is whether the file can be written
            std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
            const auto saved = model->save(path, found);
            return saved ? base::Result<std::string>(path) : tl::make_unexpected(saved.error());
        } catch (const std::exception& thrown) {
            return base::Result<std::string>(
                base::fail(base::ErrorKind::unwritable, path, thrown.what()));
        }
    });
    keeping_ = Keeping{std::move(written), std::move(saved_steps)};
}

std::optional<base::Result<std::string>> ExperimentDesk::take_kept() {
    if (!keeping()) return std::nullopt;
    if (keeping_->written.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        return std::nullopt;
    }
    Keeping kept = *std::exchange(keeping_, std::nullopt);
    auto path = kept.written.get();
    if (path) set_saved(kept.saved_steps);
    return path;
}

} // namespace heed::ui
