// Page 15: where transformers lose: strings longer than any in training.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/trained.hpp"
#include "nn/attention/position.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

namespace {

using base::Result;

constexpr nn::Positions kCopyPositions[] = {nn::Positions::sinusoidal, nn::Positions::learned,
                                            nn::Positions::rotary, nn::Positions::alibi,
                                            nn::Positions::relative};

struct CopyTask {
    train::Task task = train::Task::copy;
    train::TaskOptions options;
    int seen = 8, longest = 16;
};

CopyTask copy_task(const Settings& s) {
    CopyTask task;
    task.task = s.integer("task") == 0 ? train::Task::copy : train::Task::reverse;
    task.seen = s.integer("seen");
    task.longest = std::min(2 * task.seen, 24);
    task.options = sentences_for(s.seed, 8000, 400, task.longest);
    return task;
}

/// The mean weight that a word gives to one so far away, from 1 − longest to longest − 1, as a
/// multiple of an even share of its string; NaN beyond that.
std::vector<double> weights_by_distance(const Matrix<double>& weights, int longest) {
    std::vector<double> means;
    const auto even = static_cast<double>(weights.cols());
    for (Index far = 1 - longest; far < longest; ++far) {
        const Index pairs = weights.rows() - std::abs(far);
        means.push_back(pairs > 0 ? even * weights.diagonal(far).mean()
                                  : std::numeric_limits<double>::quiet_NaN());
    }
    return means;
}

/// The weights that positions alone give words that are all the same, within training's lengths and
/// beyond: with none of them every weight would be 1/n.
std::vector<Picture> look_at_lengths(const Settings& s) {
    const CopyTask task = copy_task(s);
    const nn::Positions positions = kCopyPositions[s.integer("positions")];
    const Index d = 8 * s.integer("pairs");
    const Matrix<double> word = draw_features(s.seed, "word", 1, d);
    const Module module = draw_module(s.seed, {d, 4});
    const auto weights_of = [&](int n) {
        return weights_with_positions(module, s.seed, word.replicate(n, 1), positions, false);
    };
    const Matrix<double> within = weights_of(task.seen), beyond = weights_of(task.longest);
    Picture weights = weights_picture(
        fmt::format("{} identical words, told apart by positions", task.longest),
        fmt::format("weights of an untrained head; in training (up to {} words) only pairs above "
                    "and left of the lines occur",
                    task.seen),
        beyond, {}, {});
    auto& grid = std::get<Grid>(weights.data);
    grid.numbers = false;
    grid.line_behind = task.seen;
    Curves far;
    for (int at = 1 - task.longest; at < task.longest; ++at) far.xs.push_back(at);
    far.series = {
        {fmt::format("{} words", task.seen), weights_by_distance(within, task.longest)},
        {fmt::format("{} words", task.longest), weights_by_distance(beyond, task.longest)}};
    far.x_word = "words further to the right";
    far.y_word = "mean weight ÷ even share";
    train::TaskOptions learned = task.options; // examples are of those, not of the longer ones
    learned.max_length = task.seen;
    return {
        task_picture(task.task, learned),
        weights,
        {"Where a word looks",
         fmt::format("the same head, by distance; 1 is an even share, 1/{} or 1/{}; in training "
                     "no word is further than {}",
                     task.seen, task.longest, task.seen - 1),
         far}};
}

struct CopyModel {
    const char *name, *label;
    models::Config config;
};

std::vector<CopyModel> copy_models(const Settings& s) {
    const int width = 8 * s.integer("pairs");
    models::ModelSpec transformer = tiny_transformer(s.seed, width, 4, 1);
    transformer.positions = kCopyPositions[s.integer("positions")];
    models::RecurrentConfig attends = tiny_recurrent(s.seed, width);
    models::RecurrentConfig plain = attends;
    plain.context = models::Context::last;
    return {{"transformer", "transformer", transformer},
            {"recurrent", "GRU with attention", attends},
            {"plain", "GRU, last state", plain}};
}

Result<Sample> measure_copies(const Settings& s, const Work& work) {
    const CopyTask task = copy_task(s);
    const auto all = train::prepare_dataset(task.task, task.options);
    if (!all) return tl::make_unexpected(all.error());
    const auto seen = of_lengths(**all, 2, task.seen);
    const auto models = copy_models(s);
    std::vector<std::pair<std::string, Outcome>> outcomes;
    Sample sample;
    for (std::size_t i = 0; i < models.size(); ++i) {
        const Course course{
            models[i].label,
            plan_for(models[i].config, task.options, task.task, s.seed, s.integer("steps")), seen,
            *all};
        auto outcome = learn(course, work, {i, models.size()});
        if (!outcome) return tl::make_unexpected(outcome.error());
        const std::string name = models[i].name, label = models[i].label;
        sample.measured.push_back({"seen_" + name, "sentence accuracy, seen lengths, " + label,
                                   right_share(outcome->measures, 2, task.seen), 0, kShare});
        sample.measured.push_back({"longer_" + name, "sentence accuracy, longer ones, " + label,
                                   right_share(outcome->measures, task.seen + 1, task.longest), 0,
                                   kShare});
        outcomes.emplace_back(label, *std::move(outcome));
    }
    sample.pictures = {length_picture("Accuracy by length", outcomes, 2, task.longest),
                       loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

/// 1: the second gets more right, -1: the first does, 0: no difference beyond the spread.
int compared(const Number& first, const Number& second) {
    const Number difference{"", "", second.value - first.value,
                            std::max(first.spread, second.spread)};
    if (!beyond_spread(difference, 0.02)) return 0;
    return difference.value > 0 ? 1 : -1;
}

Judgement judge_copies(const std::vector<Number>& measured) {
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    constexpr double kLearned = 0.5;
    const Number& transformer = of("longer_transformer");
    std::string numbers = fmt::format(
        "Of strings as long as in training the transformer gets {} right, the GRU with attention "
        "{} and the GRU with the last state alone {}; of longer ones {}, {} and {}. ",
        percent_of(of("seen_transformer")), percent_of(of("seen_recurrent")),
        percent_of(of("seen_plain")), percent_of(transformer), percent_of(of("longer_recurrent")),
        percent_of(of("longer_plain")));
    if (of("seen_transformer").value < kLearned || of("seen_recurrent").value < kLearned) {
        return {Verdict::depends, numbers + "The transformer and the GRU with attention have not "
                                            "both learned the task: train for more steps before "
                                            "comparing."};
    }
    const int attends = compared(transformer, of("longer_recurrent"));
    const bool plain_learned = of("seen_plain").value >= kLearned;
    const int plain = plain_learned ? compared(transformer, of("longer_plain")) : attends;
    const auto said = [](const char* who, int how) {
        return fmt::format("The GRU {} {}. ", who,
                           how > 0 ? "does better than the transformer"
                           : how < 0
                               ? "does worse than the transformer"
                               : "shows no difference from the transformer beyond the spread");
    };
    numbers += said("with attention", attends) +
               (plain_learned ? said("with the last state alone", plain)
                              : "The GRU with the last state alone has not learned the task and is "
                                "not compared. ");
    if (std::max({transformer.value, of("longer_recurrent").value, of("longer_plain").value}) < 0.5)
        numbers += "All three fail on most of the longer ones.";
    if (attends > 0 && plain > 0) return {Verdict::holds, numbers};
    if (attends < 0 && plain < 0) return {Verdict::does_not_hold, numbers};
    return {Verdict::depends, numbers};
}

std::optional<OnModel> lengths_on_model(const models::Run& run, const Settings&) {
    const auto& provenance = run.model->provenance();
    const auto heads = heads_of(run, 1);
    if (!provenance || !provenance->lengths || heads.empty()) return std::nullopt;
    const auto [least, most] = *provenance->lengths;
    // A decoder alone reads one text, and it is the target.
    const auto& read = run.trace.source.empty() ? run.trace.target : run.trace.source;
    const auto now = static_cast<int>(read.size());
    OnModel seen;
    seen.words = fmt::format(
        "This model was trained on sources of {} to {} words; yours has {}. {}", least, most, now,
        now > most ? "It has never seen one so long."
                   : fmt::format("Type more than {} to see how it does beyond training.", most));
    seen.open = heads[0];
    return seen;
}

} // namespace

Page long_copies_page() {
    Page page;
    page.name = "long-copies";
    page.group = "Cost";
    page.title = "Where do transformers lose?";
    page.words =
        "A transformer and two GRUs, one with attention, learn from short strings and then "
        "get longer ones: the transformer meets positions that it has never seen, a GRU "
        "just takes more steps. “Measure” trains them; before that, an untrained head shows "
        "what positions alone do.";
    page.formula = "";
    page.claim = "On strings longer than any in training a recurrent model does better than a "
                 "transformer.";
    page.source = "Dehghani et al. 2019, section 1; Press et al. 2022, section 1";
    page.parameters = {
        choice("task", "Task", "What is learned.", {"copy", "reverse"}),
        whole("seen", "Longest in training", "Tests go to twice as long, 24 at most.", 4, 15, 8),
        choice("positions", "Positions", "Of the transformer.",
               {"sinusoidal", "learned", "rotary", "alibi", "relative"}, 0,
               {"sinusoidal", "learned", "RoPE", "ALiBi", "relative"}),
        whole("pairs", "Pairs of features",
              "Of each of the transformer's four heads; d is eight times as much.", 1, 8, 4, true),
        whole("steps", "Training steps", "Batches of 32 strings.", 50, 3000, 1000, true)};
    page.n_seeds = 3;
    page.seconds = 40;
    page.work_of = [](const Settings& s) {
        return s.number("steps") * s.number("pairs") * s.number("seen");
    };
    page.look = look_at_lengths;
    page.measure_seed = measure_copies;
    page.judge = judge_copies;
    page.on_model = lengths_on_model;
    return page;
}

} // namespace heed::lab
