// Values that heads pass on: held to the run's own residual sums, and to slow versions.
#include "inside/head_values.hpp"
#include "inside/repeated.hpp"
#include "models/sentences.hpp"
#include "models/transformer/parameters.hpp"

using namespace heed;
using inside::HeadScore;
using models::Architecture;
using num::Matrix;
using trace::AttentionKind;

namespace {

models::ModelSpec tiny_pre(Architecture architecture) {
    models::ModelSpec spec = models::tiny(architecture);
    spec.norm = models::NormOrder::pre;
    spec.n_heads = 4;
    spec.attention.n_kv_heads = 2;
    spec.word_logits.tied = true;
    return spec;
}

} // namespace

TEST_CASE("weights, values and output maps of the heads add up to what attention writes") {
    num::ThreadPool pool(2);
    const auto model = models::drawn(tiny_pre(Architecture::decoder_only), pool);
    const auto run = models::ran(model, models::sentence(), {}, pool);
    const auto attention = run->trace.attention(AttentionKind::decoder_self, 0);
    const auto& module = model->parameters().decoder[0].self_attention;
    Matrix<float> sum = Matrix<float>::Zero(attention->n_queries(), model->config().d_model);
    for (int h = 0; h < 4; ++h) {
        const trace::HeadId head{AttentionKind::decoder_self, 0, h};
        const auto map = inside::head_output_map(*model, head);
        REQUIRE(map);
        const num::Index d = attention->d_v();
        const Matrix<float> values = attention->v.middleCols(h / 2 * d, d);
        const Matrix<float> weights = run->trace.map(head)->whole(trace::Stage::weights);
        sum += weights * values * *map;

        const auto norms = inside::value_norms(*run, head);
        const auto transformed = inside::transformed_norms(*run, head);
        REQUIRE(transformed);
        for (num::Index j = 0; j < norms.size(); ++j) {
            CHECK(norms(j) == Approx(values.row(j).norm()));
            const num::RowVector<float> written = values.row(j) * *map;
            CHECK((*transformed)(j) == Approx(written.norm()).epsilon(1e-5));
        }
    }
    sum.rowwise() += module.output_bias;
    const Matrix<float> written = run->trace.tensor("decoder.layers.0.residual1")->values -
                                  run->trace.tensor("decoder_input")->values;
    CHECK((sum - written).cwiseAbs().maxCoeff() < 1e-5f * written.cwiseAbs().maxCoeff() + 1e-6f);
}

TEST_CASE("layers say how long the stream is and what they add to it") {
    num::ThreadPool pool(1);
    const auto model = models::drawn(models::tiny(Architecture::encoder_decoder), pool);
    const auto run = models::ran(model, models::sentence(), {}, pool);
    const auto norms = inside::layer_norms(*run);
    const auto layers = static_cast<std::size_t>(model->config().n_encoder_layers);
    REQUIRE(norms.size() == 2 * layers);
    CHECK(norms[0].name == "encoder.layers.0");
    CHECK(norms[layers].name == "decoder.layers.0");
    const auto& x = run->trace.tensor("encoder_input")->values;
    const auto& y = run->trace.tensor("encoder.layers.0.norm2")->values;
    CHECK(norms[0].stream == Approx(y.rowwise().norm().mean()).epsilon(1e-5));
    CHECK(norms[0].update == Approx((y - x).rowwise().norm().mean()).epsilon(1e-5));
}

TEST_CASE("copying is the own share of what rises, as a slow version has it") {
    num::ThreadPool pool(1);
    const auto model = models::drawn(tiny_pre(Architecture::decoder_only), pool);
    models::Input input;
    input.target = models::tokens({"the", "cat", "the", "dog", "sat"});
    const auto run = models::ran(model, input, {}, pool);
    const auto scores = inside::copying_scores(*run, AttentionKind::decoder_self, 1);
    REQUIRE(scores.size() == 4);
    const auto attention = run->trace.attention(AttentionKind::decoder_self, 1);
    const std::vector<int> places = {0, 1, 3, 4};
    const auto& p = model->parameters();
    for (int h = 0; h < 4; ++h) {
        const auto map = inside::head_output_map(*model, {AttentionKind::decoder_self, 1, h});
        double mean = 0;
        for (std::size_t t = 0; t < places.size(); ++t) {
            num::RowVector<float> u =
                attention->v.row(places[t]).segment(h / 2 * attention->d_v(), attention->d_v()) *
                *map;
            u = (u.array() - u.mean()).matrix().cwiseProduct(p.decoder_norm.gain);
            std::vector<double> z;
            double all = 0, raised = 0;
            for (const int place : places) {
                const auto row =
                    model->vocabulary_row(input.target[static_cast<std::size_t>(place)].text);
                z.push_back(static_cast<double>(u.dot(p.embedding.row(row))));
            }
            for (const double x : z) all += x / 4;
            for (const double x : z) raised += std::max(0.0, x - all);
            mean += std::max(0.0, z[t] - all) / raised / 4;
        }
        CHECK(static_cast<double>(scores[static_cast<std::size_t>(h)]) ==
              Approx(mean).epsilon(1e-3));
    }
}

