#include "app/cli/maps_flag.hpp"

#include "app/cli/flag_values.hpp"
#include "base/file.hpp"
#include "models/model/alignment_file.hpp"
#include "models/model/stored.hpp"

#include <fmt/format.h>

namespace heed::app {

using base::ErrorKind;
using base::fail;
using base::Result;

std::vector<Flag> maps_flags() {
    constexpr const char* kMaps = "Attention from elsewhere";
    return {
        {"--maps", "FILE",
         "weights that another program wrote, in place of a model: .npz, .safetensors or .json "
         "with arrays named as `heed attend` writes them, or one array of layers x heads x queries "
         "x keys; or word alignments (0-0 1-2, or Marian's soft ones)",
         kMaps},
        {"--sentence", "N", "which line of a file of alignments (default 1)", kMaps},
    };
}

Result<void> read_maps(const Given& given, Document& document) {
    int sentence = 1;
    auto ok = read_integer(given, "--sentence", 1, models::kMostSentences, sentence);
    if (!ok) return ok;
    document.sentence = sentence - 1;
    const auto path = given.find("--maps");
    if (!path) return {};
    if (given.has("--model")) {
        return fail(ErrorKind::usage, "--maps", "cannot be combined with --model");
    }
    if (base::check_file(*path) && !models::holds_attention(*path)) {
        return fail(ErrorKind::usage, "--maps",
                    fmt::format("'{}' holds no attention weights: .npz, .json, .safetensors of "
                                "maps, or alignments are expected",
                                *path));
    }
    document.model_file = *path;
    return {};
}

Result<void> check_maps(const Given& given, const models::Config& config,
                        const Document& document) {
    if (!models::traits(config).weights_alone) {
        if (!given.has("--sentence")) return {};
        return fail(ErrorKind::usage, "--sentence", "is of a file of alignments: add --maps FILE");
    }
    for (const char* flag : {"--source", "--target", "--image", "--pad-to", "--segmentation"}) {
        if (!given.has(flag)) continue;
        return fail(ErrorKind::usage, flag, "is of a model; the tokens of --maps are in its file");
    }
    return models::check(document.controls, config);
}

} // namespace heed::app
