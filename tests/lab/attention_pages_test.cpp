// Attention, softmax, masks and order: against PyTorch, closed forms and loops.
#include "lab/module.hpp"
#include "lab/numbers.hpp"
#include "lab/rotations.hpp"
#include "nn/attention/position.hpp"
#include "nn/attention/score.hpp"
#include "nn/attention/score_info.hpp"
#include "num/softmax.hpp"
#include "num/softmax_sweep.hpp"
#include "reference_arrays.hpp"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace heed::lab;
using tests::found;
using tests::value_of;

namespace {

const tests::ReferenceArrays& lab_arrays() {
    static const tests::ReferenceArrays arrays("lab.txt");
    return arrays;
}

} // namespace

TEST_CASE("draws have mean 0 and variance 1, and are the same everywhere") {
    tests::check_close(draw_features(3, "queries", 2, 5), lab_arrays().at("draws"), 1e-12);
    for (const auto kind : {num::FeatureDraws::normal, num::FeatureDraws::uniform}) {
        const Matrix<double> m = draw_features(1, "many", 400, 250, kind);
        // Five standard errors of 100 000 draws; the fourth moment of a normal number is 3.
        CHECK(std::abs(m.mean()) < 5 / std::sqrt(1e5));
        CHECK(std::abs((m.array() - m.mean()).square().mean() - 1) < 5 * std::sqrt(2 / 1e5));
    }
}

TEST_CASE("a module attends as PyTorch does") {
    const Module module = draw_module(9, {4});
    const auto cache = attend(module, draw_features(9, "x", 3, 4), draw_features(9, "y", 5, 4));
    tests::check_close(cache.output, lab_arrays().at("attention/output"), 1e-12);
}

TEST_CASE("a module attends as loops by hand do, scaled and not") {
    for (const auto score : {nn::Score::dot, nn::Score::scaled_dot}) {
        Module module = draw_module(5, {6, 1, score});
        module.heads[0].temperature = 0.7;
        const Matrix<double> x = draw_features(5, "x", 7, 6), y = draw_features(5, "y", 4, 6);
        const auto cache = attend(module, x, y);
        const ByHand hand = attend_by_hand(module, x, y);
        CHECK(largest_difference(stage_of(cache, 0, trace::Stage::weights), hand.weights) < 1e-14);
        CHECK(largest_difference(cache.context, hand.context) < 1e-14);
    }
}

TEST_CASE("the softmax's Jacobian and its norm are PyTorch's") {
    const RowVector<double> logits = draw_features(5, "logits", 1, 7).row(0);
    for (const char* factor : {"0.5", "1", "8"}) {
        const std::string name = factor;
        const RowVector<double> y =
            num::softmax<double>(RowVector<double>(logits * std::stod(name)));
        tests::check_close(num::softmax_jacobian<double>(y),
                           lab_arrays().at("softmax/jacobian_" + name), 1e-12);
        CHECK(num::jacobian_norm<double>(y) ==
              Approx(lab_arrays().at("softmax/norm_" + name)(0, 0)).epsilon(1e-12));
    }
}

TEST_CASE("equal scores have the gradient √(n − 1)/n, the closed form") {
    // A factor near 0 makes all scores equal.
    const auto finding = found("softmax-gradient", {{"factor", "0.015625"}, {"keys", "9"}});
    CHECK(value_of(finding, "norm") == Approx(std::sqrt(8.0) / 9).epsilon(0.01));
    CHECK(value_of(finding, "difference") < 1e-9);
    CHECK(value_of(finding, "row_sum") < 1e-15);
}

TEST_CASE("the variance of q·k is d_k, and 1 when it is scaled") {
    for (const char* d_k : {"4", "64"}) {
        for (const char* features : {"normal", "uniform"}) {
            const auto finding = found("sqrt-dk", {{"d_k", d_k}, {"features", features}});
            CAPTURE(d_k, features);
            CHECK(value_of(finding, "variance_unscaled") == Approx(std::stod(d_k)).epsilon(0.03));
            CHECK(value_of(finding, "variance_scaled") == Approx(1).epsilon(0.03));
            CHECK(value_of(finding, "deviation_unscaled") ==
                  Approx(std::sqrt(std::stod(d_k))).epsilon(0.02));
            CHECK(value_of(finding, "largest_scaled") < value_of(finding, "largest_unscaled"));
            CHECK(value_of(finding, "entropy_scaled") > value_of(finding, "entropy_unscaled"));
            CHECK(value_of(finding, "entropy_scaled") < 4); // of 16 keys
            CHECK(std::abs(value_of(finding, "mean")) < 0.05 * std::stod(d_k));
            CHECK(finding.seeds.size() == 5);
        }
    }
    CHECK(found("sqrt-dk").judgement.verdict == Verdict::holds);
    CHECK(found("sqrt-dk", {{"d_k", "1"}}).judgement.verdict == Verdict::depends);
}

