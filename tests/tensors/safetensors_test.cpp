#include "base/check.hpp"
#include "tensors/named.hpp"

#include "catch.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

using namespace heed::tensors;
using heed::base::Error;
using heed::base::ErrorKind;

namespace {

/// A file as its parts: the header's text, whatever it says, and the data.
std::string file_of(const std::string& header, const std::string& data) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFF);
    return bytes + header + data;
}

std::string floats(std::initializer_list<float> values) {
    std::string bytes(values.size() * 4, '\0');
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

Archive accepted(const std::string& bytes) {
    auto archive = read_safetensors(bytes, "f");
    INFO((archive ? std::string() : describe(archive.error())));
    REQUIRE(archive);
    return *archive;
}

Error refused(const std::string& bytes) {
    const auto archive = read_safetensors(bytes, "f");
    REQUIRE_FALSE(archive);
    CHECK(describe(archive.error()).find('f') == 0);
    return archive.error();
}

void refused_for(const std::string& bytes, ErrorKind kind, const std::string& reason) {
    const Error error = refused(bytes);
    INFO(describe(error));
    CHECK(error.kind == kind);
    CHECK(describe(error).find(reason) != std::string::npos);
}

/// One tensor "a" of 2 floats, with its fields replaced.
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets,
                std::size_t data_bytes) {
    return file_of(R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" +
                       offsets + "}}",
                   std::string(data_bytes, '\1'));
}

Archive sample() {
    Archive archive;
    archive.arrays["encoder.layers.0.norm1.weight"] = {{3}, {1.5f, -0.0f, 3.25f}};
    archive.arrays["a"] = {{2, 2}, {1, 2, 3, 4}};
    archive.arrays["scalar"] = {{}, {7}};
    archive.arrays["empty"] = {{0, 4}, {}};
    archive.strings["source_tokens"] = {"我", "\"ate\"", ""};
    archive.metadata["config"] = R"({"d_model": 8})";
    return archive;
}

} // namespace

TEST_CASE("a written archive is read back whole") {
    const Archive before = sample();
    const std::string bytes = write_safetensors(before);
    const Archive after = accepted(bytes);
    REQUIRE(after.arrays.size() == before.arrays.size());
    for (const auto& [name, array] : before.arrays) {
        CHECK(after.arrays.at(name).shape == array.shape);
        CHECK(after.arrays.at(name).values == array.values);
    }
    CHECK(std::signbit(after.arrays.at("encoder.layers.0.norm1.weight").values[1]));
    CHECK(after.strings == before.strings);
    CHECK(after.metadata == before.metadata);
    CHECK(write_safetensors(after) == bytes);
}

TEST_CASE("the written header is padded so that data lies at a multiple of 8") {
    for (const char* name : {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"}) {
        Archive archive;
        archive.arrays[name] = {{1}, {1}};
        CHECK((write_safetensors(archive).size() - 4) % 8 == 0);
    }
    CHECK(write_safetensors({}) == file_of("{}      ", ""));
}

TEST_CASE("an array whose values do not fill its shape is a programmer's error") {
    Archive archive;
    archive.arrays["a"] = {{2, 3}, {1, 2, 3}};
    CHECK_THROWS_AS(write_safetensors(archive), heed::base::ContractError);
}

TEST_CASE("every truncated prefix of a safetensors file is refused") {
    const std::string bytes = write_safetensors(sample());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        INFO(length);
        REQUIRE_FALSE(read_safetensors(bytes.substr(0, length), "f"));
    }
    REQUIRE_FALSE(read_safetensors(bytes + "x", "f"));
}

TEST_CASE("a header length beyond the file is refused, however large") {
    refused_for("", ErrorKind::malformed, "at least 8");
    refused_for(std::string(7, '\1'), ErrorKind::malformed, "at least 8");
    refused_for(std::string(8, '\xFF') + "{}", ErrorKind::malformed, "header");
    refused_for(std::string("\3\0\0\0\0\0\0\0{}", 10), ErrorKind::malformed, "header");
    refused_for(file_of("{" + std::string(17u << 20, ' ') + "}", ""), ErrorKind::out_of_range,
                "header");
}

