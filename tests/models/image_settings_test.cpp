// preprocessor_config.json as a stranger's file; what it says is followed in app/image_test.
#include "models/checkpoint/image_settings.hpp"

#include "base/file.hpp"
#include "catch.hpp"
#include "paths.hpp"

#include <filesystem>
#include <string>
#include <unistd.h>

using namespace heed;
namespace fs = std::filesystem;

namespace {

struct Settings {
    fs::path folder =
        fs::temp_directory_path() / ("heed_image_settings." + std::to_string(::getpid()));
    Settings() { fs::create_directories(folder); }
    ~Settings() { fs::remove_all(folder); }
    Settings(const Settings&) = delete;

    base::Result<models::ImageSettings> of(const std::string& bytes) const {
        REQUIRE(base::write_file_atomic((folder / "preprocessor_config.json").string(), bytes));
        return models::image_settings(folder.string(), {12, 4, 3, 1});
    }
};

} // namespace

TEST_CASE("every prefix of a preprocessor_config.json is refused") {
    const Settings settings;
    for (const std::string family : {"vit", "deit"}) {
        const auto bytes = base::read_file(HEED_SOURCE_DIR "/tests/models/checkpoints/" + family +
                                               "/preprocessor_config.json",
                                           1 << 20);
        REQUIRE(bytes);
        REQUIRE(settings.of(*bytes));
        for (std::size_t n = 0; n < bytes->rfind('}'); ++n) {
            const auto read = settings.of(bytes->substr(0, n));
            if (read) FAIL_CHECK(family << " of " << n << " bytes was read");
        }
    }
}

TEST_CASE("numbers that no float has are no colours") {
    const Settings settings;
    CHECK(settings.of(R"({"image_std": [1, 1e-40, 1], "image_mean": [0, -1, 0.5]})"));
    for (const char* wrong : {R"({"image_std": [1, 1e-320, 1]})", R"({"image_std": [1, 1e300, 1]})",
                              R"({"image_mean": [1e39, 0, 0]})", R"({"rescale_factor": 1e38})"}) {
        CAPTURE(wrong);
        CHECK_FALSE(settings.of(wrong));
    }
}
