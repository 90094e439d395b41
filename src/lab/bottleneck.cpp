// Page 9: what a decoder reads of a sentence: its last state, the mean of all, or attention.
#include "lab/all_pages.hpp"
#include "lab/module.hpp"
#include "lab/trained.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/layers/recurrent.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;
using models::Context;

struct ContextName {
    Context context;
    const char *name, *label;
};
constexpr ContextName kContexts[] = {{Context::last, "last", "last state"},
                                     {Context::mean, "mean", "mean of the states"},
                                     {Context::attention, "attention", "attention"}};

constexpr train::Task kLengthTasks[] = {train::Task::reverse, train::Task::copy, train::Task::sort};

train::TaskOptions length_sentences(const Settings& s) {
    train::TaskOptions options;
    options.seed = s.seed;
    options.training = 6000;
    options.held_out = 300;
    options.min_length = 2;
    options.max_length = s.integer("longest");
    return options;
}

/// How much of each word is left in the last state, and in the mean, of a recurrent encoder of
/// random weights: ‖∂c/∂x_t‖ by central differences, of the largest one.
std::vector<double> word_shares(const Settings& s, bool mean) {
    const Index n = s.integer("longest"), d = 12;
    nn::CellParams<double> cell;
    cell.cell = nn::Cell::gru;
    cell.input = num::Weights<double>(draw_map(s.seed, "input", d, 3 * d));
    cell.state = num::Weights<double>(draw_map(s.seed, "state", d, 3 * d));
    const Matrix<double> x = draw_features(s.seed, "words", n, d);
    const auto context = [&](const Matrix<double>& words) {
        const Matrix<double> h = nn::recurrent_forward<double>(nn::alone(), cell, words).states.h;
        return mean ? RowVector<double>(h.colwise().mean()) : RowVector<double>(h.row(n - 1));
    };
    std::vector<double> sizes;
    constexpr double kStep = 1e-4;
    for (Index t = 0; t < n; ++t) {
        const Matrix<double> direction = draw_features(s.seed, "direction", 4, d);
        double squares = 0;
        for (Index k = 0; k < direction.rows(); ++k) {
            Matrix<double> ahead = x, back = x;
            ahead.row(t) += kStep * direction.row(k);
            back.row(t) -= kStep * direction.row(k);
            squares += ((context(ahead) - context(back)) / (2 * kStep)).squaredNorm();
        }
        sizes.push_back(std::sqrt(squares));
    }
    const double most = *std::max_element(sizes.begin(), sizes.end());
    for (double& v : sizes) v /= most;
    return sizes;
}

std::vector<Picture> look_at_contexts(const Settings& s) {
    Curves curves;
    for (int t = 1; t <= s.integer("longest"); ++t) curves.xs.push_back(t);
    curves.series = {{"last state", word_shares(s, false)},
                     {"mean of the states", word_shares(s, true)}};
    curves.x_word = "word";
    Bars widths;
    widths.labels = {"last state", "mean", "attention"};
    const double hidden = s.number("hidden"), longest = s.number("longest");
    widths.series = {{"numbers that a decoder can read", {2 * hidden, hidden, longest * hidden}}};
    return {{"What a context keeps of each word",
             "a random GRU: change of the context, of the "
             "largest",
             curves},
            {"Numbers that a decoder can read", "of the longest sentence", widths}};
}

