#include "ui/class_desk.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace heed::ui {

app::Classroom& ClassDesk::room() {
    if (!room_) room_ = std::make_unique<app::Classroom>([this] { published(); });
    return *room_;
}

bool ClassDesk::poll() {
    if (!room_) return false;
    auto now = room_->latest();
    if (now == seen_) return false;
    seen_ = std::move(now);
    return true;
}

bool ClassDesk::has_progress() const {
    return std::any_of(seen_->pupils.begin(), seen_->pupils.end(),
                       [](const app::Pupil& pupil) { return pupil.step > 0; });
}

void ClassDesk::open(const app::ClassForm& form) {
    opened_ = form;
    room().open(app::plans_of(form));
}

void ClassDesk::keep(std::shared_ptr<const models::Model> model, const std::string& path) {
    if (keeping()) return;
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
    return keeping_.get();
}

} // namespace heed::ui
