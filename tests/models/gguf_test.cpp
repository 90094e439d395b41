// GGUF files that hold no model that Heed runs: what is wrong is said by name.
#include "models/checkpoint/family.hpp"
#include "models/checkpoint/gguf.hpp"
#include "models/checkpoint/open_checkpoint.hpp"
#include "models/checkpoint/rotary_divisors.hpp"
#include "models/temporary_file.hpp"
#include "paths.hpp"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

using namespace heed;
using namespace heed::models;

namespace {

std::string bytes_of_model(const std::string& name) {
    return bytes_of(HEED_SOURCE_DIR "/tests/models/gguf/" + name + ".gguf");
}

std::string bytes_replaced(std::string bytes, const std::string& from, const std::string& to) {
    const auto at = bytes.find(from);
    INFO(from);
    REQUIRE(at != std::string::npos);
    return bytes.replace(at, from.size(), to);
}

/// The value of a key, as a number of four bytes.
std::string with_value(std::string bytes, const std::string& key, std::uint32_t value) {
    const auto at = bytes.find(key);
    INFO(key);
    REQUIRE(at != std::string::npos);
    std::memcpy(bytes.data() + at + key.size() + 4, &value, sizeof value);
    return bytes;
}

base::Result<std::shared_ptr<const Model>> gguf_opened(const std::string& bytes) {
    num::ThreadPool pool(1);
    const TemporaryFile file("heed_forged.gguf");
    REQUIRE(base::write_file_atomic(file.path, bytes));
    auto model = load_model(file.path, pool);
    if (!model) CHECK(model.error().subject == file.path);
    return model;
}

std::string refusal(const std::string& bytes) {
    const auto model = gguf_opened(bytes);
    REQUIRE_FALSE(model);
    return base::describe(model.error());
}

bool has(const std::string& text, const std::string& part) {
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

/// What LLaMA 3's scaling divides the frequency of each pair by.
std::vector<float> divisors_of(const AttentionSpec& a, int pairs) {
    std::vector<float> divisors;
    for (int i = 0; i < pairs; ++i) {
        const double turns =
            a.rotary_length * std::pow(a.rotary_base, -1.0 * i / pairs) / (2 * std::numbers::pi);
        const double kept =
            std::clamp((turns - a.rotary_low) / (a.rotary_high - a.rotary_low), 0.0, 1.0);
        divisors.push_back(static_cast<float>(1 / (kept + (1 - kept) / a.rotary_factor)));
    }
    return divisors;
}

} // namespace

TEST_CASE("a GGUF file is a checkpoint by its name", "[gguf]") {
    CHECK(is_checkpoint("some/model.Q4_K_M.gguf"));
    CHECK(has(refusal("not one at all, though it is named so"), "does not begin with \"GGUF\""));
}

TEST_CASE("every prefix of a model's GGUF file is refused", "[gguf]") {
    const std::string bytes = bytes_of_model("qwen2");
    const TemporaryFile file("heed_prefix.gguf");
    REQUIRE(base::write_file_atomic(file.path, bytes));
    num::ThreadPool pool(1);
    for (std::size_t n = bytes.size() - 32; n-- > 0;) { // behind that its last tensor is padded
        std::filesystem::resize_file(file.path, n);
        const auto model = load_model(file.path, pool);
        if (model || model.error().subject != file.path) FAIL_CHECK(n << " bytes were read");
    }
}

TEST_CASE("an architecture or a setting that Heed does not follow is named", "[gguf]") {
    const std::string llama = bytes_of_model("llama_tied"), gemma = bytes_of_model("gemma2");
    CHECK(has(refusal(bytes_replaced(llama, std::string("\5\0\0\0\0\0\0\0llama", 13),
                                     std::string("\5\0\0\0\0\0\0\0mamba", 13))),
              "\"general.architecture\" is \"mamba\"; Heed knows llama, qwen2, qwen3, gemma"));
    CHECK(has(refusal(bytes_replaced(llama, "linear", "dragon")),
              "\"llama.rope.scaling.type\" is \"dragon\"; Heed knows none and linear"));
    CHECK(has(
        refusal(bytes_replaced(llama, "llama.rope.dimension_count", "llama.rope.dimension_sauce")),
        "\"llama.rope.dimension_sauce\" is 4; Heed does not know this setting"));
    CHECK(has(refusal(bytes_replaced(gemma, "gemma2.context_length", "gemma2.context_strong")),
              "lacks \"gemma2.context_length\""));
    CHECK(has(refusal(with_value(llama, "llama.block_count", 0)), "\"llama.block_count\" is 0"));
    CHECK(has(refusal(with_value(llama, "llama.attention.value_length", 5)),
              "it has to be that of \"attention.key_length\", 4"));
    CHECK(
        has(refusal(bytes_replaced(llama, "llama.vocab_size", "llama.expert_use")), "expert_use"));
    // Not a setting of the model: what the file is called.
    CHECK(gguf_opened(bytes_replaced(llama, "general.name", "general.fame")));
}

TEST_CASE("tensors of a GGUF file that do not fit its settings are named", "[gguf]") {
    const std::string llama = bytes_of_model("llama_tied");
    CHECK(has(refusal(with_value(llama, "llama.block_count", 3)),
              "tensors of this model are missing: blk.2.attn_q.weight"));
    CHECK(has(refusal(with_value(llama, "llama.block_count", 1)),
              "do not belong to this model: blk.1.attn_k.weight"));
    CHECK(has(refusal(with_value(llama, "llama.feed_forward_length", 23)),
              "has the shape [22, 18]; its metadata asks for [23, 18]"));
    CHECK(has(refusal(bytes_replaced(llama, "output_norm.weight", "output_norm.waight")),
              "output_norm.weight"));
    const float nan = std::nanf("");
    std::string bytes = llama;
    std::memcpy(bytes.data() + bytes.size() - 64, &nan, sizeof nan);
    CHECK(has(refusal(bytes), "NaN or infinite"));
}

TEST_CASE("a part of a model, or what is no model, is told so", "[gguf]") {
    const std::string llama = bytes_of_model("llama_tied");
    const std::string key("\x0c\0\0\0\0\0\0\0general.name\x08\0\0\0\6\0\0\0\0\0\0\0a test", 38);
    const std::string type("\x0c\0\0\0\0\0\0\0general.type\x08\0\0\0\6\0\0\0\0\0\0\0mmproj", 38);
    CHECK(has(refusal(bytes_replaced(llama, key, type)), "holds no model, but \"mmproj\""));
    // So many bytes that the data are aligned as they were.
    const std::string part("\x0b\0\0\0\0\0\0\0split.count\x04\0\0\0\2\0\0\0", 27);
    const std::string filler("\1\0\0\0\0\0\0\0x\x08\0\0\0\x10\0\0\0\0\0\0\0sixteen letters.", 37);
    std::string bytes = llama;
    bytes[16] = static_cast<char>(bytes[16] + 2); // keys
    CHECK(has(refusal(bytes.insert(24, part + filler)), "is one of 2 parts"));
}

TEST_CASE("scores of Gemma 2 are divided as in the model of so many layers", "[gguf]") {
    const auto scale_of = [](std::uint32_t layers) {
        const TemporaryFile at("heed_layers.gguf");
        const std::string bytes = bytes_of_model("gemma2");
        REQUIRE(base::write_file_atomic(at.path, with_value(bytes, "gemma2.block_count", layers)));
        auto file = tensors::GgufFile::open(at.path);
        REQUIRE(file);
        auto settings = gguf_settings(*file);
        REQUIRE(settings);
        const TensorFiles files(std::make_shared<const tensors::GgufFile>(*std::move(file)));
        const std::string none;
        Checkpoint checkpoint{*settings, files, none, "gemma2"};
        return gguf_family().spec(checkpoint).attention.scale;
    };
    CHECK(scale_of(26) == Approx(1 / std::sqrt(8.0))); // the width of a head
    CHECK(scale_of(46) == Approx(1 / std::sqrt(9.0))); // d_model / n_heads
}

TEST_CASE("the rule behind divided rotary frequencies is found again", "[gguf]") {
    AttentionSpec published;
    published.rotary_base = 500000;
    published.rotary_factor = 32;
    AttentionSpec found;
    found.rotary_base = 500000;
    REQUIRE(fit_rotary_scaling(divisors_of(published, 64), found));
    CHECK(found == published);

    AttentionSpec other = published;
    other.rotary_factor = 5;
    other.rotary_low = 1.5;
    other.rotary_high = 3.25;
    other.rotary_length = 1000;
    const auto divisors = divisors_of(other, 48);
    REQUIRE(fit_rotary_scaling(divisors, found));
    const auto again = divisors_of(found, 48);
    for (std::size_t i = 0; i < divisors.size(); ++i) {
        CHECK(std::abs(again[i] / divisors[i] - 1) < 1e-5f);
    }
}

TEST_CASE("divided rotary frequencies without a rule are refused", "[gguf]") {
    AttentionSpec a;
    CHECK_FALSE(fit_rotary_scaling(std::vector<float>{1, 2, 1, 4, 1, 8}, a));
    CHECK_FALSE(fit_rotary_scaling(std::vector<float>{1, 0, -1, std::nanf("")}, a));
    CHECK_FALSE(fit_rotary_scaling(std::vector<float>{}, a));
    CHECK(fit_rotary_scaling(std::vector<float>(8, 1), a));
    CHECK(a.rotary_factor == 1);
}
