// Page 11: LayerNorm against BatchNorm, and what residual paths do to gradients.
#include "lab/norms.hpp"

#include "lab/all_pages.hpp"
#include "lab/model_heads.hpp"
#include "lab/module.hpp"
#include "lab/number_words.hpp"
#include "nn/attention/linear_layer.hpp"
#include "nn/layers/feed_forward.hpp"
#include "nn/layers/norm.hpp"
#include "num/random.hpp"

#include <algorithm>
#include <cmath>

namespace heed::lab {

Matrix<double> batch_norm(const Matrix<double>& x, double epsilon) {
    const RowVector<double> mean = x.colwise().mean();
    const Matrix<double> centred = x.rowwise() - mean;
    const RowVector<double> variance = centred.array().square().colwise().mean();
    const RowVector<double> divisor = (variance.array() + epsilon).sqrt();
    return centred.array().rowwise() / divisor.array();
}

namespace {

using base::Result;

nn::LayerNormParams<double> plain_norm(Index width) {
    return {RowVector<double>::Ones(width), RowVector<double>::Zero(width), 1e-5};
}

Matrix<double> layer_norm(const Matrix<double>& x) {
    return nn::layer_norm_forward<double>(nn::alone(), plain_norm(x.cols()), x).y;
}

/// One layer of a stack with what its way back reads.
struct DeepLayer {
    nn::LearnedFeedForward<double> net;
    RowVector<double> bias;
    nn::FeedForwardCache<double> cache;
    nn::LayerNorm<double> norm;
    Matrix<double> x, read, sum;
};

void draw_layer(DeepLayer& layer, std::uint64_t seed, int number, Index width, double gain) {
    const Index hidden = 2 * width;
    layer.bias = RowVector<double>::Zero(hidden);
    const auto bias = [&](Index n) {
        return std::span<const double>(layer.bias.data(), static_cast<std::size_t>(n));
    };
    const Matrix<double> w1 = draw_map(seed, fmt::format("W1 {}", number), width, hidden);
    const Matrix<double> w2 =
        std::sqrt(gain) * draw_map(seed, fmt::format("W2 {}", number), hidden, width);
    layer.net.linear1.set(num::view(w1), bias(hidden));
    layer.net.linear2.set(num::view(w2), bias(width));
}

Matrix<double> forward(DeepLayer& layer, Path path, const Matrix<double>& x) {
    const auto norm = plain_norm(x.cols());
    layer.x = x;
    if (path == Path::pre_norm) layer.norm = nn::layer_norm_forward<double>(nn::alone(), norm, x);
    layer.read = path == Path::pre_norm ? layer.norm.y : x;
    nn::feed_forward_forward<double>(
        layer.net, layer.read, path == Path::plain ? nullptr : &layer.x, layer.cache, layer.sum);
    if (path != Path::post_norm) return layer.sum;
    layer.norm = nn::layer_norm_forward<double>(nn::alone(), norm, layer.sum);
    return layer.norm.y;
}

Matrix<double> backward(const DeepLayer& layer, Path path, Matrix<double> dy) {
    const Index width = dy.cols(), hidden = layer.bias.size();
    const auto norm = plain_norm(width);
    std::vector<double> gain(static_cast<std::size_t>(width)), shift(gain);
    if (path == Path::post_norm) {
        nn::layer_norm_backward<double>(norm, layer.norm.cache, layer.sum, dy, gain.data(),
                                        shift.data(), dy);
    }
    // The weights' own gradients are not looked at.
    std::vector<double> w1(static_cast<std::size_t>(width * hidden)), w2(w1);
    std::vector<double> b1(static_cast<std::size_t>(hidden)), b2(b1);
    Matrix<double> through = Matrix<double>::Zero(dy.rows(), width);
    nn::feed_forward_backward<double>(layer.net, layer.cache, layer.read, dy,
                                      {{w1.data(), b1.data()}, {w2.data(), b2.data()}, {}},
                                      through);
    if (path == Path::pre_norm) {
        nn::layer_norm_backward<double>(norm, layer.norm.cache, layer.x, through, gain.data(),
                                        shift.data(), through);
    }
    return path == Path::plain ? through : Matrix<double>(dy + through);
}

} // namespace

std::vector<double> gradient_sizes(Path path, std::uint64_t seed, int layers, Index width,
                                   double gain) {
    constexpr Index kTokens = 8;
    std::vector<DeepLayer> stack(static_cast<std::size_t>(layers));
    Matrix<double> x = draw_features(seed, "input", kTokens, width);
    for (int l = 0; l < layers; ++l) {
        DeepLayer& layer = stack[static_cast<std::size_t>(l)];
        draw_layer(layer, seed, l, width, gain);
        x = forward(layer, path, x);
    }
    Matrix<double> dy = draw_features(seed, "gradient", kTokens, width);
    std::vector<double> sizes(stack.size() + 1);
    sizes.back() = dy.norm();
    for (std::size_t l = stack.size(); l > 0; --l) {
        dy = backward(stack[l - 1], path, std::move(dy));
        sizes[l - 1] = dy.norm();
    }
    return sizes;
}

namespace {

struct PathName {
    Path path;
    const char *name, *label;
};
constexpr PathName kPaths[] = {{Path::plain, "plain", "no residual"},
                               {Path::residual, "residual", "residual"},
                               {Path::post_norm, "post", "residual, post-norm"},
                               {Path::pre_norm, "pre", "residual, pre-norm"}};

/// Sentences of random lengths, one after another; the first is the shortest.
struct SentenceBatch {
    Matrix<double> rows, padded; // `padded` has zeros up to the longest
    Index first = 0;             // rows of the first sentence
};

SentenceBatch batch_of(const Settings& s) {
    const num::Rng draws(s.seed, "lengths");
    const int count = s.integer("sentences"), longest = s.integer("longest");
    const Index d = s.integer("width");
    SentenceBatch batch;
    batch.first = std::min(3, longest);
    std::vector<Index> lengths = {batch.first};
    for (int i = 1; i < count; ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        lengths.push_back(
            batch.first +
            static_cast<Index>(draws.uniform(at) * static_cast<float>(longest - batch.first + 1)));
    }
    Index total = 0;
    for (const Index n : lengths) total += n;
    batch.rows.resize(total, d);
    batch.padded = Matrix<double>::Zero(static_cast<Index>(count) * longest, d);
    Index row = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        // Sentences have a topic: features that all of their words share.
        Matrix<double> words = draw_features(s.seed, fmt::format("sentence {}", i), lengths[i], d);
        words.rowwise() += draw_features(s.seed, fmt::format("topic {}", i), 1, d).row(0);
        batch.rows.middleRows(row, lengths[i]) = words;
        batch.padded.middleRows(static_cast<Index>(i) * longest, lengths[i]) = words;
        row += lengths[i];
    }
    return batch;
}

/// The first sentence's words by both norms, alone and among the others.
struct NormedSentence {
    Matrix<double> layer_alone, layer_among, batch_alone, batch_among, batch_padded;
};

NormedSentence norm_sentence(const Settings& s) {
    const SentenceBatch batch = batch_of(s);
    const Matrix<double> alone = batch.rows.topRows(batch.first);
    return {layer_norm(alone), layer_norm(batch.rows).topRows(batch.first), batch_norm(alone),
            batch_norm(batch.rows).topRows(batch.first),
            batch_norm(batch.padded).topRows(batch.first)};
}

double gain_of(const Settings& s) { return s.integer("gain") == 0 ? kPlainGain : kHeGain; }

double root_mean_square(const Matrix<double>& m) {
    return std::sqrt(m.squaredNorm() / static_cast<double>(std::max<Index>(m.size(), 1)));
}

/// Of gradients at what the first layer reads and at what each one gives: those of the layers,
/// times that of the last.
std::vector<double> by_layer(const std::vector<double>& sizes) {
    std::vector<double> layers;
    for (std::size_t l = 1; l < sizes.size(); ++l) layers.push_back(sizes[l] / sizes.back());
    return layers;
}

Curves gradient_curves(const Settings& s, Index width) {
    Curves curves;
    const int layers = s.integer("layers");
    for (int l = 1; l <= layers; ++l) curves.xs.push_back(l);
    for (const PathName& path : kPaths) {
        curves.series.push_back(
            {path.label, by_layer(gradient_sizes(path.path, s.seed, layers, width, gain_of(s)))});
    }
    curves.log_y = true;
    curves.x_word = "layer";
    curves.y_word = "‖∂L/∂x‖, last layer = 1";
    return curves;
}

constexpr const char* kGradientWords = "of a loss L by x, the output of each layer";

std::string change_text(double size) { return size == 0 ? "0" : fixed_text(size, 3); }

std::vector<Picture> look_at_norms(const Settings& s) {
    const NormedSentence normed = norm_sentence(s);
    const auto words = numbered("w", normed.layer_alone.rows());
    // Narrow ones keep pace with a slider.
    const Index most = s.integer("layers") > 12 ? 12 : 24;
    const Index width = std::min<Index>(s.integer("width"), most);
    Picture layer = matrix_picture("LayerNorm", "a short sentence: the same alone and in the batch",
                                   normed.layer_among, words);
    Picture batch = matrix_picture("BatchNorm", "in the batch, on the same\u00a0colour\u00a0scale",
                                   normed.batch_among, words);
    for (Picture* picture : {&layer, &batch}) {
        std::get<Grid>(picture->data).reach = std::max(normed.layer_among.cwiseAbs().maxCoeff(),
                                                       normed.batch_among.cwiseAbs().maxCoeff());
    }
    const auto change = [](const Matrix<double>& among, const Matrix<double>& alone) {
        return change_text(root_mean_square(among - alone));
    };
    Picture changed = matrix_picture("BatchNorm in the batch minus alone",
                                     fmt::format("root mean square {}; of LayerNorm {}",
                                                 change(normed.batch_among, normed.batch_alone),
                                                 change(normed.layer_among, normed.layer_alone)),
                                     normed.batch_among - normed.batch_alone, words);
    for (Picture* picture : {&layer, &batch, &changed}) {
        std::get<Grid>(picture->data).row_word = "word";
    }
    return {
        layer, batch, changed, {"Gradient by depth", kGradientWords, gradient_curves(s, width)}};
}

Result<Sample> measure_norms(const Settings& s, const Work& work) {
    const NormedSentence normed = norm_sentence(s);
    Sample sample;
    sample.measured = {{"layer_norm_change", "LayerNorm: change with the batch",
                        root_mean_square(normed.layer_among - normed.layer_alone)},
                       {"batch_norm_change", "BatchNorm: change with the batch",
                        root_mean_square(normed.batch_among - normed.batch_alone)},
                       {"padding_change", "BatchNorm: change with padding",
                        root_mean_square(normed.batch_padded - normed.batch_among)}};
    for (const bool he : {false, true}) {
        for (const PathName& path : kPaths) {
            if (work.stopped()) return cancelled();
            const auto sizes =
                by_layer(gradient_sizes(path.path, s.seed, s.integer("layers"), s.integer("width"),
                                        he ? kHeGain : kPlainGain));
            sample.measured.push_back(
                {fmt::format("gradient_{}{}", path.name, he ? "_he" : ""),
                 fmt::format("gradient at layer 1, {}, gain\u00a0{}", path.label, he ? 2 : 1),
                 sizes.front(), 0, "×"});
        }
    }
    sample.pictures = {{"Gradient by depth, over the seeds", kGradientWords,
                        gradient_curves(s, s.integer("width"))}};
    return sample;
}

Judgement judge_norms(const std::vector<Number>& measured) {
    const auto value = [&](const char* name) { return number(measured, name).value; };
    const auto words = [&](const char* name) { return in_digits(number(measured, name)); };
    const double layer = value("layer_norm_change"), batch = value("batch_norm_change");
    const double plain = value("gradient_plain"), pre = value("gradient_pre");
    const double plain_he = value("gradient_plain_he"), pre_he = value("gradient_pre_he");
    const std::string of_norms = fmt::format(
        "LayerNorm gives a sentence the same numbers in every batch: they change by {}. In "
        "training, BatchNorm changes them by {} with the other sentences, and by {} with padding. ",
        words("layer_norm_change"), words("batch_norm_change"), words("padding_change"));
    const std::string of_paths = fmt::format(
        "The gradient at the first layer is a multiple of that at the last. Without residual paths "
        "it is {} where weights begin with gain\u00a01, and {} with He's gain of 2. With residual "
        "paths it is {} and {}; with post-norm as well, {} and {}; with pre-norm, {} and {}.",
        words("gradient_plain"), words("gradient_plain_he"), words("gradient_residual"),
        words("gradient_residual_he"), words("gradient_post"), words("gradient_post_he"),
        words("gradient_pre"), words("gradient_pre_he"));
    const bool apart = layer <= 1e-12 && batch > 0.05;
    // It is to vanish by itself, not only beside a gradient that grows.
    const auto carried = [](double without, double with) {
        return without < 0.1 && without < 0.1 * with && with > 0.1;
    };
    const bool with_one = carried(plain, pre), with_he = carried(plain_he, pre_he);
    if (apart && with_one && with_he) return {Verdict::holds, of_norms + of_paths};
    if (!apart && !with_one && !with_he) return {Verdict::does_not_hold, of_norms + of_paths};
    const char* why = with_one == with_he ? ""
                      : with_one
                          ? " So without residual paths gradients vanish only at gain\u00a01: "
                            "it depends on how weights begin."
                          : " So without residual paths gradients vanish only with He's "
                            "gain: it depends on how weights begin.";
    return {Verdict::depends, of_norms + of_paths + why};
}

/// "encoder.layers.0" as the screen counts: "encoder 1".
std::string shown_layer(const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return name;
    std::string side = name.substr(0, dot), part = name.substr(dot + 1);
    constexpr std::string_view kLayers = "layers.";
    if (!part.starts_with(kLayers)) return side + " " + part;
    part.erase(0, kLayers.size());
    const bool number = !part.empty() && part.size() < 6 &&
                        part.find_first_not_of("0123456789") == std::string::npos;
    return side + " " + (number ? std::to_string(std::stoi(part) + 1) : part);
}

/// "from 12.7 after encoder embedding to 8.91 after encoder norm, and from …": a start and an end
/// for each stack.
std::string lengths_by_stack(const std::vector<std::string>& labels,
                             const std::vector<double>& sizes) {
    const auto stack = [&](std::size_t i) { return labels[i].substr(0, labels[i].find(' ')); };
    std::string words;
    for (std::size_t first = 0, end = 0; first < labels.size(); first = end) {
        while (end < labels.size() && stack(end) == stack(first)) ++end;
        words += words.empty() ? "" : ", and ";
        words += end == first + 1
                     ? fmt::format("to {:.3g} after {}", sizes[first], labels[first])
                     : fmt::format("from {:.3g} after {} to {:.3g} after {}", sizes[first],
                                   labels[first], sizes[end - 1], labels[end - 1]);
    }
    return words;
}

/// Sizes of words behind each layer.
std::optional<OnModel> norms_on_model(const models::Run& run, const Settings&) {
    if (!run.model->traits().norm) return std::nullopt;
    const auto is_pre = [](nn::NormOrder order) { return order == nn::NormOrder::pre; };
    const nn::NormOrder own = *run.model->traits().norm, now = run.controls.norm.value_or(own);
    const bool pre = is_pre(now);
    Bars bars;
    bars.series = {{"mean ‖x‖"}};
    bars.y_word = "mean ‖x‖";
    for (const auto& layer : run.trace.layers) {
        if (layer->tensors.empty() || layer->tensors.back()->values.rows() == 0) continue;
        bars.labels.push_back(shown_layer(layer->name));
        bars.series[0].values.push_back(
            static_cast<double>(layer->tensors.back()->values.rowwise().norm().mean()));
    }
    if (bars.labels.size() < 2) return std::nullopt;
    OnModel seen;
    seen.words = fmt::format(
        "This model has {}-norm. The mean length of its word vectors goes {}. {}",
        pre ? "pre" : "post", lengths_by_stack(bars.labels, bars.series[0].values),
        now == own ? "It was not trained for the other order of norms."
                   : fmt::format("Its own order is {}-norm.", is_pre(own) ? "pre" : "post"));
    seen.pictures = {{"Length of word vectors after each layer", "mean over the words", bars}};
    if (const auto heads = heads_of(run, 1); !heads.empty()) seen.open = heads[0];
    models::Controls other = run.controls;
    other.norm = pre ? nn::NormOrder::post : nn::NormOrder::pre;
    seen.controls = other;
    seen.controls_words = pre ? "with post-norm" : "with pre-norm";
    return seen;
}

} // namespace

