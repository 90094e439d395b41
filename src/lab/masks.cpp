// Page 7: what a mask has to add, and what leaks without one.
#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/softmax_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::lab {

namespace {

using base::Result;

/// A number that is added to the score of a later word.
struct Added {
    const char *name, *shown;
    double value;
};
constexpr Added kAdded[] = {{"-1e-9", "−10⁻⁹", -1e-9},
                            {"-1", "−1", -1},
                            {"-10", "−10", -10},
                            {"-100", "−100", -100},
                            {"-1e4", "−10⁴", -1e4},
                            {"-1e9", "−10⁹", -1e9},
                            {"-inf", "−∞", -std::numeric_limits<double>::infinity()}};

struct Leak {
    Matrix<double> weights;
    double future = 0; // mean share that a word gives to later ones; the last has none
    double change = 0; // of what earlier words get when the last one is replaced, largest
};

Matrix<double> scaled_scores(const Module& module, const Matrix<double>& x) {
    return stage_of(attend(module, x, x), 0, trace::Stage::scaled);
}

/// Weights of scores that get `added` above the diagonal.
Matrix<double> weights_with(Matrix<double> scores, double added) {
    for (Index i = 0; i < scores.rows(); ++i) {
        for (Index j = i + 1; j < scores.cols(); ++j) scores(i, j) += added;
        nn::softmax_row(num::row_span(scores, i));
    }
    return scores;
}

/// Weights by the mask that models have.
Matrix<double> weights_masked(Module module, const Matrix<double>& x) {
    module.heads[0].mask = causal_mask();
    return stage_of(attend(module, x, x), 0, trace::Stage::weights);
}

double future_share(const Matrix<double>& weights) {
    double sum = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        for (Index j = i + 1; j < weights.cols(); ++j) sum += weights(i, j);
    }
    // The last word of all has nothing behind it.
    return sum /
           static_cast<double>(std::max<Index>(std::min(weights.rows(), weights.cols() - 1), 1));
}

struct MaskScene {
    Module module;
    Matrix<double> x, changed; // the last word is another one in `changed`
};

MaskScene scene_of(const Settings& s) {
    const Index n = s.integer("words"), d = s.integer("width");
    MaskScene scene{draw_module(s.seed, {d}), draw_features(s.seed, "words", n, d), {}};
    scene.changed = scene.x;
    scene.changed.row(n - 1) = draw_features(s.seed, "another word", 1, d);
    return scene;
}

/// The largest difference of contexts but for the last word's.
double change_of(const MaskScene& scene, const Matrix<double>& before,
                 const Matrix<double>& after) {
    const Matrix<double> w_v = scene.module.params.value.dense();
    const Index earlier = scene.x.rows() - 1;
    const Matrix<double> was = before * scene.x * w_v, is = after * scene.changed * w_v;
    return largest_difference(was.topRows(earlier), is.topRows(earlier));
}

Leak leak_with(const MaskScene& scene, double added) {
    Leak leak;
    leak.weights = weights_with(scaled_scores(scene.module, scene.x), added);
    leak.future = future_share(leak.weights);
    leak.change = change_of(scene, leak.weights,
                            weights_with(scaled_scores(scene.module, scene.changed), added));
    return leak;
}

Leak leak_masked(const MaskScene& scene) {
    Leak leak;
    leak.weights = weights_masked(scene.module, scene.x);
    leak.future = future_share(leak.weights);
    leak.change = change_of(scene, leak.weights, weights_masked(scene.module, scene.changed));
    return leak;
}

const Added& added_of(const Settings& s) {
    return kAdded[static_cast<std::size_t>(s.integer("added"))];
}

