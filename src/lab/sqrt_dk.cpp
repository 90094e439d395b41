// Page 2: why scores are divided by √d_k.
#include "lab/all_pages.hpp"
#include "lab/draws.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "num/dot_histogram.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::lab {

namespace {

using base::Result;

constexpr Index kManyQueries = 200; // that the means of weights are over

num::FeatureDraws features_of(const Settings& s) {
    return s.integer("features") == 0 ? num::FeatureDraws::normal : num::FeatureDraws::uniform;
}

/// softmax of the scores of some queries against the keys, by the functions of every head.
Matrix<double> scaled_weights(num::ConstView<double> q, num::ConstView<double> k, double gamma) {
    Matrix<double> weights(q.rows(), k.rows());
    nn::scores<double>(nn::Score::dot, nullptr, q, k, gamma, num::view(weights));
    for (Index i = 0; i < weights.rows(); ++i) nn::softmax_row(num::row_span(weights, i));
    return weights;
}

struct ProductMoments {
    double mean = 0, variance = 0;
};

/// Mean and variance of products of drawn vectors, in portions between which it stops when told.
Result<ProductMoments> dots(const Settings& s, int width, int draws, const Work& work) {
    constexpr int kPortion = 5000;
    num::DotHistogramOptions options;
    options.d_k = width;
    options.features = features_of(s);
    double sum = 0, squares = 0;
    for (int done = 0; done < draws; done += options.draws) {
        if (work.stopped()) return cancelled();
        options.draws = std::min(kPortion, draws - done);
        // Far from the seeds of the page's other draws.
        options.seed = s.seed + 1'000'003 * static_cast<std::uint64_t>(done);
        const num::DotHistogram part = num::dot_histogram(options);
        sum += options.draws * part.mean;
        squares += options.draws * (part.variance + part.mean * part.mean);
    }
    const double mean = sum / draws;
    return ProductMoments{mean, squares / draws - mean * mean};
}

/// Shares of the numbers in bins, as a density.
Series densities(std::string name, const Matrix<double>& numbers, const Histogram& histogram,
                 std::size_t bins) {
    Series series{std::move(name), std::vector<double>(bins)};
    const double width = (histogram.to - histogram.from) / static_cast<double>(bins);
    for (Index i = 0; i < numbers.size(); ++i) {
        const double place = std::floor((numbers.data()[i] - histogram.from) / width);
        if (place < 0 || place >= static_cast<double>(bins)) continue;
        series.values[static_cast<std::size_t>(place)] +=
            1 / (static_cast<double>(numbers.size()) * width);
    }
    return series;
}

double deviation_of(const Matrix<double>& numbers) {
    return std::sqrt((numbers.array() - numbers.mean()).square().mean());
}

/// An odd number of bins over 7 standard deviations of q·k, in which a deviation of 1 is still a
/// curve and no triangle.
std::size_t bins_of(double d_k) {
    constexpr double kWidth = 0.35, kFewest = 30, kMost = 150; // halves
    const double half = std::clamp(3.5 * std::sqrt(d_k) / kWidth, kFewest, kMost);
    return 2 * static_cast<std::size_t>(half) + 1;
}

/// Colours of a page: scaled series have the first one, as what should be.
void colour_by_scale(std::vector<Series>& unscaled_and_scaled) {
    unscaled_and_scaled[0].colour = 1;
    unscaled_and_scaled[1].colour = 0;
}

/// The products of some queries with as many keys: no more than a slider can wait for.
Picture histogram_picture(const Settings& s) {
    constexpr Index kRows = 128;
    const std::size_t bins = bins_of(s.number("d_k"));
    const Index d = s.integer("d_k");
    const auto q = draw_features(s.seed, "all queries", kRows, d, features_of(s));
    const auto k = draw_features(s.seed, "all keys", kRows, d, features_of(s));
    Matrix<double> products(kRows, kRows);
    nn::scores<double>(nn::Score::dot, nullptr, num::view(q), num::view(k), 1, num::view(products));
    const double d_k = s.number("d_k"), reach = 3.5 * std::sqrt(d_k);
    const Matrix<double> scaled = products / std::sqrt(d_k);
    Histogram histogram{-reach, reach, {}, {}, "score", "density"};
    histogram.counts = {densities("q·k", products, histogram, bins),
                        densities("q·k/√d_{k}", scaled, histogram, bins)};
    colour_by_scale(histogram.counts);
    Series normal{"normal, variance d_{k}"};
    for (std::size_t i = 0; i < bins; ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(bins);
        const double x = reach * (2 * share - 1);
        normal.values.push_back(std::exp(-x * x / (2 * d_k)) /
                                std::sqrt(2 * std::numbers::pi * d_k));
    }
    histogram.closed.push_back(normal);
    return {
        "Distribution of q·k",
        fmt::format("drawn here: {} × {} pairs of seed {}; standard deviations {:.2f} and {:.2f}",
                    kRows, kRows, s.seed, deviation_of(products), deviation_of(scaled)),
        histogram};
}

/// Widths of a curve, each about twice the one before; the present one is among them.
std::vector<double> widths(double d_k) {
    std::vector<double> widths = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    *std::ranges::min_element(widths, {},
                              [&](double width) { return std::abs(std::log(width / d_k)); }) = d_k;
    return widths;
}

/// Picture with colours that reach as far as `most`: the two of a page are compared.
Picture jacobian_picture(const char* title, const char* of, const Matrix<double>& jacobian,
                         double most) {
    Grid grid;
    grid.values = grid_values(jacobian);
    grid.signed_values = true;
    grid.reach = most;
    grid.row_word = "weight";
    grid.col_word = "score";
    grid.bar_word = "∂y/∂x";
    return {title, of, grid};
}

/// The weights of many queries over the same keys, with the scale and without it.
struct DrawnWeights {
    Matrix<double> unscaled, scaled;
};

DrawnWeights draw_weights(const Settings& s, Index d) {
    const auto q = draw_features(s.seed, "many queries", kManyQueries, d, features_of(s));
    const auto k = draw_features(s.seed, "many keys", s.integer("keys"), d, features_of(s));
    const double gamma = 1 / std::sqrt(static_cast<double>(d));
    return {scaled_weights(num::view(q), num::view(k), 1),
            scaled_weights(num::view(q), num::view(k), gamma)};
}

/// The largest weight of a row, averaged over the rows.
double mean_largest(const Matrix<double>& weights) { return weights.rowwise().maxCoeff().mean(); }

/// The query whose largest weights are nearest to their means.
Index typical_query(const DrawnWeights& drawn) {
    const Matrix<double> unscaled = drawn.unscaled.rowwise().maxCoeff(),
                         scaled = drawn.scaled.rowwise().maxCoeff();
    Index nearest = 0, column = 0;
    ((unscaled.array() - unscaled.mean()).square() + (scaled.array() - scaled.mean()).square())
        .minCoeff(&nearest, &column);
    return nearest;
}

std::vector<Picture> look(const Settings& s) {
    const Index n_keys = s.integer("keys");
    const DrawnWeights drawn = draw_weights(s, s.integer("d_k"));
    const Index query = typical_query(drawn);
    const RowVector<double> unscaled = drawn.unscaled.row(query), scaled = drawn.scaled.row(query);
    Bars bars;
    for (Index j = 0; j < n_keys; ++j) bars.labels.push_back(std::to_string(j + 1));
    bars.series = {{"q·k", {unscaled.begin(), unscaled.end()}},
                   {"q·k/√d_{k}", {scaled.begin(), scaled.end()}}};
    colour_by_scale(bars.series);
    bars.y_word = "weight of each key";
    const Matrix<double> unscaled_jacobian = num::softmax_jacobian<double>(unscaled),
                         scaled_jacobian = num::softmax_jacobian<double>(scaled);
    const double most =
        std::max(unscaled_jacobian.cwiseAbs().maxCoeff(), scaled_jacobian.cwiseAbs().maxCoeff());
    return {histogram_picture(s),
            {fmt::format("Weights of a typical query over {} keys", n_keys),
             fmt::format("largest {:.2f} for q·k, {:.2f} for q·k/√dₖ; "
                         "average of {}:\u00a0{:.2f},\u00a0{:.2f}",
                         unscaled.maxCoeff(), scaled.maxCoeff(), kManyQueries,
                         mean_largest(drawn.unscaled), mean_largest(drawn.scaled)),
             bars},
            jacobian_picture("Jacobian, unscaled", "diag(y) − yy^{T}, y = softmax(q·k)",
                             unscaled_jacobian, most),
            jacobian_picture("Jacobian, scaled", "diag(y) − yy^{T}, y = softmax(q·k/√d_{k})",
                             scaled_jacobian, most)};
}

double mean_entropy(const Matrix<double>& weights) {
    double bits = 0;
    for (Index i = 0; i < weights.rows(); ++i) {
        bits += num::entropy_bits<double>(RowVector<double>(weights.row(i)));
    }
    return bits / static_cast<double>(weights.rows());
}

/// Curves over the widths, of which the settings have one.
Curves over_widths(const Settings& s, std::vector<Series> series) {
    Curves curves{widths(s.number("d_k")), std::move(series), true};
    curves.x_word = "d_{k}";
    mark_nearest(curves, s.number("d_k"), "at d_{k} = ");
    return curves;
}

/// The gradients that the numbers have at one width, at each: the same draws.
Result<Picture> gradient_picture(const Settings& s, const Work& work) {
    Curves curves = over_widths(s, {{"q·k"}, {"q·k/√d_{k}"}});
    for (const double width : curves.xs) {
        if (work.stopped()) return cancelled();
        const DrawnWeights drawn = draw_weights(s, static_cast<Index>(width));
        curves.series[0].values.push_back(mean_jacobian_norm(drawn.unscaled));
        curves.series[1].values.push_back(mean_jacobian_norm(drawn.scaled));
    }
    colour_by_scale(curves.series);
    curves.y_word = "‖∂y/∂x‖";
    return Picture{
        "Size of the softmax's gradient",
        fmt::format("of {} queries of each seed, {} keys", kManyQueries, s.integer("keys")),
        curves};
}

Result<Picture> variance_picture(const Settings& s, const Work& work) {
    Curves curves = over_widths(s, {{"variance of q·k"}, {"d_{k}"}});
    curves.log_y = true;
    curves.series[1].values = curves.xs;
    curves.series[0].colour = 1; // that of q·k, as in every card
    curves.series[1].colour = 2;
    curves.now_values = false; // of few pairs: the numbers beside have more
    for (const double width : curves.xs) {
        const auto products = dots(s, static_cast<int>(width), 1000, work);
        if (!products) return tl::make_unexpected(products.error());
        curves.series[0].values.push_back(products->variance);
    }
    return Picture{"Variance of q·k against d_{k}", "1000 pairs at each width", curves};
}

Result<Sample> measure_scale(const Settings& s, const Work& work) {
    const auto unscaled = dots(s, s.integer("d_k"), s.integer("draws"), work);
    if (!unscaled) return tl::make_unexpected(unscaled.error());
    const Index d = s.integer("d_k");
    const auto [unscaled_weights, weights] = draw_weights(s, d);
    const double before = mean_jacobian_norm(unscaled_weights), after = mean_jacobian_norm(weights);
    const auto gradients = gradient_picture(s, work);
    if (!gradients) return tl::make_unexpected(gradients.error());
    const auto variances = variance_picture(s, work);
    if (!variances) return tl::make_unexpected(variances.error());
    // The same draws: the variance is divided by d_k where they are by √d_k.
    const double variance = unscaled->variance, scaled = variance / static_cast<double>(d);
    return Sample{
        {{"d_k", "width of q and k, d_{k}", static_cast<double>(d)},
         {"mean", "mean of q·k", unscaled->mean},
         {"variance_unscaled", "variance of q·k", variance},
         {"deviation_unscaled", "standard deviation of q·k", std::sqrt(variance)},
         {"variance_scaled", "variance of q·k/√d_{k}", scaled},
         {"deviation_scaled", "standard deviation of q·k/√d_{k}", std::sqrt(scaled)},
         {"largest_unscaled", "largest weight, unscaled", mean_largest(unscaled_weights)},
         {"largest_scaled", "largest weight, scaled", mean_largest(weights)},
         {"entropy_unscaled", "entropy of weights, unscaled", mean_entropy(unscaled_weights), 0,
          "bits"},
         {"entropy_scaled", "entropy of weights, scaled", mean_entropy(weights), 0, "bits"},
         {"jacobian_unscaled", "gradient ‖∂y/∂x‖ of 200 queries, unscaled", before},
         {"jacobian_scaled", "gradient ‖∂y/∂x‖ of 200 queries, scaled", after},
         {"gradient_ratio", "gradient, scaled over unscaled", after / before, 0, "×"}},
        {*gradients, *variances}};
}

/// A variance this near to d_k, as a share of it, agrees with it.
constexpr double kNear = 0.1;
/// Scaling that changes the gradient by less makes no difference.
constexpr double kMatters = 1.1;

Judgement judge_scale(const std::vector<Number>& measured) {
    const double d_k = number(measured, "d_k").value;
    const Number &variance = number(measured, "variance_unscaled"),
                 &ratio = number(measured, "gradient_ratio");
    const double off = std::abs(variance.value / d_k - 1);
    const std::string of_variance =
        fmt::format("The variance of q·k is {} where d_{{k}} is {:g}", in_words(variance, 1), d_k);
    if (off > kNear)
        return {Verdict::does_not_hold, of_variance + ", more than 10 % away from it."};
    const std::string of_weights =
        fmt::format(". With scores divided by √d_{{k}}, the largest weight of a query is {} on "
                    "average instead of {}, and the softmax has {} times the gradient",
                    in_words(number(measured, "largest_scaled")),
                    in_words(number(measured, "largest_unscaled")), in_words(ratio, 1));
    if (ratio.value + ratio.spread < 1 / kMatters) {
        return {Verdict::does_not_hold, of_variance + of_weights + ": less, not more."};
    }
    if (ratio.value - ratio.spread < kMatters) {
        return {Verdict::depends,
                of_variance + of_weights +
                    (ratio.value < kMatters ? ": at this width the division changes little."
                                            : ": no more than the seeds differ by.")};
    }
    return {Verdict::holds, of_variance + of_weights + "."};
}

double variance_of(const Matrix<double>& scores) {
    const double mean = scores.mean();
    return (scores.array() - mean).square().mean();
}

/// A gradient's size within a sentence: "0.0731", "below 0.001".
std::string size_words(double size) {
    constexpr double kTold = 0.001;
    return size > 0 && size < kTold ? fmt::format("below {}", kTold) : digits_of(size, 3);
}

std::optional<OnModel> scale_on_model(const models::Run& run, const Settings&) {
    std::optional<trace::HeadId> widest;
    double most = 0;
    for (const trace::HeadId& id : heads_of(run)) {
        // Other scores have nothing to do with √d_k, or were divided by it already.
        const auto map = run.trace.map(id);
        if (!map || map->head().settings.score != nn::Score::dot) continue;
        const Matrix<double> scores = first_rows(run, id, trace::Stage::scores);
        if (scores.size() == 0 || !scores.allFinite()) continue;
        const double variance = variance_of(scores);
        if (!widest || variance > most) {
            widest = id;
            most = variance;
        }
    }
    if (!widest) return std::nullopt;
    const auto attention = run.trace.attention(widest->kind, widest->layer);
    const auto d_k = static_cast<double>(attention->d_k());
    const Matrix<double> scores = first_rows(run, *widest, trace::Stage::scores);
    OnModel seen;
    double norms[2] = {};
    for (const bool scaled : {false, true}) {
        Matrix<double> weights = scaled ? Matrix<double>(scores / std::sqrt(d_k)) : scores;
        for (Index i = 0; i < weights.rows(); ++i) nn::softmax_row(num::row_span(weights, i));
        norms[scaled] = mean_jacobian_norm(weights);
        seen.pictures.push_back(picture_of(run, *widest, weights,
                                           scaled ? "Softmax of q·k/√d_{k}" : "Softmax of q·k",
                                           words_of(*widest)));
    }
    seen.words =
        fmt::format("The scores vary most in {}: d_{{k}} is {:g}, and q·k has a variance "
                    "of {}, a standard deviation of {}. The softmax's gradient ‖∂y/∂x‖ is "
                    "{} unscaled and {} scaled.",
                    words_of(*widest), d_k, digits_of(most, 3), digits_of(std::sqrt(most), 3),
                    size_words(norms[0]), size_words(norms[1])) +
        of_first_words(run, *widest);
    seen.open = widest;
    models::HeadControls off;
    off.scale = models::Scale{models::Scale::Kind::off};
    seen.controls = with(run, *widest, off);
    seen.controls_words = "with Scale off";
    return seen;
}

} // namespace

