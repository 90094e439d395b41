// Output of `heed inside --what gradients`: which tokens a word stands on, by four accounts.
#pragma once

#include "app/inside/inside_report.hpp"
#include "tensors/json_type.hpp"

namespace heed::app {

/// A row a token, then what the integral leaves and where the accounts disagree. Errors: those of
/// inside::token_accounts.
base::Result<std::string> gradient_text(const InsideReport& report, num::ThreadPool& pool);
/// Puts these numbers into `json` as fields. Errors: as above.
base::Result<void> put_gradients(const InsideReport& report, num::ThreadPool& pool,
                                 tensors::Json& json);

} // namespace heed::app
