// Files of recurrent models.
#include "models/recurrent/recurrent.hpp"
#include "fuzz/model_file.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::read_model_file<models::Recurrent>(data, size, [](const auto& c) {
        return c.n_layers <= 4 && c.hidden <= 64 && c.embedding <= 64;
    });
}
