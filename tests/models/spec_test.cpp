// Whole models of many specifications against PyTorch: tests/reference/make_specs.py.
#include "models/recurrent_models.hpp"
#include "models/sentences.hpp"
#include "nn/attention/score_kind.hpp"
#include "paths.hpp"

#include <algorithm>
#include <string>

using namespace heed;
using namespace heed::models;

namespace {

const tensors::Archive& reference() {
    static const tensors::Archive archive = [] {
        const std::string path = HEED_SOURCE_DIR "/tests/reference/specs.safetensors";
        auto read = tensors::read_safetensors(bytes_of(path), path);
        REQUIRE(read);
        return *read;
    }();
    return archive;
}

/// A file of this case: what lies under its name.
tensors::Archive stored_archive(const std::string& name) {
    tensors::Archive archive;
    archive.arrays = under(reference().arrays, name + "/weights/");
    for (const auto& [key, value] : reference().metadata) {
        if (key.starts_with(name + "/")) archive.metadata[key.substr(name.size() + 1)] = value;
    }
    return archive;
}

std::shared_ptr<const Transformer> read_model(const tensors::Archive& archive,
                                              num::ThreadPool& pool) {
    auto model = Transformer::read(archive, "a model", pool);
    if (!model) FAIL(base::describe(model.error()));
    return *model;
}

/// The sentences of the script. A decoder alone reads the source.
Input spec_input(const ModelSpec& spec) {
    Input input{tokens(9), tokens({"v0", "v1", "v2", "v3", "v4"}), 0};
    if (!has_encoder(spec)) input.target.clear();
    if (spec.embedding.token_types > 0) input.source_types = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    return input;
}

void check_matrix(const num::Matrix<float>& found, const tensors::Array& expected) {
    REQUIRE(found.size() == std::ssize(expected.values));
    const num::Matrix<float> values =
        Eigen::Map<const num::Matrix<float>>(expected.values.data(), found.rows(), found.cols());
    const float largest = values.cwiseAbs().maxCoeff();
    CHECK((found - values).cwiseAbs().maxCoeff() < 2e-5f * std::max(1.0f, largest));
}

constexpr const char* kCases[] = {"gpt2", "llama", "gemma", "neox", "gptj",
                                  "opt",  "bert",  "clip",  "t5"};

} // namespace

TEST_CASE("models with the parts of nine families come to what PyTorch says") {
    num::ThreadPool pool(2);
    for (const std::string name : kCases) {
        CAPTURE(name);
        const auto model = read_model(stored_archive(name), pool);
        const auto run = ran(model, spec_input(model->config()), {}, pool);
        for (const auto& [what, expected] : under(reference().arrays, name + "/expected/")) {
            CAPTURE(what);
            if (what == "next") {
                check_matrix(model->next_token_probabilities(*run, pool), expected);
            } else {
                REQUIRE(run->trace.tensor(what));
                check_matrix(run->trace.tensor(what)->values, expected);
            }
        }
    }
}

TEST_CASE("logits are those of PyTorch's states, and their softmax its probabilities") {
    num::ThreadPool pool(2);
    for (const std::string name : kCases) {
        CAPTURE(name);
        const tensors::Archive file = stored_archive(name);
        const auto model = read_model(file, pool);
        const auto logits = model->logits(*ran(model, spec_input(model->config()), {}, pool), pool);
        const auto expected = under(reference().arrays, name + "/expected/");
        if (!expected.contains("next")) {
            CHECK(logits.size() == 0); // it reads alone
            continue;
        }
        const LogitSpec& spec = model->config().word_logits;
        const tensors::Array& x = expected.at("decoder_output");
        const tensors::Array& w = file.arrays.at(spec.tied ? "embedding.weight" : "output.weight");
        const auto d = static_cast<std::size_t>(x.shape[1]);
        REQUIRE(logits.rows() == x.shape[0]);
        REQUIRE(logits.cols() == w.shape[0]);
        for (num::Index row = 0; row < logits.rows(); ++row) {
            for (num::Index word = 0; word < logits.cols(); ++word) {
                double sum = 0;
                for (std::size_t i = 0; i < d; ++i) {
                    sum += static_cast<double>(x.values[static_cast<std::size_t>(row) * d + i]) *
                           static_cast<double>(w.values[static_cast<std::size_t>(word) * d + i]);
                }
                sum *= static_cast<double>(spec.factor);
                if (spec.bias) {
                    sum += static_cast<double>(
                        file.arrays.at("output.bias").values[static_cast<std::size_t>(word)]);
                }
                CHECK(static_cast<double>(logits(row, word)) == Approx(sum).margin(2e-4));
            }
        }
        const auto last = logits.bottomRows(1);
        const num::RowVector<float> e = (last.array() - last.maxCoeff()).exp();
        check_matrix(e / e.sum(), expected.at("next"));
    }
}

