// Questions of the room Inside as JSON: a member of the document. Tokens and layers count from 0.
#pragma once

#include "app/document/document.hpp"
#include "tensors/json_type.hpp"

#include <string>

namespace heed::app {

/// Errors: as document_from_json().
base::Result<InsideFocus> inside_focus_from_json(const tensors::Json& json,
                                                 const std::string& path);
tensors::Json inside_focus_to_json(const InsideFocus& asked);

} // namespace heed::app
