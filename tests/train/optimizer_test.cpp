#include "train/loop/optimizer.hpp"

#include "reference_arrays.hpp"
#include "train/tasks/task_rng.hpp"

#include <cmath>
#include <limits>

using namespace heed;
using tests::ReferenceArrays;
using train::Parameter;

namespace {

const ReferenceArrays& arrays() {
    static const ReferenceArrays made("train.txt");
    return made;
}

/// The values after every step; the ten numbers as tensors of 4, 0, 1 and 5.
num::Matrix<float> follow(const train::UpdateRule& rule, float rate, double max_norm) {
    const auto gradients = arrays().at<float>("gradients");
    num::Matrix<float> w = arrays().at<float>("start"), values(gradients.rows(), w.cols());
    num::ThreadPool pool(1);
    train::Optimizer optimizer(rule, 10);
    for (num::Index s = 0; s < gradients.rows(); ++s) {
        const std::span all(w.data(), 10);
        const std::span<const float> g(gradients.row(s).data(), 10);
        const std::vector<Parameter> parameters = {{"a.0.w", all.subspan(0, 4), g.subspan(0, 4)},
                                                   {"empty", all.subspan(4, 0), g.subspan(4, 0)},
                                                   {"a.0.b", all.subspan(4, 1), g.subspan(4, 1)},
                                                   {"b", all.subspan(5), g.subspan(5)}};
        const double norm = train::gradient_norms(pool, parameters).total;
        optimizer.step(pool, parameters, rate, train::clip_factor(norm, max_norm));
        values.row(s) = w;
    }
    return values;
}

struct Case {
    std::string name;
    train::UpdateRule rule;
    float rate;
};
const std::vector<Case> kCases = {
    {"adam", train::Adam{}, 0.01f},       {"adam_2017", train::Adam{0.9f, 0.98f, 1e-9f}, 0.03f},
    {"rmsprop", train::RmsProp{}, 0.01f}, {"sgd", train::Sgd{}, 0.1f},
    {"sgd_plain", train::Sgd{0}, 0.1f},
};

/// Drawn numbers in three tensors of odd sizes.
struct Large {
    std::vector<float> w, g;
    Large() : w(200'003), g(200'003) {
        const num::Rng draws(3, "large");
        for (std::size_t i = 0; i < w.size(); ++i) {
            w[i] = draws.symmetric(2 * i, 1);
            g[i] = draws.symmetric(2 * i + 1, 1);
        }
    }
    std::vector<Parameter> parameters() {
        const std::span<float> all(w);
        const std::span<const float> pull(g);
        return {{"a", all.first(150'001), pull.first(150'001)},
                {"b", all.subspan(150'001, 50'000), pull.subspan(150'001, 50'000)},
                {"c", all.last(2), pull.last(2)}};
    }
};

} // namespace

TEST_CASE("optimisers step as PyTorch's do") {
    for (const Case& c : kCases) {
        INFO(c.name);
        tests::check_close(follow(c.rule, c.rate, 0), arrays().at(c.name + "/values"), 2e-6);
    }
}

TEST_CASE("clipped steps are PyTorch's") {
    for (const Case& c : kCases) {
        INFO(c.name);
        tests::check_close(follow(c.rule, c.rate, 1.5), arrays().at(c.name + "/clipped"), 2e-6);
    }
}

TEST_CASE("the norm of gradients is PyTorch's, and a layer's is that of its tensors") {
    num::Matrix<float> gradients = arrays().at<float>("gradients");
    const auto norms = arrays().at("norms");
    num::ThreadPool pool(1);
    std::vector<float> w(10);
    for (num::Index s = 0; s < gradients.rows(); ++s) {
        const std::span<const float> g(gradients.row(s).data(), 10);
        const std::vector<Parameter> parameters = {
            {"a.0.w", std::span(w).first(4), g.first(4)},
            {"b", std::span(w).subspan(4, 3), g.subspan(4, 3)},
            {"a.0.b", std::span(w).last(3), g.last(3)}};
        const auto found = train::gradient_norms(pool, parameters);
        CHECK(found.total == Approx(norms(s, 0)).epsilon(1e-6));
        REQUIRE(found.layers.size() == 2);
        CHECK(found.layers[0].layer == "a.0");
        CHECK(found.layers[1].layer == "b");
        const double a = found.layers[0].norm, b = found.layers[1].norm;
        CHECK(std::sqrt(a * a + b * b) == Approx(found.total));
        CHECK(b == Approx(gradients.row(s).segment(4, 3).norm()));
    }
}

TEST_CASE("a gradient that is no number makes the norm none") {
    std::vector<float> w(5), g(5, 1.0f);
    num::ThreadPool pool(1);
    g[3] = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(train::gradient_norms(pool, std::vector<Parameter>{{"a", w, g}}).total));
    g[3] = std::numeric_limits<float>::infinity();
    CHECK(std::isinf(train::gradient_norms(pool, std::vector<Parameter>{{"a", w, g}}).total));
}

TEST_CASE("a layer is what a name says up to its number") {
    CHECK(train::layer_of("encoder.layers.11.linear1.weight") == "encoder.layers.11");
    CHECK(train::layer_of("decoder.norm.bias") == "decoder.norm");
    CHECK(train::layer_of("embedding") == "embedding");
    CHECK(train::layer_of("encoder.weight_ih_l0") == "encoder");
}

TEST_CASE("two threads step as one does") {
    for (const Case& c : kCases) {
        INFO(c.name);
        Large one, two;
        num::ThreadPool alone(1), both(2);
        train::Optimizer first(c.rule, one.w.size()), second(c.rule, two.w.size());
        for (int s = 0; s < 3; ++s) {
            first.step(alone, one.parameters(), 0.01f, 0.5f);
            second.step(both, two.parameters(), 0.01f, 0.5f);
        }
        CHECK(one.w == two.w);
        CHECK(first.state() == second.state());
        CHECK(train::gradient_norms(alone, one.parameters()).total ==
              train::gradient_norms(both, two.parameters()).total);
    }
}

TEST_CASE("an optimiser goes on from its state as if it had never stopped") {
    for (const Case& c : kCases) {
        INFO(c.name);
        Large unbroken, resumed;
        num::ThreadPool pool(1);
        train::Optimizer whole(c.rule, unbroken.w.size()), half(c.rule, resumed.w.size());
        for (int s = 0; s < 4; ++s) whole.step(pool, unbroken.parameters(), 0.01f);
        for (int s = 0; s < 2; ++s) half.step(pool, resumed.parameters(), 0.01f);
        train::Optimizer rest(c.rule, resumed.w.size(), half.state());
        for (int s = 0; s < 2; ++s) rest.step(pool, resumed.parameters(), 0.01f);
        CHECK(unbroken.w == resumed.w);
        CHECK(rest.state().steps == 4);
    }
}

TEST_CASE("an optimiser refuses other parameters than its own") {
    std::vector<float> w(5), g(4);
    num::ThreadPool pool(1);
    train::Optimizer optimizer(train::Adam{}, 5);
    CHECK_THROWS(optimizer.step(pool, std::vector<Parameter>{{"a", std::span(w).first(4), g}}, 1));
    CHECK_THROWS(optimizer.step(pool, std::vector<Parameter>{{"a", w, g}}, 1));
    CHECK_THROWS(train::Optimizer(train::Adam{}, 5, {1, w, {}}));
}