TEST_CASE("a specification of any parts survives a file, and its draws run") {
    num::ThreadPool pool(1);
    for (const std::string name : kCases) {
        CAPTURE(name);
        const auto model = read_model(stored_archive(name), pool);
        const auto again = read_model(model->archive(), pool);
        CHECK(again->config() == model->config());
        CHECK(again->archive().arrays.size() == model->archive().arrays.size());
        const auto run = ran(drawn(model->config(), pool), spec_input(model->config()), {}, pool);
        CHECK(run->trace.layers.size() >= 3);
    }
}

TEST_CASE("a file without parameters of scores and positions that its model does not use is read, "
          "and any of them can be switched on") {
    num::ThreadPool pool(1);
    const auto model = read_model(stored_archive("llama"), pool);
    for (const auto& [name, array] : stored_archive("llama").arrays) {
        CHECK_FALSE((name.starts_with("scores.") || name.starts_with("positions.")));
    }
    Controls controls;
    HeadControls head;
    head.score = nn::score_named("additive");
    head.positions = nn::Positions::relative;
    controls.set({}, head);
    const Input input = spec_input(model->config());
    const auto once = ran(model, input, controls, pool);
    const auto again = ran(read_model(stored_archive("llama"), pool), input, controls, pool);
    CHECK(same_numbers(once->trace, again->trace));
}

TEST_CASE("a window, a scale of its own and shared keys leave live controls their meaning") {
    num::ThreadPool pool(1);
    const auto model = read_model(stored_archive("gemma"), pool);
    const Input input = spec_input(model->config());
    const auto run = ran(model, input, {}, pool);
    const auto first = run->trace.attention(trace::AttentionKind::decoder_self, 0);
    const auto second = run->trace.attention(trace::AttentionKind::decoder_self, 1);
    REQUIRE((first && second));
    CHECK(first->heads[0].settings.mask->window == num::Index(2));
    CHECK_FALSE(second->heads[0].settings.mask->window);
    CHECK(first->heads[0].settings.gamma == 0.3f);
    Controls off;
    HeadControls head;
    head.scale = Scale{Scale::Kind::off, 1};
    off.set({}, head);
    const auto without = ran(model, input, off, pool);
    CHECK(
        without->trace.attention(trace::AttentionKind::decoder_self, 0)->heads[0].settings.gamma ==
        1);
}

TEST_CASE("parts that do not fit together are refused by name") {
    const auto refused = [](auto change) {
        ModelSpec spec;
        change(spec);
        const auto ok = check(spec);
        return ok ? std::string("accepted") : ok.error().subject;
    };
    CHECK(refused([](auto&) {}) == "accepted");
    CHECK(refused([](auto& s) { s.attention.n_kv_heads = 3; }) == "attention.n_kv_heads");
    CHECK(refused([](auto& s) { s.attention.rotary_width = 100; }) == "attention.rotary_width");
    CHECK(refused([](auto& s) { s.attention.windows = {4, -1}; }) == "attention.windows");
    CHECK(refused([](auto& s) { s.attention.relative_distance = 16; }) ==
          "attention.relative_distance");
    CHECK(refused([](auto& s) { s.feed_forward.parallel = true; }) == "feed_forward.parallel");
    CHECK(refused([](auto& s) { s.norms.shared = true; }) == "norms.shared");
    CHECK(refused([](auto& s) { s.embedding.factor = -1; }) == "embedding.factor");
    CHECK(refused([](auto& s) {
              s.positions = nn::Positions::learned;
              s.max_positions = 2;
              s.embedding.position_offset = 2;
          }) == "embedding.position_offset");
    CHECK(refused([](auto& s) {
              s.d_model = 10;
              s.n_heads = 4;
              s.attention.head_width = 3;
          }) == "accepted");
}
