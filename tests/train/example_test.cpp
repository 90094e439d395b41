#include "train/tasks/example.hpp"

#include "catch.hpp"

using heed::train::Example;

TEST_CASE("an example has neither gold nor label until someone gives them") {
    const Example example{{3, 4}, {5}, {}, -1};
    CHECK(example.gold.empty());
    CHECK(example.label == Example{}.label);
    CHECK(example != Example{{3, 4}, {5}, {}, 0});
    CHECK(example != Example{{3, 4}, {5}, {{0, 1}}, -1});
}
