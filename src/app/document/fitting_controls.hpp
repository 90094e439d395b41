// Controls that outlived a change of the model.
#pragma once

#include "models/model/model.hpp"

namespace heed::app {

/// Controls without the entries for a layer, head or kind of attention that the model lacks: each
/// of them would fail every run, and no panel could take it back.
models::Controls fitting_controls(models::Controls controls, const models::Config& config);

} // namespace heed::app
