// Attention × gradient, integrated gradients and rollout of checkpoints of seven families against
// transformers and autograd: tests/reference/make_inside_gradients.py. Flow against all cuts.
#include "inside/checkpoint_runs.hpp"
#include "inside/logit_pass.hpp"
#include "inside/token_accounts.hpp"
#include "reference_arrays.hpp"

#include <bit>
#include <cmath>
#include <limits>

using namespace heed;
using namespace heed::inside;

namespace {

constexpr const char* kPassingFamilies[] = {"gpt2", "llama", "neox",  "bert",
                                            "bart", "t5",    "albert"};
constexpr int kReferenceNodes = 64;

const tests::ReferenceArrays& gradient_arrays() {
    static const tests::ReferenceArrays arrays("inside_gradients.txt");
    return arrays;
}

template <class T> T made(base::Result<T> result) {
    if (!result) FAIL(base::describe(result.error()));
    return *std::move(result);
}

num::Matrix<double> joined(const TokenScores& scores) {
    num::Matrix<double> row(1, scores.source.size() + scores.target.size());
    row.leftCols(scores.source.size()) = scores.source;
    row.rightCols(scores.target.size()) = scores.target;
    return row;
}

template <class Check> void of_each_question(Check&& check) {
    for (const std::string family : kPassingFamilies) {
        for (const auto& [what, question] : {std::pair("logit", Question{5, 17, {}}),
                                             std::pair("difference", Question{5, 17, 9})}) {
            CAPTURE(family, what);
            check(family, family + "." + what, question);
        }
    }
}

} // namespace

TEST_CASE(
    "attention times its gradient is what autograd makes of transformers' attention weights") {
    num::ThreadPool pool(2);
    of_each_question(
        [&](const std::string& family, const std::string& name, const Question& asked) {
            const auto run = Checkpoint(family, pool).run(pool);
            const auto found = made(attention_times_gradient(*run, asked));
            tests::check_close(joined(found), gradient_arrays().at(name + ".relevance"), 1e-4);
        });
}

TEST_CASE("integrated gradients of the words are autograd's, node by node") {
    num::ThreadPool pool(2);
    of_each_question([&](const std::string& family, const std::string& name,
                         const Question& asked) {
        const auto run = Checkpoint(family, pool).run(pool);
        IntegratedOptions options;
        options.nodes = options.most_nodes = kReferenceNodes;
        const auto found = made(integrated_gradients(*run, asked, pool, options));
        tests::check_close(joined(found.tokens), gradient_arrays().at(name + ".integrated"), 1e-3);
        num::Matrix<double> ends(1, 2);
        ends << found.baseline, found.logit;
        tests::check_close(ends, gradient_arrays().at(name + ".ends"), 1e-4);
    });
}

TEST_CASE("integrated gradients add up to the change of the logit") {
    num::ThreadPool pool(2);
    for (const std::string family : {"gpt2", "llama", "neox", "bert", "bart", "albert"}) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        const auto found = made(integrated_gradients(*run, {5, 17, {}}, pool));
        CHECK(std::abs(found.residue()) <= 0.005 * std::abs(found.logit - found.baseline));
        CHECK(found.sum() == Approx(found.logit - found.baseline).epsilon(0.006));
    }
}

TEST_CASE("rollout of one stack and of two is the product of the mixed maps") {
    num::ThreadPool pool(2);
    for (const std::string family : kPassingFamilies) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        const auto found = made(rolled_out(*run, {5, 17, {}}, pool));
        tests::check_close(joined(found), gradient_arrays().at(family + ".rollout"), 1e-5);
    }
}

