// --source-ids, --target-ids and --type-ids: what a model that reads ids is given, exactly.
#pragma once

#include "app/cli/command.hpp"
#include "models/model/model.hpp"

#include <vector>

namespace heed::app {

std::vector<Flag> id_flags();

/// Reads ids in place of the sentences, where a flag gives some. A decoder alone reads either
/// flag's. Errors: usage, with the flag as the subject.
base::Result<void> read_ids(const Given& given, const models::Model& model, models::Input& input);

} // namespace heed::app
