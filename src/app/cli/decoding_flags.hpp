// Flags that say how a decoder finds its words.
#pragma once

#include "app/cli/command.hpp"
#include "models/model/model.hpp"

#include <vector>

namespace heed::app {

std::vector<Flag> decoding_flags();
base::Result<void> read_decoding(const Given& given, models::Decoding& decoding);

} // namespace heed::app
