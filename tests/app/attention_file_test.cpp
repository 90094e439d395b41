// Attention that other programs wrote: arrays, links and soft alignments.
#include "base/file.hpp"
#include "catch.hpp"
#include "contains.hpp"
#include "models/model/alignment_file.hpp"
#include "models/model/attention_file.hpp"
#include "run_heed.hpp"
#include "temporary_folder.hpp"

#include <cmath>
#include <limits>

using namespace heed;
using base::ErrorKind;
using models::attention_of;
using tensors::Archive;
using tensors::Array;
using trace::AttentionKind;

namespace {

/// Rows that sum to 1, no two alike.
Array maps(std::vector<std::int64_t> shape) {
    Array array{std::move(shape), {}};
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < array.shape.size(); ++i) rows *= array.shape[i];
    const std::int64_t keys = array.shape.back();
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t key = 0; key < keys; ++key) {
            const bool first = key == row % keys;
            const float rest = static_cast<float>(1) / static_cast<float>(2 * keys);
            array.values.push_back(rest + (first ? 0.5F : 0.0F));
        }
    }
    return array;
}

Archive translator() {
    Archive archive;
    for (const char* layer : {"0", "1"}) {
        const std::string n = layer;
        archive.arrays["encoder.layers." + n + ".self_attn.weights"] = maps({2, 3, 3});
        archive.arrays["decoder.layers." + n + ".self_attn.weights"] = maps({2, 4, 4});
        archive.arrays["decoder.layers." + n + ".multihead_attn.weights"] = maps({2, 4, 3});
    }
    archive.arrays["memory"] = {{1, 1}, {-7}};
    archive.strings["source_tokens"] = {"the", "black", "cat"};
    archive.strings["target_tokens"] = {"le", "chat", "noir", "."};
    return archive;
}

base::Error refusal(Archive archive) {
    const auto read = attention_of(std::move(archive), "x.npz");
    REQUIRE_FALSE(read);
    CHECK(read.error().subject == "x.npz");
    return read.error();
}

base::Error json_refusal(const std::string& text) {
    const auto read = models::read_archive_json(text, "x.json");
    REQUIRE_FALSE(read);
    CHECK(read.error().subject == "x.json");
    return read.error();
}

base::Error text_refusal(const std::string& text) {
    const auto read = models::read_alignments(text, "x.align");
    REQUIRE_FALSE(read);
    CHECK(read.error().subject == "x.align");
    return read.error();
}

const num::Matrix<float>& cross_of(const models::AttentionFile& sentence) {
    return sentence.of(AttentionKind::cross).at(0).at(0);
}

constexpr const char* kSecond = "encoder.layers.1.self_attn.weights";

} // namespace

TEST_CASE("one head alone, or those of one layer, is attention of one layer") {
    tensors::Archive archive;
    archive.arrays["weights"] = {{2, 3}, {1, 0, 0, 0, 0.5f, 0.5f}};
    const auto read = models::attention_of(archive, "x.npz");
    if (!read) FAIL(base::describe(read.error()));
    CHECK(cross_of(*read).rows() == 2);
    CHECK(cross_of(*read)(1, 2) == 0.5f);
}

