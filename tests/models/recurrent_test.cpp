// What a recurrent model does with its input and its controls.
#include "models/model/sides.hpp"
#include "models/recurrent_models.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>
#include <limits>
#include <set>

using namespace heed;
using namespace heed::models;
using base::ErrorKind;
using num::Index;
using trace::AttentionKind;
using trace::Stage;
using Rule = Decoding::Rule;

namespace {

Input answer(const std::vector<std::string>& target) {
    Input input = question();
    input.target = tokens(target);
    return input;
}

base::Error recurrent_refusal(const std::shared_ptr<const Model>& model, const Input& input,
                              const Controls& controls = {}) {
    num::ThreadPool pool(1);
    const auto result = run(model, input, controls, pool);
    REQUIRE_FALSE(result);
    return result.error();
}

bool finite(const num::Matrix<float>& m) { return m.array().isFinite().all(); }

/// A model that speaks on and on, however it is asked.
std::shared_ptr<const Recurrent> endless(num::ThreadPool& pool,
                                         const std::string& name = "gru_additive") {
    return variant(name, pool, [](auto& archive) { bias_of_end(archive, -100); });
}

} // namespace

TEST_CASE("a target that is given is said whole, and then the end") {
    num::ThreadPool pool(1);
    for (const nn::Cell cell : nn::kCells) {
        const auto model = drawn(small_recurrent(cell), pool);
        const auto result = ran(model, answer({"le", "chat", "🍎"}), {}, pool);
        CHECK(words_of(result->trace.target) ==
              std::vector<std::string>{"le", "chat", "🍎", "⟨end⟩"});
        CHECK_FALSE(result->trace.stopped_at_limit);
        CHECK_FALSE(result->trace.beam);
        const auto weights = alignment(*result);
        CHECK(weights.rows() == 4);
        CHECK(weights.cols() == 6);
        CHECK(weights.rowwise().sum().isOnes(1e-5f));
        // The tokens that were typed are where they were; what was added stands behind them.
        CHECK(result->trace.target[0] == result->input.target[0]);
        CHECK(result->trace.target[3].begin == result->input.target[2].end);
    }
}

TEST_CASE("nothing is said after the end, were it given in the middle of a target") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    for (const Rule rule : {Rule::forced, Rule::greedy, Rule::beam}) {
        Input input = answer({"le", "⟨end⟩", "chat"});
        input.decoding.rule = rule;
        const auto result = ran(model, input, {}, pool);
        CHECK(words_of(result->trace.target) == std::vector<std::string>{"le", "⟨end⟩"});
        CHECK(alignment(*result).rows() == 2);
        CHECK_FALSE(result->trace.stopped_at_limit);
    }
}

TEST_CASE("a decoder that begins from nothing reads the source through its contexts alone") {
    num::ThreadPool pool(1);
    Controls deaf; // contexts are 0
    HeadControls none;
    none.gain = 0.f;
    deaf.set({}, none);
    for (const Context context : {Context::last, Context::mean, Context::attention}) {
        for (const Beginning beginning : {Beginning::states, Beginning::nothing}) {
            RecurrentConfig config = small_recurrent();
            config.context = context;
            config.beginning = beginning;
            const auto model = drawn(config, pool);
            Input one = answer({"le", "chat"}), other = one;
            std::swap(other.source.front(), other.source.back());
            const auto logits = [&](const Input& input, const Controls& controls) {
                return model->logits(*ran(model, input, controls, pool), pool);
            };
            INFO(name(context) << ", " << name(beginning));
            CHECK_FALSE(logits(one, {}).isApprox(logits(other, {}), 1e-5f));
            const bool same = logits(one, deaf).isApprox(logits(other, deaf), 1e-6f);
            CHECK(same == (beginning == Beginning::nothing));
        }
    }
}

