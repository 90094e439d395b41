// generation_config.json: what is accepted names tokens of the vocabulary alone.
#include "fuzz/folder.hpp"
#include "fuzz/target.hpp"
#include "models/checkpoint/generation_settings.hpp"

using namespace heed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr int kVocabulary = 61;
    fuzz::write("generation_config.json", fuzz::bytes_of(data, size));
    models::ConfigFile config(tensors::Json::object(), "config.json");
    models::TextToIds ids;
    ids.decoder_start = 1;
    if (!models::read_generation(fuzz::folder().string(), config, kVocabulary, ids)) return 0;
    const models::Generation& how = ids.generation;
    for (const auto* list : {&how.ends, &how.never, &how.not_first}) {
        for (const int id : *list) HEED_CHECK(id >= 0 && id < kVocabulary, "id {}", id);
    }
    return 0;
}
