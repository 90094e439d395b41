#include "catch.hpp"
#include "models/file/named_tensors.hpp"
#include "num/random.hpp"

#include <vector>

using namespace heed;
using namespace heed::models;

TEST_CASE("a table of 16 bits has the rows and products of the floats that it stands for") {
    num::ThreadPool pool(2);
    const Index words = 75, width = 24;
    for (const num::Stored stored : {num::Stored::bf16, num::Stored::f16}) {
        const num::Rng draws(3, "table");
        std::vector<std::uint16_t> halves(static_cast<std::size_t>(words * width));
        for (std::size_t i = 0; i < halves.size(); ++i) {
            halves[i] = static_cast<std::uint16_t>(draws.bits(i) & 0xbbff); // finite, below 2
        }
        const WordTable packed{{}, num::half_weights(stored, halves.data(), width, words)};
        WordTable floats;
        std::vector<float> numbers;
        for (const std::uint16_t half : halves) numbers.push_back(num::widened(half, stored));
        put({&floats, words, width}, numbers.data());
        CHECK(packed.floats.size() == 0);
        CHECK(packed.rows() == words);
        CHECK(packed.cols() == width);
        const std::vector<Index> some = {0, 74, 13, 13, 16};
        CHECK(embed(packed, some, 1.5f) == embed(floats, some, 1.5f));
        CHECK(embed(floats, some, 1.5f).row(1) == floats.floats.row(74) * 1.5f);
        CHECK(packed.row(15) == floats.floats.row(15));
        CHECK_THROWS(packed.row(words));
        CHECK_THROWS(floats.row(-1));
        for (const Index rows : {1, 3, 4, 20}) {
            const Matrix<float> x = Matrix<float>::Random(rows, width);
            const Matrix<float> slow = x * floats.floats.transpose();
            CHECK(products(pool, x, packed).isApprox(slow, 1e-5f));
            CHECK(products(pool, x, floats).isApprox(slow, 1e-5f));
        }
        tensors::Archive archive;
        write({{"table", {words, width}, {{&packed, words, width}}}}, archive);
        CHECK(archive.arrays.at("table").values == numbers);
    }
}

TEST_CASE("a drawn table of 16 bits is rounded from the same draws") {
    num::ThreadPool pool(2);
    WordTable floats, packed;
    draw({{"embedding.weight", {31, 7}, {{&floats, 31, 7, 1.f}}}}, 5, pool);
    draw({{"embedding.weight", {31, 7}, {{&packed, 31, 7, 1.f}}}}, 5, pool, num::Stored::bf16);
    CHECK(packed.floats.size() == 0);
    for (Index row = 0; row < 31; ++row) {
        const auto rounded = packed.row(row);
        for (Index c = 0; c < 7; ++c) {
            CHECK(rounded(c) ==
                  num::widened(num::to_bf16(floats.floats(row, c)), num::Stored::bf16));
        }
    }
}