TEST_CASE("words that are said are those of the target one step before") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    const auto short_one = ran(model, answer({"le", "chat"}), {}, pool);
    const auto long_one = ran(model, answer({"le", "chat", "dort"}), {}, pool);
    const auto other = ran(model, answer({"le", "chien"}), {}, pool);
    for (const char* name : {"decoder.states", "decoder_input", "decoder_output"}) {
        INFO(name);
        const auto a = values(*short_one, name), b = values(*long_one, name),
                   c = values(*other, name);
        CHECK(a == b.topRows(3));
        CHECK(a.topRows(2) == c.topRows(2));
        CHECK(a.row(2) != c.row(2));
    }
}

TEST_CASE("without a target a model speaks freely, as greedy decoding does") {
    num::ThreadPool pool(1);
    const auto model = variant("gru_additive", pool);
    const auto free = ran(model, said_by(Rule::forced), {}, pool);
    const auto greedy = ran(model, said_by(Rule::greedy), {}, pool);
    CHECK(free->trace.target == greedy->trace.target);
    CHECK(same_numbers(free->trace, greedy->trace));
    // Each word is the most probable of those that may be said.
    const auto p = values(*greedy, "decoder.probabilities");
    for (Index i = 0; i < p.rows(); ++i) {
        CHECK(p.row(i).sum() == Approx(1).epsilon(1e-5));
        const Index said =
            model->vocabulary_row(greedy->trace.target[static_cast<std::size_t>(i)].text);
        CHECK(p(i, said) == p.row(i).segment(2, 9).maxCoeff());
    }
}

TEST_CASE("the probabilities of the next word are those of the last step") {
    num::ThreadPool pool(1);
    const auto model = variant("lstm_additive", pool);
    const auto result = ran(model, answer({"le", "chat"}), {}, pool);
    CHECK(model->next_token_probabilities(*result, pool) ==
          values(*result, "decoder.probabilities").bottomRows(1));
}

TEST_CASE("greedy decoding is a beam of width 1") {
    num::ThreadPool pool(1);
    for (const char* name : {"gru_additive", "lstm_additive", "rnn_deep_concat", "gru_deep_concat",
                             "gru_none_bilinear"}) {
        INFO(name);
        const auto model = variant(name, pool);
        const auto greedy = ran(model, said_by(Rule::greedy), {}, pool);
        Input input = said_by(Rule::beam);
        input.decoding.beam_width = 1;
        const auto beam = ran(model, input, {}, pool);
        CHECK(beam->trace.target == greedy->trace.target);
        CHECK(beam->trace.stopped_at_limit == greedy->trace.stopped_at_limit);
        CHECK(same_numbers(beam->trace, greedy->trace));
        REQUIRE(beam->trace.beam);
        CHECK_FALSE(greedy->trace.beam);
        CHECK(beam->trace.beam->hypotheses.size() == 1);
    }
}

TEST_CASE("what a model would have said changes nothing when it is given") {
    num::ThreadPool pool(1);
    for (const char* name : {"gru_additive", "lstm_additive", "rnn_deep_concat"}) {
        INFO(name);
        const auto model = variant(name, pool);
        const auto free = ran(model, said_by(Rule::greedy), {}, pool);
        const auto all = free->trace.target;
        for (std::size_t given = 1; given < all.size(); ++given) {
            Input input = said_by(Rule::greedy);
            input.target.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(given));
            const auto result = ran(model, input, {}, pool);
            CHECK(words_of(result->trace.target) == words_of(all));
            CHECK(same_numbers(result->trace, free->trace));
        }
    }
}

TEST_CASE("another first word leads elsewhere, and the rest is decoded from there") {
    num::ThreadPool pool(1);
    const auto model = variant("lstm_additive", pool);
    for (const Rule rule : {Rule::greedy, Rule::beam}) {
        Input input = said_by(rule);
        input.target = tokens({"unheard"});
        const auto result = ran(model, input, {}, pool);
        CHECK(result->trace.target[0] == input.target[0]);
        CHECK(result->trace.target.size() > 1);
        CHECK(result->trace.target.size() <= 7);
    }
}

