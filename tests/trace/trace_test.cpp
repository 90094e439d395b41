#include "catch.hpp"
#include "small_trace.hpp"

using namespace heed;
using namespace heed::tests;
using trace::AttentionKind;

namespace {

std::shared_ptr<const trace::Layer> layer(const std::string& name, std::vector<AttentionKind> kinds,
                                          int index) {
    trace::Layer made;
    made.name = name;
    for (const auto kind : kinds) {
        SmallAttention small;
        small.kind = kind;
        small.layer = index;
        made.attentions.push_back(small.run());
    }
    trace::Tensor output{name + ".output", num::Matrix<float>::Constant(1, 1, float(index))};
    made.tensors.push_back(std::make_shared<const trace::Tensor>(output));
    return std::make_shared<const trace::Layer>(std::move(made));
}

trace::Trace small_trace() {
    trace::Trace t;
    t.source = {{"a", 0, 1}, {"b", 2, 3}};
    t.target = {{"c", 0, 1}};
    t.layers = {layer("encoder.layers.0", {AttentionKind::encoder_self}, 0),
                layer("encoder.layers.1", {AttentionKind::encoder_self}, 1),
                layer("decoder.layers.0", {AttentionKind::decoder_self, AttentionKind::cross}, 0)};
    return t;
}

} // namespace

TEST_CASE("a trace finds attention by kind, layer and head") {
    const trace::Trace t = small_trace();
    CHECK(t.n_layers(AttentionKind::encoder_self) == 2);
    CHECK(t.n_layers(AttentionKind::cross) == 1);
    CHECK(t.n_heads(AttentionKind::decoder_self) == 3);
    CHECK(t.attention(AttentionKind::encoder_self, 1)->name == "module.1");
    CHECK(!t.attention(AttentionKind::encoder_self, 2));
    const auto map = t.map({AttentionKind::cross, 0, 2});
    REQUIRE(map);
    CHECK(map->head_index() == 2);
    CHECK(&map->attention() == t.layers[2]->attentions[1].get());
    CHECK(!t.map({AttentionKind::cross, 0, 3}));
    CHECK(!t.map({AttentionKind::cross, 0, -1}));
    CHECK(!t.map({AttentionKind::cross, -1, 0}));
    CHECK(trace::Trace{}.n_heads(AttentionKind::cross) == 0);
}

TEST_CASE("a trace finds a tensor by its name") {
    const trace::Trace t = small_trace();
    REQUIRE(t.tensor("encoder.layers.1.output"));
    CHECK(t.tensor("encoder.layers.1.output")->values(0, 0) == 1);
    CHECK(!t.tensor("encoder.layers.2.output"));
}

TEST_CASE("a tensor that the run did not keep is made when it is looked at") {
    trace::Trace t = small_trace();
    trace::Layer layer = *t.layers[1];
    int made = 0;
    const auto make = [&made] {
        ++made;
        return num::Matrix<float>(num::Matrix<float>::Constant(2, 3, 5));
    };
    layer.remade.push_back({"encoder.layers.1.linear1", make, trace::Axis::target_tokens});
    t.layers[1] = std::make_shared<const trace::Layer>(std::move(layer));
    REQUIRE(t.tensor("encoder.layers.1.output"));
    CHECK(made == 0);
    const auto tensor = t.tensor("encoder.layers.1.linear1");
    REQUIRE(tensor);
    CHECK(made == 1);
    CHECK(tensor->name == "encoder.layers.1.linear1");
    CHECK(tensor->values == num::Matrix<float>::Constant(2, 3, 5));
    CHECK(tensor->rows == trace::Axis::target_tokens);
}

TEST_CASE("queries come from where attention stands, keys from where it looks") {
    const trace::Trace t = small_trace();
    CHECK(&t.queries(AttentionKind::encoder_self) == &t.source);
    CHECK(&t.keys(AttentionKind::encoder_self) == &t.source);
    CHECK(&t.queries(AttentionKind::decoder_self) == &t.target);
    CHECK(&t.keys(AttentionKind::decoder_self) == &t.target);
    CHECK(&t.queries(AttentionKind::cross) == &t.target);
    CHECK(&t.keys(AttentionKind::cross) == &t.source);
}

TEST_CASE("every stage is found by its name") {
    for (const auto stage : trace::kStages) CHECK(trace::stage_named(trace::name(stage)) == stage);
    CHECK(!trace::stage_named("softmax"));
    CHECK(trace::name(AttentionKind::decoder_self) == "decoder");
}
