// Page 1: the attention layer step by step, on encoder states and on a sentence itself.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/score_info.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;

struct StepsInput {
    Matrix<double> queries, keys;
    std::vector<std::string> query_names, key_names;
};

bool asks_states(const Settings& s) { return s.integer("what") == 0; }

StepsInput steps_input(const Settings& s) {
    const Index d = s.integer("width");
    StepsInput input;
    if (asks_states(s)) {
        input.queries = draw_features(s.seed, "decoder state", 1, d);
        input.keys = draw_features(s.seed, "encoder states", 4, d);
        input.query_names = {"s"};
        input.key_names = {"h_{1}", "h_{2}", "h_{3}", "h_{4}"};
    } else {
        input.queries = input.keys = draw_features(s.seed, "tokens", 3, d);
        input.query_names = input.key_names = {"x_{1}", "x_{2}", "x_{3}"};
    }
    return input;
}

nn::Score score_of(const Settings& s) {
    return nn::kScoreInfos[static_cast<std::size_t>(s.integer("score"))].score;
}

Module steps_module(const Settings& s, nn::Score score) {
    Module module = draw_module(s.seed, {s.integer("width"), 1, score, s.on("scale")});
    module.heads[0].temperature = s.number("temperature");
    return module;
}

/// A score's formula with the width as the page writes it.
std::string formula_of(nn::Score score) {
    std::string formula = nn::formula(nn::info(score).row_formula, "q", "k");
    constexpr std::string_view kRoot = "√d";
    if (formula.ends_with(kRoot)) formula += "_{k}";
    return formula;
}

/// What is done to scores before the softmax; scaled dot has its scale inside.
std::string scaling_words(nn::Score score, double gamma) {
    if (gamma != 1) return fmt::format("times {:.3g}", gamma);
    return score == nn::Score::scaled_dot ? "not scaled further" : "not scaled";
}

std::vector<Picture> look_at_steps(const Settings& s) {
    const StepsInput in = steps_input(s);
    const nn::Score score = score_of(s);
    const Module module = steps_module(s, score);
    const auto cache = attend(module, in.queries, in.keys);
    const auto map = [&](trace::Stage stage) { return stage_of(cache, 0, stage); };
    const std::string formula = formula_of(score);
    std::vector<Picture> pictures;
    if (asks_states(s)) {
        pictures.push_back(
            matrix_picture("Decoder state s", "gives the query", in.queries, in.query_names));
    }
    pictures.push_back(matrix_picture(asks_states(s) ? "Encoder states h" : "Tokens X",
                                      asks_states(s) ? "give keys and values"
                                                     : "each is a query, a key and a value",
                                      in.keys, in.key_names));
    const auto& p = module.params;
    for (const auto& [title, weights] :
         {std::pair{"W_{Q}", &p.query}, {"W_{K}", &p.key}, {"W_{V}", &p.value}}) {
        pictures.push_back(
            matrix_picture(title, "random, as before training", weights->dense(), {}));
        auto& grid = std::get<Grid>(pictures.back().data);
        grid.row_word = "feature in";
        grid.col_word = "feature out";
    }
    pictures.push_back(matrix_picture("Queries Q", asks_states(s) ? "s W_{Q}" : "X W_{Q}", cache.q,
                                      in.query_names));
    const std::string read = asks_states(s) ? "h" : "X";
    pictures.push_back(matrix_picture("Keys K", read + " W_{K}", cache.k, in.key_names));
    pictures.push_back(matrix_picture("Values V", read + " W_{V}", cache.v, in.key_names));
    pictures.push_back(
        matrix_picture("Scores", formula, map(trace::Stage::scores), in.query_names, in.key_names));
    pictures.push_back(matrix_picture("Scaled scores",
                                      scaling_words(score, module.heads[0].gamma) +
                                          "\u00a0·\u00a0same colour range as Scores",
                                      map(trace::Stage::scaled), in.query_names, in.key_names));
    const double most = std::max(map(trace::Stage::scores).cwiseAbs().maxCoeff(),
                                 map(trace::Stage::scaled).cwiseAbs().maxCoeff());
    for (std::size_t i = pictures.size() - 2; i < pictures.size(); ++i) {
        std::get<Grid>(pictures[i].data).reach = most; // both in the same colours
        std::get<Grid>(pictures[i].data).row_word = "query";
        std::get<Grid>(pictures[i].data).col_word = "key";
        std::get<Grid>(pictures[i].data).bar_word = "score";
    }
    const double temperature = s.number("temperature");
    pictures.push_back(weights_picture(
        "Weights",
        temperature == 1 ? "softmax along each row"
                         : fmt::format("softmax of scores / {:.3g}, along each row", temperature),
        map(trace::Stage::weights), in.query_names, in.key_names));
    pictures.push_back(
        matrix_picture("Context", "the weighted sum of the values", cache.context, in.query_names));
    for (Picture& picture : pictures) {
        auto& grid = std::get<Grid>(picture.data);
        if (asks_states(s) && grid.row_word == "token") grid.row_word = "state";
    }
    return pictures;
}