TEST_CASE("copying is not measured where the stream does not lead to logits by sums") {
    num::ThreadPool pool(1);
    const auto post = models::drawn(models::tiny(Architecture::decoder_only), pool);
    const auto both = models::drawn(tiny_pre(Architecture::encoder_decoder), pool);
    const auto run = models::ran(post, models::sentence(), {}, pool);
    CHECK(inside::copying_scores(*run, AttentionKind::decoder_self, 0).empty());
    const auto pre = models::drawn(tiny_pre(Architecture::decoder_only), pool);
    models::Controls turned; // the run's norm order counts, not the model's
    turned.norm = models::NormOrder::post;
    const auto as_post = models::ran(pre, models::sentence(), turned, pool);
    CHECK(inside::copying_scores(*as_post, AttentionKind::decoder_self, 0).empty());
    const auto pair = models::ran(both, models::sentence(), {}, pool);
    CHECK(inside::copying_scores(*pair, AttentionKind::encoder_self, 0).empty());
    CHECK(inside::copying_scores(*pair, AttentionKind::cross, 0).empty());
    CHECK(inside::copying_scores(*pair, AttentionKind::decoder_self, 0).size() == 4);
    CHECK(inside::copying_scores(*pair, AttentionKind::decoder_self, 99).empty());
}

TEST_CASE("a random sequence comes twice on every side, the same for the same seed") {
    num::ThreadPool pool(1);
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        const auto model = models::drawn(tiny_pre(architecture), pool);
        const auto input = inside::repeated_input(*model, 1, 0);
        REQUIRE(input);
        const auto n = static_cast<std::size_t>(inside::repeated_length(*model));
        CHECK(n == 25);
        REQUIRE(input->source.size() == 2 * n);
        for (std::size_t i = 0; i < n; ++i) CHECK(input->source[i] == input->source[n + i]);
        CHECK(*inside::repeated_input(*model, 1, 0) == *input);
        CHECK_FALSE(*inside::repeated_input(*model, 2, 0) == *input);
        CHECK_FALSE(*inside::repeated_input(*model, 1, 1) == *input);
        const auto run = models::ran(model, *input, {}, pool);
        const auto scores = inside::repeated_scores(*run, pool);
        REQUIRE(scores);
        const auto heads = inside::all_heads(model->traits());
        for (std::size_t i = 0; i < heads.size(); ++i) {
            CHECK((*scores)[i].has(HeadScore::induction) ==
                  (heads[i].kind != AttentionKind::cross));
        }
    }
}

TEST_CASE("sequences stay within a model's positions, and a model of one word has none") {
    num::ThreadPool pool(1);
    auto spec = tiny_pre(Architecture::decoder_only);
    spec.positions = nn::Positions::learned;
    spec.max_positions = 21;
    const auto narrow = models::drawn(spec, pool);
    CHECK(inside::repeated_length(*narrow) == 10);
    CHECK(inside::repeated_input(*narrow, 1, 0)->source.size() == 20);
    spec.max_positions = 3;
    const auto none = inside::repeated_input(*models::drawn(spec, pool), 1, 0);
    REQUIRE_FALSE(none);
    CHECK(none.error().kind == base::ErrorKind::unsupported);
}

TEST_CASE("all heads of a run are scored, with any number of threads alike, and stop when told") {
    num::ThreadPool one(1), two(2);
    const auto model = models::drawn(models::tiny(Architecture::encoder_decoder), one);
    const auto run = models::ran(model, models::sentence(), {}, one);
    const auto a = inside::head_scores(*run, one), b = inside::head_scores(*run, two);
    REQUIRE(a);
    const auto& c = model->config();
    REQUIRE(std::ssize(*a) == c.n_heads * (c.n_encoder_layers + 2 * c.n_decoder_layers));
    for (std::size_t i = 0; i < a->size(); ++i) {
        CHECK((*a)[i].head == (*b)[i].head);
        CHECK((*a)[i].scores.values[HeadScore::entropy] ==
              (*b)[i].scores.values[HeadScore::entropy]);
        CHECK((*a)[i].scores.by_offset == (*b)[i].scores.by_offset);
    }
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = inside::head_scores(*run, two, stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().kind == base::ErrorKind::cancelled);
}
