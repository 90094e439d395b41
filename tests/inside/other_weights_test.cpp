// Other weights of the same answer: against every distribution of a grid, against the corners of
// weights that give one context, and where nothing can be found.
#include "inside/checkpoint_runs.hpp"
#include "inside/other_weights.hpp"

#include "num/softmax.hpp"

#include <algorithm>
#include <cmath>

using namespace heed;
using namespace heed::inside;

namespace {

using Weights = num::RowVector<double>;

const trace::HeadId kHead{trace::AttentionKind::decoder_self, 1, 0};

OtherWeights other_of(const std::shared_ptr<const models::Run>& run, const Question& question,
                      const trace::HeadId& head, Index query, num::ThreadPool& pool,
                      double allowed = 0.01) {
    OtherWeightsOptions options;
    options.allowed = allowed;
    auto found = other_weights(run, question, head, query, pool, options);
    if (!found) FAIL(base::describe(found.error()));
    return *std::move(found);
}

/// The next word's distribution of a run from nothing, with these weights in one row.
Weights answer_with(const models::Run& run, const Question& question, const trace::HeadId& head,
                    Index query, const Weights& weights, num::ThreadPool& pool) {
    const auto attention = run.trace.attention(head.kind, head.layer);
    const Index d = attention->d_v();
    models::Replacement other;
    other.kind = head.kind;
    other.layer = head.layer;
    other.head = head.head;
    other.row = query;
    other.values = weights.cast<float>() *
                   attention->v.middleCols(attention->layout().kv_head(head.head) * d, d)
                       .topRows(weights.size());
    models::RunOptions options;
    options.replaced = {other};
    const auto again = models::run(run.model, run.input, {}, pool, options);
    REQUIRE(again);
    const Weights logits = run.model->logits(**again, pool).row(question.token).cast<double>();
    return num::softmax<double>(logits);
}

} // namespace

TEST_CASE("other weights are as far as any on a grid that answer the same") {
    num::ThreadPool pool(1);
    for (const std::string family : {"gpt2", "llama"}) {
        const auto run = Checkpoint(family, pool).run(pool);
        const Question asked{2, 17, {}};
        for (const double allowed : {0.01, 0.05}) {
            CAPTURE(family, allowed);
            const auto found = other_of(run, asked, kHead, 2, pool, allowed);
            const Weights own = found.own.head(3),
                          base = answer_with(*run, asked, kHead, 2, own, pool);
            CHECK(found.change <= allowed);
            const auto change = [&](const Weights& w) {
                return total_variation(base, answer_with(*run, asked, kHead, 2, w, pool));
            };
            CHECK(change(found.other.head(3)) == Approx(found.change).margin(1e-5));
            constexpr int kGrid = 24;
            double most = 0, worst = 0;
            for (int a = 0; a <= kGrid; ++a) {
                for (int b = 0; a + b <= kGrid; ++b) {
                    Weights w(3);
                    w << a, b, kGrid - a - b;
                    w /= kGrid;
                    const double far = change(w);
                    if (far <= allowed) most = std::max(most, jensen_shannon_bits(own, w));
                    worst = std::max(worst, far);
                }
            }
            CHECK(found.divergence >= 0.97 * most);
            CHECK(found.most <= worst + 1e-6);
            CHECK(found.other.sum() == Approx(1));
            CHECK(found.other.minCoeff() >= 0);
            CHECK(found.divergence == Approx(jensen_shannon_bits(found.own, found.other)));
        }
    }
}

TEST_CASE("weights may move between keys of one value, and the context stays") {
    num::ThreadPool pool(1);
    // Values of the first layer know no position: tokens that are alike have one value.
    Checkpoint checkpoint("llama", pool);
    for (std::size_t i = 0; i < checkpoint.input.target.size(); ++i) {
        checkpoint.input.target[i].row = i % 2 == 0 ? 7 : 12;
    }
    checkpoint.input.target.resize(6);
    const auto run = checkpoint.run(pool);
    const trace::HeadId head{trace::AttentionKind::decoder_self, 0, 1};
    const auto found = other_of(run, {5, 17, {}}, head, 5, pool, 1e-7);
    double most = 0;
    for (int even = 0; even < 3; ++even) {
        for (int odd = 0; odd < 3; ++odd) {
            Weights w = Weights::Zero(6);
            w(2 * even) = found.own(0) + found.own(2) + found.own(4);
            w(2 * odd + 1) = found.own(1) + found.own(3) + found.own(5);
            most = std::max(most, jensen_shannon_bits(found.own, w));
        }
    }
    CHECK(found.same_context == Approx(most).epsilon(1e-5));
    CHECK(found.divergence == Approx(most).epsilon(1e-5));
    CHECK(found.change < 1e-6);
    CHECK(found.own(0) + found.own(2) + found.own(4) ==
          Approx(found.other(0) + found.other(2) + found.other(4)));
}

TEST_CASE("a row with one key has no other weights, and one behind the word changes nothing") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("gpt2", pool).run(pool);
    const auto one = other_of(run, {2, 17, {}}, kHead, 0, pool);
    CHECK(one.verdict == OtherWeightsVerdict::one_key);
    CHECK(one.distance == 0);
    const auto behind = other_of(run, {2, 17, {}}, kHead, 5, pool);
    CHECK(behind.verdict == OtherWeightsVerdict::idle);
    CHECK(behind.most < 1e-6);
    CHECK(behind.divergence > 0.5);
}

TEST_CASE("other weights of cross-attention answer the same") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("t5", pool).run(pool);
    const auto found =
        other_of(run, {5, 17, {}}, {trace::AttentionKind::cross, 1, 1}, 5, pool, 0.02);
    CHECK(found.change <= 0.02);
    CHECK(found.keys == found.own.size());
    CHECK(found.divergence > found.same_context - 1e-9);
}

TEST_CASE("a head or query that is not there is refused by name") {
    num::ThreadPool pool(1);
    const auto run = Checkpoint("gpt2", pool).run(pool);
    const auto refused = [&](int layer, int head, Index query) {
        const auto found = other_weights(
            run, {2, 17, {}}, {trace::AttentionKind::decoder_self, layer, head}, query, pool);
        REQUIRE_FALSE(found);
        return found.error().subject;
    };
    CHECK(refused(2, 0, 0) == "layer");
    CHECK(refused(0, 99, 0) == "head");
    CHECK(refused(0, 0, 11) == "query");
}

TEST_CASE("distances between weights are those of the closed form") {
    Weights a(2), b(2);
    a << 1, 0;
    b << 0, 1;
    CHECK(jensen_shannon_bits(a, b) == Approx(1));
    CHECK(total_variation(a, b) == Approx(1));
    b << 0.5, 0.5; // ½ log2(4/3) + ½ (½ log2(2/3) + ½ log2 2)
    CHECK(jensen_shannon_bits(a, b) ==
          Approx(0.5 * std::log2(4.0 / 3) + 0.25 * std::log2(2.0 / 3) + 0.25));
    CHECK(total_variation(a, b) == Approx(0.5));
}
