// Work on the rows of a matrix, split over a pool when there is enough of it.
#pragma once

#include "num/threads.hpp"

#include <algorithm>

namespace heed::nn {

/// Calls work(begin, end) for blocks that cover [0, rows), on the caller alone when all of it has
/// fewer than `serial_elements` elements: waking a thread costs as much as some ten thousand of
/// them.
template <class Work>
void for_row_blocks(num::ThreadPool& pool, num::Index rows, num::Index elements_per_row,
                    Work&& work, num::Index serial_elements = num::Index{16} * 1024) {
    if (pool.size() == 1 || rows * elements_per_row < serial_elements) {
        work(num::Index(0), rows);
        return;
    }
    const num::Index blocks = std::min<num::Index>(rows, num::Index{4} * pool.size());
    pool.for_each(blocks, [&](num::Index b) { work(b * rows / blocks, (b + 1) * rows / blocks); });
}

/// The first rows of one matrix into another of its width: memory is read faster by several
/// threads.
template <class S>
void copy_rows(num::ThreadPool& pool, const num::Matrix<S>& from, num::Index rows,
               num::Matrix<S>& to) {
    for_row_blocks(pool, rows, from.cols(), [&](num::Index begin, num::Index end) {
        to.middleRows(begin, end - begin) = from.middleRows(begin, end - begin);
    });
}

} // namespace heed::nn
