#include "lab/trained.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

base::Result<Outcome> learn(const Course& course, const Work& work, Part part) {
    const auto tell = [&](double done) {
        work.say((static_cast<double>(part.index) + done) / static_cast<double>(part.count),
                 "training " + course.words);
    };
    auto training = train::Training::begin(course.plan, course.data, work.pool);
    if (!training) return tl::make_unexpected(training.error());
    const std::uint64_t steps = course.plan.steps;
    std::vector<double> sums(kLossPoints), tokens(kLossPoints);
    Outcome outcome;
    for (std::uint64_t step = 0; step < steps && !outcome.diverged; ++step) {
        if (work.stopped()) return cancelled();
        const auto progress = (*training)->step(work.pool);
        if (!progress) {
            if (progress.error().kind != base::ErrorKind::out_of_range) {
                return tl::make_unexpected(progress.error());
            }
            outcome.diverged = true;
            break;
        }
        const std::size_t at = step * kLossPoints / steps;
        sums[at] += progress->batch.loss;
        tokens[at] += static_cast<double>(progress->batch.tokens);
        tell(0.9 * static_cast<double>(step) / static_cast<double>(steps));
    }
    for (std::size_t i = 0; i < kLossPoints; ++i) {
        outcome.losses.push_back(tokens[i] > 0 ? sums[i] / tokens[i]
                                               : std::numeric_limits<double>::quiet_NaN());
    }
    outcome.last_loss = outcome.losses.back();
    outcome.model = (*training)->model(work.pool);
    const train::Dataset& judge = course.judged_by ? *course.judged_by : *course.data;
    auto found = train::evaluate(work.pool, outcome.model, judge, judge.pairs.size(), work.stop, 0);
    if (!found) return tl::make_unexpected(found.error());
    outcome.measures = std::move(found->measures);
    tell(1);
    return outcome;
}

models::RecurrentConfig tiny_recurrent(std::uint64_t seed, int hidden) {
    models::RecurrentConfig config = train::small_recurrent();
    config.hidden = hidden;
    config.embedding = hidden / 2;
    config.seed = seed;
    return config;
}

models::ModelSpec tiny_transformer(std::uint64_t seed, int width, int heads, int layers) {
    models::ModelSpec spec = train::small_transformer();
    spec.d_model = width;
    spec.n_heads = heads;
    spec.n_encoder_layers = spec.n_decoder_layers = layers;
    spec.d_ff = 2 * width;
    spec.seed = seed;
    return spec;
}

train::Plan plan_for(const models::Config& model, const train::TaskOptions& sentences,
                     train::Task task, std::uint64_t seed, int steps) {
    train::Plan plan = train::usual_plan(task, model);
    plan.sentences = sentences;
    plan.seed = seed;
    plan.steps = static_cast<std::uint64_t>(steps);
    if (models::traits(model).architecture) {
        // Few steps of a narrow model: it can take larger ones, and has to.
        plan.schedule.rate = 3e-3f;
        plan.schedule.warm_up = 100;
    } else {
        plan.schedule.rate = 4e-3f;
    }
    return plan;
}

std::shared_ptr<const train::Dataset> of_lengths(const train::Dataset& data, int from, int to) {
    auto made = std::make_shared<train::Dataset>(data);
    made->pairs.clear();
    made->training.clear();
    made->held_out.clear();
    const auto fits = [&](std::size_t length) {
        return length >= static_cast<std::size_t>(from) && length <= static_cast<std::size_t>(to);
    };
    for (const train::Example& e : data.training) {
        if (fits(e.source.size())) made->training.push_back(e);
    }
    for (std::size_t i = 0; i < data.held_out.size(); ++i) {
        if (!fits(data.held_out[i].source.size())) continue;
        made->held_out.push_back(data.held_out[i]);
        made->pairs.push_back(data.pairs[i]);
    }
    return made;
}

double right_share(const train::Measures& measures, int from, int to) {
    std::size_t right = 0, all = 0;
    for (const train::LengthAccuracy& at : measures.by_length) {
        if (at.length < from || at.length > to) continue;
        right += at.right;
        all += at.sentences;
    }
    return all == 0 ? 0.0 : static_cast<double>(right) / static_cast<double>(all);
}

train::TaskOptions sentences_for(std::uint64_t seed, std::size_t training, std::size_t held_out,
                                 int longest) {
    train::TaskOptions options;
    options.seed = seed;
    options.training = training;
    options.held_out = held_out;
    options.min_length = 2;
    options.max_length = longest;
    return options;
}

Picture task_picture(train::Task task, const train::TaskOptions& options) {
    constexpr std::uint64_t kPairs = 3;
    Words words;
    const auto row = [&](const char* label, const std::vector<std::string>& tokens, double share) {
        words.rows.push_back({label});
        for (const std::string& token : tokens) words.rows.back().tokens.push_back({token, share});
    };
    for (std::uint64_t i = 0; i < kPairs; ++i) {
        const train::Pair pair = train::draw_pair(task, options, i);
        row("source", pair.source, 0);
        row("target", pair.target, 1);
    }
    return {fmt::format("The task: {}", train::name(task)),
            "sources and their targets; each letter is a word", words};
}

Picture loss_picture(std::string title, std::span<const std::pair<std::string, Outcome>> outcomes,
                     int steps) {
    Curves curves;
    for (std::size_t i = 0; i < kLossPoints; ++i) {
        curves.xs.push_back(static_cast<double>(steps) * static_cast<double>(i + 1) /
                            static_cast<double>(kLossPoints));
    }
    for (const auto& [name, outcome] : outcomes) curves.series.push_back({name, outcome.losses});
    curves.x_word = "step";
    return {std::move(title), "nats per token", std::move(curves)};
}

Picture length_picture(std::string title, std::span<const std::pair<std::string, Outcome>> outcomes,
                       int from, int to) {
    Curves curves;
    for (int length = from; length <= to; ++length) curves.xs.push_back(length);
    for (const auto& [name, outcome] : outcomes) {
        Series series{name};
        for (int length = from; length <= to; ++length) {
            series.values.push_back(100 * right_share(outcome.measures, length, length));
        }
        curves.series.push_back(std::move(series));
    }
    curves.x_word = "words of the source";
    return {std::move(title), "held-out sentences fully correct, %", std::move(curves)};
}

} // namespace heed::lab
