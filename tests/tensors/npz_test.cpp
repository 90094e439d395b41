#include "tensors/named.hpp"

#include "catch.hpp"
#include "tensors/zip_of.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>

using namespace heed::tensors;
using heed::base::ErrorKind;

namespace {

Archive npz_sample() {
    Archive archive;
    archive.arrays["encoder.layers.0.self_attn.weights"] = {{2, 1, 2}, {0.25f, 0.75f, 1, 0}};
    archive.arrays["scalar"] = {{}, {7}};
    archive.arrays["empty"] = {{0, 4}, {}};
    archive.strings["source_tokens"] = {"我", "s'est", "👨‍👩‍👧‍👦", ""};
    archive.strings["none"] = {};
    archive.metadata["config"] = R"({"d_model": 8})";
    archive.metadata["model"] = "我";
    return archive;
}

Archive npz_accepted(const std::string& bytes) {
    auto archive = read_npz(bytes, "f");
    INFO((archive ? std::string() : describe(archive.error())));
    REQUIRE(archive);
    return *archive;
}

void npz_refused_for(const std::string& bytes, ErrorKind kind, const std::string& reason,
                     std::uint64_t max_bytes = kMaxNpzBytes) {
    const auto archive = read_npz(bytes, "f", max_bytes);
    REQUIRE_FALSE(archive);
    INFO(describe(archive.error()));
    CHECK(archive.error().kind == kind);
    CHECK(describe(archive.error()).find("f: ") == 0);
    CHECK(describe(archive.error()).find(reason) != std::string::npos);
}

/// Replaces every occurrence: a zip names each member's sizes in two places.
std::string replaced(std::string bytes, const std::string& from, const std::string& to) {
    int times = 0;
    for (auto at = bytes.find(from); at != std::string::npos;
         at = bytes.find(from, at + to.size())) {
        bytes.replace(at, from.size(), to);
        ++times;
    }
    REQUIRE(times > 0);
    return bytes;
}

} // namespace

TEST_CASE("a written npz is read back whole") {
    const Archive before = npz_sample();
    const std::string bytes = *write_npz(before);
    const Archive after = npz_accepted(bytes);
    REQUIRE(after.arrays.size() == before.arrays.size());
    for (const auto& [name, array] : before.arrays) {
        CHECK(after.arrays.at(name).shape == array.shape);
        CHECK(after.arrays.at(name).values == array.values);
    }
    CHECK(after.strings == before.strings);
    CHECK(after.metadata == before.metadata);
    CHECK(*write_npz(after) == bytes);
    CHECK(npz_accepted(*write_npz({})).arrays.empty());
}

TEST_CASE("the same archive gives the same bytes, wherever and whenever it is written") {
    const std::string here = *write_npz(npz_sample());
    const char* old = std::getenv("TZ");
    const std::string kept = old ? old : "";
    for (const char* zone : {"Asia/Shanghai", "America/Los_Angeles", "UTC"}) {
        setenv("TZ", zone, 1);
        tzset();
        CHECK(*write_npz(npz_sample()) == here);
    }
    if (old) {
        setenv("TZ", kept.c_str(), 1);
    } else {
        unsetenv("TZ");
    }
    tzset();
}

TEST_CASE("one name for two things is refused by the writer") {
    Archive archive = npz_sample();
    archive.strings["scalar"] = {"x"};
    CHECK(write_npz(archive).error().kind == ErrorKind::mismatch);
    archive = npz_sample();
    archive.arrays["metadata"] = {{}, {1}};
    CHECK(write_npz(archive).error().subject == "metadata");
}

TEST_CASE("a list that one long string would blow up is refused by the writer") {
    Archive archive;
    archive.strings["t"] = std::vector<std::string>(2000, "a");
    archive.strings["t"][7] = std::string(100000, 'b');
    CHECK(write_npz(archive).error().kind == ErrorKind::out_of_range);
}

TEST_CASE("every truncated prefix of an npz is refused") {
    const std::string bytes = *write_npz(npz_sample());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        INFO(length);
        REQUIRE_FALSE(read_npz(bytes.substr(0, length), "f"));
    }
    npz_refused_for("", ErrorKind::malformed, "zip");
    npz_refused_for("PK\3\4", ErrorKind::malformed, "zip");
}

TEST_CASE("a changed byte of data is noticed") {
    const std::string bytes = *write_npz(npz_sample());
    std::string changed = bytes;
    const float before = 0.75f;
    const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&before), 4));
    REQUIRE(at != std::string::npos);
    changed[at] = static_cast<char>(changed[at] ^ 1);
    npz_refused_for(changed, ErrorKind::malformed, "self_attn.weights");
}

