// --maps: attention that another program wrote, in place of a model.
#pragma once

#include "app/cli/command.hpp"
#include "app/document/document.hpp"
#include "base/result.hpp"

#include <vector>

namespace heed::app {

std::vector<Flag> maps_flags();
/// The file and the sentence. Errors: usage.
base::Result<void> read_maps(const Given& given, Document& document);
/// Once the model is known: errors that name a flag of a model, or its controls, beside a file of
/// maps, and --sentence beside a model.
base::Result<void> check_maps(const Given& given, const models::Config& config,
                              const Document& document);

} // namespace heed::app
