// GGUF files: numbers against the package gguf (tests/reference/make_gguf.py), and broken ones.
#include "tensors/gguf.hpp"

#include "base/file.hpp"
#include "paths.hpp"
#include "tensors/named.hpp"

#include "catch.hpp"

#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

using namespace heed;
using namespace heed::tensors;

namespace {

const std::string kFolder = HEED_SOURCE_DIR "/tests/tensors/gguf/";

std::string bytes_of(const std::string& path) {
    auto bytes = base::read_file(path, 1 << 24);
    REQUIRE(bytes);
    return *bytes;
}

base::Result<GgufFile> opened(const std::string& bytes) {
    const auto path = std::filesystem::temp_directory_path() /
                      ("heed_gguf." + std::to_string(::getpid()) + ".gguf");
    REQUIRE(base::write_file_atomic(path.string(), bytes));
    auto file = GgufFile::open(path.string());
    std::filesystem::remove(path);
    return file;
}

std::string refusal(const std::string& bytes) {
    const auto file = opened(bytes);
    REQUIRE_FALSE(file);
    return describe(file.error());
}

bool has(const std::string& text, const std::string& part) {
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

template <class T> std::string raw(T number) {
    std::string bytes(sizeof number, 0);
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}
std::string u32(std::uint32_t number) { return raw(number); }
std::string u64(std::uint64_t number) { return raw(number); }
std::string text(const std::string& words) { return u64(words.size()) + words; }

/// A file of its parts: keys, and tensors with what they say of themselves.
struct Forged {
    std::vector<std::string> keys, tensors;
    std::string data = std::string(128, 1);

    std::string bytes() const {
        std::string all = "GGUF" + u32(3) + u64(tensors.size()) + u64(keys.size());
        for (const auto& key : keys) all += key;
        for (const auto& tensor : tensors) all += tensor;
        all.resize((all.size() + 31) / 32 * 32);
        return all + data;
    }
};

std::string key(const std::string& name, std::uint32_t type, const std::string& value) {
    return text(name) + u32(type) + value;
}

std::string tensor(const std::string& name, const std::vector<std::uint64_t>& axes,
                   std::uint32_t type, std::uint64_t offset) {
    std::string all = text(name) + u32(static_cast<std::uint32_t>(axes.size()));
    for (const auto axis : axes) all += u64(axis);
    return all + u32(type) + u64(offset);
}

constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;

} // namespace

TEST_CASE("tensors of every type that is read are ggml's to the last bit", "[gguf]") {
    auto file = GgufFile::open(kFolder + "types.gguf");
    REQUIRE(file);
    const std::string path = kFolder + "types.safetensors";
    const auto expected = read_safetensors(bytes_of(path), path);
    REQUIRE(expected);
    REQUIRE(file->header().entries.size() == expected->arrays.size());
    CHECK(expected->arrays.size() == 8);
    for (const TensorEntry& entry : file->header().entries) {
        CAPTURE(entry.name);
        const Array& wanted = expected->arrays.at(entry.name);
        REQUIRE(entry.shape == wanted.shape);
        std::vector<float> found(wanted.values.size());
        REQUIRE(file->read(entry, found));
        CHECK(found == wanted.values);
    }
}

TEST_CASE("values of a GGUF file come with their types", "[gguf]") {
    auto file = GgufFile::open(kFolder + "types.gguf");
    REQUIRE(file);
    const GgufHeader& header = file->header();
    CHECK(*header.find<std::uint64_t>("one.number") == 3);
    CHECK(*header.find<std::int64_t>("one.negative") == -3);
    CHECK(*header.find<double>("one.float") == 0.5);
    CHECK(*header.find<bool>("one.flag"));
    CHECK(*header.find<std::string>("one.text") == "für");
    CHECK(*header.find<std::vector<std::string>>("one.texts") ==
          std::vector<std::string>{"a", "", "zwei"});
    CHECK(*header.find<std::vector<double>>("one.numbers") == std::vector<double>{1, 2, 70000});
    CHECK_FALSE(header.find<bool>("one.number"));
    CHECK_FALSE(header.find<bool>("one"));
}

TEST_CASE("every prefix of a GGUF file is refused, as is one with more behind it", "[gguf]") {
    const std::string bytes = bytes_of(kFolder + "types.gguf");
    const auto path = std::filesystem::temp_directory_path() /
                      ("heed_gguf_prefix." + std::to_string(::getpid()) + ".gguf");
    REQUIRE(base::write_file_atomic(path.string(), bytes));
    constexpr std::size_t kPadding = 10; // behind its last tensor
    for (std::size_t n = bytes.size() - kPadding; n-- > 0;) {
        std::filesystem::resize_file(path, n);
        if (GgufFile::open(path.string())) FAIL_CHECK(n << " bytes were read");
    }
    std::filesystem::remove(path);
    CHECK(opened(bytes));
    CHECK(has(refusal(bytes + std::string(40, 0)), "40 bytes behind its last tensor"));
}

TEST_CASE("what is no GGUF of version 3 is told from one", "[gguf]") {
    CHECK(has(refusal("GGML" + std::string(40, 0)), "does not begin with \"GGUF\""));
    CHECK(has(refusal("GGUF" + u32(2) + std::string(40, 0)), "GGUF version 2; version 3 is read"));
    CHECK(has(refusal("GGUF" + u32(3u << 24) + std::string(40, 0)), "big-endian"));
    CHECK(has(refusal("GGUF" + u32(3)), "ends at byte 8, within its first 24 bytes"));
}

TEST_CASE("a GGUF file of huge counts is refused before anything is made of them", "[gguf]") {
    const std::string rest(64, 0);
    CHECK(has(refusal("GGUF" + u32(3) + u64(kHuge) + u64(0) + rest), "tensors, and 64 bytes"));
    CHECK(has(refusal("GGUF" + u32(3) + u64(0) + u64(kHuge) + rest), "keys, and 64 bytes"));
    const std::string many(13 << 17, 0);
    CHECK(has(refusal("GGUF" + u32(3) + u64(0) + u64(1 << 17) + many), "at most 65536 are read"));
    Forged file;
    file.keys = {key("k", 8, u64(kHuge) + "x")};
    CHECK(has(refusal(file.bytes()), "within \"k\""));
    file.keys = {key("k", 9, u32(8) + u64(kHuge))};
    CHECK(has(refusal(file.bytes()), "items of lists"));
    file.keys = {key("k", 9, u32(0) + u64(3'000'000) + std::string(3'000'000, 0))};
    CHECK(has(refusal(file.bytes()), "at most 1310720 are read"));
    file.keys = {key("k", 8, text(std::string(9 << 20, 'x')))};
    CHECK(has(refusal(file.bytes()), "\"k\" has a text of 9437184 bytes; at most 8388608"));
    file.keys.clear();
    for (int i = 0; i < 5; ++i) {
        file.keys.push_back(key("k" + std::to_string(i), 8, text(std::string(8 << 20, 'x'))));
    }
    CHECK(has(refusal(file.bytes()), "has more than 33554432 bytes before its data"));
    file.keys = {text("k") + u32(8) + u64(std::numeric_limits<std::uint64_t>::max())};
    CHECK(has(refusal(file.bytes()), "within \"k\""));
}

TEST_CASE("a wrong value of a GGUF file is named by its key", "[gguf]") {
    Forged file;
    file.keys = {key("k", 13, u64(0))};
    CHECK(has(refusal(file.bytes()), "\"k\" has the type 13, which the format does not know"));
    file.keys = {key("k", 9, u32(13) + u64(1) + u64(0))};
    CHECK(has(refusal(file.bytes()), "\"k\" has the type 13"));
    file.keys = {key("k", 7, "\2")};
    CHECK(has(refusal(file.bytes()), "\"k\" is neither true nor false, but 2"));
    file.keys = {key("k", 9, u32(9) + u64(1) + u32(9) + u64(1))};
    CHECK(has(refusal(file.bytes()), "\"k\" is a list of lists"));
    file.keys = {key("k", 0, "a"), key("k", 0, "b")};
    CHECK(has(refusal(file.bytes()), "the key \"k\" twice"));
    file.keys = {key("\xFF", 0, "a")};
    CHECK(has(refusal(file.bytes()), "is no name"));
    file.keys = {key("", 0, "a")};
    CHECK(has(refusal(file.bytes()), "is no name"));
    for (const std::uint32_t alignment : {0u, 24u, 1u << 21}) {
        file.keys = {key("general.alignment", 4, u32(alignment))};
        CHECK(has(refusal(file.bytes()), "no power of two"));
    }
}

TEST_CASE("a wrong tensor of a GGUF file is named", "[gguf]") {
    Forged file;
    const auto said_of = [&](std::vector<std::string> tensors) {
        file.tensors = std::move(tensors);
        return refusal(file.bytes());
    };
    file.tensors = {tensor("t", {4, 8}, 0, 0)};
    CHECK(opened(file.bytes()));
    CHECK(has(said_of({tensor("t", {2, 2, 2, 2, 2}, 0, 0)}), "\"t\" has 5 axes"));
    CHECK(has(said_of({tensor("t", {}, 0, 0)}), "\"t\" has 0 axes"));
    CHECK(has(said_of({tensor("t", {kHuge, kHuge}, 0, 0)}), "impossible shape"));
    CHECK(has(said_of({tensor("t", {kHuge << 3, 4}, 0, 0)}), "impossible shape"));
    CHECK(has(said_of({tensor("t", {kHuge << 2}, 0, 0)}), "impossible shape"));
    CHECK(has(said_of({tensor("t", {4, 0}, 0, 0)}), "impossible shape"));
    CHECK(has(said_of({tensor("t", {kHuge}, 0, 0)}), "the file was cut"));
    CHECK(has(said_of({tensor("t", {33}, 0, 0)}), "the file was cut"));
    CHECK(has(said_of({tensor("t", {4, 8}, 0, 32)}), "begins at byte 32 of the data; 0"));
    CHECK(has(said_of({tensor("t", {16}, 0, 0), tensor("u", {16}, 0, 32)}), "\"u\" begins at"));
    CHECK(has(said_of({tensor("t", {8}, 0, 0), tensor("u", {8}, 0, 64)}), "\"u\" begins at"));
    CHECK(has(said_of({tensor("t", {16}, 0, 0), tensor("t", {16}, 0, 64)}), "\"t\" twice"));
    CHECK(has(said_of({tensor("t", {48}, 8, 0)}), "rows of 48 numbers, and they lie in blocks"));
    CHECK(has(said_of({tensor("t", {16, 2}, 2, 0)}), "rows of 16"));
    CHECK(has(said_of({tensor("t", {32}, 3, 0)}), "\"t\" is of type Q4_1; F32, F16, Q4_0, Q8_0"));
    CHECK(has(said_of({tensor("t", {32}, 23, 0)}), "IQ4_XS"));
    CHECK(has(said_of({tensor("t", {32}, 99, 0)}), "type 99, which Heed does not know"));
}