std::vector<Picture> look_at_masks(const Settings& s) {
    const MaskScene scene = scene_of(s);
    const Added& added = added_of(s);
    const Leak off = leak_with(scene, 0), tried = leak_with(scene, added.value),
               masked = leak_masked(scene);
    const auto words = numbered("w", scene.x.rows());
    Curves curves;
    curves.series = {{"% of attention on later words"}};
    const Matrix<double> scores = scaled_scores(scene.module, scene.x);
    for (int eighth = -72; eighth <= 32; ++eighth) {
        const double exponent = eighth / 8.0;
        curves.xs.push_back(exponent);
        const Matrix<double> weights = weights_with(scores, -std::pow(10.0, exponent));
        curves.series[0].values.push_back(100 * future_share(weights));
    }
    curves.x_word = "log_{10} of a, where −a is added";
    if (const double at = std::log10(-added.value); at <= curves.xs.back()) {
        curves.now = at;
        curves.now_words = fmt::format("{} added", added.shown);
    }
    const auto words_of_leak = [&](const Leak& leak) {
        const Index rows = leak.weights.rows() - 1; // the last word has none behind it
        return fmt::format("row{} 1{}: {} on later words on average\u00a0·\u00a0seed\u00a0{}",
                           rows == 1 ? "" : "s", rows == 1 ? "" : fmt::format("–{}", rows),
                           percent_in_digits({"", "", leak.future}, 3), s.seed);
    };
    std::vector<Picture> pictures = {
        weights_picture("No mask", words_of_leak(off), off.weights, words, words),
        weights_picture(std::string(added.shown) + " added", words_of_leak(tried), tried.weights,
                        words, words),
        weights_picture("The usual mask, −∞", words_of_leak(masked), masked.weights, words, words)};
    set_in_one_span(pictures);
    for (Picture& map : pictures) std::get<Grid>(map.data).zeros = true; // a small one is none
    pictures.push_back(
        {"What leaks",
         fmt::format("mean attention of a word on later words\u00a0·\u00a0seed\u00a0{}", s.seed),
         curves});
    return pictures;
}

/// The largest weight of a row whose keys are all forbidden.
double row_of_nothing(const MaskScene& scene, double added) {
    Matrix<double> row = scaled_scores(scene.module, scene.x).topRows(1);
    row.array() += added;
    nn::softmax_row(num::row_span(row, 0));
    return row.maxCoeff();
}

Result<Sample> measure_masks(const Settings& s, const Work&) {
    const MaskScene scene = scene_of(s);
    const Added& added = added_of(s);
    const Leak off = leak_with(scene, 0), tried = leak_with(scene, added.value),
               masked = leak_masked(scene);
    const std::string name = added.shown;
    return Sample{
        {{"added", "added to forbidden scores", added.value},
         {"future_off", "share on later words, no mask", off.future, 0, kShare},
         {"future_added", "share on later words, " + name + " added", tried.future, 0, kShare},
         {"future_masked", "share on later words, −∞", masked.future, 0, kShare},
         {"change_off", "largest change of an earlier context, no mask", off.change},
         {"change_added", "largest change of an earlier context, " + name + " added", tried.change},
         {"change_masked", "largest change of an earlier context, −∞", masked.change},
         {"nothing_large", "largest weight when every key is masked with −10^{9}",
          row_of_nothing(scene, -1e9)},
         {"nothing_infinite", "weights when every key is masked with −∞, in Heed",
          row_of_nothing(scene, -std::numeric_limits<double>::infinity())}}};
}

/// Added number as a person writes it: "−10⁻⁹", "−∞".
std::string added_words(double value) {
    for (const Added& added : kAdded) {
        if (added.value == value) return added.shown;
    }
    return fmt::format("{:g}", value);
}