TEST_CASE("the trace is about the hypothesis that is followed") {
    num::ThreadPool pool(1);
    const auto model = variant("gru_deep_concat", pool);
    for (const int followed : {0, 1, 4}) {
        Input input = said_by(Rule::beam);
        input.decoding.beam_width = 5;
        input.decoding.followed = followed;
        const auto result = ran(model, input, {}, pool);
        const auto& beam = *result->trace.beam;
        REQUIRE(beam.hypotheses.size() == 5);
        CHECK(beam.followed == followed);
        std::vector<std::string> words;
        const auto path = beam.path(followed);
        const auto p = values(*result, "decoder.probabilities");
        REQUIRE(p.rows() == std::ssize(path));
        for (std::size_t i = 0; i < path.size(); ++i) {
            const auto& node = beam.nodes[static_cast<std::size_t>(path[i])];
            words.push_back(node.word);
            CHECK(std::log(p(static_cast<Index>(i), static_cast<Index>(node.row))) ==
                  Approx(node.log_probability).epsilon(1e-4));
        }
        CHECK(words_of(result->trace.target) == words);
        const bool ended = beam.nodes[static_cast<std::size_t>(path.back())].ended;
        CHECK(result->trace.stopped_at_limit != ended);
    }
    // One that is not there: the last that is.
    Input input = said_by(Rule::beam);
    input.decoding.beam_width = 2;
    input.decoding.followed = 9;
    CHECK(ran(model, input, {}, pool)->trace.beam->followed == 1);
    input.decoding.followed = -9;
    CHECK(ran(model, input, {}, pool)->trace.beam->followed == 0);
}

TEST_CASE("a decoder that never ends stops at its limit, and the trace says so") {
    num::ThreadPool pool(1);
    const auto model = endless(pool);
    for (const Rule rule : {Rule::forced, Rule::greedy, Rule::beam}) {
        const auto result = ran(model, said_by(rule, 3), {}, pool);
        CHECK(result->trace.target.size() == 3);
        CHECK(result->trace.stopped_at_limit);
        // Where nobody set one, it grows with the source.
        CHECK(ran(model, said_by(rule, 0), {}, pool)->trace.target.size() == 2 * 6 + 8);
        CHECK(most_tokens(model->config(), said_by(rule, 0)).second == 20);
    }
    // What is given is said beyond the limit.
    Input input = said_by(Rule::greedy, 1);
    input.target = tokens({"le", "chat", "le"});
    const auto result = ran(model, input, {}, pool);
    CHECK(result->trace.target.size() == 4);
    CHECK(result->trace.stopped_at_limit);
    const auto sure = variant("gru_additive", pool, [](auto& a) { bias_of_end(a, 100); });
    const auto at_once = ran(sure, said_by(Rule::greedy), {}, pool);
    CHECK(words_of(at_once->trace.target) == std::vector<std::string>{"⟨end⟩"});
    CHECK_FALSE(at_once->trace.stopped_at_limit);
}

TEST_CASE("a weight set by hand changes its row, nothing before it and something after it") {
    num::ThreadPool pool(1);
    const Index row = 2, key = 4;
    HeadControls head;
    head.edits = {{row, key, 0.9f}};
    for (const auto order : {StepOrder::attend_first, StepOrder::update_first}) {
        for (const auto context : {Context::attention, Context::mean, Context::last}) {
            RecurrentConfig config = small_recurrent();
            config.order = order;
            config.context = context;
            INFO(name(order) << ", " << name(context));
            const auto model = drawn(config, pool);
            const Input input = answer({"le", "chat", "dort", "ici", "."});
            const auto before = ran(model, input, {}, pool);
            const auto after = ran(model, input, controlling(head), pool);
            const auto a = alignment(*before), b = alignment(*after);
            CHECK(a.topRows(row) == b.topRows(row));
            CHECK(b(row, key) == Approx(0.9));
            CHECK(b.row(row).sum() == Approx(1));
            for (const char* name : {"decoder.states", "decoder_output"}) {
                INFO(name);
                const auto x = values(*before, name), y = values(*after, name);
                CHECK(x.topRows(row) == y.topRows(row));
                for (Index i = row + 1; i < x.rows(); ++i) CHECK(x.row(i) != y.row(i));
            }
            // The state of its own step has read it only where attention comes first.
            CHECK((values(*before, "decoder.states").row(row) !=
                   values(*after, "decoder.states").row(row)) ==
                  (order == StepOrder::attend_first));
            CHECK(values(*before, "decoder_output").row(row) !=
                  values(*after, "decoder_output").row(row));
            // The rest of the row keeps its proportions.
            if (context == Context::attention) {
                CHECK(b(row, 0) / b(row, 1) == Approx(a(row, 0) / a(row, 1)).epsilon(1e-4));
            }
        }
    }
}

