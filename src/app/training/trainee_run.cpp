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
    if (seen_.plan.patience == 0) find_best();
}

/// Of a training that goes on, the best of the states that it kept.
void TraineeRun::find_best() {
    for (const train::FilmFrame& frame : history_.film) {
        const auto point = std::ranges::find_if(history_.held_out, [&](const auto& held) {
            return held.step == frame.step && !held.of_all;
        });
        if (point == history_.held_out.end()) continue;
        if (best_measures_ && !is_better(point->measures, *best_measures_)) continue;
        best_measures_ = point->measures;
        best_ = frame.model;
        seen_.best_step = frame.step;
    }
}

const std::shared_ptr<const models::Model>& TraineeRun::model_now() {
    if (!seen_.model || model_of_ != seen_.step) {
        seen_.model = training_->model(*pool_);
        model_of_ = seen_.step;
    }
    return seen_.model;
}

bool TraineeRun::step(const Watching& watching, const std::stop_token& ending) {
    // A film begins with what it says before it has learned anything.
    if (history_.held_out.empty()) measure(kWatched, watching, ending);
    auto progress = training_->step(*pool_);
    if (!progress) {
        seen_.error = progress.error();
        return false;
    }
    seen_.step = progress->step;
    history_.add(*progress);
    seen_.last = *std::move(progress);
    return true;
}

void TraineeRun::look(const Watching& watching, const std::stop_token& ending) {
    // The last state is held against the best of those before it.
    const bool measured = train::is_measured_step(seen_.step, seen_.plan.steps) ||
                          (seen_.finished() && seen_.plan.patience == 0);
    if (measured) {
        measure(kWatched, watching, ending);
        observe(true);
    }
    if (measured || seen_.finished()) film(watching);
    if (seen_.finished()) keep_best(watching);
}

/// The best so far is kept: by the loss where that ends the training, else by the accuracy.
void TraineeRun::observe(bool due) {
    if (!seen_.held_out || history_.held_out.empty()) return;
    if (history_.held_out.back().step != seen_.step || seen_.step == 0) return; // it was broken off
    const train::Measures& now = seen_.held_out->measures;
    if (!due && seen_.plan.patience > 0) return;
    const bool better = seen_.plan.patience > 0 ? training_->observe(now.loss)
                                                : !best_measures_ || is_better(now, *best_measures_);
    if (better) {
        best_ = model_now();
        best_measures_ = now;
        seen_.best_step = seen_.step;
    }
    seen_.gave_up = training_->early_stop().should_stop();
}

/// The best state is a frame of the film.
void TraineeRun::keep_best(const Watching& watching) {
    if (!best_) return;
    train::Film& film = history_.film;
    const auto at = std::find_if(film.begin(), film.end(), [&](const train::FilmFrame& frame) {
        return frame.step >= seen_.best_step;
    });
    if (at != film.end() && at->step == seen_.best_step) return;
    train::FilmFrame best{seen_.best_step, best_, watching.pair, std::nullopt, nullptr};
    align(best, watching);
    film.insert(at, std::move(best));
}

void TraineeRun::measure(std::size_t sentences, const Watching& watching,
                         const std::stop_token& ending) {
    const bool all = sentences >= training_->dataset()->pairs.size() && seen_.finished();
    auto found = train::evaluate(*pool_, model_now(), *training_->dataset(), sentences, ending,
                                 all ? sentences : kSpoken);
    if (!found) {
        if (found.error().kind != base::ErrorKind::cancelled) seen_.error = found.error();
        return;
    }
    const auto before = head_of(seen_, watching.by);
    seen_.held_out = std::make_shared<const train::Evaluation>(*std::move(found));
    const std::size_t pairs = training_->dataset()->pairs.size();
    const bool of_all = std::min(sentences, pairs) > kWatched;
    history_.add(train::held_out_point(seen_.step, *seen_.held_out, of_all));
    if (head_of(seen_, watching.by) != before) align_film(watching);
}

void TraineeRun::film(const Watching& watching) {
    if (seen_.last && seen_.last->step == seen_.step) {
        film_steps_[seen_.step] = train::point_of(*seen_.last);
        seen_.film_steps =
            std::make_shared<const std::map<std::uint64_t, train::LossPoint>>(film_steps_);
    }
    train::FilmFrame frame{seen_.step, model_now(), watching.pair, std::nullopt, nullptr};
    align(frame, watching);
    train::keep(history_.film, std::move(frame), seen_.finished());
}

/// The map of a frame, and how good the model was then.
void TraineeRun::align(train::FilmFrame& frame, const Watching& watching) const {
    frame.pair = watching.pair;
    frame.head = head_of(seen_, watching.by);
    frame.weights =
        alignment_of(*pool_, frame.model, training_->dataset()->pairs[watching.pair], frame.head);
    const train::HeldOutPoint* measured = train::measured_at(history_, frame.step);
    frame.accuracy = measured ? measured->measures.token_accuracy : 0;
}

void TraineeRun::align_film(const Watching& watching) {
    const auto head = head_of(seen_, watching.by);
    for (train::FilmFrame& frame : history_.film) {
        const bool same = frame.weights && frame.pair == watching.pair && frame.head == head;
        if (!same) align(frame, watching);
    }
}

const Trainee& TraineeRun::picture(const Watching& watching) {
    model_now();
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
