// Page 9: what a decoder reads of a sentence at each step: its last state, the mean of all, or
// attention. All begin alike: from nothing, so that this is all they read, or from the last state.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/trained.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/layers/recurrent.hpp"
#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heed::lab {

namespace {

using base::Result;
using models::Beginning;
using models::Context;

struct ContextName {
    Context context;
    const char *name, *label;
};
constexpr ContextName kContexts[] = {{Context::last, "last", "last state"},
                                     {Context::mean, "mean", "mean of the states"},
                                     {Context::attention, "attention", "attention"}};

constexpr train::Task kLengthTasks[] = {train::Task::reverse, train::Task::copy, train::Task::sort};

Beginning beginning_of(const Settings& s) {
    return s.integer("begin") == 0 ? Beginning::nothing : Beginning::states;
}

train::TaskOptions length_sentences(const Settings& s) {
    return sentences_for(s.seed, 6000, 300, s.integer("longest"));
}

/// The share of each word in what moves the last state, or the mean, of a recurrent encoder of
/// random weights: ‖∂c/∂x_t‖ by central differences, of the sum over all words.
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
    const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    for (double& v : sizes) v /= all;
    return sizes;
}

std::vector<Picture> look_at_contexts(const Settings& s) {
    Curves curves;
    for (int t = 1; t <= s.integer("longest"); ++t) curves.xs.push_back(t);
    curves.series = {{"last state", word_shares(s, false)},
                     {"mean of the states", word_shares(s, true)}};
    curves.x_word = "position of the word";
    curves.y_word = "share of all change";
    Bars widths;
    const int hidden = s.integer("hidden"), longest = s.integer("longest");
    widths.series = {{"numbers that each step can read"}};
    widths.y_word = "numbers";
    for (const auto& [context, states] :
         {std::pair{"last state", 1}, std::pair{"mean", 1}, std::pair{"attention", longest}}) {
        const int numbers = states * 2 * hidden;
        widths.labels.push_back(fmt::format("{}: {}", context, numbers));
        widths.series[0].values.push_back(numbers);
    }
    return {task_picture(kLengthTasks[s.integer("task")], length_sentences(s)),
            {"How much each word moves a context",
             "random GRU, in one direction: the last state follows the last words, "
             "the mean all of them",
             curves},
            {"Numbers that each step can read",
             fmt::format("{} words at the longest, each a state of two directions: 2 × {} numbers",
                         longest, hidden),
             widths}};
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
        config.beginning = beginning_of(s);
        const Course course{kContexts[i].label,
                      plan_for(config, options, task, s.seed, s.integer("steps")), *data};
        auto outcome = learn(course, work, {i, std::size(kContexts)});
        if (!outcome) return tl::make_unexpected(outcome.error());
        const std::string name = kContexts[i].name, label = kContexts[i].label;
        sample.measured.push_back({"short_" + name, "sentence accuracy, short, " + label,
                                   right_share(outcome->measures, 2, 1 + third), 0, kShare});
        sample.measured.push_back({"long_" + name, "sentence accuracy, long, " + label,
                                   right_share(outcome->measures, longest - third + 1, longest), 0,
                                   kShare});
        outcomes.emplace_back(label, *std::move(outcome));
    }
    const auto all_right = [&](std::size_t i) {
        return right_share(outcomes[i].second.measures, 2, longest);
    };
    for (std::size_t i = 0; i < std::size(kContexts); ++i) {
        sample.measured.push_back({fmt::format("right_{}", kContexts[i].name),
                                   fmt::format("sentence accuracy, all lengths, {}", kContexts[i].label),
                                   all_right(i), 0, kShare});
    }
    // Both models have the same seed and sentences.
    sample.measured.push_back({"mean_minus_last", "mean − last state, seed by seed",
                               all_right(1) - all_right(0), 0, kPoints});
    sample.pictures = {length_picture("Accuracy by length", outcomes, 2, longest),
                       loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

/// Differences of accuracies up to this are none.
constexpr double kSameAccuracy = 0.05;

Judgement judge_contexts(const std::vector<Number>& measured) {
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    const auto value = [&](const char* name) { return of(name).value; };
    const Number& difference = of("mean_minus_last");
    const std::string numbers = fmt::format(
        "Of long sentences {} are right with attention, {} with the last state and {} with the "
        "mean. Over all lengths the mean of the states differs from the last state by {}. ",
        percent_of(of("long_attention")), percent_of(of("long_last")), percent_of(of("long_mean")),
        points_of(difference));
    const bool told_apart = beyond_spread(difference, kSameAccuracy);
    constexpr double kLearned = 0.5;
    if (value("short_attention") < kLearned) {
        return {Verdict::depends,
                fmt::format("Attention has not learned the task yet: {} of the short sentences "
                            "are right. Train for more steps before comparing. ",
                            percent_of(of("short_attention"))) +
                    numbers};
    }
    const Number& one = value("long_last") > value("long_mean") ? of("long_last") : of("long_mean");
    const double gain = value("long_attention") - one.value;
    const double spread = std::max(one.spread, of("long_attention").spread);
    if (!beyond_spread({"", "", gain, spread}, kSameAccuracy)) {
        if (gain > -kSameAccuracy && spread > kSameAccuracy) {
            return {Verdict::depends, numbers + "On long sentences no difference between attention "
                                                "and one vector was measured beyond the spread."};
        }
        return {Verdict::does_not_hold, numbers + "One vector is enough for sentences this long."};
    }
    if (gain < 0) {
        return {Verdict::does_not_hold, numbers + "One vector does better than attention."};
    }
    if (told_apart && difference.value < 0) {
        return {Verdict::holds,
                numbers + "One vector is a bottleneck, and the mean is the worse one."};
    }
    const std::string means =
        told_apart ? "But the mean is the better of the two: that half is refuted."
                   : fmt::format("Between the mean and the last state no difference was measured "
                                 "beyond {:.0f} points and the spread.",
                                 100 * kSameAccuracy);
    return {Verdict::depends, numbers + "One vector is a bottleneck: that half holds. " + means};
}

/// Words that a row of weights comes to: 2 to the power of its entropy.
double words_read(const RowVector<double>& weights) {
    return std::exp2(num::entropy_bits<double>(weights));
}

/// The words that a head of cross-attention reads at each step; nothing of another one. `which`:
/// said behind its name.
std::optional<OnModel> reading_of(const models::Run& run, const trace::HeadId& id,
                                  const char* which = "") {
    if (id.kind != trace::AttentionKind::cross || !run.trace.map(id)) return std::nullopt;
    const Matrix<double> weights = first_rows(run, id, trace::Stage::weights);
    if (weights.size() == 0 || !weights.allFinite()) return std::nullopt;
    Bars bars;
    bars.series = {{"words read"}};
    bars.y_word = "source words, 2 to the power of the entropy";
    const auto& words = run.trace.queries(id.kind);
    double sum = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        bars.labels.push_back(words[static_cast<std::size_t>(i)].text);
        bars.series[0].values.push_back(words_read(weights.row(i)));
        sum += bars.series[0].values.back();
    }
    OnModel seen;
    seen.words = fmt::format("{}{} reads {:.2g} of {} source words on average for each target "
                             "word, as its entropy counts them.",
                             capitalised(words_of(id)), which,
                             sum / static_cast<double>(weights.rows()), weights.cols()) +
                 of_first_words(run, id);
    seen.pictures = {{"Words that each step reads", words_of(id), bars},
                     picture_of(run, id, weights, "Weights", words_of(id))};
    seen.open = id;
    return seen;
}

