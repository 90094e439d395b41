// JSON as a type alone, for headers that only name it: json.hpp, which reads and writes it, brings a
// library that takes longer to compile than all of a room's own headers.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace heed::tensors {

using Json = nlohmann::ordered_json;

} // namespace heed::tensors
