// Files of models: what is accepted fits its configuration, survives writing and reading, and can
// be run; its numbers are finite, or the run says why not.
#pragma once

#include "fuzz/target.hpp"
#include "models/model/model.hpp"
#include "models/open.hpp"
#include "tensors/named.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace heed::fuzz {

/// `is_small(config)`: a header may ask for more than a fuzzer has time for.
template <class Kind, class IsSmall>
int read_model_file(const std::uint8_t* data, std::size_t size, IsSmall is_small) {
    const auto archive = tensors::read_safetensors(bytes_of(data, size), "input");
    if (!archive) return 0;
    num::ThreadPool pool(1);
    const auto model = Kind::read(*archive, "input", pool);
    if (!model) {
        HEED_CHECK(!model.error().message.empty(), "refused without a reason");
        return 0;
    }
    HEED_CHECK(models::check((*model)->config()), "a configuration that is none was accepted");
    if (!is_small((*model)->config())) return 0;

    const std::string path = (std::filesystem::temp_directory_path() /
                              fmt::format("heed_fuzz_model_{}.safetensors", ::getpid()))
                                 .string();
    HEED_CHECK((*model)->save(path), "a model that was read cannot be written");
    const auto again = models::load_model(path, pool);
    std::remove(path.c_str());
    HEED_CHECK(again, "what was written is refused: {}", describe(again.error()));
    HEED_CHECK((*again)->config() == models::Config((*model)->config()),
               "writing and reading changed the configuration");
    HEED_CHECK((*again)->provenance() == (*model)->provenance(),
               "writing and reading changed what it was trained on");

    models::Input input;
    input.source = {{"the", 0, 3}, {"cat", 4, 7}};
    input.decoding.limit = 4;
    const auto run = models::run(*model, input, {}, pool);
    HEED_CHECK(run || !run.error().message.empty(), "a run failed without a reason");
    return 0;
}

} // namespace heed::fuzz
