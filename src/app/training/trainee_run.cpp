#include "app/training/trainee_run.hpp"

#include <algorithm>
#include <utility>

namespace heed::app {

TraineeRun::TraineeRun(std::unique_ptr<train::Training> training, train::History history,
                       num::ThreadPool& pool)
    : pool_(&pool), training_(std::move(training)), history_(std::move(history)) {
    seen_.plan = training_->plan();
    seen_.step = training_->steps_done();
    seen_.best_step = training_->early_stop().best_step;
    seen_.gave_up = training_->early_stop().should_stop();
    seen_.bad_vectors = training_->bad_vectors();
}

void TraineeRun::step(const Watching& watching, const std::stop_token& ending) {
    auto progress = training_->step(*pool_);
    if (!progress) {
        seen_.error = progress.error();
        return;
    }
    seen_.step = progress->step;
    history_.add(*progress);
    seen_.last = *std::move(progress);
    if (train::is_measured_step(seen_.step, seen_.plan.steps)) {
        measure(kWatched, watching, ending);
        observe(watching);
    }
    if (train::is_film_step(seen_.step) || seen_.finished()) film(watching);
}

/// The best so far is kept; where nothing better comes, it is a frame of its own.
void TraineeRun::observe(const Watching& watching) {
    if (seen_.plan.patience == 0 || !seen_.held_out) return;
    if (training_->observe(seen_.held_out->measures.loss)) best_ = training_->model(*pool_);
    seen_.best_step = training_->early_stop().best_step;
    seen_.gave_up = training_->early_stop().should_stop();
    if (!seen_.gave_up || !best_) return;
    std::vector<train::Frame>& film = history_.film;
    const auto at = std::find_if(film.begin(), film.end(), [&](const train::Frame& frame) {
        return frame.step >= seen_.best_step;
    });
    if (at != film.end() && at->step == seen_.best_step) return;
    film.insert(at, {seen_.best_step, best_, watching.pair, std::nullopt, nullptr});
}

void TraineeRun::measure(std::size_t sentences, const Watching& watching,
                         const std::stop_token& ending) {
    auto found =
        train::evaluate(*pool_, training_->model(*pool_), *training_->dataset(), sentences, ending);
    if (!found) {
        if (found.error().kind != base::ErrorKind::cancelled) seen_.error = found.error();
        return;
    }
    const auto before = head_of(seen_, watching.by);
    seen_.held_out = std::make_shared<const train::Evaluation>(*std::move(found));
    history_.add({seen_.step, seen_.held_out->measures});
    if (head_of(seen_, watching.by) != before) align_film(watching);
}

void TraineeRun::film(const Watching& watching) {
    history_.film.push_back(
        {seen_.step, training_->model(*pool_), watching.pair, std::nullopt, nullptr});
    align_film(watching);
}

void TraineeRun::align_film(const Watching& watching) {
    const auto head = head_of(seen_, watching.by);
    for (train::Frame& frame : history_.film) {
        const bool same = frame.weights && frame.pair == watching.pair && frame.head == head;
        if (same) continue;
        frame.pair = watching.pair;
        frame.head = head;
        frame.weights =
            alignment_of(*pool_, frame.model, training_->dataset()->pairs[watching.pair], head);
    }
}

const Trainee& TraineeRun::picture(const Watching& watching) {
    if (!seen_.model || pictured_ != seen_.step) {
        seen_.model = training_->model(*pool_);
        pictured_ = seen_.step;
    }
    const Aligned now{seen_.step, watching.pair, head_of(seen_, watching.by)};
    if (aligned_ != now) {
        aligned_ = now;
        seen_.alignment =
            alignment_of(*pool_, seen_.model, training_->dataset()->pairs[watching.pair], now.head);
    }
    seen_.history = std::make_shared<const train::History>(history_);
    return seen_;
}

} // namespace heed::app