TEST_CASE("the gradient of the input is that of central differences") {
    num::ThreadPool pool(1);
    constexpr double kStep = 1e-5;
    for (const std::string family : kPassingFamilies) {
        CAPTURE(family);
        const auto run = Checkpoint(family, pool).run(pool);
        const PassModel<double> model(*run, {5, 17, 9});
        const auto input = [&](trace::AttentionKind stack) {
            return num::Matrix<double>(residual_after(*run, stack, -1).cast<double>());
        };
        StackInputs<double> x;
        if (!model.encoder.empty()) x.encoder = input(trace::AttentionKind::encoder_self);
        if (!model.decoder.empty()) x.decoder = input(trace::AttentionKind::decoder_self);
        LogitPass<double> pass(model);
        pass.forward(x);
        const auto gradient = pass.backward();
        for (const bool encoder : {true, false}) {
            auto& of = encoder ? x.encoder : x.decoder;
            const auto& d = encoder ? gradient.encoder : gradient.decoder;
            for (Index i = 0; i < of.size(); i += 37) {
                const double before = of.data()[i];
                of.data()[i] = before + kStep;
                const double above = LogitPass<double>(model).forward(x)[0];
                of.data()[i] = before - kStep;
                const double below = LogitPass<double>(model).forward(x)[0];
                of.data()[i] = before;
                CHECK(d.data()[i] == Approx((above - below) / (2 * kStep)).margin(1e-6));
            }
        }
    }
}

TEST_CASE("variants of one pass are passes of their own") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("t5", pool).run(pool);
    const PassModel<double> model(*run, {5, 17, {}});
    const num::Matrix<double> e =
        residual_after(*run, trace::AttentionKind::encoder_self, -1).cast<double>();
    const num::Matrix<double> d =
        residual_after(*run, trace::AttentionKind::decoder_self, -1).cast<double>();
    num::Matrix<double> two_e(2 * e.rows(), e.cols()), two_d(2 * d.rows(), d.cols());
    two_e << e, 0.5 * e;
    two_d << d, 2 * d;
    LogitPass<double> both(model), alone(model);
    const auto logits = both.forward({two_e, two_d});
    const auto gradient = both.backward();
    CHECK(alone.forward({0.5 * e, 2 * d})[0] == Approx(logits[1]).epsilon(1e-10));
    const auto second = alone.backward();
    CHECK(second.encoder.isApprox(gradient.encoder.bottomRows(e.rows()), 1e-9));
    CHECK(second.decoder.isApprox(gradient.decoder.bottomRows(d.rows()), 1e-9));
}

TEST_CASE("attention flow is the least that cuts a token off") {
    trace::LayerMaps maps;
    num::Matrix<float> a(3, 3), b(3, 3);
    a << 1, 0, 0, 0.25f, 0.75f, 0, 0.5f, 0.125f, 0.375f;
    b << 1, 0, 0, 0.625f, 0.375f, 0, 0.125f, 0.25f, 0.625f;
    maps = {num::shared_matrix(a), num::shared_matrix(b), num::shared_matrix(a)};
    std::vector<num::Matrix<float>> steps;
    for (const auto& map : maps) steps.push_back(trace::with_residual(*map));
    const auto flows = maximum_flow(maps, 2);
    REQUIRE(flows);
    for (int to = 0; to < 3; ++to) {
        double least = std::numeric_limits<double>::infinity();
        for (unsigned cut = 0; cut < (1u << 12); ++cut) { // the side of the asked token
            const auto inside = [&](std::size_t level, int token) {
                return (cut >> (3 * level + static_cast<std::size_t>(token)) & 1u) != 0;
            };
            if (!inside(3, 2) || inside(0, to)) continue;
            double size = 0;
            for (std::size_t level = 0; level < 3; ++level) {
                for (int high = 0; high < 3; ++high) {
                    for (int low = 0; low < 3; ++low) {
                        if (inside(level + 1, high) && !inside(level, low)) {
                            size += static_cast<double>(steps[level](high, low));
                        }
                    }
                }
            }
            least = std::min(least, size);
        }
        CHECK((*flows)(to) == Approx(least).epsilon(1e-6));
    }
}

