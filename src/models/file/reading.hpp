// Watching while a large file is read: progress, and a way to stop.
#pragma once

#include <functional>

namespace heed::models {

/// Is told how much of a file has been read, from 0 to 1, by any thread, and answers whether to go
/// on. Empty: nobody watches.
using Reading = std::function<bool(double fraction)>;

} // namespace heed::models
