// Page 8: one head of full width against many narrow ones, and heads that are removed.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "lab/trained.hpp"
#include "nn/layers/cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace heed::lab {

namespace {

using base::Result;

constexpr Index kWidthOfHeads = 32;

int heads_of_settings(const Settings& s) { return 2 << s.integer("heads"); }

/// Multiplications of one module by formula: four maps of n × d by d × d, and in each head n × n
/// products of rows of d / h, twice.
double multiplications(Index n, Index d, Index h) {
    return static_cast<double>(4 * n * d * d + h * (2 * n * n * (d / h)));
}

double numbers_in(const Module& module) {
    const auto size = [](const num::Weights<double>& w) {
        return static_cast<double>(w.in() * w.out());
    };
    return size(module.params.query) + size(module.params.key) + size(module.params.value) +
           size(module.params.output);
}

/// Share of the output's size that changes when a head gives nothing.
double without_head(const Module& module, const Matrix<double>& x, std::size_t head) {
    Module less = module;
    less.heads[head].gain = 0;
    const Matrix<double> all = attend(module, x, x).output;
    return (attend(less, x, x).output - all).norm() / all.norm();
}

constexpr int kAllHeads = 4, kMostHeads = 2;

/// All of a few heads, of more those whose removal changes most.
std::vector<int> shown_heads(const std::vector<double>& changes) {
    std::vector<int> heads(changes.size());
    std::iota(heads.begin(), heads.end(), 0);
    if (std::ssize(heads) <= kAllHeads) return heads;
    const auto change = [&](int head) { return changes[static_cast<std::size_t>(head)]; };
    std::ranges::stable_sort(heads, std::greater{}, change);
    heads.resize(kMostHeads);
    std::ranges::sort(heads);
    return heads;
}

std::vector<Picture> look_at_heads(const Settings& s) {
    const int h = heads_of_settings(s);
    const Matrix<double> x = draw_features(s.seed, "words", 8, kWidthOfHeads);
    const Module one = draw_module(s.seed, {kWidthOfHeads, 1});
    const Module many = draw_module(s.seed, {kWidthOfHeads, h});
    const auto words = numbered("w", x.rows());
    std::vector<Picture> pictures = {
        weights_picture("One head of full width",
                        fmt::format("d_{{k}} = {}, random, as before training", kWidthOfHeads),
                        stage_of(attend(one, x, x), 0, trace::Stage::weights), words, words)};
    const auto cache = attend(many, x, x);
    Bars bars;
    bars.labels = numbered("head", h);
    bars.series = {{"change of the output"}};
    bars.y_word = "change of the output, relative to its size";
    for (int i = 0; i < h; ++i) {
        bars.series[0].values.push_back(without_head(many, x, static_cast<std::size_t>(i)));
    }
    for (const int i : shown_heads(bars.series[0].values)) {
        pictures.push_back(weights_picture(
            fmt::format("Head {} of {}", i + 1, h),
            fmt::format("d_{{k}} = {}, random, as before training{}", kWidthOfHeads / h,
                        h > kAllHeads
                            ? fmt::format("; {} of {} shown: those that matter most", kMostHeads, h)
                            : ""),
            stage_of(cache, i, trace::Stage::weights), words, words));
    }
    set_in_one_span(pictures);
    pictures.push_back(
        {"Without a head", "of a random attention layer, before any training", bars});
    return pictures;
}

/// Mean −ln p of the words of some held-out pairs, with these controls.
Result<double> loss_with(const Outcome& outcome, const train::Dataset& data,
                         const models::Controls& controls, const Work& work) {
    double loss = 0;
    Index counted = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(data.pairs.size(), 24); ++i) {
        if (work.stopped()) return cancelled();
        const auto pair = train::run_pair(work.pool, outcome.model, data.pairs[i]);
        if (!pair) return tl::make_unexpected(pair.error());
        const auto run = models::run(outcome.model, (*pair)->input, controls, work.pool);
        if (!run) return tl::make_unexpected(run.error());
        Matrix<float> logits = outcome.model->logits(**run, work.pool);
        std::vector<Index> targets;
        for (const std::string& word : data.pairs[i].target) {
            targets.push_back(outcome.model->vocabulary_row(word));
        }
        targets.resize(static_cast<std::size_t>(logits.rows()), nn::kNotCounted);
        const auto found = nn::cross_entropy<float>(logits, targets, 0.f, 0.f);
        loss += found.loss;
        counted += found.counted;
    }
    return counted == 0 ? 0.0 : loss / static_cast<double>(counted);
}

