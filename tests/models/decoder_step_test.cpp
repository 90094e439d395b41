// One step of a decoder out of a trace: what it shows is what the equations say.
#include "trace/decoder_step.hpp"

#include "catch.hpp"
#include "models/open.hpp"
#include "models/recurrent/recurrent.hpp"
#include "models/sentences.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>

using namespace heed;
using num::RowVector;

namespace {

std::shared_ptr<const models::Run> ran(const models::RecurrentConfig& config,
                                       num::ThreadPool& pool) {
    auto model = models::draw_model(config, pool);
    REQUIRE(model);
    models::Input input;
    input.source = models::tokens(6);
    input.target = models::tokens({"le", "chat", "est", "assis"});
    auto run = models::run(*model, input, {}, pool);
    REQUIRE(run);
    return *run;
}

models::RecurrentConfig small(nn::Cell cell, int layers = 1) {
    models::RecurrentConfig config;
    config.cell = cell;
    config.n_layers = layers;
    config.hidden = 10;
    config.embedding = 6;
    return config;
}

RowVector<float> gate(const trace::StepLayer& layer, const std::string& name) {
    for (const trace::StepGate& g : layer.gates) {
        if (g.name == name) return g.values;
    }
    FAIL("no gate " << name);
    return {};
}

void check_rows_near(const RowVector<float>& a, const RowVector<float>& b) {
    REQUIRE(a.size() == b.size());
    for (num::Index i = 0; i < a.size(); ++i) CHECK(a[i] == Approx(b[i]).margin(2e-6));
}

} // namespace

TEST_CASE("a step's gates make the new state of the old one, in every cell and layer") {
    num::ThreadPool pool(1);
    for (const nn::Cell cell : nn::kCells) {
        for (const int layers : {1, 2}) {
            const auto run = ran(small(cell, layers), pool);
            for (num::Index i = 0; i < 5; ++i) {
                const auto step = trace::decoder_step(run->trace, i);
                REQUIRE(step);
                REQUIRE(step->layers.size() == static_cast<std::size_t>(layers));
                CHECK(step->n_steps == 5);
                for (const trace::StepLayer& layer : step->layers) {
                    const auto one = RowVector<float>::Ones(10);
                    if (cell == nn::Cell::gru) {
                        const auto z = gate(layer, "z"), n = gate(layer, "n");
                        check_rows_near(layer.after,
                                        (one - z).cwiseProduct(n) + z.cwiseProduct(layer.before));
                    } else if (cell == nn::Cell::lstm) {
                        const RowVector<float> c =
                            gate(layer, "f").cwiseProduct(layer.memory_before) +
                            gate(layer, "i").cwiseProduct(gate(layer, "g"));
                        check_rows_near(layer.memory_after, c);
                        check_rows_near(
                            layer.after,
                            gate(layer, "o").cwiseProduct(RowVector<float>(c.array().tanh())));
                    } else {
                        CHECK(layer.gates.empty());
                    }
                }
                if (i == 0) continue;
                const auto before = trace::decoder_step(run->trace, i - 1);
                for (std::size_t l = 0; l < step->layers.size(); ++l) {
                    CHECK(step->layers[l].before == before->layers[l].after);
                }
                CHECK(step->context_before == before->context);
            }
        }
    }
}

TEST_CASE("a step compares the state that its order says, and its context is the weighted sum") {
    num::ThreadPool pool(1);
    for (const auto order : {models::StepOrder::attend_first, models::StepOrder::update_first}) {
        auto config = small(nn::Cell::gru);
        config.order = order;
        const auto run = ran(config, pool);
        const auto step = trace::decoder_step(run->trace, 2);
        REQUIRE(step);
        REQUIRE(step->row);
        const auto& layer = step->layers.back();
        CHECK(step->attention->q.row(2) ==
              (order == models::StepOrder::attend_first ? layer.before : layer.after));
        RowVector<float> sum = RowVector<float>::Zero(step->attention->v.cols());
        for (num::Index j = 0; j < 6; ++j) {
            sum += step->row->weights[static_cast<std::size_t>(j)] * step->attention->v.row(j);
        }
        check_rows_near(step->context, sum);
    }
}

TEST_CASE("the parts of an additive score add up to it, and other scores have none") {
    num::ThreadPool pool(1);
    for (const nn::Score score : nn::kScores) {
        auto config = small(nn::Cell::gru);
        config.score = score;
        const auto run = ran(config, pool);
        const auto step = trace::decoder_step(run->trace, 1);
        REQUIRE(step);
        const bool additive = score == nn::Score::additive || score == nn::Score::concat;
        REQUIRE(step->additive.has_value() == additive);
        if (!additive) continue;
        const trace::AdditiveParts& parts = *step->additive;
        const auto hidden = parts.hidden();
        for (num::Index j = 0; j < 6; ++j) {
            CHECK(parts.v.dot(hidden.row(j)) ==
                  Approx(step->row->scores[static_cast<std::size_t>(j)]).margin(2e-5));
            CHECK(RowVector<float>(parts.sum().row(j)) ==
                  RowVector<float>(parts.query + parts.key.row(j)));
        }
    }
}

