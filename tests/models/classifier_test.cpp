#include "models/classifier_models.hpp"

#include "models/model/model.hpp"
#include "models/open.hpp"
#include "nn/attention/score_info.hpp"

using namespace heed;
using namespace heed::models;

namespace {

std::shared_ptr<const Run> classifier_run(const std::shared_ptr<const Transformer>& model,
                                          std::vector<text::Token> source,
                                          const Controls& controls = {}, int pad_to = 0) {
    num::ThreadPool pool(2);
    Input input;
    input.source = std::move(source);
    input.pad_to = pad_to;
    const auto run = models::run(model, input, controls, pool);
    if (!run) FAIL(base::describe(run.error()));
    return *run;
}

num::Matrix<float> probabilities(const Run& run) {
    return run.trace.tensor("class_probabilities")->values;
}

std::string classifier_refusal(const tensors::Archive& archive) {
    num::ThreadPool pool(1);
    const auto model = Transformer::read(archive, "a model", pool);
    return model ? std::string() : base::describe(model.error());
}

} // namespace

TEST_CASE("a classifier's attention and probabilities agree with PyTorch") {
    num::ThreadPool pool(1);
    for (const std::string variant : kClassifiers) {
        INFO(variant);
        const auto model = classifier_variant(variant, pool);
        const auto expected = under(classifier_reference().arrays, variant + "/");
        const auto run = classifier_run(model, {{"w0"}, {"w1"}, {"w2"}, {"w14"}});
        const auto p = probabilities(*run);
        const auto& wanted = expected.at("probabilities").values;
        REQUIRE(p.size() == 3);
        const num::RowVector<float> e = model->logits(*run, pool).array().exp();
        CHECK(p.isApprox(e / e.sum(), 1e-5f));
        for (Index i = 0; i < 3; ++i) {
            CHECK(p(0, i) == Approx(wanted[static_cast<std::size_t>(i)]).epsilon(1e-5));
        }
        const auto& attention = expected.at("attention").values;
        const int heads = n_heads(model->config());
        REQUIRE(attention.size() == static_cast<std::size_t>(16 * heads));
        for (int h = 0; h < heads; ++h) {
            const auto map = run->trace.map({trace::AttentionKind::encoder_self, 0, h});
            const auto weights = map->whole(trace::Stage::weights);
            for (Index i = 0; i < 16; ++i) {
                CHECK(weights.data()[i] ==
                      Approx(attention[static_cast<std::size_t>(16 * h + i)]).margin(1e-6));
            }
        }
    }
}

TEST_CASE("the trace names the most probable class, and the prediction is over classes") {
    num::ThreadPool pool(1);
    const auto model = classifier_variant("one_head", pool);
    const auto run = classifier_run(model, {{"w3"}, {"w4"}});
    Index best = 0;
    const auto p = probabilities(*run);
    p.row(0).maxCoeff(&best);
    REQUIRE(run->trace.target.size() == 1);
    CHECK(run->trace.target[0].text == model->classes()[static_cast<std::size_t>(best)]);
    CHECK(model->answer(2) == "high politics");
    CHECK(model->next_token_probabilities(*run, pool) == p.row(0));
}

TEST_CASE(
    "padding that a mask forbids changes no probability, and what lies behind the length is not "
    "read") {
    num::ThreadPool pool(1);
    for (const std::string variant : kClassifiers) {
        INFO(variant);
        const auto model = classifier_variant(variant, pool);
        const auto words = words_at(*model, {3, 4, 5});
        Controls unpadded; // as a transformer's, padding is a key like any other without a mask
        HeadControls own;
        own.mask.emplace().padding = true;
        unpadded.set(Scope{}, own);
        const auto padded = classifier_run(model, words, unpadded, 5);
        CHECK(padded->trace.source.size() == 5);
        CHECK(probabilities(*padded).isApprox(probabilities(*classifier_run(model, words)), 1e-5f));
        const auto cut = classifier_run(model, words_at(*model, {3, 4, 5, 6, 7, 8}));
        const auto longer = classifier_run(model, words_at(*model, {3, 4, 5, 6, 7, 8, 9, 10}));
        CHECK(longer->trace.source.size() == 6);
        CHECK(probabilities(*longer) == probabilities(*cut));
    }
}