Page sqrt_dk_page() {
    Page page;
    page.name = "sqrt-dk";
    page.group = "Attention";
    page.title = "Why divide by √d_{k}?";
    page.words =
        "d_{k} is the width of a query and a key. If their features are independent with mean 0 "
        "and variance 1, q·k has mean 0 and variance d_{k}: a standard deviation of √d_{k}. "
        "Softmax turns scores x into weights y: when scores are that large, most weight goes to "
        "one key; the more it gets, the nearer the softmax's gradient "
        "∂y/∂x\u00a0=\u00a0diag(y)\u00a0−\u00a0yy^{T} comes to 0. Vaswani et al. suspect "
        "this makes unscaled dot products worse. Drag d_{k} and watch. Of 200 random queries the "
        "most typical is shown.";
    page.formula = "Attention(Q, K, V) = softmax(\\frac{QK^{T}}{\\sqrt{d_{k}}}) V";
    page.claim = "q·k has variance d_{k}, and dividing by √d_{k} keeps the softmax's gradient.";
    page.source = "Vaswani et al. 2017, section 3.2.1, footnote 4";
    page.parameters = {whole("d_k", "Width d_{k}", "Width of a query and a key.", 1, 512, 64, true),
                       whole("keys", "Keys", "How many keys the softmax chooses from.", 2, 64, 16),
                       whole("draws", "Pairs for mean and variance",
                             "Pairs of a query and a key; the pictures have fewer.", 1000, 50000,
                             20000, true),
                       choice("features", "Features", "How the features of q and k are drawn.",
                              {"normal", "uniform"})};
    page.seconds = 0.9;
    // The curves take draws of each of some widths besides.
    page.work_of = [](const Settings& s) { return s.number("d_k") * s.number("draws") + 1.3e6; };
    page.look = look;
    page.measure_seed = measure_scale;
    page.judge = judge_scale;
    page.on_model = scale_on_model;
    return page;
}

} // namespace heed::lab
