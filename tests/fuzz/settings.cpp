// The settings file: whatever is read can be written, and reads back the same.
#include "app/files/settings.hpp"
#include "fuzz/target.hpp"

#include <string>

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto settings = app::parse_settings(fuzz::bytes_of(data, size), "input");
    if (!settings) {
        HEED_CHECK(!settings.error().message.empty(), "refused without a reason");
        return 0;
    }
    const std::string text = app::write_settings(*settings);
    const auto again = app::parse_settings(text, "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK(app::write_settings(*again) == text, "writing and reading changed the settings");
    return 0;
}