TEST_CASE("values are the states themselves where nothing projects them") {
    num::ThreadPool pool(1);
    for (const auto projection : {models::Projection::none, models::Projection::two}) {
        auto config = small(nn::Cell::gru);
        config.projection = projection;
        const auto step = trace::decoder_step(ran(config, pool)->trace, 0);
        REQUIRE(step);
        CHECK(step->values_are_states() == (projection == models::Projection::none));
    }
}

TEST_CASE("a transformer's step is a row of its head, and what every layer passes on") {
    num::ThreadPool pool(1);
    models::ModelSpec spec;
    spec.d_model = 16;
    spec.n_heads = 4;
    spec.n_encoder_layers = 1;
    spec.n_decoder_layers = 3;
    spec.d_ff = 24;
    auto model = models::draw_model(spec, pool);
    REQUIRE(model);
    models::Input input;
    input.source = models::tokens(6);
    input.target = models::tokens({"le", "chat", "est", "assis"});
    models::Controls controls;
    models::HeadControls louder;
    louder.gain = 1.5f;
    const trace::HeadId loud{trace::AttentionKind::cross, 1, 2};
    controls.set({loud.kind, loud.layer, loud.head}, louder);
    const auto run = models::run(*model, input, controls, pool);
    REQUIRE(run);
    const trace::Trace& trace = (*run)->trace;
    const auto row_of = [&](const std::string& name, num::Index row) {
        const auto tensor = trace.tensor(name);
        REQUIRE(tensor);
        return RowVector<float>(tensor->values.row(row));
    };
    for (const trace::HeadId& head :
         {loud, trace::HeadId{trace::AttentionKind::decoder_self, 2, 3}}) {
        const auto map = trace.map(head);
        REQUIRE(map);
        for (num::Index i = 0; i < 4; ++i) {
            const auto step = trace::decoder_step(trace, i, head);
            REQUIRE(step);
            CHECK(step->n_steps == 4);
            CHECK(step->head == head);
            const num::Index m = map->cols(trace::Stage::weights);
            REQUIRE(step->row->n_keys() == m);
            RowVector<float> sum = RowVector<float>::Zero(step->context.size());
            float total = 0, largest = step->context.cwiseAbs().maxCoeff();
            for (const float s : step->scores()) total += std::exp(s);
            for (num::Index j = 0; j < m; ++j) {
                const auto at = static_cast<std::size_t>(j);
                const float weight = step->row->weights[at];
                CHECK(weight == Approx(map->cell(i, j).weight).margin(1e-6));
                CHECK(weight == Approx(std::exp(step->scores()[at]) / total).margin(2e-6));
                const RowVector<float> weighed = weight * step->weighed().row(j);
                sum += weighed;
                largest = std::max(largest, weighed.cwiseAbs().maxCoeff());
                // Both are what the score is made of: q · k ÷ √4.
                if (!map->cell(i, j).allowed) continue;
                CHECK(step->query.dot(step->keys().row(j)) / 2 ==
                      Approx(step->scores()[at]).margin(2e-5));
            }
            CHECK(step->gain == (head == loud ? 1.5f : 1.0f));
            CHECK(step->largest_weighted == Approx(largest));
            check_rows_near(step->context, step->gain * sum);
            check_rows_near(step->embedded, row_of("decoder_input", i));
            check_rows_near(step->output, row_of("decoder_output", i));
            REQUIRE(step->layers.size() == 3);
            for (int l = 0; l < 3; ++l) {
                check_rows_near(step->layers[static_cast<std::size_t>(l)].after,
                                row_of("decoder.layers." + std::to_string(l) + ".norm3", i));
            }
        }
    }
    CHECK_FALSE(trace::decoder_step(trace, 4, loud));
    CHECK_FALSE(trace::decoder_step(trace, -1, loud));
    CHECK_FALSE(trace::decoder_step(trace, 0, {trace::AttentionKind::encoder_self, 0, 0}));
    CHECK(trace::decoder_step(trace, 0)); // of cross-attention, where nothing else is asked
}

TEST_CASE("a step past the last, or of a model without a decoder, is none") {
    num::ThreadPool pool(1);
    const auto run = ran(small(nn::Cell::gru), pool);
    CHECK_FALSE(trace::decoder_step(run->trace, 5));
    CHECK_FALSE(trace::decoder_step(run->trace, -1));
    auto spec = models::narrowest();
    spec.architecture = models::Architecture::encoder_only;
    auto model = models::draw_model(spec, pool);
    models::Input input;
    input.source = input.target = models::tokens({"the", "cat"});
    const auto other = models::run(*model, input, {}, pool);
    REQUIRE(other);
    CHECK_FALSE(trace::decoder_step((*other)->trace, 0));
}
