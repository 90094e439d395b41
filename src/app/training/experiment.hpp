// Models that learn side by side on a thread of their own, and are watched while they do.
#pragma once

#include "app/training/trainee.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// Immutable; what did not change is shared with the one before.
struct ExperimentSnapshot {
    enum class State { empty, preparing, paused, learning, finished } state = State::empty;
    std::uint64_t number = 0; // of the experiment, as open() and resume() gave it
    std::shared_ptr<const train::Dataset> dataset; // null while it is prepared
    std::vector<Trainee> trainees;
    std::size_t shown = 0;     // the held-out pair whose alignment is watched
    double steps_a_second = 0; // of the whole experiment, each of whose models takes a step in turn
    double seconds_left = 0;   // 0: not known
    std::optional<base::Error> error; // why there is no experiment
    AlignedBy aligned_by;
    std::uint64_t saves = 0;               // how often the experiment was saved, or that failed
    std::optional<base::Error> save_error; // of the last time
};

class Experiment {
  public:
    /// `published` is called on the thread of the experiment after each snapshot; it may only wake
    /// somebody. In `folder` the experiment is saved now and then, whenever it rests, and at the
    /// end; an empty one: nowhere.
    explicit Experiment(std::function<void()> published, int threads = 0, std::string folder = {});
    /// Stops at the end of the present step, and saves.
    ~Experiment();
    Experiment(const Experiment&) = delete;
    Experiment& operator=(const Experiment&) = delete;

    /// Another experiment, from its first step; the one before is saved where it was, and left. All
    /// plans are of one task and its sentences. It waits for play() or step(). `folder`: another
    /// one to save it in than the one before; what that holds stays until this has learned. Returns
    /// the number that its snapshots will have.
    std::uint64_t open(std::vector<train::Plan> plans, std::optional<std::string> folder = {});
    /// The experiment that the folder holds, as it was saved. It waits, too.
    std::uint64_t resume(std::optional<std::string> folder = {});
    /// Stops as the destructor does, and tells how the saving went; there is nothing but latest()
    /// to call then. Errors: unwritable, about steps that are lost; none where discard() let them
    /// go.
    base::Result<void> close();
    /// Rests, and saves what was learned since the last time; the next snapshot has `saves` raised.
    void save();
    /// Rests, and saves nothing more of the present experiment; what the folder holds stays.
    void discard();
    void play();
    void pause();
    /// Each model takes one step, and the experiment rests.
    void step();
    /// Watches a held-out pair.
    void show(std::size_t pair);
    void align_by(AlignedBy by);

    std::shared_ptr<const ExperimentSnapshot> latest() const; // never null
    /// Blocks until the experiment rests: paused, finished, failed or empty. For tests and the
    /// command line.
    std::shared_ptr<const ExperimentSnapshot> wait_until_it_rests() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heed::app
