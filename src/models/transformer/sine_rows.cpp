#include "models/transformer/sine_rows.hpp"

#include "nn/attention/position.hpp"

#include <algorithm>

namespace heed::models {

using num::Index;
using num::Matrix;

namespace {

constexpr Index kRowsOfBlock = 64;

} // namespace

Matrix<float> SineRows::rows(num::ThreadPool& pool, Index first, Index n) const {
    const Index begin = first / kRowsOfBlock;
    const Index end = (first + n + kRowsOfBlock - 1) / kRowsOfBlock;
    Matrix<float> rows(n, width_);
    const std::scoped_lock held(lock_);
    blocks_.resize(std::max(blocks_.size(), static_cast<std::size_t>(end)));
    pool.for_each(end - begin, [&](Index i) {
        auto& block = blocks_[static_cast<std::size_t>(begin + i)];
        if (block.size() == 0) block = made(begin + i);
    });
    for (Index row = 0; row < n;) {
        const Index at = (first + row) % kRowsOfBlock;
        const Index count = std::min(n - row, kRowsOfBlock - at);
        const auto& block = blocks_[static_cast<std::size_t>((first + row) / kRowsOfBlock)];
        rows.middleRows(row, count) = block.middleRows(at, count);
        row += count;
    }
    return rows;
}

Matrix<float> SineRows::made(Index block) const {
    const Matrix<float> table =
        nn::sinusoidal_table<float>(kRowsOfBlock, width_, block * kRowsOfBlock);
    return sines_first_ ? nn::sines_first(table) : table;
}

} // namespace heed::models
