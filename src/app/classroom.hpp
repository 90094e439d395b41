// Models that learn side by side on a thread of their own, and are watched while they do.
#pragma once

#include "train/history.hpp"
#include "train/training.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

/// One model of the class as it stood when it was looked at.
struct Pupil {
    train::Plan plan;
    std::uint64_t step = 0;
    std::optional<train::Progress> last{};
    std::shared_ptr<const train::History> history;         // never null
    std::shared_ptr<const models::Model> model{};          // at this step
    std::shared_ptr<const train::Evaluation> held_out{};   // the newest; null at first
    std::shared_ptr<const num::Matrix<float>> alignment{}; // of the shown pair, now
    std::optional<base::Error> error{};                    // it stopped learning at it
    bool finished() const { return step >= plan.steps || error; }
};

/// Immutable; what did not change is shared with the one before.
struct ClassSnapshot {
    enum class State { empty, preparing, paused, learning, finished } state = State::empty;
    std::shared_ptr<const train::Lesson> lesson; // null while it is prepared
    std::vector<Pupil> pupils;
    std::size_t shown = 0;     // the held-out pair whose alignment is watched
    double steps_a_second = 0; // of the whole class, each of whose models takes a step in turn
    double seconds_left = 0;   // 0: not known
    std::optional<base::Error> error; // why there is no class
};

class Classroom {
  public:
    /// `published` is called on the thread of the class after each snapshot; it may only wake
    /// somebody.
    explicit Classroom(std::function<void()> published, int threads = 0);
    /// Stops at the end of the present step.
    ~Classroom();
    Classroom(const Classroom&) = delete;
    Classroom& operator=(const Classroom&) = delete;

    /// Another class, from its first step; the one before is given up. All plans are of one task
    /// and its sentences. It waits for play() or step().
    void open(std::vector<train::Plan> plans);
    void play();
    void pause();
    /// Each model takes one step, and the class rests.
    void step();
    /// Which held-out pair is watched.
    void show(std::size_t pair);

    std::shared_ptr<const ClassSnapshot> latest() const; // never null
    /// Blocks until the class rests: paused, finished, failed or empty. For tests and the command
    /// line.
    std::shared_ptr<const ClassSnapshot> wait_until_it_rests() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The alignment of a pair by a model: target words and ⟨end⟩ × source words; of a transformer the
/// head that held-out gold links chose, or the mean of the last layer's. Null where nothing
/// attends.
std::shared_ptr<const num::Matrix<float>>
alignment_of(num::Team& team, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head);

} // namespace heed::app
