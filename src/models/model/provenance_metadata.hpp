// What a model was trained on, in the metadata of its file.
#pragma once

#include "models/model/model.hpp"

#include <map>

namespace heed::models {

/// Nothing where the metadata tell of no training. Errors: malformed, with the path as the subject.
base::Result<std::optional<Schooling>>
read_schooling(const std::map<std::string, std::string>& metadata, const std::string& path);
void write_schooling(const Schooling& schooling, std::map<std::string, std::string>& metadata);

} // namespace heed::models
