// The settings that a GGUF file has of its model, for the table of its architectures (gguf_family).
#pragma once

#include "models/checkpoint/config_file.hpp"
#include "tensors/gguf.hpp"

#include <string>

namespace heed::models {

/// "general.architecture", or "".
std::string gguf_architecture(const tensors::GgufFile& file);

/// The values whose keys begin with the architecture's name, without it; no others change a number
/// of a run. Errors: unsupported (an architecture that Heed does not know, an adapter, one part of
/// several).
base::Result<ConfigFile> gguf_settings(const tensors::GgufFile& file);

} // namespace heed::models
