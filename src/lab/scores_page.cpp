// Page 4: additive against multiplicative scores: what they cost, and what they learn.
#include "lab/all_pages.hpp"
#include "lab/costs.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/trained.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;

/// Multiplications and hyperbolic tangents of all scores of n queries against n keys of width d:
/// additive, with a hidden layer of width d, and dot.
double additive_operations(double n, double d) { return 2 * n * d * d + 2 * n * n * d; }
double dot_operations(double n, double d) { return n * n * d; }

std::vector<Picture> look_at_scores(const Settings& s) {
    const double n = s.number("words"), d = s.number("width");
    Curves by_width{{}, {{"additive"}, {"dot"}}, true};
    for (double width = 4; width <= 512; width *= 2) {
        by_width.xs.push_back(width);
        by_width.series[0].values.push_back(additive_operations(n, width));
        by_width.series[1].values.push_back(dot_operations(n, width));
    }
    by_width.log_y = true;
    by_width.x_word = "width d_{k}";
    by_width.y_word = "operations";
    mark_nearest(by_width, d, "at d_{k} = ");
    Curves by_words{{}, {{"additive"}, {"dot"}}, true, true};
    for (double words = 8; words <= 1024; words *= 2) {
        by_words.xs.push_back(words);
        by_words.series[0].values.push_back(additive_operations(words, d));
        by_words.series[1].values.push_back(dot_operations(words, d));
    }
    by_words.x_word = "words n";
    by_words.y_word = "operations";
    mark_nearest(by_words, n, "at n = ");
    const Index rows = 8, width = s.integer("width");
    const Matrix<double> q = draw_features(s.seed, "queries", rows, width);
    const Matrix<double> k = draw_features(s.seed, "keys", rows, width);
    const auto params = nn::draw_score_params<double>(s.seed, "lab", width, width, width);
    const auto map = [&](nn::Score score) {
        Matrix<double> out(rows, rows);
        nn::scores<double>(score, &params, num::view(q), num::view(k), 1, num::view(out));
        return out;
    };
    const auto spread = [](const Matrix<double>& m) {
        return fmt::format("standard deviation {:.2g}",
                           std::sqrt((m.array() - m.mean()).square().mean()));
    };
    std::vector<Picture> pictures = {
        {"Operations by width", "multiplications and tanh for all scores", by_width},
        {"Operations by number of words", "multiplications and tanh for all scores", by_words}};
    const Matrix<double> additive = map(nn::Score::additive), dot = map(nn::Score::dot),
                         scaled = map(nn::Score::scaled_dot);
    // In the colours of dot scores, which are much larger, the others would show nothing.
    const double most = std::max(additive.cwiseAbs().maxCoeff(), scaled.cwiseAbs().maxCoeff());
    const auto add = [&](const char* title, const Matrix<double>& scores, const char* colours,
                         double reach) {
        pictures.push_back(
            matrix_picture(title, spread(scores) + "\u00a0·\u00a0" + colours, scores, {}));
        auto& grid = std::get<Grid>(pictures.back().data);
        grid.reach = reach;
        grid.row_word = "query";
        grid.col_word = "key";
        grid.bar_word = "score";
    };
    add("Scores of 8 words: additive", additive, "same colours as scaled dot", most);
    add("Scores of 8 words: dot", dot, "colour range of its own", 0);
    add("Scores of 8 words: scaled dot", scaled, "same colours as additive", most);
    return pictures;
}

/// Seconds for the scores of n × n pairs, the least of a few tries.
double seconds_of(nn::Score score, const Settings& s) {
    const Index n = s.integer("words"), d = s.integer("width");
    const Matrix<float> q = draw_features(s.seed, "queries", n, d).cast<float>();
    const Matrix<float> k = draw_features(s.seed, "keys", n, d).cast<float>();
    const auto params = nn::draw_score_params<float>(s.seed, "lab", d, d, d);
    Matrix<float> out(n, n);
    return least_seconds([&] {
        nn::scores<float>(score, &params, num::view(q), num::view(k), 1.f, num::view(out));
    });
}

