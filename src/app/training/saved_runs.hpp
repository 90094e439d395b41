// Training runs that one can come back to: those of earlier starts, and those that were left for
// another one.
#pragma once

#include "app/training/experiment_folder.hpp"
#include "app/training/saved_experiment.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heed::app {

class SavedRuns {
  public:
    /// Reads what is saved in a first folder and its neighbours. The newest run that is not
    /// finished is offered, and held, so that another window offers another one. Of several
    /// finished ones of a task the newest stays on the disk.
    void look(const std::string& first);

    /// Null: none, or it was put off.
    const SavedExperiment* resumable() const;
    /// True where there was another unfinished one that nobody held when it was looked for.
    bool has_another() const { return has_another_; }
    /// Offers the next one instead, in turn.
    void offer_another();
    /// Leaves the offered one where it is, to be offered at the next start.
    void put_off();
    /// Deletes the offered one, and offers another, where there is any.
    void forget_offered();
    /// Hands the offered one over: from now on it is the caller's. Requires resumable().
    ExperimentFolder take_offered();

    /// The newest run of a task (as SavedExperiment names it); null where there is none.
    const SavedExperiment* of_task(const std::string& task) const;
    /// The tasks that are a user's files, of all runs.
    std::set<std::string> own_files() const;
    /// Hands that run over to the caller; nothing where another window has it.
    std::optional<ExperimentFolder> take(const std::string& task);
    /// A run that is left for another one: saved there, or about to be. `last`: of several of its
    /// task, that which is taken after all others.
    void leave(ExperimentFolder place, bool last = false);
    /// Reads once more what was left.
    void read_again();

  private:
    struct Run {
        std::string folder;
        SavedExperiment saved;
        std::optional<ExperimentFolder> place{}; // while it is held
    };
    std::vector<Run>::iterator find(const std::string& folder);
    std::vector<Run>::const_iterator find_task(const std::string& task) const;
    void offer_from(std::size_t first);
    void remove_superseded();
    void offer_left();

    std::vector<Run> runs_; // the newest first
    std::optional<std::string> offered_;
    bool has_another_ = false;
};

} // namespace heed::app