TEST_CASE("a header that is no JSON object is refused") {
    refused_for(file_of("", ""), ErrorKind::malformed, "not a JSON object");
    refused_for(file_of(" {}", ""), ErrorKind::malformed, "not a JSON object");
    refused_for(file_of("[]", ""), ErrorKind::malformed, "not a JSON object");
    refused_for(file_of("{\"a\xFF\":1}", ""), ErrorKind::malformed, "UTF-8");
    refused_for(file_of("{\"a\":}", ""), ErrorKind::malformed, "line 1, column 6");
    refused_for(file_of("{} {}", ""), ErrorKind::malformed, "not JSON");
    refused_for(file_of(std::string("{}\0{}", 5), ""), ErrorKind::malformed, "zero byte");
    CHECK(accepted(file_of("{}", "")).arrays.empty());
    CHECK(accepted(file_of("{}    ", "")).arrays.empty());
}

TEST_CASE("a name that stands twice is refused") {
    const std::string entry = R"("a":{"dtype":"F32","shape":[],"data_offsets":[0,4]})";
    CHECK(accepted(file_of("{" + entry + "}", floats({1}))).arrays.size() == 1);
    refused_for(file_of("{" + entry + "," + entry + "}", floats({1})), ErrorKind::malformed,
                "twice");
    refused_for(file_of(R"({"a":{"dtype":"F32","dtype":"F32","shape":[],"data_offsets":[0,4]}})",
                        floats({1})),
                ErrorKind::malformed, "twice");
    refused_for(file_of(R"({"__metadata__":{},"__metadata__":{}})", ""), ErrorKind::malformed,
                "twice");
}

TEST_CASE("every field of a tensor must be there and of its kind") {
    CHECK(accepted(one(R"("F32")", "[2]", "[0,8]", 8)).arrays.at("a").values.size() == 2);
    refused_for(file_of(R"({"a":[]})", ""), ErrorKind::malformed, "\"a\": expected an object");
    refused_for(file_of(R"({"a":{"shape":[],"data_offsets":[0,4]}})", floats({1})),
                ErrorKind::malformed, "dtype");
    refused_for(file_of(R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", floats({1})),
                ErrorKind::malformed, "shape");
    refused_for(file_of(R"({"a":{"dtype":"F32","shape":[]}})", floats({1})), ErrorKind::malformed,
                "data_offsets");
    refused_for(one("3", "[2]", "[0,8]", 8), ErrorKind::malformed, "dtype");
    refused_for(one(R"("F32")", "2", "[0,8]", 8), ErrorKind::malformed, "shape");
    refused_for(one(R"("F32")", "[2.0]", "[0,8]", 8), ErrorKind::malformed, "shape");
    refused_for(one(R"("F32")", "[-2]", "[0,8]", 8), ErrorKind::out_of_range, "shape");
    refused_for(one(R"("F32")", "[\"2\"]", "[0,8]", 8), ErrorKind::malformed, "shape");
    refused_for(one(R"("F32")", "[9223372036854775808]", "[0,8]", 8), ErrorKind::out_of_range,
                "shape");
    refused_for(one(R"("F32")", "[2]", "8", 8), ErrorKind::malformed, "data_offsets");
    refused_for(one(R"("F32")", "[2]", "[0]", 8), ErrorKind::malformed, "data_offsets");
    refused_for(one(R"("F32")", "[2]", "[0,8,8]", 8), ErrorKind::malformed, "data_offsets");
    refused_for(one(R"("F32")", "[2]", "[0,8.0]", 8), ErrorKind::malformed, "data_offsets");
    refused_for(one(R"("F32")", "[2]", "[-1,7]", 8), ErrorKind::out_of_range, "data_offsets");
    refused_for(one(R"("F32")", "[2]", "[0,18446744073709551616]", 8), ErrorKind::malformed,
                "data_offsets");
}

TEST_CASE("metadata maps strings to strings and nothing else") {
    CHECK(accepted(file_of(R"({"__metadata__":{"k":"v"}})", "")).metadata.at("k") == "v");
    refused_for(file_of(R"({"__metadata__":{"k":1}})", ""), ErrorKind::malformed, "\"k\"");
    refused_for(file_of(R"({"__metadata__":{"k":null}})", ""), ErrorKind::malformed, "\"k\"");
    refused_for(file_of(R"({"__metadata__":["k"]})", ""), ErrorKind::malformed, "__metadata__");
}

TEST_CASE("metadata in our own spelling of a list comes back as a list, any other text as text") {
    const auto archive = accepted(file_of(
        R"({"__metadata__":{"a":"[\"x\",\"y\"]","b":"[\"x\", \"y\"]","c":"[1]","d":"[","e":"[]"}})",
        ""));
    CHECK(archive.strings.at("a") == std::vector<std::string>{"x", "y"});
    CHECK(archive.strings.at("e").empty());
    CHECK(archive.metadata.at("b") == R"(["x", "y"])");
    CHECK(archive.metadata.at("c") == "[1]");
    CHECK(archive.metadata.at("d") == "[");
}