struct Removed {
    std::vector<std::string> names;
    std::vector<double> losses; // more than with all heads, nats a word
};

Result<Removed> remove_each(const Outcome& outcome, const train::Dataset& data, int heads,
                            const Work& work) {
    Removed removed;
    const auto all = loss_with(outcome, data, {}, work);
    if (!all) return tl::make_unexpected(all.error());
    for (const trace::AttentionKind kind : trace::kAttentionKinds) {
        for (int head = 0; head < heads; ++head) {
            models::Controls controls;
            models::HeadControls off;
            off.gain = 0.f;
            controls.set({kind, 0, head}, off);
            removed.names.push_back(fmt::format("{} {}", trace::name(kind), head + 1));
            const auto loss = loss_with(outcome, data, controls, work);
            if (!loss) return tl::make_unexpected(loss.error());
            removed.losses.push_back(*loss - *all);
        }
    }
    return removed;
}

Result<Sample> measure_heads(const Settings& s, const Work& work) {
    const int h = heads_of_settings(s);
    const auto options = sentences_for(s.seed, 6000, 200, 8);
    const auto data = train::prepare_dataset(train::Task::reverse, options);
    if (!data) return tl::make_unexpected(data.error());
    std::vector<std::pair<std::string, Outcome>> outcomes;
    for (const int heads : {1, h}) {
        const models::Config config = tiny_transformer(s.seed, kWidthOfHeads, heads);
        const Course course{fmt::format("{} head{}", heads, heads == 1 ? "" : "s"),
                      plan_for(config, options, train::Task::reverse, s.seed, s.integer("steps")),
                      *data};
        auto outcome = learn(course, work, {outcomes.size(), 2});
        if (!outcome) return tl::make_unexpected(outcome.error());
        outcomes.emplace_back(course.words, *std::move(outcome));
    }
    const auto made = remove_each(outcomes[1].second, **data, h, work);
    if (!made) return tl::make_unexpected(made.error());
    const Removed& removed = *made;
    constexpr double kLittle = 0.1; // nats a word
    const auto spared = std::count_if(removed.losses.begin(), removed.losses.end(),
                                      [](double loss) { return loss < kLittle; });
    const Module one = draw_module(s.seed, {kWidthOfHeads, 1});
    const Module many = draw_module(s.seed, {kWidthOfHeads, h});
    const auto right = [&](std::size_t i) { return outcomes[i].second.measures.exact_match; };
    const std::string all = fmt::format("{} heads", h);
    Sample sample;
    sample.measured = {
        {"heads", "heads", static_cast<double>(h)},
        {"parameters_one", "parameters, one head", numbers_in(one)},
        {"parameters_many", "parameters, " + all, numbers_in(many)},
        {"multiplications_one", "multiplications for 8 words by formula, one head",
         multiplications(8, kWidthOfHeads, 1)},
        {"multiplications_many", "multiplications for 8 words by formula, " + all,
         multiplications(8, kWidthOfHeads, h)},
        {"right_one", "sentence accuracy, one head", right(0), 0, kShare},
        {"right_many", "sentence accuracy, " + all, right(1), 0, kShare},
        {"many_minus_one", "difference, seed by seed", right(1) - right(0), 0, kPoints},
        {"spared", "share of heads whose removal costs less than 0.1 nats",
         static_cast<double>(spared) / static_cast<double>(removed.losses.size()), 0, kShare},
        {"worst_removal", "cost of removing the most important head",
         *std::max_element(removed.losses.begin(), removed.losses.end()), 0, "nats"}};
    sample.pictures = {{"Without one head, after training", "what each one saves", Bars{}},
                       loss_picture("Training loss", outcomes, s.integer("steps"))};
    std::get<Bars>(sample.pictures[0].data) = {
        removed.names, {{"loss", removed.losses}}, "nats a word more"};
    return sample;
}

