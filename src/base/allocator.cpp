#include "base/allocator.hpp"

#include <cstdlib> // defines __GLIBC__ where it is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace heed::base {

void keep_memory_between_runs() {
#ifdef __GLIBC__
    constexpr int kMegabyte = 1 << 20;
    mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // the most that glibc takes
    mallopt(M_TRIM_THRESHOLD, 768 * kMegabyte); // two traces of 512 tokens, old and new
    mallopt(M_TOP_PAD, 64 * kMegabyte);
    // Arenas of other threads are trimmed whatever the threshold: the engine's thread shares the
    // main one.
    mallopt(M_ARENA_MAX, 1);
#endif
}

} // namespace heed::base
