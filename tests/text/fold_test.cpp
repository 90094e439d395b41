#include "text/fold.hpp"

#include "catch.hpp"

using namespace heed;

TEST_CASE("capitals make no difference, in any script that has them") {
    CHECK(text::folded("Größe") == text::folded("GRÖSSE"));
    CHECK(text::folded("ΣΊΣΥΦΟΣ") == text::folded("σίσυφος"));
    CHECK(text::folded("Ещё") == text::folded("ЕЩЁ"));
    CHECK(text::folded("我 → q·k") == "我 → q·k");
    CHECK(text::folded("caf\xC3") == "caf\uFFFD");
}

TEST_CASE("every word of a query must occur, in any order") {
    const std::string words = text::folded("Mask: causal, keys after the query");
    CHECK(text::all_occur("", words));
    CHECK(text::all_occur("  CAUSAL mas ", words));
    CHECK_FALSE(text::all_occur("causal mast", words));
}
