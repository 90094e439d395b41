#include "ui/frame/experiment_desk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::ui {

app::Experiment& ExperimentDesk::room() {
    if (!place_ && !folder.empty()) place_ = app::ExperimentFolder::hold_empty(folder);
    if (!room_) {
        room_ = std::make_unique<app::Experiment>([this] { published(); }, 0,
                                                  place_ ? place_->folder() : "");
    }
    return *room_;
}

bool ExperimentDesk::poll() {
    if (!room_) return false;
    auto now = room_->latest();
    if (now == seen_) return false;
    seen_ = std::move(now);
    const bool there = seen_->state != app::ExperimentSnapshot::State::preparing;
    if (seen_->number == resuming_ && there) take_resumed();
    return true;
}

bool ExperimentDesk::has_progress() const {
    return std::any_of(seen_->trainees.begin(), seen_->trainees.end(),
                       [](const app::Trainee& trainee) { return trainee.step > 0; });
}

/// Of those with an experiment that nobody holds the one behind this window's own, in turn.
std::optional<app::ExperimentFolder> ExperimentDesk::next_place() const {
    std::vector<std::string> folders = app::saved_places(folder);
    const auto own =
        place_ ? std::find(folders.begin(), folders.end(), place_->folder()) : folders.end();
    std::rotate(folders.begin(), own, folders.end());
    for (const std::string& other : folders) {
        if (place_ && other == place_->folder()) continue;
        auto place = app::ExperimentFolder::hold(other);
        if (place && app::read_saved_experiment(other)) return place;
    }
    return std::nullopt;
}

void ExperimentDesk::look_for_saved() {
    if (folder.empty()) return;
    if (!place_) place_ = next_place();
    has_another_ = next_place().has_value();
    if (place_) offered_ = app::read_saved_experiment(place_->folder());
}

void ExperimentDesk::offer_another() {
    auto place = next_place();
    has_another_ = false;
    if (!place) return;
    place_ = std::move(place);
    has_another_ = next_place().has_value();
    offered_ = app::read_saved_experiment(place_->folder());
    if (room_) room_->save_in(place_->folder());
}

/// What was kept of the experiment before settles nothing of this one.
void ExperimentDesk::begin_experiment() {
    resuming_.reset();
    settled_.clear();
    if (keeping_) keeping_->settles.clear();
}

void ExperimentDesk::go_on() {
    offered_.reset();
    begin_experiment();
    opened_.reset();
    resuming_ = room().resume();
}

void ExperimentDesk::forget_offered() {
    offered_.reset();
    if (place_) app::forget_saved_experiment(place_->folder());
    offer_another();
}

void ExperimentDesk::take_resumed() {
    resuming_.reset();
    if (seen_->trainees.empty()) return;
    std::vector<train::Plan> plans;
    for (const app::Trainee& trainee : seen_->trainees) plans.push_back(trainee.plan);
    settle(steps_now()); // that much is saved
    opened_ = app::form_of(plans);
}

ExperimentDesk::Steps ExperimentDesk::steps_now() const {
    Steps steps;
    for (const app::Trainee& trainee : seen_->trainees) steps.push_back(trainee.step);
    return steps;
}

void ExperimentDesk::settle(const Steps& steps) {
    settled_.resize(std::max(settled_.size(), steps.size()));
    for (std::size_t i = 0; i < steps.size(); ++i) settled_[i] = std::max(settled_[i], steps[i]);
}

bool ExperimentDesk::unsettled() const {
    const auto& trainees = seen_->trainees;
    for (std::size_t i = 0; i < trainees.size(); ++i) {
        const std::uint64_t settled = i < settled_.size() ? settled_[i] : 0;
        if (trainees[i].step > settled) return true;
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
    if (!folder.empty() && !learning()) settle(steps_now()); // it rests since
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
    room().open(app::plans_of(form));
}

void ExperimentDesk::keep(std::shared_ptr<const models::Model> model, const std::string& path,
                          const std::optional<trace::HeadId>& aligned_by) {
    if (keeping()) return;
    Steps settles;
    for (const app::Trainee& trainee : seen_->trainees) {
        settles.push_back(trainee.model == model ? trainee.step : 0);
    }
    auto written = std::async(std::launch::async, [model = std::move(model), path, aligned_by] {
        try {
            std::error_code ignored; // what matters is whether the file can be written
            std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
            const auto saved = model->save(path, {aligned_by});
            return saved ? base::Result<std::string>(path) : tl::make_unexpected(saved.error());
        } catch (const std::exception& thrown) {
            return base::Result<std::string>(
                base::fail(base::ErrorKind::unwritable, path, thrown.what()));
        }
    });
    keeping_ = Keeping{std::move(written), std::move(settles)};
}

std::optional<base::Result<std::string>> ExperimentDesk::take_kept() {
    if (!keeping()) return std::nullopt;
    if (keeping_->written.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        return std::nullopt;
    }
    Keeping kept = *std::exchange(keeping_, std::nullopt);
    auto path = kept.written.get();
    if (path) settle(kept.settles);
    return path;
}

} // namespace heed::ui
