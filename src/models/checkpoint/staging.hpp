// Memory that several tensors are read into, one after another.
#pragma once

#include "num/panels.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace heed::models {

/// Memory in which the numbers of a tensor wait to be packed, one buffer for each thread: fresh
/// memory for every tensor would cost as much as reading it.
class Staging {
  public:
    struct Buffer {
        num::AlignedFloats floats;
        num::Index size;
    };

    Buffer take(num::Index floats) {
        Buffer buffer{nullptr, 0};
        {
            const std::scoped_lock held(lock_);
            if (!buffers_.empty()) {
                buffer = std::move(buffers_.back());
                buffers_.pop_back();
            }
        }
        widen(buffer, floats);
        return buffer;
    }
    /// Widens a buffer to so many floats at least; what it held is lost where it grows.
    static void widen(Buffer& buffer, num::Index floats) {
        if (buffer.size >= floats) return;
        buffer.floats.reset();
        buffer = {num::AlignedFloats(num::allocate_aligned(floats)), floats};
    }
    void give(Buffer buffer) {
        const std::scoped_lock held(lock_);
        buffers_.push_back(std::move(buffer));
    }

  private:
    std::mutex lock_;
    std::vector<Buffer> buffers_;
};

} // namespace heed::models
