// Every operator new of a test binary, counted: for one file of it alone, since it defines them.
#pragma once

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include <malloc.h>

namespace heed::test {

inline std::atomic<std::size_t> live{0}, peak{0};

inline void* counted(std::size_t size) noexcept {
    void* memory = std::malloc(size);
    if (!memory) return nullptr;
    const std::size_t now = live += malloc_usable_size(memory);
    std::size_t most = peak;
    while (most < now && !peak.compare_exchange_weak(most, now)) {
    }
    return memory;
}

inline void uncounted(void* memory) noexcept {
    if (memory) live -= malloc_usable_size(memory);
    std::free(memory);
}

} // namespace heed::test

// Also those that throw nothing: a sanitizer has its own, which do not come here by themselves.
void* operator new(std::size_t size) {
    if (void* memory = heed::test::counted(size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return heed::test::counted(size);
}
void operator delete(void* memory) noexcept { heed::test::uncounted(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    heed::test::uncounted(memory);
}
void operator delete(void* memory, std::size_t) noexcept { heed::test::uncounted(memory); }

namespace heed::test {

/// Bytes that were taken at once while it ran.
inline std::size_t memory_of(const std::function<void()>& work) {
    const std::size_t before = live;
    peak = before;
    work();
    return peak - before;
}

} // namespace heed::test
