// Tokens that a class stands on: gradients of its logit against central differences, and accounts
// of attention in closed form.
#include "inside/checkpoint_runs.hpp"
#include "inside/logit_pass.hpp"
#include "inside/token_accounts.hpp"
#include "models/classifier_models.hpp"
#include "models/sentences.hpp"

#include <cmath>
#include <random>

using namespace heed;
using namespace heed::inside;
using num::RowVector;

namespace {

constexpr const char* kImageFamilies[] = {"vit", "deit", "deit_teacher"};

std::shared_ptr<const models::Run> classified(const std::string& variant, num::ThreadPool& pool) {
    const auto model = models::classifier_variant(variant, pool);
    models::Input input;
    input.source = models::words_at(*model, {4, 9, 4, 12, 7});
    return models::ran(model, input, {}, pool);
}

/// Of an image of drawn pixels, each times `contrast`.
std::shared_ptr<const models::Run> seen(const std::string& family, num::ThreadPool& pool,
                                        float contrast = 1) {
    auto opened = models::load_model(HEED_SOURCE_DIR "/tests/models/checkpoints/" + family, pool);
    if (!opened) FAIL(base::describe(opened.error()));
    const models::PatchSpec& patches = (*opened)->traits().patches;
    num::Matrix<float> image(patches.channels * patches.image, patches.image);
    std::mt19937 random(5);
    std::uniform_real_distribution<float> drawn(-1, 1);
    for (Index i = 0; i < image.size(); ++i) image.data()[i] = contrast * drawn(random);
    models::Input input;
    input.image = std::make_shared<const num::Matrix<float>>(std::move(image));
    return models::ran(*opened, input, {}, pool);
}

std::vector<std::shared_ptr<const models::Run>> class_runs(num::ThreadPool& pool) {
    std::vector<std::shared_ptr<const models::Run>> runs;
    for (const char* variant : models::kClassifiers) runs.push_back(classified(variant, pool));
    for (const char* family : kImageFamilies) runs.push_back(seen(family, pool));
    return runs;
}

} // namespace

TEST_CASE("the gradient of a class's logit is that of central differences, for every pooling") {
    num::ThreadPool pool(1);
    constexpr double kStep = 1e-5;
    int pooled = 0;
    for (const auto& run : class_runs(pool)) {
        CAPTURE(pooled++);
        for (const Question& asked : {Question{0, 1, {}}, Question{0, 1, 0}}) {
            const PassModel<double> model(*run, asked);
            StackInputs<double> x;
            x.encoder = residual_after(*run, trace::AttentionKind::encoder_self, -1).cast<double>();
            LogitPass<double> pass(model);
            const double logit = pass.forward(x)[0];
            const num::Matrix<float> logits = run->model->logits(*run, pool);
            const float wanted = logits(0, 1) - (asked.against ? logits(0, 0) : 0);
            CHECK(logit == Approx(static_cast<double>(wanted)).margin(1e-4));
            const auto gradient = pass.backward();
            const Index stride = std::max<Index>(1, x.encoder.size() / 40);
            for (Index i = 0; i < x.encoder.size(); i += stride) {
                double& number = x.encoder.data()[i];
                const double before = number;
                number = before + kStep;
                const double above = LogitPass<double>(model).forward(x)[0];
                number = before - kStep;
                const double below = LogitPass<double>(model).forward(x)[0];
                number = before;
                CHECK(gradient.encoder.data()[i] ==
                      Approx((above - below) / (2 * kStep)).margin(1e-6));
            }
        }
    }
}

TEST_CASE("variants of a class's pass are passes of their own") {
    num::ThreadPool pool(1);
    for (const auto& run : class_runs(pool)) {
        const PassModel<double> model(*run, {0, 1, {}});
        const num::Matrix<double> x =
            residual_after(*run, trace::AttentionKind::encoder_self, -1).cast<double>();
        num::Matrix<double> two(2 * x.rows(), x.cols());
        two << x, 0.5 * x;
        LogitPass<double> both(model), alone(model);
        const auto logits = both.forward({two, {}});
        const auto gradient = both.backward();
        CHECK(alone.forward({0.5 * x, {}})[0] == Approx(logits[1]).margin(1e-10));
        CHECK(alone.backward().encoder.isApprox(gradient.encoder.bottomRows(x.rows()), 1e-9));
    }
}

TEST_CASE("integrated gradients of a class add up to the change of its logit") {
    num::ThreadPool pool(2);
    for (const auto& run : class_runs(pool)) {
        const auto found = integrated_gradients(*run, {0, 1, {}}, pool);
        REQUIRE(found);
        const num::Matrix<float> logits = run->model->logits(*run, pool);
        CHECK(found->logit == Approx(static_cast<double>(logits(0, 1))).margin(1e-4));
        CHECK(std::abs(found->residue()) <= 0.02 * std::abs(found->logit - found->baseline) + 1e-3);
        CHECK(found->tokens.source.size() == std::ssize(run->trace.source));
        CHECK(found->tokens.target.size() == 0);
        const auto& patches = run->model->traits().patches;
        if (run->model->traits().reads_pictures) { // its learned tokens are no part of the image
            CHECK(found->tokens.source.head(patches.leading).isZero());
        }
    }
}

