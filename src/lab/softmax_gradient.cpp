// Page 3: the gradient of softmax, and where it vanishes.
#include "lab/all_pages.hpp"
#include "lab/draws.hpp"
#include "lab/model_heads.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/softmax_rows.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

namespace {

using base::Result;

RowVector<double> logits_of(const Settings& s) {
    return draw_features(s.seed, "scores", 1, s.integer("keys")).row(0);
}

/// ∂y/∂x by central differences of the softmax that heads use.
Matrix<double> differences(const RowVector<double>& x) {
    constexpr double kStep = 1e-5;
    const Index n = x.size();
    Matrix<double> jacobian(n, n);
    for (Index j = 0; j < n; ++j) {
        Matrix<double> ahead = x, back = x;
        ahead(0, j) += kStep;
        back(0, j) -= kStep;
        nn::softmax_row(num::row_span(ahead, 0));
        nn::softmax_row(num::row_span(back, 0));
        jacobian.col(j) = ((ahead - back) / (2 * kStep)).transpose();
    }
    return jacobian;
}

double norm_at(const RowVector<double>& logits, double factor) {
    return num::jacobian_norm<double>(num::softmax<double>(RowVector<double>(logits * factor)));
}

constexpr double kLeastFactor = 1.0 / 64, kMostFactor = 64;

num::SoftmaxSweep sweep_of(const RowVector<double>& logits, std::optional<double> through = {}) {
    return num::softmax_sweep(logits.cast<float>(), kLeastFactor, kMostFactor, 97, through);
}

std::vector<Picture> look_at_gradient(const Settings& s) {
    const RowVector<double> logits = logits_of(s), x = logits * s.number("factor");
    const RowVector<double> y = num::softmax<double>(x);
    const num::SoftmaxSweep sweep = sweep_of(logits, s.number("factor"));
    Curves norms{{sweep.factors.begin(), sweep.factors.end()},
                 {{"‖∂y/∂x‖", {sweep.jacobian_norm.begin(), sweep.jacobian_norm.end()}}},
                 true};
    norms.x_word = "factor c on the scores";
    norms.now = s.number("factor");
    norms.now_words = fmt::format("at c = {:.3g}", s.number("factor"));
    Curves entropy{norms.xs,
                   {{"entropy in bits", {sweep.entropy_bits.begin(), sweep.entropy_bits.end()}}},
                   true};
    entropy.x_word = norms.x_word;
    entropy.now = norms.now;
    entropy.now_words = norms.now_words;
    entropy.decimals = 2;
    Bars bars;
    for (Index j = 0; j < y.size(); ++j) bars.labels.push_back(std::to_string(j + 1));
    bars.series = {{"weight", {y.begin(), y.end()}}};
    bars.y_word = "weight of each key";
    Picture jacobian{"Jacobian ∂y/∂x = diag(y) − yy^{T}", "how each weight moves with each x",
                     Grid{}};
    auto& grid = std::get<Grid>(jacobian.data);
    grid.values = grid_values(num::softmax_jacobian<double>(y));
    grid.signed_values = true;
    grid.row_word = "weight";
    grid.col_word = "x";
    grid.bar_word = "∂y/∂x";
    return {{"Weights",
             fmt::format("softmax of c × the scores, c\u00a0=\u00a0{:.3g}\u00a0·\u00a0seed\u00a0{}",
                         s.number("factor"), s.seed),
             bars},
            jacobian,
            {"Size of the gradient", "the norm of the whole Jacobian", norms},
            {"Entropy of the weights", "how evenly they are spread", entropy}};
}

Result<Sample> measure_gradient(const Settings& s, const Work&) {
    const RowVector<double> logits = logits_of(s), x = logits * s.number("factor");
    const RowVector<double> y = num::softmax<double>(x);
    const Matrix<double> jacobian = num::softmax_jacobian<double>(y);
    const double error = (jacobian - differences(x)).cwiseAbs().maxCoeff();
    const num::SoftmaxSweep sweep = sweep_of(logits);
    const auto peak = std::max_element(sweep.jacobian_norm.begin(), sweep.jacobian_norm.end());
    const double largest = static_cast<double>(*peak);
    return Sample{
        {{"difference", "largest difference from central differences", error},
         {"row_sum", "largest |sum| of a row of the Jacobian",
          jacobian.rowwise().sum().cwiseAbs().maxCoeff()},
         {"norm", fmt::format("‖∂y/∂x‖ at c = {:g}", s.number("factor")),
          num::jacobian_norm<double>(y)},
         {"peak_factor", "c of the largest gradient",
          static_cast<double>(
              sweep.factors[static_cast<std::size_t>(peak - sweep.jacobian_norm.begin())])},
         {"peak_norm", "largest ‖∂y/∂x‖", largest},
         {"kept_at_8", "share of the largest gradient left at c = 8", norm_at(logits, 8) / largest,
          0, kShare},
         {"kept_at_most",
          fmt::format("share of the largest gradient left at c = {:g}", kMostFactor),
          norm_at(logits, kMostFactor) / largest, 0, kShare}}};
}

/// A gradient below this share of its largest has vanished for training.
constexpr double kVanished = 0.05;

Judgement judge_gradient(const std::vector<Number>& measured) {
    const double error = most_of(number(measured, "difference")); // of all seeds
    const Number &far = number(measured, "kept_at_most"), &near = number(measured, "kept_at_8");
    const Number& peak = number(measured, "peak_factor");
    if (error > 1e-8) {
        return {
            Verdict::does_not_hold,
            fmt::format(
                "The formula is wrong: diag(y)\u00a0−\u00a0yy^{{T}} is {:.2g} away from central "
                "differences.",
                error)};
    }
    const std::string same = fmt::format(
        "The formula is right: small steps of x (central differences) give the same, within {}. ",
        rounded_up(error, 1));
    if (far.value > kVanished) {
        return {Verdict::depends,
                same +
                    fmt::format(
                        "But at c\u00a0=\u00a064, {} of the largest gradient is left: as long as "
                        "the largest two scores are close, it does not vanish.",
                        percent_of(far, 1))};
    }
    // A draw whose largest two scores are close takes longer than the mean.
    const std::string slowest =
        most_of(far) > kVanished
            ? fmt::format(", though {} with one seed", percent_in_digits({"", "", most_of(far)}))
            : "";
    return {Verdict::holds,
            same + fmt::format("And the gradient vanishes: it is largest at c\u00a0=\u00a0{}; at "
                               "c\u00a0=\u00a08, {} "
                               "of that is left, and at c\u00a0=\u00a064, {}{}.",
                               in_digits(peak), percent_of(near), percent_of(far, 1), slowest)};
}

std::optional<OnModel> gradient_on_model(const models::Run& run, const Settings&) {
    std::optional<trace::HeadId> flattest;
    double least = 0;
    for (const trace::HeadId& id : heads_of(run)) {
        const Matrix<double> weights = first_rows(run, id, trace::Stage::weights);
        if (weights.rows() == 0 || !weights.allFinite()) continue;
        const double norm = mean_jacobian_norm(weights);
        if (!flattest || norm < least) {
            flattest = id;
            least = norm;
        }
    }
    if (!flattest) return std::nullopt;
    OnModel seen;
    const Matrix<double> weights = first_rows(run, *flattest, trace::Stage::weights);
    Bars bars;
    bars.series = {{"‖∂y/∂x‖"}};
    const auto& queries = run.trace.queries(flattest->kind);
    for (Index i = 0; i < weights.rows(); ++i) {
        const auto place = static_cast<std::size_t>(i);
        bars.labels.push_back(place < queries.size() ? queries[place].text : "");
        bars.series[0].values.push_back(num::jacobian_norm<double>(weights.row(i)));
    }
    seen.words = fmt::format("The smallest gradient passes through {}: ‖∂y/∂x‖ is {:.3g} on "
                             "average over its queries.",
                             words_of(*flattest), least) +
                 of_first_words(run, *flattest);
    bars.y_word = "‖∂y/∂x‖";
    seen.pictures = {{"‖∂y/∂x‖ of each query", words_of(*flattest), bars},
                     picture_of(run, *flattest, weights, "Weights", words_of(*flattest))};
    seen.open = flattest;
    return seen;
}

} // namespace