TEST_CASE("attention that heed attend wrote is read back, in every format") {
    for (const std::string name : {"x.npz", "x.safetensors", "x.json"}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        const HeedRan ran = heed_ran({"attend", "--size", "tiny", "--source", "a b c", "--target",
                                      "d e", "-o", folder / name});
        INFO(ran.err);
        REQUIRE(ran.code == 0);
        const auto read = models::read_attention_file(folder / name);
        if (!read) FAIL(base::describe(read.error()));
        CHECK(read->source == std::vector<std::string>{"a", "b", "c"});
        CHECK(read->target == std::vector<std::string>{"d", "e"});
        for (const AttentionKind kind : trace::kAttentionKinds) {
            const auto& layers = read->of(kind);
            REQUIRE_FALSE(layers.empty());
            const bool to_source = kind != AttentionKind::decoder_self;
            CHECK(layers[0][0].cols() == (to_source ? 3 : 2));
            CHECK(layers[0][0].rows() == (kind == AttentionKind::encoder_self ? 3 : 2));
            CHECK(std::abs(layers[0][0].row(0).sum() - 1) < 1e-5F);
        }
        const std::string bytes = folder.bytes(name);
        for (std::size_t n = 0; n < bytes.size(); n += n < 300 ? 1 : bytes.size() / 200) {
            if (name == "x.json" && n + 2 > bytes.size()) continue; // without its line's end
            REQUIRE(base::write_file_atomic(folder / ("cut" + name), bytes.substr(0, n)));
            const auto cut = models::read_attention_file(folder / ("cut" + name));
            REQUIRE_FALSE(cut);
            CHECK(cut.error().subject == folder / ("cut" + name));
        }
    }
}

TEST_CASE("weights stand where their names say") {
    const Archive archive = translator();
    const auto read = attention_of(archive, "x").value();
    CHECK(read.of(AttentionKind::encoder_self).size() == 2);
    const auto& wanted = archive.arrays.at("decoder.layers.1.multihead_attn.weights");
    const auto& heads = read.of(AttentionKind::cross)[1];
    REQUIRE(heads.size() == 2);
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
        CHECK(heads[i / 12].data()[i % 12] == wanted.values[i]);
    }
}

TEST_CASE("one array of layers by heads is read, and tokens say whose attention it is") {
    const auto kind_of = [](const std::vector<std::string>& source,
                            const std::vector<std::string>& target,
                            std::vector<std::int64_t> shape) {
        Archive archive;
        archive.arrays["attention"] = maps(std::move(shape));
        if (!source.empty()) archive.strings["source_tokens"] = source;
        if (!target.empty()) archive.strings["target_tokens"] = target;
        const auto read = attention_of(std::move(archive), "x").value();
        for (const AttentionKind kind : trace::kAttentionKinds) {
            if (!read.of(kind).empty()) return kind;
        }
        FAIL("no attention");
        return AttentionKind::cross;
    };
    CHECK(kind_of({"a", "b"}, {}, {3, 2, 2, 2}) == AttentionKind::encoder_self);
    CHECK(kind_of({}, {"a", "b"}, {3, 2, 2, 2}) == AttentionKind::decoder_self);
    CHECK(kind_of({"a", "b"}, {"c"}, {3, 2, 1, 2}) == AttentionKind::cross);
    CHECK(kind_of({}, {}, {1, 1, 2, 2}) == AttentionKind::encoder_self);
    CHECK(kind_of({}, {}, {1, 1, 2, 3}) == AttentionKind::cross);
    Archive archive;
    archive.arrays["a"] = maps({1, 1, 2, 2});
    CHECK(attention_of(archive, "x")->source == std::vector<std::string>{"1", "2"});
    archive.strings["tokens"] = {"one", "two"};
    CHECK(attention_of(archive, "x")->source == std::vector<std::string>{"one", "two"});
    archive.arrays["a"].shape = {1, 2, 2};
    CHECK(attention_of(archive, "x")->of(AttentionKind::encoder_self).at(0).size() == 1);
    archive.arrays["a"].shape = {4};
    CHECK(contains(refusal(archive).message, "a has the shape [4]; layers x heads"));
    archive.arrays["b"] = maps({1});
    CHECK(refusal(archive).kind == ErrorKind::not_found);
}