TEST_CASE("integrated gradients of an image begin at pixels of zeros, which add nothing") {
    num::ThreadPool pool(1);
    for (const char* family : kImageFamilies) {
        CAPTURE(family);
        const auto blank = seen(family, pool, 0), drawn = seen(family, pool);
        const auto& bias = models::transformer(*blank->model)->usual_parameters().patch_bias;
        REQUIRE(bias.cwiseAbs().maxCoeff() > 0);
        const auto nothing = integrated_gradients(*blank, {0, 1, {}}, pool);
        REQUIRE(nothing);
        CHECK(nothing->tokens.source.cwiseAbs().maxCoeff() == 0);
        const auto found = integrated_gradients(*drawn, {0, 1, {}}, pool);
        REQUIRE(found);
        const num::Matrix<float> logits = blank->model->logits(*blank, pool);
        CHECK(found->baseline == Approx(static_cast<double>(logits(0, 1))).margin(1e-4));
    }
}

TEST_CASE("a method's formula is that of the layers, of what is read, and of the pooling") {
    num::ThreadPool pool(1);
    const auto told = [](const models::Run& run, TokenMethod method) {
        return words_of(kTokenMethods[static_cast<std::size_t>(method)], run, {0, 1, {}});
    };
    const auto says = [](const TokenMethodWords& words, const char* what) {
        return words.tip.find(what) != std::string::npos;
    };
    for (const char* variant : models::kClassifiers) {
        CAPTURE(variant);
        const auto run = classified(variant, pool);
        CHECK(told(*run, TokenMethod::attention_gradient).formula == "R ← E_h[(∇A ∘ A)⁺] R");
        CHECK(told(*run, TokenMethod::rollout).formula == "Π A");
        CHECK(told(*run, TokenMethod::flow).formula == "maximum flow through A");
        for (const auto& info : kTokenMethods) {
            const auto words = told(*run, info.method);
            CHECK_FALSE(says(words, "half of each token"));
            CHECK(says(words, "the mean over them") == (info.method != TokenMethod::integrated));
        }
        CHECK(says(told(*run, TokenMethod::integrated), "sentence of zeros"));
    }
    for (const char* family : kImageFamilies) {
        CAPTURE(family);
        const auto run = seen(family, pool);
        const bool two = run->model->traits().pooling == models::Pooling::leading;
        CHECK(told(*run, TokenMethod::rollout).formula == "Π (½ A + ½ I)");
        CHECK(says(told(*run, TokenMethod::rollout), "the mean over them") == two);
        CHECK(told(*run, TokenMethod::integrated).formula ==
              "x · ∫ ∂z(αx)/∂x dα, from pixels of zeros");
        CHECK_FALSE(says(told(*run, TokenMethod::integrated), "sentence"));
    }
}

TEST_CASE("without a residual rollout and flow are the attention that the class is read from") {
    num::ThreadPool pool(1);
    for (const char* variant : models::kClassifiers) {
        CAPTURE(variant);
        const auto run = classified(variant, pool);
        const auto maps = token_maps(*run, pool);
        REQUIRE(maps.size() == 1);
        const RowVector<double> mean = maps[0]->cast<double>().colwise().mean();
        const auto rollout = rolled_out(*run, {0, 1, {}}, pool);
        const auto flow = attention_flow(*run, {0, 1, {}}, pool);
        REQUIRE((rollout && flow));
        CHECK(rollout->source.isApprox(mean, 1e-5));
        CHECK(flow->source.isApprox(mean, 1e-5));
    }
}

TEST_CASE("a class that is read from the first token has that one's rollout, from two their mean") {
    num::ThreadPool pool(1);
    for (const char* family : kImageFamilies) {
        CAPTURE(family);
        const auto run = seen(family, pool);
        const bool two = run->model->traits().pooling == models::Pooling::leading;
        const num::Matrix<double> whole = trace::rollout(token_maps(*run, pool)).cast<double>();
        const RowVector<double> wanted = whole.topRows(two ? 2 : 1).colwise().mean();
        const auto found = rolled_out(*run, {0, 1, {}}, pool);
        REQUIRE(found);
        CHECK(found->source.isApprox(wanted, 1e-5));
        const auto accounts = token_accounts(*run, {0, 1, {}}, pool);
        REQUIRE(accounts);
        CHECK(accounts->accounts.size() == 4);
    }
}

TEST_CASE("attention times gradient of one layer alone is its positive part, in closed form") {
    num::ThreadPool pool(1);
    for (const char* variant : models::kClassifiers) {
        CAPTURE(variant);
        const auto run = classified(variant, pool);
        const Question asked{0, 1, {}};
        // Ā by the gradient with respect to weights that the pass tells.
        const PassModel<double> model(*run, asked);
        LogitPass<double> pass(model);
        pass.forward(
            {residual_after(*run, trace::AttentionKind::encoder_self, -1).cast<double>(), {}});
        const Index n = std::ssize(run->trace.source), heads = run->model->traits().n_heads;
        num::Matrix<double> mean = num::Matrix<double>::Zero(n, n);
        pass.backward([&](trace::AttentionKind, int, const std::vector<double>& weights,
                          const std::vector<double>& gradient) {
            for (std::size_t i = 0; i < weights.size(); ++i) {
                mean.data()[i % static_cast<std::size_t>(n * n)] +=
                    std::max(0.0, weights[i] * gradient[i]) / static_cast<double>(heads);
            }
        });
        const auto found = attention_times_gradient(*run, asked);
        REQUIRE(found);
        const RowVector<double> wanted = mean.colwise().mean();
        for (Index i = 0; i < n; ++i) {
            CHECK(found->source(i) == Approx(wanted(i)).margin(1e-6));
        }
    }
}
