#include "models/open.hpp"
#include "models/sentences.hpp"
#include "models/temporary_file.hpp"
#include "models/transformer/parameters.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

using namespace heed;
using namespace heed::models;
using base::ErrorKind;

namespace {

ModelSpec smallest(Architecture architecture = Architecture::encoder_decoder) {
    ModelSpec c = tiny(architecture);
    c.d_model = 8;
    c.n_heads = 2;
    c.d_ff = 6;
    c.n_encoder_layers = 1;
    c.n_decoder_layers = 2;
    c.vocabulary = 5;
    c.max_positions = 3;
    return c;
}

// What loading says about a saved model whose archive was changed.
base::Error error_after(const std::function<void(tensors::Archive&)>& change) {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_changed.safetensors");
    REQUIRE(drawn(smallest(), pool)->save(file.path));
    auto archive = tensors::read_safetensors(bytes_of(file.path), file.path);
    REQUIRE(archive);
    change(*archive);
    return error_of(*archive);
}

} // namespace

TEST_CASE("a model that was saved is read back exactly") {
    num::ThreadPool pool(2);
    for (const auto architecture :
         {Architecture::encoder_decoder, Architecture::encoder_only, Architecture::decoder_only}) {
        ModelSpec config = smallest(architecture);
        config.activation = Activation::gelu;
        config.norm = NormOrder::pre;
        config.positions = nn::Positions::alibi;
        config.join = nn::Join::concatenate;
        config.seed = 0xfedcba9876543210ull;
        config.norm_epsilon = 1e-6f;
        const TemporaryFile file("heed_saved.safetensors"), twin("heed_saved_twin.safetensors");
        const auto model = drawn(config, pool);
        REQUIRE(model->save(file.path));
        const auto loaded = load_model(file.path, pool);
        if (!loaded) FAIL(base::describe(loaded.error()));
        CHECK((*loaded)->config() == Config(config));
        REQUIRE((*loaded)->save(twin.path));
        CHECK(bytes_of(file.path) == bytes_of(twin.path));
        CHECK(same_numbers(ran(model, sentence(), {}, pool)->trace,
                           ran(*loaded, sentence(), {}, pool)->trace));
    }
}

TEST_CASE("a file has exactly the names and shapes of torch.nn.Transformer's state dict") {
    // The reference file was written from torch's own state dict.
    num::ThreadPool pool(1);
    const auto bytes = base::read_file(
        std::string(HEED_SOURCE_DIR) + "/tests/reference/transformer_weights.safetensors", 1 << 24);
    REQUIRE(bytes);
    const auto reference = tensors::read_safetensors(*bytes, "reference");
    REQUIRE(reference);
    ModelSpec config = tiny();
    config.d_model = 16;
    config.d_ff = 32;
    config.vocabulary = 64;
    config.max_positions = 12;
    const TemporaryFile file("heed_names.safetensors");
    REQUIRE(drawn(config, pool)->save(file.path));
    const auto ours = tensors::read_safetensors(bytes_of(file.path), file.path);
    REQUIRE(ours);
    REQUIRE(ours->arrays.size() == reference->arrays.size());
    for (const auto& [name, array] : reference->arrays) {
        INFO(name);
        REQUIRE(ours->arrays.count(name) == 1);
        CHECK(ours->arrays.at(name).shape == array.shape);
    }
    CHECK(ours->metadata.at("architecture") == "encoder-decoder");
    CHECK(ours->metadata.at("norm_epsilon") == "1e-05");
}

TEST_CASE("draws do not depend on the number of threads, and stay in their bounds") {
    num::ThreadPool one(1), two(2);
    const auto a = drawn(tiny(), one), b = drawn(tiny(), two);
    const TemporaryFile first("heed_one.safetensors"), second("heed_two.safetensors");
    REQUIRE(a->save(first.path));
    REQUIRE(b->save(second.path));
    CHECK(bytes_of(first.path) == bytes_of(second.path));

    const auto& p = a->parameters();
    const auto variance = [](const auto& m) { return m.array().square().mean(); };
    CHECK(variance(p.embedding.floats) * 64 == Approx(1).epsilon(0.05)); // E sqrt(d_model) has variance 1
    const auto& layer = p.encoder[0];
    CHECK(variance(layer.self_attention.query.dense()) * 64 == Approx(1.75).epsilon(0.05));
    CHECK(variance(layer.self_attention.value.dense()) * 64 == Approx(1).epsilon(0.05));
    CHECK(layer.norm1.gain.isOnes());
    CHECK(layer.norm1.shift.isZero());
    CHECK(layer.self_attention.query_bias.isZero());
    CHECK(p.embedding.row(0) != p.embedding.row(1));
}

