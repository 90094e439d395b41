// Tiny models that pages train on the spot, by the same code as heed train.
#pragma once

#include "lab/page.hpp"
#include "train/loop/evaluation.hpp"
#include "train/loop/plan.hpp"
#include "train/loop/training.hpp"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::lab {

struct Course {
    std::string words; // what learns: "last state"
    train::Plan plan;
    std::shared_ptr<const train::Dataset> data;
    /// Judged by these instead of the held-out ones of `data`; same words.
    std::shared_ptr<const train::Dataset> judged_by{};
};

struct Outcome {
    std::shared_ptr<const models::Model> model;
    std::vector<double> losses; // nats a token, means of kLossPoints equal parts of the steps
    train::Measures measures;
    double last_loss = 0;  // the last of `losses`
    bool diverged = false; // loss or gradients were no finite numbers any more
};
inline constexpr std::size_t kLossPoints = 20;

/// The part of a measurement that one of several courses is.
struct Part {
    std::size_t index = 0, count = 1;
};
/// Errors: those of training and evaluating; cancelled. A loss that is no finite number any more is
/// an outcome, not an error.
base::Result<Outcome> learn(const Course& course, const Work& work, Part part = {});

/// A small model, and a plan that learns from a task's sentences with these seeds.
models::RecurrentConfig tiny_recurrent(std::uint64_t seed, int hidden);
models::ModelSpec tiny_transformer(std::uint64_t seed, int width, int heads, int layers = 1);
train::Plan plan_for(const models::Config& model, const train::TaskOptions& sentences,
                     train::Task task, std::uint64_t seed, int steps);

/// The part of a dataset whose sources have these lengths, with the same vocabulary.
std::shared_ptr<const train::Dataset> of_lengths(const train::Dataset& data, int from, int to);

/// Sentences fully right, of sources of these lengths; 0 where there are none.
double right_share(const train::Measures& measures, int from, int to);

/// Sentences of two words and more to learn from and to be judged by.
train::TaskOptions sentences_for(std::uint64_t seed, std::size_t training, std::size_t held_out,
                                 int longest);

/// A few sentences of a task with what is to become of them.
Picture task_picture(train::Task task, const train::TaskOptions& options);
/// Curves of losses over steps, one a course.
Picture loss_picture(std::string title, std::span<const std::pair<std::string, Outcome>> outcomes,
                     int steps);
/// Curves of the share of sentences that are right, over the lengths of their sources.
Picture length_picture(std::string title, std::span<const std::pair<std::string, Outcome>> outcomes,
                       int from, int to);

} // namespace heed::lab
