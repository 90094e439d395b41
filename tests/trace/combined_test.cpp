#include "catch.hpp"
#include "small_trace.hpp"
#include "trace/combined.hpp"

using namespace heed;
using namespace heed::tests;
using trace::Combine;
using trace::HeadId;
using trace::Stage;

namespace {

constexpr auto kKind = trace::AttentionKind::cross;

trace::Trace two_layers() {
    trace::Trace t;
    for (int layer = 0; layer < 2; ++layer) {
        SmallAttention small;
        small.layer = layer;
        small.queries = 35; // more than one block of rows
        small.heads[1].settings.gamma = 0.1f * static_cast<float>(layer + 1);
        nn::Mask causal;
        causal.causal = true;
        small.heads[2].settings.mask = causal;
        t.layers.push_back(
            std::make_shared<const trace::Layer>(trace::Layer{"layer", {}, {small.run()}}));
    }
    return t;
}

} // namespace

TEST_CASE("heads of a group are chosen by layer and by number") {
    const trace::Trace t = two_layers();
    CHECK(trace::heads_in(t, kKind, {}, {}).size() == 6);
    CHECK(trace::heads_in(t, kKind, {1}, {0, 2}) ==
          std::vector<HeadId>{{kKind, 1, 0}, {kKind, 1, 2}});
    CHECK(trace::heads_in(t, kKind, {7}, {}).empty());
    CHECK(trace::heads_in(t, trace::AttentionKind::encoder_self, {}, {}).empty());
}

TEST_CASE("heads combine cell by cell by mean, maximum and sum") {
    const trace::Trace t = two_layers();
    num::ThreadPool pool(2);
    const auto heads = trace::heads_in(t, kKind, {}, {0, 2});
    num::Matrix<float> sum = t.map(heads[0])->whole(Stage::weights), largest = sum;
    for (std::size_t i = 1; i < heads.size(); ++i) {
        const auto map = t.map(heads[i])->whole(Stage::weights);
        sum += map;
        largest = largest.cwiseMax(map);
    }
    CHECK(trace::combined_weights(t, heads, Combine::sum, pool).isApprox(sum, 1e-6f));
    CHECK(trace::combined_weights(t, heads, Combine::mean, pool).isApprox(sum / 4, 1e-6f));
    CHECK(trace::combined_weights(t, heads, Combine::maximum, pool) == largest);
    CHECK(trace::combined_weights(t, {}, Combine::sum, pool).size() == 0);
}

TEST_CASE("one head combined is that head") {
    const trace::Trace t = two_layers();
    num::ThreadPool pool(1);
    const HeadId head{kKind, 1, 1};
    CHECK(trace::combined_weights(t, {head}, Combine::mean, pool) ==
          t.map(head)->whole(Stage::weights));
}
