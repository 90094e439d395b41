// How heads of trained models agree with the gold alignment of their task.
#include "app/engine/computation.hpp"
#include "app/engine/gold_alignment.hpp"
#include "app/engine/head_scores.hpp"
#include "app/files/shipped_models.hpp"
#include "catch.hpp"
#include "small_document.hpp"
#include "train/data/alignment.hpp"
#include "train/loop/evaluation.hpp"

#include <algorithm>

using namespace heed;
using inside::HeadScore;

namespace {

app::Document shipped(const std::string& name, const std::string& source) {
    app::Document document;
    document.model_file = app::shipped_model(name);
    document.source = source;
    document.target.clear();
    return document;
}

/// Of the target words of all sentences, those whose largest weight is at the source word that
/// reversing puts there.
double reversed_right(num::ThreadPool& pool, const std::shared_ptr<const models::Model>& model,
                      const std::vector<train::Pair>& pairs, const trace::HeadId& head) {
    double right = 0, all = 0;
    for (const train::Pair& pair : pairs) {
        const auto run = train::run_pair(pool, model, pair);
        REQUIRE(run);
        const auto map = (*run)->trace.map(head);
        const auto weights =
            map->rectangle(trace::Stage::weights, train::aligning_part(**run, *map));
        const auto n = std::ssize(pair.target);
        for (num::Index i = 0; i < n; ++i) {
            num::Index most = 0;
            weights.row(i).maxCoeff(&most);
            right += most == n - 1 - i ? 1 : 0;
            all += 1;
        }
    }
    return right / all;
}

} // namespace

TEST_CASE("alignment of heads that reverse letters is the share of letters that they look up") {
    app::Computation computation(1);
    app::Needs needs;
    needs.head_scores = true;
    const app::Document document = shipped("reverse", "a b c d");
    auto snapshot = computation.answer({1, document, {}, needs}, {});
    REQUIRE_FALSE(snapshot->error);
    while (const auto more = computation.refine({})) snapshot = more;
    const app::HeadScores& scores = *snapshot->head_scores;
    REQUIRE(scores.complete());
    REQUIRE(scores.gold.pairs);
    CHECK(scores.gold.pairs->size() == 32);
    num::ThreadPool pool(1);
    float best = 0;
    for (const inside::HeadRow& row : scores.heads) {
        const bool aligns = row.head.kind == trace::AttentionKind::cross;
        REQUIRE(row.scores.values.has(HeadScore::alignment) == aligns);
        if (!aligns) continue;
        const float alignment = row.scores.values[HeadScore::alignment];
        best = std::max(best, alignment);
        CHECK(static_cast<double>(alignment) ==
              Approx(reversed_right(pool, snapshot->run->model, *scores.gold.pairs, row.head)));
    }
    CHECK(best > 0.9f); // it was trained to
}

TEST_CASE("alignment outlives the sentence, and is measured again with other controls") {
    app::Computation computation(1);
    app::Needs needs;
    needs.head_scores = true;
    app::Document document = shipped("reverse", "a b c d");
    computation.answer({1, document, {}, needs}, {});
    std::shared_ptr<const app::Snapshot> measured;
    while (const auto more = computation.refine({})) measured = more;
    REQUIRE(measured);
    document.source = "d c b";
    const auto other = computation.answer({2, document, {}, needs}, {});
    CHECK(other->head_scores->complete());
    CHECK(other->head_scores->heads.back().scores.values[HeadScore::alignment] ==
          measured->head_scores->heads.back().scores.values[HeadScore::alignment]);
    scale_off(document, trace::AttentionKind::cross, 0);
    const auto altered = computation.answer({3, document, {}, needs}, {});
    CHECK(altered->head_scores->gold.measured() == 0);
}

TEST_CASE("models without a task, or of a task that nobody aligned, have no alignment") {
    app::Computation computation(1);
    const auto drawn = computation.model_of(small_document());
    REQUIRE(drawn);
    const app::GoldAlignment none = app::gold_begun(**drawn);
    CHECK(none.complete());
    CHECK_FALSE(none.of({trace::AttentionKind::cross, 0, 0}));
    const auto classifier = computation.model_of(shipped("headlines-en-one-head", "rain"));
    REQUIRE(classifier);
    CHECK(app::gold_begun(**classifier).pairs == nullptr);
}
