// Whole files, and writes that either happen or leave the old file as it was.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::base {

/// The bytes of a file of at most `max_bytes`.
/// Errors: not_found, unreadable, out_of_range (larger than max_bytes).
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

/// Writes to a temporary name beside `path`, flushes it to the disk, and renames it: a reader sees
/// the old file or the new one, never a half. Behind a symbolic link the file that it names is
/// replaced, or made; a replaced file keeps its permissions; devices and pipes are written in
/// place. On an error the old file stands and the temporary one is gone. Errors: unwritable, with
/// the system's reason (no such folder, disk full, not permitted).
Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

} // namespace heed::base
