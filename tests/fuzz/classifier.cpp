// Files of classifiers.
#include "fuzz/model_file.hpp"
#include "models/transformer/transformer.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::read_model_file<models::Transformer>(data, size, [](const auto& c) {
        return c.d_model <= 64 && c.dense <= 64 && c.max_positions <= 64 &&
               c.n_encoder_layers <= 2 && c.n_decoder_layers <= 2 && c.d_ff <= 64 &&
               c.vocabulary <= 4096;
    });
}