Page softmax_gradient_page() {
    Page page;
    page.name = "softmax-gradient";
    page.group = "Attention";
    page.title = "Where does the softmax's gradient go?";
    page.words =
        "Softmax turns x, c times the scores, into weights y. The matrix ∂y/∂x says how far each "
        "weight moves with each x. As c grows, the matrix often grows first, while a few keys "
        "share the weight, and vanishes once one has almost all.";
    page.formula = "\\frac{∂y_{i}}{∂x_{j}} = y_{i} (δ_{ij} − y_{j}),  δ_{ij} = 1 where i = j, "
                   "0 elsewhere";
    page.claim = "The softmax's gradient ∂y/∂x is diag(y)\u00a0−\u00a0yy^{T}, and vanishes as c "
                 "grows.";
    page.source = "Vaswani et al. 2017, section 3.2.1; Bridle 1990";
    page.parameters = {whole("keys", "Keys", "How many scores the softmax reads.", 2, 32, 8),
                       real("factor", "Factor c", "All scores are multiplied by it.", kLeastFactor,
                            kMostFactor, 1, true)};
    page.look = look_at_gradient;
    page.measure_seed = measure_gradient;
    page.judge = judge_gradient;
    page.on_model = gradient_on_model;
    page.n_seeds = 8;
    return page;
}

} // namespace heed::lab
