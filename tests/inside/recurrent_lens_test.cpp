// The lens of recurrent models: the readout of one part alone is the closed form, and of all parts
// the run's own probabilities.
#include "catch.hpp"
#include "inside/attribution.hpp"
#include "inside/lens.hpp"
#include "models/recurrent/readout_parts.hpp"
#include "models/recurrent_models.hpp"
#include "models/sentences.hpp"
#include "num/softmax.hpp"

#include <cmath>

using namespace heed;
using namespace heed::inside;
using num::RowVector;

namespace {

std::shared_ptr<const models::Run> recurrent_run(const models::RecurrentConfig& config,
                                                 num::ThreadPool& pool) {
    models::Input input = models::question();
    if (models::attends(config)) input.target = models::tokens({"le", "chat"});
    return models::ran(models::drawn(config, pool), input, {}, pool);
}

/// softmax(tanh(x W + b) O + c) in double.
RowVector<double> slow_readout(const models::Run& run, const RowVector<double>& x) {
    const auto& p = models::recurrent(*run.model)->parameters();
    RowVector<double> t = x * p.readout.dense().cast<double>() + p.readout_bias.cast<double>();
    for (double& number : t) number = std::tanh(number);
    RowVector<double> e = t * p.output.dense().cast<double>() + p.output_bias.cast<double>();
    for (double& number : e) number = std::exp(number);
    return e / e.sum();
}

RowVector<double> row_of(const models::Run& run, const std::string& tensor, Index row) {
    return models::values(run, tensor).row(row).cast<double>();
}

std::vector<LensCell> whole_lens(const models::Run& run, Index word, num::ThreadPool& pool) {
    const auto readout = any_readout_of(run);
    REQUIRE(readout);
    LensOptions options;
    options.word = word;
    const auto cells =
        logit_lens(run, lens_places(*readout, 0, askable_tokens(run, *readout)), pool, options);
    REQUIRE(cells);
    return *cells;
}

/// Against the run's own words, where all is read.
void check_last_row(const models::Run& run, const std::vector<LensCell>& cells, Index word,
                    int last, num::ThreadPool& pool) {
    const num::Matrix<float> logits = run.model->logits(run, pool);
    Index checked = 0;
    for (const LensCell& cell : cells) {
        if (cell.place.layer != last) continue;
        ++checked;
        const auto p = num::softmax<float>(logits.row(cell.place.token));
        Index likeliest = 0;
        const float most = p.maxCoeff(&likeliest);
        CHECK(cell.probability == Approx(p(word)).margin(1e-6));
        CHECK(cell.likeliest.front().word == likeliest);
        CHECK(cell.likeliest.front().probability == Approx(most).margin(1e-6));
    }
    CHECK(checked == logits.rows());
}

} // namespace

TEST_CASE("a recurrent decoder's lens reads one part alone as in the closed form, and last all") {
    num::ThreadPool pool(1);
    constexpr Index kWord = 7;
    for (const int layers : {1, 2}) {
        for (const auto order :
             {models::StepOrder::attend_first, models::StepOrder::update_first}) {
            models::RecurrentConfig config = models::small_recurrent();
            config.n_layers = layers;
            config.order = order;
            const auto run = recurrent_run(config, pool);
            const auto cells = whole_lens(*run, kWord, pool);
            const int parts = 3 + layers;            // the word before, the context, states, all
            REQUIRE(std::ssize(cells) == parts * 3); // le, chat, ⟨end⟩
            check_last_row(*run, cells, kWord, parts - 1, pool);
            const Index keys = models::key_width(config), hidden = config.hidden;
            const auto context = run->trace.attention(trace::AttentionKind::cross, 0)->context;
            for (const LensCell& cell : cells) {
                const int part = cell.place.layer;
                const Index i = cell.place.token;
                if (part == parts - 1) continue;
                RowVector<double> x = RowVector<double>::Zero(hidden + keys + config.embedding);
                if (part == 0) x.tail(config.embedding) = row_of(*run, "decoder_input", i);
                if (part == 1) x.segment(hidden, keys) = context.row(i).cast<double>();
                if (part == 2 && layers == 2) x.head(hidden) = row_of(*run, "decoder.l0.states", i);
                if (part == 1 + layers) {
                    x.head(hidden) = row_of(*run, "decoder.states", i);
                }
                const RowVector<double> p = slow_readout(*run, x);
                CHECK(static_cast<double>(cell.probability) == Approx(p(kWord)).margin(1e-6));
                CHECK(static_cast<double>(cell.likeliest.front().probability) ==
                      Approx(p.maxCoeff()).margin(1e-6));
            }
        }
    }
}

TEST_CASE("parts of a recurrent readout are called by what they are") {
    models::RecurrentConfig config = models::small_recurrent();
    CHECK(models::readout_parts(config) ==
          std::vector<std::string>{"word before", "context", "state", "all"});
    config.n_layers = 2;
    CHECK(models::readout_parts(config) ==
          std::vector<std::string>{"word before", "context", "state 1", "state 2", "all"});
    config.shape = models::Shape::one_to_n; // no encoder, no context
    CHECK(models::readout_parts(config) ==
          std::vector<std::string>{"word before", "state 1", "state 2", "all"});
    config.shape = models::Shape::n_to_n;
    CHECK(models::readout_parts(config) == std::vector<std::string>{"layer 1", "layer 2"});
}

TEST_CASE("an encoder that says words itself has the lens over its layers") {
    num::ThreadPool pool(1);
    constexpr Index kWord = 9;
    for (const auto shape : {models::Shape::n_to_n, models::Shape::n_to_one}) {
        models::RecurrentConfig config = models::small_recurrent();
        config.n_layers = 2;
        config.shape = shape;
        const auto run = recurrent_run(config, pool);
        const auto cells = whole_lens(*run, kWord, pool);
        check_last_row(*run, cells, kWord, 1, pool);
        const Index tokens = std::ssize(run->input.source), hidden = config.hidden;
        const num::Matrix<float> states = models::values(*run, "encoder.l0.states");
        for (const LensCell& cell : cells) {
            if (cell.place.layer != 0) continue;
            RowVector<double> x = states.row(cell.place.token).cast<double>();
            if (shape == models::Shape::n_to_one) { // the last state of each direction
                x.head(hidden) = states.row(tokens - 1).head(hidden).cast<double>();
                x.tail(hidden) = states.row(0).tail(hidden).cast<double>();
            }
            const RowVector<double> p = slow_readout(*run, x);
            CHECK(static_cast<double>(cell.probability) == Approx(p(kWord)).margin(1e-6));
        }
    }
}

TEST_CASE("what a recurrent model says can be asked about, its parts cannot") {
    num::ThreadPool pool(1);
    const auto run = recurrent_run(models::small_recurrent(), pool);
    const auto question = usual_question(*run, pool);
    REQUIRE(question);
    const num::Matrix<float> logits = run->model->logits(*run, pool);
    CHECK(logits(question->token, question->word) == logits.row(question->token).maxCoeff());
    CHECK(check(*question, *run));
    CHECK_FALSE(check({3, 0, {}}, *run));           // three steps: 0 to 2
    CHECK_FALSE(logit_lens(*run, {{-1, 0}}, pool)); // its readout has no embedding below
    CHECK_FALSE(logit_lens(*run, {{4, 0}}, pool));
    const auto parts = attribute(*run, *question);
    REQUIRE_FALSE(parts);
    CHECK(parts.error().message.find("open a transformer") != std::string::npos);
}
