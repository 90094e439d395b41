// Controls, and the document that holds them, as JSON: for `--controls`, settings and sessions.
//
//   {"controls": [{"attention": "encoder", "layer": 0, "head": 2, "scale": "off",
//                  "temperature": 2, "mask": ["causal", "window:3"], "score": "additive",
//                  "positions": "rotary", "gain": 0}],
//    "norm": "pre", "join": "concat", "dropout": 0.1, "dropout_seed": 1}
//
// Every member may be missing. An entry without attention, layer and head holds for the whole
// model. Layers, heads and painted cells count from 0, as in the names of torch.nn.Transformer's
// modules. A mask is a list of "padding", "causal", "window:N" and "paint:QUERY:KEY", or one of
// them, or "none".
#pragma once

#include "app/document/document.hpp"
#include "base/result.hpp"
#include "models/spec/controls.hpp"
#include "tensors/json_type.hpp"

#include <string>
#include <string_view>

namespace heed::app {

/// Errors: malformed, out_of_range or usage (a name that does not exist, with the allowed ones),
/// each with the path of the member at fault, such as "controls[2].scale".
base::Result<models::Controls> parse_controls(std::string_view bytes, const std::string& subject);
base::Result<models::Controls> controls_from_json(const tensors::Json& json,
                                                  const std::string& path);
tensors::Json controls_to_json(const models::Controls& controls);

base::Result<Document> document_from_json(const tensors::Json& json, const std::string& path);
tensors::Json document_to_json(const Document& document);

} // namespace heed::app
