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
    std::uint64_t best_step = 0;                           // the least held-out loss
    bool gave_up = false;                                  // EarlyStop: it gets no better
    bool finished() const { return step >= plan.steps || gave_up || error; }
};

/// Whose weights are shown of a model with several heads. `best` agrees best with gold links; where
/// there are none, and for a head that a model lacks, it is the mean of the last layer's.
struct AlignedBy {
    enum class Kind { best, mean, head } kind = Kind::best;
    int layer = 0, head = 0;
    bool operator==(const AlignedBy&) const = default;
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
    AlignedBy aligned_by;
    std::uint64_t saves = 0;               // how often the class was saved, or that failed
    std::optional<base::Error> save_error; // of the last time
};

class Classroom {
  public:
    /// `published` is called on the thread of the class after each snapshot; it may only wake
    /// somebody. In `folder` the class is saved now and then, whenever it rests, and at the end; an
    /// empty one: nowhere.
    explicit Classroom(std::function<void()> published, int threads = 0, std::string folder = {});
    /// Stops at the end of the present step.
    ~Classroom();
    Classroom(const Classroom&) = delete;
    Classroom& operator=(const Classroom&) = delete;

    /// Another class, from its first step; the one before is given up. All plans are of one task
    /// and its sentences. It waits for play() or step().
    void open(std::vector<train::Plan> plans);
    /// The class that the folder holds, as it was saved. It waits, too.
    void resume();
    /// Rests, and saves what was learned since the last time; the next snapshot has `saves` raised.
    void save();
    /// Rests, and saves nothing more of the present class; what the folder holds stays.
    void discard();
    void play();
    void pause();
    /// Each model takes one step, and the class rests.
    void step();
    /// Which held-out pair is watched.
    void show(std::size_t pair);
    void align_by(AlignedBy by);

    std::shared_ptr<const ClassSnapshot> latest() const; // never null
    /// Blocks until the class rests: paused, finished, failed or empty. For tests and the command
    /// line.
    std::shared_ptr<const ClassSnapshot> wait_until_it_rests() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The attention that is watched while a model learns: that to the source, where it says nothing
/// word by word the encoder's own. Nothing where a model does not choose what it reads.
std::optional<trace::AttentionKind> watched_attention(const models::Config& config);

/// Its weights for a pair, train::aligning_part() of them, queries × keys; of a transformer those
/// of the head that held-out gold links chose, or the mean of the last layer's. Null where nothing
/// attends.
std::shared_ptr<const num::Matrix<float>>
alignment_of(num::Team& team, const std::shared_ptr<const models::Model>& model,
             const train::Pair& pair, const std::optional<trace::HeadId>& head);

} // namespace heed::app
