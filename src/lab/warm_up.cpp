// Page 12: the warm-up schedule used in training, and dropout in training and evaluation.
#include "lab/all_pages.hpp"
#include "lab/module.hpp"
#include "lab/trained.hpp"
#include "nn/attention/dropout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

namespace {

using base::Result;

/// Of a seed that has no such number.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

train::Schedule schedule_of(const Settings& s, bool warms_up) {
    train::Schedule schedule;
    schedule.kind = warms_up ? train::Schedule::Kind::warm_up : train::Schedule::Kind::constant;
    schedule.rate = static_cast<float>(s.number("rate"));
    schedule.warm_up = static_cast<std::uint64_t>(s.integer("warm_up"));
    return schedule;
}

std::vector<Picture> look_at_schedules(const Settings& s) {
    const int steps = s.integer("steps");
    Curves rates;
    rates.series = {{"warm-up"}, {"constant"}};
    for (int i = 0; i <= 100; ++i) {
        const int step = std::max(1, steps * i / 100);
        if (!rates.xs.empty() && rates.xs.back() == step) continue;
        rates.xs.push_back(step);
        for (const bool constant : {false, true}) {
            rates.series[constant].values.push_back(static_cast<double>(
                train::rate_at(schedule_of(s, !constant), static_cast<std::uint64_t>(step))));
        }
    }
    rates.x_word = "step";
    rates.now = s.number("warm_up");
    const auto rate = static_cast<float>(s.number("dropout"));
    const nn::Dropout dropout({rate, s.seed}, "lab");
    Matrix<double> factors(8, 16);
    for (Index i = 0; i < factors.size(); ++i) {
        factors.data()[i] = rate > 0 ? dropout.factor<double>(i) : 1.0;
    }
    Picture training = matrix_picture("Dropout in training",
                                      fmt::format("each number times 0 or {:.3g}; mean {:.3g}",
                                                  1 / (1 - s.number("dropout")), factors.mean()),
                                      factors, {});
    Picture evaluation = matrix_picture("Dropout in evaluation", "every number times 1",
                                        Matrix<double>::Ones(factors.rows(), factors.cols()), {});
    for (Picture* picture : {&training, &evaluation}) {
        std::get<Grid>(picture->data).numbers = false;
    }
    return {{"Learning rate", "largest where the warm-up ends", rates}, training, evaluation};
}

struct Learner {
    const char *name, *label;
    nn::NormOrder norm;
    bool warms_up;
};
constexpr Learner kLearners[] = {
    {"post_warm", "post-norm, warm-up", nn::NormOrder::post, true},
    {"post_constant", "post-norm, constant", nn::NormOrder::post, false},
    {"pre_warm", "pre-norm, warm-up", nn::NormOrder::pre, true},
    {"pre_constant", "pre-norm, constant", nn::NormOrder::pre, false}};

/// What dropout does to what a model says of one pair: runs of several seeds against evaluation.
struct Dropped {
    double apart = 0;      // mean size of the difference to evaluation, relative
    double mean_apart = 0; // that of the mean of the runs
    double repeated = 0;   // of evaluation against itself
};

Result<Dropped> dropped_runs(const Outcome& outcome, const train::Pair& pair, double rate,
                             const Work& work) {
    const auto run = train::run_pair(work.pool, outcome.model, pair);
    if (!run) return tl::make_unexpected(run.error());
    const auto output = [&](const models::Controls& controls) -> Result<Matrix<float>> {
        const auto again = models::run(outcome.model, (*run)->input, controls, work.pool);
        if (!again) return tl::make_unexpected(again.error());
        return outcome.model->logits(**again, work.pool);
    };
    const auto still = output({}), again = output({});
    if (!still) return tl::make_unexpected(still.error());
    Dropped dropped;
    dropped.repeated = static_cast<double>((*still - *again).cwiseAbs().maxCoeff());
    const auto size = static_cast<double>(still->norm());
    constexpr int kRuns = 32;
    Matrix<float> sum = Matrix<float>::Zero(still->rows(), still->cols());
    for (int i = 0; i < kRuns; ++i) {
        models::Controls controls;
        controls.dropout = {static_cast<float>(rate), static_cast<std::uint64_t>(i + 1)};
        const auto made = output(controls);
        if (!made) return tl::make_unexpected(made.error());
        dropped.apart += static_cast<double>((*made - *still).norm()) / size / kRuns;
        sum += *made / static_cast<float>(kRuns);
    }
    dropped.mean_apart = static_cast<double>((sum - *still).norm()) / size;
    return dropped;
}

Result<Sample> measure_warm_up(const Settings& s, const Work& work) {
    const auto options = sentences_for(s.seed, 6000, 100, 8);
    const auto data = train::prepare_dataset(train::Task::copy, options);
    if (!data) return tl::make_unexpected(data.error());
    std::vector<std::pair<std::string, Outcome>> outcomes;
    Sample sample;
    for (std::size_t i = 0; i < std::size(kLearners); ++i) {
        models::ModelSpec spec = tiny_transformer(s.seed, 32, 4, s.integer("layers"));
        spec.norm = kLearners[i].norm;
        Course course{kLearners[i].label,
                      plan_for(spec, options, train::Task::copy, s.seed, s.integer("steps")),
                      *data};
        course.plan.schedule = schedule_of(s, kLearners[i].warms_up);
        auto outcome = learn(course, work, {i, std::size(kLearners)});
        if (!outcome) return tl::make_unexpected(outcome.error());
        const bool diverged = outcome->diverged || !std::isfinite(outcome->measures.loss);
        const double loss = diverged ? kNone : outcome->measures.loss;
        sample.measured.push_back({fmt::format("loss_{}", kLearners[i].name),
                                   fmt::format("held-out loss, {}", kLearners[i].label), loss, 0,
                                   "nats"});
        outcome->diverged = diverged;
        outcomes.emplace_back(kLearners[i].label, *std::move(outcome));
    }
    // What has diverged says nothing that dropout could change.
    Result<Dropped> dropped = Dropped{kNone, kNone, kNone};
    if (!outcomes[0].second.diverged) {
        dropped = dropped_runs(outcomes[0].second, (*data)->pairs.at(0), s.number("dropout"), work);
    }
    if (!dropped) return tl::make_unexpected(dropped.error());
    const auto loss = [&](std::size_t i) { return sample.measured[i].value; };
    sample.measured.insert(
        sample.measured.end(),
        {{"post_gain", "what warm-up saves, post-norm, of one seed", loss(1) - loss(0), 0, "nats"},
         {"pre_gain", "what warm-up saves, pre-norm, of one seed", loss(3) - loss(2), 0, "nats"},
         {"dropout", "share that is dropped", s.number("dropout")},
         {"dropout_apart", "one run with dropout, from evaluation", dropped->apart},
         {"dropout_mean_apart", "mean of 32 such runs, from evaluation", dropped->mean_apart},
         {"evaluation_repeated", "evaluation, from itself", dropped->repeated}});
    for (std::size_t i = 0; i < std::size(kLearners); ++i) {
        sample.measured.push_back(
            {fmt::format("diverged_{}", kLearners[i].name),
             fmt::format("share of seeds that diverge, {}", kLearners[i].label),
             outcomes[i].second.diverged ? 1.0 : 0.0});
    }
    sample.pictures = {loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

/// What the schedule saves, and the loss that it ends at, of the seeds that have one.
std::string gain_words(const std::vector<Number>& measured, const std::string& norm) {
    const Number* gain = number_if(measured, norm + "_gain");
    std::string words;
    if (gain) {
        words = fmt::format(
            "The schedule that rises and falls saves {:.2f} nats (± {:.2f}) against "
            "its largest rate kept constant with {}-norm, which ends at {:.2f}. ",
            gain->value, gain->spread, norm, number(measured, "loss_" + norm + "_warm").value);
    }
    const double with = number(measured, "diverged_" + norm + "_warm").value;
    const double without = number(measured, "diverged_" + norm + "_constant").value;
    if (with > 0 || without > 0) {
        words += fmt::format("With {}-norm {:.0f} % of the seeds diverge at the constant rate and "
                             "{:.0f} % with the schedule. ",
                             norm, 100 * without, 100 * with);
    }
    return words;
}

std::string dropout_words(const std::vector<Number>& measured) {
    if (number(measured, "dropout").value == 0 || !number_if(measured, "dropout_apart")) return "";
    const auto value = [&](const char* name) { return number(measured, name).value; };
    return fmt::format("One run with dropout is {:.2g} of the output's size away from evaluation, "
                       "the mean of 32 such runs {:.2g}; evaluation repeats itself to {:g}. ",
                       value("dropout_apart"), value("dropout_mean_apart"),
                       value("evaluation_repeated"));
}

Judgement judge_warm_up(const std::vector<Number>& measured) {
    static constexpr double kSaves = 0.1; // nats
    const auto diverged = [&](const std::string& name) {
        return number(measured, "diverged_" + name).value;
    };
    // What only the schedule brings to an end needs it, whatever the losses of the others.
    const auto helps = [&](const std::string& norm) {
        if (diverged(norm + "_warm") < diverged(norm + "_constant")) return true;
        const Number* gain = number_if(measured, norm + "_gain");
        return gain && gain->value > std::max(gain->spread, kSaves);
    };
    const std::string numbers =
        gain_words(measured, "post") + gain_words(measured, "pre") + dropout_words(measured);
    const Number* repeated = number_if(measured, "evaluation_repeated");
    if (repeated && repeated->value != 0) {
        return {Verdict::does_not_hold, numbers + "Evaluation should not change."};
    }
    if (diverged("post_warm") == 1 || diverged("pre_warm") == 1) {
        return {Verdict::depends, numbers + "The rate is too large to compare anything."};
    }
    if (helps("post") && !helps("pre")) return {Verdict::holds, numbers};
    if (helps("post")) return {Verdict::depends, numbers + "Here pre-norm needs it as well."};
    if (helps("pre")) {
        return {Verdict::does_not_hold, numbers + "It is pre-norm that needs it here."};
    }
    const Number* post = number_if(measured, "post_gain");
    const bool worse = post && post->value < -std::max(post->spread, kSaves);
    return {worse ? Verdict::does_not_hold : Verdict::depends,
            numbers + "At this rate post-norm does as well without."};
}

} // namespace

Page warm_up_page() {
    Page page;
    page.name = "warm-up";
    page.group = "Training";
    page.title = "Does a transformer need warm-up, and what does dropout do?";
    page.words =
        "The 2017 paper lets the learning rate rise for 4 000 steps before it falls. Four "
        "small transformers learn to copy with that schedule or at its largest rate all the "
        "way, with norms after each sublayer or before: rise and fall are tried together. "
        "Dropout changes what training sees, and nothing afterwards.";
    page.formula = "rate(t) = d_{model}^{−1/2} min(t^{−1/2}, t w^{−3/2})";
    page.claim = "Post-norm transformers need the schedule with warm-up, pre-norm ones do not.";
    page.source = "Vaswani et al. 2017, eq. 3 and section 5.4; Xiong et al. 2020, section 3";
    page.parameters = {
        real("rate", "Largest rate", "Of both schedules.", 1e-4, 0.05, 0.01, true),
        whole("warm_up", "Warm-up steps", "Up to the largest rate.", 1, 1000, 150, true),
        whole("layers", "Layers", "Of the encoder, and of the decoder.", 1, 4, 2),
        real("dropout", "Dropout", "Share of numbers that are dropped.", 0, 0.9, 0.1),
        whole("steps", "Training steps", "Batches of 32 strings.", 50, 2000, 300, true)};
    page.n_seeds = 3;
    page.seconds = 30;
    page.work_of = [](const Settings& s) { return s.number("steps") * s.number("layers"); };
    page.look = look_at_schedules;
    page.measure_seed = measure_warm_up;
    page.judge = judge_warm_up;
    return page;
}

} // namespace heed::lab
