#include "models/transformer/sine_rows.hpp"

#include "nn/attention/position.hpp"

#include "catch.hpp"

using namespace heed;
using num::Index;
using num::Matrix;

TEST_CASE("rows of sines are those of the table, in whatever order they are asked for") {
    num::ThreadPool pool(2);
    for (const Index width : {6, 7}) {
        const Matrix<float> table = nn::sinusoidal_table<float>(300, width);
        const models::SineRows rows(width, false), sines_first(width, true);
        for (const auto& [first, n] : {std::pair<Index, Index>{200, 3},
                                       {0, 1},
                                       {63, 2},
                                       {60, 200},
                                       {0, 300},
                                       {64, 64},
                                       {5, 0}}) {
            CAPTURE(first, n);
            const Matrix<float> wanted = table.middleRows(first, n);
            CHECK(rows.rows(pool, first, n) == wanted);
            const Matrix<float> sorted = sines_first.rows(pool, first, n);
            for (Index c = 0; c < width; ++c) {
                const Index to = c % 2 == 0 ? c / 2 : (width + 1) / 2 + c / 2;
                CHECK(sorted.col(to) == wanted.col(c));
            }
        }
    }
}
