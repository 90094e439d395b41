// Norms of what heads and layers pass on, as arrays of `heed attend --norms`.
#pragma once

#include "models/model/model.hpp"
#include "tensors/named.hpp"

namespace heed::app {

/// Arrays of every module: MODULE.value_norms and, where a linear map joins the heads,
/// MODULE.transformed_norms, heads × keys: times the columns of a map of weights they are those of
/// Kobayashi et al. 2020. Of a transformer's layers stream_norms and update_norms (inside::
/// LayerNorms), with norm_layers, their names.
void add_norms(tensors::Archive& archive, const models::Run& run);

} // namespace heed::app