Judgement judge_heads(const std::vector<Number>& measured) {
    const auto of = [&](const char* name) -> const Number& { return number(measured, name); };
    const auto count_of = [&](const char* name) {
        return grouped(fmt::format("{:.0f}", of(name).value));
    };
    const Number& difference = of("many_minus_one");
    const bool same_cost = of("parameters_one").value == of("parameters_many").value &&
                           of("multiplications_one").value == of("multiplications_many").value;
    const bool told_apart = beyond_spread(difference, 0.01);
    const bool better = told_apart && difference.value > 0;
    const bool worse = told_apart && difference.value < 0;
    const std::string words = fmt::format(
        "{:g} heads {} one of full width: {} and {} parameters, {} and {} "
        "multiplications for 8 words. After the same training they get {} of the sentences fully "
        "correct and one head {}: {}. Removed one at a time, {} of the heads cost less than 0.1 "
        "nats a word; the most important one costs {}.",
        of("heads").value, same_cost ? "cost as much as" : "do not cost the same as",
        count_of("parameters_many"), count_of("parameters_one"), count_of("multiplications_many"),
        count_of("multiplications_one"), percent_of(of("right_many")), percent_of(of("right_one")),
        points_of(difference), percent_of(of("spared")), in_digits(of("worst_removal")));
    if (worse || !same_cost) {
        return {Verdict::does_not_hold, words + (worse ? " One head is the better." : "")};
    }
    if (better) return {Verdict::holds, words};
    return {Verdict::depends,
            words + " The difference is within the spread: these seeds do not tell the two apart."};
}

std::optional<OnModel> heads_on_model(const models::Run& run, const Settings&) {
    const auto heads = heads_of(run);
    if (heads.empty()) return std::nullopt;
    const trace::HeadId first = heads.front();
    std::optional<trace::HeadId> second;
    double alike = -1;
    const Matrix<double> a = first_rows(run, first, trace::Stage::weights);
    for (const trace::HeadId& id : heads) {
        if (id == first || id.kind != first.kind || id.layer != first.layer) continue;
        const Matrix<double> b = first_rows(run, id, trace::Stage::weights);
        const double shared = 1 - (a - b).cwiseAbs().rowwise().sum().mean() / 2;
        if (shared > alike) {
            alike = shared;
            second = id;
        }
    }
    if (!second) return std::nullopt;
    OnModel seen;
    const std::string own = words_of(*second);
    seen.words = fmt::format("In {} head {} is most like head {}: they share {:.0f} % of their "
                             "attention.",
                             own.substr(0, own.find(" · ")) + ",", second->head + 1, first.head + 1,
                             100 * alike) +
                 of_first_words(run, first);
    for (const trace::HeadId& id : {first, *second}) {
        seen.pictures.push_back(picture_of(run, id, first_rows(run, id, trace::Stage::weights),
                                           "Weights", words_of(id)));
    }
    seen.open = second;
    models::HeadControls off;
    off.gain = 0.f;
    seen.controls = with(run, *second, off);
    seen.controls_words = fmt::format("without head {}", second->head + 1);
    return seen;
}

} // namespace

Page heads_page() {
    Page page;
    page.name = "heads";
    page.group = "Attention";
    page.title = "One wide head, or many narrow ones?";
    page.words = fmt::format(
        "Together, h heads of width d_{{model}}/h, joined by W_{{O}}, have as many parameters and "
        "multiplications as one head of full width d_{{model}}\u00a0=\u00a0{}. “Measure” trains "
        "a transformer of each kind to reverse strings, then removes the heads one at a time.",
        kWidthOfHeads);
    page.formula = "MultiHead(X) = [head_{1}; …; head_{h}] W_{O},  d_{k} = \\frac{d_{model}}{h}";
    page.claim = "At the same cost, several heads learn better than one.";
    page.source = "Vaswani et al. 2017, section 3.2.2 and table 3 (A); Michel et al. 2019, "
                  "section 3";
    page.parameters = {
        choice("heads", "Heads h", "Of the transformer that is compared with one of a single head.",
               {"2", "4", "8", "16"}, 1),
        whole("steps", "Training steps", "Batches of 32 strings.", 50, 3000, 800, true)};
    page.n_seeds = 3;
    page.seconds = 20;
    page.work_of = [](const Settings& s) { return s.number("steps"); };
    page.look = look_at_heads;
    page.measure_seed = measure_heads;
    page.judge = judge_heads;
    page.on_model = heads_on_model;
    return page;
}

} // namespace heed::lab
