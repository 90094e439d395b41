// The allocator of the process, told what this program does: a run makes tens of megabytes of
// matrices and the next run frees them.
#pragma once

namespace heed::base {

/// Keeps freed memory for the next run. By default glibc hands it back to the system after each
/// run, and the page faults of getting it again cost a run of 128 tokens a quarter of its time.
/// Called once, before threads start. Does nothing on other systems.
void keep_memory_between_runs();

} // namespace heed::base
