// --image, against the model.
#pragma once

#include "app/cli/command.hpp"
#include "models/model/model.hpp"

namespace heed::app {

/// Checks that there is a picture where the model reads one, and there alone. Errors: usage, with
/// the flag as the subject.
base::Result<void> check_image(const Given& given, const models::Config& config);

} // namespace heed::app
