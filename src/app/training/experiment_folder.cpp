#include "app/training/experiment_folder.hpp"

#include "app/training/saved_experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace heed::app {

namespace {

namespace fs = std::filesystem;

constexpr int kMostPlaces = 100; // that are looked at for what is saved

std::string nth_place(const std::string& first, int n) {
    return n == 1 ? first : fmt::format("{}-{}", first, n);
}

} // namespace

std::optional<ExperimentFolder> ExperimentFolder::hold(const std::string& folder) {
    std::error_code ignored; // what matters is whether the lock can be had
    fs::create_directories(folder, ignored);
    const std::string path = (fs::path(folder) / ".lock").string();
    const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ExperimentFolder place(folder, lock);
    const bool taken = lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (taken) return std::nullopt;
    return place;
}

ExperimentFolder::ExperimentFolder(ExperimentFolder&& other) noexcept
    : folder_(std::move(other.folder_)), lock_(std::exchange(other.lock_, -1)) {}

ExperimentFolder& ExperimentFolder::operator=(ExperimentFolder&& other) noexcept {
    ExperimentFolder taken(std::move(other)); // and what was held before is let go with it
    std::swap(folder_, taken.folder_);
    std::swap(lock_, taken.lock_);
    return *this;
}

ExperimentFolder::~ExperimentFolder() {
    if (lock_ >= 0) ::close(lock_);
}

std::vector<std::string> saved_places(const std::string& first) {
    std::vector<std::pair<fs::file_time_type, std::string>> found;
    for (int n = 1; n <= kMostPlaces; ++n) {
        const std::string folder = nth_place(first, n);
        if (const auto saved = read_saved_experiment(folder))
            found.emplace_back(saved->when, folder);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> folders;
    for (auto& [when, folder] : found) folders.push_back(std::move(folder));
    return folders;
}

ExperimentFolder ExperimentFolder::hold_empty(const std::string& first) {
    for (int n = 1; n <= kMostPlaces; ++n) {
        auto place = ExperimentFolder::hold(nth_place(first, n));
        if (place && !holds_experiment(place->folder())) return *std::move(place);
    }
    return {nth_place(first, kMostPlaces + 1), -1}; // to write there will fail, and be told
}

} // namespace heed::app