TEST_CASE("ranks agree where the order does") {
    num::RowVector<double> a(4), b(4);
    a << 0.1, 0.5, 0.3, 0.2;
    b << 1, 16, 9, 4;
    CHECK(spearman(a, b) == Approx(1));
    CHECK(spearman(a, -b) == Approx(-1));
    b << 2, 2, 1, 0; // ranks 2.5 2.5 1 0 against 0 3 2 1: by hand 0.5 / √(5 · 4.5)
    CHECK(spearman(a, b) == Approx(0.5 / std::sqrt(5 * 4.5)));
    CHECK(std::isnan(spearman(a, num::RowVector<double>::Ones(4))));
}

TEST_CASE("a sum of Gauss and Legendre is exact for polynomials") {
    for (const int n : {1, 2, 5, 16}) {
        CAPTURE(n);
        for (const int degree : {0, 1, 2 * n - 1}) {
            double sum = 0;
            for (const auto& [x, weight] : gauss_legendre(n)) sum += weight * std::pow(x, degree);
            CHECK(sum == Approx(1.0 / (degree + 1)).epsilon(1e-12));
        }
    }
}

TEST_CASE("accounts of tokens are told apart by their ranks and their first") {
    num::ThreadPool pool(2);
    const auto run = Checkpoint("gpt2", pool).run(pool);
    const auto found = made(token_accounts(*run, {5, 17, {}}, pool));
    REQUIRE(found.accounts.size() == 4);
    REQUIRE(found.pairs.size() == 6);
    const auto arrays = [&](const char* name) {
        return num::RowVector<double>(gradient_arrays().at(std::string("gpt2.") + name).row(0));
    };
    const num::RowVector<double> relevance = arrays("logit.relevance").head(6);
    const num::RowVector<double> integrated = arrays("logit.integrated").head(6).cwiseAbs();
    CHECK(found.pairs[0].spearman == Approx(spearman(relevance, integrated)));
    CHECK(found.accounts[0].top == TokenPlace{true, 5});
    CHECK(found.accounts[1].top == TokenPlace{true, 0});
    CHECK_FALSE(found.pairs[0].same_top);
}

TEST_CASE("what passes no gradient back is named") {
    num::ThreadPool pool(1);
    const auto gemma = Checkpoint("gemma2", pool).run(pool);
    const auto refused = attention_times_gradient(*gemma, {5, 17, {}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == base::ErrorKind::mismatch);
    CHECK(refused.error().subject == "model");
    Checkpoint padded("bert", pool);
    padded.input.pad_to = 20;
    const auto run = padded.run(pool);
    CHECK(check_passes(*run).error().subject == "run");
}

TEST_CASE("accounts that are added one by one are those that are made at once, the quick ones "
          "first") {
    num::ThreadPool pool(2);
    const auto run = Checkpoint("bart", pool).run(pool);
    const Question asked{5, 17, {}};
    const IntegratedOptions options{.nodes = 8, .most_nodes = 8};
    const auto whole = made(token_accounts(*run, asked, pool, options));
    TokenAccounts found;
    for (std::size_t count = 1; !found.complete(); ++count) {
        REQUIRE(add_account(found, *run, asked, pool, options));
        CHECK(found.accounts.size() == count);
        CHECK(found.pairs.size() == count * (count - 1) / 2);
        CHECK((found.find(TokenMethod::integrated) == nullptr) == (count < 4));
        CHECK_FALSE(found.left_out(TokenMethod::integrated));
        CHECK_FALSE(found.left_out(TokenMethod::flow));
    }
    for (std::size_t i = 0; i < whole.accounts.size(); ++i) {
        CHECK(found.accounts[i].method == whole.accounts[i].method);
        CHECK(found.accounts[i].scores.source == whole.accounts[i].scores.source);
        CHECK(found.accounts[i].top == whole.accounts[i].top);
    }
    for (std::size_t i = 0; i < whole.pairs.size(); ++i) {
        CHECK(found.pairs[i].spearman == whole.pairs[i].spearman);
    }
    std::stop_source stopped;
    stopped.request_stop();
    TokenAccounts none;
    IntegratedOptions stops = options;
    stops.stop = stopped.get_token();
    CHECK_FALSE(add_account(none, *run, asked, pool, stops));
    CHECK(none.tried == 0);
}
