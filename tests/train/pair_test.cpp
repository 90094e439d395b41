#include "train/tasks/pair.hpp"

#include "catch.hpp"

using namespace heed;
using train::Pair;
using train::Side;

namespace {

const std::vector<Pair> kPairs = {
    {{"b", "a", "b"}, {"x"}, {{0, 2}}, -1},
    {{"c", "b"}, {"y", "x"}, {}, 4},
};

} // namespace

TEST_CASE("a vocabulary lists the most frequent words first, equal ones by their bytes") {
    using Words = std::vector<std::string>;
    CHECK(train::vocabulary_of(kPairs, Side::source, 9).words() == Words{"b", "a", "c"});
    CHECK(train::vocabulary_of(kPairs, Side::target, 9).words() == Words{"x", "y"});
    CHECK(train::vocabulary_of(kPairs, Side::both, 9).words() == Words{"b", "x", "a", "c", "y"});
    CHECK(train::vocabulary_of(kPairs, Side::both, 2, 3).words() == Words{"b", "x"});
    CHECK(train::vocabulary_of(kPairs, Side::both, 2, 3).size() == 3 + 2 + 3);
}

TEST_CASE("words become rows of their side; those cut off share one") {
    const auto source = train::vocabulary_of(kPairs, Side::source, 2);
    const auto target = train::vocabulary_of(kPairs, Side::target, 9);
    const auto examples = train::encode(kPairs, source, target);
    REQUIRE(examples.size() == 2);
    CHECK(examples[0] == train::Example{{3, 4, 3}, {3}, {{0, 2}}, -1});
    CHECK(examples[1] == train::Example{{5, 3}, {4, 3}, {}, 4});
}

TEST_CASE("what is held out is told by the source alone") {
    int held_out = 0;
    for (int i = 0; i < 8000; ++i) {
        held_out += train::is_held_out({"a", std::to_string(i), "b"}) ? 1 : 0;
    }
    CHECK(held_out > 900);
    CHECK(held_out < 1100);
}

TEST_CASE("what a model says is written as a person writes it") {
    CHECK(train::as_text({"the", "cat", ",", "so", "the", "dog", "."}) == "the cat, so the dog.");
    CHECK(train::as_text({"男人", "，", "所以", "我"}) == "男人，所以我");
    CHECK(train::as_text({"我", "read", "书"}) == "我 read 书");
    CHECK(train::as_text({"a", "b"}) == "a b");
    CHECK(train::as_text({}).empty());
}