/// Distance of a context beyond what its values span, feature by feature; 0 inside.
double outside(const Matrix<double>& context, const Matrix<double>& values) {
    double most = 0;
    for (Index c = 0; c < values.cols(); ++c) {
        const double low = values.col(c).minCoeff(), high = values.col(c).maxCoeff();
        for (Index i = 0; i < context.rows(); ++i) {
            most = std::max({most, low - context(i, c), context(i, c) - high});
        }
    }
    return most;
}

Result<Sample> measure_steps(const Settings& s, const Work&) {
    const StepsInput in = steps_input(s);
    const auto asked = attend(steps_module(s, score_of(s)), in.queries, in.keys);
    const Matrix<double> weights = stage_of(asked, 0, trace::Stage::weights);
    // The loops check the paper's score, whichever is shown.
    const Module paper = steps_module(s, nn::Score::scaled_dot);
    const auto cache = attend(paper, in.queries, in.keys);
    const ByHand hand = attend_by_hand(paper, in.queries, in.keys);
    const double off =
        std::max(largest_difference(stage_of(cache, 0, trace::Stage::weights), hand.weights),
                 largest_difference(cache.context, hand.context));
    Module sharp = paper;
    sharp.heads[0].temperature = 1e-6;
    const auto chosen = attend(sharp, in.queries, in.keys);
    double looked_up = 0;
    for (Index i = 0; i < hand.weights.rows(); ++i) {
        Index best = 0;
        hand.weights.row(i).maxCoeff(&best);
        looked_up =
            std::max(looked_up, (chosen.context.row(i) - chosen.v.row(best)).cwiseAbs().maxCoeff());
    }
    return Sample{
        {{"row_sum_error", "rows of weights, largest |Σ − 1|",
          (weights.rowwise().sum().array() - 1).abs().maxCoeff()},
         {"least_weight", "smallest weight", weights.minCoeff()},
         {"largest_weight", "largest weight", weights.maxCoeff()},
         {"outside", "context beyond the range of its values", outside(asked.context, asked.v)},
         {"by_hand", "scaled dot: largest difference when computed number by number", off},
         {"looked_up", "scaled dot: distance from a look-up, temperature\u00a010^{-6}",
          looked_up}}};
}

Judgement judge_steps(const std::vector<Number>& measured) {
    // The worst of all seeds: sentences say what none passes.
    const double sums = most_of(number(measured, "row_sum_error"));
    const double least = least_of(number(measured, "least_weight"));
    const double beyond = most_of(number(measured, "outside"));
    const double off = most_of(number(measured, "by_hand"));
    const double looked_up = most_of(number(measured, "looked_up"));
    constexpr double kExact = 1e-9;
    if (sums > kExact || least < 0 || beyond > kExact || off > kExact) {
        return {
            Verdict::does_not_hold,
            fmt::format("It is no weighted mean: rows of weights miss 1 by up to {:.2g}, the "
                        "smallest weight is {:.2g}, the context leaves the range of its values by "
                        "{:.2g}, and computed number by number it differs by {:.2g}.",
                        sums, least, beyond, off)};
    }
    const std::string mean = fmt::format(
        "The smallest weight of any seed is {}, every row adds up to {}, and no context "
        "leaves the range of its values: it is a weighted mean. Computed number by number, without "
        "matrices, it gives {}.",
        rounded_down(least, 2),
        sums == 0 ? "exactly 1" : fmt::format("1 (within {})", rounded_up(sums, 1)),
        off == 0 ? "exactly the same numbers"
                 : fmt::format("the same numbers (within {})", rounded_up(off, 1)));
    if (looked_up > 1e-6) {
        return {Verdict::depends,
                mean + fmt::format(" But near temperature 0 a context is still {:.2g} away from "
                                   "the value of the best key, because two scores are nearly "
                                   "equal: there it is no look-up.",
                                   looked_up)};
    }
    return {Verdict::holds, mean + " Near temperature 0 one weight becomes 1, and the context is "
                                   "the value of the best key: a look-up."};
}