struct ScoreLearner {
    const char *name, *label;
    models::Config config;
};

std::vector<ScoreLearner> score_learners(const Settings& s) {
    const int width = s.integer("width");
    models::RecurrentConfig additive = tiny_recurrent(s.seed, width);
    models::RecurrentConfig scaled = additive;
    scaled.score = nn::Score::scaled_dot;
    models::ModelSpec on = tiny_transformer(s.seed, width, 1);
    models::ModelSpec off = on;
    off.attention.scale = 1;
    return {{"additive", "GRU, additive", additive},
            {"scaled", "GRU, scaled dot", scaled},
            {"transformer", "transformer, scaled dot", on},
            {"unscaled", "transformer, dot", off}};
}

Result<Sample> measure_scores(const Settings& s, const Work& work) {
    const auto options = sentences_for(s.seed, 6000, 200, 8);
    const auto data = train::prepare_dataset(train::Task::reverse, options);
    if (!data) return tl::make_unexpected(data.error());
    const double n = s.number("words"), d = s.number("width");
    const double additive = seconds_of(nn::Score::additive, s), dot = seconds_of(nn::Score::dot, s);
    Sample sample;
    sample.measured = {{"operations_ratio", "operations by formula, additive over dot",
                        additive_operations(n, d) / dot_operations(n, d), 0, "×"},
                       {"time_additive", "time of additive scores", 1e6 * additive, 0, "µs"},
                       {"time_dot", "time of dot scores", 1e6 * dot, 0, "µs"},
                       {"time_ratio", "time, additive over dot", additive / dot, 0, "×"}};
    const auto learners = score_learners(s);
    std::vector<std::pair<std::string, Outcome>> outcomes;
    for (std::size_t i = 0; i < learners.size(); ++i) {
        const Course course{
            learners[i].label,
            plan_for(learners[i].config, options, train::Task::reverse, s.seed, s.integer("steps")),
            *data};
        auto outcome = learn(course, work, {i, learners.size()});
        if (!outcome) return tl::make_unexpected(outcome.error());
        sample.measured.push_back({fmt::format("right_{}", learners[i].name),
                                   fmt::format("token accuracy, {}", learners[i].label),
                                   outcome->measures.token_accuracy, 0, kShare});
        outcomes.emplace_back(learners[i].label, *std::move(outcome));
    }
    const auto right = [&](std::size_t i) { return outcomes[i].second.measures.token_accuracy; };
    sample.measured.push_back({"scaled_minus_additive", "scaled dot − additive, seed by seed",
                               right(1) - right(0), 0, kPoints});
    sample.measured.push_back({"scaled_minus_unscaled", "scaled − unscaled, seed by seed",
                               right(2) - right(3), 0, kPoints});
    sample.pictures = {loss_picture("Training loss", outcomes, s.integer("steps"))};
    return sample;
}

