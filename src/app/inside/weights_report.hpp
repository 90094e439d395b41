// Output of `heed inside --what weights`: other weights of one row of a head, and what they
// change.
#pragma once

#include "app/inside/inside_report.hpp"
#include "app/views/inside_tokens.hpp"
#include "inside/other_weights.hpp"
#include "tensors/json_type.hpp"

namespace heed::app {

/// A row a key, then the numbers and the verdict. Errors: those of inside::other_weights.
base::Result<std::string> weights_text(const InsideReport& report, num::ThreadPool& pool);
/// Puts these numbers into `json` as fields. Errors: as above.
base::Result<void> put_weights(const InsideReport& report, num::ThreadPool& pool,
                               tensors::Json& json);

} // namespace heed::app
