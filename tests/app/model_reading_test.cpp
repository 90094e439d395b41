#include "app/engine/computation.hpp"
#include "paths.hpp"
#include "small_document.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace heed;
using namespace heed::app;

TEST_CASE("a model whose reading is stopped is no model, and the one before stays") {
    Computation computation(2);
    const Document drawn = small_document();
    const auto before = computation.answer({1, drawn, {}}, {});
    REQUIRE(before->run);

    Document other = drawn;
    other.model_file = HEED_SOURCE_DIR "/tests/models/checkpoints/llama";
    std::vector<std::string> files;
    double furthest = 0;
    bool goes_on = false;
    computation.watch_reading([&](const std::string& file, double fraction) {
        files.push_back(file);
        furthest = fraction;
        return goes_on;
    });
    const auto stopped = computation.answer({2, other, {}}, {});
    REQUIRE(stopped);
    REQUIRE(stopped->error);
    CHECK(stopped->error->kind == base::ErrorKind::cancelled);
    CHECK(stopped->run == before->run);
    CHECK(files == std::vector<std::string>{other.model_file});

    goes_on = true;
    const auto read = computation.model_of(other);
    REQUIRE(read);
    CHECK(*read != before->run->model);
    CHECK(furthest == Approx(1));

    CHECK(computation.answer({4, drawn, {}}, {})->run); // a model that is drawn has no file
    CHECK(files.back() == other.model_file);
}

TEST_CASE("what is left of reading a model follows from what was read") {
    CHECK_FALSE(ModelReading{"file", 0, 1}.seconds_left());
    CHECK(ModelReading{"file", 0.25, 2}.seconds_left() == 6.0);
}