Judgement judge_masks(const std::vector<Number>& measured) {
    const auto value = [&](const char* name) { return number(measured, name).value; };
    const auto words = [&](const char* name) { return in_digits(number(measured, name)); };
    const auto share = [&](const char* name) { return percent_in_digits(number(measured, name)); };
    const double off = value("future_off"), leaks = value("future_added");
    const std::string what = added_words(value("added"));
    if (leaks == 0) {
        return {Verdict::holds,
                fmt::format("{} masks: later words get exactly 0, where without a mask a word "
                            "gives them {} of its attention. Only −∞ is a mask in every row: "
                            "where all keys are forbidden, −10⁹ still gives one a weight of {}, "
                            "and −∞ gives, by Heed's choice, {:g}.",
                            what, share("future_off"), words("nothing_large"),
                            value("nothing_infinite"))};
    }
    if (leaks > 0.5 * off) {
        return {
            Verdict::does_not_hold,
            fmt::format("{} does not mask: on average a word gives {} of its attention to later "
                        "words, and without any mask it gives {}. When the last word is replaced, "
                        "the largest change of an earlier context is {}. With −∞ both are {:g}.",
                        what, share("future_added"), share("future_off"), words("change_added"),
                        value("future_masked"))};
    }
    return {Verdict::depends,
            fmt::format("{} masks in part: later words get {} of a word's attention instead of {}. "
                        "It depends on how large the scores are that it is added to; −∞ leaves "
                        "{} whatever they are.",
                        what, share("future_added"), share("future_off"), share("future_masked"))};
}

std::optional<OnModel> masks_on_model(const models::Run& run, const Settings&) {
    std::optional<trace::HeadId> worst;
    double most = -1, now = 0;
    for (const trace::HeadId& id : heads_of(run)) {
        if (id.kind != trace::AttentionKind::decoder_self) continue;
        Matrix<double> open = first_rows(run, id, trace::Stage::scaled);
        if (open.rows() < 2 || !open.allFinite()) continue;
        for (Index i = 0; i < open.rows(); ++i) nn::softmax_row(num::row_span(open, i));
        const double share = future_share(open);
        if (share <= most) continue;
        worst = id;
        most = share;
        now = future_share(first_rows(run, id, trace::Stage::weights));
    }
    if (!worst) return std::nullopt;
    OnModel seen;
    seen.words = fmt::format("{} gives {} of its attention to later words now, and would give {} "
                             "without its causal mask.",
                             capitalised(words_of(*worst)), percent_in_digits({"", "", now}, 3),
                             percent_in_digits({"", "", most}, 3)) +
                 of_first_words(run, *worst);
    seen.pictures = {picture_of(run, *worst, first_rows(run, *worst, trace::Stage::weights),
                                "Weights", words_of(*worst))};
    seen.open = worst;
    models::HeadControls none;
    none.mask = nn::Mask{};
    seen.controls = with(run, *worst, none);
    seen.controls_words = "without its mask";
    return seen;
}

std::vector<std::string> added_names() {
    std::vector<std::string> names;
    for (const Added& added : kAdded) names.emplace_back(added.name);
    return names;
}

std::vector<std::string> added_shown() {
    std::vector<std::string> shown;
    for (const Added& added : kAdded) shown.push_back(added.shown);
    return shown;
}

} // namespace

Page masks_page() {
    Page page;
    page.name = "masks";
    page.group = "Attention";
    page.title = "What does a mask have to add?";
    page.words =
        "A causal mask keeps a word from attending to later ones: it adds a large negative number "
        "to their scores, so that softmax leaves them nothing. −10⁻⁹ is almost 0 and, typed as "
        "-1e-9, easily taken for −10⁹. Choose a number and see what leaks.";
    page.formula =
        "softmax(\\frac{QK^{T}}{\\sqrt{d_{k}}} + M),  M_{ij} = −∞ where j > i, 0 elsewhere";
    page.claim = "Adding the chosen number to the score of a later word masks it.";
    page.source = "Vaswani et al. 2017, section 3.2.3";
    page.parameters = {choice("added", "Added to forbidden scores", "−10⁻⁹ is a slip for −10⁹.",
                              added_names(), 0, added_shown()),
                       whole("words", "Words", "Of the sentence.", 2, 24, 8),
                       whole("width", "Width d_{k}", "Features of a word.", 2, 64, 16, true)};
    page.look = look_at_masks;
    page.measure_seed = measure_masks;
    page.judge = judge_masks;
    page.on_model = masks_on_model;
    return page;
}

} // namespace heed::lab
