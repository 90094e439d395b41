#include "trace/head_names.hpp"

#include "catch.hpp"

using namespace heed;

TEST_CASE("heads count from 1 where somebody reads of them") {
    CHECK(trace::head_name(4, 2) == "layer 5 · head 3");
    CHECK(trace::head_number(4, 2) == "5.3");
}
