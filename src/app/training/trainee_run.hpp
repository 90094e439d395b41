// The run of a trainee while it learns: its training, its curves and its film.
#pragma once

#include "app/training/trainee.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

namespace heed::app {

/// The pair that every model of an experiment is watched by, and how it is aligned.
struct Watching {
    std::size_t pair = 0; // of the dataset's held-out ones
    AlignedBy by{};
};

/// A training, on the experiment's thread alone; the pool is the experiment's, and lives longer.
class TraineeRun {
  public:
    /// Held-out sentences that it is measured by while it learns, and how many of them it says
    /// freely, which takes longest.
    static constexpr std::size_t kWatched = 256, kSpoken = 24;

    /// `history`: of the steps that the training has taken before.
    TraineeRun(std::unique_ptr<train::Training> training, train::History history,
               num::ThreadPool& pool);

    /// One step, after which it is looked at. False where it went wrong: seen().error.
    bool step(const Watching& watching, const std::stop_token& ending);
    /// The measures and the frame of the film that are due at the step that was taken.
    void look(const Watching& watching, const std::stop_token& ending);
    /// Measures it by so many held-out sentences. A measure broken off leaves the one before.
    void measure(std::size_t sentences, const Watching& watching, const std::stop_token& ending);
    /// Holds what was measured against the best before it. `due`: at a step that is measured
    /// anyway. What is measured at another one is nothing to a training that may stop early: its
    /// end does not depend on who watches.
    void observe(bool due);
    /// A frame of the film, as the model stands, where it shows something new or is the first or
    /// last one.
    void film(const Watching& watching);
    /// Every frame shows the same pair, by the same head.
    void align_film(const Watching& watching);
    /// A copy of the model and of its history with what is watched of them, made where the step or
    /// the watching is another than at the last call.
    const Trainee& picture(const Watching& watching);

    /// The trainee as it was last seen.
    const Trainee& seen() const { return seen_; }
    const train::Training& training() const { return *training_; }
    const train::History& history() const { return history_; }

  private:
    /// The step, pair and head of an alignment.
    struct Aligned {
        std::uint64_t step;
        std::size_t pair;
        std::optional<trace::HeadId> head;
        bool operator==(const Aligned&) const = default;
    };

    void find_best();
    void keep_best(const Watching& watching);
    void align(train::FilmFrame& frame, const Watching& watching) const;
    const std::shared_ptr<const models::Model>& model_now();

    num::ThreadPool* pool_;
    std::unique_ptr<train::Training> training_;
    train::History history_;
    Trainee seen_;
    std::shared_ptr<const models::Model> best_{}; // as it was at seen_.best_step
    std::optional<train::Measures> best_measures_{};
    std::map<std::uint64_t, train::LossPoint> film_steps_{};
    std::uint64_t model_of_ = 0;                  // the step that seen_.model is of
    std::optional<Aligned> aligned_{};            // what seen_.alignment is of
};

} // namespace heed::app
