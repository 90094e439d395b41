// What readers take in memory for files that were made to take much.
#include "catch.hpp"
#include "counted_memory.hpp"
#include "tensors/named.hpp"
#include "tensors/npy.hpp"
#include "tensors/zip_of.hpp"

#include <string>
#include <vector>

using namespace heed::tensors;
using heed::base::ErrorKind;

namespace {

using heed::test::memory_of;

constexpr std::size_t kSome = 64 << 10; // errors, streams, a header

std::string repeated(const std::string& piece, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += piece;
    return text;
}

std::string safetensors_of(const std::string& header, const std::string& data = "") {
    const std::uint64_t length = header.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

std::string npy_of(const char* descr, bool fortran, std::vector<std::int64_t> shape,
                   const std::string& data) {
    std::string npy = npy_header(descr, shape);
    const auto order = npy.find("False");
    if (fortran) npy.replace(order, 5, "True ");
    return npy + data;
}

} // namespace

TEST_CASE("no safetensors file takes more memory than is stated for its size") {
    constexpr std::size_t kSize = 200'000;
    const std::string metadata = repeated(R"(\"\",)", kSize) + R"(\"\")";
    std::string tensors, texts;
    for (int i = 0; i < 4000; ++i) {
        const std::string name = (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":";
        tensors += name + R"({"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
        texts += name + R"("")";
    }
    const auto one = [](const std::string& dtype, const std::string& shape, std::size_t bytes) {
        return R"({"a":{"dtype":")" + dtype + R"(","shape":[)" + shape + R"(],"data_offsets":[0,)" +
               std::to_string(bytes) + "]}}";
    };
    const std::string data(kSize, '\1');
    const struct {
        const char* what;
        std::string file;
        bool accepted;
    } kHostile[] = {
        {"one byte a number", safetensors_of(one("U8", "200000", kSize), data), true},
        {"truths", safetensors_of(one("BOOL", "200000", kSize), data), true},
        {"halves", safetensors_of(one("F16", "100000", kSize), data), true},
        {"empty tensors", safetensors_of("{" + tensors + "}"), true},
        {"empty texts", safetensors_of(R"({"__metadata__":{)" + texts + "}}"), true},
        {"a list of empty strings",
         safetensors_of(R"({"__metadata__":{"a":"[)" + metadata + R"(]"}})"), true},
        {"a list that is none",
         safetensors_of(R"({"__metadata__":{"a":"[)" + metadata + R"(,1]"}})"), true},
        {"a shape of many axes", safetensors_of(one("U8", repeated("0,", kSize) + "0", 0)), true},
        {"numbers", safetensors_of(R"({"a":[)" + repeated("0,", kSize) + "0]}"), false},
        {"empty lists", safetensors_of(R"({"a":[)" + repeated("[],", kSize) + "0]}"), false},
        {"lists of one", safetensors_of(R"({"a":[)" + repeated("[0],", kSize) + "0]}"), false},
        {"empty objects", safetensors_of(R"({"a":[)" + repeated("{},", kSize) + "0]}"), false},
        {"objects of one", safetensors_of(R"({"a":[)" + repeated(R"({"":0},)", kSize) + "0]}"),
         false},
        {"empty strings", safetensors_of(R"({"a":[)" + repeated(R"("",)", kSize) + "0]}"), false},
    };
    for (const auto& [what, file, accepted] : kHostile) {
        bool read = false;
        const auto memory = memory_of([&] { read = read_safetensors(file, "f").has_value(); });
        INFO(what << ": " << memory / file.size() << " bytes for each of " << file.size());
        CHECK(read == accepted);
        CHECK(memory < kMemoryPerByte * file.size());
    }
    for (int i = 0; i < 2; ++i) { // arrays alone: a float for a byte
        const std::string& file = kHostile[i].file;
        CHECK(memory_of([&] { static_cast<void>(read_safetensors(file, "f")); }) <
              4 * file.size() + kSome);
    }
}

TEST_CASE("no npy or npz takes more memory than is stated for what it is unpacked to") {
    const std::string data(200'000, '\1');
    const struct {
        const char* what;
        std::string npy;
        std::size_t most; // for each byte
    } kHostile[] = {
        {"one byte a number", npy_of("|u1", false, {200'000}, data), 4},
        {"truths in Fortran's order", npy_of("|b1", true, {2, 100'000}, data), 8},
        {"texts of one character", npy_of("<U1", false, {50'000}, std::string(200'000, 0)), 8},
        {"texts of four", npy_of("<U4", false, {12'500}, data), 8},
    };
    for (const auto& [what, npy, most] : kHostile) {
        INFO(what);
        const auto parsed = parse_npy(npy, "f");
        REQUIRE(parsed);
        const auto memory = memory_of([&] {
            if (parsed->is_text) {
                npy_strings(*parsed);
            } else {
                npy_numbers(*parsed);
            }
        });
        CHECK(memory < most * npy.size() + kSome);
        for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
            const std::string npz = zip_of({{"a.npy", npy}}, method);
            bool read = false;
            const auto inflated = memory_of([&] { read = read_npz(npz, "f").has_value(); });
            CHECK(read);
            CHECK(inflated < (most + 1) * npy.size() + kSome);
        }
    }
}

TEST_CASE("metadata of an npz that would become much as JSON are refused before they do") {
    std::string characters;
    for (const char c : "[" + repeated("[],", 300'000) + "0]") characters += {c, 0, 0, 0};
    const std::string npy =
        npy_of(("<U" + std::to_string(characters.size() / 4)).c_str(), false, {}, characters);
    const std::string bomb = zip_of({{"metadata.npy", npy}}, ZIP_CM_DEFLATE);
    CHECK(bomb.size() < 10'000);
    constexpr std::uint64_t kMost = 3'000'000;
    const auto memory = memory_of([&] {
        const auto read = read_npz(bomb, "f", kMost);
        REQUIRE_FALSE(read);
        CHECK(read.error().kind == ErrorKind::out_of_range);
    });
    CHECK(memory < 3 * kMost);
    CHECK(read_npz(bomb, "f")); // text that is no metadata of ours
}

TEST_CASE("a small npz that would become much is refused before it does") {
    const std::string zeros(1'000'000, '\0');
    const std::string numbers = npy_of("|u1", false, {1'000'000}, zeros);
    const std::string texts = npy_of("<U1", false, {250'000}, zeros);
    for (const std::string& npy : {numbers, texts}) {
        const std::string bomb = zip_of({{"a.npy", npy}}, ZIP_CM_DEFLATE);
        CHECK(bomb.size() < 5000);
        CHECK(read_npz(bomb, "f", 12'000'000));
        const auto memory = memory_of([&] {
            const auto read = read_npz(bomb, "f", 1'500'000);
            REQUIRE_FALSE(read);
            CHECK(read.error().kind == ErrorKind::out_of_range);
            CHECK(read.error().message.find("above the 1500000 bytes") != std::string::npos);
        });
        CHECK(memory < npy.size() + kSome);
        // Two of which each alone has room.
        const std::string two = zip_of({{"a.npy", npy}, {"b.npy", npy}}, ZIP_CM_DEFLATE);
        const std::uint64_t room = npy == numbers ? 5'000'000 : 11'000'000;
        CHECK(read_npz(bomb, "f", room));
        CHECK_FALSE(read_npz(two, "f", room));
    }
}

TEST_CASE("the worst header of a safetensors file takes less than 100 MB") {
    constexpr std::size_t kHeader = (16 << 20) - 64;
    std::string tensors, short_texts;
    for (int i = 0; tensors.size() < kHeader - 64; ++i) {
        tensors += (i > 0 ? ",\"" : "\"") + std::to_string(i) +
                   R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    }
    for (int i = 0; short_texts.size() < kHeader - 64; ++i) {
        short_texts += (i > 0 ? ",\"" : "\"") + std::to_string(i) + R"(":"")";
    }
    const auto metadata = [](const std::string& text) {
        return R"({"__metadata__":{"a":")" + text + R"("}})";
    };
    const struct {
        const char* what;
        std::string header;
        const char* refusal; // null: accepted
    } kHostile[] = {
        {"empty tensors", "{" + tensors + "}", "has more than 100000 tensors"},
        {"empty texts", R"({"__metadata__":{)" + short_texts + "}}",
         "\"__metadata__\" has more than 262144 values"},
        {"empty lists", R"({"a":[)" + repeated("[],", kHeader) + "0]}",
         "\"a\" has more than 262144 values"},
        {"axes", R"({"a":{"dtype":"U8","shape":[)" + repeated("0,", kHeader) + "0]}}",
         "\"a\" has more than 262144 values"},
        {"a list of empty strings", metadata("[" + repeated(R"(\"\",)", kHeader) + R"(\"\"])"),
         nullptr},
        {"one text", metadata(std::string(kHeader, 'x')), nullptr},
    };
    for (const auto& [what, header, refusal] : kHostile) {
        INFO(what);
        const std::string file = safetensors_of(header.substr(0, 16 << 20));
        std::string found;
        const auto memory = memory_of([&] {
            const auto read = read_safetensors(file, "f");
            if (!read) found = describe(read.error());
        });
        INFO(memory << " bytes; " << found.substr(0, 100));
        CHECK(memory + file.size() < 100'000'000);
        CHECK((refusal ? found.find(refusal) != std::string::npos : found.empty()));
    }
}
