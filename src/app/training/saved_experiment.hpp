// An experiment in a folder of its own: checkpoints of its models with their films, so that a
// program that was killed goes on where it was.
#pragma once

#include "train/loop/history.hpp"
#include "train/loop/training.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// A saved experiment that can go on, read without reading a model.
struct SavedExperiment {
    std::string task;                    // "reverse", or the whole path of a file
    std::uint64_t step = 0, steps = 0;   // of the model that is farthest
    std::vector<std::string> learners{}; // "additive attention"
    std::vector<std::string> files{};    // their checkpoints, in the folder
    std::filesystem::file_time_type when{};
    bool finished = false; // there is nothing left to learn
};

/// $XDG_DATA_HOME/heed/experiment, beside the models that are kept.
std::string experiment_folder();

/// Nothing where none is saved, or nothing of it can be read.
std::optional<SavedExperiment> read_saved_experiment(const std::string& folder);
/// True where one is there, be it of a program that wrote it otherwise, or damaged.
bool holds_experiment(const std::string& folder);
void forget_saved_experiment(const std::string& folder);

/// One model of an experiment with what was seen of it.
struct SavedTrainee {
    const train::Training* training;
    const train::History* history;
};

/// Saves one experiment again and again, every time whole: each file is written beside the one
/// before and put in its place, and a former experiment is there until this one is.
class ExperimentSaver {
  public:
    /// An empty folder: nothing is saved.
    explicit ExperimentSaver(std::string folder) : folder_(std::move(folder)) {}
    const std::string& folder() const { return folder_; }

    /// Begins another experiment, which is saved from now on.
    void begin();
    /// The present one, from now on elsewhere.
    void move_to(std::string folder);
    /// Errors: unwritable.
    base::Result<void> save(const std::vector<SavedTrainee>& trainees, num::ThreadPool& pool);

  private:
    base::Result<void> save_film(const std::string& name, const train::History& history);

    void remove_dropped_frames(const std::vector<SavedTrainee>& trainees);

    std::string folder_, id_;
    std::vector<std::string> filmed_; // files of frames, which never change
};

/// A model that goes on, and what was seen of it before.
struct ResumedTrainee {
    std::unique_ptr<train::Training> training;
    train::History history;
};
/// Errors: those of Training::resume; not_found where no experiment is saved.
base::Result<std::vector<ResumedTrainee>> resume_experiment(const std::string& folder,
                                                            num::ThreadPool& pool);

} // namespace heed::app
