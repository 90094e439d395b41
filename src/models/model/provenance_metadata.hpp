// Provenance, the data that a model was trained on, in the metadata of its file.
#pragma once

#include "models/model/model.hpp"

#include <map>

namespace heed::models {

/// Nothing where the metadata tell of no training. Errors: malformed, with the path as the subject.
base::Result<std::optional<Provenance>>
read_provenance(const std::map<std::string, std::string>& metadata, const std::string& path);
void write_provenance(const Provenance& provenance, std::map<std::string, std::string>& metadata);

} // namespace heed::models