TEST_CASE("decoding goes on from a weight that was set by hand") {
    num::ThreadPool pool(1);
    const auto model = variant("gru_additive", pool);
    HeadControls head;
    std::set<std::vector<std::string>> said;
    for (const Index key : {0, 1, 2, 3, 4, 5}) {
        head.edits = {{1, key, 1.f}};
        const auto result = ran(model, said_by(Rule::greedy), controlling(head), pool);
        CHECK(alignment(*result)(1, key) == 1);
        said.insert(words_of(result->trace.target));
    }
    CHECK(said.size() > 1);
    // Every hypothesis of a beam attends as it was told.
    Input input = said_by(Rule::beam);
    const auto beam = ran(model, input, controlling(head), pool);
    CHECK(alignment(*beam)(1, 5) == 1);
    // A row that the decoder never reached is no error.
    head.edits = {{1000, 0, 1.f}, {0, 1000, 1.f}};
    CHECK(values(*ran(model, said_by(Rule::greedy), controlling(head), pool), "decoder_output") ==
          values(*ran(model, said_by(Rule::greedy), {}, pool), "decoder_output"));
}

TEST_CASE("the score changes attention and what follows from it, not the encoder") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    const Input input = answer({"le", "chat", "dort"});
    const auto before = ran(model, input, {}, pool);
    std::vector<num::Matrix<float>> maps;
    for (const nn::Score score : nn::kScores) {
        INFO(nn::name(score));
        HeadControls head;
        head.score = score;
        const auto after = ran(model, input, controlling(head), pool, {{}, before, nullptr});
        CHECK(after->layers_reused == 2);
        CHECK(after->trace.layers[0] == before->trace.layers[0]);
        CHECK(after->trace.layers[1] == before->trace.layers[1]);
        CHECK(same_numbers(after->trace, ran(model, input, controlling(head), pool)->trace));
        CHECK(finite(alignment(*after)));
        maps.push_back(alignment(*after));
    }
    // Additive and concat are one family, dot and scaled one by the usual scale; others differ.
    const auto same = [&](std::size_t a, std::size_t b) {
        return maps[a].isApprox(maps[b], 1e-4f);
    };
    CHECK(same(0, 1));
    CHECK(same(2, 3));
    for (const auto& [a, b] : {std::pair{0, 2}, {0, 4}, {0, 5}, {2, 4}, {2, 5}, {4, 5}}) {
        CHECK_FALSE(same(std::size_t(a), std::size_t(b)));
    }
}

TEST_CASE("the encoder runs again when it reads something else, and only then") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    const auto before = ran(model, answer({"le"}), {}, pool);
    const auto reused = [&](const std::shared_ptr<const Model>& by, const Input& input) {
        const auto after = ran(by, input, {}, pool, {{}, before, nullptr});
        CHECK(same_numbers(after->trace, ran(by, input, {}, pool)->trace));
        CHECK(after->trace.source == ran(by, input, {}, pool)->trace.source);
        return after->layers_reused;
    };
    CHECK(reused(model, answer({"la", "souris"})) == 2);
    CHECK(reused(model, said_by(Rule::beam)) == 2);
    Input padded = answer({"le"});
    padded.pad_to = 9;
    CHECK(reused(model, padded) == 0);
    Input other = answer({"le"});
    other.source.pop_back();
    CHECK(reused(model, other) == 0);
    CHECK(reused(drawn(small_recurrent(), pool), answer({"le"})) == 0);
    RecurrentConfig deep = small_recurrent();
    deep.n_layers = 3;
    const auto tall = drawn(deep, pool);
    const auto first = ran(tall, answer({"le"}), {}, pool);
    CHECK(ran(tall, answer({"la"}), {}, pool, {{}, first, nullptr})->layers_reused == 4);
}

