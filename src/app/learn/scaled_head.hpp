// The head to which the division by √d_k matters most, for a card about it.
#pragma once

#include "models/model/model.hpp"

#include <optional>

namespace heed::app {

/// The head whose rows lose most entropy when its scores are not divided by √d_k, the mean over
/// rows; its kind, layer and head. Nothing where no head has scores that were, and where the maps
/// are too large to be looked through on the window's thread.
std::optional<trace::HeadId> head_of_scale(const models::Run& run);

} // namespace heed::app
