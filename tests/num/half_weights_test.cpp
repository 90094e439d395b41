#include "num/half_blocks.hpp"

#include "num/transposed.hpp"

#include "catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace heed;
using namespace heed::num;

namespace {

// Bits of finite numbers, small ones without a leading one among them.
std::vector<std::uint16_t> bits(Stored stored, Index count) {
    const std::uint32_t exponent = stored == Stored::bf16 ? 0x7f80 : 0x7c00;
    std::vector<std::uint16_t> result;
    std::uint32_t state = 12345;
    while (std::ssize(result) < count) {
        state = state * 1664525 + 1013904223;
        const auto half = static_cast<std::uint16_t>(state >> 16);
        const bool moderate = stored == Stored::f16 || (half & 0x7f80) < 0x4400;
        if ((half & exponent) != exponent && moderate) result.push_back(half);
    }
    result[0] = 1; // the smallest of all
    return result;
}

Matrix<float> dense(Stored stored, const std::vector<std::uint16_t>& halves, Index in, Index out) {
    Matrix<float> w(in, out);
    for (Index o = 0; o < out; ++o) {
        for (Index i = 0; i < in; ++i) {
            w(i, o) = widened(halves[static_cast<std::size_t>(o * in + i)], stored);
        }
    }
    return w;
}

} // namespace

TEST_CASE("sixteen bits stand for the numbers of their formats") {
    CHECK(widened(0x3f80, Stored::bf16) == 1);
    CHECK(widened(0xc049, Stored::bf16) == -3.140625f);
    CHECK(widened(0x3c00, Stored::f16) == 1);
    CHECK(widened(0xc248, Stored::f16) == -3.140625f);
    CHECK(widened(0x0001, Stored::f16) == 0x1p-24f);
    CHECK(widened(0x03ff, Stored::f16) == 0x3ffp-24f);
    CHECK(widened(0x7bff, Stored::f16) == 65504);
    CHECK(std::signbit(widened(0x8000, Stored::f16)));
    CHECK(to_bf16(1) == 0x3f80);
    CHECK(to_bf16(1.00390625f) == 0x3f80); // half way: the even one
    CHECK(to_bf16(1.01171875f) == 0x3f82);
    CHECK(to_bf16(-2.5f) == 0xc020);
}

TEST_CASE("a product with weights of 16 bits is that with the floats that they stand for") {
    ThreadPool pool(2);
    for (const Stored stored : {Stored::bf16, Stored::f16}) {
        for (const auto& [in, out] : {std::pair<Index, Index>{5, 3}, {64, 32}, {200, 77}}) {
            const auto halves = bits(stored, in * out);
            const Matrix<float> w = dense(stored, halves, in, out);
            const Weights<float> packed = half_weights(stored, halves.data(), in, out);
            CHECK(packed.dense() == w);
            std::vector<std::uint16_t> transposed(halves.size());
            for (Index i = 0; i < in * out; ++i) {
                transposed[static_cast<std::size_t>(i % in * out + i / in)] =
                    halves[static_cast<std::size_t>(i)];
            }
            CHECK(half_weights(stored, transposed.data(), in, out, true).dense() == w);
            const Weights<float> floats(w);
            for (Index o = 0; o < out; o += 2) {
                CHECK(output_row(packed, o) == w.col(o).transpose());
                CHECK(output_row(floats, o) == w.col(o).transpose());
            }
            CHECK_THROWS(output_row(packed, out));
            for (const Index rows : {1, 2, 7, 33}) {
                const Matrix<float> x = Matrix<float>::Random(rows, in);
                const RowVector<float> bias = RowVector<float>::Random(out);
                Matrix<float> expected(rows, out), y(rows, out);
                LinearOptions<float> options;
                options.bias = row_span(bias);
                options.next = &packed;
                linear<float>(pool, view(x), floats, options, view(expected));
                options.next = &floats;
                linear<float>(pool, view(x), packed, options, view(y));
                CHECK(y == expected);
            }
        }
    }
}

TEST_CASE("weights of 16 bits come in blocks, in order, or are given up") {
    const Index in = 3000, out = 401; // several blocks, the last panel narrow
    const auto halves = bits(Stored::bf16, in * out);
    std::vector<std::pair<Index, Index>> asked;
    const auto packed = half_weights(Stored::bf16, in, out, [&](Index first, Index count) {
        asked.emplace_back(first, count);
        return halves.data() + first * in;
    });
    CHECK(packed.dense() == dense(Stored::bf16, halves, in, out));
    REQUIRE(asked.size() > 2);
    Index next = 0;
    for (const auto& [first, count] : asked) {
        CHECK(first == next);
        CHECK(count * in <= kBlockNumbers);
        next += count;
    }
    CHECK(next == out);
    const auto given_up = half_weights(Stored::bf16, in, out, [&](Index first, Index) {
        return first == 0 ? halves.data() : nullptr;
    });
    CHECK(given_up.out() == 0);
}

TEST_CASE("weights of 16 bits come input by input, a few columns of a wider table") {
    const Index in = 1100, out = 77, wide = 1000, first_column = 333; // several blocks
    const auto table = bits(Stored::f16, in * wide);
    Matrix<float> expected(in, out);
    for (Index i = 0; i < in; ++i) {
        for (Index o = 0; o < out; ++o) {
            const auto at = static_cast<std::size_t>(i * wide + first_column + o);
            expected(i, o) = widened(table[at], Stored::f16);
        }
    }
    Index next = 0, blocks = 0;
    const auto block = [&](Index first, Index count) {
        CHECK(first == next);
        CHECK(count * wide <= kBlockNumbers);
        next += count;
        ++blocks;
        return table.data() + first * wide + first_column;
    };
    CHECK(half_weights_by_inputs(Stored::f16, in, out, wide, block).dense() == expected);
    CHECK(next == in);
    CHECK(blocks > 1);
    const auto given_up =
        half_weights_by_inputs(Stored::f16, in, out, wide, [&](Index first, Index) {
            return first == 0 ? table.data() : nullptr;
        });
    CHECK(given_up.out() == 0);
}

TEST_CASE("weights of 16 bits are packed anew as floats") {
    const auto halves = bits(Stored::bf16, 12);
    Weights<float> w = half_weights(Stored::bf16, halves.data(), 4, 3);
    const Matrix<float> other = Matrix<float>::Random(4, 3);
    repack(w, view(other));
    CHECK(w.dense() == other);
}
