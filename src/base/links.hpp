// Links in the folders of strangers.
#pragma once

#include "base/result.hpp"

#include <string>

namespace heed::base {

/// Checks that `path` is a file of the folder, or a link to one in it; also one that is not there,
/// of which opening it says so. In the hub's own cache, files of models--…/snapshots/HASH are links
/// to models--…/blobs. Error: malformed, with where the link leads to.
Result<void> check_stays(const std::string& folder, const std::string& path);

} // namespace heed::base
