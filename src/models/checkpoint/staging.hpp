// Memory that several tensors are read into, one after another.
#pragma once

#include "num/panels.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace heed::models {

/// Memory in which the numbers of a tensor wait to be packed, one room for each thread: fresh
/// memory for every tensor would cost as much as reading it.
class Staging {
  public:
    struct Room {
        num::AlignedFloats floats;
        num::Index size;
    };

    Room take(num::Index floats) {
        Room room{nullptr, 0};
        {
            const std::scoped_lock held(lock_);
            if (!rooms_.empty()) {
                room = std::move(rooms_.back());
                rooms_.pop_back();
            }
        }
        widen(room, floats);
        return room;
    }
    /// Widens a room to so many floats at least; what it held is lost where it grows.
    static void widen(Room& room, num::Index floats) {
        if (room.size >= floats) return;
        room.floats.reset();
        room = {num::AlignedFloats(num::allocate_aligned(floats)), floats};
    }
    void give(Room room) {
        const std::scoped_lock held(lock_);
        rooms_.push_back(std::move(room));
    }

  private:
    std::mutex lock_;
    std::vector<Room> rooms_;
};

} // namespace heed::models