TEST_CASE("tensors fill the data without holes, overlaps or rests") {
    const auto two = [](const char* first, const char* second, std::size_t bytes) {
        return file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)" + std::string(first) +
                           R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}",
                       std::string(bytes, '\1'));
    };
    CHECK(accepted(two("[0,4]", "[4,8]", 8)).arrays.size() == 2);
    CHECK(accepted(two("[4,8]", "[0,4]", 8)).arrays.size() == 2); // in any order
    refused_for(two("[0,4]", "[0,4]", 4), ErrorKind::malformed, "lies at");
    refused_for(two("[0,4]", "[2,6]", 8), ErrorKind::malformed, "lies at");
    refused_for(two("[0,4]", "[5,9]", 9), ErrorKind::malformed, "lies at");
    refused_for(two("[1,5]", "[5,9]", 9), ErrorKind::malformed, "lies at");
    refused_for(two("[0,4]", "[4,8]", 7), ErrorKind::malformed, "was cut");
    refused_for(two("[0,4]", "[4,8]", 9), ErrorKind::malformed, "bytes are left");
    refused_for(one(R"("F32")", "[2]", "[8,0]", 8), ErrorKind::malformed, "lies at");
    refused_for(file_of("{}", "x"), ErrorKind::malformed, "bytes are left");
}

TEST_CASE("a shape that does not fit its data is refused") {
    refused_for(one(R"("F32")", "[3]", "[0,8]", 8), ErrorKind::mismatch, "12 bytes");
    refused_for(one(R"("F32")", "[1]", "[0,8]", 8), ErrorKind::mismatch, "4 bytes");
    refused_for(one(R"("F16")", "[2]", "[0,8]", 8), ErrorKind::mismatch, "4 bytes");
    refused_for(one(R"("F32")", "[0]", "[0,8]", 8), ErrorKind::mismatch, "0 bytes");
}

TEST_CASE("a shape whose size overflows is refused before anything is allocated") {
    refused_for(one(R"("F32")", "[4294967296,4294967296]", "[0,0]", 0), ErrorKind::out_of_range,
                "overflows");
    refused_for(one(R"("F32")", "[4611686018427387904]", "[0,0]", 0), ErrorKind::out_of_range,
                "overflows");
    refused_for(one(R"("F32")", "[4611686018427387904,4611686018427387904,0]", "[0,0]", 0),
                ErrorKind::out_of_range, "overflows");
}