TEST_CASE("a head that is switched off, a mask and other scores change the probabilities") {
    num::ThreadPool pool(1);
    const auto model = classifier_variant("two_heads", pool);
    const auto words = words_at(*model, {3, 9, 5, 6});
    const auto before = probabilities(*classifier_run(model, words));
    const Scope head{trace::AttentionKind::encoder_self, 0, 1};
    HeadControls off;
    off.gain = 0.f;
    HeadControls causal;
    causal.mask.emplace().causal = true;
    HeadControls additive;
    additive.score = nn::Score::additive;
    HeadControls positions;
    positions.positions = nn::Positions::sinusoidal;
    for (const auto& [scope, one] : {std::pair(head, off), std::pair(Scope{}, causal),
                                     std::pair(head, additive), std::pair(Scope{}, positions)}) {
        Controls controls;
        controls.set(scope, one);
        CHECK_FALSE(probabilities(*classifier_run(model, words, controls)).isApprox(before, 1e-4f));
    }
    Controls dropped;
    dropped.dropout.rate = 0.5f;
    CHECK_FALSE(probabilities(*classifier_run(model, words, dropped)).isApprox(before, 1e-4f));
}

TEST_CASE("controls that a classifier has not are refused") {
    Controls norm;
    norm.norm = NormOrder::pre;
    const auto ok = check(norm, Config(classifier_spec()));
    REQUIRE_FALSE(ok);
    CHECK(ok.error().subject == "norm");
    CHECK(ok.error().message.find("a classifier") != std::string::npos);
    HeadControls layer;
    layer.gain = 0.f;
    Controls second;
    second.set({trace::AttentionKind::encoder_self, 1, 0}, layer);
    CHECK_FALSE(check(second, Config(classifier_spec())));
}

TEST_CASE("a classifier is read back as it was written, by load_model too") {
    num::ThreadPool pool(1);
    for (const std::string variant : kClassifiers) {
        const auto model = classifier_variant(variant, pool);
        const TemporaryFile file("classifier.safetensors");
        REQUIRE(model->save(file.path));
        const auto again = load_model(file.path, pool);
        if (!again) FAIL(base::describe(again.error()));
        CHECK((*again)->config() == Config(model->config()));
        const auto* read = classifier(**again);
        REQUIRE(read);
        CHECK(read->classes() == model->classes());
        CHECK(read->words()->words() == model->words()->words());
        const auto words = words_at(*model, {3, 4});
        num::ThreadPool alone(1);
        Input input;
        input.source = words;
        const auto run = models::run(*again, input, {}, alone);
        REQUIRE(run);
        CHECK(probabilities(**run) == probabilities(*classifier_run(model, words)));
    }
}

TEST_CASE("files of broken classifiers are refused by name") {
    const auto broken = [](auto edit) {
        auto archive = classifier_archive("one_head");
        edit(archive);
        return classifier_refusal(archive);
    };
    const auto has = [](const std::string& text, const char* part) {
        INFO(text);
        return text.find(part) != std::string::npos;
    };
    CHECK(broken([](auto&) {}).empty());
    CHECK(has(broken([](auto& a) { a.metadata.erase("classes"); }), "classes"));
    CHECK(has(broken([](auto& a) { a.metadata["classes"] = "one"; }), "at least two"));
    CHECK(has(broken([](auto& a) { a.metadata["classes"] = "a\nb\na"; }), "alike"));
    CHECK(has(broken([](auto& a) { a.metadata["classes"] = "a\nb"; }), "output.weight"));
    CHECK(has(broken([](auto& a) { a.metadata["max_positions"] = "0"; }), "max_positions"));
    CHECK(has(broken([](auto& a) { a.metadata["n_heads"] = "3"; }), "3 heads"));
    CHECK(has(broken([](auto& a) { a.metadata["pooling"] = "maximum"; }), "mean, flatten"));
    CHECK(has(broken([](auto& a) { a.metadata["dense"] = "70000"; }), "dense"));
    CHECK(has(broken([](auto& a) { a.arrays.erase("dense.bias"); }), "dense.bias"));
    CHECK(has(broken([](auto& a) { a.metadata.erase("vocabulary.words"); }), "vocabulary"));
    CHECK(has(broken([](auto& a) {
                  a.metadata["length"] = "2000";
                  a.metadata["pooling"] = "flatten";
                  a.metadata["d_model"] = "4096";
                  a.metadata["dense"] = "65536";
              }),
              "dense layer"));
}

TEST_CASE("a drawn classifier has heads that differ, the same on every team") {
    ModelSpec config = classifier_spec();
    config.n_heads = 4;
    std::vector<num::Matrix<float>> found;
    for (const int threads : {1, 2}) {
        num::ThreadPool pool(threads);
        const auto model = Transformer::draw(config, pool);
        REQUIRE(model);
        const auto run = classifier_run(*model, {{"the"}, {"cat"}, {"sat"}, {"down"}});
        const auto weights = [&](int head) {
            return run->trace.map({trace::AttentionKind::encoder_self, 0, head})
                ->whole(trace::Stage::weights);
        };
        CHECK_FALSE(weights(0).isApprox(weights(1), 0.05f));
        found.push_back(probabilities(*run));
    }
    CHECK(found[0] == found[1]);
    CHECK(found[0].cols() == 10);
}
