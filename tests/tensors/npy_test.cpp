#include "base/check.hpp"
#include "tensors/named.hpp"
#include "tensors/npy.hpp"

#include "catch.hpp"

#include <cstring>
#include <string>

using namespace heed::tensors;
using heed::base::ErrorKind;
using Values = std::vector<float>;

namespace {

std::string npy_file(const std::string& dict, const std::string& data, int major = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(major);
    bytes += '\0';
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
        bytes += static_cast<char>((dict.size() >> (8 * i)) & 0xFF);
    }
    return bytes + dict + data;
}

template <class... Numbers> std::string raw(Numbers... numbers) {
    std::string bytes;
    ((bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers)), ...);
    return bytes;
}

std::string dict(const std::string& descr, const std::string& shape,
                 const std::string& order = "False") {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

Values values(const std::string& bytes) {
    const auto array = read_npy(bytes, "f");
    INFO((array ? std::string() : describe(array.error())));
    REQUIRE(array);
    return array->values;
}

void npy_refused_for(const std::string& bytes, ErrorKind kind, const std::string& reason) {
    const auto array = read_npy(bytes, "f");
    REQUIRE_FALSE(array);
    INFO(describe(array.error()));
    CHECK(array.error().kind == kind);
    CHECK(describe(array.error()).find("f: ") == 0);
    CHECK(describe(array.error()).find(reason) != std::string::npos);
}

/// A header with one thing wrong, and 8 bytes of data.
void bad_header(const std::string& text, ErrorKind kind, const std::string& reason) {
    npy_refused_for(npy_file(text, std::string(8, '\0')), kind, reason);
}

} // namespace

TEST_CASE("a written npy is the file that NumPy writes") {
    const std::string expected = npy_file(
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') + "\n",
        raw(1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.5f));
    CHECK(write_npy({{2, 3}, {1, 2, 3, 4, 5, 6.5f}}) == expected);
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
        CHECK((write_npy({shape, {1}}).size() - 4) % 64 == 0);
    }
}

TEST_CASE("a written npy is read back whole") {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{6}, {2, 3}, {1, 6, 1}, {3, 2}}) {
        const Array before{shape, {1, -2, 3.5f, 0, 5, 6}};
        const auto after = read_npy(write_npy(before), "f");
        REQUIRE(after);
        CHECK(after->shape == before.shape);
        CHECK(after->values == before.values);
    }
    CHECK(values(write_npy({{}, {7}})) == Values{7});
    CHECK(read_npy(write_npy({{0, 5}, {}}), "f")->shape == std::vector<std::int64_t>{0, 5});
    CHECK_THROWS_AS(write_npy({{2}, {1}}), heed::base::ContractError);
}

TEST_CASE("every truncated prefix of an npy is refused") {
    const std::string bytes = write_npy({{2, 3}, {1, 2, 3, 4, 5, 6}});
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        INFO(length);
        REQUIRE_FALSE(read_npy(bytes.substr(0, length), "f"));
    }
    npy_refused_for(bytes + "x", ErrorKind::mismatch, "24 bytes");
}

TEST_CASE("versions 1, 2 and 3 are read, others are named") {
    for (const int major : {1, 2, 3}) {
        CHECK(values(npy_file(dict("'<f4'", "(2,)"), raw(1.0f, 2.0f), major)) == Values{1, 2});
    }
    npy_refused_for(npy_file(dict("'<f4'", "(2,)"), raw(1.0f, 2.0f), 4), ErrorKind::unsupported,
                    "4.0");
    npy_refused_for("\x93NUMPX\1", ErrorKind::malformed, ".npy");
    npy_refused_for(npy_file(std::string(70000, ' '), "", 2), ErrorKind::out_of_range, "70000");
}

TEST_CASE("the keys of the header come in any order and spelling") {
    CHECK(values(npy_file("{\"shape\":(2,),\"descr\":\"<f4\",\"fortran_order\":False}",
                          raw(1.0f, 2.0f))) == Values{1, 2});
    CHECK(values(npy_file(" { 'fortran_order' : False , 'shape' : ( 2 , ) , 'descr' : '<f4' } ",
                          raw(1.0f, 2.0f))) == Values{1, 2});
}