TEST_CASE("weights of every score add up to 1 and leave no context outside of its values") {
    for (const nn::ScoreInfo& info : nn::kScoreInfos) {
        for (const char* what : {"states", "tokens"}) {
            const std::string name(info.name);
            const auto finding = found("steps", {{"score", name.c_str()}, {"what", what}});
            CAPTURE(name, what);
            CHECK(value_of(finding, "row_sum_error") < 1e-15);
            CHECK(value_of(finding, "outside") < 1e-12);
            CHECK(value_of(finding, "by_hand") < 1e-14);
        }
    }
}

TEST_CASE("−10⁻⁹ masks nothing, −10⁹ and −∞ mask all") {
    const auto slip = found("masks");
    CHECK(slip.judgement.because.starts_with("−10⁻⁹ does not mask: "));
    CHECK(slip.judgement.verdict == Verdict::does_not_hold);
    CHECK(value_of(slip, "future_added") == Approx(value_of(slip, "future_off")).epsilon(1e-8));
    for (const char* added : {"-1e9", "-inf"}) {
        const auto masked = found("masks", {{"added", added}});
        CHECK(masked.judgement.verdict == Verdict::holds);
        CHECK(value_of(masked, "future_added") == 0);
        CHECK(value_of(masked, "change_added") == 0);
    }
    CHECK(found("masks", {{"added", "-10"}}).judgement.verdict == Verdict::depends);
    CHECK(value_of(slip, "future_masked") == 0);
    CHECK(value_of(slip, "change_masked") == 0);
}

TEST_CASE("without positions a shuffled sentence has the same weights, exactly permuted") {
    const auto finding = found("shuffle");
    CHECK(value_of(finding, "none") < 1e-15);
    for (const char* positions : {"sinusoidal", "learned", "rotary", "alibi", "relative"}) {
        CAPTURE(positions);
        CHECK(value_of(finding, positions) > 1e-3);
    }
    CHECK(value_of(finding, "none_causal") > 0.1);
    CHECK(finding.judgement.verdict == Verdict::depends);
}

TEST_CASE("scores of shuffled words are permuted bit by bit") {
    // In 32 bits, as models run: a score there does not depend on its place.
    const Matrix<float> x = draw_features(2, "words", 6, 24).cast<float>();
    const Index order[] = {3, 0, 5, 1, 4, 2};
    Matrix<float> shuffled(6, 24), a(6, 6), b(6, 6);
    for (Index i = 0; i < 6; ++i) shuffled.row(i) = x.row(order[i]);
    nn::scores<float>(nn::Score::dot, nullptr, num::view(std::as_const(x)),
                      num::view(std::as_const(x)), 0.25f, num::view(a));
    nn::scores<float>(nn::Score::dot, nullptr, num::view(std::as_const(shuffled)),
                      num::view(std::as_const(shuffled)), 0.25f, num::view(b));
    for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < 6; ++j) CHECK(b(i, j) == a(order[i], order[j]));
    }
}

TEST_CASE("a sentence of one word cannot be shuffled, and is told so") {
    const Page& page = *page_named("shuffle");
    Settings settings = usual_settings(page.parameters);
    settings.texts["sentence"] = "alone";
    num::ThreadPool pool(1);
    const auto result = measure(page, settings, Work{pool});
    REQUIRE(!result);
    CHECK(result.error().subject == "sentence");
    settings.texts["sentence"] = "";
    CHECK(!page.look(settings).empty());
}

TEST_CASE("sinusoidal positions are rotated onto later ones within 1e-5, in 32 bits too") {
    for (const Index k : {1, 7, 40}) {
        const Matrix<double> rotation = offset_rotation(32, static_cast<double>(k), 10000);
        const Matrix<float> table = nn::sinusoidal_table<float>(64, 32);
        for (Index p = 0; p + k < 64; ++p) {
            const RowVector<double> turned = table.row(p).cast<double>() * rotation;
            CHECK((turned - table.row(p + k).cast<double>()).cwiseAbs().maxCoeff() < 1e-5);
        }
        CHECK(largest_difference(rotation * rotation.transpose(),
                                 Matrix<double>::Identity(32, 32)) < 1e-15);
    }
    CHECK(found("positions").judgement.verdict == Verdict::holds);
}

TEST_CASE("least squares finds the rotation of sinusoidal positions without being told") {
    const Matrix<double> table = nn::sinusoidal_table<double>(40, 4);
    CHECK(largest_difference(fitted_offset(table, 3), offset_rotation(4, 3, 10000)) < 1e-6);
}

TEST_CASE("who supplies q, k and v is found by replacing a word") {
    const auto finding = found("self-cross");
    CHECK(value_of(finding, "keys_by_target") == 0);
    CHECK(value_of(finding, "queries_by_source") == 0);
    CHECK(value_of(finding, "encoder_by_target") == 0);
    CHECK(value_of(finding, "queries") == 5);
    CHECK(value_of(finding, "keys") == 6);
    CHECK(finding.judgement.verdict == Verdict::holds);
    CHECK(value_of(found("self-cross", {{"layers", "1"}}), "later_queries_by_source") == 0);
}

