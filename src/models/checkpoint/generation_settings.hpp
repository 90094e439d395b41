// generation_config.json: where a text starts and ends, and how its tokens are chosen.
#pragma once

#include "models/checkpoint/config_file.hpp"
#include "models/model/text_to_ids.hpp"

#include <string>

namespace heed::models {

/// The settings of generation_config.json in the folder or, where it has none, of config.json. What
/// neither says about the end is told by the tokeniser; a token that the vocabulary has not is
/// passed over. Errors: those of reading a file and JSON, with the file as the subject; malformed.
base::Result<void> read_generation(const std::string& folder, ConfigFile& config, int vocabulary,
                                   TextToIds& ids);

} // namespace heed::models
