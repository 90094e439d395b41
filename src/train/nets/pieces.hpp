// Tensors of all sizes cut into pieces that threads can share.
#pragma once

#include "train/nets/parameters.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace heed::train {

struct Piece {
    std::size_t parameter; // which tensor
    std::size_t begin;     // in it
    std::size_t place;     // in all numbers, one tensor after another
    std::size_t size;
};

/// Pieces, the same whatever the pool, so that sums over them are.
inline std::vector<Piece> pieces_of(std::span<const Parameter> parameters) {
    constexpr std::size_t kLargest = 16 * 1024;
    std::vector<Piece> pieces;
    std::size_t place = 0;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        const std::size_t size = parameters[p].values.size();
        for (std::size_t begin = 0; begin < size; begin += kLargest) {
            pieces.push_back({p, begin, place + begin, std::min(kLargest, size - begin)});
        }
        place += size;
    }
    return pieces;
}

/// Calls work(i) for every piece, on all threads where there is enough to do.
template <class Work>
void for_each_piece(num::ThreadPool& pool, const std::vector<Piece>& pieces, Work&& work) {
    constexpr std::size_t kWorthSharing = 32 * 1024;
    const bool shared =
        !pieces.empty() && pieces.back().place + pieces.back().size >= kWorthSharing;
    if (shared && pool.size() > 1) {
        pool.for_each(static_cast<num::Index>(pieces.size()),
                      [&](num::Index i) { work(static_cast<std::size_t>(i)); });
    } else {
        for (std::size_t i = 0; i < pieces.size(); ++i) work(i);
    }
}

} // namespace heed::train
