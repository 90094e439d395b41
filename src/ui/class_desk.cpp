#include "ui/class_desk.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::ui {

app::Classroom& ClassDesk::room() {
    if (!room_) room_ = std::make_unique<app::Classroom>([this] { published(); }, 0, folder);
    return *room_;
}

bool ClassDesk::poll() {
    if (!room_) return false;
    auto now = room_->latest();
    if (now == seen_) return false;
    seen_ = std::move(now);
    if (resuming_ && seen_->state != app::ClassSnapshot::State::preparing) take_resumed();
    return true;
}

bool ClassDesk::has_progress() const {
    return std::any_of(seen_->pupils.begin(), seen_->pupils.end(),
                       [](const app::Pupil& pupil) { return pupil.step > 0; });
}

void ClassDesk::look_for_saved() { offered_ = app::read_saved_class(folder); }

void ClassDesk::go_on() {
    offered_.reset();
    settled_.clear();
    resuming_ = true;
    opened_.reset();
    room().resume();
    seen_ = room().latest();
}

void ClassDesk::forget_offered() {
    offered_.reset();
    app::forget_saved_class(folder);
}

void ClassDesk::take_resumed() {
    const bool there = !seen_->pupils.empty();
    if (!there && !seen_->error) return; // a snapshot of before
    resuming_ = false;
    if (!there) return;
    std::vector<train::Plan> plans;
    for (const app::Pupil& pupil : seen_->pupils) {
        plans.push_back(pupil.plan);
        settled_.push_back(pupil.step); // that much is saved
    }
    opened_ = app::form_of(plans);
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
    return base::Result<void>();
}

void ClassDesk::open(const app::ClassForm& form) {
    opened_ = form;
    settled_.clear();
    being_kept_.clear();
    room().open(app::plans_of(form));
}

void ClassDesk::keep(std::shared_ptr<const models::Model> model, const std::string& path) {
    if (keeping()) return;
    being_kept_ = settled_;
    being_kept_.resize(seen_->pupils.size());
    for (std::size_t i = 0; i < being_kept_.size(); ++i) {
        if (seen_->pupils[i].model == model) being_kept_[i] = seen_->pupils[i].step;
    }
    keeping_ = std::async(std::launch::async, [model = std::move(model), path] {
        try {
            std::error_code ignored; // what matters is whether the file can be written
            std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
            const auto saved = model->save(path);
            return saved ? base::Result<std::string>(path) : tl::make_unexpected(saved.error());
        } catch (const std::exception& thrown) {
            return base::Result<std::string>(
                base::fail(base::ErrorKind::unwritable, path, thrown.what()));
        }
    });
}

std::optional<base::Result<std::string>> ClassDesk::take_kept() {
    if (!keeping() || keeping_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        return std::nullopt;
    }
    auto kept = keeping_.get();
    if (kept) settled_ = being_kept_;
    return kept;
}

} // namespace heed::ui