Result<Sample> measure_contexts(const Settings& s, const Work& work) {
    const train::Task task = kLengthTasks[s.integer("task")];
    const auto options = length_sentences(s);
    const auto data = train::prepare_dataset(task, options);
    if (!data) return tl::make_unexpected(data.error());
    const int longest = s.integer("longest"), third = (longest - 1) / 3;
    std::vector<std::pair<std::string, Outcome>> outcomes;
    Sample sample;
    for (std::size_t i = 0; i < std::size(kContexts); ++i) {
        models::RecurrentConfig config = tiny_recurrent(s.seed, s.integer("hidden"));
        config.context = kContexts[i].context;
        Lesson lesson{kContexts[i].label,
                      plan_for(config, options, task, s.seed, s.integer("steps")), *data};
        auto outcome = learn(lesson, work, {i, std::size(kContexts)});
        if (!outcome) return tl::make_unexpected(outcome.error());
        const std::string name = kContexts[i].name, label = kContexts[i].label;
        sample.measured.push_back({"short_" + name, "short sentences right, " + label,
                                   right_share(outcome->measures, 2, 1 + third)});
        sample.measured.push_back({"long_" + name, "long sentences right, " + label,
                                   right_share(outcome->measures, longest - third + 1, longest)});
        outcomes.emplace_back(label, *std::move(outcome));
    }
    sample.pictures = {length_picture("Accuracy by length", outcomes, 2, longest),
                       loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

/// Differences of accuracies below this are none.
constexpr double kSameAccuracy = 0.05;

Judgement judge_contexts(const std::vector<Number>& measured) {
    const auto value = [&](const char* name) { return number(measured, name).value; };
    const double attention = value("long_attention"), last = value("long_last"),
                 mean = value("long_mean");
    const double spread =
        std::max(number(measured, "long_last").spread, number(measured, "long_mean").spread);
    const std::string of_long = fmt::format(
        "Of long sentences {:.0f} % are right with attention, {:.0f} % (± {:.0f}) with the last "
        "state and {:.0f} % (± {:.0f}) with the mean; of short ones {:.0f}, {:.0f} and {:.0f} %. ",
        100 * attention, 100 * last, 100 * number(measured, "long_last").spread, 100 * mean,
        100 * number(measured, "long_mean").spread, 100 * value("short_attention"),
        100 * value("short_last"), 100 * value("short_mean"));
    const bool bottleneck = attention > std::max(last, mean) + kSameAccuracy;
    const bool told_apart = std::abs(mean - last) > std::max(kSameAccuracy, spread);
    if (!bottleneck) {
        return {Verdict::does_not_hold, of_long + "One vector is enough here."};
    }
    if (told_apart && mean < last) {
        return {Verdict::holds, of_long + "One vector is a bottleneck, and the mean is the worse."};
    }
    return {Verdict::depends,
            of_long + (told_apart ? "One vector is a bottleneck, but the mean is better than the "
                                    "last state."
                                  : "One vector is a bottleneck; the mean and the last state are "
                                    "not told apart.")};
}

} // namespace

Page bottleneck_page() {
    Page page;
    page.name = "bottleneck";
    page.group = "Recurrence";
    page.title = "Is one vector a bottleneck, and is the mean worse than the last state?";
    page.words = "A decoder without attention reads one vector of the whole sentence: the "
                 "encoder's last state, or the mean of all. Three equal models learn the same task "
                 "and differ in that alone. Watch long sentences.";
    page.formula = "c = h_{n},  c = \\frac{1}{n} Σ_{j} h_{j},  c_{i} = Σ_{j} α_{ij} h_{j}";
    page.claim = "One vector is a bottleneck for long sentences, and the mean is worse than the "
                 "last state.";
    page.source = "Cho et al. 2014; Bahdanau et al. 2015, section 5.1";
    page.parameters = {
        choice("task", "Task", "What is learned.", {"reverse", "copy", "sort"}),
        whole("longest", "Longest sentence", "In words; the shortest have two.", 7, 20, 13),
        whole("hidden", "State h", "Numbers of a state, each direction.", 8, 64, 32, true),
        whole("steps", "Training steps", "Batches of 32 sentences.", 50, 3000, 1000, true)};
    page.n_seeds = 3;
    page.seconds = 30;
    page.look = look_at_contexts;
    page.measure_seed = measure_contexts;
    page.judge = judge_contexts;
    return page;
}

} // namespace heed::lab
