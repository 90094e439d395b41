#include "num/panels.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace heed::num {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

Index panel_count(Index cols) {
    const Index width = kernels().panel_width;
    return (cols + width - 1) / width;
}

} // namespace

float* allocate_aligned(Index floats) {
    const std::size_t bytes = static_cast<std::size_t>(std::max<Index>(floats, 1)) * sizeof(float);
    const std::size_t alignment = bytes >= kHugePage ? kHugePage : 64;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* data = std::aligned_alloc(alignment, rounded);
    if (!data) throw std::bad_alloc();
    wish_huge_pages(data, bytes);
    return static_cast<float*>(data);
}

void wish_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
    if (void* first = std::align(kHugePage, kHugePage, data, bytes)) {
        madvise(first, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
    }
#endif
}

float* thread_scratch(Index floats) {
    // Fresh memory for every product would cost a page fault for each 4 KiB of it.
    thread_local AlignedFloats buffer;
    thread_local Index size = 0;
    if (size < floats) {
        buffer.reset();
        size = 0;
        buffer.reset(allocate_aligned(floats));
        size = floats;
    }
    return buffer.get();
}

void FreeFloats::operator()(float* data) const { std::free(data); }

Panels::Panels(Index depth, Index cols, Stored stored)
    : count_(panel_count(cols)), step_(depth * kernels().panel_width * bytes_of(stored)),
      stored_(stored) {
    constexpr Index kFloat = sizeof(float);
    data_.reset(allocate_aligned((count_ * step_ + kFloat - 1) / kFloat));
}

Index Panels::size(Index depth, Index cols) {
    return panel_count(cols) * depth * kernels().panel_width;
}

void multiply(const Kernels& k, ConstView<float> a, const float* panels, float factor,
              View<float> c) {
    for (Index col = 0; col < c.cols(); col += k.panel_width) {
        k.panel_product({.x = a.data(),
                         .x_stride = a.outerStride(),
                         .rows = a.rows(),
                         .depth = a.cols(),
                         .panel = panels + col * a.cols(),
                         .factor = factor,
                         .y = c.data() + col,
                         .y_stride = c.outerStride(),
                         .cols = std::min(k.panel_width, c.cols() - col)});
    }
}

} // namespace heed::num