TEST_CASE("stored and deflated members are read, other files are ignored") {
    const std::string npy = write_npy({{2}, {1, 2}});
    for (const int method : {ZIP_CM_STORE, ZIP_CM_DEFLATE}) {
        const Archive archive = npz_accepted(
            zip_of({{"a.npy", npy}, {"folder/", ""}, {"notes.txt", "x"}, {"b.npy", npy}}, method));
        CHECK(archive.arrays.size() == 2);
        CHECK(archive.arrays.at("b").values == std::vector<float>{1, 2});
    }
}

TEST_CASE("a member that is no npy is named") {
    npz_refused_for(zip_of({{"a.npy", "x"}}, ZIP_CM_STORE), ErrorKind::malformed, "\"a\"");
    const std::string object = replaced(write_npy({{1}, {1}}), "'<f4'", "'|O' ");
    npz_refused_for(zip_of({{"a.npy", object}}, ZIP_CM_STORE), ErrorKind::unsupported, "pickle");
}

TEST_CASE("an archive that would unpack to more than is allowed is refused") {
    const std::string zeros = write_npy({{250000}, std::vector<float>(250000)});
    const std::string bomb = zip_of({{"a.npy", zeros}, {"b.npy", zeros}}, ZIP_CM_DEFLATE);
    CHECK(bomb.size() < 5000);
    CHECK(npz_accepted(bomb).arrays.size() == 2);
    npz_refused_for(bomb, ErrorKind::out_of_range, "1500000", 1500000);
}

TEST_CASE("a member that lies about its size is refused before it is unpacked") {
    const std::string npy = write_npy({{2}, {1, 2}});
    const auto size = [](std::uint32_t value) {
        return std::string(reinterpret_cast<const char*>(&value), 4);
    };
    const auto length = static_cast<std::uint32_t>(npy.size());
    // Stored: packed and unpacked size stand side by side.
    npz_refused_for(replaced(zip_of({{"a.npy", npy}}, ZIP_CM_STORE), size(length) + size(length),
                             size(length) + size(1u << 30)),
                    ErrorKind::malformed, "");
    npz_refused_for(
        replaced(zip_of({{"a.npy", npy}}, ZIP_CM_DEFLATE), size(length), size(1u << 30)),
        ErrorKind::malformed, "says that");
    npz_refused_for(
        replaced(zip_of({{"a.npy", npy}}, ZIP_CM_DEFLATE), size(length), size(length + 1)),
        ErrorKind::malformed, "");
    // Both sizes agree, on more than the file holds.
    npz_refused_for(replaced(zip_of({{"a.npy", npy}}, ZIP_CM_STORE), size(length) + size(length),
                             size(1u << 30) + size(1u << 30)),
                    ErrorKind::malformed, "of an archive of");
}

TEST_CASE("a member that stands twice is refused") {
    const std::string npy = write_npy({{2}, {1, 2}});
    npz_refused_for(
        replaced(zip_of({{"a.npy", npy}, {"b.npy", npy}}, ZIP_CM_STORE), "b.npy", "a.npy"),
        ErrorKind::malformed, "twice");
}

TEST_CASE("text that is not our metadata stays text") {
    Archive archive;
    archive.strings["metadata"] = {"not json"};
    CHECK(npz_accepted(*write_npz(archive)).strings.at("metadata").at(0) == "not json");
}

TEST_CASE("JSON carries shapes, values, texts and metadata") {
    Archive archive;
    archive.arrays["a"] = {{2, 2}, {1, -0.5f, 0.1f, 3e20f}};
    archive.arrays["b"] = {{}, {std::numeric_limits<float>::quiet_NaN()}};
    archive.arrays["c"] = {
        {2}, {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()}};
    archive.strings["source_tokens"] = {"我", "\"\n"};
    archive.metadata["model"] = "base";
    CHECK(write_json(archive) ==
          R"({"arrays":{"a":{"shape":[2,2],"values":[1,-0.5,0.1,3e+20]},)"
          R"("b":{"shape":[],"values":[null]},"c":{"shape":[2],"values":[null,null]}},)"
          R"("source_tokens":["我","\"\n"],"model":"base"})");
    CHECK(write_json({}) == R"({"arrays":{}})");
}

TEST_CASE("floats in JSON read back to the same float with the fewest digits") {
    for (const float value : {0.1f, 1.0f / 3, 16777216.0f, 1e-45f, 3.4028235e38f, -7.25f}) {
        Archive archive;
        archive.arrays["a"] = {{}, {value}};
        const std::string text = write_json(archive);
        const auto at = text.find("values\":[") + 9;
        CHECK(std::strtof(text.c_str() + at, nullptr) == value);
        CHECK(text.find(']', at) - at <= 14);
    }
}
