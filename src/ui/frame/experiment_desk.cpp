#include "ui/frame/class_desk.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::ui {

app::Classroom& ClassDesk::room() {
    if (!place_ && !folder.empty()) place_ = app::ClassPlace::hold_empty(folder);
    if (!room_) {
        room_ = std::make_unique<app::Classroom>([this] { published(); }, 0,
                                                 place_ ? place_->folder() : "");
    }
    return *room_;
}

bool ClassDesk::poll() {
    if (!room_) return false;
    auto now = room_->latest();
    if (now == seen_) return false;
    seen_ = std::move(now);
    const bool there = seen_->state != app::ClassSnapshot::State::preparing;
    if (seen_->number == resuming_ && there) take_resumed();
    return true;
}

bool ClassDesk::has_progress() const {
    return std::any_of(seen_->pupils.begin(), seen_->pupils.end(),
                       [](const app::Pupil& pupil) { return pupil.step > 0; });
}

/// Of those with a class that nobody holds the one behind this window's own, in turn.
std::optional<app::ClassPlace> ClassDesk::next_place() const {
    std::vector<std::string> folders = app::saved_places(folder);
    const auto own =
        place_ ? std::find(folders.begin(), folders.end(), place_->folder()) : folders.end();
    std::rotate(folders.begin(), own, folders.end());
    for (const std::string& other : folders) {
        if (place_ && other == place_->folder()) continue;
        auto place = app::ClassPlace::hold(other);
        if (place && app::read_saved_class(other)) return place;
    }
    return std::nullopt;
}

void ClassDesk::look_for_saved() {
    if (folder.empty()) return;
    if (!place_) place_ = next_place();
    has_another_ = next_place().has_value();
    if (place_) offered_ = app::read_saved_class(place_->folder());
}

void ClassDesk::offer_another() {
    auto place = next_place();
    has_another_ = false;
    if (!place) return;
    place_ = std::move(place);
    has_another_ = next_place().has_value();
    offered_ = app::read_saved_class(place_->folder());
    if (room_) room_->save_in(place_->folder());
}

/// What was kept of the class before settles nothing of this one.
void ClassDesk::begin_class() {
    resuming_.reset();
    settled_.clear();
    if (keeping_) keeping_->settles.clear();
}

void ClassDesk::go_on() {
    offered_.reset();
    begin_class();
    opened_.reset();
    resuming_ = room().resume();
}

void ClassDesk::forget_offered() {
    offered_.reset();
    if (place_) app::forget_saved_class(place_->folder());
    offer_another();
}

void ClassDesk::take_resumed() {
    resuming_.reset();
    if (seen_->pupils.empty()) return;
    std::vector<train::Plan> plans;
    for (const app::Pupil& pupil : seen_->pupils) plans.push_back(pupil.plan);
    settle(steps_now()); // that much is saved
    opened_ = app::form_of(plans);
}

ClassDesk::Steps ClassDesk::steps_now() const {
    Steps steps;
    for (const app::Pupil& pupil : seen_->pupils) steps.push_back(pupil.step);
    return steps;
}

void ClassDesk::settle(const Steps& steps) {
    settled_.resize(std::max(settled_.size(), steps.size()));
    for (std::size_t i = 0; i < steps.size(); ++i) settled_[i] = std::max(settled_[i], steps[i]);
}

bool ClassDesk::unsettled() const {
    const auto& pupils = seen_->pupils;
    for (std::size_t i = 0; i < pupils.size(); ++i) {
        const std::uint64_t settled = i < settled_.size() ? settled_[i] : 0;
        if (pupils[i].step > settled) return true;
    }
    return false;
}

void ClassDesk::save() {
    if (saving()) return;
    saving_from_ = room().latest()->saves;
    room().save();
}

std::optional<base::Result<void>> ClassDesk::save_ended() {
    if (!saving() || seen_->saves <= *saving_from_) return std::nullopt;
    saving_from_.reset();
    if (seen_->save_error) return tl::make_unexpected(*seen_->save_error);
    if (!folder.empty() && !learning()) settle(steps_now()); // it rests since
    return base::Result<void>();
}

void ClassDesk::open(const app::ClassForm& form) {
    opened_ = form;
    begin_class();
    room().open(app::plans_of(form));
}

void ClassDesk::keep(std::shared_ptr<const models::Model> model, const std::string& path,
                     const std::optional<trace::HeadId>& aligned_by) {
    if (keeping()) return;
    Steps settles;
    for (const app::Pupil& pupil : seen_->pupils) {
        settles.push_back(pupil.model == model ? pupil.step : 0);
    }
    auto written = std::async(std::launch::async, [model = std::move(model), path, aligned_by] {
        try {
            std::error_code ignored; // what matters is whether the file can be written
            std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
            const auto saved = model->save(path, aligned_by);
            return saved ? base::Result<std::string>(path) : tl::make_unexpected(saved.error());
        } catch (const std::exception& thrown) {
            return base::Result<std::string>(
                base::fail(base::ErrorKind::unwritable, path, thrown.what()));
        }
    });
    keeping_ = Keeping{std::move(written), std::move(settles)};
}

std::optional<base::Result<std::string>> ClassDesk::take_kept() {
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
