// Files of recurrent models: what is saved comes back, what is forged is refused by name.
#include "models/open.hpp"
#include "models/recurrent_models.hpp"
#include "nn/attention/score_info.hpp"

#include <cmath>
#include <functional>

using namespace heed;
using namespace heed::models;
using base::ErrorKind;

namespace {

base::Error recurrent_error_after(const std::function<void(tensors::Archive&)>& change) {
    tensors::Archive archive = variant_archive("gru_additive");
    change(archive);
    return error_of(archive);
}

} // namespace

TEST_CASE("a recurrent model that was saved is read back exactly, and runs the same") {
    num::ThreadPool pool(2);
    for (const nn::Cell cell : nn::kCells) {
        for (const auto projection : {Projection::none, Projection::one, Projection::two}) {
            RecurrentConfig config = small_recurrent(cell);
            config.n_layers = 2;
            config.projection = projection;
            config.bidirectional = projection != Projection::one;
            config.context = projection == Projection::two ? Context::mean : Context::attention;
            config.order =
                cell == nn::Cell::rnn ? StepOrder::update_first : StepOrder::attend_first;
            config.score = nn::Score::concat;
            config.seed = 0xfedcba9876543210ull;
            const auto model = drawn(config, pool);
            const TemporaryFile file("heed_recurrent.safetensors"), twin("heed_twin.safetensors");
            REQUIRE(model->save(file.path));
            const auto loaded = load_model(file.path, pool);
            if (!loaded) FAIL(base::describe(loaded.error()));
            CHECK((*loaded)->config() == Config(config));
            REQUIRE(recurrent(**loaded));
            CHECK(recurrent(**loaded)->vocabulary().words() == model->vocabulary().words());
            CHECK((*loaded)->vocabulary_size() == model->vocabulary_size());
            REQUIRE((*loaded)->save(twin.path));
            CHECK(bytes_of(file.path) == bytes_of(twin.path));
            const Input input = said_by(Decoding::Rule::beam);
            const auto a = ran(model, input, {}, pool), b = ran(*loaded, input, {}, pool);
            CHECK(a->trace.target == b->trace.target);
            CHECK(same_numbers(a->trace, b->trace));
        }
    }
}

TEST_CASE("draws of a recurrent model depend on the seed alone, not on threads, score or context") {
    num::ThreadPool one(1), two(2);
    RecurrentConfig config = small_recurrent();
    const auto saved = [](const std::shared_ptr<const Recurrent>& model) {
        const TemporaryFile file("heed_draws.safetensors");
        REQUIRE(model->save(file.path));
        return tensors::read_safetensors(bytes_of(file.path), file.path)->arrays;
    };
    const auto same = [&](const auto& a, const auto& b) {
        REQUIRE(a.size() == b.size());
        for (const auto& [name, array] : a) {
            if (b.at(name).values != array.values) return false;
        }
        return true;
    };
    const auto first = saved(drawn(config, one));
    CHECK(same(first, saved(drawn(config, two))));
    config.score = nn::Score::bilinear;
    config.context = Context::last;
    config.order = StepOrder::update_first;
    CHECK(same(first, saved(drawn(config, one))));
    config.seed = 2;
    CHECK_FALSE(same(first, saved(drawn(config, one))));
}

TEST_CASE("a vocabulary that was read has its words and its rows for others") {
    num::ThreadPool pool(1);
    const auto model = variant("gru_additive", pool);
    CHECK(model->vocabulary_size() == 3 + 8 + 2);
    CHECK(model->vocabulary_row("the") == 3);
    CHECK(model->vocabulary_word(10) == "苹果");
    CHECK(model->vocabulary_word(2) == "⟨end⟩");
    CHECK(model->vocabulary_row("unheard") >= 11);
}

TEST_CASE("tensors of a recurrent model that are missing, left over or misshapen are named") {
    CHECK(
        has(recurrent_error_after([](auto& a) { a.arrays.erase("encoder.weight_hh_l0_reverse"); }),
            "missing: encoder.weight_hh_l0_reverse"));
    CHECK(has(recurrent_error_after([](auto& a) {
                  a.arrays["encoder.weight_hh_l1"] = {{1}, {0}};
              }),
              "do not belong to this model: encoder.weight_hh_l1"));
    CHECK(has(recurrent_error_after([](auto& a) {
                  a.arrays["bridge.l0.bias"].shape = {1, 5};
              }),
              "bridge.l0.bias has the shape [1, 5]; this model needs [5]"));
    CHECK(has(recurrent_error_after([](auto& a) { a.metadata["n_layers"] = "2"; }), "l1"));
    CHECK(has(recurrent_error_after([](auto& a) { a.metadata["cell"] = "lstm"; }), "weight_ih_l0"));
    CHECK(has(recurrent_error_after([](auto& a) { a.metadata["projection"] = "two"; }),
              "missing: attention.value.weight"));
    const auto error = recurrent_error_after([](auto& a) {
        a.arrays["output.weight"].values[3] = NAN;
        a.arrays["output.weight"].values[4] = INFINITY;
    });
    CHECK(error.kind == ErrorKind::out_of_range);
    CHECK(has(error, "2 of the 65 numbers in output.weight are NaN or infinite"));
}