TEST_CASE("padding is not read: the encoder never, attention when the mask says so") {
    num::ThreadPool pool(1);
    HeadControls head;
    head.mask = nn::Mask{};
    head.mask->padding = true;
    for (const auto context : {Context::attention, Context::mean, Context::last}) {
        for (const bool bidirectional : {true, false}) {
            RecurrentConfig config = small_recurrent(nn::Cell::lstm);
            config.context = context;
            config.bidirectional = bidirectional;
            config.n_layers = 2;
            INFO(name(context) << ", " << bidirectional);
            const auto model = drawn(config, pool);
            Input input = answer({"le", "chat", "dort"});
            const auto plain = ran(model, input, {}, pool);
            input.pad_to = 9;
            const auto padded = ran(model, input, controlling(head), pool);
            CHECK(padded->trace.source.size() == 9);
            CHECK(padded->trace.source.back().text == kPadToken);
            CHECK(padded->trace.target == plain->trace.target);
            for (const char* name :
                 {"encoder_input", "encoder.states", "encoder.l0.states", "encoder.l0.c"}) {
                const auto rows = values(*padded, name);
                REQUIRE(rows.rows() == 9);
                CHECK(rows.topRows(6) == values(*plain, name));
                CHECK(rows.bottomRows(3).isZero(0));
            }
            const auto weights = alignment(*padded);
            REQUIRE(weights.cols() == 9);
            CHECK(weights.leftCols(6).isApprox(alignment(*plain), 1e-6f));
            CHECK(weights.rightCols(3).isZero(0));
            CHECK(values(*padded, "decoder.states")
                      .isApprox(values(*plain, "decoder.states"), 1e-5f));
        }
    }
}

TEST_CASE("the mean gives every source word one weight, the last state has all of it") {
    num::ThreadPool pool(1);
    RecurrentConfig config = small_recurrent();
    config.context = Context::mean;
    const Input input = answer({"le", "chat", "dort"});
    // Whatever is turned: there is nothing to choose.
    HeadControls head;
    head.temperature = 0.1f;
    head.scale = Scale{Scale::Kind::factor, 50};
    for (const nn::Score score : nn::kScores) {
        head.score = score;
        config.context = Context::mean;
        const auto mean = ran(drawn(config, pool), input, controlling(head), pool);
        CHECK(alignment(*mean).isApproxToConstant(1.f / 6, 1e-6f));
        config.context = Context::last;
        const auto last = ran(drawn(config, pool), input, controlling(head), pool);
        CHECK(alignment(*last).rightCols(1).isOnes(0));
        CHECK(alignment(*last).leftCols(5).isZero(0));
    }
    Input padded = input;
    padded.pad_to = 8;
    const auto last = ran(drawn(config, pool), padded, {}, pool);
    CHECK(alignment(*last).col(5).isOnes(0));
}

TEST_CASE("the weights of every map are written where they are wanted") {
    num::ThreadPool pool(1);
    const auto model = variant("lstm_additive", pool);
    const Input input = said_by(Rule::greedy);
    const auto [source, target] = most_tokens(model->config(), input);
    std::vector<float> all(static_cast<std::size_t>(source * target), -1);
    const auto result = ran(model, input, {}, pool, {{}, nullptr, all.data()});
    const auto weights = alignment(*result);
    for (Index i = 0; i < weights.size(); ++i) {
        CHECK(all[static_cast<std::size_t>(i)] == weights.data()[i]);
    }
    for (auto i = static_cast<std::size_t>(weights.size()); i < all.size(); ++i) {
        CHECK(all[i] == -1);
    }
}