TEST_CASE(
    "matrices whose change is shown have the name of their layer, and weights of their head") {
    const Page& page = *page_named("self-cross");
    const auto pictures = page.look(usual_settings(page.parameters));
    const auto& cross = std::get<Grid>(pictures.at(0).data);
    CHECK(cross.rows == std::vector<std::string>{"q, layer 1", "k, layer 1", "v, layer 1",
                                                 "q, layer 2", "k, layer 2", "v, layer 2"});
    CHECK(cross.cols == std::vector<std::string>{"source", "target"});
    // Another source word reaches the queries of the second layer alone, another target word both.
    CHECK((*cross.values)(0, 0) == 0);
    CHECK((*cross.values)(3, 0) > 0.1f);
    CHECK((*cross.values)(0, 1) > 0.1f);
    CHECK((*cross.values)(1, 1) == 0);
    CHECK(pictures.at(3).subtitle.starts_with("layer 1\u00a0·\u00a0head 1"));
}

TEST_CASE("rows of states are no tokens") {
    const Page& page = *page_named("steps");
    Settings settings = usual_settings(page.parameters);
    const auto first_rows_are = [&] {
        return std::get<Grid>(page.look(settings)[0].data).row_word;
    };
    CHECK(first_rows_are() == "state");
    REQUIRE(set(page.parameters, settings, "what", "tokens"));
    CHECK(first_rows_are() == "token");
}

TEST_CASE("the distribution of scaled products is a curve at every width, with enough places") {
    const Page* page = page_named("sqrt-dk");
    REQUIRE(page);
    for (const double d_k : {1., 8., 64., 512.}) {
        CAPTURE(d_k);
        Settings settings = usual_settings(page->parameters);
        settings.numbers["d_k"] = d_k;
        const Picture picture = page->look(settings).front();
        const auto* histogram = std::get_if<Histogram>(&picture.data);
        REQUIRE(histogram);
        const auto bins = static_cast<double>(histogram->counts[1].values.size());
        CHECK((histogram->to - histogram->from) / bins < 0.6); // of a standard deviation of 1
        CHECK(histogram->closed[0].values.size() == histogram->counts[1].values.size());
        // Of the closed curve the standard deviation is √d_k.
        double mass = 0, squares = 0;
        const double width = (histogram->to - histogram->from) / bins;
        for (std::size_t i = 0; i < histogram->closed[0].values.size(); ++i) {
            const double x = histogram->from + (static_cast<double>(i) + 0.5) * width;
            mass += histogram->closed[0].values[i] * width;
            squares += histogram->closed[0].values[i] * width * x * x;
        }
        CHECK(mass == Approx(1).epsilon(0.01));
        CHECK(std::sqrt(squares) == Approx(std::sqrt(d_k)).epsilon(0.02));
    }
}

TEST_CASE("the weights that are shown are of a query as the measured ones are on average") {
    const Page* page = page_named("sqrt-dk");
    REQUIRE(page != nullptr);
    Settings settings = usual_settings(page->parameters);
    num::ThreadPool pool(1);
    for (const std::uint64_t seed : {1, 2, 3}) {
        settings.seed = seed;
        const auto sample = page->measure_seed(settings, Work{pool});
        REQUIRE(sample);
        const Picture picture = page->look(settings)[1];
        const auto& bars = std::get<Bars>(picture.data);
        const char* const means[] = {"largest_unscaled", "largest_scaled"};
        for (std::size_t i = 0; i < 2; ++i) {
            const double largest = *std::ranges::max_element(bars.series[i].values);
            CHECK(std::abs(largest - number(sample->measured, means[i]).value) < 0.05);
        }
    }
}

TEST_CASE("the curves of √d_k pass through the numbers beside them, whatever the width") {
    for (const char* d_k : {"64", "50", "3", "512"}) {
        CAPTURE(d_k);
        const auto finding = found("sqrt-dk", {{"d_k", d_k}});
        REQUIRE(finding.pictures.size() == 2);
        const auto& curves = std::get<Curves>(finding.pictures[0].data);
        CHECK(curves.xs.size() == 10);
        const auto now = std::ranges::find(curves.xs, std::stod(d_k));
        REQUIRE(now != curves.xs.end());
        const auto place = static_cast<std::size_t>(now - curves.xs.begin());
        const char* const gradients[] = {"jacobian_unscaled", "jacobian_scaled"};
        for (std::size_t i = 0; i < 2; ++i) {
            const Number& measured = number(finding.measured, gradients[i]);
            CHECK(curves.series[i].values[place] == Approx(measured.value));
            CHECK(curves.series[i].least[place] == Approx(*measured.least));
            CHECK(curves.series[i].most[place] == Approx(*measured.most));
        }
    }
}
