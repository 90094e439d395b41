#include "files/table.hpp"

#include "base/check.hpp"

#include "catch.hpp"

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using heed::files::write_csv;
using heed::num::Matrix;

namespace {

/// RFC 4180 read the slow way, for the test.
std::vector<std::vector<std::string>> parse(const std::string& csv) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row;
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        if (quoted) {
            if (c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
                field += '"';
                ++i;
            } else if (c == '"') {
                quoted = false;
            } else {
                field += c;
            }
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == '\r') {
            row.push_back(field);
            field.clear();
            if (c == '\r') {
                ++i; // the line feed
                rows.push_back(row);
                row.clear();
            }
        } else {
            field += c;
        }
    }
    CHECK(field.empty()); // every row ended
    return rows;
}

} // namespace

TEST_CASE("a table has keys on top, queries at the left and the numbers of the matrix") {
    Matrix<float> values(2, 3);
    values << 0.1f, 0.25f, 1, 0, -3, 1e-9f;
    CHECK(write_csv(values, {"The", "cat"}, {"我", "b", "c"}) ==
          ",我,b,c\r\nThe,0.1,0.25,1\r\ncat,0,-3,1e-09\r\n");
}

TEST_CASE("any label comes back from a table as it was") {
    const std::vector<std::string> hostile = {
        "\"",   "\"\"",     "a,b", "line\nline", "line\r\nline", " ",
        " led", "trailed ", "",    "'=1",        "🙂,\"",      "القطة"};
    const auto n = static_cast<heed::num::Index>(hostile.size());
    const auto rows = parse(write_csv(Matrix<float>::Zero(n, n), hostile, hostile));
    REQUIRE(rows.size() == hostile.size() + 1);
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        REQUIRE(rows[i + 1].size() == hostile.size() + 1);
        CHECK(rows[i + 1][0] == hostile[i]);
        CHECK(rows[0][i + 1] == hostile[i]);
    }
}

TEST_CASE("what a spreadsheet would take for a formula is text in a table; numbers stay numbers") {
    const auto cell = [](const std::string& label) {
        return parse(write_csv(Matrix<float>::Zero(1, 1), {label}, {label}))[1][0];
    };
    for (const char* formula :
         {"=cmd()", "=1+1", "+1", "@SUM(1)", "-2+3", "-cmd|' /C calc'!A0", "\t=1", "\r=1", "\n=1",
          "=\"a\",b", "-inf", "＝1", "＋1", "－1", "＠a", "--"}) {
        CHECK(cell(formula) == "'" + std::string(formula));
    }
    for (const char* text :
         {"-1", "-0.5", "-1e-9", "1", "a=b", "-", "+", "=", "@", "cat", "'tis"}) {
        CHECK(cell(text) == text);
    }
    Matrix<float> values(1, 1);
    values << -0.5f;
    CHECK(write_csv(values, {"a"}, {"=b"}) == ",'=b\r\na,-0.5\r\n");
}

TEST_CASE("every float of a table reads back to the same float") {
    Matrix<float> values(1, 7);
    values << 1.0f / 3, 16777217.0f, 1e38f, 1e-45f, -0.0f, 3.4028235e38f, 0.1f;
    const auto rows = parse(write_csv(values, {"r"}, {"a", "b", "c", "d", "e", "f", "g"}));
    for (std::size_t j = 0; j < 7; ++j)
        CHECK(std::strtof(rows[1][j + 1].c_str(), nullptr) ==
              values(0, static_cast<heed::num::Index>(j)));
}

TEST_CASE("what is not finite and what is not UTF-8 has a fixed form in a table") {
    Matrix<float> values(1, 3);
    const float inf = std::numeric_limits<float>::infinity();
    values << std::numeric_limits<float>::quiet_NaN(), inf, -inf;
    CHECK(write_csv(values, {"a\xff"}, {"", "", ""}) == ",,,\r\na\xEF\xBF\xBD,nan,inf,-inf\r\n");
}

TEST_CASE("an empty table is one line, and labels that do not fit are a broken contract") {
    CHECK(write_csv(Matrix<float>(0, 0), {}, {}) == "\r\n");
    CHECK_THROWS_AS(write_csv(Matrix<float>::Zero(2, 2), {"a"}, {"b", "c"}),
                    heed::base::ContractError);
}