TEST_CASE("arrays of attention that do not agree are refused by their names") {
    const auto with = [](const std::string& name, Array array) {
        Archive archive = translator();
        archive.arrays[name] = std::move(array);
        return refusal(std::move(archive)).message;
    };
    CHECK(contains(with(kSecond, maps({3, 3, 3})), "has the shape [3, 3, 3]; that of the first"));
    CHECK(contains(with(kSecond, maps({2, 3, 4})), "that of the first layer is [2, 3, 3]"));
    CHECK(contains(with(kSecond, maps({3, 3})), "heads x queries x keys is expected"));
    CHECK(contains(with(kSecond, {{0, 3, 3}, {}}), "has 0 heads; 1 to 1024"));
    CHECK(contains(with(kSecond, {{2, 0, 3}, {}}), "has 0 queries"));
    CHECK(contains(with(kSecond, maps({1, 1, 2049})), "has 2049 keys; 1 to 2048"));
    CHECK(
        contains(with("encoder.layers.3.self_attn.weights", maps({2, 3, 3})), "no layer 2 before"));
    CHECK(contains(with("encoder.layers.01.self_attn.weights", maps({2, 3, 3})), "the same layer"));
    Archive archive = translator();
    archive.strings["source_tokens"].pop_back();
    CHECK(contains(refusal(archive).message, "has 2 source tokens, and maps of 3"));
    archive.strings["source_tokens"].push_back(std::string(2000, 'a')); // a label of pictures
    CHECK(contains(refusal(archive).message, "has a source token of 2000 bytes; at most 1024"));
    CHECK(refusal({}).kind == ErrorKind::not_found);
}

TEST_CASE("what is no weight is refused with its place") {
    const auto with = [](float value) {
        Archive archive = translator();
        archive.arrays[kSecond].values[13] = value;
        return refusal(std::move(archive)).message;
    };
    CHECK(
        contains(with(std::nanf("")), "head 2 of " + std::string(kSecond) + " has the weight nan"));
    CHECK(contains(with(std::numeric_limits<float>::infinity()),
                   "the weight inf in row 2, column 2"));
    CHECK(contains(with(-0.1F), "the weight -0.1"));
    CHECK(contains(with(0.9F), "row 2 of head 2"));
    Archive archive = translator();
    for (std::size_t i = 9; i < 12; ++i) archive.arrays[kSecond].values[i] = 0;
    CHECK(attention_of(archive, "x")); // it may look at nothing
    archive.arrays[kSecond].values[9] = 0.3F;
    CHECK_FALSE(attention_of(archive, "x"));
    archive.metadata["controls"] = R"({"dropout": {"rate": 0.3}})";
    CHECK(attention_of(archive, "x"));
}

TEST_CASE("JSON may have lists in lists, and each of its mistakes has a name") {
    const auto read = models::read_archive_json(
        R"({"attention": [[[[0.5, 0.5], [1, 0]]]], "tokens": ["a", "b"]})", "x.json");
    REQUIRE(read);
    CHECK(read->arrays.at("attention").shape == std::vector<std::int64_t>{1, 1, 2, 2});
    CHECK(attention_of(*read, "x")->of(AttentionKind::encoder_self)[0][0](1, 0) == 1);
    CHECK(contains(json_refusal("[1]").message, "no JSON object"));
    CHECK(contains(json_refusal(R"({"a": [[1, 2], [3]]})").message, "a: has lists of 2 and of 1"));
    CHECK(contains(json_refusal(R"({"a": [[1], 2]})").message, "numbers beside lists"));
    CHECK(contains(json_refusal(R"({"a": [1, [2]]})").message, "lists beside numbers"));
    CHECK(contains(json_refusal(R"({"a": [1, "x"]})").message, "a"));
    CHECK(contains(json_refusal(R"({"a": ["x", 1]})").message, "a"));
    CHECK(contains(json_refusal(R"({"a": 3})").message, "is no array"));
    CHECK(contains(json_refusal(R"({"arrays": [1]})").message, "is no object of arrays"));
    CHECK(contains(json_refusal(R"({"arrays": {"a": {"shape": [2, 2], "values": [1]}}})").message,
                   "fewer than its shape"));
    CHECK(contains(json_refusal(R"({"arrays": {"a": {"shape": [1], "values": [1, 2]}}})").message,
                   "has 2 values; its shape asks for 1"));
    CHECK(
        contains(json_refusal(R"({"arrays": {"a": {"shape": [-1], "values": []}}})").message, "a"));
    CHECK(contains(json_refusal(R"({"a": [[[[[[[[[1]]]]]]]]]})").message, "nested too deep"));
}

