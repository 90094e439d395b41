// Models from elsewhere: a folder of Hugging Face's transformers, config.json beside safetensors,
// or one GGUF file.
#pragma once

#include "models/file/reading.hpp"
#include "models/transformer/transformer.hpp"

#include <memory>
#include <string>

namespace heed::models {

/// True where a path looks like a checkpoint: a config.json, a folder with one, an index of shards,
/// a pickle, a GGUF file, or a safetensors file with a config.json beside it. What it holds is not
/// looked at.
bool is_checkpoint(const std::string& path);

/// The model of such a path. It reads ids (Model::reads_ids), and follows transformers 5.12 to the
/// number. Weights are read one tensor at a time, and `reading` is told how far that is. Linear
/// maps that the file has in 16 bits stay so; tables, vectors and what it has in blocks become
/// float32. Errors: those of reading; unavailable (`reading` did not want to go on); unsupported (a
/// family, or a setting of config.json, that Heed does not know, by name; a pickle, with what
/// converts it); malformed; mismatch (tensors missing, left over or of another shape than
/// config.json asks for, each named); out_of_range (NaN or infinity).
base::Result<std::shared_ptr<const Transformer>>
open_checkpoint(const std::string& path, num::ThreadPool& pool, const Reading& reading = {});

} // namespace heed::models
