#include "catch.hpp"
#include "nn/attention/mask.hpp"

#include <algorithm>
#include <limits>

using namespace heed;
using nn::Index;
using nn::Mask;

namespace {

// The rule in words, cell by cell.
bool allowed_slowly(const Mask& mask, Index i, Index j, Index valid) {
    for (const auto& [query, key] : mask.painted) {
        if (query == i && key == j) return false;
    }
    return !(mask.padding && j >= valid) && !(mask.causal && j > i) &&
           !(mask.window && std::max(i - j, j - i) > *mask.window);
}

} // namespace

TEST_CASE("a mask allows a cell when every part of it does") {
    for (int parts = 0; parts < 16; ++parts) {
        Mask mask;
        mask.padding = parts & 1;
        mask.causal = parts & 2;
        if (parts & 4) mask.window = 2;
        if (parts & 8) mask.painted = {{0, 0}, {2, 1}, {2, 2}, {6, 5}};
        for (Index i = 0; i < 9; ++i) {
            for (Index j = 0; j < 7; ++j) {
                INFO("parts " << parts << ", query " << i << ", key " << j);
                CHECK(mask.allows(i, j, 5) == allowed_slowly(mask, i, j, 5));
            }
        }
        CHECK(mask.empty() == (parts == 0));
    }
}

TEST_CASE("the range of a query is what padding, causal and window leave") {
    for (int parts = 0; parts < 8; ++parts) {
        for (Index width = 0; width < 4; ++width) {
            Mask mask;
            mask.padding = parts & 1;
            mask.causal = parts & 2;
            if (parts & 4) mask.window = width;
            for (Index i = 0; i < 12; ++i) {
                const auto [first, last] = mask.range(i, 7, 5);
                INFO("parts " << parts << ", window " << width << ", query " << i);
                CHECK(first <= last);
                for (Index j = 0; j < 7; ++j) {
                    CHECK((j >= first && j < last) == mask.allows(i, j, 5));
                }
            }
        }
    }
}

TEST_CASE("the forbidden ranges of a query hold what no part allows, in as few as can be") {
    for (int parts = 0; parts < 16; ++parts) {
        Mask mask;
        mask.padding = parts & 1;
        mask.causal = parts & 2;
        if (parts & 4) mask.window = 2;
        if (parts & 8) mask.painted = {{0, 0}, {2, 1}, {2, 2}, {2, 9}, {6, 5}};
        for (Index i = 0; i < 12; ++i) {
            const auto runs = mask.forbidden(i, 7, 5);
            INFO("parts " << parts << ", query " << i);
            Index end = -1;
            for (const auto& [first, last] : runs) {
                CHECK(first > end); // one that touches another would be one with it
                CHECK(first < last);
                end = last;
            }
            for (Index j = 0; j < 7; ++j) {
                const bool among = std::any_of(runs.begin(), runs.end(), [&](const auto& run) {
                    return j >= run.first && j < run.second;
                });
                CHECK(among != mask.allows(i, j, 5));
            }
        }
    }
}

TEST_CASE("a window as wide as can be forbids nothing") {
    Mask mask;
    mask.window = std::numeric_limits<Index>::max();
    CHECK(mask.range(3, 9, 9) == std::pair<Index, Index>(0, 9));
}

TEST_CASE("painted cells are found by their query") {
    Mask mask;
    mask.painted = {{0, 4}, {2, 1}, {2, 3}, {5, 0}};
    CHECK(mask.painted_in(0).size() == 1);
    CHECK(mask.painted_in(1).empty());
    REQUIRE(mask.painted_in(2).size() == 2);
    CHECK(mask.painted_in(2)[1].second == 3);
    CHECK(mask.painted_in(9).empty());
}
