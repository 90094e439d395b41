// Our tensors, filled from those of a checkpoint one at a time.
#pragma once

#include "base/result.hpp"
#include "models/checkpoint/tensor_files.hpp"
#include "models/checkpoint/tensor_map.hpp"
#include "models/file/named_tensors.hpp"
#include "models/file/reading.hpp"

namespace heed::models {

/// The tensor of this name, which may stand there with or without the prefix, and with the names of
/// norms that older files have (gamma, beta). Its file is null where there is none.
TensorFiles::Found find_tensor(const TensorFiles& files, const std::string& prefix,
                               const std::string& name);

/// Reads every tensor of the list that the map knows; the optional ones that it does not know are
/// the result, to be drawn. Nothing is made before all names and shapes are found to fit. Errors:
/// mismatch (tensors missing, left over or of another shape, each named), out_of_range (NaN or
/// infinity, with their number; more drawn numbers beside them than a file of this size may ask
/// for), unavailable (who watches does not want to go on), and those of reading.
base::Result<NamedTensors> read_weights(const NamedTensors& ours, const TensorMap& map,
                                        const TensorFiles& files, num::ThreadPool& pool,
                                        const Reading& reading = {});

} // namespace heed::models