TEST_CASE("a small file cannot ask for terabytes by overlapping tensors") {
    std::string header = "{";
    for (int i = 0; i < 20000; ++i) {
        header += (i ? ",\"" : "\"") + std::to_string(i) +
                  R"(":{"dtype":"F32","shape":[1024],"data_offsets":[0,4096]})";
    }
    refused_for(file_of(header + "}", std::string(4096, '\0')), ErrorKind::malformed, "lies at");
}

TEST_CASE("deep nesting is refused") {
    refused_for(file_of(R"({"a":)" + std::string(100000, '[') + "}", ""), ErrorKind::out_of_range,
                "nested");
}

TEST_CASE("a type that is not read is named, and one that does not exist too") {
    refused_for(one(R"("I8")", "[8]", "[0,8]", 8), ErrorKind::unsupported, "I8");
    refused_for(one(R"("F8_E4M3")", "[8]", "[0,8]", 8), ErrorKind::unsupported, "F8_E4M3");
    refused_for(one(R"("U64")", "[1]", "[0,8]", 8), ErrorKind::unsupported, "U64");
    refused_for(one(R"("f32")", "[2]", "[0,8]", 8), ErrorKind::malformed, "f32");
}

TEST_CASE("every type that is read becomes the float nearest to it") {
    const auto values = [](const char* dtype, const char* shape, std::string data) {
        return accepted(file_of(R"({"a":{"dtype":")" + std::string(dtype) + R"(","shape":[)" +
                                    shape + R"(],"data_offsets":[0,)" +
                                    std::to_string(data.size()) + "]}}",
                                data))
            .arrays.at("a")
            .values;
    };
    const auto raw = [](auto... numbers) {
        std::string bytes;
        ((bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers)), ...);
        return bytes;
    };
    using Floats = std::vector<float>;
    CHECK(values("F32", "2", raw(1.5f, -2.0f)) == Floats{1.5f, -2.0f});
    CHECK(values("F64", "2", raw(0.1, -2.0)) == Floats{0.1f, -2.0f});
    CHECK(values("I64", "2", raw(std::int64_t{-3}, std::int64_t{1} << 40)) ==
          Floats{-3.0f, 1099511627776.0f});
    CHECK(values("I32", "1", raw(std::int32_t{-7})) == Floats{-7.0f});
    CHECK(values("U8", "2", raw(std::uint8_t{0}, std::uint8_t{255})) == Floats{0.0f, 255.0f});
    CHECK(values("BOOL", "3", raw(std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2})) ==
          Floats{0, 1, 1});
    CHECK(values("BF16", "2", raw(std::uint16_t{0x3F80}, std::uint16_t{0xC049})) ==
          Floats{1.0f, -3.140625f});
    // binary16: one, the largest, the smallest subnormal, the largest subnormal, −2, infinity
    CHECK(values("F16", "6",
                 raw(std::uint16_t{0x3C00}, std::uint16_t{0x7BFF}, std::uint16_t{0x0001},
                     std::uint16_t{0x03FF}, std::uint16_t{0xC000}, std::uint16_t{0x7C00})) ==
          Floats{1.0f, 65504.0f, 0x1p-24f, 0x1.FF8p-15f, -2.0f,
                 std::numeric_limits<float>::infinity()});
    CHECK(std::isnan(values("F16", "1", raw(std::uint16_t{0x7E01}))[0]));
}

TEST_CASE("numbers that are not finite are kept, and counted") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    Archive archive;
    archive.arrays["a"] = {{4}, {1, nan, -infinity, nan}};
    const Array array = accepted(write_safetensors(archive)).arrays.at("a");
    CHECK(std::isnan(array.values[1]));
    CHECK(array.values[2] == -infinity);
    CHECK(count_not_finite(array) == 3);
}

TEST_CASE("data that lies at odd addresses is read") {
    const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                               R"("b":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}})";
    CHECK(accepted(file_of(header, "\7" + floats({1.5f, 2.5f}))).arrays.at("b").values ==
          std::vector<float>{1.5f, 2.5f});
}