TEST_CASE("metadata of a recurrent model that is absent, absurd or hostile is refused by name") {
    const auto with = [](const char* key, const char* value) {
        return recurrent_error_after([&](auto& a) { a.metadata[key] = value; });
    };
    for (const char* key : {"cell", "hidden", "bidirectional", "projection", "vocabulary.words",
                            "vocabulary.others", "seed"}) {
        CHECK(has(recurrent_error_after([&](auto& a) { a.metadata.erase(key); }), key));
    }
    CHECK(has(with("cell", "brain"), "none of rnn, lstm, gru"));
    CHECK(has(with("context", "all"), "none of last, mean, attention"));
    CHECK(has(with("order", ""), "none of bahdanau, luong"));
    CHECK(has(with("bidirectional", "maybe"), "none of yes, no"));
    CHECK(has(with("score", "softmax"), "none of additive"));
    for (const char* bad : {"", "5x", "five", "99999999999", "-1", "0", "2147483647"}) {
        CHECK(has(with("hidden", bad), "hidden"));
    }
    for (const char* bad : {"0", "-1", "1048577", "18446744073709551615", "two"}) {
        CHECK(has(with("vocabulary.others", bad), "vocabulary.others"));
    }
    // Tables of another vocabulary.
    CHECK(has(with("vocabulary.others", "3"), "[13, 4]; this model needs [14, 4]"));
    CHECK(has(with("vocabulary.words", "the cat"), "needs [7, 4]"));
    CHECK(has(with("vocabulary.words", ""), "needs [5, 4]"));
    CHECK(has(with("vocabulary.words", "the the cat le chat a b c"), "lists 'the'"));
    CHECK(has(with("vocabulary.words", "the cat ⟨end⟩ le chat a b c"), "lists '⟨end⟩'"));
    // A score that its widths forbid.
    CHECK(has(recurrent_error_after([](auto& a) {
                  a = variant_archive("gru_none_additive");
                  a.metadata["score"] = "dot";
              }),
              "5 wide and a key, the encoder's, 10"));
}

TEST_CASE("no prefix of a recurrent model's file is taken for a model") {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_whole_recurrent.safetensors"), cut("heed_cut.safetensors");
    REQUIRE(variant("rnn_cosine", pool)->save(file.path));
    const std::string whole = bytes_of(file.path);
    const auto refused = [&](std::size_t size) {
        REQUIRE(base::write_file_atomic(cut.path, whole.substr(0, size)));
        const auto model = load_model(cut.path, pool);
        return !model && !model.error().message.empty();
    };
    for (std::size_t size = 0; size < 64; ++size) REQUIRE(refused(size));
    for (std::size_t size = 64; size < whole.size(); size += 97) REQUIRE(refused(size));
    REQUIRE(refused(whole.size() - 1));
    CHECK(load_model(file.path, pool));
}

TEST_CASE("weights whose words overflow are an error of the run, with the layer's name") {
    num::ThreadPool pool(1);
    for (const char* name : {"output.weight", "readout.weight", "encoder.weight_ih_l0",
                             "attention.key.weight", "attention.score.hidden"}) {
        INFO(name);
        const auto model = variant("gru_additive", pool, [&](auto& archive) {
            float sign = 1;
            for (float& x : archive.arrays.at(name).values) {
                x = sign * 3e38f;
                sign = -sign;
            }
        });
        for (const auto rule :
             {Decoding::Rule::forced, Decoding::Rule::greedy, Decoding::Rule::beam}) {
            Input input = said_by(rule);
            input.target = tokens({"le"});
            const auto result = run(model, input, {}, pool);
            if (result) { // what saturates is a number
                CHECK(values(**result, "decoder.probabilities").array().isFinite().all());
                CHECK(alignment(**result).array().isFinite().all());
                continue;
            }
            CHECK(result.error().kind == ErrorKind::out_of_range);
            CHECK((starts(result.error().subject, "encoder") ||
                   starts(result.error().subject, "decoder")));
        }
    }
}