TEST_CASE("Pharaoh's links become rows that share") {
    const auto read = models::read_alignments("0-0 2-1 1-1\n\n1-3\r\n", "x").value();
    REQUIRE(read.size() == 3);
    num::Matrix<float> wanted(2, 3);
    wanted << 1, 0, 0, 0, 0.5F, 0.5F;
    CHECK(cross_of(read[0]) == wanted);
    CHECK(read[0].source == std::vector<std::string>{"1", "2", "3"});
    CHECK(cross_of(read[1]).isZero());
    CHECK(cross_of(read[2]).rows() == 4);
    CHECK(cross_of(read[2])(3, 1) == 1);
    const auto translated = models::read_alignments("un chat noir ||| 0-0 1-1\n", "x").value();
    CHECK(translated[0].target == std::vector<std::string>{"un", "chat", "noir"});
    CHECK(cross_of(translated[0]).row(2).isZero());
}

// The numbers are of two sentences as Marian's --alignment soft writes them.
TEST_CASE("Marian's soft alignments have a row for each target word, and one for the end") {
    const std::string line = "un chat ||| 0.9,0.05,0.05 0.1,0.7,0.2 1e-05,0.00999,0.99\n";
    const auto read = models::read_alignments(line + "oui ||| 1 1", "x").value();
    REQUIRE(read.size() == 2);
    CHECK(read[0].target == std::vector<std::string>{"un", "chat", "⟨end⟩"});
    CHECK(read[0].source.size() == 3);
    CHECK(cross_of(read[0])(1, 1) == 0.7F);
    CHECK(cross_of(read[1]).rows() == 2);
    const auto best = models::read_alignments(
        "0 ||| un chat ||| 0.9,0.1 0.2,0.8 0,1 ||| F0= -1.5 ||| -0.5\n", "x");
    REQUIRE(best);
    CHECK((*best)[0].target[1] == "chat");
    const auto bare = models::read_alignments("0.5,0.5 1,0", "x").value();
    CHECK(bare[0].target == std::vector<std::string>{"1", "2"});
}

TEST_CASE("alignments that make no sense are refused by their line") {
    CHECK(contains(text_refusal("0-0\n0-0 1-\n").message, "line 2: '1-' is no link"));
    CHECK(contains(text_refusal("0-0 0.5,0.5").message, "'0.5,0.5' is no link"));
    CHECK(contains(text_refusal("a b").message, "line 1: 'a' is neither a link"));
    CHECK(contains(text_refusal("0--1").message, "line 1"));
    CHECK(contains(text_refusal("5000-0").message, "past the 2048 words"));
    CHECK(contains(text_refusal("0.5,0.5 1").message, "target word 2 has 1 weights, the first 2"));
    CHECK(contains(text_refusal("0.5,0.1").message, "sum to 0.6"));
    CHECK(contains(text_refusal("1.5,-0.5").message, "-0.5 is below 0"));
    CHECK(contains(text_refusal("nan,1").message, "not finite"));
    CHECK(contains(text_refusal("0.5,,0.5").message, "line 1"));
    const std::string soft = "un ||| 0.9,0.05,0.05 0.1,0.7,0.2 0.3,0.3,0.4\n0-0 1-1\n";
    for (std::size_t n = 0; n < soft.size(); ++n) { // some are whole alignments
        const auto read = models::read_alignments(soft.substr(0, n), "x");
        if (!read) CHECK(read.error().subject == "x");
    }
    CHECK_FALSE(models::read_alignments(soft.substr(0, 15), "x"));
}
