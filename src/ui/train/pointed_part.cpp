#include "ui/train/pointed_part.hpp"

#include "app/training/training_room.hpp"
#include "figure/views/training_room.hpp"
#include "ui/frame/experiment_desk.hpp"
#include "ui/train/train_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace heed::ui {

namespace {

std::string length_words(const app::ExperimentSnapshot& now, const app::TrainingView& view,
                         int place) {
    std::vector<figure::LearnerCurves> learners;
    for (std::size_t i = 0; i < now.trainees.size(); ++i) {
        const auto* point = app::measured(now, {i, view.step});
        learners.push_back({models::short_title(now.trainees[i].plan.model), nullptr, {}});
        if (point) learners.back().by_length = point->measures.by_length;
    }
    const auto bins = figure::length_bins(learners);
    if (place < 0 || place >= std::ssize(bins)) return {};
    const train::LengthBin& bin = bins[static_cast<std::size_t>(place)];
    std::string words = bin.from == bin.to ? fmt::format("{} tokens", bin.to)
                                           : fmt::format("{} to {} tokens", bin.from, bin.to);
    for (const figure::LearnerCurves& learner : learners) {
        for (const train::LengthBin& own : train::in_bins(learner.by_length)) {
            if (own.from != bin.from) continue;
            words +=
                fmt::format("\n{}: {} of {} fully correct", learner.name, own.right, own.sentences);
        }
    }
    return words;
}

/// What was measured nearest to a step; null behind the last.
const train::HeldOutPoint* measured_near(const train::History& history, std::uint64_t step) {
    const train::HeldOutPoint* before = nullptr;
    for (const train::HeldOutPoint& point : history.held_out) {
        if (point.of_all) continue;
        const bool behind = before && point.step >= step && step - before->step < point.step - step;
        if (point.step >= step) return behind ? before : &point;
        before = &point;
    }
    return nullptr;
}

std::string step_words(const app::ExperimentSnapshot& now, int place, bool losses) {
    const std::uint64_t step = figure::step_at(app::steps_drawn(now), std::max(place, 0));
    std::optional<std::uint64_t> told_step;
    std::string words;
    for (const app::Trainee& trainee : now.trainees) {
        const train::HeldOutPoint* at = measured_near(*trainee.history, step);
        if (!at) continue;
        std::string name = models::short_title(trainee.plan.model);
        if (told_step.value_or(at->step) != at->step) name += fmt::format(" at step {}", at->step);
        told_step = told_step.value_or(at->step);
        const auto told = [&](const train::HeldOutPoint& point) {
            return losses ? fmt::format("held-out {:.3f} nats", point.measures.loss)
                          : fmt::format("{:.1f} % fully correct", 100 * point.measures.exact_match);
        };
        words += fmt::format("\n{}: {}", name, told(*at));
        const train::HeldOutPoint* all = train::measured_on_all(*trainee.history);
        if (all && all->step == at->step)
            words += fmt::format("; of all {} (ring): {}", train::sentences_of(all->measures),
                                 told(*all));
    }
    words = (told_step ? fmt::format("Step {}", *told_step) : fmt::format("About step {}", step)) +
            words;
    if (now.trainees.empty()) return words;
    return words + fmt::format("\nA step learns from {} sentences alone: curves are noisy, and may "
                               "drop for a while.",
                               now.trainees.front().plan.batch_size);
}

} // namespace

void tell_pointed(Panel& p, const figure::Hit& hit) {
    const auto* cells = hit.as<figure::tag::Cells>();
    if (!cells) return;
    const app::ExperimentSnapshot& now = p.experiment.seen();
    switch (static_cast<figure::TrainingPart>(cells->part)) {
    case figure::TrainingPart::loss: p.ui.tip_now(step_words(now, hit.col, true)); return;
    case figure::TrainingPart::exact_match: p.ui.tip_now(step_words(now, hit.col, false)); return;
    case figure::TrainingPart::by_length: {
        const std::string words = length_words(now, p.state.train->view, hit.col);
        if (!words.empty()) p.ui.tip_now(words);
        return;
    }
    case figure::TrainingPart::alignment: {
        const std::string words = app::link_words(now, p.state.train->view, hit.row, hit.col);
        if (!words.empty()) p.ui.tip_now(words);
        return;
    }
    }
}

} // namespace heed::ui
