// npy: numbers and text; what is accepted is well formed, and survives writing and reading.
#include "tensors/npy.hpp"
#include "base/utf8.hpp"
#include "fuzz/archive.hpp"

#include <string>

using namespace heed;

namespace {

void check_text(const tensors::Npy& npy) {
    const auto list = tensors::npy_strings(npy);
    HEED_CHECK(tensors::element_count(npy.shape) == list.size(), "{} strings do not fill the shape",
               list.size());
    for (const std::string& text : list) {
        HEED_CHECK(base::is_valid_utf8(text), "a string is broken");
    }
    const auto bytes = tensors::npy_of_strings(list, false, "written");
    if (!bytes) return;
    const auto again = tensors::parse_npy(*bytes, "written");
    HEED_CHECK(again && tensors::npy_strings(*again) == list,
               "writing and reading changed strings");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = fuzz::bytes_of(data, size);
    if (const auto npy = tensors::parse_npy(bytes, "input"); npy && npy->is_text) check_text(*npy);
    const auto array = tensors::read_npy(bytes, "input");
    if (!array) return 0;
    fuzz::check_array(*array);
    tensors::Archive before, after;
    const auto again = tensors::read_npy(tensors::write_npy(*array), "written");
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    before.arrays.emplace("a", *array);
    after.arrays.emplace("a", *again);
    HEED_CHECK(fuzz::same(before, after), "writing and reading changed the array");
    return 0;
}