TEST_CASE("the dot product refuses queries and keys of different widths, naming both") {
    num::ThreadPool pool(1);
    RecurrentConfig config = small_recurrent();
    config.projection = Projection::none;
    for (const nn::Score score : {nn::Score::dot, nn::Score::scaled_dot, nn::Score::cosine}) {
        config.score = score;
        const auto model = Recurrent::draw(config, pool);
        REQUIRE_FALSE(model);
        CHECK(model.error().kind == ErrorKind::mismatch);
        CHECK(has(model.error(), "12 wide"));
        CHECK(has(model.error(), "24"));
        config.score = nn::Score::additive;
        HeadControls head;
        head.score = score;
        const auto error = recurrent_refusal(drawn(config, pool), question(), controlling(head));
        CHECK(error.kind == ErrorKind::mismatch);
        CHECK(error.subject == "score");
        CHECK(has(error, "12 wide"));
        CHECK(has(error, "24"));
        config.bidirectional = false;
        config.score = score;
        CHECK(finite(alignment(*ran(drawn(config, pool), question(), {}, pool))));
        config.bidirectional = true;
    }
}

TEST_CASE("an input that is empty, too long or absurd is refused by name") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    CHECK(recurrent_refusal(model, {}).subject == "source");
    CHECK(has(recurrent_refusal(model, {{}, tokens(2), 0, {}}), "is empty"));
    CHECK(recurrent_refusal(model, {tokens(2049), {}, 0, {}}).subject == "source");
    CHECK(has(recurrent_refusal(model, {tokens(2049), {}, 0, {}}), "2049"));
    CHECK(recurrent_refusal(model, {tokens(2), tokens(2049), 0, {}}).subject == "target");
    for (const int pad_to : {-1, 2049, std::numeric_limits<int>::min()}) {
        Input input = question();
        input.pad_to = pad_to;
        CHECK(recurrent_refusal(model, input).subject == "pad_to");
        CHECK(recurrent_refusal(model, input).kind == ErrorKind::out_of_range);
    }
    for (const int width : {0, -1, 65}) {
        Input input = said_by(Rule::beam);
        input.decoding.beam_width = width;
        CHECK(recurrent_refusal(model, input).subject == "beam width");
    }
    for (const int limit : {-1, 2049, std::numeric_limits<int>::max()}) {
        CHECK(recurrent_refusal(model, said_by(Rule::greedy, limit)).subject == "limit");
    }
}

TEST_CASE("one word is read and answered") {
    num::ThreadPool pool(1);
    for (const nn::Cell cell : nn::kCells) {
        for (const auto context : {Context::attention, Context::mean, Context::last}) {
            RecurrentConfig config = small_recurrent(cell);
            config.context = context;
            const auto result =
                ran(drawn(config, pool), {tokens({"猫"}), {}, 0, {Rule::beam, 4, 0, 0}}, {}, pool);
            CHECK(alignment(*result).isOnes(1e-6f));
            CHECK(finite(values(*result, "decoder.states")));
        }
    }
}

TEST_CASE("a source of 2 000 words is read and answered by a model of the usual size") {
    num::ThreadPool pool(2);
    const auto model = drawn(RecurrentConfig{}, pool);
    const auto result = ran(model, {tokens(2000), tokens(3), 0, {}}, {}, pool);
    CHECK(alignment(*result).cols() == 2000);
    CHECK(alignment(*result).rowwise().sum().isOnes(1e-4f));
    CHECK(finite(values(*result, "encoder.states")));
    CHECK(usual_limit(2000) == 2048);
    CHECK(ran(model, {tokens(2000), {}, 0, {Rule::greedy, 4, 50, 0}}, {}, pool)
              ->trace.target.size() <= 50);
}