TEST_CASE("a token has one row, whatever else is in the sentence") {
    CHECK(embedding_row("cat", 8192) == embedding_row("cat", 8192));
    CHECK(embedding_row("cat", 8192) != embedding_row("cats", 8192));
    CHECK(embedding_row("", 1) == 0);
}

TEST_CASE("tensors that are missing, left over or of another shape are named") {
    CHECK(has(error_after([](auto& a) { a.arrays.erase("encoder.norm.bias"); }),
              "1 of 79 tensors of this model are missing: encoder.norm.bias"));
    CHECK(has(error_after([](auto& a) {
                  a.arrays["decoder.layers.2.norm1.bias"] = {{1}, {0}};
              }),
              "1 tensors do not belong to this model: decoder.layers.2.norm1.bias"));
    CHECK(has(error_after([](auto& a) {
                  a.arrays["encoder.norm.bias"].shape = {2, 4};
              }),
              "encoder.norm.bias has the shape [2, 4]; this model needs [8]"));
    CHECK(has(error_after([](auto& a) { a.metadata["n_decoder_layers"] = "3"; }), "and 15 more"));
}

TEST_CASE("numbers that are not finite are counted and their tensor is named") {
    const auto error = error_after([](auto& a) {
        a.arrays["output.weight"].values[3] = NAN;
        a.arrays["output.weight"].values[4] = INFINITY;
    });
    CHECK(error.kind == ErrorKind::out_of_range);
    CHECK(has(error, "2 of the 40 numbers in output.weight are NaN or infinite"));
}

TEST_CASE("weights that overflow in a run are an error of the run, with the layer's name") {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_huge.safetensors");
    REQUIRE(drawn(smallest(), pool)->save(file.path));
    auto archive = tensors::read_safetensors(bytes_of(file.path), file.path);
    REQUIRE(archive);
    for (float& x : archive->arrays["embedding.weight"].values) x *= 1e30f;
    REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(*archive)));
    const auto model = load_model(file.path, pool);
    REQUIRE(model);
    for (const NormOrder norm : {NormOrder::post, NormOrder::pre}) {
        Controls controls;
        controls.norm = norm;
        const auto result = run(*model, sentence(), controls, pool);
        REQUIRE_FALSE(result);
        CHECK(result.error().kind == ErrorKind::out_of_range);
        CHECK(result.error().subject == "encoder.layers.0");
    }
}

TEST_CASE("scores that overflow are an error of the run, on either side") {
    num::ThreadPool pool(1);
    for (const float side : {1e25f, -1e25f}) {
        const TemporaryFile file("heed_huge_scores.safetensors");
        REQUIRE(drawn(smallest(), pool)->save(file.path));
        auto archive = tensors::read_safetensors(bytes_of(file.path), file.path);
        REQUIRE(archive);
        // Queries that are keys, so that of one token every score is a square, or minus one.
        auto& rows = archive->arrays["encoder.layers.0.self_attn.in_proj_weight"].values;
        REQUIRE(rows.size() == 3 * 8 * 8);
        for (std::size_t i = 0; i < 8 * 8; ++i) {
            rows[i] = side * rows[8 * 8 + i];
            rows[8 * 8 + i] *= 1e25f;
        }
        REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(*archive)));
        const auto model = load_model(file.path, pool);
        REQUIRE(model);
        const auto result = run(*model, {tokens(1), tokens(1), 0}, {}, pool);
        REQUIRE_FALSE(result);
        CHECK(result.error().kind == ErrorKind::out_of_range);
        CHECK(result.error().subject == "encoder.layers.0");
    }
}

