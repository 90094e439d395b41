#include "train/data/batches.hpp"

#include "catch.hpp"

#include <algorithm>
#include <set>

using namespace heed;
using train::Batches;
using train::Example;

namespace {

/// Lengths 1 to 30, in no order.
std::vector<Example> examples(std::size_t count) {
    std::vector<Example> list(count);
    for (std::size_t i = 0; i < count; ++i) list[i].source.assign(1 + i * 7 % 30, 3);
    return list;
}

std::vector<std::size_t> epoch(Batches& batches, std::size_t number) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < batches.per_epoch(); ++i) {
        const auto batch = batches.at(number * batches.per_epoch() + i);
        places.insert(places.end(), batch.begin(), batch.end());
    }
    return places;
}

} // namespace

TEST_CASE("every epoch takes every example once, in another order") {
    const auto list = examples(1003);
    Batches batches(list, 16, 5);
    CHECK(batches.per_epoch() == 63);
    auto first = epoch(batches, 0), second = epoch(batches, 1);
    CHECK(first != second);
    CHECK(std::set<std::size_t>(first.begin(), first.end()).size() == 1003);
    std::sort(first.begin(), first.end());
    std::sort(second.begin(), second.end());
    CHECK(first == second);
}

TEST_CASE("a step is the same whenever it is asked for") {
    const auto list = examples(200);
    Batches forward(list, 8, 5), backward(list, 8, 5), other(list, 8, 6);
    std::vector<std::vector<std::size_t>> steps;
    for (std::uint64_t s = 0; s < 100; ++s) {
        const auto batch = forward.at(s);
        steps.emplace_back(batch.begin(), batch.end());
    }
    int like_other = 0;
    for (std::uint64_t s = 100; s-- > 0;) {
        const auto batch = backward.at(s), another = other.at(s);
        CHECK(std::equal(batch.begin(), batch.end(), steps[s].begin(), steps[s].end()));
        like_other += std::equal(another.begin(), another.end(), steps[s].begin(), steps[s].end());
    }
    CHECK(like_other < 5);
}

TEST_CASE("sentences of a batch are of like length, batches are not sorted by it") {
    const auto list = examples(3000);
    Batches batches(list, 32, 1);
    std::size_t widest = 0, before = 0;
    int falls = 0;
    for (std::uint64_t s = 0; s < batches.per_epoch(); ++s) {
        std::size_t shortest = 99, longest = 0;
        for (const std::size_t place : batches.at(s)) {
            shortest = std::min(shortest, list[place].source.size());
            longest = std::max(longest, list[place].source.size());
        }
        widest = std::max(widest, longest - shortest);
        falls += longest < before ? 1 : 0;
        before = longest;
    }
    CHECK(widest <= 2);
    CHECK(falls > 20);
}

TEST_CASE("fewer examples than a batch holds are one batch") {
    const auto list = examples(3);
    Batches batches(list, 32, 1);
    CHECK(batches.per_epoch() == 1);
    CHECK(batches.at(7).size() == 3);
}
