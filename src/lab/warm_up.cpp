// Page 12: the warm-up schedule used in training, and dropout in training and evaluation.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/trained.hpp"
#include "nn/attention/dropout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

namespace {

using base::Result;

/// The number of a seed that has no such number.
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

using Kind = train::Schedule::Kind;

struct ScheduleName {
    Kind kind;
    const char *name, *label;
};
constexpr ScheduleName kRates[] = {{Kind::warm_up, "warm", "rise and fall"},
                                   {Kind::fall, "fall", "fall only"},
                                   {Kind::constant, "constant", "constant"}};

train::Schedule schedule_of(const Settings& s, Kind kind) {
    train::Schedule schedule;
    schedule.kind = kind;
    schedule.rate = static_cast<float>(s.number("rate"));
    schedule.warm_up = static_cast<std::uint64_t>(s.integer("warm_up"));
    return schedule;
}

std::vector<Picture> look_at_schedules(const Settings& s) {
    const int steps = s.integer("steps");
    Curves rates;
    for (const ScheduleName& rate : kRates) rates.series.push_back({rate.label});
    for (int i = 0; i <= 100; ++i) {
        const int step = std::max(1, steps * i / 100);
        if (!rates.xs.empty() && rates.xs.back() == step) continue;
        rates.xs.push_back(step);
        for (std::size_t k = 0; k < std::size(kRates); ++k) {
            rates.series[k].values.push_back(static_cast<double>(
                train::rate_at(schedule_of(s, kRates[k].kind), static_cast<std::uint64_t>(step))));
        }
    }
    rates.x_word = "step";
    rates.y_word = "learning rate";
    if (s.integer("warm_up") <= steps) {
        rates.now = s.number("warm_up");
        rates.now_words = fmt::format("warm-up ends at step {}", s.integer("warm_up"));
        rates.now_values = false; // all schedules meet there
    }
    const auto rate = static_cast<float>(s.number("dropout"));
    const nn::Dropout dropout({rate, s.seed}, "lab");
    Matrix<double> factors(8, 16);
    for (Index i = 0; i < factors.size(); ++i) {
        factors.data()[i] = rate > 0 ? dropout.factor<double>(i) : 1.0;
    }
    Picture dropped = matrix_picture(
        "Dropout in training",
        fmt::format("{} of {} numbers times 0 (chance {:.3g}: about {:.0f} expected), the others "
                    "times {:.3g}",
                    (factors.array() == 0).count(), factors.size(), s.number("dropout"),
                    s.number("dropout") * static_cast<double>(factors.size()),
                    1 / (1 - s.number("dropout"))),
        factors, {});
    auto& grid = std::get<Grid>(dropped.data);
    grid.numbers = grid.signed_values = false;
    grid.row_word = "word";
    grid.bar_word = "factor";
    const char* never_falls = "; training ends before it does";
    return {{"Learning rate",
             std::string("the first two differ in the rise alone") +
                 (s.integer("warm_up") > steps ? never_falls : ""),
             rates},
            dropped};
}

struct NormName {
    nn::NormOrder norm;
    const char* name;
};
constexpr NormName kNorms[] = {{nn::NormOrder::post, "post"}, {nn::NormOrder::pre, "pre"}};

/// The effect of dropout on the logits of one pair: runs of several seeds against evaluation.
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

struct RateLearner {
    std::string name, label; // "post_warm", "post-norm, rise and fall"
    Outcome outcome;
};

/// Norm after norm, each with every schedule.
Result<std::vector<RateLearner>> learn_with_rates(const Settings& s,
                                                  const train::TaskOptions& options,
                                                  std::shared_ptr<const train::Dataset> data,
                                                  const Work& work) {
    std::vector<RateLearner> learners;
    for (const NormName& norm : kNorms) {
        for (const ScheduleName& rate : kRates) {
            models::ModelSpec spec = tiny_transformer(s.seed, 32, 4, s.integer("layers"));
            spec.norm = norm.norm;
            RateLearner learner{fmt::format("{}_{}", norm.name, rate.name),
                                fmt::format("{}-norm, {}", norm.name, rate.label),
                                {}};
            Course course{learner.label,
                          plan_for(spec, options, train::Task::copy, s.seed, s.integer("steps")),
                          data};
            course.plan.schedule = schedule_of(s, rate.kind);
            auto outcome =
                learn(course, work, {learners.size(), std::size(kNorms) * std::size(kRates)});
            if (!outcome) return tl::make_unexpected(outcome.error());
            learner.outcome = *std::move(outcome);
            if (!std::isfinite(learner.outcome.measures.loss)) learner.outcome.diverged = true;
            learners.push_back(std::move(learner));
        }
    }
    return learners;
}

/// Nats that the rise and the fall save, each against the same schedule without it.
void add_gains(std::vector<Number>& measured, const std::vector<RateLearner>& learners) {
    const auto loss = [&](std::size_t i) { return measured[i].value; };
    for (std::size_t n = 0; n < std::size(kNorms); ++n) {
        const std::string name = kNorms[n].name;
        const std::size_t warm = n * std::size(kRates), fall = warm + 1, constant = warm + 2;
        measured.push_back({name + "_rise", "what the rise saves, " + name + "-norm, seed by seed",
                            loss(fall) - loss(warm), 0, "nats"});
        measured.push_back({name + "_fall", "what the fall saves, " + name + "-norm, seed by seed",
                            loss(constant) - loss(fall), 0, "nats"});
    }
    for (const RateLearner& learner : learners) {
        measured.push_back({"diverged_" + learner.name,
                            "share of seeds that diverge, " + learner.label,
                            learner.outcome.diverged ? 1.0 : 0.0, 0, kShare});
    }
}

Result<Sample> measure_warm_up(const Settings& s, const Work& work) {
    const auto options = sentences_for(s.seed, 6000, 100, 8);
    const auto data = train::prepare_dataset(train::Task::copy, options);
    if (!data) return tl::make_unexpected(data.error());
    const auto learned = learn_with_rates(s, options, *data, work);
    if (!learned) return tl::make_unexpected(learned.error());
    Sample sample;
    std::vector<std::pair<std::string, Outcome>> outcomes;
    for (const RateLearner& learner : *learned) {
        const Outcome& outcome = learner.outcome;
        sample.measured.push_back({"loss_" + learner.name, "held-out loss, " + learner.label,
                                   outcome.diverged ? kNone : outcome.measures.loss, 0, "nats"});
        outcomes.emplace_back(learner.label, outcome);
    }
    add_gains(sample.measured, *learned);
    // A model that has diverged says nothing that dropout could change.
    Result<Dropped> dropped = Dropped{kNone, kNone, kNone};
    if (!outcomes[0].second.diverged) {
        dropped = dropped_runs(outcomes[0].second, (*data)->pairs.at(0), s.number("dropout"), work);
    }
    if (!dropped) return tl::make_unexpected(dropped.error());
    sample.measured.insert(
        sample.measured.end(),
        {{"dropout", "share that is dropped", s.number("dropout"), 0, kShare},
         {"dropout_apart", "logits: one run with dropout against evaluation", dropped->apart, 0,
          kShare},
         {"dropout_mean_apart", "logits: mean of 32 such runs against evaluation",
          dropped->mean_apart, 0, kShare},
         {"evaluation_repeated", "logits: evaluation against itself", dropped->repeated}});
    sample.pictures = {loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

/// Nats that the rise alone and the fall alone save, over the seeds that have a loss.
std::string gain_words(const std::vector<Number>& measured, const std::string& norm) {
    std::string words;
    const Number *rise = number_if(measured, norm + "_rise"),
                 *fall = number_if(measured, norm + "_fall");
    if (rise) {
        words =
            fmt::format("With {}-norm the rise alone saves {} nats a word", norm, in_words(*rise));
        words += fall ? fmt::format(", the fall alone {}. ", in_words(*fall)) : ". ";
    }
    const auto diverged = [&](const char* rate) {
        return number(measured, fmt::format("diverged_{}_{}", norm, rate)).value;
    };
    if (diverged("warm") > 0 || diverged("fall") > 0 || diverged("constant") > 0) {
        words += fmt::format("With {}-norm {:.0f} % of the seeds diverge with the rise, {:.0f} % "
                             "without it and {:.0f} % at the constant rate. ",
                             norm, 100 * diverged("warm"), 100 * diverged("fall"),
                             100 * diverged("constant"));
    }
    return words;
}

std::string dropout_words(const std::vector<Number>& measured) {
    if (number(measured, "dropout").value == 0 || !number_if(measured, "dropout_apart")) return "";
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    return fmt::format("Dropout changes the logits by {} of their size in one run, and the mean of "
                       "32 runs by {}. Evaluation drops nothing: two runs of it differ by {:g}. ",
                       percent_of(of("dropout_apart")), percent_of(of("dropout_mean_apart")),
                       of("evaluation_repeated").value);
}

Judgement judge_warm_up(const std::vector<Number>& measured) {
    static constexpr double kSaves = 0.1; // nats
    const auto diverged = [&](const std::string& name) {
        return number(measured, "diverged_" + name).value;
    };
    // A model that only the rise keeps from diverging needs it, whatever the losses of the others.
    const auto needs = [&](const std::string& norm) {
        if (diverged(norm + "_warm") < diverged(norm + "_fall")) return true;
        const Number* rise = number_if(measured, norm + "_rise");
        return rise && rise->value > 0 && beyond_spread(*rise, kSaves);
    };
    const std::string numbers = gain_words(measured, "post") + gain_words(measured, "pre");
    const std::string behind = " " + dropout_words(measured);
    const Number* repeated = number_if(measured, "evaluation_repeated");
    if (repeated && repeated->value != 0) {
        return {Verdict::does_not_hold,
                numbers + "Evaluation does not repeat itself, and it should." + behind};
    }
    if (diverged("post_warm") == 1 || diverged("pre_warm") == 1) {
        return {Verdict::depends,
                numbers + "The learning rate is too large to compare anything: lower it." + behind};
    }
    const bool post = needs("post"), pre = needs("pre");
    if (post && !pre) {
        return {Verdict::holds,
                numbers +
                    "So post-norm needs the rise at this rate, and pre-norm shows no such need." +
                    behind};
    }
    if (post) {
        return {Verdict::depends, numbers + "So at this rate both need the rise." + behind};
    }
    if (pre) {
        return {Verdict::does_not_hold,
                numbers + "So it is pre-norm that needs the rise here, not post-norm." + behind};
    }
    const Number* rise = number_if(measured, "post_rise");
    const bool worse = rise && rise->value < 0 && beyond_spread(*rise, kSaves);
    return {worse ? Verdict::does_not_hold : Verdict::depends,
            numbers +
                (worse ? "So post-norm does better without the rise."
                       : "So at this rate, with so few layers, these seeds do not show that "
                         "post-norm needs the rise. Try a larger rate or more layers.") +
                behind};
}

/// The open model as training sees it, had it dropped as much.
std::optional<OnModel> dropout_on_model(const models::Run& run, const Settings& s) {
    const auto heads = heads_of(run, 1);
    const auto& norm = run.model->traits().norm;
    if (heads.empty() || !norm) return std::nullopt;
    OnModel seen;
    const double rate = s.number("dropout") > 0 ? s.number("dropout") : 0.1;
    seen.words = fmt::format(
        "This model has {}-norm{}: by the claim it {} warm-up to learn. What it runs here is "
        "evaluation, which drops nothing: with dropout you see what training sees.",
        *norm == nn::NormOrder::pre ? "pre" : "post",
        run.controls.norm.value_or(*norm) == *norm ? "" : " of its own, not as set now",
        *norm == nn::NormOrder::pre ? "needed no" : "needed a");
    seen.open = heads[0];
    models::Controls training = run.controls;
    training.dropout = {static_cast<float>(rate), s.seed};
    if (training == run.controls) training.dropout.seed += 1;
    seen.controls = training;
    seen.controls_words = fmt::format("with dropout {:g}", rate);
    return seen;
}

} // namespace

Page warm_up_page() {
    Page page;
    page.name = "warm-up";
    page.group = "Training";
    page.title = "Who needs warm-up, and what does dropout do?";
    page.words =
        "Vaswani et al. (2017) let the learning rate rise for w = 4000 steps, then fall. Six small "
        "transformers learn to copy, with norms after each sublayer (post-norm) or before it "
        "(pre-norm), and with such a rate at step t, the same without the rise, or its largest r "
        "all the way. Dropout sets numbers at random to 0 in training, none in evaluation.";
    page.formula = "rate(t) = r min(t/w, \\sqrt{w/t}),  Vaswani et al.: r = (d_{model} w)^{−1/2}";
    page.claim = "Post-norm transformers need warm-up, pre-norm ones do not.";
    page.source = "Vaswani et al. 2017, eq. 3 and section 5.4; Xiong et al. 2020, section 3";
    page.parameters = {
        real("rate", "Largest rate r", "Of all three schedules.", 1e-4, 0.05, 0.01, true),
        whole("warm_up", "Warm-up steps w", "Up to the largest rate.", 1, 1000, 150, true),
        whole("layers", "Layers", "Of the encoder, and of the decoder.", 1, 4, 2),
        real("dropout", "Dropout", "The chance of each activation to be set to 0.", 0, 0.9, 0.1),
        whole("steps", "Training steps", "Batches of 32 strings.", 50, 2000, 300, true)};
    page.n_seeds = 5;
    page.seconds = 30;
    page.work_of = [](const Settings& s) { return s.number("steps") * s.number("layers"); };
    page.look = look_at_schedules;
    page.measure_seed = measure_warm_up;
    page.judge = judge_warm_up;
    page.on_model = dropout_on_model;
    return page;
}

} // namespace heed::lab