TEST_CASE("controls that are no numbers, or a transformer's, are refused by name") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    const auto subject = [&](const std::function<void(HeadControls&)>& turn) {
        HeadControls head;
        turn(head);
        return recurrent_refusal(model, question(), controlling(head)).subject;
    };
    CHECK(subject([](auto& h) { h.temperature = NAN; }) == "temperature");
    CHECK(subject([](auto& h) { h.temperature = 0; }) == "temperature");
    CHECK(subject([](auto& h) { h.scale = Scale{Scale::Kind::factor, NAN}; }) == "scale");
    CHECK(subject([](auto& h) { h.gain = NAN; }) == "gain");
    CHECK(subject([](auto& h) { h.edits = {{0, 0, NAN}}; }) == "edited weight");
    CHECK(subject([](auto& h) { h.edits = {{0, -1, 1}}; }) == "edited weight");
    CHECK(subject([](auto& h) { h.positions = nn::Positions::rotary; }) == "positions");
    CHECK(subject([](auto& h) { h.positions = nn::Positions::none; }) == "positions");
    Controls controls;
    controls.norm = NormOrder::pre;
    CHECK(recurrent_refusal(model, question(), controls).subject == "norm");
    controls = {};
    controls.join = nn::Join::concatenate;
    CHECK(recurrent_refusal(model, question(), controls).subject == "join");
    for (const float rate : {0.1f, NAN, -1.f}) {
        controls = {};
        controls.dropout.rate = rate;
        CHECK(recurrent_refusal(model, question(), controls).subject == "dropout");
    }
    HeadControls gain;
    gain.gain = 0;
    for (const Scope& scope :
         {Scope{AttentionKind::encoder_self, {}, {}}, Scope{{}, 1, {}}, Scope{{}, {}, 1}}) {
        controls = {};
        controls.set(scope, gain);
        CHECK(recurrent_refusal(model, question(), controls).kind == ErrorKind::out_of_range);
    }
    controls = {};
    controls.set({AttentionKind::cross, 0, 0}, gain);
    const auto result = ran(model, question(), controls, pool);
    CHECK(alignment(*result, Stage::context).isZero(0)); // it was switched off
}

TEST_CASE("scale, temperature and mask turn the alignment as those of any head") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    const Input input = answer({"le", "chat", "dort"});
    HeadControls flat;
    flat.scale = Scale{Scale::Kind::factor, 0};
    CHECK(
        alignment(*ran(model, input, controlling(flat), pool)).isApproxToConstant(1.f / 6, 1e-6f));
    HeadControls sharp;
    sharp.temperature = 1e-4f;
    CHECK(
        alignment(*ran(model, input, controlling(sharp), pool)).rowwise().maxCoeff().isOnes(1e-3f));
    HeadControls painted;
    painted.mask = nn::Mask{};
    painted.mask->painted = {{1, 0}, {1, 2}};
    const auto weights = alignment(*ran(model, input, controlling(painted), pool));
    CHECK(weights(1, 0) == 0);
    CHECK(weights(1, 2) == 0);
    CHECK(weights(0, 0) > 0);
    // Nothing is left to read: no weight, no context, and the decoder still speaks.
    painted.mask->painted.clear();
    for (Index key = 0; key < 6; ++key) painted.mask->painted.push_back({1, key});
    const auto blind = ran(model, input, controlling(painted), pool);
    CHECK(alignment(*blind).row(1).isZero(0));
    CHECK(alignment(*blind, Stage::context).row(1).isZero(0));
    CHECK(finite(values(*blind, "decoder.states")));
}

TEST_CASE("a run that is stopped says so and leaves nothing") {
    num::ThreadPool pool(1);
    const auto model = drawn(small_recurrent(), pool);
    std::stop_source stop;
    stop.request_stop();
    for (const Rule rule : {Rule::greedy, Rule::beam}) {
        const auto result =
            run(model, said_by(rule), {}, pool, {stop.get_token(), nullptr, nullptr});
        REQUIRE_FALSE(result);
        CHECK(result.error().kind == ErrorKind::cancelled);
    }
}

TEST_CASE("a run is the same whatever the number of threads") {
    num::ThreadPool one(1), two(2);
    for (const nn::Cell cell : nn::kCells) {
        RecurrentConfig config = small_recurrent(cell);
        config.n_layers = 2;
        config.hidden = 70;
        const auto model = drawn(config, one);
        const Input input = said_by(Rule::beam);
        const auto a = ran(model, input, {}, one), b = ran(model, input, {}, two);
        CHECK(a->trace.target == b->trace.target);
        CHECK(same_numbers(a->trace, b->trace));
    }
}
