// Whole files, and writes that either happen or leave the old file as it was.
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace heed::base {

/// Checks that there is a file that can be read whole. Pipes and devices are no files: they may be
/// waited for without an end. Errors: not_found; unreadable, which says what is there instead.
Result<void> check_file(const std::string& path);

/// The bytes of a file of at most `max_bytes`.
/// Errors: those of check_file; unreadable, out_of_range (larger than max_bytes, with both sizes).
Result<std::string> read_file(const std::string& path, std::size_t max_bytes);

/// The bytes of the standard input up to its end, for a path that is "-". Errors: as above.
Result<std::string> read_standard_input(std::size_t max_bytes);

/// Writes to a temporary name beside `path`, flushes it to the disk, and renames it: a reader sees
/// the old file or the new one, never a half. Behind a symbolic link the file that it names is
/// replaced, or made; a replaced file keeps its permissions; devices and pipes are written in
/// place. On an error the old file stands and the temporary one is gone. The first write to a
/// folder removes what killed programs left there. Errors: unwritable, with the system's reason (no
/// such folder, disk full, not permitted).
Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

/// Checks that write_file_atomic() has where to write to, with a few bytes beside `path`, which
/// stays as it is. Of a pipe nothing is known. Errors: as above.
Result<void> try_to_write(const std::string& path);

/// Removes the temporary files of write_file_atomic() that nobody is writing.
void remove_left_over(const std::string& folder);

} // namespace heed::base
