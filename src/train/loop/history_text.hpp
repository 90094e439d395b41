// A training's curves as the notes of its checkpoint.
#pragma once

#include "base/result.hpp"
#include "train/loop/history.hpp"

#include <string>
#include <string_view>

namespace heed::train {

/// JSON of the curve of losses and the held-out measures; without the film.
std::string write_history(const History& history);
/// Errors: malformed, with the place of the member at fault.
base::Result<History> read_history(std::string_view text);

} // namespace heed::train