TEST_CASE("a score that overflows to -inf beside finite ones is an error of the run, not a mask") {
    num::ThreadPool pool(1);
    const auto model = drawn(smallest(), pool);
    const Input input{tokens(2), tokens(1), 0};
    const auto x = ran(model, input, {}, pool)->trace.tensor("encoder_input")->values;
    // One feature of queries and keys sees the first token alone, so that of the four scores only
    // its own is minus a square.
    Eigen::RowVectorXf w = x.row(0) - x.row(1) * (x.row(0).dot(x.row(1)) / x.row(1).squaredNorm());
    w /= w.dot(x.row(0));
    const TemporaryFile file("heed_one_huge_score.safetensors");
    REQUIRE(model->save(file.path));
    auto archive = tensors::read_safetensors(bytes_of(file.path), file.path);
    REQUIRE(archive);
    auto& rows = archive->arrays["encoder.layers.0.self_attn.in_proj_weight"].values;
    std::fill_n(rows.begin(), 2 * 8 * 8, 0.f);
    std::fill_n(archive->arrays["encoder.layers.0.self_attn.in_proj_bias"].values.begin(), 2 * 8,
                0.f);
    for (Eigen::Index i = 0; i < 8; ++i) {
        rows[static_cast<std::size_t>(i)] = -1e20f * w[i];
        rows[static_cast<std::size_t>(8 * 8 + i)] = 1e20f * w[i];
    }
    REQUIRE(base::write_file_atomic(file.path, tensors::write_safetensors(*archive)));
    const auto huge = load_model(file.path, pool);
    REQUIRE(huge);
    const auto result = run(*huge, input, {}, pool);
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::out_of_range);
    CHECK(result.error().subject == "encoder.layers.0");
    // Where the mask forbids it, nothing is lost.
    Controls controls;
    HeadControls head;
    head.mask = nn::Mask{false, false, {}, {{0, 0}}};
    controls.set({trace::AttentionKind::encoder_self, 0, 0}, head);
    CHECK(run(*huge, input, controls, pool));
}

TEST_CASE("metadata that is absent, absurd or hostile is refused by name") {
    const auto with = [](const char* key, const char* value) {
        return error_after([&](auto& a) { a.metadata[key] = value; });
    };
    CHECK(has(error_after([](auto& a) { a.metadata.clear(); }), "lacks \"heed.model\""));
    CHECK(has(error_after([](auto& a) { a.metadata.erase("d_ff"); }), "lacks \"d_ff\""));
    CHECK(has(with("heed.model", "perceptron"), "'perceptron'"));
    CHECK(has(with("architecture", "sideways"), "none of encoder-decoder"));
    CHECK(has(with("norm", ""), "none of post, pre"));
    CHECK(has(with("positions", "up"), "rotary"));
    for (const char* bad : {"", "8x", "eight", "99999999999", "-1", "0", "2147483647"}) {
        CHECK(has(with("d_model", bad), "d_model"));
    }
    for (const char* bad : {"nan", "inf", "0", "-1e-5", "1e-5 "}) {
        CHECK(has(with("norm_epsilon", bad), "norm_epsilon"));
    }
    CHECK(has(with("n_heads", "3"), "does not divide into 3 heads"));
    CHECK(has(with("n_encoder_layers", "128"), "are missing"));
}

TEST_CASE("no prefix of a model file is taken for a model") {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_whole.safetensors"), cut("heed_cut.safetensors");
    ModelSpec config = smallest(Architecture::encoder_only);
    config.d_model = config.n_heads = 2;
    config.d_ff = config.vocabulary = config.max_positions = 1;
    REQUIRE(drawn(config, pool)->save(file.path));
    const std::string whole = bytes_of(file.path);
    const auto refused = [&](std::size_t size) {
        REQUIRE(base::write_file_atomic(cut.path, whole.substr(0, size)));
        const auto model = load_model(cut.path, pool);
        return !model && !model.error().message.empty();
    };
    for (std::size_t size = 0; size < 64; ++size) REQUIRE(refused(size));
    for (std::size_t size = 64; size < whole.size(); size += 37) REQUIRE(refused(size));
    REQUIRE(refused(whole.size() - 1));
    CHECK(load_model(file.path, pool));
}

TEST_CASE("a file that is not there, or that cannot be written, is named") {
    num::ThreadPool pool(1);
    const auto missing = load_model("/nowhere/model.safetensors", pool);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().kind == ErrorKind::not_found);
    const auto saved = drawn(smallest(), pool)->save("/nowhere/model.safetensors");
    REQUIRE_FALSE(saved);
    CHECK(saved.error().kind == ErrorKind::unwritable);
}
