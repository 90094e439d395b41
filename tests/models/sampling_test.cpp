// What temperature, top-k and top-p leave, and what is drawn of it.
#include "base/file.hpp"
#include "catch.hpp"
#include "models/model/sampling.hpp"
#include "paths.hpp"
#include "tensors/json.hpp"

#include <cmath>

using namespace heed;
using models::Sampling;

namespace {

num::RowVector<float> row(std::initializer_list<float> numbers) {
    num::RowVector<float> p(std::ssize(numbers));
    std::copy(numbers.begin(), numbers.end(), p.data());
    return p;
}

} // namespace

TEST_CASE("temperature, top-k and top-p leave what the transformers library leaves") {
    const std::string path = HEED_SOURCE_DIR "/tests/models/generation.json";
    const auto bytes = base::read_file(path, 10 << 20);
    REQUIRE(bytes);
    const auto json = tensors::parse_json(*bytes, path);
    REQUIRE(json);
    int cases = 0;
    for (const auto& cut : json->at("cuts")) {
        Sampling sampling;
        sampling.temperature = cut["temperature"].get<float>();
        sampling.top_k = cut["top_k"].get<int>();
        sampling.top_p = cut["top_p"].get<float>();
        CAPTURE(sampling.temperature, sampling.top_k, sampling.top_p);
        const auto p = cut["p"].get<std::vector<float>>();
        const auto wanted = cut["drawn_with"].get<std::vector<float>>();
        const models::Cut left =
            models::cut(Eigen::Map<const num::RowVector<float>>(p.data(), std::ssize(p)), sampling);
        for (std::size_t i = 0; i < p.size(); ++i) {
            CHECK(left.keeps[i] == (wanted[i] > 0));
            if (left.keeps[i]) {
                CHECK(left.shown(static_cast<num::Index>(i)) == Approx(wanted[i]).epsilon(1e-5));
            }
        }
        ++cases;
    }
    CHECK(cases == 8);
}

TEST_CASE("a cut says what it keeps, how much that is, and how unsure it leaves the draw") {
    const models::Cut left = models::cut(row({0.1f, 0.4f, 0.3f, 0.2f}), {1, 2, 1, 1});
    CHECK(left.kept == 2);
    CHECK(left.kept_mass == Approx(0.7));
    CHECK(left.keeps == std::vector<bool>{false, true, true, false});
    CHECK(left.shown(1) == Approx(4.0 / 7));
    CHECK(left.shown(0) == Approx(0.1)); // what it had before it was cut
    const double h = -(4.0 / 7 * std::log2(4.0 / 7) + 3.0 / 7 * std::log2(3.0 / 7));
    CHECK(left.entropy_bits == Approx(h));
    // p squared, at a temperature of a half.
    CHECK(models::cut(row({0.6f, 0.4f}), {0.5f, 0, 1, 1}).shown(0) == Approx(0.36 / 0.52));
    // Of equals the earlier row; one is always left.
    CHECK(models::cut(row({0.5f, 0.5f}), {1, 1, 1, 1}).keeps == std::vector<bool>{true, false});
    CHECK(models::cut(row({0.5f, 0.5f}), {1, 0, 0.001f, 1}).kept == 1);
    CHECK_FALSE(models::alters({}));
    CHECK_FALSE(models::alters({1, 0, 1, 9}));
    CHECK(models::alters({0, 5, 1, 1}));
}

TEST_CASE("tokens are drawn as often as they are probable, the same for the same seed and place") {
    const auto p = row({0.15f, 0.5f, 0.05f, 0.3f});
    const Sampling sampling{1, 3, 1, 11}; // without the least probable
    std::vector<int> counts(4);
    constexpr int kDraws = 20000;
    for (int place = 0; place < kDraws; ++place) {
        ++counts[static_cast<std::size_t>(
            models::drawn(p, sampling, static_cast<std::size_t>(place)))];
    }
    CHECK(counts[2] == 0);
    const double parts[] = {0.15 / 0.95, 0.5 / 0.95, 0, 0.3 / 0.95};
    for (std::size_t i = 0; i < 4; ++i) {
        // Four standard deviations of a binomial count.
        const double spread = 4 * std::sqrt(kDraws * parts[i] * (1 - parts[i]));
        CHECK(std::abs(counts[i] - kDraws * parts[i]) <= spread);
    }
    Sampling other = sampling;
    other.seed = 12;
    int different = 0;
    for (std::size_t place = 0; place < 100; ++place) {
        CHECK(models::drawn(p, sampling, place) == models::drawn(p, sampling, place));
        different += models::drawn(p, sampling, place) != models::drawn(p, other, place);
        CHECK(models::drawn(p, {0, 2, 0.5f, place}, place) == 1); // greedy whatever the rest
    }
    CHECK(different > 20);
}
