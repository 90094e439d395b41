// The folder of a window's experiment, which no other window takes while it is held.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// The folder is held by a lock on a file in it, which the system lets go when a program dies.
class ExperimentFolder {
  public:
    /// Makes the folder. Nothing where somebody holds it; where no lock can be had at all, on a
    /// disk that cannot be written, one is as if alone.
    static std::optional<ExperimentFolder> hold(const std::string& folder);
    /// The first of saved_places()'s folders in which nothing is saved and that nobody holds.
    static ExperimentFolder hold_empty(const std::string& first);
    ExperimentFolder(ExperimentFolder&& other) noexcept;
    ExperimentFolder& operator=(ExperimentFolder&& other) noexcept;
    ~ExperimentFolder();

    const std::string& folder() const { return folder_; }

  private:
    ExperimentFolder(std::string folder, int lock) : folder_(std::move(folder)), lock_(lock) {}

    std::string folder_;
    int lock_; // a descriptor, or −1
};

/// The folders of a first one, "experiment", "experiment-2", "experiment-3" …, in which experiments
/// are saved, held or not; that of the newest first.
std::vector<std::string> saved_places(const std::string& first);

} // namespace heed::app
