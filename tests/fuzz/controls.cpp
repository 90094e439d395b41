// Controls JSON: whatever is read can be written, and reads back the same.
#include "app/document/controls_json.hpp"
#include "fuzz/target.hpp"
#include "tensors/json.hpp"

#include <string>

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto controls = app::parse_controls(fuzz::bytes_of(data, size), "input");
    if (!controls) {
        HEED_CHECK(!controls.error().message.empty(), "refused without a reason");
        return 0;
    }
    const std::string text = tensors::dump_json(app::controls_to_json(*controls));
    const auto again = app::parse_controls(text, "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK(*again == *controls, "writing and reading changed the controls");
    return 0;
}
