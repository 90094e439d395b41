// Models of every kind, drawn or from a file.
#pragma once

#include "models/file/reading.hpp"
#include "models/model/model.hpp"

#include <string>

namespace heed::models {

/// Weights drawn from the configuration's seed; the same everywhere, whatever the pool.
/// Errors: those of check(config).
base::Result<std::shared_ptr<const Model>> draw_model(const Config& config, num::ThreadPool& pool);
/// A Heed model: safetensors, its kind under "heed.model" in the metadata. Or a checkpoint: a
/// folder, its config.json or a safetensors file beside one
/// (models/checkpoint/open_checkpoint.hpp). Errors: not_found, unreadable, malformed, unsupported
/// (no model of Heed's), mismatch (tensors missing, left over or of another shape, each named),
/// out_of_range (NaN or infinity, with their number), unavailable (`reading`, which watches over a
/// checkpoint, did not want to go on).
base::Result<std::shared_ptr<const Model>>
load_model(const std::string& path, num::ThreadPool& pool, const Reading& reading = {});

} // namespace heed::models
