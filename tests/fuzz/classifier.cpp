// Files of classifiers.
#include "models/classifier.hpp"
#include "fuzz/model_file.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::read_model_file<models::Classifier>(data, size, [](const auto& c) {
        return c.d_model <= 64 && c.dense <= 64 && c.length <= 64;
    });
}