Page norms_page() {
    Page page;
    page.name = "norms";
    page.group = "Training";
    page.title = "Why LayerNorm, and why residual paths?";
    page.words = "In training, BatchNorm takes its mean over the batch: what a sentence becomes "
                 "depends on its neighbours and their lengths. LayerNorm looks at one word: "
                 "μ and σ^{2} are the mean and the variance of its features; ε keeps the divisor "
                 "above 0. Residual paths x + f(x) let a gradient pass, or even grow; norms come "
                 "after the sum (post-norm) or before f (pre-norm).";
    page.formula = "LayerNorm(x) = \\frac{x − μ}{\\sqrt{σ^{2} + ε}},  x_{ℓ+1} = x_{ℓ} + f(x_{ℓ})";
    page.claim = "In training, BatchNorm depends on the batch and LayerNorm does not; without "
                 "residual paths "
                 "gradients vanish with depth.";
    page.source = "Ba et al. 2016, section 3; Ioffe and Szegedy 2015, algorithm 1; He et al. 2015, "
                  "section 2.2; He et al. 2016, section 3.1; Xiong et al. 2020, section 3";
    page.parameters = {
        whole("sentences", "Sentences", "In the batch.", 2, 32, 8),
        whole("longest", "Longest sentence", "In words; the first has three.", 3, 40, 20),
        whole("layers", "Layers", "Feed-forward networks, one after another.", 1, 32, 12),
        whole("width", "Width d", "Features of a word.", 4, 64, 32, true),
        choice("gain", "Gain of weights",
               "Variance after a ReLU times inputs, in pictures; the verdict asks both.",
               {"1", "2"}, 0)};
    page.look = look_at_norms;
    page.measure_seed = measure_norms;
    page.judge = judge_norms;
    page.on_model = norms_on_model;
    return page;
}

} // namespace heed::lab