Judgement judge_scores(const std::vector<Number>& measured) {
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    const Number& kinds = of("scaled_minus_additive");
    const Number& scaling = of("scaled_minus_unscaled");
    constexpr double kSame = 0.03, kTells = 0.1; // of words; of the spread, where it tells that
    const Number& times = of("time_ratio");
    const bool faster = times.value - times.spread > 1;
    const bool differ = beyond_spread(kinds, kSame);
    const bool alike = !differ && kinds.spread <= kTells;
    const bool scaling_tells = beyond_spread(scaling, kSame);
    const bool scaling_helps = scaling_tells && scaling.value > 0;
    std::string words =
        faster
            ? fmt::format("Dot scores are {} times as fast as additive ones. ", in_words(times, 0))
            : fmt::format("Dot scores are no faster here: additive ones take {} times as long. ",
                          in_words(times));
    words += fmt::format("In recurrent models {}: {} of the words are right with additive scores, "
                         "{} with scaled dot: {}. ",
                         alike             ? "no difference was measured"
                         : !differ         ? "these seeds do not tell the two apart"
                         : kinds.value > 0 ? "scaled dot learns better"
                                           : "additive learns better",
                         percent_of(of("right_additive")), percent_of(of("right_scaled")),
                         points_of(kinds));
    words += fmt::format(
        "In transformers {}: {} are right with it, {} without: {}.",
        scaling_helps   ? "dividing by √d_{k} helps"
        : scaling_tells ? "dividing by √d_{k} does harm"
                        : "dividing by √d_{k} makes no difference that these seeds show",
        percent_of(of("right_transformer")), percent_of(of("right_unscaled")), points_of(scaling));
    if (faster && alike && scaling_helps) return {Verdict::holds, words};
    return {!faster && !scaling_helps ? Verdict::does_not_hold : Verdict::depends, words};
}

std::optional<OnModel> scores_on_model(const models::Run& run, const Settings&) {
    const auto heads = heads_of(run, 1);
    // Queries and keys of a transformer are equally wide, as a cosine wants them.
    const models::Traits& traits = run.model->traits();
    if (heads.empty() || traits.is_stepwise() || traits.weights_alone) return std::nullopt;
    const auto map = run.trace.map(heads[0]);
    const nn::Score now = map->head().settings.score;
    const nn::Score other = now == nn::Score::cosine ? nn::Score::scaled_dot : nn::Score::cosine;
    const Matrix<double> scores = first_rows(run, heads[0], trace::Stage::scores);
    OnModel seen;
    seen.words = fmt::format("{} scores by {}, from {:.2f} to {:.2f}. It was not trained with "
                             "{} scores.",
                             capitalised(words_of(heads[0])), nn::info(now).label,
                             scores.minCoeff(), scores.maxCoeff(), nn::info(other).label) +
                 of_first_words(run, heads[0]);
    seen.pictures = {picture_of(run, heads[0], scores, "Scores", words_of(heads[0]))};
    std::get<Grid>(seen.pictures[0].data).signed_values = true;
    std::get<Grid>(seen.pictures[0].data).weights = false;
    seen.open = heads[0];
    models::HeadControls changed;
    changed.score = other;
    seen.controls = with(run, heads[0], changed);
    seen.controls_words = fmt::format("with {} scores", nn::info(other).label);
    return seen;
}

} // namespace

Page scores_page() {
    Page page;
    page.name = "scores";
    page.group = "Attention";
    page.title = "Additive or multiplicative scores?";
    page.words =
        "An additive score runs a small network on every pair of a query and a key; a "
        "multiplicative one is, at its simplest, their dot product. “Measure” times both and "
        "trains otherwise equal models to reverse strings, with and without √d_{k}.";
    page.formula = "score(q, k) = v^{T} tanh(W q + U k)  or  q·k  or  "
                   "\\frac{q·k}{\\sqrt{d_{k}}}";
    page.claim = "Dot products are faster than additive scores and learn as well, if they are "
                 "scaled.";
    page.source = "Vaswani et al. 2017, section 3.2.1; Britz et al. 2017";
    page.parameters = {
        whole("width", "Width d_{k}",
              "Of queries, keys and the hidden layer, and of the models that learn.", 8, 128, 32,
              true),
        whole("words", "Words n", "As many queries as keys, where time is measured.", 8, 512, 128,
              true),
        whole("steps", "Training steps", "Batches of 32 strings.", 50, 3000, 600, true)};
    page.n_seeds = 3;
    page.seconds = 30;
    page.work_of = [](const Settings& s) { return s.number("steps") * s.number("width"); };
    page.look = look_at_scores;
    page.measure_seed = measure_scores;
    page.judge = judge_scores;
    page.on_model = scores_on_model;
    return page;
}

} // namespace heed::lab