std::optional<OnModel> steps_on_model(const models::Run& run, const Settings&) {
    const auto heads = heads_of(run, 1);
    if (heads.empty()) return std::nullopt;
    const auto map = run.trace.map(heads[0]);
    const num::Matrix<double> weights = first_rows(run, heads[0], trace::Stage::weights);
    double off = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        if (map->has_distribution(i)) off = std::max(off, std::abs(weights.row(i).sum() - 1));
    }
    OnModel seen;
    seen.words =
        fmt::format("In {} the rows of weights add up to {}.", words_of(heads[0]),
                    off == 0 ? "exactly 1" : fmt::format("1 within {}", rounded_up(off, 1))) +
        of_first_words(run, heads[0]);
    seen.pictures.push_back(picture_of(run, heads[0], weights, "Weights", words_of(heads[0])));
    seen.open = heads[0];
    return seen;
}

std::vector<std::string> score_names() {
    std::vector<std::string> names;
    for (const nn::ScoreInfo& info : nn::kScoreInfos) names.emplace_back(info.name);
    return names;
}

std::vector<std::string> scores_shown() {
    std::vector<std::string> shown;
    for (const nn::ScoreInfo& info : nn::kScoreInfos) shown.emplace_back(info.label);
    return shown;
}

} // namespace

Page steps_page() {
    Page page;
    page.name = "steps";
    page.group = "Attention";
    page.title = "What does an attention layer do, step by step?";
    page.words =
        "A query is compared with every key. Softmax turns the scores into weights that add up to "
        "1, and the context is the sum of the values weighted by them. In self-attention (3 "
        "tokens) queries, keys and values are projections of the same tokens.";
    page.formula = "c_{i} = Σ_{j} α_{ij} v_{j},  α_{ij} = \\frac{exp(score(q_{i}, k_{j}))}{Σ_{m} "
                   "exp(score(q_{i}, k_{m}))}";
    page.claim = "The context is a weighted mean of the values: a soft look-up.";
    page.source = "Bahdanau et al. 2015, section 3.1; Vaswani et al. 2017, section 3.2";
    page.parameters = {
        choice("what", "Shown",
               "One query over four encoder states, or self-attention among three tokens.",
               {"states", "tokens"}, 0, {"4 states", "3 tokens"}),
        choice("score", "Score", "How a query is compared with a key.", score_names(), 3,
               scores_shown()),
        whole("width", "Width d_{k}", "Features of a token, a query, a key and a value.", 2, 12, 4),
        toggle("scale", "Scale by 1/√d_{k}",
               "Of dot, bilinear and squared distance; scaled dot has it inside.", true),
        real("temperature", "Temperature", "Scores are divided by it before the softmax.", 0.05, 20,
             1, true)};
    page.parameters[3].idle = [](const Settings& s) -> std::string {
        const nn::Score score = score_of(s);
        if (score == nn::Score::scaled_dot) return "scaled dot already includes it";
        return nn::info(score).scales
                   ? ""
                   : fmt::format("{} is not divided by it", nn::info(score).label);
    };
    page.look = look_at_steps;
    page.measure_seed = measure_steps;
    page.judge = judge_steps;
    page.on_model = steps_on_model;
    return page;
}

} // namespace heed::lab