TEST_CASE("a header that is not such a dict is refused") {
    bad_header("", ErrorKind::malformed, "dict");
    bad_header("[]", ErrorKind::malformed, "dict");
    bad_header("{}", ErrorKind::malformed, "lacks");
    bad_header("{'descr': '<f4', 'shape': (2,), }", ErrorKind::malformed, "lacks");
    bad_header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
               ErrorKind::malformed, "twice");
    bad_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
               ErrorKind::malformed, "\"x\"");
    bad_header(dict("'<f4'", "(2,)") + "x", ErrorKind::malformed, "goes on");
    bad_header(dict("'<f4'", "(2,)", "0"), ErrorKind::malformed, "fortran_order");
    bad_header(dict("'<f4'", "(2,) + (1,)"), ErrorKind::malformed, "after a value");
    for (const char* shape : {"2", "(2)", "[2]", "(-2,)", "(2.0,)", "(,)", "(2,,)", "(1 2)", "(",
                              "(99999999999999999999,)", "(2L,)", "('2',)"}) {
        INFO(shape);
        bad_header(dict("'<f4'", shape), ErrorKind::malformed, "");
    }
    for (const char* descr : {"<f4", "4", "None", "'\\x3cf4'"}) {
        INFO(descr);
        bad_header(dict(descr, "(2,)"), ErrorKind::malformed, "");
    }
}

TEST_CASE("types that are not read are refused with the way out") {
    bad_header(dict("'|O'", "(1,)"), ErrorKind::unsupported, "pickle");
    bad_header(dict("'>f4'", "(2,)"), ErrorKind::unsupported, "big-endian");
    bad_header(dict("[('a', '<f4'), ('b', '<f4')]", "(1,)"), ErrorKind::unsupported, "records");
    bad_header(dict("'<c8'", "(1,)"), ErrorKind::unsupported, "<c8");
    bad_header(dict("'<U2'", "(1,)"), ErrorKind::unsupported, "text");
    bad_header(dict("'<U0'", "(99999999999,)"), ErrorKind::out_of_range, "width");
    bad_header(dict("'<U99999999999'", "(1,)"), ErrorKind::out_of_range, "width");
    bad_header(dict("'<U-1'", "(1,)"), ErrorKind::malformed, "width");
    bad_header(dict("'<U'", "(1,)"), ErrorKind::out_of_range, "width");
}

TEST_CASE("a shape that does not fit the data is refused before anything is allocated") {
    bad_header(dict("'<f4'", "(3,)"), ErrorKind::mismatch, "12 bytes");
    bad_header(dict("'<f4'", "(1,)"), ErrorKind::mismatch, "4 bytes");
    bad_header(dict("'<f4'", "(4611686018427387904,)"), ErrorKind::out_of_range, "overflows");
    bad_header(dict("'<f4'", "(4294967296, 4294967296)"), ErrorKind::out_of_range, "overflows");
    std::string many = "(";
    for (int i = 0; i < 40; ++i) many += "1,";
    bad_header(dict("'<f8'", many + ")"), ErrorKind::out_of_range, "40 axes");
}

TEST_CASE("every type of npy becomes the float nearest to it") {
    CHECK(values(npy_file(dict("'<f8'", "(2,)"), raw(0.1, -2.0))) == Values{0.1f, -2.0f});
    CHECK(values(
              npy_file(dict("'<f2'", "(2,)"), raw(std::uint16_t{0x3C00}, std::uint16_t{0x7BFF}))) ==
          Values{1.0f, 65504.0f});
    CHECK(values(npy_file(dict("'<i8'", "(1,)"), raw(std::int64_t{-5}))) == Values{-5});
    CHECK(values(npy_file(dict("'<i4'", "(1,)"), raw(std::int32_t{-5}))) == Values{-5});
    CHECK(values(npy_file(dict("'|u1'", "(2,)"), raw(std::uint8_t{0}, std::uint8_t{255}))) ==
          Values{0, 255});
    CHECK(values(npy_file(dict("'|b1'", "(2,)"), raw(std::uint8_t{0}, std::uint8_t{1}))) ==
          Values{0, 1});
}

TEST_CASE("Fortran's order becomes C's") {
    CHECK(values(npy_file(dict("'<f4'", "(2, 3)", "True"), raw(0.f, 10.f, 1.f, 11.f, 2.f, 12.f))) ==
          Values{0, 1, 2, 10, 11, 12});
    // A cube whose value names its place: 100 i + 10 j + k, written with i fastest.
    std::string data;
    Values expected;
    for (int k = 0; k < 4; ++k) {
        for (int j = 0; j < 3; ++j) {
            for (int i = 0; i < 2; ++i) data += raw(static_cast<float>(100 * i + 10 * j + k));
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 4; ++k)
                expected.push_back(static_cast<float>(100 * i + 10 * j + k));
        }
    }
    CHECK(values(npy_file(dict("'<f4'", "(2, 3, 4)", "True"), data)) == expected);
    CHECK(values(npy_file(dict("'<f4'", "(0, 3)", "True"), "")).empty());
    CHECK(values(npy_file(dict("'<f4'", "()", "True"), raw(3.0f))) == Values{3});
}
