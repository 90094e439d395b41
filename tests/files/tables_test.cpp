#include "files/tables.hpp"

#include "catch.hpp"
#include "tensors/named.hpp"

#include <memory>
#include <string>

using namespace heed;
using files::Table;
using files::Tables;

namespace {

std::shared_ptr<const num::Matrix<float>> matrix(num::Index rows, num::Index cols, float first) {
    auto values = std::make_shared<num::Matrix<float>>(rows, cols);
    for (num::Index i = 0; i < values->size(); ++i) {
        values->data()[i] = first + static_cast<float>(i);
    }
    return values;
}

tensors::Array npy(const Tables& tables) {
    return tensors::read_npy(files::write_npy(tables), "npy").value();
}

} // namespace

TEST_CASE("one table is a CSV of its own, several stand below each other under their names") {
    Tables tables{{{"nodes", {"a", "b"}, {"x", "y"}, matrix(2, 2, 1)}}};
    CHECK(write_csv(tables) == ",x,y\r\na,1,2\r\nb,3,4\r\n");
    tables.all.push_back({"links, of all", {}, {"share"}, matrix(1, 1, 9)});
    CHECK(write_csv(tables) == "nodes\r\n,x,y\r\na,1,2\r\nb,3,4\r\n\r\n"
                               "\"links, of all\"\r\n,share\r\n,9\r\n\r\n");
}

TEST_CASE("with tabs between, a comma needs no quotes and a tab does") {
    Tables tables{{{"nodes", {"a,b", "c\td"}, {"x"}, matrix(2, 1, 1)}}};
    CHECK(write_csv(tables, heed::files::kTabs) == "\tx\na,b\t1\n\"c\td\"\t2\n");
    tables.all.push_back({"links", {}, {"share"}, matrix(1, 1, 9), {}, "of all"});
    CHECK(write_csv(tables, heed::files::kTabs) ==
          "nodes\n\tx\na,b\t1\n\"c\td\"\t2\n\nlinks\tof all\n\tshare\n\t9\n\n");
}

TEST_CASE("the words that numbers are of stand below them") {
    const Tables tables{{{"lens", {"1"}, {"x", "y"}, matrix(1, 2, 1), {"=on", "a \"b\""}}}};
    CHECK(write_csv(tables) == "lens\r\n,x,y\r\n1,1,2\r\n\r\n"
                               "lens words\r\n,x,y\r\n1,'=on,\"a \"\"b\"\"\"\r\n\r\n");
    const auto read = tensors::read_npz(write_npz(tables, {}).value(), "npz");
    REQUIRE(read);
    CHECK(read->strings.at("lens.words") == tables.all[0].words);
}

TEST_CASE("what the numbers of a table are stands behind its name") {
    Tables tables{{{"lens", {"1"}, {"x"}, matrix(1, 1, 1), {"a"}, "probability, 0 to 1"}}};
    CHECK(write_csv(tables) == "lens,\"probability, 0 to 1\"\r\n,x\r\n1,1\r\n\r\n"
                               "lens words\r\n,x\r\n1,a\r\n\r\n");
    const auto read = tensors::read_npz(write_npz(tables, {}).value(), "npz");
    REQUIRE(read);
    CHECK(read->strings.at("lens.unit") == std::vector<std::string>{"probability, 0 to 1"});
}

TEST_CASE("an .npy is the main table, or the stack of several of one size") {
    Tables tables{{{"other", {}, {}, matrix(1, 2, 0)},
                   {"a", {}, {}, matrix(2, 3, 0)},
                   {"b", {}, {}, matrix(2, 3, 6)}},
                  {1}};
    CHECK(npy(tables).shape == std::vector<std::int64_t>{2, 3});
    tables.main = {1, 2};
    CHECK(npy(tables).shape == std::vector<std::int64_t>{2, 2, 3});
    CHECK(npy(tables).values[11] == 11);
    tables.main = {1, 0}; // of another size
    CHECK(npy(tables).shape == std::vector<std::int64_t>{2, 3});
}

TEST_CASE("an .npz has every table under its name, with its labels") {
    const Tables tables{
        {{"a", {"r"}, {"x", "y"}, matrix(1, 2, 1)}, {"a", {}, {}, matrix(3, 1, 5)}}};
    const auto read = tensors::read_npz(write_npz(tables, {{"view", "flow"}}).value(), "npz");
    REQUIRE(read);
    CHECK(read->arrays.at("a").shape == std::vector<std::int64_t>{1, 2});
    CHECK(read->arrays.at("a 2").values == std::vector<float>{5, 6, 7});
    CHECK(read->strings.at("a.rows") == std::vector<std::string>{"r"});
    CHECK(read->strings.at("a.columns") == std::vector<std::string>{"x", "y"});
    CHECK_FALSE(read->strings.contains("a 2.rows"));
    CHECK(read->metadata.at("view") == "flow");
}
