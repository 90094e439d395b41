// Matrices packed as the kernels read them: panels of a few registers' width, each depth rows long,
// one after another, aligned to 64 bytes.
#pragma once

#include "num/kernels.hpp"
#include "num/matrix.hpp"

#include <cstddef>
#include <memory>

namespace heed::num {

struct FreeFloats {
    void operator()(float* data) const;
};
using AlignedFloats = std::unique_ptr<float[], FreeFloats>;

/// `floats` numbers, aligned to 64 bytes, or to a huge page when there is one to be filled; to be
/// freed by FreeFloats. Throws std::bad_alloc.
float* allocate_aligned(Index floats);

/// Wishes for huge pages, as many as lie whole in memory that was not touched yet: the first touch
/// of each small one costs as much as filling it.
void wish_huge_pages(void* data, std::size_t bytes);

/// The calling thread's own buffer, aligned to 64 bytes, until the next call in this thread.
float* thread_scratch(Index floats);

/// Room for a depth × cols matrix in panels; not filled.
class Panels {
  public:
    Panels() = default;
    Panels(Index depth, Index cols, Stored stored = Stored::f32);

    Index count() const { return count_; }
    Stored stored() const { return stored_; }
    Index panel_bytes() const { return step_; }
    float* data() { return data_.get(); } // of Stored::f32
    void* panel(Index i) { return reinterpret_cast<char*>(data_.get()) + i * step_; }
    const void* panel(Index i) const {
        return reinterpret_cast<const char*>(data_.get()) + i * step_;
    }

    /// Floats that a depth × cols matrix takes.
    static Index size(Index depth, Index cols);

  private:
    AlignedFloats data_;
    Index count_ = 0, step_ = 0; // bytes of a panel
    Stored stored_ = Stored::f32;
};

/// c = factor · a · b inside the calling thread, b packed.
void multiply(const Kernels& k, ConstView<float> a, const float* panels, float factor,
              View<float> c);

} // namespace heed::num