std::optional<OnModel> contexts_on_model(const models::Run& run, const Settings&) {
    for (const trace::HeadId& id : heads_of(run)) {
        if (auto seen = reading_of(run, id, ", the first head of cross-attention,")) return seen;
    }
    return std::nullopt;
}

std::optional<OnModel> contexts_on_head(const models::Run& run, const Settings& settings,
                                        const trace::HeadId& head) {
    auto seen = reading_of(run, head);
    return seen ? seen : contexts_on_model(run, settings);
}

} // namespace

Page bottleneck_page() {
    Page page;
    page.name = "bottleneck";
    page.group = "Recurrence";
    page.title = "Is one vector a bottleneck, and the mean a worse one?";
    page.words = "A decoder without attention reads the same vector at every step: the last of the "
                 "encoder's n states, or their mean, which depends on all words but is the same "
                 "in any order of the states. Attention gives state h_{j} a weight α_{ij} at step "
                 "i. Three models learn one task and differ only in what they read. Their "
                 "decoders begin from nothing unless you choose “last state”.";
    page.formula =
        "last state h_{n},  mean \\frac{1}{n} Σ_{j} h_{j},  attention Σ_{j} α_{ij} h_{j}";
    page.claim =
        "One vector at every step is a bottleneck for long sentences, and the mean is worse "
        "than the last state.";
    page.source = "Cho et al. 2014 (On the Properties of NMT); Bahdanau et al. 2015, section 5.1";
    page.parameters = {
        choice("task", "Task", "What is learned.", {"reverse", "copy", "sort"}),
        choice("begin", "Decoders begin from",
               "What they know before the first step. From the last state, all three have it.",
               {"nothing", "last state"}),
        whole("longest", "Longest sentence", "In words; the shortest have two.", 7, 20, 13),
        whole("hidden", "State h, each direction",
              "The encoder reads in both, and joins their states.", 8, 64, 32, true),
        whole("steps", "Training steps", "Batches of 32 sentences.", 50, 3000, 1000, true)};
    page.n_seeds = 5;
    page.seconds = 25;
    page.work_of = [](const Settings& s) {
        return s.number("steps") * s.number("hidden") * s.number("longest");
    };
    page.look = look_at_contexts;
    page.measure_seed = measure_contexts;
    page.judge = judge_contexts;
    page.on_model = contexts_on_model;
    page.on_head = contexts_on_head;
    return page;
}

} // namespace heed::lab
